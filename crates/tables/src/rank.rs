//! Numbering the multisets of chains and loops, so that a table needs no keys.
//!
//! The parts in order: chains of 1, 2, ... boxes, then loops of 4, 6, ... boxes. Write a multiset with its
//! last part first. With `count(n, k)` the multisets of `n` boxes in all made of the first `k` parts,
//!
//! ```text
//! count(n, k) = count(n, k-1) + count(n - size(k), k)
//! ```
//!
//! those that do without part `k` come first, then those that have it, in the order of what is left of them
//! when one is taken out. So the place of a multiset among those of `n` boxes is the sum, over its parts
//! from last to first, of `count(boxes still to place, parts before this one)`; and multisets of fewer boxes
//! come before those of more. Whatever opens a component leads to a smaller number, and a table for more
//! boxes begins like one for fewer.

use endgame::Multiset;

/// The numbering of every multiset of up to so many boxes.
#[derive(Clone, Debug)]
pub struct Ranking {
    boxes: usize,
    /// One more than there are parts.
    width: usize,
    /// `count(n, k)` at `n * width + k`: it only grows with `k`.
    counts: Vec<u32>,
    /// How many multisets have fewer than `n` boxes, for `n` up to `boxes + 1`.
    starts: Vec<u32>,
}

/// A multiset as it is numbered: parts by their place in the order of parts, last first.
pub type Parts = Vec<u8>;

impl Ranking {
    /// The numbering of multisets of up to `boxes` boxes, at most 60 (where there are 45,876,092).
    ///
    /// # Panics
    /// When `boxes` is more than 60.
    pub fn new(boxes: u16) -> Ranking {
        assert!(boxes <= 60, "multisets are numbered up to 60 boxes");
        let boxes = usize::from(boxes);
        let width = parts(boxes) + 1;
        let mut counts = vec![0; (boxes + 1) * width];
        counts[0] = 1;
        for k in 1..width {
            let size = usize::from(size_of(boxes, k as u8 - 1));
            for n in 0..=boxes {
                let with = if n >= size { counts[(n - size) * width + k] } else { 0 };
                counts[n * width + k] = counts[n * width + k - 1] + with;
            }
        }
        let mut starts = vec![0];
        for n in 0..=boxes {
            starts.push(starts[n] + counts[n * width + width - 1]);
        }
        Ranking { boxes, width, counts, starts }
    }

    /// The most boxes.
    pub const fn boxes(&self) -> usize {
        self.boxes
    }

    /// How many multisets there are.
    pub fn len(&self) -> u64 {
        self.starts[self.boxes + 1].into()
    }

    /// Never: the empty multiset is always one.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// The numbers of the multisets of exactly so many boxes.
    pub fn of_boxes(&self, boxes: usize) -> std::ops::Range<u64> {
        self.starts[boxes].into()..self.starts[boxes + 1].into()
    }

    /// The number of a multiset, or `None` when it has more boxes than the numbering.
    pub fn rank(&self, set: &Multiset) -> Option<u64> {
        let total = set.boxes();
        if total > self.boxes {
            return None;
        }
        // Lengths are right in every `Multiset`: chains from 1, loops even from 4.
        let loops = set.loops().iter().rev().map(|&n| (self.boxes + usize::from(n) / 2 - 2, n));
        let chains = set.chains().iter().rev().map(|&n| (usize::from(n) - 1, n));
        Some(self.number(total, loops.chain(chains)))
    }

    /// The number of a multiset with `total` boxes, from its parts, last first.
    ///
    /// # Panics
    /// When the parts have more boxes than `total`, or `total` more than the numbering.
    pub fn rank_parts(&self, total: usize, parts: impl Iterator<Item = u8>) -> u64 {
        self.number(total, parts.map(|part| (usize::from(part), size_of(self.boxes, part))))
    }

    fn number(&self, total: usize, parts: impl Iterator<Item = (usize, u16)>) -> u64 {
        let mut left = total;
        let mut rank = self.starts[total];
        for (part, size) in parts {
            rank += self.counts[left * self.width + part];
            left -= usize::from(size);
        }
        rank.into()
    }

