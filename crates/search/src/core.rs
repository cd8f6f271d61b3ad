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
use game::{Board, BoxId, Edge, Position, Symmetry};

use crate::mask::Mask;

/// The box number of the ground.
pub(crate) const GROUND: u8 = u8::MAX;

/// More symmetries than this no core has, the identity left out.
pub(crate) const IMAGES: usize = 7;

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
        let ends: Vec<[u8; 2]> = edges.iter().map(|&e| board.touching(e).map(coin)).collect();
        let mut numbers = vec![NONE; board.edges()];
        let mut strings = vec![M::EMPTY; boxes.len()];
        let mut grounded = M::EMPTY;
        for (s, (e, ends)) in edges.iter().zip(&ends).enumerate() {
            numbers[e.index()] = s as u8;
            let s = M::bit(s as u8);
            for &end in ends {
                match strings.get_mut(usize::from(end)) {
                    Some(of_coin) => *of_coin |= s,
                    None => grounded |= s,
                }
            }
        }
        let parallel =
            strings.iter().map(|&of_coin| of_coin & grounded).filter(|set| set.count() >= 2).collect();
        let mut core = Core { numbers, strings, ends, parallel, images: Vec::new(), symmetries: 0 };
        core.find_symmetries(position, &edges);
        core
    }

    /// The string of an edge, if it belongs to the core.
    pub(crate) fn string(&self, e: Edge) -> Option<u8> {
        Some(self.numbers[e.index()]).filter(|&s| s != NONE)
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
        self.images = (0..edges.len())
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

/// Sorts edges from the middle of them outwards. Where a side of the board has an even number of boxes, the line
/// through its middle runs along edges, and drawing those cuts the board in two: they come earlier still, on the longer
/// of two such sides.
fn sort_for_trying(board: Board, edges: &mut [Edge]) {
    // Twice the row and column of an edge's middle.
    let middle = |e: Edge| {
        let (horizontal, r, c) = board.locate(e);
        let (r, c) = (2 * r as i64, 2 * c as i64);
        if horizontal { (r, c + 1) } else { (r + 1, c) }
    };
    let (rows, cols) = edges.iter().map(|&e| middle(e)).fold((0, 0), |(r, c), (dr, dc)| (r + dr, c + dc));
    let count = edges.len() as i64;
    let (row_weight, col_weight) = match (board.rows() % 2, board.cols() % 2) {
        (0, 0) if board.rows() > board.cols() => (4, 1),
        (0, 0) if board.rows() < board.cols() => (1, 4),
        (0, 1) => (4, 1),
        (1, 0) => (1, 4),
        _ => (1, 1),
    };
    edges.sort_by_key(|&e| {
        let (r, c) = middle(e);
        let (from_row, from_col) = (count * r - rows, count * c - cols);
        (row_weight * from_row * from_row + col_weight * from_col * from_col, e)
    });
}
