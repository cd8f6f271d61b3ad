//! At what depth the positions of a search fall apart.

use super::game::{Cells, Game};
use super::relation::split;

/// How many steps a game is divided into.
pub(super) const STEPS: usize = 5;

/// The positions of searches, by how much of the first position's open cells is gone.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Depths {
    /// The open cells of the first position.
    pub(super) start: Cells,
    /// Positions.
    pub(super) nodes: [u64; STEPS],
    /// Those of several regions with something to play.
    pub(super) apart: [u64; STEPS],
    /// Those of several regions of which none has more than two thirds of the cells.
    pub(super) evenly: [u64; STEPS],
}

impl Depths {
    /// Nothing yet, from this position.
    pub(super) fn from(start: Cells) -> Depths {
        Depths { start, ..Depths::default() }
    }

    /// Counts a position of a search that knows nothing of regions.
    pub(super) fn add(&mut self, game: &impl Game, open: Cells) {
        let all = self.start.count_ones().max(1) as usize;
        let gone = (self.start & !open).count_ones() as usize;
        let step = (gone * STEPS / all).min(STEPS - 1);
        let parts = split(game.moves(), open);
        let sizes = || parts.iter().map(|part| part.count_ones());
        self.nodes[step] += 1;
        self.apart[step] += u64::from(parts.len() > 1);
        let even = 3 * sizes().max().unwrap_or(0) <= 2 * sizes().sum::<u32>();
        self.evenly[step] += u64::from(parts.len() > 1 && even);
    }
}

impl std::ops::AddAssign for Depths {
    fn add_assign(&mut self, other: Depths) {
        for step in 0..STEPS {
            self.nodes[step] += other.nodes[step];
            self.apart[step] += other.apart[step];
            self.evenly[step] += other.evenly[step];
        }
    }
}
