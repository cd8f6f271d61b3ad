//! Regions: the pass derived from the same touch relation as the move generator.
//!
//! * [`game`]: what a move asks and turns over; [`domineering`], [`dots_and_boxes`] and [`konane`] say theirs.
//! * [`relation`]: which cells touch, the regions that makes, and why a position's graph is their product.
//! * [`count`]: that graph, whole and in parts; [`boards`], [`evenness`] and [`identification`] count it.
//! * [`warning`]: relations that split wrongly.
//! * [`values`]: what adds under normal play; [`misere`], [`sums`]: where it does and where it does not.
//! * [`walk`], [`outcome`], [`score`]: searches with a pass; [`searches`], [`depths`] and [`costs`] count them.

mod boards;
mod costs;
mod count;
mod depths;
mod domineering;
mod dots_and_boxes;
mod evenness;
mod game;
mod identification;
mod konane;
mod misere;
mod outcome;
mod relation;
mod score;
mod searches;
mod starts;
mod sums;
mod values;
mod walk;
mod warning;

#[cfg(test)]
mod tests;

use super::{Finding, finding};
use crate::matches::Terms;
use count::Apart;

/// What is being written, and what is asserted on the way.
struct Report {
    table: String,
    claims: Vec<(String, bool)>,
    /// Positions whose product identity was asserted, and how many of them have several regions.
    asserted: u64,
    split: u64,
    /// How many failed.
    broken: u64,
}

impl Report {
    fn say(&mut self, text: &str) {
        self.table.push_str(text);
        self.table.push('\n');
    }

    fn claim(&mut self, claim: String, held: bool) {
        self.claims.push((claim, held));
    }

    /// Asserts the product identity.
    fn product(&mut self, found: &Apart) {
        self.asserted += 1;
        self.split += u64::from(found.parts.len() > 1);
        self.broken += u64::from(!found.is_product());
    }
}

/// A quotient to the nearest whole number, halves away from zero.
fn nearest(a: i64, b: u64) -> i64 {
    let b = b.max(1) as i64;
    (2 * a.abs() + b) / (2 * b) * a.signum()
}

/// Regions, what they save and when they come about.
pub(super) fn measure(games: u32, terms: Terms<'_>) -> Option<Finding> {
    let mut report = Report { table: String::new(), claims: Vec::new(), asserted: 0, split: 0, broken: 0 };
    boards::reference(&mut report);
    evenness::measure(&mut report);
    boards::scraps(&mut report);
    identification::measure(&mut report);
    warning::konane(&mut report);
    warning::random(&mut report, games, terms)?;
    misere::measure(&mut report);
    sums::measure(&mut report, games, terms)?;
    searches::measure(&mut report, games.div_ceil(10), terms)?;
    let Report { asserted, split, broken, .. } = report;
    report.claim(
        format!(
            "the product identity, positions and arcs, on all of {asserted} positions, {split} of them split"
        ),
        broken == 0 && split > 0,
    );
    Some(finding(report.table, report.claims))
}
