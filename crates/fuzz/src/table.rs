//! Files of tables.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use game::Boxes;
use tables::{Access, Digest, Reason, Storage, Table, examine};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::truth::{Answers, INDEX, RECORD, Truth};

/// How many answers one execution asks a table for.
const ASKED: usize = 16;

/// Enough for every block of a small table; with 0, all but a few are dropped again.
const BUDGETS: [usize; 2] = [1 << 16, 0];

thread_local! {
    /// Where this thread has its file.
    static FOLDER: TempDir = tempfile::tempdir().expect("a place for temporary files");
}

/// Bytes as a table: refused, or right.
///
/// * As they are, in memory and in a file by every reader: all say the same, and what is not refused is the true table.
/// * Under right checksums, which anybody can make: no more than wrong values, and none that cannot be.
/// * In place of a table that is open already: right values, or none.
///
/// # Panics
/// When that is not so.
pub fn table(bytes: &[u8]) {
    let truth = Truth::like(bytes);
    as_they_are(truth, bytes);
    if let Some(forged) = forged(truth, bytes) {
        under_right_checksums(truth, &forged);
    }
    in_place_of(truth, bytes);
}

fn as_they_are(truth: &Truth, bytes: &[u8]) {
    let opened = Table::open(bytes, truth.id, BUDGETS[0]);
    in_a_file(truth, bytes, opened.as_ref().map(|_| ()).map_err(Clone::clone));
    let Ok(table) = opened else { return };
    assert!(bytes == truth.file, "a table with right checksums that nobody made");
    assert!(pick(truth, bytes).all(|i| is_right(truth, &table, i) == Some(true)));
    let record = examine(bytes, truth.id).expect("what opens is sound");
    assert_eq!((record.bytes, record.entries), (bytes.len() as u64, truth.id.entries()));
}

/// Every reader of files says the same of these bytes.
fn in_a_file(truth: &Truth, bytes: &[u8], expected: Result<(), Reason>) {
    FOLDER.with(|folder| {
        let path = folder.path().join(truth.id.file_name());
        write(&path, bytes).expect("a file is written");
        for access in [Access::Map, Access::Read, Access::Load] {
            let opened = read(truth, &path, access);
            assert_eq!(opened.as_ref().map(|_| ()), expected.as_ref().map(|_| ()), "{access:?}");
            if let Ok(table) = opened {
                for i in pick(truth, bytes) {
                    assert_eq!(is_right(truth, &table, i), Some(true), "{access:?}");
                }
            }
        }
    });
}

/// Over what was there, which no table has open any more: to cut a file to nothing first makes some systems wait for
/// the disk.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().create(true).truncate(false).write(true).open(path)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

fn read(truth: &Truth, path: &Path, access: Access) -> Result<Table<tables::Stored>, Reason> {
    Table::file(path, truth.id, access, BUDGETS[0])
}

/// The same bytes with every length and checksum that can be made right made right.
fn forged(truth: &Truth, bytes: &[u8]) -> Option<Vec<u8>> {
    let head = INDEX + truth.blocks() * RECORD;
    let data = head + 8;
    let end = bytes.len().checked_sub(Digest::LEN).filter(|&end| end >= data)?;
    let mut forged = bytes.to_vec();
    forged[16..24].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    let mut start = 0;
    for record in (INDEX..head).step_by(RECORD) {
        let next = u64::from_le_bytes(*bytes[record..].first_chunk()?) as usize;
        if let Some(block) = bytes[data..end].get(start..next) {
            forged[record + 8..record + RECORD].copy_from_slice(&xxh3_64(block).to_le_bytes());
        }
        start = next;
    }
    let checksum = xxh3_64(&forged[..head]).to_le_bytes();
    forged[head..data].copy_from_slice(&checksum);
    let digest = Digest::of(&forged[..end]);
    forged[end..].copy_from_slice(digest.bytes());
    Some(forged)
}

fn under_right_checksums(truth: &Truth, bytes: &[u8]) {
    let [all, few] = BUDGETS.map(|budget| Table::open(bytes, truth.id, budget));
    let (all, few) = match (all, few) {
        (Ok(all), Ok(few)) => (all, few),
        (Err(all), Err(few)) => return assert_eq!(all, few),
        _ => panic!("a budget is no reason to refuse a table"),
    };
    let mut values = Vec::new();
    let walked = all.walk(|value| values.push(value));
    assert_eq!(
        examine(bytes, truth.id).map(|record| record.values.total()),
        walked.clone().map(|()| values.len() as u64)
    );
    assert!(walked.is_err() || values.len() as u64 == truth.id.entries());
    for i in pick(truth, bytes) {
        let answer = is_right(truth, &all, i);
        assert_eq!(answer, is_right(truth, &few, i));
        assert!(answer.is_some() || walked.is_err(), "an entry is there when all are");
    }
    if let (Table::Board(table), Answers::Board(answers)) = (&all, &truth.answers) {
        for position in pick(truth, bytes).map(|i| answers[i].0) {
            let one_by_one = position.free_edges().map(|e| {
                let (next, closed) = position.after(e);
                let value = table.probe(&next)?;
                Some((e, if closed == 0 { -value } else { value + Boxes(closed as i16) }))
            });
            assert_eq!(table.moves(&position), one_by_one.collect());
        }
    }
}

/// A sound table that becomes other bytes once it is open, as a mapped file can.
struct Turning<'a> {
    now: &'a Cell<&'a [u8]>,
}

impl AsRef<[u8]> for Turning<'_> {
    fn as_ref(&self) -> &[u8] {
        self.now.get()
    }
}

fn in_place_of(truth: &Truth, bytes: &[u8]) {
    let now = Cell::new(&*truth.file);
    let budget = BUDGETS[bytes.len() % 2];
    let table = Table::open(Turning { now: &now }, truth.id, budget).expect("a sound table opens");
    now.set(bytes);
    for i in pick(truth, bytes) {
        assert_ne!(is_right(truth, &table, i), Some(false), "a wrong answer from a file that went bad");
    }
}

/// Whether the answer to one question is right; `None` when there is none. Right or not, it is one that can be.
fn is_right<B: Storage>(truth: &Truth, table: &Table<B>, i: usize) -> Option<bool> {
    let can_be = |Boxes(value): Boxes, boxes: usize| {
        let boxes = boxes as i16;
        assert!(value.abs() <= boxes && (value + boxes) % 2 == 0, "{value} of {boxes} boxes");
    };
    match (table, &truth.answers) {
        (Table::Board(table), Answers::Board(answers)) => {
            let (position, value) = &answers[i];
            let found = table.probe(position)?;
            can_be(found, position.boxes_left());
            Some(found == *value)
        }
        (Table::Endgame(table), Answers::Endgame(answers)) => {
            let (set, value, best) = &answers[i];
            let (found, ways) = table.probe(set)?;
            can_be(found, set.boxes());
            assert_eq!(ways.is_empty(), set.is_empty());
            Some((found, &ways) == (*value, best))
        }
        _ => panic!("a table of another kind"),
    }
}

/// A few questions, others for other bytes.
fn pick(truth: &Truth, bytes: &[u8]) -> impl Iterator<Item = usize> {
    let questions = match &truth.answers {
        Answers::Board(answers) => answers.len(),
        Answers::Endgame(answers) => answers.len(),
    };
    // A prime of a step, so that every edge is now drawn and now free.
    let first = xxh3_64(bytes) as usize % questions;
    (0..ASKED).map(move |i| (first + i * 4099) % questions)
}
