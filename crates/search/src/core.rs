//! The part of a position that has to be searched.
//!
//! Once everything on offer is taken, a position is quiet. Its isolated chains and loops go to the
//! [heap](crate::heap); the regions with joints are the *core*, kept as strings and coins:
//!
//! ```text
//! +---+---+          o   boxes (coins) 0 and 1, both joints
//! |       4          |   strings to the ground side by side: 2 and 3 from box 0
//! +-2-+-3-+
//! ```
//!
//! Strings of one box to the ground are interchangeable (the corner rule, and more on single-row boards), so of those
//! only the highest free one is ever drawn: among positions that differ only in which of them are
//! drawn, the search meets one.

use endgame::Structure;
use game::{BoxId, Edge, Position, Symmetry};

use crate::mask::Mask;

/// The box number of the ground.
pub(crate) const GROUND: u8 = u8::MAX;

/// More symmetries than this no core has, the identity left out.
pub(crate) const IMAGES: usize = 7;

/// Strings and coins.
#[derive(Debug)]
pub(crate) struct Core<M> {
    /// The edge of each string, ascending.
    pub(crate) edges: Vec<Edge>,
    /// The strings of each coin.
    pub(crate) strings: Vec<M>,
    /// The coins of each string; [`GROUND`] where it leads to the ground.
    pub(crate) ends: Vec<[u8; 2]>,
    /// The coins with two or more strings to the ground, as the set of those strings.
    pub(crate) parallel: Vec<M>,
    /// For each string its images under the symmetries of the core, as sets of one; the rest empty.
    pub(crate) images: Vec<[M; IMAGES]>,
    /// How many symmetries, the identity left out.
    pub(crate) symmetries: usize,
}

/// The edges of a quiet position that lie in regions with joints.
pub(crate) fn core_edges(structure: &Structure) -> Vec<Edge> {
    let mut edges: Vec<Edge> =
        structure.regions.iter().filter(|r| r.joints > 0).flat_map(|r| r.edges.iter().copied()).collect();
    edges.sort_unstable();
    edges
}

impl<M: Mask> Core<M> {
    /// The core of these edges of a quiet position, at most [`Mask::BITS`] of them.
    pub(crate) fn new(position: &Position, edges: Vec<Edge>) -> Core<M> {
        let board = position.board();
        debug_assert!(edges.len() <= M::BITS, "the solver checks the limit");
        let mut boxes: Vec<BoxId> = edges
            .iter()
            .flat_map(|&e| board.touching(e))
            .flatten()
            .filter(|&b| position.free_sides(b) > 0)
            .collect();
        boxes.sort_unstable();
        boxes.dedup();
        let coin = |b: Option<BoxId>| match b.map(|b| boxes.binary_search(&b)) {
            Some(Ok(i)) => i as u8,
            _ => GROUND,
        };
        let ends: Vec<[u8; 2]> = edges.iter().map(|&e| board.touching(e).map(coin)).collect();
        let mut strings = vec![M::EMPTY; boxes.len()];
        for (s, ends) in ends.iter().enumerate() {
            for &end in ends.iter().filter(|&&end| end != GROUND) {
                strings[usize::from(end)] |= M::bit(s as u8);
            }
        }
        let grounded: M = ends
            .iter()
            .enumerate()
            .filter(|(_, ends)| ends.contains(&GROUND))
            .fold(M::EMPTY, |set, (s, _)| set | M::bit(s as u8));
        let parallel =
            strings.iter().map(|&of_box| of_box & grounded).filter(|set| set.count() >= 2).collect();
        let mut core = Core { edges, strings, ends, parallel, images: Vec::new(), symmetries: 0 };
        core.find_symmetries(position);
        core
    }

    /// How many strings.
    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    /// The string of an edge, if it belongs to the core.
    pub(crate) fn string(&self, e: Edge) -> Option<u8> {
        self.edges.binary_search(&e).ok().map(|i| i as u8)
    }

    fn find_symmetries(&mut self, position: &Position) {
        let board = position.board();
        let identity: Vec<u8> = (0..self.len() as u8).collect();
        let mut found: Vec<Vec<u8>> = vec![identity];
        for symmetry in Symmetry::of(board) {
            let image: Option<Vec<u8>> =
                self.edges.iter().map(|&e| self.string(symmetry.edge(board, e))).collect();
            let Some(mut image) = image else { continue };
            // Parallel strings are interchangeable: send the lowest to the lowest, so that the image of a
            // position the search meets is one it could meet.
            for &set in &self.parallel {
                let mut targets: Vec<u8> = set.members().map(|s| image[usize::from(s)]).collect();
                targets.sort_unstable();
                for (s, target) in set.members().zip(targets) {
                    image[usize::from(s)] = target;
                }
            }
            if !found.contains(&image) {
                found.push(image);
            }
        }
        self.symmetries = found.len() - 1;
        self.images = (0..self.len())
            .map(|s| {
                let mut images = [M::EMPTY; IMAGES];
                for (image, symmetry) in images.iter_mut().zip(&found[1..]) {
                    *image = M::bit(symmetry[s]);
                }
                images
            })
            .collect();
    }
}
