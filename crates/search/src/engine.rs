//! The search below one root: states, threads and memory, and how they are put to work on a question.

use std::io::{self, Read, Write};
use std::sync::atomic::AtomicBool;

use endgame::Structure;
use game::{Edge, Position};

use crate::bounds::{Bucket, Layout, Memory};
use crate::budget::Meter;
use crate::checkpoint::{CheckpointError, Reader, Writer};
use crate::core::{Core, core_edges};
use crate::heap::{HeapMemory, HeapView, Heaps};
use crate::interval::Interval;
use crate::line::Line;
use crate::mask::Mask;
use crate::prove::{Busy, Prover};
use crate::solver::Config;
use crate::state::State;

/// What is asked about a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// The value itself.
    Value,
    /// Whether it is at least this.
    Reach(i16),
    /// Whether it is at most this.
    Stay(i16),
}

impl Goal {
    /// The question to the same player after boxes were closed.
    pub(crate) const fn less(self, boxes: i16) -> Goal {
        match self {
            Goal::Value => Goal::Value,
            Goal::Reach(n) => Goal::Reach(n - boxes),
            Goal::Stay(n) => Goal::Stay(n - boxes),
        }
    }

    /// The question to the other player.
    pub(crate) const fn other_side(self) -> Goal {
        match self {
            Goal::Value => Goal::Value,
            Goal::Reach(n) => Goal::Stay(-n),
            Goal::Stay(n) => Goal::Reach(-n),
        }
    }

    /// A number the value may or may not reach, whose answer brings the goal closer; `None` when it is there.
    fn next(self, known: Interval) -> Option<i16> {
        let beta = match self {
            Goal::Reach(n) => n,
            Goal::Stay(n) => n + 1,
            // Most values are near 0: start there, then go on from the end that the last answer moved.
            Goal::Value if known.lower < 0 && known.upper >= 0 => 0,
            Goal::Value if known.lower >= 0 => known.lower + 1,
            Goal::Value => known.upper,
        };
        (!known.settles(beta)).then_some(beta)
    }
}

/// A [`Search`] of any width and layout.
pub(crate) trait Engine: Send {
    /// What a position is worth that this line leads from, as far as the goal asks, reporting each step.
    fn settle(
        &mut self,
        rest: &Position,
        line: Line,
        goal: Goal,
        meter: &Meter,
        config: Config,
        report: &mut dyn FnMut(Interval),
    ) -> Interval;

    /// Writes down everything proven.
    ///
    /// # Errors
    /// When it cannot be written.
    fn save(&self, root: &str, out: &mut dyn Write) -> io::Result<()>;

    /// Goes on from what was written down.
    ///
    /// # Errors
    /// When it cannot be read, or is not of this search. Then nothing has changed.
    fn load(&mut self, root: &str, from: &mut dyn Read, config: Config) -> Result<(), CheckpointError>;
}

/// The states below one root, and what is proven about them.
pub(crate) struct Search<M, L> {
    core: Core<M>,
    layout: L,
    heaps: Heaps,
    /// What each thread remembers of the heaps.
    heap_memories: Vec<HeapMemory>,
    memory: Memory,
    /// Nodes visited since the root, most of which have left an entry.
    visited: u64,
}

/// The bounds table begins with this many bytes, or the least its layout can do with.
const FIRST_BYTES: usize = 1 << 16;
/// By how much it grows.
const GROWTH: usize = 8;
/// Nodes after which one thread calls for help.
const ALONE: u64 = 1 << 14;
/// Nodes after which a question is so hard that easier ones are asked, too.
const FIRST_ASIDE: u64 = 1 << 18;
/// Which part of the work each of those may cost.
const ASIDE: u64 = 16;

impl<M: Mask, L: Layout<M>> Search<M, L> {
    /// Ready to search what follows a quiet position with this core.
    pub(crate) fn new(rest: &Position, edges: Vec<Edge>, layout: L) -> io::Result<Search<M, L>> {
        let bytes = Self::least_bytes(layout).max(FIRST_BYTES);
        Ok(Search {
            core: Core::new(rest, edges),
            layout,
            heaps: Heaps::new(layout.max_heaps()),
            heap_memories: Vec::new(),
            memory: Memory::new(bytes)?,
            visited: 0,
        })
    }

