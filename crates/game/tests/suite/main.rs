//! The rules of Dots and Boxes, by theme. Nothing here is asked of the code under test that it could answer
//! in its own favour: expected values come from other programs, from hand counts, or from [`naive`].

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must stop")]

mod boards;
mod drawings;
mod identities;
mod naive;
mod open_spiel;
mod positions;
mod records;
mod setups;
mod symmetries;

use game::{Board, Edge};
use proptest::prelude::*;

/// A run of proptest with this many cases.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Boards of every shape: mostly small ones, single rows and columns, now and then up to 32x32.
fn boards() -> impl Strategy<Value = Board> {
    prop_oneof![
        8 => (1u32..=4, 1u32..=4),
        2 => (1u32..=32).prop_map(|n| (1, n)),
        2 => (1u32..=32).prop_map(|n| (n, 1)),
        3 => (1u32..=9, 1u32..=9),
        1 => (1u32..=32, 1u32..=32),
        1 => Just((32, 32)),
    ]
    .prop_map(|(rows, cols)| Board::new(rows, cols).unwrap())
}

/// A board and all its edges in some order: a complete game.
fn games() -> impl Strategy<Value = (Board, Vec<Edge>)> {
    boards().prop_flat_map(|board| (Just(board), Just(board.all_edges().collect::<Vec<_>>()).prop_shuffle()))
}

/// A complete game and a number of its first moves.
fn games_cut() -> impl Strategy<Value = (Board, Vec<Edge>, usize)> {
    games().prop_flat_map(|(board, moves)| {
        let all = moves.len();
        (Just(board), Just(moves), 0..=all)
    })
}
