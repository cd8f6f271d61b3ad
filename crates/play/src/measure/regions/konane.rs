//! Konane: a stone jumps over a neighbour of the other colour to the free square behind it and takes it.
//!
//! Black stones stand on the squares whose row and column add up to an even number, white ones on the others, and a
//! jump of two squares stays on its colour, so a position is the set of squares with a stone. A jump over several
//! stones in a line passes through positions that the single jumps reach too, and reads no pair of squares that these
//! do not join; so single jumps make the same positions and the same regions.
//!
//! What makes Konane a warning is that a cleared square can be filled again.

use super::game::{Cells, Game, Move, Side};

/// A board, some of its squares blocked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Konane {
    rows: usize,
    cols: usize,
    blocked: Cells,
    moves: Vec<Move>,
}

impl Konane {
    /// A board of at most 64 squares.
    pub(super) fn new(rows: usize, cols: usize, blocked: Cells) -> Konane {
        debug_assert!(rows * cols <= 64, "a board has at most 64 squares");
        let square = |r: usize, c: usize| 1 << (r * cols + c);
        let mut moves = Vec::new();
        for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
            let by = if (r + c).is_multiple_of(2) { Side::Left } else { Side::Right };
            let mut line = |one: Cells, three: Cells, over: Cells| {
                for (from, to) in [(one, three), (three, one)] {
                    moves.push(Move { set: from | over, clear: to, looks: 0, by });
                }
            };
            if r + 2 < rows {
                line(square(r, c), square(r + 2, c), square(r + 1, c));
            }
            if c + 2 < cols {
                line(square(r, c), square(r, c + 2), square(r, c + 1));
            }
        }
        moves.retain(|m| m.turns() & blocked == 0);
        Konane { rows, cols, blocked, moves }
    }

    /// This board with more squares blocked.
    pub(super) fn without(&self, blocked: Cells) -> Konane {
        Konane::new(self.rows, self.cols, self.blocked | blocked)
    }

    /// The squares side by side or one above the other with this one.
    pub(super) fn adjacent(&self, square: Cells) -> Cells {
        let at = square.trailing_zeros() as usize;
        let (r, c) = (at / self.cols, at % self.cols);
        let near = |r: usize, c: usize| {
            if r < self.rows && c < self.cols { 1 << (r * self.cols + c) } else { 0 }
        };
        near(r.wrapping_sub(1), c) | near(r + 1, c) | near(r, c.wrapping_sub(1)) | near(r, c + 1)
    }

    /// The free squares of a position.
    pub(super) fn free(&self, position: Cells) -> Cells {
        self.cells() & !position
    }

    /// A position as a picture in a line of text, its rows apart by `/`.
    pub(super) fn picture(&self, position: Cells) -> String {
        let square = |r: usize, c: usize| {
            let at: Cells = 1 << (r * self.cols + c);
            match (self.blocked & at != 0, position & at != 0, (r + c).is_multiple_of(2)) {
                (true, ..) => '#',
                (_, false, _) => '.',
                (_, true, true) => 'B',
                (_, true, false) => 'W',
            }
        };
        let row = |r: usize| (0..self.cols).map(|c| square(r, c)).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }
}

impl Game for Konane {
    fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn cells(&self) -> Cells {
        Cells::MAX.checked_shr(64 - (self.rows * self.cols) as u32).unwrap_or(0) & !self.blocked
    }

    /// A stone can move and a free square be filled.
    fn open(&self, _position: Cells) -> Cells {
        self.cells()
    }

    fn mark(&self, _position: Cells, m: &Move) -> usize {
        usize::from(m.by == Side::Right)
    }
}
