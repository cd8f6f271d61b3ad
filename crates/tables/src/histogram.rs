//! How often each value comes in a table.

use std::fmt;

use game::Boxes;

/// No table has a value beyond this many boxes either way.
const MOST: i16 = 64;

/// How often each value comes.
#[derive(Clone, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; 2 * MOST as usize + 1],
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: [0; _] }
    }
}

impl Histogram {
    /// Counts a value `times` more.
    ///
    /// # Panics
    /// When the value is more than 64 boxes either way, which no table's is.
    pub fn add(&mut self, value: Boxes, times: u64) {
        assert!((-MOST..=MOST).contains(&value.0), "no table has the value {value}");
        self.counts[(value.0 + MOST) as usize] += times;
    }

    /// The values that come at all, ascending, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (Boxes, u64)> + '_ {
        let values = (-MOST..=MOST).map(Boxes);
        values.zip(self.counts).filter(|&(_, count)| count > 0)
    }

    /// All values together.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl fmt::Display for Histogram {
    /// `-1 = 8, 0 = 1, 1 = 7`, as in the manifest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().enumerate().try_for_each(|(i, (value, count))| {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{} = {count}", value.0)
        })
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{ {self} }}")
    }
}
