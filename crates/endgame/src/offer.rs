//! What is on offer in a position, and what is left once it is taken.
//!
//! With boxes on offer, only two lines can be best: take everything, or take all but a bribe of two boxes
//! (four, where only a closed run is left to leave) and make the other player move in the rest. With T boxes
//! on offer, bribe b and `rest` the quiet position after everything is taken,
//!
//! ```text
//! value = T + value(rest)                  where there is no bribe to leave
//! value = T - b + |value(rest) + b|        otherwise: the better of T + v and (T - b) - b - v
//! ```
//!
//! What can be left is read off the *end* of the taking, not its beginning, because a capture can close a joint and
//! so lengthen a run: the edges drawn while taking join the captured boxes into trees. A tree of two or more
//! boxes with an edge to the ground or to an uncaptured box lets the taker leave its last two boxes behind that
//! edge; a tree with no such edge (a closed run) must leave two pairs, so it needs a path of four.

use game::{Board, BoxId, Boxes, Edge, Position};
use smallvec::SmallVec;

use crate::mask_board::MaskBoard;
use crate::taking::{Taking, choice};

/// What declining leaves to the other player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bribe {
    /// Two boxes.
    Two,
    /// Four boxes.
    Four,
}

impl Bribe {
    /// How many boxes.
    pub const fn boxes(self) -> i16 {
        match self {
            Bribe::Two => 2,
            Bribe::Four => 4,
        }
    }
}

/// The boxes on offer in a position: a [`Position`], or a mask of the drawn edges of a [`MaskBoard`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer<D = Position> {
    /// How many boxes can be taken in one go.
    pub boxes: u16,
    /// The cheapest way to decline, if there is one.
    pub bribe: Option<Bribe>,
    /// The quiet position after everything is taken.
    pub rest: D,
}

impl Offer {
    /// Takes everything there is to take.
    pub fn of(position: &Position) -> Offer {
        take(&position.board(), position)
    }
}

impl Offer<u64> {
    /// Takes everything there is to take, these edges being drawn.
    pub fn on(board: &MaskBoard, drawn: u64) -> Offer<u64> {
        take(board, &drawn)
    }
}

impl<D> Offer<D> {
    /// Take all or decline, when the rest is worth this to whoever must move in it.
    pub fn taking(&self, rest: Boxes) -> Taking {
        choice(self.boxes, self.bribe.map_or(0, |bribe| bribe.boxes() as u8), rest)
    }

    /// What the position is worth to its mover, when the rest is worth this to its.
    pub fn value(&self, rest: Boxes) -> Boxes {
        self.taking(rest).value
    }
}

/// What there is to know of a board to take what is on offer on it.
pub(crate) trait Lines {
    /// A box.
    type Box: Copy + Eq;
    /// An edge.
    type Edge: Copy;
    /// The drawn edges.
    type Drawn: Copy;

    /// The boxes.
    fn boxes(&self) -> impl Iterator<Item = Self::Box>;
    /// The sides of a box that are not drawn.
    fn free(&self, drawn: &Self::Drawn, b: Self::Box) -> impl Iterator<Item = Self::Edge>;
    /// The boxes an edge touches; `None` is the ground.
    fn touching(&self, e: Self::Edge) -> [Option<Self::Box>; 2];
    /// Draws an edge.
    fn draw(&self, drawn: &mut Self::Drawn, e: Self::Edge);

    /// Whether no side of a box is left.
    fn is_closed(&self, drawn: &Self::Drawn, b: Self::Box) -> bool {
        self.free(drawn, b).next().is_none()
    }

    /// The side of a box that is not drawn, when there is just one.
    fn last_side(&self, drawn: &Self::Drawn, b: Self::Box) -> Option<Self::Edge> {
        let mut free = self.free(drawn, b);
        let side = free.next()?;
        free.next().is_none().then_some(side)
    }
}

impl Lines for Board {
    type Box = BoxId;
    type Edge = Edge;
    type Drawn = Position;

    fn boxes(&self) -> impl Iterator<Item = BoxId> {
        self.all_boxes()
    }

    fn free(&self, drawn: &Position, b: BoxId) -> impl Iterator<Item = Edge> {
        self.sides(b).into_iter().filter(|&e| drawn.is_free(e))
    }

    fn touching(&self, e: Edge) -> [Option<BoxId>; 2] {
        Board::touching(*self, e)
    }

    fn draw(&self, drawn: &mut Position, e: Edge) {
        drawn.draw(e);
    }
}

/// Takes everything there is to take. An edge closes the box it is drawn for and touches one more, so there is never more
/// than one new box to go on with.
fn take<L: Lines>(lines: &L, before: &L::Drawn) -> Offer<L::Drawn> {
    let mut rest = *before;
    let mut captured: SmallVec<[L::Box; 16]> = SmallVec::new();
    for first in lines.boxes() {
        let mut open = Some(first);
        while let Some(b) = open.take() {
            let Some(e) = lines.last_side(&rest, b) else { break };
            lines.draw(&mut rest, e);
            captured.push(b);
            let [x, y] = lines.touching(e);
            match if x == Some(b) { y } else { x } {
                Some(next) if lines.is_closed(&rest, next) => captured.push(next),
                next => open = next,
            }
        }
    }
    let bribe = Trees { lines, before, after: &rest }.bribe(&captured);
    Offer { boxes: captured.len() as u16, bribe, rest }
}

/// The captured boxes joined by the edges drawn while taking them: those free before.
struct Trees<'a, L: Lines> {
    lines: &'a L,
    before: &'a L::Drawn,
    after: &'a L::Drawn,
}

impl<L: Lines> Trees<'_, L> {
    /// The boxes across the edges that were free before; `None` is the ground.
    fn across(&self, b: L::Box) -> impl Iterator<Item = Option<L::Box>> {
        self.lines.free(self.before, b).map(move |e| {
            let [x, y] = self.lines.touching(e);
            if x == Some(b) { y } else { x }
        })
    }

    /// Whether a box beside a captured one is captured, too: the edge between them was free, so it was not closed before.
    fn captured(&self, b: L::Box) -> bool {
        self.lines.is_closed(self.after, b)
    }

    /// A tree of two boxes or more with a way out has a box with a way out, and that has a captured one beside it. Where there
    /// is none, the trees of four boxes are closed runs.
    fn bribe(&self, captured: &[L::Box]) -> Option<Bribe> {
        if captured.len() < 2 {
            None
        } else if captured.iter().any(|&b| self.is_way_out_of_two(b)) {
            Some(Bribe::Two)
        } else {
            captured.iter().any(|&b| self.middle_of_four(b)).then_some(Bribe::Four)
        }
    }

    /// Whether a captured box has a captured one beside it, and the ground or one that is not, too.
    fn is_way_out_of_two(&self, b: L::Box) -> bool {
        let (mut beside, mut way_out) = (false, false);
        for next in self.across(b) {
            match next {
                Some(next) if self.captured(next) => beside = true,
                _ => way_out = true,
            }
        }
        beside && way_out
    }

    /// Whether a path of four boxes runs `? - b - y - ?` for some neighbour y of b.
    fn middle_of_four(&self, b: L::Box) -> bool {
        let degree = |b: L::Box| self.across(b).flatten().filter(|&n| self.captured(n)).count();
        degree(b) >= 2 && self.across(b).flatten().any(|y| self.captured(y) && degree(y) >= 2)
    }
}
