//! From the value of a quiet rest to the value of the position before the taking.

use crate::interval::Interval;

/// A position with boxes on offer, as a function of the value `v` of the quiet rest: with T boxes on offer
/// and bribe b, `T + v` where b is 0, else `T - b + |v + b|` (see [`endgame::Offer`]), for the taker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) boxes: i16,
    pub(crate) bribe: i16,
}

impl Line {
    /// The value of the position, from the value of the rest.
    #[inline(always)]
    pub(crate) fn value(self, rest: Interval) -> Interval {
        if self.bribe == 0 {
            return Interval { lower: self.boxes + rest.lower, upper: self.boxes + rest.upper };
        }
        let (low, high) = (rest.lower + self.bribe, rest.upper + self.bribe);
        let sure = self.boxes - self.bribe;
        // v and the parity of the rest are the same, so an interval of one parity that reaches over zero
        // comes as near to it as that parity allows.
        let least = if low > 0 {
            low
        } else if high < 0 {
            -high
        } else {
            low & 1
        };
        Interval { lower: sure + least, upper: sure + low.abs().max(high.abs()) }
    }

    /// What must be asked of the rest, knowing `rest`, to settle whether the position reaches `beta`: a number to
    /// test the rest against; `None` when it is settled.
    #[inline(always)]
    pub(crate) fn ask(self, rest: Interval, beta: i16) -> Option<i16> {
        if self.value(rest).settles(beta) {
            return None;
        }
        if self.bribe == 0 {
            return Some(beta - self.boxes);
        }
        // |v + b| >= y: v >= y - b, or v < -y - b + 1.
        let y = beta - self.boxes + self.bribe;
        let (high, low) = (y - self.bribe, -y - self.bribe + 1);
        if !rest.settles(high) { Some(high) } else { Some(low) }
    }
}
