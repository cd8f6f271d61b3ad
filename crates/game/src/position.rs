//! A board and its drawn edges.

use std::fmt;

use crate::board::{Board, BoxId, Edge};
use crate::edge_set::EdgeSet;

/// A board and its drawn edges, with the player to move left to the caller: everything the value of the
/// rest of the game depends on.
///
/// Every set of edges of a board is a position some game reaches, so there is nothing more to check; what
/// a client sends passes through [`Setup`](crate::Setup) first.
///
/// ```
/// use game::{Board, Position};
/// let mut p = Position::empty(Board::new(1, 2)?);
/// p.draw(p.board().h(0, 0));
/// assert_eq!(p.to_string(), "1000000");
/// assert_eq!(p.free_sides(p.board().box_at(0, 0)), 3);
/// # Ok::<(), game::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    drawn: EdgeSet,
}

impl Position {
    /// The position before the first move.
    pub const fn empty(board: Board) -> Position {
        Position { board, drawn: EdgeSet::EMPTY }
    }

    /// The position with these edges drawn.
    pub fn with_drawn(board: Board, drawn: impl IntoIterator<Item = Edge>) -> Position {
        Position { board, drawn: drawn.into_iter().collect() }
    }

    /// A position of a board of up to 64 edges from the bit mask of its drawn edges; `None` on a larger
    /// board or when the mask has bits beyond the last edge.
    pub fn from_mask(board: Board, drawn: u64) -> Option<Position> {
        let edges = board.edges();
        (edges <= 64 && drawn.checked_shr(edges as u32).unwrap_or(0) == 0)
            .then(|| Position::with_drawn(board, board.all_edges().filter(|e| drawn >> e.index() & 1 == 1)))
    }

    /// The board.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The drawn edges.
    pub const fn drawn(&self) -> &EdgeSet {
        &self.drawn
    }

    /// Whether this edge is still free.
    pub fn is_free(&self, e: Edge) -> bool {
        !self.drawn.contains(e)
    }

    /// The free edges, ascending: the legal moves.
    pub fn free_edges(&self) -> impl Iterator<Item = Edge> + Clone + '_ {
        self.board.all_edges().filter(|&e| self.is_free(e))
    }

    /// How many edges are free.
    pub fn free_count(&self) -> usize {
        self.board.edges() - self.drawn.len()
    }

    /// How many sides of a box are free: 0 when it is closed, 1 when it can be taken.
    pub fn free_sides(&self, b: BoxId) -> usize {
        self.board.sides(b).into_iter().filter(|&e| self.is_free(e)).count()
    }

    /// How many boxes are closed.
    pub fn closed_boxes(&self) -> usize {
        self.board.all_boxes().filter(|&b| self.free_sides(b) == 0).count()
    }

    /// How many boxes are still to be taken.
    pub fn boxes_left(&self) -> usize {
        self.board.boxes() - self.closed_boxes()
    }

    /// Whether no box has exactly three sides: nothing is on offer.
    pub fn is_quiet(&self) -> bool {
        self.board.all_boxes().all(|b| self.free_sides(b) != 1)
    }

    /// How many boxes drawing this edge would close: 0, 1 or 2.
    pub fn closes(&self, e: Edge) -> usize {
        if !self.is_free(e) {
            return 0;
        }
        self.board.touching(e).into_iter().flatten().filter(|&b| self.free_sides(b) == 1).count()
    }

    /// Draws a free edge and returns how many boxes that closes; drawing a drawn edge changes nothing.
    pub fn draw(&mut self, e: Edge) -> usize {
        let closed = self.closes(e);
        self.drawn.insert(e);
        closed
    }

    /// Rubs out an edge.
    pub fn erase(&mut self, e: Edge) {
        self.drawn.remove(e);
    }

    /// The position after drawing an edge, and how many boxes that closed.
    #[must_use]
    pub fn after(&self, e: Edge) -> (Position, usize) {
        let mut next = *self;
        let closed = next.draw(e);
        (next, closed)
    }
}

impl fmt::Display for Position {
    /// The `edges` string: '1' for a drawn edge, '0' for a free one, in edge order. The alternate form
    /// `{:#}` draws the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return crate::draw::board(self, f);
        }
        self.board.all_edges().try_for_each(|e| f.write_str(if self.is_free(e) { "0" } else { "1" }))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.board)
    }
}
