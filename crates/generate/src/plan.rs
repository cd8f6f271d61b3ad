//! In what order a board's table is filled, and in which parts.
//!
//! A part is a run of classes, its number and its classes the same on every machine. Parts are made in steps: a part
//! needs nothing but parts of earlier steps, so the parts of one step can be made by as many threads, processes
//! and machines as there are. A step is one layer (the classes with equally many ground edges drawn), or several
//! small ones in a single part.

use std::ops::Range;

use tables::QuietRanking;

/// A board is cut into about so many parts, if they are large enough to be worth it.
const PARTS: u64 = 256;

/// Less than so many entries are not worth a file.
const SMALL: u64 = 1 << 16;

/// A move draws at most two ground edges: a run has two ends, and what is taken goes on through one box at a time.
const REACH: u32 = 2;

/// The order of filling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    steps: Vec<Step>,
}

/// Parts that do not need one another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) parts: Vec<Part>,
    /// Classes from here on are not looked at in this step or any later one.
    pub(crate) done_with: usize,
}

/// Classes made together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) number: u32,
    pub(crate) classes: Range<usize>,
    pub(crate) entries: u64,
}

impl Plan {
    pub(crate) fn new(ranking: &QuietRanking) -> Plan {
        let classes = ranking.classes();
        let most = (ranking.len() / PARTS).max(SMALL);
        let mut steps: Vec<Vec<Range<usize>>> = Vec::new();
        let entries =
            |range: &Range<usize>| classes[range.clone()].iter().map(|c| u64::from(c.len)).sum::<u64>();
        let mut end = classes.len();
        for layer in classes.chunk_by(|a, b| a.layer == b.layer).rev() {
            let layer = end - layer.len()..end;
            end = layer.start;
            // A step of one part may take a small layer in.
            if let Some([part]) = steps.last_mut().map(|step| &mut step[..])
                && entries(&(layer.start..part.end)) <= most
            {
                part.start = layer.start;
                continue;
            }
            let mut parts: Vec<Range<usize>> = Vec::new();
            for class in layer.rev() {
                match parts.last_mut() {
                    Some(part) if entries(&(class..part.end)) <= most => part.start = class,
                    _ => parts.push(class..class + 1),
                }
            }
            steps.push(parts);
        }
        let mut number = 0;
        let steps = steps.into_iter().map(|ranges| {
            let layers = |classes: &[tables::Class]| classes.last().map_or(0, |class| class.layer);
            let highest = ranges.first().map_or(0, |part| layers(&classes[..part.end]));
            let done_with = classes.partition_point(|class| class.layer <= highest + REACH);
            let parts = ranges.into_iter().map(|classes| {
                number += 1;
                Part { number: number - 1, entries: entries(&classes), classes }
            });
            Step { parts: parts.collect(), done_with }
        });
        Plan { steps: steps.collect() }
    }

    /// The steps, in order.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The parts in the order of their entries, which is the other way round.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.steps.iter().rev().flat_map(|step| step.parts.iter().rev())
    }

    /// The most values that are in memory at once.
    pub(crate) fn most_values(&self, ranking: &QuietRanking) -> u64 {
        let window = |step: &Step| {
            let first = step.parts.last().map_or(0, |part| part.classes.start);
            ranking.classes()[first..step.done_with].iter().map(|class| u64::from(class.len)).sum()
        };
        self.steps.iter().map(window).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Board;

    #[test]
    fn every_class_is_in_one_part_and_parts_are_in_order() {
        for (rows, cols) in [(1, 1), (1, 7), (2, 4), (2, 5), (1, 10), (3, 4), (2, 6)] {
            let ranking = QuietRanking::new(Board::new(rows, cols).unwrap());
            let plan = Plan::new(&ranking);
            let mut next = 0;
            for part in plan.parts() {
                assert_eq!(part.classes.start, next);
                next = part.classes.end;
            }
            assert_eq!(next, ranking.classes().len());
            let mut made = next;
            for (number, part) in plan.steps().iter().flat_map(|step| &step.parts).enumerate() {
                assert_eq!((part.number as usize, part.classes.end), (number, made));
                made = part.classes.start;
            }
            for step in plan.steps().iter().filter(|step| step.parts.len() > 1) {
                let layer = |part: &Part| ranking.classes()[part.classes.start].layer;
                assert!(step.parts.iter().all(|part| layer(part) == layer(&step.parts[0])));
            }
            if ranking.len() <= SMALL {
                assert_eq!(plan.steps().len(), 1);
            }
        }
    }
}
