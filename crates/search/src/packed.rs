//! Entries of one word each, for cores of up to about fifty strings.
//!
//! A key of k bits is sent to another number of k bits, one to one, and the low bits of that choose the bucket: so they
//! need not be stored, and what is left of the key fits in a word beside the interval.
//!
//! ```text
//!  key:    heap | strings                            k bits
//!  image:  tag                        | low bits     k bits; the bucket's number ends in the low bits
//!  entry:  tag (47) | work (5) | lower (6) | upper (6)
//! ```
//!
//! An entry is read and written whole, so it is never half old and half new, and needs no lock.
//!
//! **Proof that the image is one to one.** Each step is: to multiply by an odd number modulo 2^k has an inverse, and
//! `x ^ x >> s` with s >= 1 is undone from the highest bit downwards.

use std::sync::atomic::Ordering;

use crate::bounds::{Bucket, Key, Layout, Proof};
use crate::interval::Interval;

const TAG_BITS: u32 = 47;
const WORK_BITS: u32 = 5;
const VALUE_BITS: u32 = 6;
const TAG_SHIFT: u32 = WORK_BITS + 2 * VALUE_BITS;

/// Values are stored as halves above this one.
const LEAST: i16 = -(1 << VALUE_BITS);
/// The most boxes a position may have.
const MAX_BOXES: usize = (1 << VALUE_BITS) - 1;

/// The layout for keys of so many bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed {
    string_bits: u32,
    key_bits: u32,
}

impl Packed {
    /// The layout for cores of so many strings in positions of so many boxes, if they fit.
    pub(crate) fn new(strings: usize, boxes: usize) -> Option<Packed> {
        if boxes > MAX_BOXES {
            return None;
        }
        let heap_bits = usize::BITS - heaps(boxes).leading_zeros();
        let string_bits = (strings as u32).max(1);
        let packed = Packed { string_bits, key_bits: string_bits + heap_bits };
        // A table this small is no burden.
        (packed.least_buckets_log() <= 14).then_some(packed)
    }

    fn low_bits(self) -> u32 {
        self.key_bits.saturating_sub(TAG_BITS)
    }

    fn entry(self, hash: u64, parity: i16, proof: Proof) -> u64 {
        // Rounded towards each other: a value has the parity given.
        let lower = (proof.interval.lower - LEAST - parity + 1) >> 1;
        let upper = (proof.interval.upper - LEAST - parity) >> 1;
        // Work is never 0, so that no entry is.
        let work = (u64::from(proof.work) + 1).min((1 << WORK_BITS) - 1);
        (hash >> self.low_bits()) << TAG_SHIFT
            | work << (2 * VALUE_BITS)
            | (lower as u64) << VALUE_BITS
            | upper as u64
    }
}

/// At least as many as there are multisets of chains and loops with at most so many boxes, no pairs of
/// 1-chains and no pairs of 2-chains, the only ones a search meets.
fn heaps(boxes: usize) -> usize {
    // sets[n]: how many have exactly n boxes.
    let mut sets = vec![0usize; boxes + 1];
    sets[0] = 1;
    for short in [1, 2] {
        for n in (short..=boxes).rev() {
            sets[n] += sets[n - short];
        }
    }
    let loops = (4..=boxes).step_by(2);
    for component in (3..=boxes).chain(loops) {
        for n in component..=boxes {
            sets[n] = sets[n].saturating_add(sets[n - component]);
        }
    }
    sets.iter().fold(0, |all, &n| all.saturating_add(n))
}

fn work_of(word: u64) -> u64 {
    word >> (2 * VALUE_BITS) & ((1 << WORK_BITS) - 1)
}

fn interval_of(word: u64, parity: i16) -> Interval {
    let value = |word: u64| ((word & ((1 << VALUE_BITS) - 1)) as i16) * 2 + LEAST + parity;
    Interval { lower: value(word >> VALUE_BITS), upper: value(word) }
}

/// Writes an entry over the one that was the least work, which an empty one always is.
#[inline(always)]
fn replace(bucket: &Bucket, word: u64) {
    let victim = bucket.iter().min_by_key(|entry| work_of(entry.load(Ordering::Relaxed)));
    if let Some(victim) = victim {
        victim.store(word, Ordering::Relaxed);
    }
}

impl Layout<u64> for Packed {
    const ENTRIES: usize = 8;

    fn max_heaps(self) -> usize {
        1 << (self.key_bits - self.string_bits)
    }

    fn least_buckets_log(self) -> u32 {
        self.low_bits()
    }

