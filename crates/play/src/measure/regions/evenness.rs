//! Walls that differ in nothing but how evenly they split.

use std::collections::BTreeMap;

use super::super::line;
use super::Report;
use super::boards::apart;
use super::count::Apart;
use super::domineering::Domineering;
use super::game::{Cells, Game as _, each};
use super::relation::flood;

/// The walls of four and five squares that split the 4x5 board in two and have no square to spare, by how evenly they
/// do.
pub(super) fn measure(report: &mut Report) {
    report.say(
        "\nEvenness: every wall of four or five squares on 4x5 that splits it in two and has no square to \
         spare.\n",
    );
    report.say("| wall | split | walls | product | sum | product - sum | product over sum | pays |");
    report.say("|---:|---|---:|---:|---:|---:|---:|---:|");
    let board = Domineering::new(4, 5, 0);
    let all: Cells = board.cells();
    let regions = |blocked: Cells| flood(all & !blocked, |square| board.adjacent(square));
    let mut by_split: BTreeMap<(u32, u32), Vec<Apart>> = BTreeMap::new();
    for blocked in (0..=all).filter(|b| matches!(b.count_ones(), 4 | 5)) {
        let found = regions(blocked);
        let [one, other] = found[..] else { continue };
        if each(blocked).all(|square| regions(blocked & !square).len() == 1) {
            let smaller = one.count_ones().min(other.count_ones());
            let board = Domineering::new(4, 5, blocked);
            let found = apart(&board);
            report.product(&found);
            by_split.entry((blocked.count_ones(), smaller)).or_default().push(found);
        }
    }
    let (mut last, mut rises, mut falls) = ((0, 0.0, i64::MAX), true, true);
    for (&(wall, smaller), walls) in &by_split {
        let range = |of: &dyn Fn(&Apart) -> i64| {
            let all = walls.iter().map(of);
            (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
        };
        let shown = |(least, most): (i64, i64)| {
            if least == most { least.to_string() } else { format!("{least} to {most}") }
        };
        let product = range(&|found| found.product().positions as i64);
        let sum = range(&|found| found.sum() as i64);
        let best = walls
            .iter()
            .map(|found| found.product().positions as f64 / found.sum() as f64)
            .fold(0.0, f64::max);
        let pays = walls.iter().filter(|found| found.saved() > found.visited as i64).count();
        line(
            &mut report.table,
            format_args!(
                "| {wall} | {smaller} + {} | {} | {} | {} | {} | up to {best:.1} | {pays} |",
                20 - wall - smaller,
                walls.len(),
                shown(product),
                shown(sum),
                shown(range(&Apart::saved)),
            ),
        );
        if last.0 == wall {
            rises &= best > last.1;
            falls &= sum.0 < last.2;
        }
        last = (wall, best, sum.0);
    }
    report.say(
        "\nThe sum falls as the split gets more even. The product does not: it follows the shape of the parts. So \
         product - sum alone is no measure of evenness; product over sum is, for the best wall of each split.",
    );
    report.claim("the least sum falls with every step towards an even split".into(), falls);
    report.claim("the best product over sum rises with every step towards an even split".into(), rises);
}
