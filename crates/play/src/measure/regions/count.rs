//! The graph of a position: how many positions it reaches, and by which arcs.

use std::collections::{HashMap, HashSet};

use super::game::{Cells, Game, MARKS, Move};
use super::relation::{Regions, Relation, ever};

/// How large the graph of a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Graph {
    /// The positions moves of either player reach, with the first.
    pub(super) positions: u64,
    /// The moves offered in them, by what they are.
    pub(super) arcs: [u64; MARKS],
}

impl Graph {
    /// A single position: the graph of a scrap, and of no regions at all.
    pub(super) const ONE: Graph = Graph { positions: 1, arcs: [0; MARKS] };

    /// Counted with these moves alone.
    pub(super) fn with(game: &impl Game, moves: &[Move], start: Cells) -> Graph {
        let mut seen = HashSet::from([start]);
        let mut ahead = vec![start];
        let mut arcs = [0; MARKS];
        while let Some(position) = ahead.pop() {
            for m in moves.iter().filter(|m| m.is_offered(position)) {
                // A mark is below MARKS.
                arcs[game.mark(position, m)] += 1;
                let next = m.after(position);
                if seen.insert(next) {
                    ahead.push(next);
                }
            }
        }
        Graph { positions: seen.len() as u64, arcs }
    }

    /// Counted on the whole board.
    pub(super) fn of(game: &impl Game, start: Cells) -> Graph {
        Graph::with(game, &ever(game, start), start)
    }

    /// The product of two graphs: a position of each; an arc is an arc of one of them.
    #[must_use]
    pub(super) fn times(self, other: Graph) -> Graph {
        let arcs = |i: usize| self.arcs[i] * other.positions + self.positions * other.arcs[i];
        Graph { positions: self.positions * other.positions, arcs: std::array::from_fn(arcs) }
    }
}

/// A position, whole and in its regions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Apart {
    /// The graph of the whole, counted without regard to regions.
    pub(super) whole: Graph,
    /// The graph of each region in which a move could be made.
    pub(super) parts: Vec<Graph>,
    /// How many regions have a single position.
    pub(super) scraps: u64,
    /// How many cells the pass visits: all of the board, since it has to look for where a region begins.
    pub(super) visited: u64,
}

impl Apart {
    /// Counts the whole and the regions a relation makes; the moves of a region are those that read no other.
    pub(super) fn of(game: &impl Game, start: Cells, relation: Relation, visited: u64) -> Apart {
        let regions = Regions::of(game, start, relation);
        let moves = ever(game, start);
        let unsettled = regions.parts.iter().fold(0, |all, part| all | part);
        let part = |&part: &Cells| {
            let inside = |m: &&Move| {
                let tied = if relation == Relation::TurnedOver { m.turns() } else { m.reads() & unsettled };
                tied & part != 0 && tied & !part == 0
            };
            let moves: Vec<Move> = moves.iter().filter(inside).copied().collect();
            Graph::with(game, &moves, start)
        };
        Apart {
            whole: Graph::with(game, &moves, start),
            parts: regions.parts.iter().map(part).collect(),
            scraps: u64::from(regions.scraps.count_ones()),
            visited,
        }
    }

    /// The product of the parts.
    pub(super) fn product(&self) -> Graph {
        self.parts.iter().fold(Graph::ONE, |all, &part| all.times(part))
    }

    /// The positions of the parts together, a scrap's single one with them.
    pub(super) fn sum(&self) -> u64 {
        self.parts.iter().map(|part| part.positions).sum::<u64>() + self.scraps
    }

    /// The positions saved by the parts. Counts of small boards: far from the limits of their type.
    pub(super) fn saved(&self) -> i64 {
        self.product().positions as i64 - self.sum() as i64
    }

    /// Whether the whole is the product of its parts, positions and arcs.
    pub(super) fn is_product(&self) -> bool {
        self.whole == self.product()
    }
}

/// How many lines of play begin in a position: the nodes of its tree. Only for games without cycles.
pub(super) fn lines(moves: &[Move], position: Cells, known: &mut HashMap<Cells, u64>) -> u64 {
    if let Some(&lines) = known.get(&position) {
        return lines;
    }
    let offered = moves.iter().filter(|m| m.is_offered(position));
    let all = 1 + offered.map(|m| lines(moves, m.after(position), known)).sum::<u64>();
    known.insert(position, all);
    all
}

/// How many positions are left when those that a symmetry takes into one another are one.
pub(super) fn up_to(positions: &[Cells], symmetries: &[impl Fn(Cells) -> Cells]) -> u64 {
    let least = |&position: &Cells| symmetries.iter().map(|s| s(position)).fold(position, Cells::min);
    positions.iter().map(least).collect::<HashSet<_>>().len() as u64
}

/// Every position moves of either player reach, ascending.
pub(super) fn positions(game: &impl Game, start: Cells) -> Vec<Cells> {
    let moves = ever(game, start);
    let mut seen = HashSet::from([start]);
    let mut ahead = vec![start];
    while let Some(position) = ahead.pop() {
        for m in moves.iter().filter(|m| m.is_offered(position)) {
            let next = m.after(position);
            if seen.insert(next) {
                ahead.push(next);
            }
        }
    }
    let mut all: Vec<Cells> = seen.into_iter().collect();
    all.sort_unstable();
    all
}
