//! Entries of a word or two of strings and one for all else, for cores of any size.
//!
//! The first word of a bucket is a version, odd while a writer is inside; a reader that sees it odd, or changed, has
//! read nothing. So an entry is never half old and half new. All of it is plain atomics.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::bounds::{Bucket, Key, Layout, Proof};
use crate::heap::HeapId;
use crate::interval::Interval;
use crate::mask::Mask;

/// The layout for any key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide;

const HEAP_BITS: u32 = 24;

/// `heap: 24 | work: 8 | lower: 16 | upper: 16`; never 0, since lower and upper are stored with an offset.
fn pack(heap: HeapId, proof: Proof) -> u64 {
    let word = |value: i16| (i32::from(value) + 0x8000) as u64 & 0xFFFF;
    u64::from(heap.0) << 40
        | u64::from(proof.work) << 32
        | word(proof.interval.lower) << 16
        | word(proof.interval.upper)
}

fn unpack(word: u64) -> (HeapId, Proof) {
    let value = |word: u64| ((word & 0xFFFF) as i32 - 0x8000) as i16;
    let interval = Interval { lower: value(word >> 16), upper: value(word) };
    (HeapId((word >> 40) as u32), Proof { interval, work: (word >> 32) as u8 })
}

#[inline(always)]
fn matches<M: Mask>(entry: &[AtomicU64], key: Key<M>) -> bool {
    let words = key.strings.words();
    let word = entry[M::WORDS].load(Ordering::Relaxed);
    entry[..M::WORDS].iter().zip(words).all(|(stored, word)| stored.load(Ordering::Relaxed) == word)
        && word >> 40 == u64::from(key.heap.0)
        && word as u32 != 0
}

impl<M: Mask> Layout<M> for Wide {
    const ENTRIES: usize = 7 / (M::WORDS + 1);

    fn max_heaps(self) -> usize {
        1 << HEAP_BITS
    }

    fn least_buckets_log(self) -> u32 {
        0
    }

    #[inline(always)]
    fn hash(self, key: Key<M>) -> u64 {
        let [low, high] = key.strings.words();
        let mut x = low
            ^ high.wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ u64::from(key.heap.0).wrapping_mul(0xA076_1D64_78BD_642F);
        x ^= x >> 32;
        x = x.wrapping_mul(0xE703_7ED1_A0B4_28DB);
        x ^= x >> 29;
        x = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^ x >> 32
    }

    #[inline(always)]
    fn get(self, bucket: &Bucket, key: Key<M>, _: u64, _: i16) -> Option<Interval> {
        let before = bucket[0].load(Ordering::Acquire);
        for entry in bucket[1..].chunks_exact(M::WORDS + 1) {
            if matches(entry, key) {
                let (_, found) = unpack(entry[M::WORDS].load(Ordering::Relaxed));
                fence(Ordering::Acquire);
                let calm = before & 1 == 0 && bucket[0].load(Ordering::Relaxed) == before;
                return calm.then_some(found.interval);
            }
        }
        None
    }

    #[inline(always)]
    fn put(self, bucket: &Bucket, key: Key<M>, _: u64, _: i16, mut proof: Proof) {
        let before = bucket[0].load(Ordering::Relaxed);
        let taken = before & 1 == 1
            || bucket[0].compare_exchange(before, before + 1, Ordering::Acquire, Ordering::Relaxed).is_err();
        if taken {
            // Somebody else is writing here; to forget is always sound.
            return;
        }
        fence(Ordering::Release);
        let (mut victim, mut least) = (0, u16::MAX);
        for (i, entry) in bucket[1..].chunks_exact(M::WORDS + 1).enumerate() {
            let word = entry[M::WORDS].load(Ordering::Relaxed);
            let (_, old) = unpack(word);
            if matches(entry, key) {
                proof = Proof { interval: proof.interval.and(old.interval), work: proof.work.max(old.work) };
                victim = i;
                break;
            }
            let cost = if word == 0 { 0 } else { u16::from(old.work) + 1 };
            if cost < least {
                (victim, least) = (i, cost);
            }
        }
        let at = 1 + victim * (M::WORDS + 1);
        for (stored, word) in bucket[at..at + M::WORDS].iter().zip(key.strings.words()) {
            stored.store(word, Ordering::Relaxed);
        }
        bucket[at + M::WORDS].store(pack(key.heap, proof), Ordering::Relaxed);
        bucket[0].store(before + 2, Ordering::Release);
    }

    fn spread<'b>(self, _: usize, bucket: &Bucket, to: impl Fn(u64) -> &'b Bucket) {
        for entry in bucket[1..].chunks_exact(M::WORDS + 1) {
            let word = entry[M::WORDS].load(Ordering::Relaxed);
            if word != 0 {
                let (heap, proof) = unpack(word);
                let words = [0, 1].map(|i| if i < M::WORDS { entry[i].load(Ordering::Relaxed) } else { 0 });
                let key = Key { strings: M::from_words(words), heap };
                let hash = Layout::<M>::hash(self, key);
                Layout::<M>::put(self, to(hash), key, hash, 0, proof);
            }
        }
    }
}
