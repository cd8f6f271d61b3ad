//! The value and best openings of every multiset of chains and loops up to so many boxes.
//!
//! Straight from the taker's choice, one total of boxes after another: opening a component of L boxes hands
//! it to the taker, who takes all, `L + EV(rest)`, or leaves the bribe b, `L - 2b - EV(rest)`, where it can be
//! declined at all. The rest has fewer boxes, so its value is known. No closed form, so that this and
//! `endgame` check each other.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tables::{Layout, Parts, Ranking, TableId};

/// How many boxes are left to the opener by declining, one number for each way to open a component; 0 where
/// it cannot be declined. A 2-chain is opened in its middle or at its end.
fn bribes(size: u16, is_loop: bool) -> &'static [i8] {
    match (is_loop, size) {
        (true, _) => &[4],
        (false, 1) => &[0],
        (false, 2) => &[0, 2],
        (false, _) => &[2],
    }
}

/// How many bytes of memory it takes: all values and entries, those of the largest total (a fifth of all, eight bytes
/// each) once more, and the compressed blocks.
pub(crate) fn memory(id: TableId) -> u64 {
    id.entries() * (1 + 2 * u64::from(id.entry_bits()) / 8) + id.entries() / 5 * 8
}

/// The entries of the table, laid out and in order; `None` when `cancel` was raised. `advanced` is told how
/// many are done.
pub(crate) fn fill(
    boxes: u16,
    layout: Layout,
    advanced: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Option<Vec<u8>> {
    let ranking = Ranking::new(boxes);
    let mut values: Vec<i8> = Vec::with_capacity(ranking.len() as usize);
    let mut entries = Vec::with_capacity(ranking.len() as usize * layout.bytes);
    for total in 0..=usize::from(boxes) {
        // Numbers go up to 45,876,092: they fit 32 bits, which rayon can split evenly.
        let numbers = ranking.of_boxes(total);
        let numbers = numbers.start as u32..numbers.end as u32;
        let layer: Vec<(i8, u32)> = numbers
            .into_par_iter()
            .with_min_len(1024)
            .map_init(Parts::new, |parts, rank| {
                if cancel.load(Ordering::Relaxed) {
                    return None;
                }
                ranking.unrank(rank.into(), parts);
                Some(open(&ranking, &values, total, parts))
            })
            .collect::<Option<_>>()?;
        for (value, best) in layer {
            values.push(value);
            let wins = (total as i32 + i32::from(value)) / 2;
            entries.extend_from_slice(&layout.encode(wins as u32, best)[..layout.bytes]);
        }
        advanced(values.len() as u64);
    }
    Some(entries)
}

/// The value of a multiset for the player who must open it, and a bit for each way to open that reaches it.
fn open(ranking: &Ranking, values: &[i8], total: usize, parts: &Parts) -> (i8, u32) {
    let (mut value, mut best, mut way) = (i8::MIN, 0, 0);
    // The ways to open go chains first and short before long: parts from last to first.
    for i in (0..parts.len()).rev() {
        if i + 1 < parts.len() && parts[i] == parts[i + 1] {
            continue;
        }
        let size = ranking.size(parts[i]);
        let others = parts[..i].iter().chain(&parts[i + 1..]).copied();
        let rest = values[ranking.rank_parts(total - usize::from(size), others) as usize];
        let boxes = size as i8;
        for &bribe in bribes(size, ranking.is_loop(parts[i])) {
            let take_all = boxes + rest;
            let taker = if bribe == 0 { take_all } else { take_all.max(boxes - 2 * bribe - rest) };
            if -taker > value {
                (value, best) = (-taker, 0);
            }
            best |= u32::from(-taker == value) << way;
            way += 1;
        }
    }
    if parts.is_empty() { (0, 0) } else { (value, best) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endgame::{best_openings, value};
    use tables::EndgameTable;

    #[test]
    fn every_multiset_up_to_24_boxes_as_the_closed_form_has_it() {
        let id = TableId::endgame(24).unwrap();
        let raw = fill(24, Layout::of(id), &|_| {}, &AtomicBool::new(false)).unwrap();
        let bytes = tables::pack(id, tables::BLOCK_BYTES, &raw).unwrap();
        let table = EndgameTable::new(tables::Container::open(bytes).unwrap(), usize::MAX).unwrap();
        let ranking = Ranking::new(24);
        for rank in 0..ranking.len() {
            let set = ranking.multiset(rank).unwrap();
            assert_eq!(table.probe(&set), Some((value(&set), best_openings(&set))), "{set}");
        }
    }

    #[test]
    fn a_raised_flag_stops_it() {
        let layout = Layout::of(TableId::endgame(12).unwrap());
        assert_eq!(fill(12, layout, &|_| {}, &AtomicBool::new(true)), None);
    }
}
