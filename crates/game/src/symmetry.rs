//! Turning a board over.

use crate::board::{Board, BoxId, Edge};
use crate::edge_set::EdgeSet;
use crate::position::Position;

/// A way to lay a board on itself, or on its transpose: flip top to bottom, flip left to right, then
/// exchange rows and columns. Symmetries keep every value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Symmetry {
    flip_rows: bool,
    flip_cols: bool,
    transpose: bool,
}

impl Symmetry {
    /// Rows and columns exchanged, nothing flipped.
    pub const TRANSPOSE: Symmetry = Symmetry { flip_rows: false, flip_cols: false, transpose: true };

    /// All eight; the last four send an R x C board to a C x R one.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|i| Symmetry { flip_rows: i & 1 != 0, flip_cols: i & 2 != 0, transpose: i & 4 != 0 })
    }

    /// Those that send a board to itself: eight for a square one, else four.
    pub fn of(board: Board) -> impl Iterator<Item = Symmetry> {
        Symmetry::all().filter(move |s| s.board(board) == board)
    }

    /// The board's image.
    pub const fn board(self, board: Board) -> Board {
        if self.transpose { board.transposed() } else { board }
    }

    /// The image of an edge of `board`.
    pub fn edge(self, board: Board, e: Edge) -> Edge {
        let (horizontal, r, c) = board.locate(e);
        // A flipped horizontal keeps its column among columns of boxes, its row among rows of dots.
        let (last_row, last_col) =
            if horizontal { (board.rows(), board.cols() - 1) } else { (board.rows() - 1, board.cols()) };
        let r = if self.flip_rows { last_row - r } else { r };
        let c = if self.flip_cols { last_col - c } else { c };
        let image = self.board(board);
        match (horizontal, self.transpose) {
            (true, false) => image.h(r, c),
            (false, false) => image.v(r, c),
            (true, true) => image.v(c, r),
            (false, true) => image.h(c, r),
        }
    }

    /// The image of a box of `board`.
    pub fn box_id(self, board: Board, b: BoxId) -> BoxId {
        let (r, c) = board.place(b);
        let r = if self.flip_rows { board.rows() - 1 - r } else { r };
        let c = if self.flip_cols { board.cols() - 1 - c } else { c };
        let (r, c) = if self.transpose { (c, r) } else { (r, c) };
        self.board(board).box_at(r, c)
    }

    /// The image of a position.
    pub fn position(self, p: &Position) -> Position {
        let board = p.board();
        let drawn: EdgeSet = p.drawn().iter().map(|e| self.edge(board, e)).collect();
        Position::with_drawn(self.board(board), drawn.iter())
    }
}
