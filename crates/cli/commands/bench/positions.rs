//! Positions to measure on: the same on every machine.

use endgame::{Offer, Structure};
use game::{Board, Position};
use rand::Rng as _;
use rand::SeedableRng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use crate::failure::Failure;

/// A stream of random numbers that no library version changes.
pub(super) fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A board of this size.
pub(super) fn board(rows: u32, cols: u32) -> Result<Board, Failure> {
    Board::new(rows, cols).map_err(|e| Failure::misuse(e.to_string()))
}

/// Random safe edges until just so many are free. Where safe play ends too early it begins again.
pub(super) fn after_safe_play(board: Board, free: usize, random: &mut ChaCha8Rng) -> Position {
    loop {
        let mut position = Position::empty(board);
        while position.free_count() > free {
            match Structure::of(&position).safe_moves.choose(random) {
                Some(&edge) => position.draw(edge),
                None => break,
            };
        }
        if position.free_count() == free {
            return position;
        }
    }
}

/// Random play, safe or not, with everything on offer taken each time, until just so many edges are free: what is
/// left of a board too large for safe play to come so far, joints and all.
pub(super) fn after_any_play(board: Board, free: usize, random: &mut ChaCha8Rng) -> Position {
    loop {
        let mut position = Position::empty(board);
        while position.free_count() > free {
            let edges: Vec<_> = position.free_edges().collect();
            // There are free edges.
            let Some(&edge) = edges.choose(random) else { break };
            position.draw(edge);
            position = Offer::of(&position).rest;
        }
        if position.free_count() == free && !Structure::of(&position).joints.is_empty() {
            return position;
        }
    }
}

/// Any edges, each drawn or not with a chance that is random itself.
pub(super) fn anywhere(board: Board, random: &mut ChaCha8Rng) -> Position {
    let drawn = random.random_range(0.0..1.0);
    Position::with_drawn(board, board.all_edges().filter(|_| random.random_bool(drawn)))
}

/// Any edges drawn but just so many.
pub(super) fn just(board: Board, free: usize, random: &mut ChaCha8Rng) -> Position {
    let mut edges: Vec<_> = board.all_edges().collect();
    edges.shuffle(random);
    Position::with_drawn(board, edges.into_iter().skip(free))
}

/// The board with some of its borders drawn.
pub(super) fn framed(board: Board, all: bool) -> Position {
    let (rows, cols) = (board.rows(), board.cols());
    let top_left = (0..cols).map(|c| board.h(0, c)).chain((0..rows).map(|r| board.v(r, 0)));
    let rest = (0..cols).map(|c| board.h(rows, c)).chain((0..rows).map(|r| board.v(r, cols)));
    Position::with_drawn(board, top_left.chain(rest.filter(|_| all)))
}

/// A comb: a spine of joints along the top row with a tooth hanging from each, all borders of the teeth drawn.
pub(super) fn comb(board: Board) -> Position {
    let (rows, cols) = (board.rows(), board.cols());
    let walls = (1..rows).flat_map(|r| (0..=cols).map(move |c| board.v(r, c)));
    Position::with_drawn(board, walls)
}

/// A spiral of walls: one long corridor with joints where safe edges are left at random.
pub(super) fn spiral(board: Board, free: usize, random: &mut ChaCha8Rng) -> Position {
    let (rows, cols) = (board.rows(), board.cols());
    let mut position = framed(board, true);
    for ring in 1..rows.min(cols).div_ceil(2) {
        for c in ring..cols - ring {
            position.draw(board.h(ring, c));
            position.draw(board.h(rows - ring, c));
        }
        for r in ring..rows - ring {
            position.draw(board.v(r, ring));
            position.draw(board.v(r, cols - ring));
        }
    }
    // Doors between the rings, until so many edges are free.
    let walls: Vec<_> = position.drawn().iter().filter(|&e| !board.touching(e).contains(&None)).collect();
    while position.free_count() < free {
        match walls.choose(random) {
            Some(&edge) => position.erase(edge),
            None => break,
        }
    }
    position
}

/// Equal blocks of 2x2 boxes, the edges between them drawn: loops at last, and before that many equal parts.
pub(super) fn blocks(board: Board) -> Position {
    let between = board.all_edges().filter(|&e| {
        let (horizontal, r, c) = board.locate(e);
        if horizontal { r % 2 == 0 } else { c % 2 == 0 }
    });
    Position::with_drawn(board, between)
}
