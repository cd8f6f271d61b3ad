//! The table of what is proven: intervals by state, shared by all threads.
//!
//! A bucket is one cache line, and a look costs one line from memory. How entries lie in it is a [`Layout`]'s
//! matter; each compares the whole key, so a hit is never false.

use std::fmt::Debug;
use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use zerocopy::FromBytes;

use crate::heap::HeapId;
use crate::interval::Interval;

/// What a state is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key<M> {
    pub(crate) strings: M,
    pub(crate) heap: HeapId,
}

/// What is proven of a state, and how much work it took, as the logarithm of the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Proof {
    pub(crate) interval: Interval,
    pub(crate) work: u8,
}

/// One cache line of words, all zero until written.
pub(crate) type Bucket = [AtomicU64; 8];

/// How the entries of a bucket are kept: of one that is full, the entry that was the least work gives way.
pub(crate) trait Layout<M>: Copy + Debug + Send + Sync + 'static {
    /// How many entries a bucket holds.
    const ENTRIES: usize;

    /// More different heaps than this cannot be told apart.
    fn max_heaps(self) -> usize;

    /// A table has at least two to the power of this many buckets.
    fn least_buckets_log(self) -> u32;

    /// A number for the key, whose low bits choose the bucket.
    fn hash(self, key: Key<M>) -> u64;

    /// What is known of a state; `parity` is that of its value.
    fn get(self, bucket: &Bucket, key: Key<M>, hash: u64, parity: i16) -> Option<Interval>;

    /// Remembers a proof, together with what is already known.
    fn put(self, bucket: &Bucket, key: Key<M>, hash: u64, parity: i16, proof: Proof);

    /// Copies what the bucket of this number holds to the buckets of a larger table, as far as they have room.
    fn spread<'b>(self, index: usize, bucket: &Bucket, to: impl Fn(u64) -> &'b Bucket);
}

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

    /// What is in it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The same, to be written.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    /// The table in this memory.
    pub(crate) fn bounds<L>(&mut self, layout: L) -> Bounds<'_, L> {
        // The map is whole buckets, and begins on a page, so the view always fits.
        let buckets: &[Bucket] = <[Bucket]>::mut_from_bytes(&mut self.0).map_or(&[], |buckets| buckets);
        Bounds { buckets, layout }
    }
}

/// A key with its hash, so that it is worked out once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hashed<M> {
    pub(crate) key: Key<M>,
    pub(crate) hash: u64,
}

/// Buckets copied between two looks at whether to stop: about a millisecond.
const COPIED_AT_ONCE: usize = 1 << 12;

/// Proven intervals by state.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a, L> {
    buckets: &'a [Bucket],
    layout: L,
}

impl<'a, L> Bounds<'a, L> {
    #[inline(always)]
    fn bucket(&self, hash: u64) -> &'a Bucket {
        // The number of buckets is a power of two.
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// The key, made ready to look it up.
    #[inline(always)]
    pub(crate) fn hashed<M>(&self, key: Key<M>) -> Hashed<M>
    where
        M: Copy,
        L: Layout<M>,
    {
        Hashed { key, hash: self.layout.hash(key) }
    }

    /// Asks for a state's bucket to be brought from memory while something else is done: a look costs tens of
    /// nanoseconds after that, and ten times as many without, since every bucket is somewhere else.
    #[inline(always)]
    pub(crate) fn prefetch<M>(&self, at: Hashed<M>) {
        branches::prefetch_read_data::<Bucket, 0>(self.bucket(at.hash));
    }

    /// What is known of a state; `parity` is that of its value.
    #[inline(always)]
    pub(crate) fn get<M>(&self, at: Hashed<M>, parity: i16) -> Option<Interval>
    where
        L: Layout<M>,
    {
        self.layout.get(self.bucket(at.hash), at.key, at.hash, parity)
    }

    /// Remembers a proof, together with what is already known.
    #[inline(always)]
    pub(crate) fn put<M>(&self, at: Hashed<M>, parity: i16, proof: Proof)
    where
        L: Layout<M>,
    {
        self.layout.put(self.bucket(at.hash), at.key, at.hash, parity, proof);
    }

    /// Copies every entry of a smaller table, as far as they find room; `false` when it was told to stop before the end.
    pub(crate) fn copy_from<M>(&self, other: &Bounds<L>, stop: impl Fn() -> bool) -> bool
    where
        L: Layout<M>,
    {
        for (i, bucket) in other.buckets.iter().enumerate() {
            if i % COPIED_AT_ONCE == 0 && stop() {
                return false;
            }
            self.layout.spread(i, bucket, |hash| self.bucket(hash));
        }
        true
    }
}
