//! Chains, loops and what they are worth, by theme. The reference is always something that shares no code with
//! what is tested: the plain enumeration of `facts`, the recursion written out in [`reference`], or numbers worked
//! out by hand.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must stop")]

mod multisets;
mod offers;
mod real_boards;
mod reference;
mod structures;
mod takings;
mod values;

use endgame::Multiset;
use facts::Random;
use game::{Board, Edges, Position, Setup};

fn board(rows: usize, cols: usize) -> Board {
    Board::new(rows as u32, cols as u32).unwrap()
}

fn position(rows: usize, cols: usize, edges: &str) -> Position {
    let edges = Edges::Text(edges.into());
    Setup { rows: rows as u32, cols: cols as u32, edges, score: None }.position().unwrap().0
}

fn multiset(chains: &[u32], loops: &[u32]) -> Multiset {
    Multiset::new(chains, loops).unwrap()
}

/// A position with about this share of its edges drawn, in percent.
fn random_position(random: &mut Random, board: Board, percent: usize) -> Position {
    let drawn: Vec<_> = board.all_edges().filter(|_| random.below(100) < percent).collect();
    Position::with_drawn(board, drawn)
}

/// Random play from the empty board in which no move offers a box, until there is no such move left or `moves`
/// have been made.
fn safe_play(random: &mut Random, board: Board, moves: usize) -> Position {
    let mut position = Position::empty(board);
    let mut edges: Vec<_> = board.all_edges().collect();
    random.shuffle(&mut edges);
    let mut made = 0;
    // An edge that is unsafe now stays so, because edges are never rubbed out.
    for e in edges {
        let safe = board.touching(e).into_iter().flatten().all(|b| position.free_sides(b) >= 3);
        if safe && made < moves {
            position.draw(e);
            made += 1;
        }
    }
    position
}
