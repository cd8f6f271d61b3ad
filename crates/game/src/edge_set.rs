//! A set of edges.

use crate::board::{Board, Edge, MAX_EDGES};

const WORDS: usize = MAX_EDGES / 64;

/// A set of edges of one board: 2,112 bits, enough for 32x32 boxes, no allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeSet {
    words: [u64; WORDS],
}

impl EdgeSet {
    /// No edges.
    pub const EMPTY: EdgeSet = EdgeSet { words: [0; WORDS] };

    /// Every edge of a board.
    pub fn full(board: Board) -> EdgeSet {
        board.all_edges().collect()
    }

    /// Whether the edge is in the set.
    pub fn contains(&self, e: Edge) -> bool {
        self.words[e.index() / 64] >> (e.index() % 64) & 1 == 1
    }

    /// Adds an edge; `true` when it was not there.
    pub fn insert(&mut self, e: Edge) -> bool {
        let new = !self.contains(e);
        self.words[e.index() / 64] |= 1 << (e.index() % 64);
        new
    }

    /// Takes an edge out; `true` when it was there.
    pub fn remove(&mut self, e: Edge) -> bool {
        let old = self.contains(e);
        self.words[e.index() / 64] &= !(1 << (e.index() % 64));
        old
    }

    /// How many edges.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The edges, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Edge> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| Edge((i * 64 + w.trailing_zeros() as usize) as u16))
        })
    }

    /// The first 64 edges as a bit mask: all of them on a board of up to 64 edges.
    pub const fn low_mask(&self) -> u64 {
        self.words[0]
    }
}

impl FromIterator<Edge> for EdgeSet {
    fn from_iter<I: IntoIterator<Item = Edge>>(edges: I) -> EdgeSet {
        let mut set = EdgeSet::EMPTY;
        for e in edges {
            set.insert(e);
        }
        set
    }
}

impl std::fmt::Debug for EdgeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Edge::index)).finish()
    }
}
