//! Values by walking all of a position's graph, and what a pass saves there.

use std::collections::HashMap;

use super::game::{Cells, Game, Side};
use super::relation::{nearby, split};
use super::values::{Value, Values};

/// When to look for regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    /// Never.
    Never,
    /// In the first position only.
    Root,
    /// In every position.
    Every,
    /// In the first position, and after a move in whose neighbourhood something may have come apart.
    AfterCut,
}

impl Pass {
    /// All of them.
    pub(super) const ALL: [Pass; 4] = [Pass::Never, Pass::Root, Pass::Every, Pass::AfterCut];

    /// Its name in the tables.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Pass::Never => "none",
            Pass::Root => "at the root",
            Pass::Every => "at every node",
            Pass::AfterCut => "after a move that could have split",
        }
    }
}

/// What a search costs; only counts, so it is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Work {
    /// Positions, or regions of positions, gone into.
    pub(super) nodes: u64,
    /// Passes made.
    pub(super) passes: u64,
    /// Cells the passes and the looks into a neighbourhood visited.
    pub(super) visited: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.nodes += other.nodes;
        self.passes += other.passes;
        self.visited += other.visited;
    }
}

impl Work {
    /// A pass over open cells.
    pub(super) fn split(&mut self, game: &impl Game, open: Cells) -> Vec<Cells> {
        self.passes += 1;
        self.visited += u64::from(open.count_ones());
        split(game.moves(), open)
    }

    /// What is left of a region after a move that settled `gone`, in the pieces the pass knows of.
    pub(super) fn after(&mut self, game: &impl Game, pass: Pass, left: Cells, gone: Cells) -> Vec<Cells> {
        match pass {
            Pass::Never | Pass::Root => vec![left],
            Pass::Every => self.split(game, left),
            Pass::AfterCut => {
                let near = nearby(game.moves(), left, gone);
                self.visited += u64::from(near.looked_at);
                if near.may_split {
                    self.split(game, near.left)
                } else {
                    Some(near.left).filter(|&left| left != 0).into_iter().collect()
                }
            }
        }
    }
}

/// A game whose moves only ever set cells and whose regions add under normal play.
pub(super) trait Adds: Game {
    /// The moves in a region that count for its value: whose, and the open cells they leave.
    fn options(&self, region: Cells) -> Vec<(Side, Cells)>;
}

/// A walk over a position's graph.
pub(super) struct Walk<'a, G> {
    game: &'a G,
    pass: Pass,
    known: HashMap<Cells, Value>,
    /// What it has cost.
    pub(super) work: Work,
}

impl<'a, G: Adds> Walk<'a, G> {
    /// A walk that has not begun.
    pub(super) fn new(game: &'a G, pass: Pass) -> Walk<'a, G> {
        Walk { game, pass, known: HashMap::new(), work: Work::default() }
    }

    /// The value of the position with these open cells.
    pub(super) fn whole(&mut self, open: Cells, values: &mut Values) -> Value {
        let parts = if self.pass == Pass::Never { vec![open] } else { self.work.split(self.game, open) };
        self.sum(&parts, values)
    }

    /// The value of regions together.
    pub(super) fn sum(&mut self, parts: &[Cells], values: &mut Values) -> Value {
        parts.iter().fold(Value::ZERO, |sum, &part| {
            let value = self.region(part, values);
            values.sum(sum, value)
        })
    }

    /// The value of a region.
    fn region(&mut self, region: Cells, values: &mut Values) -> Value {
        if let Some(&known) = self.known.get(&region) {
            return known;
        }
        self.work.nodes += 1;
        let mut options = [Vec::new(), Vec::new()];
        for (by, left) in self.game.options(region) {
            let parts = self.work.after(self.game, self.pass, left, region & !left);
            let value = self.sum(&parts, values);
            for (side, options) in [Side::Left, Side::Right].into_iter().zip(&mut options) {
                if by.allows(side) {
                    options.push(value);
                }
            }
        }
        let value = values.of(options);
        self.known.insert(region, value);
        value
    }
}
