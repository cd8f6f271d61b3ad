//! Who wins at Domineering: the first move that wins ends the search of a position.

use std::collections::HashMap;

use super::depths::Depths;
use super::domineering::Domineering;
use super::game::{Cells, Side};
use super::values::Values;
use super::walk::{Adds as _, Pass, Walk, Work};

/// A search for the winner under normal play, positions remembered.
///
/// Where the pass finds several regions the search ends: their values are walked for and added. Which regions they are
/// is all that is known of them, so this is all that may be done with them; a cutoff in one would need the others.
pub(super) struct Search<'a> {
    game: &'a Domineering,
    pass: Pass,
    known: HashMap<(Cells, Side), bool>,
    walk: Walk<'a, Domineering>,
    work: Work,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub(super) fn new(game: &'a Domineering, pass: Pass) -> Search<'a> {
        Search { game, pass, known: HashMap::new(), walk: Walk::new(game, pass), work: Work::default() }
    }

    /// Whether the mover wins with these open squares.
    pub(super) fn whole(
        &mut self,
        open: Cells,
        mover: Side,
        values: &mut Values,
        depths: &mut Depths,
    ) -> bool {
        let parts = if self.pass == Pass::Never { vec![open] } else { self.work.split(self.game, open) };
        self.wins(&parts, mover, values, depths)
    }

    /// What it has cost, with the walks for values.
    pub(super) fn work(&self) -> Work {
        let mut work = self.work;
        work += self.walk.work;
        work
    }

    fn wins(&mut self, parts: &[Cells], mover: Side, values: &mut Values, depths: &mut Depths) -> bool {
        let &[region] = parts else {
            let value = self.walk.sum(parts, values);
            return values.wins(value, mover);
        };
        if let Some(&known) = self.known.get(&(region, mover)) {
            return known;
        }
        self.work.nodes += 1;
        depths.add(self.game, region);
        let options = self.game.options(region).into_iter().filter(|(by, _)| by.allows(mover));
        let mut won = false;
        for (_, left) in options {
            let parts = self.work.after(self.game, self.pass, left, region & !left);
            if !self.wins(&parts, mover.other(), values, depths) {
                won = true;
                break;
            }
        }
        self.known.insert((region, mover), won);
        won
    }
}
