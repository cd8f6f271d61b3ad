//! The value of every set of drawn edges of one board, straight from the rules.
//!
//! This is the reference everything else is held against, so it knows nothing but the rules: no capture
//! rule, no chains, no symmetry, no code shared with the search. A move turns one free edge into a drawn
//! one, so every move leads to a *larger* mask, and one sweep from the full mask down sees each position
//! after all its successors:
//!
//! ```text
//! left(m)  = boxes not closed in m
//! wins(m)  = max over free edges e, with k = left(m) - left(m + e):
//!              k = 0:  left(m) - wins(m + e)        the other player moves and wins the rest
//!              k > 0:  k + wins(m + e)              the mover moves again
//! value(m) = 2 wins(m) - left(m)
//! ```
//!
//! Both numbers fit four bits up to 15 boxes, so a position is one byte. The sweep is cut twice:
//!
//! * by the high edges (the *prefix*) into blocks. A prefix only needs prefixes with one more edge, so all
//!   prefixes of one size are independent: one layer after another, each filled on every core, into
//!   vectors that are read only once they are whole. The result cannot depend on who was faster.
//! * by the four lowest edges into groups of 16 positions. Drawing any other edge moves the whole group, so
//!   16 successors lie side by side and the compiler compares them in one vector instruction each.

use std::sync::atomic::{AtomicBool, Ordering};

use game::{Board, Boxes, Position};
use rayon::prelude::*;
use thiserror::Error;

/// The largest board that can be enumerated: two gigabytes of positions.
pub const MAX_EDGES: usize = 31;

/// The most boxes two of which fit a byte.
const MAX_BOXES: usize = 15;

/// Edges inside a group.
const GROUP_EDGES: u32 = 4;
const GROUP: usize = 1 << GROUP_EDGES;

/// Every position of one board, by the mask of its drawn edges.
#[derive(Debug)]
pub struct Enumeration {
    board: Board,
    /// How many of the low edges index a block.
    split: u32,
    /// By prefix: `left << 4 | wins` of each position.
    blocks: Vec<Vec<u8>>,
}

/// Why there is no enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EnumerationError {
    /// The board is too large.
    #[error("a {board} board has {} edges; every edge set can be enumerated up to {MAX_EDGES}", board.edges())]
    TooLarge {
        /// The board.
        board: Board,
    },
    /// The cancel flag was raised.
    #[error("stopped")]
    Cancelled,
}

/// The value of every position of `board`, on all cores of the current rayon pool.
///
/// # Errors
/// When the board has more than [`MAX_EDGES`] edges.
pub fn enumerate(board: Board) -> Result<Enumeration, EnumerationError> {
    Enumeration::new(board, &|_| {}, &AtomicBool::new(false))
}

