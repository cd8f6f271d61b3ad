//! What is proven about a value, and the table that remembers it.
//!
//! A bucket is one cache line: a version and as many entries as fit. The version is odd while a writer is
//! inside; a reader that sees it odd, or changed, has read nothing. So an entry is never half old and half
//! new, the whole key is compared, and a hit is never false. All of it is plain atomics.

use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use memmap2::MmapMut;
use zerocopy::FromBytes;

use crate::heap::HeapId;
use crate::mask::Mask;

/// An interval a value is proven to lie in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) lower: i16,
    pub(crate) upper: i16,
}

impl Interval {
    /// A single value.
    pub(crate) const fn exactly(value: i16) -> Interval {
        Interval { lower: value, upper: value }
    }

    /// Nothing known but the boxes left.
    pub(crate) const fn within(boxes: i16) -> Interval {
        Interval { lower: -boxes, upper: boxes }
    }

    /// What both say.
    #[inline(always)]
    pub(crate) fn and(self, other: Interval) -> Interval {
        Interval { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// Whether the value is known.
    pub(crate) const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Whether it is settled that the value reaches `beta`, or that it does not.
    #[inline(always)]
    pub(crate) const fn settles(self, beta: i16) -> bool {
        self.lower >= beta || self.upper < beta
    }
}

impl std::ops::Neg for Interval {
    type Output = Interval;
    /// The same value seen by the other player.
    #[inline(always)]
    fn neg(self) -> Interval {
        Interval { lower: -self.upper, upper: -self.lower }
    }
}

/// The key of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key<M> {
    pub(crate) strings: M,
    pub(crate) heap: HeapId,
}

impl<M: Mask> Key<M> {
    #[inline(always)]
    fn hash(self) -> u64 {
        let [low, high] = self.strings.words();
        let mut x = low
            ^ high.wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ u64::from(self.heap.0).wrapping_mul(0xA076_1D64_78BD_642F);
        x ^= x >> 32;
        x = x.wrapping_mul(0xE703_7ED1_A0B4_28DB);
        x ^= x >> 29;
        x = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^ x >> 32
    }
}

const WORDS: usize = 8;

/// One cache line: the version, then as many entries as fit.
type Bucket = [AtomicU64; WORDS];

/// The memory of a table: zeros until written, in huge pages where the system has them, since every look at it is at
/// a random place.
pub(crate) struct Memory(MmapMut);

impl Memory {
    /// About this many bytes, rounded down to a power of two, and never fewer than one bucket.
    ///
    /// # Errors
    /// When the system has no such memory.
    pub(crate) fn new(bytes: usize) -> io::Result<Memory> {
        let map = MmapMut::map_anon(1 << bytes.max(size_of::<Bucket>()).ilog2())?;
        #[cfg(target_os = "linux")]
        if map.len() >= 1 << 21 {
            // A wish: where it is not granted the table is only slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Memory(map))
    }

    /// How many bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The table in this memory.
    pub(crate) fn bounds<M: Mask>(&mut self) -> Bounds<'_, M> {
        // The map is whole buckets, and begins on a page, so the view always fits.
        let buckets: &[Bucket] = <[Bucket]>::mut_from_bytes(&mut self.0).map_or(&[], |buckets| buckets);
        Bounds { buckets, kind: PhantomData }
    }
}

/// Proven intervals by state. An entry is a key, an interval, and how much work it took: the cheapest
/// one of a full bucket gives way.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a, M> {
    buckets: &'a [Bucket],
    kind: PhantomData<M>,
}

/// `heap: 24 | work: 8 | lower: 16 | upper: 16`; never 0, since lower and upper are stored with an offset.
fn pack(heap: HeapId, work: u8, interval: Interval) -> u64 {
    let word = |value: i16| (i32::from(value) + 0x8000) as u64 & 0xFFFF;
    u64::from(heap.0) << 40 | u64::from(work) << 32 | word(interval.lower) << 16 | word(interval.upper)
}

