//! Domineering: Left covers two squares one above the other, Right two side by side. Who cannot move loses.

use super::game::{Cells, Game, Move, Side};
use super::walk::Adds;

/// A board, some of its squares blocked. A square is set when it is covered or blocked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Domineering {
    rows: usize,
    cols: usize,
    blocked: Cells,
    moves: Vec<Move>,
}

impl Domineering {
    /// A board of at most 64 squares.
    pub(super) fn new(rows: usize, cols: usize, blocked: Cells) -> Domineering {
        debug_assert!(rows * cols <= 64, "a board has at most 64 squares");
        let square = |r: usize, c: usize| 1 << (r * cols + c);
        let mut moves = Vec::new();
        for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
            let domino = |other: Cells, by| Move { set: 0, clear: square(r, c) | other, looks: 0, by };
            if r + 1 < rows {
                moves.push(domino(square(r + 1, c), Side::Left));
            }
            if c + 1 < cols {
                moves.push(domino(square(r, c + 1), Side::Right));
            }
        }
        moves.retain(|m| m.clear & blocked == 0);
        Domineering { rows, cols, blocked, moves }
    }

    /// The board of a picture, a string a row: `#` is blocked.
    pub(super) fn drawn(picture: &[&str]) -> Domineering {
        let cols = picture.first().map_or(0, |row| row.len());
        let squares = picture.iter().flat_map(|row| row.bytes());
        let blocked =
            squares.enumerate().filter(|&(_, square)| square == b'#').fold(0, |all, (i, _)| all | 1 << i);
        Domineering::new(picture.len(), cols, blocked)
    }

    /// The position before the first move.
    pub(super) fn start(&self) -> Cells {
        self.blocked
    }

    /// How many squares the board has, blocked ones too.
    pub(super) fn squares(&self) -> u64 {
        (self.rows * self.cols) as u64
    }

    /// The squares side by side or one above the other with this one.
    pub(super) fn adjacent(&self, square: Cells) -> Cells {
        let at = square.trailing_zeros() as usize;
        let (r, c) = (at / self.cols, at % self.cols);
        let mut found = 0;
        if r > 0 {
            found |= square >> self.cols;
        }
        if r + 1 < self.rows {
            found |= square << self.cols;
        }
        if c > 0 {
            found |= square >> 1;
        }
        if c + 1 < self.cols {
            found |= square << 1;
        }
        found
    }

    /// A position turned over: upside down, left to right, and rows for columns (only on a square board).
    pub(super) fn turned(&self, position: Cells, [upside_down, mirrored, exchanged]: [bool; 3]) -> Cells {
        let place = |at: usize| {
            let (r, c) = (at / self.cols, at % self.cols);
            let r = if upside_down { self.rows - 1 - r } else { r };
            let c = if mirrored { self.cols - 1 - c } else { c };
            if exchanged { c * self.cols + r } else { r * self.cols + c }
        };
        (0..self.rows * self.cols)
            .filter(|&at| position >> at & 1 == 1)
            .fold(0, |all, at| all | 1 << place(at))
    }

    /// The board as a picture in a line of text, its rows apart by `/`.
    pub(super) fn picture(&self) -> String {
        let row = |r: usize| -> String {
            (0..self.cols)
                .map(|c| if self.blocked >> (r * self.cols + c) & 1 == 1 { '#' } else { '.' })
                .collect()
        };
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }
}

impl Game for Domineering {
    fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn cells(&self) -> Cells {
        Cells::MAX.checked_shr(64 - self.squares() as u32).unwrap_or(0) & !self.blocked
    }

    fn mark(&self, _position: Cells, m: &Move) -> usize {
        usize::from(m.by == Side::Right)
    }
}

impl Adds for Domineering {
    fn options(&self, region: Cells) -> Vec<(Side, Cells)> {
        let inside = self.moves.iter().filter(|m| m.clear & !region == 0);
        inside.map(|m| (m.by, region & !m.clear)).collect()
    }
}
