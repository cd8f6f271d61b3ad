//! The enumeration against the rules and against what is known.

#![allow(clippy::unwrap_used)] // helpers of tests

use game::{Board, Boxes, Position, Symmetry};
use generate::{EnumerationError, MAX_EDGES, enumerate};
use proptest::prelude::*;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

#[test]
fn empty_boards_have_their_known_values() {
    for (rows, cols, value) in [(2, 2, 2), (2, 3, -2), (3, 2, -2), (2, 4, 2), (4, 2, 2), (3, 3, -3)] {
        assert_eq!(enumerate(board(rows, cols)).unwrap().value(0), Boxes(value), "{rows}x{cols}");
    }
    for n in 1..=7 {
        let value = if n % 2 == 1 { -1 } else { 0 };
        assert_eq!(enumerate(board(1, n)).unwrap().value(0), Boxes(value), "1x{n}");
        assert_eq!(enumerate(board(n, 1)).unwrap().value(0), Boxes(value), "{n}x1");
    }
}

#[test]
fn boards_with_borders_have_their_known_values() {
    for (rows, cols, two, four) in [(2, 2, 2, -4), (2, 3, 4, 6), (2, 4, 4, 0), (3, 3, -1, 7)] {
        let board = board(rows, cols);
        let (rows, cols) = (board.rows(), board.cols());
        let top_and_left = (0..cols).map(|c| board.h(0, c)).chain((0..rows).map(|r| board.v(r, 0)));
        let others = (0..cols).map(|c| board.h(rows, c)).chain((0..rows).map(|r| board.v(r, cols)));
        let all = enumerate(board).unwrap();
        let drawn = Position::with_drawn(board, top_and_left.clone());
        assert_eq!(all.value_of(&drawn), Some(Boxes(two)), "{board} with two borders");
        let drawn = Position::with_drawn(board, top_and_left.chain(others));
        assert_eq!(all.value_of(&drawn), Some(Boxes(four)), "{board} with all borders");
    }
    let wider = enumerate(board(2, 2)).unwrap();
    assert_eq!(wider.value_of(&Position::empty(board(2, 3))), None);
}

#[test]
fn what_is_too_large_is_refused() {
    for (rows, cols) in [(4, 4), (2, 6), (32, 32), (3, 5)] {
        assert!(board(rows, cols).edges() > MAX_EDGES);
        let error = enumerate(board(rows, cols)).unwrap_err();
        assert_eq!(error, EnumerationError::TooLarge { board: board(rows, cols) });
    }
}

#[test]
fn every_value_is_the_best_over_moves() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (1, 5), (2, 3), (3, 2)] {
        let board = board(rows, cols);
        let all = enumerate(board).unwrap();
        for mask in 0..all.positions() {
            let p = Position::from_mask(board, mask).unwrap();
            let value = all.value(mask as u32);
            let best = p.free_edges().map(|e| match p.after(e) {
                (next, 0) => -all.value_of(&next).unwrap(),
                (next, closed) => Boxes(closed as i16) + all.value_of(&next).unwrap(),
            });
            assert_eq!(value, best.max().unwrap_or_default(), "{p:?}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = pool.install(|| enumerate(board(2, 4))).unwrap();
        (0..all.positions()).map(|mask| all.value(mask as u32)).collect::<Vec<_>>()
    };
    assert!(on(1) == on(3));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn laws_of_every_position(rows in 1u32..4, cols in 1u32..4, masks in proptest::collection::vec(any::<u32>(), 200)) {
        let board = board(rows, cols);
        prop_assume!(board.edges() <= 17);
        let all = enumerate(board).unwrap();
        let turned = enumerate(board.transposed()).unwrap();
        for mask in masks {
            let mask = u64::from(mask) & (all.positions() - 1);
            let p = Position::from_mask(board, mask).unwrap();
            let value = all.value(mask as u32);
            let left = p.boxes_left() as i16;
            prop_assert!(value.0.abs() <= left && (value.0 - left) % 2 == 0);
            for s in Symmetry::all() {
                let image = s.position(&p);
                let same = if image.board() == board { &all } else { &turned };
                prop_assert_eq!(same.value_of(&image), Some(value));
            }
        }
    }
}
