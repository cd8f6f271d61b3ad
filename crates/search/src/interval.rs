//! What is proven about a value.

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
