//! One reader over memory, file and map.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests

mod common;

use std::fs;

use common::{at, board, file, id, values};
use game::Boxes;
use tables::{Access, Catalogue, Options, Reason, Storage, Stored, Table, examine};

const WAYS: [Access; 4] = [Access::Map, Access::MapPrefault, Access::Read, Access::Load];

#[test]
fn all_ways_to_a_file_give_the_same_answers() {
    let dir = tempfile::tempdir().unwrap();
    for (rows, cols) in [(1, 1), (1, 5), (2, 2)] {
        let path = dir.path().join(id(rows, cols).file_name());
        let bytes = file(rows, cols, 64);
        fs::write(&path, &bytes).unwrap();
        let expected = examine(bytes.as_slice(), id(rows, cols)).unwrap();
        for access in WAYS {
            let stored = Stored::open(&path, access).unwrap();
            assert_eq!(stored.length(), bytes.len() as u64);
            assert_eq!(stored.look(0, bytes.len(), |all| all == bytes), Ok(true));
            assert!(matches!(stored.look(1, bytes.len(), |_| ()), Err(Reason::Length { .. })));
            assert!(matches!(stored.look(u64::MAX, 2, |_| ()), Err(Reason::Length { .. })));
            assert_eq!(examine(stored, id(rows, cols)).unwrap(), expected);
            // With every block kept, and with next to none.
            for cache in [usize::MAX, 0] {
                let tables = Catalogue::with_options(dir.path(), Options { access, cache });
                for (mask, value) in values(board(rows, cols)).into_iter().enumerate() {
                    let probe = tables.board(&at(board(rows, cols), mask as u64)).unwrap();
                    assert_eq!(probe.value, value, "{access:?}");
                }
            }
        }
    }
}

#[test]
fn every_move_is_worth_what_it_closes_and_leads_to() {
    let bytes = file(1, 5, 64);
    for budget in [0, usize::MAX] {
        let Table::Board(table) = Table::open(bytes.as_slice(), id(1, 5), budget).unwrap() else {
            panic!("a board's table")
        };
        for (rows, cols) in [(1, 5), (5, 1)] {
            for position in (0..1 << 16).step_by(7).map(|mask| at(board(rows, cols), mask)) {
                let one_by_one = position.free_edges().map(|e| {
                    let (next, closed) = position.after(e);
                    let value = table.probe(&next).unwrap();
                    (e, if closed == 0 { -value } else { value + Boxes(closed as i16) })
                });
                assert_eq!(table.moves(&position), Some(one_by_one.collect()), "{position:?}");
            }
        }
        assert_eq!(table.moves(&at(board(1, 5), (1 << 16) - 1)), Some(Vec::new()));
        assert_eq!(table.moves(&at(board(2, 2), 0)), None);
    }
}

#[test]
fn what_is_no_table_is_refused_whichever_way() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("board-1x2.table");
    let whole = file(1, 2, 4096);
    for access in WAYS {
        assert!(matches!(Stored::open(&path, access), Err(Reason::Missing)));
    }
    for bytes in [&b""[..], b"no table at all, but long enough to be one", &whole[..whole.len() - 1]] {
        fs::write(&path, bytes).unwrap();
        for access in WAYS {
            assert!(Stored::open(&path, access).is_err());
        }
    }
    fs::remove_file(&path).unwrap();
}

/// A map cannot do this: the system ends the process.
#[test]
fn a_file_cut_short_while_it_is_read_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(id(1, 5).file_name());
    fs::write(&path, file(1, 5, 64)).unwrap();
    let table = Table::file(&path, id(1, 5), Access::Read, 0).unwrap();
    let Table::Board(table) = table else { panic!("a board's table") };
    let full = at(board(1, 5), (1 << 16) - 1);
    assert!(table.probe(&full).is_some());
    fs::File::options().write(true).open(&path).unwrap().set_len(200).unwrap();
    assert_eq!(table.probe(&at(board(1, 5), 0)), None);
    assert!(table.walk(|_| {}).is_err());
}
