//! The touch relation of a game's moves, and the pass that finds the regions it leaves.
//!
//! Two cells touch when one move reads both. A cell that no move will ever turn over is *settled*: reading it tells
//! every move the same forever, so it joins nothing. This is why a drawn edge, a covered square or the ground beyond
//! the border does not join. Regions are what the relation leaves connected among the cells that are not settled.
//!
//! **Product.** Let the relation range over every move a position could ever offer. Then the graph of the position is
//! the product of its regions' graphs. *Proof:* a move turns over cells of one region only, and whether it is offered
//! and what it is depend on cells of that region and settled ones. By induction over moves the positions reached are
//! those whose every region is one that the region reaches alone, and the arcs from each are the regions' arcs. ∎
//!
//! **Downwards.** A position reached from another offers no move that the other could not come to offer. So the
//! relation only shrinks and the regions only get finer as the game goes on: a partition found once stays valid below.

use super::game::{Cells, Game, Move, each};

/// Which moves the relation is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// Every move the position could ever offer: the right one.
    Ever,
    /// The moves it offers now.
    Now,
    /// Every move it could ever offer, by the cells it turns over, without those it looks at besides.
    TurnedOver,
}

/// What a position falls into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Regions {
    /// The regions in which a move could be made, by their lowest cell.
    pub(super) parts: Vec<Cells>,
    /// The open cells that no move could ever turn over: each a region with a single position.
    pub(super) scraps: Cells,
}

impl Regions {
    /// The pass.
    pub(super) fn of(game: &impl Game, position: Cells, relation: Relation) -> Regions {
        let moves = match relation {
            Relation::Ever | Relation::TurnedOver => ever(game, position),
            Relation::Now => now(game, position),
        };
        let unsettled = turned_over(&moves);
        let parts = match relation {
            Relation::Ever | Relation::Now => joined(moves.iter().map(|m| m.reads() & unsettled)),
            Relation::TurnedOver => joined(moves.iter().map(Move::turns)),
        };
        Regions { parts, scraps: game.open(position) & !unsettled }
    }
}

/// The moves a position offers.
pub(super) fn now(game: &impl Game, position: Cells) -> Vec<Move> {
    game.moves().iter().filter(|m| m.is_offered(position)).copied().collect()
}

/// The moves a position could ever offer, and perhaps a few more.
///
/// Taken cell by cell: a cell could be set when it is, or when a move that could be offered sets it, and likewise
/// clear. Every move of every game from here is found, by induction over the moves before it. One too many only joins
/// what need not be joined.
pub(super) fn ever(game: &impl Game, position: Cells) -> Vec<Move> {
    let (mut set, mut clear) = (position, !position);
    loop {
        let could = |m: &&Move| m.set & !set == 0 && m.clear & !clear == 0;
        let found: Vec<Move> = game.moves().iter().filter(could).copied().collect();
        let (more_set, more_clear) =
            found.iter().fold((set, clear), |(set, clear), m| (set | m.clear, clear | m.set));
        if (more_set, more_clear) == (set, clear) {
            return found;
        }
        (set, clear) = (more_set, more_clear);
    }
}

/// The cells that some of these moves turn over.
pub(super) fn turned_over(moves: &[Move]) -> Cells {
    moves.iter().fold(0, |all, m| all | m.turns())
}

/// The sets joined where they have a cell in common, by their lowest cell.
pub(super) fn joined(sets: impl IntoIterator<Item = Cells>) -> Vec<Cells> {
    let mut groups: Vec<Cells> = Vec::new();
    for mut set in sets {
        if set == 0 || groups.iter().any(|g| set & !g == 0) {
            continue;
        }
        groups.retain(|&g| {
            let apart = g & set == 0;
            if !apart {
                set |= g;
            }
            apart
        });
        groups.push(set);
    }
    groups.sort_unstable_by_key(|g| g.trailing_zeros());
    groups
}

/// The regions of these open cells in a game whose moves only ever set cells, as Dots and Boxes and Domineering do: the
/// moves it could ever offer there are those that turn over none but these.
pub(super) fn split(moves: &[Move], open: Cells) -> Vec<Cells> {
    joined(moves.iter().filter(|m| m.turns() & !open == 0).map(|m| m.reads() & open))
}

/// What the neighbourhood of a move says about the region it was made in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Nearby {
    /// Whether the region may have come apart.
    pub(super) may_split: bool,
    /// What is left of the region without the neighbours that no move reads any longer.
    pub(super) left: Cells,
    /// How many cells were looked at.
    pub(super) looked_at: u32,
}

/// Whether a region that was connected may have come apart now that the cells `gone` are settled and `left` are left of
/// it, from the moves nearby alone.
///
/// The neighbours of what is gone are the cells left that some move read together with it. Any way through the region
/// that led through what is gone entered and left by a neighbour, so while all neighbours hang together by moves that
/// read one of them, so does the region. It can be wrong only by saying that it may have come apart when it has not.
pub(super) fn nearby(moves: &[Move], left: Cells, gone: Cells) -> Nearby {
    let region = left | gone;
    let died = |m: &&Move| m.turns() & gone != 0 && m.turns() & !region == 0;
    let neighbours = moves.iter().filter(died).fold(0, |all, m| all | m.reads()) & left;
    let near = moves.iter().filter(|m| m.turns() & !left == 0 && m.reads() & neighbours != 0);
    let sets: Vec<Cells> = near.map(|m| m.reads() & left).collect();
    let alive = sets.iter().fold(0, |all, set| all | set);
    let left = left & !(neighbours & !alive);
    // Often the neighbours alone are enough: one at most, or joined by moves that read no other cell to join them.
    let among = joined(sets.iter().map(|set| set & neighbours));
    if among.len() <= 1 {
        return Nearby { may_split: false, left, looked_at: neighbours.count_ones() };
    }
    let looked_at = (neighbours | alive).count_ones();
    Nearby { may_split: joined(sets).len() > 1, left, looked_at }
}

/// The components of cells under a symmetric neighbourhood: what a flood over the board finds.
pub(super) fn flood(cells: Cells, neighbours: impl Fn(Cells) -> Cells) -> Vec<Cells> {
    joined(each(cells).map(|cell| (neighbours(cell) & cells) | cell))
}
