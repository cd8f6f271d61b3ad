//! The shape of a board and its edge numbering.

use thiserror::Error;

/// The longest side of a board, in boxes.
pub const MAX_SIDE: u32 = 32;

/// The number of edges of the largest board.
pub const MAX_EDGES: usize = 2112;

/// An edge of a board, by its OpenSpiel number. Only a [`Board`] makes one, so it is always on a board;
/// using it with a smaller board than its own is a mistake that slice indexing reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge(pub(crate) u16);

impl Edge {
    /// The number of this edge.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for Edge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A box of a board, row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoxId(pub(crate) u16);

impl BoxId {
    /// The number of this box.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A board of 1x1 to 32x32 boxes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    rows: u8,
    cols: u8,
}

/// A size that is no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{side} must be 1 to {MAX_SIDE} boxes, not {found}")]
pub struct BoardError {
    /// `rows` or `cols`.
    pub side: &'static str,
    /// What was asked for.
    pub found: u32,
}

impl Board {
    /// A board of `rows` by `cols` boxes.
    ///
    /// # Errors
    /// When a side is not 1 to 32.
    pub fn new(rows: u32, cols: u32) -> Result<Board, BoardError> {
        for (side, found) in [("rows", rows), ("cols", cols)] {
            if !(1..=MAX_SIDE).contains(&found) {
                return Err(BoardError { side, found });
            }
        }
        Ok(Board { rows: rows as u8, cols: cols as u8 })
    }

    /// Rows of boxes.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// Columns of boxes.
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// The number of boxes.
    pub const fn boxes(self) -> usize {
        self.rows() * self.cols()
    }

    /// The number of dots.
    pub const fn dots(self) -> usize {
        (self.rows() + 1) * (self.cols() + 1)
    }

    /// The number of edges: `e = b + d - 1`.
    pub const fn edges(self) -> usize {
        self.boxes() + self.dots() - 1
    }

    const fn horizontals(self) -> usize {
        (self.rows() + 1) * self.cols()
    }

    /// Every edge, ascending.
    pub fn all_edges(self) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + Clone {
        (0..self.edges() as u16).map(Edge)
    }

    /// Every box, ascending.
    pub fn all_boxes(self) -> impl DoubleEndedIterator<Item = BoxId> + ExactSizeIterator + Clone {
        (0..self.boxes() as u16).map(BoxId)
    }

    /// The edge of this number, if the board has it.
    pub fn edge(self, number: usize) -> Option<Edge> {
        (number < self.edges()).then_some(Edge(number as u16))
    }

    /// The horizontal edge from dot `(row, col)` to `(row, col+1)`.
    ///
    /// # Panics
    /// When the board has no such edge.
    pub fn h(self, row: usize, col: usize) -> Edge {
        assert!(row <= self.rows() && col < self.cols(), "no horizontal edge at ({row}, {col})");
        Edge((row * self.cols() + col) as u16)
    }

    /// The vertical edge from dot `(row, col)` to `(row+1, col)`.
    ///
    /// # Panics
    /// When the board has no such edge.
    pub fn v(self, row: usize, col: usize) -> Edge {
        assert!(row < self.rows() && col <= self.cols(), "no vertical edge at ({row}, {col})");
        Edge((self.horizontals() + row * (self.cols() + 1) + col) as u16)
    }

    /// The box in this row and column.
    ///
    /// # Panics
    /// When the board has no such box.
    pub fn box_at(self, row: usize, col: usize) -> BoxId {
        assert!(row < self.rows() && col < self.cols(), "no box at ({row}, {col})");
        BoxId((row * self.cols() + col) as u16)
    }

    /// The row and column of a box.
    pub fn place(self, b: BoxId) -> (usize, usize) {
        (b.index() / self.cols(), b.index() % self.cols())
    }

    /// Whether an edge is horizontal, and the row and column of its upper or left dot.
    pub fn locate(self, e: Edge) -> (bool, usize, usize) {
        let n = e.index();
        match n.checked_sub(self.horizontals()) {
            None => (true, n / self.cols(), n % self.cols()),
            Some(n) => (false, n / (self.cols() + 1), n % (self.cols() + 1)),
        }
    }

    /// The four edges of a box: top, bottom, left, right.
    pub fn sides(self, b: BoxId) -> [Edge; 4] {
        let (r, c) = self.place(b);
        [self.h(r, c), self.h(r + 1, c), self.v(r, c), self.v(r, c + 1)]
    }

    /// The boxes an edge touches: above and below, or left and right; `None` is the ground beyond the
    /// border. At least one is a box.
    pub fn touching(self, e: Edge) -> [Option<BoxId>; 2] {
        let (horizontal, r, c) = self.locate(e);
        let (before, after) = if horizontal {
            (r.checked_sub(1).map(|r| (r, c)), (r < self.rows()).then_some((r, c)))
        } else {
            (c.checked_sub(1).map(|c| (r, c)), (c < self.cols()).then_some((r, c)))
        };
        [before, after].map(|place| place.map(|(r, c)| self.box_at(r, c)))
    }

    /// The same board with rows and columns exchanged.
    pub const fn transposed(self) -> Board {
        Board { rows: self.cols, cols: self.rows }
    }
}

impl std::fmt::Display for Board {
    /// `3x4`: rows by columns of boxes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}