    /// The state of a quiet position that follows the root.
    fn state(&self, rest: &Structure) -> Option<State<M>> {
        let mut free = core_edges(rest)
            .into_iter()
            .filter_map(|e| self.core.string(e))
            .fold(M::EMPTY, |set, s| set | M::bit(s));
        // Of interchangeable strings the search keeps the lowest.
        for &parallel in &self.core.parallel {
            let left = (free & parallel).count() as usize;
            free &= !parallel;
            free |= parallel.members().take(left).fold(M::EMPTY, |set, s| set | M::bit(s));
        }
        Some(State::new(&self.core, free, self.heaps.id(&rest.isolated())?))
    }

    /// Settles one question about a state, with more threads and a larger table as it turns out to be hard.
    ///
    /// Where it is, now and then a little of the work goes to numbers further out: they say much less, but
    /// are settled soon, so that the interval shrinks before the question is answered.
    fn ask(
        &mut self,
        state: &State<M>,
        beta: i16,
        meter: &Meter,
        config: Config,
        known: &mut Interval,
        report: &mut dyn FnMut(Interval),
    ) {
        let mut next_aside = self.visited + FIRST_ASIDE;
        let mut growing = true;
        while !known.settles(beta) && !meter.is_over() {
            let full = self.capacity() / 2;
            if growing && self.visited >= full {
                growing = self.grow(config.table_bytes, meter);
                continue;
            }
            let alone = self.visited < ALONE;
            let threads = if alone { 1 } else { config.threads.max(1) };
            let mut until = next_aside;
            if growing {
                until = until.min(full);
            }
            if alone {
                until = until.min(ALONE);
            }
            let allowance = until.saturating_sub(self.visited).max(1);
            *known = known.and(self.work(state, beta, meter, allowance, threads));
            report(*known);
            if self.visited >= next_aside {
                self.look_aside(state, beta, meter, threads, known);
                report(*known);
                next_aside = self.visited * GROWTH as u64;
            }
        }
    }

    /// Tries to settle a number on either side of `beta`: the next one, or else one half way out, or else the last.
    fn look_aside(
        &mut self,
        state: &State<M>,
        beta: i16,
        meter: &Meter,
        threads: usize,
        known: &mut Interval,
    ) {
        let allowance = self.visited / ASIDE;
        for up in [false, true] {
            let (next, last) = if up { (beta + 2, known.upper) } else { (beta - 2, known.lower + 1) };
            for aside in [next, (next + last) / 2, last] {
                let beyond = if up { aside > beta } else { aside < beta };
                if !beyond || known.settles(aside) || known.settles(beta) || meter.is_over() {
                    break;
                }
                *known = known.and(self.work(state, aside, meter, allowance, threads));
                if known.settles(aside) {
                    break;
                }
            }
        }
    }

    /// How small a table can be.
    fn least_bytes(layout: L) -> usize {
        size_of::<Bucket>() << layout.least_buckets_log()
    }

    /// What a checkpoint must be of to be of this search.
    fn identity(&self, root: &str) -> String {
        let order = if cfg!(target_endian = "little") { "little" } else { "big" };
        format!("{root}, {:?}, {order}-endian", self.layout)
    }

    /// How many entries the table has room for.
    fn capacity(&self) -> u64 {
        (self.memory.len() / size_of::<Bucket>() * L::ENTRIES) as u64
    }

