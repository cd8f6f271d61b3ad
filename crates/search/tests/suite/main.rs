//! The exact value of any position, by theme: against other programs' positions, known values, complete
//! enumerations, and the laws every value obeys.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must stop")]

mod checkpoints;
mod enumerated;
mod known;
mod laws;
mod limits;
mod nimstring;
mod transcribed;

use std::sync::atomic::AtomicBool;

use facts::Random;
use game::{Board, Edges, Position, Setup};
use search::{Budget, Config, Outcome, Solver};

/// One thread, so that tests run beside each other, and a modest table.
const ALONE: Config = Config { threads: 1, table_bytes: 128 << 20 };

/// No cancelling.
static GO_ON: AtomicBool = AtomicBool::new(false);

fn position(rows: u32, cols: u32, edges: &str) -> Position {
    Setup { rows, cols, edges: Edges::Text(edges.into()), score: None }.position().unwrap().0
}

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

/// A solver that takes as long as it needs.
fn solver(position: &Position) -> Solver {
    let mut solver = Solver::new(position, ALONE).unwrap();
    solver.start(Budget::UNLIMITED);
    solver
}

#[track_caller]
fn exact(outcome: Outcome) -> i16 {
    outcome.exact().unwrap_or_else(|| panic!("not proven: {outcome}")).get()
}

fn value(position: &Position) -> i16 {
    exact(solver(position).value(&GO_ON))
}

/// A position with just so many free edges.
fn with_free(random: &mut Random, board: Board, free: usize) -> Position {
    let mut edges: Vec<_> = board.all_edges().collect();
    random.shuffle(&mut edges);
    Position::with_drawn(board, edges.into_iter().skip(free))
}

/// Random play that offers no box, until nothing else is left; then some more edges, until so many are free.
fn after_safe_play(random: &mut Random, board: Board, free: usize) -> Position {
    let mut position = Position::empty(board);
    let mut edges: Vec<_> = board.all_edges().collect();
    random.shuffle(&mut edges);
    for only_safe in [true, false] {
        for &e in &edges {
            let safe = board.touching(e).into_iter().flatten().all(|b| position.free_sides(b) >= 3);
            if position.free_count() > free && (safe || !only_safe) {
                position.draw(e);
            }
        }
    }
    position
}