fn unpack(word: u64) -> (HeapId, u8, Interval) {
    let value = |word: u64| ((word & 0xFFFF) as i32 - 0x8000) as i16;
    (
        HeapId((word >> 40) as u32),
        (word >> 32) as u8,
        Interval { lower: value(word >> 16), upper: value(word) },
    )
}

impl<M: Mask> Bounds<'_, M> {
    const ENTRY: usize = M::WORDS + 1;

    /// Copies every entry, as far as they find room.
    pub(crate) fn copy_from(&self, other: &Bounds<M>) {
        for bucket in other.buckets {
            for entry in bucket[1..].chunks_exact(Self::ENTRY) {
                let word = entry[M::WORDS].load(Ordering::Relaxed);
                if word != 0 {
                    let (heap, work, interval) = unpack(word);
                    let words =
                        [0, 1].map(|i| if i < M::WORDS { entry[i].load(Ordering::Relaxed) } else { 0 });
                    self.put(Key { strings: M::from_words(words), heap }, work, interval);
                }
            }
        }
    }

    #[inline(always)]
    fn bucket(&self, key: Key<M>) -> &Bucket {
        // The number of buckets is a power of two.
        &self.buckets[key.hash() as usize & (self.buckets.len() - 1)]
    }

    /// Asks for a state's bucket to be brought from memory while something else is done: a look costs tens of
    /// nanoseconds after that, and ten times as many without, since every bucket is somewhere else.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: Key<M>) {
        branches::prefetch_read_data::<Bucket, 0>(self.bucket(key));
    }

    #[inline(always)]
    fn matches(entry: &[AtomicU64], key: Key<M>) -> bool {
        let words = key.strings.words();
        let word = entry[M::WORDS].load(Ordering::Relaxed);
        entry[..M::WORDS].iter().zip(words).all(|(stored, word)| stored.load(Ordering::Relaxed) == word)
            && word >> 40 == u64::from(key.heap.0)
            && word as u32 != 0
    }

    /// What is known of a state.
    #[inline]
    pub(crate) fn get(&self, key: Key<M>) -> Option<Interval> {
        let bucket = self.bucket(key);
        let before = bucket[0].load(Ordering::Acquire);
        for entry in bucket[1..].chunks_exact(Self::ENTRY) {
            if Self::matches(entry, key) {
                let found = unpack(entry[M::WORDS].load(Ordering::Relaxed)).2;
                fence(Ordering::Acquire);
                let calm = before & 1 == 0 && bucket[0].load(Ordering::Relaxed) == before;
                return calm.then_some(found);
            }
        }
        None
    }

    /// Remembers an interval, together with what is already known.
    #[inline]
    pub(crate) fn put(&self, key: Key<M>, work: u8, interval: Interval) {
        let bucket = self.bucket(key);
        let before = bucket[0].load(Ordering::Relaxed);
        let taken = before & 1 == 1
            || bucket[0].compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed).is_err();
        if taken {
            // Somebody else is writing here; to forget is always sound.
            return;
        }
        fence(Ordering::Release);
        let (mut victim, mut least) = (0, u16::MAX);
        let (mut interval, mut work) = (interval, work);
        for (i, entry) in bucket[1..].chunks_exact(Self::ENTRY).enumerate() {
            let word = entry[M::WORDS].load(Ordering::Relaxed);
            if Self::matches(entry, key) {
                let (_, old_work, old) = unpack(word);
                interval = interval.and(old);
                work = work.max(old_work);
                victim = i;
                break;
            }
            let cost = if word == 0 { 0 } else { u16::from((word >> 32) as u8) + 1 };
            if cost < least {
                (victim, least) = (i, cost);
            }
        }
        let entry = &bucket[1 + victim * Self::ENTRY..1 + (victim + 1) * Self::ENTRY];
        for (stored, word) in entry[..M::WORDS].iter().zip(key.strings.words()) {
            stored.store(word, Ordering::Relaxed);
        }
        entry[M::WORDS].store(pack(key.heap, work, interval), Ordering::Relaxed);
        bucket[0].store(before + 2, Ordering::Release);
    }
}