    /// Lets threads work on one question until one has settled it or they have visited about so many nodes.
    fn work(
        &mut self,
        state: &State<M>,
        beta: i16,
        meter: &Meter,
        allowance: u64,
        threads: usize,
    ) -> Interval {
        let (settled, before) = (AtomicBool::new(false), meter.spent());
        let allowance = allowance.div_ceil(threads as u64);
        let (core, heaps, bounds) = (&self.core, &self.heaps, self.memory.bounds(self.layout));
        self.heap_memories.resize_with(threads.max(self.heap_memories.len()), HeapMemory::default);
        let busy = Busy::default();
        let mut provers = self.heap_memories[..threads].iter_mut().map(|memory| {
            Prover::new(core, bounds, HeapView::new(heaps, memory), &busy, meter, &settled, allowance)
        });
        let Some(first) = provers.next() else { return Interval::within(i16::MAX) };
        let found = std::thread::scope(|scope| {
            let helpers: Vec<_> =
                provers.map(|prover| scope.spawn(move || prover.settle(state, beta))).collect();
            let found = first.settle(state, beta);
            // A helper that panicked has proven nothing.
            helpers.into_iter().filter_map(|helper| helper.join().ok()).fold(found, Interval::and)
        });
        self.visited += meter.spent() - before;
        found
    }

    /// Moves the table to more memory; `false` when it has all it may have, the system has no more, or the budget ends.
    fn grow(&mut self, most: usize, meter: &Meter) -> bool {
        let bytes = self.memory.len().saturating_mul(GROWTH).min(most);
        if bytes / 2 < self.memory.len() {
            return false;
        }
        let Ok(mut larger) = Memory::new(bytes) else { return false };
        let whole =
            larger.bounds(self.layout).copy_from(&self.memory.bounds(self.layout), || !meter.spend(0, 0));
        if whole {
            self.memory = larger;
        }
        whole
    }
}

impl<M: Mask, L: Layout<M>> Engine for Search<M, L> {
    fn settle(
        &mut self,
        rest: &Position,
        line: Line,
        goal: Goal,
        meter: &Meter,
        config: Config,
        report: &mut dyn FnMut(Interval),
    ) -> Interval {
        let mut known = Interval::within(rest.boxes_left() as i16);
        let structure = Structure::of(rest);
        if let Some(set) = structure.decomposed() {
            // The endgame theory knows it, whatever is asked and whatever is left of the budget.
            known = Interval::exactly(endgame::value(&set).get());
        }
        let Some(state) = self.state(&structure) else { return line.value(known) };
        if !known.is_exact() {
            let bounds = self.memory.bounds(self.layout);
            let at = bounds.hashed(state.key(&self.core));
            known = bounds.get(at, known.upper & 1).map_or(known, |found| known.and(found));
        }
        while let Some(question) = goal.next(line.value(known)).and_then(|beta| line.ask(known, beta)) {
            report(line.value(known));
            let mut tell = |known| report(line.value(known));
            self.ask(&state, question, meter, config, &mut known, &mut tell);
            if meter.is_over() {
                break;
            }
        }
        let value = line.value(known);
        report(value);
        value
    }

    fn save(&self, root: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = Writer::new(out, &self.identity(root))?;
        writer.number(self.visited)?;
        let heaps = self.heaps.all();
        writer.number(heaps.len() as u64)?;
        for heap in &heaps {
            writer.multiset(heap)?;
        }
        writer.number(self.memory.len() as u64)?;
        writer.bytes(self.memory.bytes())?;
        writer.finish()
    }

