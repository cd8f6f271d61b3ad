//! Dots and Boxes: a cell is an edge, set when it is drawn. A move reads every side of the boxes it touches, since
//! whether it closes one decides the score and who moves on; so strings are joined when one move reads both, and
//! the ground does not join.

use endgame::Offer;
use game::{Board, Edge, Position};

use super::game::{Cells, Game, Move, Side};
use super::walk::Adds;

/// A board of at most 64 edges.
#[derive(Clone, Debug)]
pub(super) struct DotsAndBoxes {
    board: Board,
    /// The sides of each box.
    boxes: Vec<Cells>,
    moves: Vec<Move>,
}

/// A move from a quiet position, with what it hands over taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Handed {
    /// The edge.
    pub(super) edge: Edge,
    /// The edges still free once everything on offer is taken: quiet again.
    pub(super) left: Cells,
    /// The boxes on offer.
    pub(super) boxes: i16,
    /// What declining them leaves, if they can be declined.
    pub(super) bribe: Option<i16>,
}

fn cell(e: Edge) -> Cells {
    1 << e.index()
}

impl DotsAndBoxes {
    /// The game on this board; `None` when it has more than 64 edges.
    pub(super) fn new(board: Board) -> Option<DotsAndBoxes> {
        if board.edges() > 64 {
            return None;
        }
        let sides = |b| board.sides(b).into_iter().fold(0, |all, e| all | cell(e));
        let boxes: Vec<Cells> = board.all_boxes().map(sides).collect();
        let read = |e| board.touching(e).into_iter().flatten().fold(0, |all, b| all | boxes[b.index()]);
        let draw = |e| Move { set: 0, clear: cell(e), looks: read(e) & !cell(e), by: Side::Either };
        let moves = board.all_edges().map(draw).collect();
        Some(DotsAndBoxes { board, boxes, moves })
    }

    /// The board.
    pub(super) fn board(&self) -> Board {
        self.board
    }

    /// The sides of each box.
    pub(super) fn boxes(&self) -> &[Cells] {
        &self.boxes
    }

    /// How many boxes are not closed while these edges are free.
    pub(super) fn boxes_left(&self, free: Cells) -> i16 {
        self.boxes.iter().filter(|&sides| sides & free != 0).count() as i16
    }

    /// The free edges of a position.
    pub(super) fn free(&self, position: &Position) -> Cells {
        position.free_edges().fold(0, |all, e| all | cell(e))
    }

    /// What each free edge of a quiet region hands over. Everything else counts as drawn: no box touches two regions.
    pub(super) fn handed(&self, region: Cells) -> Vec<Handed> {
        let drawn = self.board.all_edges().filter(|&e| region & cell(e) == 0);
        let position = Position::with_drawn(self.board, drawn);
        let hand = |e| {
            let offer = Offer::of(&position.after(e).0);
            Handed {
                edge: e,
                left: self.free(&offer.rest),
                boxes: offer.boxes as i16,
                bribe: offer.bribe.map(|bribe| bribe.boxes()),
            }
        };
        position.free_edges().map(hand).collect()
    }
}

impl Game for DotsAndBoxes {
    fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn cells(&self) -> Cells {
        // A board has an edge, so the shift is below 64.
        Cells::MAX >> (64 - self.board.edges())
    }

    /// How many boxes it closes.
    fn mark(&self, position: Cells, m: &Move) -> usize {
        let after = m.after(position);
        self.boxes.iter().filter(|&&sides| sides & m.clear != 0 && after & sides == sides).count()
    }
}

/// Nimstring: Dots and Boxes without a score, where who has to move and cannot loses.
///
/// A move that hands over boxes which can be declined is *loony*: the other player, who may either take them all and
/// move in the rest or leave the bribe and make the first move in the rest, does whichever wins. So it counts for
/// nothing, whatever else is on the board. Boxes that cannot be declined are taken at no price; their taker moves in
/// the rest.
impl Adds for DotsAndBoxes {
    fn options(&self, region: Cells) -> Vec<(Side, Cells)> {
        let counts = self.handed(region).into_iter().filter(|handed| handed.bribe.is_none());
        counts.map(|handed| (Side::Either, handed.left)).collect()
    }
}
