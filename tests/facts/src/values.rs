//! The value of every position below a start, straight from the rules.

/// The most free edges a start may have: 16 million positions, about a second.
const MAX_FREE: usize = 24;

/// The free edges of a start position, and the boxes beside each.
pub(crate) struct Graph {
    pub(crate) free: Vec<usize>,
    /// Per free edge two boxes, each as the set of its sides that are free at the start.
    pub(crate) beside: Vec<[u32; 2]>,
}

impl Graph {
    pub(crate) fn below(rows: usize, cols: usize, edges: &str) -> Graph {
        let edges = edges.as_bytes();
        assert_eq!(edges.len(), (rows + 1) * cols + rows * (cols + 1), "edges of a {rows}x{cols} board");
        let free: Vec<usize> = (0..edges.len()).filter(|&e| edges[e] == b'0').collect();
        assert!(free.len() <= MAX_FREE, "{} free edges are too many to enumerate", free.len());

        let mut beside: Vec<Vec<u32>> = vec![Vec::new(); free.len()];
        for r in 0..rows {
            for c in 0..cols {
                let first_vertical = (rows + 1) * cols + r * (cols + 1) + c;
                let sides = [r * cols + c, (r + 1) * cols + c, first_vertical, first_vertical + 1];
                let local: Vec<usize> = (0..free.len()).filter(|&i| sides.contains(&free[i])).collect();
                let set = local.iter().map(|i| 1u32 << i).sum();
                for i in local {
                    beside[i].push(set);
                }
            }
        }
        // An edge of the border has one box beside it: give it a second one that never closes.
        let beside: Vec<[u32; 2]> =
            beside.iter().map(|sets| [sets[0], sets.get(1).copied().unwrap_or(u32::MAX)]).collect();
        Graph { free, beside }
    }
}

/// How many boxes an edge has closed, once these edges are drawn.
pub(crate) fn closed(beside: [u32; 2], drawn: u32) -> usize {
    beside.iter().filter(|&&sides| drawn & sides == sides).count()
}

/// The value of every position that can follow a start position, by plain enumeration of all subsets of its
/// free edges.
#[derive(Clone, Debug)]
pub struct Values {
    free: Vec<usize>,
    values: Vec<i8>,
}

impl Values {
    /// Every position of a board of up to 24 edges. The index of a position is the bit mask of its drawn edges.
    pub fn of_board(rows: usize, cols: usize) -> Values {
        Values::below(rows, cols, &"0".repeat((rows + 1) * cols + rows * (cols + 1)))
    }

    /// Every position below a start of at most 24 free edges.
    ///
    /// # Panics
    /// When the start has more free edges, or `edges` is not an edges string of the board.
    pub fn below(rows: usize, cols: usize, edges: &str) -> Values {
        let Graph { free, beside } = Graph::below(rows, cols, edges);
        let full = (1u32 << free.len()) - 1;
        let mut values = vec![0i8; 1 << free.len()];
        for drawn in (0..full).rev() {
            let mut best = i8::MIN;
            let mut left = full & !drawn;
            while left != 0 {
                let i = left.trailing_zeros() as usize;
                left &= left - 1;
                let next = drawn | 1 << i;
                let closed = closed(beside[i], next) as i8;
                let rest = values[next as usize];
                best = best.max(if closed > 0 { closed + rest } else { -rest });
            }
            values[drawn as usize] = best;
        }
        Values { free, values }
    }

    /// The value of the start.
    pub fn start(&self) -> i16 {
        self.at(0)
    }

    /// The value of the position in which the i-th free edge of the start is drawn where bit `i` is set.
    pub fn at(&self, drawn: usize) -> i16 {
        i16::from(self.values[drawn])
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Never: the start is always there.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The free edges of the start, ascending.
    pub fn free(&self) -> &[usize] {
        &self.free
    }
}