impl Enumeration {
    /// The value of every position of `board`. `advanced` is told how many positions are done, after each
    /// layer; `cancel` is read before each block.
    ///
    /// # Errors
    /// When the board is too large or the flag was raised.
    pub fn new(
        board: Board,
        advanced: &(dyn Fn(u64) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Enumeration, EnumerationError> {
        let edges = board.edges() as u32;
        if board.edges() > MAX_EDGES || board.boxes() > MAX_BOXES {
            return Err(EnumerationError::TooLarge { board });
        }
        let split = edges.saturating_sub(8).clamp(GROUP_EDGES, 16);
        let boxes = box_masks(board);
        let prefixes = 1u32 << (edges - split);
        let mut blocks = vec![Vec::new(); prefixes as usize];
        let mut done = 0;
        for size in (0..=edges - split).rev() {
            let layer: Vec<u32> = (0..prefixes).filter(|p| p.count_ones() == size).collect();
            let filled: Vec<Vec<u8>> = layer
                .par_iter()
                .map(|&prefix| {
                    (!cancel.load(Ordering::Relaxed)).then(|| fill(prefix, split, edges, &boxes, &blocks))
                })
                .collect::<Option<_>>()
                .ok_or(EnumerationError::Cancelled)?;
            done += (layer.len() as u64) << split;
            for (prefix, block) in layer.into_iter().zip(filled) {
                blocks[prefix as usize] = block;
            }
            advanced(done);
        }
        Ok(Enumeration { board, split, blocks })
    }

    /// The board.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// How many positions: two to the power of the edges.
    pub const fn positions(&self) -> u64 {
        1 << self.board.edges()
    }

    /// The value of the position with these edges drawn.
    ///
    /// # Panics
    /// When the mask has bits beyond the board's last edge.
    pub fn value(&self, drawn: u32) -> Boxes {
        let byte = self.blocks[(drawn >> self.split) as usize][drawn as usize & ((1 << self.split) - 1)];
        Boxes(2 * i16::from(byte & 15) - i16::from(byte >> 4))
    }

    /// The value of a position of this board, or `None` of another.
    pub fn value_of(&self, position: &Position) -> Option<Boxes> {
        (position.board() == self.board).then(|| self.value(position.drawn().low_mask() as u32))
    }
}

/// The mask of each box's four sides.
fn box_masks(board: Board) -> Vec<u32> {
    board.all_boxes().map(|b| board.sides(b).into_iter().fold(0, |mask, e| mask | 1 << e.index())).collect()
}

/// All positions of one prefix, given all prefixes that contain it.
fn fill(prefix: u32, split: u32, edges: u32, boxes: &[u32], blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut block = boxes_left(prefix << split, split, boxes);
    let size = block.len();
    let above: Vec<&[u8]> = (0..edges - split)
        .filter(|e| prefix >> e & 1 == 0)
        .map(|e| blocks[(prefix | 1 << e) as usize].as_slice())
        .collect();
    for at in (0..size).step_by(GROUP).rev() {
        let (here, after) = block.split_at_mut(at + GROUP);
        let mut group = [0; GROUP];
        group.copy_from_slice(&here[at..]);
        let left = group.map(|byte| byte >> 4);
        let mut wins = [0; GROUP];
        for child in &above {
            improve(&mut wins, &left, &child[at..at + GROUP]);
        }
        for e in (GROUP_EDGES..split).filter(|e| at >> e & 1 == 0) {
            // The successors' group begins at `at + (1 << e)`, and `after` at `at + GROUP`.
            let child = (1 << e) - GROUP;
            improve(&mut wins, &left, &after[child..child + GROUP]);
        }
        within(&mut group, &left, &wins);
        here[at..].copy_from_slice(&group);
    }
    block
}

/// `left << 4` of each position of a block. Every box not closed counts; a box whose high sides are all drawn
/// is closed exactly in the supersets of its low sides.
fn boxes_left(prefix: u32, split: u32, boxes: &[u32]) -> Vec<u8> {
    let last = (1usize << split) - 1;
    let mut left = vec![(boxes.len() as u8) << 4; last + 1];
    for sides in boxes.iter().filter(|&sides| sides >> split & !(prefix >> split) == 0) {
        let low = *sides as usize & last;
        let mut mask = low;
        loop {
            left[mask] -= 1 << 4;
            if mask == last {
                break;
            }
            mask = (mask + 1) | low;
        }
    }
    left
}

/// The boxes the mover wins with a move to `child`, in a position with `left` boxes to take. Nothing wraps:
/// the child has no more boxes left than its parent and wins no more than it has left. Saying so keeps
/// builds with overflow checks from testing 16 numbers one by one.
#[inline(always)]
fn won(left: u8, child: u8) -> u8 {
    let (child_left, child_wins) = (child >> 4, child & 15);
    let other_moves = left.wrapping_sub(child_wins);
    let mover_moves = left.wrapping_sub(child_left).wrapping_add(child_wins);
    if child_left == left { other_moves } else { mover_moves }
}

/// Tries the move to `child` in all positions of a group.
#[inline(always)]
fn improve(wins: &mut [u8; GROUP], left: &[u8; GROUP], child: &[u8]) {
    for ((best, &left), &child) in wins.iter_mut().zip(left).zip(child) {
        *best = (*best).max(won(left, child));
    }
}

/// The last four edges, whose successors are in the group itself.
#[inline(always)]
fn within(group: &mut [u8; GROUP], left: &[u8; GROUP], wins: &[u8; GROUP]) {
    for i in (0..GROUP).rev() {
        let mut best = wins[i];
        for e in 0..GROUP_EDGES {
            if i >> e & 1 == 0 {
                best = best.max(won(left[i], group[i | 1 << e]));
            }
        }
        group[i] = left[i] << 4 | best;
    }
}
