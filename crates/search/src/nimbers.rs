//! Nimbers of regions, by search.

use std::collections::HashMap;

use game::{Board, Edge};
use rustc_hash::FxBuildHasher;

use crate::budget::Meter;
use crate::core::{Core, GROUND};
use crate::mask::Mask;
use crate::small::Places;

/// Nimbers of regions of a core, by the strings they have left.
pub(crate) struct Nimbers<'a, M> {
    core: Core<M>,
    places: Places,
    known: HashMap<M, u8, FxBuildHasher>,
    /// How many of them there is room for. They are all needed again, so when it is full the work is over.
    most: usize,
    /// Nodes between two looks at the budget, and how many are left until the next.
    batch: u64,
    allowance: u64,
    nodes: u64,
    meter: &'a Meter<'a>,
}

/// The regions that a nimber depends on, and the exclusive-or of those known by their shape.
struct Parts<M> {
    regions: Vec<M>,
    nimber: u8,
}

impl<'a, M: Mask> Nimbers<'a, M> {
    /// Nimbers of what can follow a core, the strings of this board, in about so many bytes.
    pub(crate) fn new(board: Board, core: Core<M>, bytes: usize, meter: &'a Meter<'a>) -> Nimbers<'a, M> {
        let places = Places::of(board, &core);
        let (known, most, batch) = (HashMap::default(), bytes / (2 * size_of::<(M, u8)>()), meter.batch());
        Nimbers { core, places, known, most, batch, allowance: batch, nodes: 0, meter }
    }

    /// How many regions were looked into.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The nimber of these edges of the core, when they are all that is left of it; `None` when the budget has ended.
    pub(crate) fn of(&mut self, edges: &[Edge]) -> Option<u8> {
        let strings = edges.iter().filter_map(|&e| self.core.string(e));
        let strings = strings.fold(M::EMPTY, |set, s| set | M::bit(s));
        self.sum(strings)
    }

    /// The nimber of everything that is left.
    fn sum(&mut self, strings: M) -> Option<u8> {
        let Parts { regions, mut nimber } = self.parts(strings);
        for region in regions {
            nimber ^= self.region(region)?;
        }
        Some(nimber)
    }

    /// The nimber of a region with joints.
    fn region(&mut self, region: M) -> Option<u8> {
        if let Some(nimber) = self.places.look_up(&self.core, region) {
            return Some(nimber);
        }
        let key = self.key(region);
        if let Some(&nimber) = self.known.get(&key) {
            return Some(nimber);
        }
        self.spend()?;
        let mut reached = 0u128;
        // Of parallel strings one stands for all: the highest, as in the key.
        let mut moves = key;
        for &parallel in &self.core.parallel {
            let same = key & parallel;
            if !same.is_empty() {
                moves &= !same | M::bit(same.highest());
            }
        }
        for s in moves.members() {
            if let Some(left) = after(&self.core, key, s) {
                reached |= 1 << self.sum(left)?;
            }
        }
        // A nimber is at most the length of the longest play, and an exclusive-or at most the sum; so what is left after
        // one of at most 128 strings is worth less than 128, and so is every shift above.
        let nimber = reached.trailing_ones() as u8;
        self.known.insert(key, nimber);
        Some(nimber)
    }

    /// Cuts strings into regions.
    fn parts(&self, mut strings: M) -> Parts<M> {
        let mut parts = Parts { regions: Vec::new(), nimber: 0 };
        while !strings.is_empty() {
            let (mut region, mut joints) = (M::EMPTY, false);
            let mut ahead = M::bit(strings.lowest());
            while !ahead.is_empty() {
                let s = ahead.lowest();
                region |= M::bit(s);
                ahead = ahead.rest();
                for coin in self.core.ends[s] {
                    if coin != GROUND {
                        let beside = strings & self.core.strings[coin];
                        joints |= beside.count() >= 3;
                        ahead |= beside & !region;
                    }
                }
            }
            strings &= !region;
            if joints {
                parts.regions.push(region);
            } else {
                // A chain of one or two coins has two or three strings; the shortest loop has four.
                parts.nimber ^= u8::from(region.count() <= 3);
            }
        }
        parts
    }

    /// One for all regions that are images of one another, or differ only in which of some parallel strings are left.
    fn key(&self, region: M) -> M {
        let set = |strings: &mut dyn Iterator<Item = u8>| strings.fold(M::EMPTY, |set, s| set | M::bit(s));
        let mut lowest = region;
        for &parallel in &self.core.parallel {
            let left = (region & parallel).count() as usize;
            lowest = lowest & !parallel | set(&mut parallel.members().take(left));
        }
        let image = |k: usize| lowest.members().fold(M::EMPTY, |image, s| image | self.core.images[s][k]);
        (0..self.core.symmetries).map(image).fold(lowest, M::min)
    }

    /// Counts a node; `None` when the budget has ended, or the memory.
    fn spend(&mut self) -> Option<()> {
        if self.meter.is_over() || self.known.len() >= self.most {
            return None;
        }
        self.nodes += 1;
        self.allowance = self.allowance.saturating_sub(1);
        if self.allowance == 0 {
            self.meter.spend(self.batch, 0);
            self.batch = self.meter.batch();
            self.allowance = self.batch;
        }
        Some(())
    }
}

/// What is left of a quiet region after drawing a string and taking what cannot be declined; `None` when the move is
/// loony. It is when some coin beside it, down to its last string, leads on to a coin of a run: then two coins
/// or more fall in a row, and their end can be cut off. Else each such coin falls alone: its last string leads to the
/// ground or to a joint, which has two strings at least once it is gone.
pub(crate) fn after<M: Mask>(core: &Core<M>, region: M, s: u8) -> Option<M> {
    let mut left = region & !M::bit(s);
    for coin in core.ends[s] {
        if coin == GROUND {
            continue;
        }
        let last = region & core.strings[coin] & !M::bit(s);
        if last.count() == 1 {
            let across = core.across(last.lowest(), coin);
            if across != GROUND && (region & core.strings[across]).count() < 3 {
                return None;
            }
            left &= !last;
        }
    }
    Some(left)
}
