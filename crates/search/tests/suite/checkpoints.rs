//! Checkpoints: a search goes on where it was, and what is not as it was written is refused.

use game::Position;
use search::{Budget, CheckpointError, Config, Outcome, Solver};

use crate::{ALONE, GO_ON, board, exact};

fn begun(nodes: u64) -> Solver {
    let mut solver = Solver::new(&Position::empty(board(3, 3)), ALONE).unwrap();
    solver.start(Budget { nodes: Some(nodes), time: None });
    assert!(matches!(solver.value(&GO_ON), Outcome::Bounds { .. }));
    solver
}

fn saved(solver: &Solver) -> Vec<u8> {
    let mut bytes = Vec::new();
    solver.save(&mut bytes).unwrap();
    bytes
}

/// Whatever the sitting, the value is the same, and what was proven is not searched again.
#[test]
fn a_search_goes_on_from_its_checkpoint() {
    for nodes in [1, 500, 5_000, 12_000] {
        let bytes = saved(&begun(nodes));
        let mut solver = Solver::new(&Position::empty(board(3, 3)), ALONE).unwrap();
        solver.resume(&mut &bytes[..]).unwrap();
        solver.start(Budget::UNLIMITED);
        assert_eq!(exact(solver.value(&GO_ON)), -3, "after {nodes} nodes");
        // From the beginning it takes about 20,000.
        assert!(solver.stats().nodes < 21_500 - nodes, "{} after {nodes}", solver.stats().nodes);
    }
}

/// The wide layout, for cores of more than about fifty strings, keeps its entries as well.
#[test]
fn large_boards_have_checkpoints() {
    for (rows, cols) in [(5, 5), (7, 7)] {
        let start = || Solver::new(&Position::empty(board(rows, cols)), ALONE).unwrap();
        let mut solver = start();
        solver.start(Budget { nodes: Some(2_000), time: None });
        solver.value(&GO_ON);
        let bytes = saved(&solver);
        let mut again = start();
        again.resume(&mut &bytes[..]).unwrap();
        assert_eq!(saved(&again), bytes, "{rows}x{cols}");
    }
}

/// A checkpoint with a byte changed, cut short or with something behind it is refused, and the solver is as before.
#[test]
fn damaged_checkpoints_are_refused() {
    let bytes = saved(&begun(300));
    let mut solver = Solver::new(&Position::empty(board(3, 3)), ALONE).unwrap();
    // Every byte of the beginning, with the heaps, and some of the table.
    for at in (0..400.min(bytes.len())).chain((400..bytes.len()).step_by(997)).chain([bytes.len() - 1]) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(solver.resume(&mut &damaged[..]).is_err(), "byte {at}");
    }
    for length in (0..400).chain((400..bytes.len()).step_by(4_001)).chain([bytes.len() - 1]) {
        assert!(solver.resume(&mut &bytes[..length]).is_err(), "{length} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(solver.resume(&mut &longer[..]), Err(CheckpointError::Damaged)));
    solver.start(Budget::UNLIMITED);
    assert_eq!(exact(solver.value(&GO_ON)), -3);
}

#[test]
fn checkpoints_of_another_search_are_refused() {
    let bytes = saved(&begun(300));
    for (rows, cols) in [(2, 5), (3, 4), (9, 9)] {
        let Ok(mut other) = Solver::new(&Position::empty(board(rows, cols)), ALONE) else { continue };
        let refused = other.resume(&mut &bytes[..]);
        assert!(matches!(refused, Err(CheckpointError::Other { .. })), "{rows}x{cols}: {refused:?}");
    }
    let mut solver = Solver::new(&Position::empty(board(3, 3)), ALONE).unwrap();
    let refused = solver.resume(&mut &b"something else altogether"[..]);
    assert!(matches!(refused, Err(CheckpointError::Foreign)));
}

/// A table that has grown beyond what this search may have is refused.
#[test]
fn checkpoints_too_large_are_refused() {
    let bytes = saved(&begun(12_000));
    let config = Config { threads: 1, table_bytes: 1 << 16 };
    let mut solver = Solver::new(&Position::empty(board(3, 3)), config).unwrap();
    let refused = solver.resume(&mut &bytes[..]);
    assert!(matches!(refused, Err(CheckpointError::TooLarge { .. })), "{refused:?}");
}
