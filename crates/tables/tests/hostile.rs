//! No bytes make a reader panic, hang or lie.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests

mod common;

use std::sync::LazyLock;

use common::{at, board, file, id, values};
use game::{Board, Boxes};
use proptest::prelude::*;
use tables::{Catalogue, Digest, Reason, Table, TableId, VERSION};
use xxhash_rust::xxh3::xxh3_64;

/// 1x2 in one block.
static ONE: LazyLock<Vec<u8>> = LazyLock::new(|| file(1, 2, 4096));

/// 1x5 in eight blocks.
static EIGHT: LazyLock<Vec<u8>> = LazyLock::new(|| file(1, 5, 64));

/// Where things are in these files (see `FORMAT.md`).
const INDEX: usize = 24 + 19;
const DIGEST: usize = 32;

/// Makes the checksums of a changed file right again: what a forger would do.
fn forge(bytes: &mut [u8], blocks: usize) {
    let head = INDEX + blocks * 16;
    let data = head + 8;
    let end = bytes.len() - DIGEST;
    let mut start = 0;
    for block in 0..blocks {
        let record = INDEX + block * 16;
        let next = u64::from_le_bytes(bytes[record..record + 8].try_into().unwrap()) as usize;
        if let Some(compressed) = bytes[data..end].get(start..next) {
            let checksum = xxh3_64(compressed).to_le_bytes();
            bytes[record + 8..record + 16].copy_from_slice(&checksum);
        }
        start = next;
    }
    let checksum = xxh3_64(&bytes[..head]).to_le_bytes();
    bytes[head..data].copy_from_slice(&checksum);
    let digest = Digest::of(&bytes[..end]).to_string();
    for (i, byte) in bytes[end..].iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digest[2 * i..2 * i + 2], 16).unwrap();
    }
}

fn open(bytes: &[u8], id: TableId) -> Result<Table<&[u8]>, Reason> {
    Table::open(bytes, id, 1 << 20)
}

/// Asks everything of a table; what it answers must at least be possible.
fn ask_everything(table: &Table<&[u8]>, board: Board) {
    let Table::Board(table) = table else { panic!("a board's table") };
    // A prime of a step, so that every edge is now drawn and now free.
    for mask in (0..1 << board.edges()).step_by(if board.edges() > 8 { 251 } else { 1 }) {
        let p = at(board, mask);
        let left = p.boxes_left() as i16;
        if let Some(Boxes(value)) = table.probe(&p) {
            assert!(value.abs() <= left && (value + left) % 2 == 0, "{value} in {p}");
        }
    }
    let _ = table.walk(|_| {});
}

#[test]
fn the_files_are_sound_to_begin_with() {
    for (bytes, cols) in [(&ONE, 2), (&EIGHT, 5)] {
        let Table::Board(table) = open(bytes, id(1, cols)).unwrap() else { panic!("a board's table") };
        for (mask, value) in values(board(1, cols)).into_iter().enumerate() {
            assert_eq!(table.probe(&at(board(1, cols), mask as u64)), Some(value));
        }
        let mut forged = bytes.to_vec();
        forge(&mut forged, if cols == 2 { 1 } else { 8 });
        assert!(forged == **bytes, "the forger of this test knows the format");
    }
}

