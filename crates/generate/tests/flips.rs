//! One byte of a table goes bad, on the disk or under a reader: it is found, or harms nobody; no value is ever wrong.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use game::{Board, Boxes, Position};
use generate::{Options, make, parse};
use tables::{Access, Table, TableId};

/// A few numbers, always the same.
fn numbers() -> impl Iterator<Item = u64> {
    let step =
        |x: &u64| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(5), step).skip(1).map(|x| x >> 16)
}

/// Flips some bits of the byte at `at`.
fn flip(path: &Path, at: u64, bits: u8) {
    let mut file = File::options().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut byte).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[byte[0] ^ bits]).unwrap();
}

fn flipped(rows: u32, cols: u32, trials: usize) {
    let board = Board::new(rows, cols).unwrap();
    let id = TableId::board(board).unwrap();
    let dir = tempfile::tempdir().unwrap();
    make(&parse(&[id.request()]).unwrap(), dir.path(), Options::default(), &|_| {}, &AtomicBool::new(false))
        .unwrap();
    let path = dir.path().join(id.file_name());
    let length = fs::metadata(&path).unwrap().len();
    let Ok(Table::Board(sound)) = Table::file(&path, id, Access::Load, usize::MAX) else { panic!("{id}") };
    let mut random = numbers();
    let mut next = || random.next().unwrap();
    let mut refused = 0;
    for _ in 0..trials {
        let (at, bits) = (next() % length, 1 + (next() % 255) as u8);
        // A reader that has it open, and keeps next to nothing decoded.
        let Ok(Table::Board(open)) = Table::file(&path, id, Access::Read, 0) else { panic!("{id}") };
        flip(&path, at, bits);
        assert!(Table::file(&path, id, Access::Map, 0).is_err(), "byte {at} of {length}");
        for _ in 0..20 {
            let mask = next() & ((1 << board.edges()) - 1);
            let position = Position::from_mask(board, mask).unwrap();
            let value: Option<Boxes> = open.probe(&position);
            assert!(value.is_none() || value == sound.probe(&position), "byte {at} of {length}: {position}");
            refused += usize::from(value.is_none());
        }
        flip(&path, at, bits);
    }
    assert!(sound.container().check_digest().is_ok() && Table::file(&path, id, Access::Map, 0).is_ok());
    assert!(rows == 3 || refused > 0, "some probe met a damaged block");
}

#[test]
fn a_flipped_byte_is_found_or_harms_nobody() {
    flipped(2, 4, 500);
}

/// `cargo test --release -p generate --test flips -- --ignored`: a minute or two.
#[test]
#[ignore = "ten thousand times 3x4: the long version of the test above"]
fn ten_thousand_flipped_bytes_of_3x4() {
    flipped(3, 4, 10_000);
}