    #[inline(always)]
    fn hash(self, key: Key<u64>) -> u64 {
        let mask = u64::MAX >> (64 - self.key_bits);
        let half = self.key_bits / 2;
        let x = key.strings | u64::from(key.heap.0) << self.string_bits;
        let x = x.wrapping_mul(0xE703_7ED1_A0B4_28DB) & mask;
        let x = (x ^ x >> half).wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        x ^ x >> half
    }

    #[inline(always)]
    fn get(self, bucket: &Bucket, _: Key<u64>, hash: u64, parity: i16) -> Option<Interval> {
        let tag = hash >> self.low_bits();
        // All are compared before the one branch: which of them matches nobody can predict.
        let mut found = 0;
        for entry in bucket {
            let word = entry.load(Ordering::Relaxed);
            found = if word >> TAG_SHIFT == tag { word } else { found };
        }
        (found != 0).then(|| interval_of(found, parity))
    }

    #[inline(always)]
    fn put(self, bucket: &Bucket, _: Key<u64>, hash: u64, parity: i16, proof: Proof) {
        let tag = hash >> self.low_bits();
        for entry in bucket {
            let word = entry.load(Ordering::Relaxed);
            if word >> TAG_SHIFT == tag && word != 0 {
                let interval = proof.interval.and(interval_of(word, parity));
                let work = proof.work.max(work_of(word) as u8 - 1);
                entry.store(self.entry(hash, parity, Proof { interval, work }), Ordering::Relaxed);
                return;
            }
        }
        replace(bucket, self.entry(hash, parity, proof));
    }

    fn spread<'b>(self, index: usize, bucket: &Bucket, to: impl Fn(u64) -> &'b Bucket) {
        let low = index as u64 & ((1 << self.low_bits()) - 1);
        for entry in bucket {
            let word = entry.load(Ordering::Relaxed);
            if word != 0 {
                replace(to((word >> TAG_SHIFT) << self.low_bits() | low), word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::heap::HeapId;

    /// Every key has an image of its own, of no more bits than the key.
    #[test]
    fn images_are_one_to_one() {
        for (strings, boxes) in [(1, 4), (5, 6), (9, 4), (12, 12)] {
            let packed = Packed::new(strings, boxes).unwrap();
            let heaps = packed.max_heaps() as u32;
            let mut images = HashSet::new();
            for strings in 0..1u64 << packed.string_bits {
                for heap in 0..heaps {
                    let image = packed.hash(Key { strings, heap: HeapId(heap) });
                    assert!(image < 1 << packed.key_bits, "{packed:?}");
                    assert!(images.insert(image), "{packed:?}");
                }
            }
        }
    }

    /// The multisets of up to 4 boxes by hand: none, {1}, {2}, {1, 2}, {3}, {1, 3}, {4} and the loop of 4.
    #[test]
    fn heaps_are_counted() {
        assert_eq!([0, 1, 2, 3, 4].map(heaps), [1, 2, 3, 5, 8]);
    }

    /// What is put is found again, of either parity and up to the limits, and full buckets forget the least work.
    #[test]
    fn entries_keep_what_is_put() {
        let packed = Packed::new(30, MAX_BOXES).unwrap();
        let bucket: Bucket = std::array::from_fn(|_| AtomicU64::new(0));
        let keys: Vec<_> = (0..9u64).map(|i| Key { strings: i * 7 + 1, heap: HeapId(i as u32) }).collect();
        for (i, &key) in keys.iter().enumerate() {
            let hash = packed.hash(key);
            for parity in [0, 1] {
                let most = MAX_BOXES as i16 - 1 + parity;
                for (lower, upper) in [(-most, most), (parity, most), (-most, -parity), (parity, parity)] {
                    let interval = Interval { lower, upper };
                    let alone: Bucket = std::array::from_fn(|_| AtomicU64::new(0));
                    packed.put(&alone, key, hash, parity, Proof { interval, work: 3 });
                    assert_eq!(packed.get(&alone, key, hash, parity), Some(interval));
                }
            }
            let proof = Proof { interval: Interval::within(i as i16 & !1), work: 10 - i as u8 };
            packed.put(&bucket, key, hash, 0, proof);
        }
        // Eight fit; the ninth took the place of the eighth, which was the least work.
        for (i, &key) in keys.iter().enumerate() {
            let found = packed.get(&bucket, key, packed.hash(key), 0);
            assert_eq!(found, (i != 7).then(|| Interval::within(i as i16 & !1)), "{i}");
        }
    }
}
