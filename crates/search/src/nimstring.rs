//! Nimstring: the same moves, but whoever cannot move loses.
//!
//! Boxes do not count, so this is a game of control. Who closes the last box must move again and cannot, and loses.
//! Positions are numbers of nim, or *loony*:
//!
//! * with a box on offer and a way to decline ([`endgame::Offer::bribe`]) the mover wins whatever else is on the table:
//!   if the rest is worth 0 to whoever must move in it, decline and make the other player move there; if not, take all
//!   and move there. Such a position has no nimber. It is loony, and a move to it is never any use;
//! * boxes on offer that cannot be declined cost nothing and gain nothing but the move one has already: the value is that
//!   of the rest. (In a tree without a choice, taking it is a pass that returns the turn; leaving it lets the other player
//!   take it and be where one would have been.)
//! * a quiet position is worth the smallest number that none of its moves, the loony ones left out, leads to; and a sum
//!   of regions the exclusive-or of theirs. *Nimbers* of regions add like that; *values* of regions do not add at all,
//!   because a double-dealing move in one region buys the move in another.
//!
//! ```text
//! +---+---+       the two boxes of a domino: opening it in its middle gives both away and is a move to 0,
//!     .           opening it at an end is loony. So a 2-chain is worth *1, like a 1-chain, and a longer chain,
//! +---+---+       all of whose moves are loony, 0.
//! ```

use std::fmt;
use std::sync::atomic::AtomicBool;

use endgame::{Component, Offer, Structure};
use game::{Edge, EdgeSet, Position};

use crate::budget::{Budget, Meter, Watch};
use crate::core::{Core, core_edges};
use crate::mask::Mask;
use crate::nimbers::Nimbers;
use crate::solver::{MAX_FREE, SearchError};

/// What a position is worth at nimstring.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NimValue {
    /// A heap of so many at nim: 0 is lost for the player to move, everything else is won.
    Nimber(u8),
    /// Won for the player to move, whatever is added to it.
    Loony,
}

impl NimValue {
    /// Whether the player to move wins.
    pub const fn is_win(self) -> bool {
        !matches!(self, NimValue::Nimber(0))
    }

    /// The value of a sum. Whatever is added to something loony, it stays so.
    #[must_use]
    pub const fn plus(self, other: NimValue) -> NimValue {
        match (self, other) {
            (NimValue::Nimber(a), NimValue::Nimber(b)) => NimValue::Nimber(a ^ b),
            _ => NimValue::Loony,
        }
    }
}

impl fmt::Display for NimValue {
    /// `*3`, or `loony`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NimValue::Nimber(n) => f.pad(&format!("*{n}")),
            NimValue::Loony => f.pad("loony"),
        }
    }
}

/// A move and what it leads to at nimstring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NimMove {
    /// The edge.
    pub edge: Edge,
    /// The value of the position it leads to; `None` when the budget ended before it was known.
    pub value: Option<NimValue>,
    /// Whether the same player moves there, because the edge closes a box.
    pub again: bool,
}

impl NimMove {
    /// Whether the move wins: it leaves a lost position to the other player, or a won one to oneself.
    pub fn wins(&self) -> Option<bool> {
        self.value.map(|value| value.is_win() == self.again)
    }
}

/// A position at nimstring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nimstring {
    /// The value; `None` when the budget ended before it was known.
    pub value: Option<NimValue>,
    /// The value of each region, in the order of [`Structure::regions`]; they add up to `value`.
    pub regions: Vec<Option<NimValue>>,
    /// Every move, ascending.
    pub moves: Vec<NimMove>,
    /// Quiet regions looked into.
    pub nodes: u64,
}

impl Nimstring {
    /// Works a position out, within a budget and about so many bytes of memory.
    ///
    /// # Errors
    /// When too much of it is left to search.
    pub fn of(
        position: &Position,
        budget: Budget,
        bytes: usize,
        cancel: &AtomicBool,
    ) -> Result<Nimstring, SearchError> {
        let rest = Offer::of(position).rest;
        let edges = core_edges(&Structure::of(&rest));
        match edges.len() {
            0..=64 => Ok(search::<u64>(position, Core::new(&rest, edges), budget, bytes, cancel)),
            65..=MAX_FREE => Ok(search::<u128>(position, Core::new(&rest, edges), budget, bytes, cancel)),
            free => Err(SearchError::TooManyFreeEdges { free, limit: MAX_FREE }),
        }
    }
}

fn search<M: Mask>(
    position: &Position,
    core: Core<M>,
    budget: Budget,
    bytes: usize,
    cancel: &AtomicBool,
) -> Nimstring {
    let watch = Watch::default();
    let meter = Meter::new(budget, cancel, &watch);
    let mut nimbers = Nimbers::new(position.board(), core, bytes, &meter);
    // A region alone is the position with every edge outside it drawn.
    let board = position.board();
    let alone = |edges: &[Edge]| {
        let free: EdgeSet = edges.iter().copied().collect();
        Position::with_drawn(board, board.all_edges().filter(|&e| !free.contains(e)))
    };
    let structure = Structure::of(position);
    let regions: Vec<_> = structure.regions.iter().map(|r| value(&mut nimbers, &alone(&r.edges))).collect();
    // One loony region settles it, whatever the others are worth.
    let total = if regions.contains(&Some(NimValue::Loony)) {
        Some(NimValue::Loony)
    } else {
        regions.iter().copied().try_fold(NimValue::Nimber(0), |sum, value| Some(sum.plus(value?)))
    };
    let moves = position.free_edges().map(|edge| {
        let (next, closed) = position.after(edge);
        NimMove { edge, value: value(&mut nimbers, &next), again: closed > 0 }
    });
    let moves = moves.collect();
    Nimstring { value: total, regions, moves, nodes: nimbers.nodes() }
}

/// The value of a position on the way from the root; `None` when the budget has ended.
fn value<M: Mask>(nimbers: &mut Nimbers<'_, M>, position: &Position) -> Option<NimValue> {
    let Offer { bribe: None, rest, .. } = Offer::of(position) else { return Some(NimValue::Loony) };
    let structure = Structure::of(&rest);
    let short = |c: &Component| matches!(c, Component::Chain(1 | 2));
    let isolated = structure.isolated().components().filter(short).count() as u8 & 1;
    Some(NimValue::Nimber(isolated ^ nimbers.of(&core_edges(&structure))?))
}
