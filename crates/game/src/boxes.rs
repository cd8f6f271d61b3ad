//! The unit of every value.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A net number of boxes: the mover's minus the other player's, over the *rest* of the game, for the
/// player to move. The largest board has 1,024 boxes, so every sum the theory needs fits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Boxes(pub i16);

impl Boxes {
    /// No boxes either way.
    pub const ZERO: Boxes = Boxes(0);

    /// The plain number.
    pub const fn get(self) -> i16 {
        self.0
    }
}

impl Neg for Boxes {
    type Output = Boxes;
    /// The same result seen by the other player.
    fn neg(self) -> Boxes {
        Boxes(-self.0)
    }
}

impl Add for Boxes {
    type Output = Boxes;
    fn add(self, other: Boxes) -> Boxes {
        Boxes(self.0 + other.0)
    }
}

impl Sub for Boxes {
    type Output = Boxes;
    fn sub(self, other: Boxes) -> Boxes {
        Boxes(self.0 - other.0)
    }
}

impl AddAssign for Boxes {
    fn add_assign(&mut self, other: Boxes) {
        *self = *self + other;
    }
}

impl SubAssign for Boxes {
    fn sub_assign(&mut self, other: Boxes) {
        *self = *self - other;
    }
}

impl Sum for Boxes {
    fn sum<I: Iterator<Item = Boxes>>(iter: I) -> Boxes {
        iter.fold(Boxes::ZERO, Add::add)
    }
}

impl fmt::Display for Boxes {
    /// With a sign when it is not zero: `+2`, `0`, `-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.pad("0") } else { f.pad(&format!("{:+}", self.0)) }
    }
}