    fn load(&mut self, root: &str, from: &mut dyn Read, config: Config) -> Result<(), CheckpointError> {
        let mut reader = Reader::new(from, &self.identity(root))?;
        let visited = reader.number()?;
        let heaps = Heaps::new(self.layout.max_heaps());
        for number in 0..reader.count(self.layout.max_heaps())? {
            let id = heaps.id(&reader.multiset()?);
            if id.is_none_or(|id| id.0 as usize != number) {
                return Err(CheckpointError::Damaged);
            }
        }
        let bytes = reader.count(usize::MAX)?;
        if !bytes.is_power_of_two() || bytes < Self::least_bytes(self.layout) {
            return Err(CheckpointError::Damaged);
        }
        if bytes > config.table_bytes.max(Self::least_bytes(self.layout)) {
            let mib = |bytes: usize| bytes.div_ceil(1 << 20);
            let (needed, allowed) = (mib(bytes), mib(config.table_bytes));
            return Err(CheckpointError::TooLarge { needed, allowed });
        }
        let mut memory = Memory::new(bytes).map_err(|_| CheckpointError::NoMemory)?;
        reader.bytes(memory.bytes_mut())?;
        reader.finish()?;
        (self.heaps, self.heap_memories, self.memory, self.visited) = (heaps, Vec::new(), memory, visited);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use endgame::Offer;
    use game::Board;

    use super::*;
    use crate::budget::{Budget, Watch};
    use crate::packed::Packed;
    use crate::wide::Wide;

    /// Draws random safe edges until so many are free, or none is safe.
    fn random_safe_play(board: Board, free: usize, seed: u64) -> Position {
        let mut position = Position::empty(board);
        let mut random = seed;
        while position.free_count() > free {
            let safe = Structure::of(&position).safe_moves;
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(&edge) = safe.get((random >> 33) as usize % safe.len().max(1)) else { break };
            position.draw(edge);
        }
        position
    }

    fn settle<M: Mask, L: Layout<M>>(position: &Position, layout: L) -> Interval {
        let rest = Offer::of(position).rest;
        let mut search = Search::<M, L>::new(&rest, core_edges(&Structure::of(&rest)), layout).unwrap();
        let (cancel, watch) = (AtomicBool::new(false), Watch::default());
        let meter = Meter::new(Budget::UNLIMITED, &cancel, &watch);
        let line = Line { boxes: 0, bribe: 0 };
        let config = Config { threads: 1, table_bytes: 1 << 24 };
        search.settle(&rest, line, Goal::Value, &meter, config, &mut |_| ())
    }

    #[test]
    fn widths_and_layouts_agree() {
        for seed in 0..200 {
            let position = random_safe_play(Board::new(5, 5).unwrap(), 32, seed);
            let narrow = settle::<u64, _>(&position, Wide);
            assert!(narrow.is_exact());
            assert_eq!(narrow, settle::<u128, _>(&position, Wide), "{position}");
            let packed = Packed::new(32, 25).expect("32 strings fit");
            assert_eq!(narrow, settle::<u64, _>(&position, packed), "{position}");
        }
    }

    /// Every state the search steps to is the one read off the board after the same moves: the step on strings and coins
    /// and the reading of a board share no code.
    #[test]
    fn steps_lead_to_the_states_of_the_board() {
        let board = Board::new(4, 5).unwrap();
        for seed in 0..300 {
            let position = random_safe_play(board, 30, seed);
            let rest = Offer::of(&position).rest;
            let search = Search::<u64, _>::new(&rest, core_edges(&Structure::of(&rest)), Wide).unwrap();
            let mut memory = HeapMemory::default();
            let mut heaps = HeapView::new(&search.heaps, &mut memory);
            let read = |position: &Position| search.state(&Structure::of(position)).unwrap();
            let state = read(&rest);
            for edge in rest.free_edges() {
                let Some(s) = search.core.string(edge) else { continue };
                if !state.safe(&search.core).has(s) {
                    continue;
                }
                let stepped = state.after_safe(&search.core, &mut heaps, s).unwrap();
                assert_eq!(stepped.tidied(), read(&rest.after(edge).0).tidied(), "{rest} then {edge}");
            }
            for run in Structure::of(&rest).chains.iter().filter(|run| run.component().is_none()) {
                let offer = Offer::of(&rest.after(run.edges[run.edges.len() / 2]).0);
                let mut openings = state.openings();
                let mut found = false;
                while let Some(opened) = openings.next(&state, &search.core) {
                    let (line, next) = state.after_opening(&search.core, &mut heaps, &opened).unwrap();
                    let bribe = offer.bribe.map_or(0, endgame::Bribe::boxes);
                    found |= next.tidied() == read(&offer.rest).tidied()
                        && line == Line { boxes: offer.boxes as i16, bribe };
                }
                assert!(found, "{rest} then a run of {}", run.boxes.len());
            }
        }
    }
}