    /// The parts of the multiset with this number, and how many boxes it has.
    ///
    /// # Panics
    /// When there is no such number.
    pub fn unrank(&self, rank: u64, parts: &mut Parts) -> usize {
        assert!(rank < self.len(), "{rank} is past the last multiset");
        parts.clear();
        let rank = rank as u32;
        let total = self.starts.partition_point(|&start| start <= rank) - 1;
        let mut rank = rank - self.starts[total];
        let mut left = total;
        let mut most = self.width;
        while left > 0 {
            // The last part is the first that leaves more than `rank` multisets up to and including it.
            let counts = &self.counts[left * self.width..][..most];
            most = counts.partition_point(|&count| count <= rank);
            rank -= counts[most - 1];
            let part = most as u8 - 1;
            left -= usize::from(size_of(self.boxes, part));
            parts.push(part);
            most += 1;
        }
        total
    }

    /// The multiset with this number; `None` when there are not so many.
    pub fn multiset(&self, rank: u64) -> Option<Multiset> {
        if rank >= self.len() {
            return None;
        }
        let mut parts = Parts::new();
        self.unrank(rank, &mut parts);
        let (loops, chains): (Vec<u8>, Vec<u8>) = parts.iter().partition(|&&part| self.is_loop(part));
        let sizes =
            |parts: Vec<u8>| -> Vec<u32> { parts.iter().map(|&part| self.size(part).into()).collect() };
        Multiset::new(&sizes(chains), &sizes(loops)).ok()
    }

    /// How many boxes a part has.
    pub fn size(&self, part: u8) -> u16 {
        size_of(self.boxes, part)
    }

    /// Whether a part is a loop.
    pub fn is_loop(&self, part: u8) -> bool {
        usize::from(part) >= self.boxes
    }
}

/// How many parts there are up to so many boxes.
const fn parts(boxes: usize) -> usize {
    boxes + if boxes < 4 { 0 } else { boxes / 2 - 1 }
}

/// The boxes of a part.
const fn size_of(boxes: usize, part: u8) -> u16 {
    let part = part as u16;
    let boxes = boxes as u16;
    if part < boxes { part + 1 } else { 2 * (part - boxes) + 4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(chains: &[u32], loops: &[u32]) -> Multiset {
        Multiset::new(chains, loops).unwrap()
    }

    #[test]
    fn every_multiset_up_to_40_boxes_has_its_own_number() {
        let ranking = Ranking::new(40);
        assert_eq!(ranking.len(), 842_368);
        let mut parts = Parts::new();
        for rank in 0..ranking.len() {
            let total = ranking.unrank(rank, &mut parts);
            // Last part first, so no two numbers unrank to the same multiset written in two ways.
            assert!(parts.is_sorted_by(|a, b| a >= b));
            assert_eq!(parts.iter().map(|&p| usize::from(ranking.size(p))).sum::<usize>(), total);
            assert!(ranking.of_boxes(total).contains(&rank));
            assert_eq!(ranking.rank_parts(total, parts.iter().copied()), rank);
            assert_eq!(ranking.rank(&ranking.multiset(rank).unwrap()), Some(rank));
        }
    }

    #[test]
    fn small_numberings_by_hand() {
        let ranking = Ranking::new(4);
        // {}, 1, 11, 2, 111, 21, 3, 1111, 211, 22, 31, 4, loop 4
        assert_eq!(ranking.len(), 13);
        assert_eq!(ranking.rank(&set(&[], &[])), Some(0));
        assert_eq!(ranking.rank(&set(&[1], &[])), Some(1));
        assert_eq!(ranking.rank(&set(&[2], &[])), Some(3));
        assert_eq!(ranking.rank(&set(&[1, 3], &[])), Some(10));
        assert_eq!(ranking.rank(&set(&[], &[4])), Some(12));
        assert_eq!(ranking.rank(&set(&[1], &[4])), None);
        assert_eq!(Ranking::new(1).len(), 2);
        assert_eq!(Ranking::new(60).len(), 45_876_092);
    }

    #[test]
    fn a_table_for_more_boxes_begins_like_one_for_fewer() {
        let (small, large) = (Ranking::new(12), Ranking::new(20));
        for rank in 0..small.len() {
            assert_eq!(large.rank(&small.multiset(rank).unwrap()), Some(rank));
        }
    }
}
