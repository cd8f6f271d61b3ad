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

use std::ops::{Index, IndexMut};

use endgame::Structure;
use game::{Board, BoxId, Edge, Position, Symmetry};

use crate::mask::Mask;

/// The box number of the ground.
pub(crate) const GROUND: u8 = u8::MAX;

/// More symmetries than this no core has, the identity left out.
pub(crate) const IMAGES: usize = 7;

/// One for each coin or string.
#[derive(Debug)]
pub(crate) struct Few<T>(Box<[T; FEW]>);

/// No core has more coins or strings.
const FEW: usize = 128;

impl<T: Copy> Few<T> {
    fn of(value: T) -> Few<T> {
        Few(Box::new([value; FEW]))
    }
}

impl<T> Index<u8> for Few<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: u8) -> &T {
        // In this form there is no check of bounds; every number of a coin or string is below FEW.
        &self.0[usize::from(i) % FEW]
    }
}

impl<T> IndexMut<u8> for Few<T> {
    #[inline(always)]
    fn index_mut(&mut self, i: u8) -> &mut T {
        &mut self.0[usize::from(i) % FEW]
    }
}

/// The string number of an edge outside the core.
const NONE: u8 = u8::MAX;

/// Strings and coins.
///
/// Strings are numbered in the order in which the search tries them, the same at every node. That order
/// decides how many different states a proof has to meet: whoever has to show that *some* move is good
/// enough mostly finds it among the first, so what he has drawn is nearly a prefix of the order, whatever
/// the other player does. Strings near the middle come first.
#[derive(Debug)]
pub(crate) struct Core<M> {
    /// The string of each edge of the board; [`NONE`] for edges outside the core.
    numbers: Vec<u8>,
    /// How many coins.
    pub(crate) boxes: u8,
    /// The strings of each coin.
    pub(crate) strings: Few<M>,
    /// The coins of each string; [`GROUND`] where it leads to the ground.
    pub(crate) ends: Few<[u8; 2]>,
    /// The two ends of each string, one exclusive-or the other.
    links: Few<u8>,
    /// The coins of each string, as a set.
    pub(crate) coins: Few<M>,
    /// The coins with two or more strings to the ground, as the set of those strings.
    pub(crate) parallel: Vec<M>,
    /// For each string its images under the symmetries of the core, as sets of one; the rest empty.
    pub(crate) images: Few<[M; IMAGES]>,
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
    pub(crate) fn new(position: &Position, mut edges: Vec<Edge>) -> Core<M> {
        let board = position.board();
        debug_assert!(edges.len() <= M::BITS, "the solver checks the limit");
        sort_for_trying(board, &mut edges);
        let mut boxes: Vec<BoxId> = edges.iter().flat_map(|&e| board.touching(e)).flatten().collect();
        boxes.retain(|&b| position.free_sides(b) > 0);
        boxes.sort_unstable();
        boxes.dedup();
        let coin = |b: Option<BoxId>| match b.map(|b| boxes.binary_search(&b)) {
            Some(Ok(i)) => i as u8,
            _ => GROUND,
        };
        let mut core = Core {
            numbers: vec![NONE; board.edges()],
            boxes: boxes.len() as u8,
            strings: Few::of(M::EMPTY),
            ends: Few::of([GROUND; 2]),
            links: Few::of(0),
            coins: Few::of(M::EMPTY),
            parallel: Vec::new(),
            images: Few::of([M::EMPTY; IMAGES]),
            symmetries: 0,
        };
        let mut grounded = M::EMPTY;
        for (&e, s) in edges.iter().zip(0u8..) {
            core.numbers[e.index()] = s;
            let ends = board.touching(e).map(coin);
            core.ends[s] = ends;
            core.links[s] = ends[0] ^ ends[1];
            for end in ends {
                if end == GROUND {
                    grounded |= M::bit(s);
                } else {
                    core.strings[end] |= M::bit(s);
                    core.coins[s] |= M::bit(end);
                }
            }
        }
        core.parallel =
            (0..core.boxes).map(|c| core.strings[c] & grounded).filter(|set| set.count() >= 2).collect();
        core.find_symmetries(position, &edges);
        core
    }

    /// The string of an edge, if it belongs to the core.
    pub(crate) fn string(&self, e: Edge) -> Option<u8> {
        Some(self.numbers[e.index()]).filter(|&s| s != NONE)
    }

    /// Where a string leads from one of its coins.
    #[inline(always)]
    pub(crate) fn across(&self, s: u8, coin: u8) -> u8 {
        self.links[s] ^ coin
    }

    fn find_symmetries(&mut self, position: &Position, edges: &[Edge]) {
        let board = position.board();
        let identity: Vec<u8> = (0..edges.len() as u8).collect();
        let mut found: Vec<Vec<u8>> = vec![identity];
        for symmetry in Symmetry::of(board) {
            let image: Option<Vec<u8>> =
                edges.iter().map(|&e| self.string(symmetry.edge(board, e))).collect();
            let Some(mut image) = image else { continue };
            // Parallel strings are interchangeable: send the lowest to the lowest, so that the image of a
            // position the search meets is one it could meet.
            for set in self.parallel.iter().copied() {
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
        for (k, symmetry) in found[1..].iter().enumerate() {
            for (&image, s) in symmetry.iter().zip(0u8..) {
                self.images[s][k] = M::bit(image);
            }
        }
    }
}

/// A middle line of more edges takes too long to draw: on 2x7, with its line of seven first, a proof has 38,171,367 nodes,
/// and 30,032,980 without.
const LONGEST_LINE: usize = 5;

/// Sorts edges from the middle of them outwards. Where a side of the board has an even number of boxes, the line
/// through its middle runs along edges, and drawing those cuts the board in two: they come earlier still, if they are few;
/// of two such lines the shorter one.
fn sort_for_trying(board: Board, edges: &mut [Edge]) {
    // Twice the row and column of an edge's middle.
    let middle = |e: Edge| {
        let (horizontal, r, c) = board.locate(e);
        let (r, c) = (2 * r as i64, 2 * c as i64);
        if horizontal { (r, c + 1) } else { (r + 1, c) }
    };
    let (row_sum, col_sum) =
        edges.iter().map(|&e| middle(e)).fold((0, 0), |(r, c), (dr, dc)| (r + dr, c + dc));
    let count = edges.len() as i64;
    let (rows, cols) = (board.rows(), board.cols());
    let line =
        |even: usize, length: usize| (even.is_multiple_of(2) && length <= LONGEST_LINE).then_some(length);
    let (row_weight, col_weight) = match (line(rows, cols), line(cols, rows)) {
        (Some(across), Some(down)) if across == down => (1, 1),
        (Some(across), Some(down)) if across < down => (4, 1),
        (Some(_), Some(_)) | (None, Some(_)) => (1, 4),
        (Some(_), None) => (4, 1),
        (None, None) => (1, 1),
    };
    edges.sort_by_key(|&e| {
        let (r, c) = middle(e);
        let (from_row, from_col) = (count * r - row_sum, count * c - col_sum);
        (row_weight * from_row * from_row + col_weight * from_col * from_col, e)
    });
}