#[test]
fn a_file_cut_short_or_grown_is_refused_at_every_length() {
    for (bytes, cols) in [(&ONE, 2), (&EIGHT, 5)] {
        for length in 0..bytes.len() {
            let found = length as u64;
            match open(&bytes[..length], id(1, cols)).map(|_| ()) {
                Err(Reason::NotATable) => assert!(length < 8),
                Err(Reason::Length { found: f, .. }) => assert_eq!(f, found),
                other => panic!("{length} bytes: {other:?}"),
            }
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(matches!(open(&longer, id(1, cols)), Err(Reason::Length { .. })));
    }
}

#[test]
fn a_flipped_bit_is_found_wherever_it_is() {
    for (bytes, cols) in [(&ONE, 2), (&EIGHT, 5)] {
        for bit in 0..8 * bytes.len() {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(open(&bytes, id(1, cols)).is_err(), "bit {bit}");
        }
    }
}

#[test]
fn a_flipped_bit_under_forged_checksums_is_no_more_than_a_wrong_entry() {
    for (bytes, cols, blocks) in [(&ONE, 2, 1), (&EIGHT, 5, 8)] {
        for bit in 0..8 * (bytes.len() - DIGEST) {
            let mut bytes = bytes.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            forge(&mut bytes, blocks);
            if let Ok(table) = open(&bytes, id(1, cols)) {
                ask_everything(&table, board(1, cols));
            }
        }
    }
}

#[test]
fn damage_on_disk_is_a_problem_that_names_file_and_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("board-1x2.table");
    let position = at(board(1, 2), 0);
    let damaged = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let tables = Catalogue::open(dir.path());
        let problem = tables.problems().iter().find(|p| p.path == path).cloned();
        assert_eq!(problem.is_none(), tables.board(&position).is_some());
        problem
    };
    assert_eq!(damaged(&ONE), None);
    for at in 0..ONE.len() {
        let mut flipped = ONE.to_vec();
        flipped[at] ^= 1 << (at % 8);
        for bytes in [&flipped, &ONE[..at]] {
            let text = damaged(bytes).expect("damage is found").to_string();
            assert!(text.contains("board-1x2.table"), "{text}");
            assert!(text.contains("`doublecross generate 1x2 --tables "), "{text}");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let reason = |bytes: &[u8]| open(bytes, id(1, 2)).map(|_| ()).unwrap_err();
    let changed = |at: usize, new: &[u8]| {
        let mut bytes = ONE.to_vec();
        bytes[at..at + new.len()].copy_from_slice(new);
        bytes
    };
    let newer = (VERSION + 1).to_le_bytes();
    assert_eq!(reason(&changed(8, &newer)), Reason::Version { found: VERSION + 1, supported: VERSION });
    assert_eq!(reason(&EIGHT), Reason::Other { found: id(1, 5) });
    assert_eq!(reason(b"<!DOCTYPE html>"), Reason::NotATable);
    assert_eq!(reason(&changed(ONE.len() - 1, &[0])), Reason::Damaged("digest"));
    let endgame = TableId::endgame(1).unwrap();
    let endgame = tables::pack(endgame, 4096, &[0, 0, 1 << 6, 0]).unwrap();
    assert_eq!(reason(&endgame), Reason::Other { found: TableId::endgame(1).unwrap() });
    // A text transfer that changes line ends, strips the high bit, or stops at the end-of-file character.
    let text: Vec<u8> = ONE.iter().copied().filter(|&byte| byte != b'\r').collect();
    assert_eq!(reason(&text), Reason::NotATable);
    let text: Vec<u8> = ONE.iter().map(|&byte| byte & 0x7f).collect();
    assert_eq!(reason(&text), Reason::NotATable);
    assert_eq!(reason(ONE.split(|&byte| byte == 0x1a).next().unwrap()), Reason::NotATable);
}

#[test]
fn a_block_that_goes_bad_after_opening_is_not_answered_from() {
    /// Bytes that can change under the reader, like a map's.
    struct Shared(std::rc::Rc<std::cell::OnceCell<Vec<u8>>>, Vec<u8>);
    impl AsRef<[u8]> for Shared {
        fn as_ref(&self) -> &[u8] {
            self.0.get().unwrap_or(&self.1)
        }
    }
    let later = std::rc::Rc::new(std::cell::OnceCell::new());
    let table = Table::open(Shared(later.clone(), EIGHT.clone()), id(1, 5), 1 << 20).unwrap();
    let Table::Board(table) = table else { panic!("a board's table") };
    let mut bad = EIGHT.clone();
    let first_block = INDEX + 8 * 16 + 8;
    bad[first_block + 9] ^= 1;
    later.set(bad).unwrap();
    assert_eq!(table.probe(&at(board(1, 5), 0)), None);
    assert_eq!(table.probe(&at(board(1, 5), (1 << 16) - 1)), Some(Boxes::ZERO));
    assert_eq!(table.walk(|_| {}), Err(Reason::Block(0)));
}

proptest! {
    #[test]
    fn any_bytes_at_all(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(open(&bytes, id(1, 2)).is_err());
    }

    #[test]
    fn any_bytes_after_a_good_beginning(
        keep in 0usize..120,
        tail in proptest::collection::vec(any::<u8>(), 48..400),
        forged in any::<bool>(),
    ) {
        let mut bytes = [&EIGHT[..keep], tail.as_slice()].concat();
        if bytes.len() > 24 {
            let length = bytes.len() as u64;
            bytes[16..24].copy_from_slice(&length.to_le_bytes());
        }
        if forged && bytes.len() > INDEX + 8 * 16 + 8 + DIGEST {
            forge(&mut bytes, 8);
        }
        if let Ok(table) = open(&bytes, id(1, 5)) {
            ask_everything(&table, board(1, 5));
        }
    }

    #[test]
    fn any_compressed_bytes_under_right_checksums(
        at in 179usize..400,
        new in proptest::collection::vec(any::<u8>(), 1..40),
    ) {
        let mut bytes = EIGHT.clone();
        let end = bytes.len() - DIGEST;
        for (byte, new) in bytes[at.min(end - 1)..end].iter_mut().zip(new) {
            *byte = new;
        }
        forge(&mut bytes, 8);
        if let Ok(table) = open(&bytes, id(1, 5)) {
            ask_everything(&table, board(1, 5));
        }
    }

    #[test]
    fn any_number_in_head_or_index_under_right_checksums(at in 8usize..171, new in any::<u64>()) {
        let mut bytes = EIGHT.clone();
        bytes[at..at + 8].copy_from_slice(&new.to_le_bytes());
        // The forger mends what can be mended; a wild offset or size cannot.
        forge(&mut bytes, 8);
        if let Ok(table) = open(&bytes, id(1, 5)) {
            ask_everything(&table, board(1, 5));
        }
    }
}

/// Opening a pipe waits for a writer that never comes, unless it is asked first what it is.
#[cfg(unix)]
#[test]
fn a_pipe_or_a_folder_in_place_of_a_table_is_a_problem() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("board-1x2.table");
    let problem = || {
        let tables = Catalogue::open(dir.path());
        tables.problems().iter().find(|p| p.path == path).map(ToString::to_string).unwrap()
    };
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert!(problem().contains("not a regular file"), "{}", problem());
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(problem().contains("not a regular file"), "{}", problem());
}
