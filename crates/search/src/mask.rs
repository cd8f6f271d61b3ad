//! Sets of strings and coins as machine words.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// A small set of strings or boxes: `u64` for a core of up to 64 strings, `u128` up to 128. Everything below
/// the solver is generic over it, so the common case pays for 64 bits only.
pub(crate) trait Mask:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// How many members there can be.
    const BITS: usize;
    /// How many `u64` words hold it.
    const WORDS: usize;
    /// No members.
    const EMPTY: Self;

    /// The set of one member.
    fn bit(i: u8) -> Self;
    /// How many members.
    fn count(self) -> u32;
    /// The smallest member; of the empty set, [`Mask::BITS`].
    fn lowest(self) -> u8;
    /// The largest member; not for the empty set.
    fn highest(self) -> u8;
    /// The set without its smallest member.
    fn rest(self) -> Self;
    /// The low and the high word.
    fn words(self) -> [u64; 2];
    /// The set of these words.
    fn from_words(words: [u64; 2]) -> Self;

    /// Whether there are no members.
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether `i` is a member.
    fn has(self, i: u8) -> bool {
        !(self & Self::bit(i)).is_empty()
    }

    /// The members, ascending.
    fn members(self) -> Members<Self> {
        Members(self)
    }
}

/// The members of a set, ascending.
pub(crate) struct Members<M>(M);

impl<M: Mask> Iterator for Members<M> {
    type Item = u8;
    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0.is_empty() {
            return None;
        }
        let i = self.0.lowest();
        self.0 = self.0.rest();
        Some(i)
    }
}

macro_rules! mask {
    ($word:ty, $words:expr, |$m:ident| $split:expr, |$w:ident| $join:expr) => {
        impl Mask for $word {
            const BITS: usize = <$word>::BITS as usize;
            const WORDS: usize = $words;
            const EMPTY: Self = 0;
            #[inline(always)]
            fn bit(i: u8) -> Self {
                1 << i
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline(always)]
            fn highest(self) -> u8 {
                self.ilog2() as u8
            }
            #[inline(always)]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn words(self) -> [u64; 2] {
                let $m = self;
                $split
            }
            #[inline(always)]
            fn from_words($w: [u64; 2]) -> Self {
                $join
            }
        }
    };
}

mask!(u64, 1, |m| [m, 0], |w| w[0]);
mask!(u128, 2, |m| [m as u64, (m >> 64) as u64], |w| u128::from(w[0]) | u128::from(w[1]) << 64);
