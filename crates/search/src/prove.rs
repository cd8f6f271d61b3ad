//! Proving that a quiet position reaches a number, or that it does not.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use game::MAX_SIDE;

use crate::bounds::{Bounds, Hashed, Key, Layout, Proof};
use crate::budget::Meter;
use crate::core::Core;
use crate::heap::HeapView;
use crate::interval::Interval;
use crate::line::Line;
use crate::mask::Mask;
use crate::state::State;

/// Moves made before the first look at what is known of them.
const FEW: usize = 8;

/// The states some thread is at work on, by their hashes, as far as there is room. Only a hint: a mark lost or mistaken
/// costs time, never an answer.
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Default for Busy {
    fn default() -> Busy {
        Busy((0..1 << 12).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Busy {
    #[inline(always)]
    fn slot(&self, hash: u64) -> &AtomicU64 {
        // The number of slots is a power of two.
        &self.0[(hash >> 8) as usize & (self.0.len() - 1)]
    }

    #[inline(always)]
    fn has(&self, hash: u64) -> bool {
        self.slot(hash).load(Ordering::Relaxed) == hash
    }

    #[inline(always)]
    fn enter(&self, hash: u64) {
        self.slot(hash).store(hash, Ordering::Relaxed);
    }

    #[inline(always)]
    fn leave(&self, hash: u64) {
        self.slot(hash).store(0, Ordering::Relaxed);
    }
}

/// One thread at work on the states of one core.
pub(crate) struct Prover<'a, M, L> {
    core: &'a Core<M>,
    bounds: Bounds<'a, L>,
    heaps: HeapView<'a>,
    busy: &'a Busy,
    meter: &'a Meter<'a>,
    /// Set when another thread has settled the question.
    settled: &'a AtomicBool,
    /// Nodes this thread may visit before it pauses.
    allowance: u64,
    /// Nodes this thread has visited.
    nodes: u64,
    unpaid: u64,
    /// Unpaid nodes at which to look at the budget.
    batch: u64,
    stopped: bool,
    /// How many moves below the state asked about this thread is.
    depth: u16,
    /// The moves of the nodes on the path that are not settled, each node's after its parent's.
    moves: Vec<Move<M>>,
}

/// A move of a quiet position: what it hands over, and the state it leaves when that is taken. A safe move
/// hands over nothing.
#[derive(Clone, Copy)]
struct Move<M> {
    how: How,
    line: Line,
    rest: Hashed<M>,
}

#[derive(Clone, Copy)]
enum How {
    /// Draws this safe string.
    Safe(u8),
    /// Opens the run through this coin.
    Open(u8),
    /// Opens a component of the heap.
    Heap,
}

impl<'a, M: Mask, L: Layout<M>> Prover<'a, M, L> {
    pub(crate) fn new(
        core: &'a Core<M>,
        bounds: Bounds<'a, L>,
        heaps: HeapView<'a>,
        busy: &'a Busy,
        meter: &'a Meter<'a>,
        settled: &'a AtomicBool,
        allowance: u64,
    ) -> Prover<'a, M, L> {
        Prover {
            core,
            bounds,
            heaps,
            busy,
            meter,
            settled,
            allowance,
            nodes: 0,
            unpaid: 0,
            batch: meter.batch(),
            stopped: false,
            depth: 0,
            moves: Vec::new(),
        }
    }

    /// Works until it is settled whether the state's value reaches `beta`, or until it must stop. The
    /// interval is proven in either case.
    pub(crate) fn settle(mut self, state: &State<M>, beta: i16) -> Interval {
        let at = self.bounds.hashed(state.key(self.core));
        let found = match self.heaps.info(state.heap) {
            Some(heap) => {
                let boxes = state.boxes() + heap.boxes;
                self.prove(state, at, boxes, beta, self.known(at, boxes))
            }
            None => self.give_up(),
        };
        if found.settles(beta) {
            self.settled.store(true, Ordering::Relaxed);
        }
        self.meter.spend(self.unpaid, self.depth);
        found
    }

    /// What the table knows of a state with so many boxes left.
    #[inline(always)]
    fn known(&self, at: Hashed<M>, boxes: i16) -> Interval {
        let known = Interval::within(boxes);
        self.bounds.get(at, boxes & 1).map_or(known, |found| known.and(found))
    }

    /// Whether to stop now; counts one node.
    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        self.nodes += 1;
        self.unpaid += 1;
        if self.unpaid >= self.batch {
            let paid = std::mem::take(&mut self.unpaid);
            self.batch = self.meter.batch();
            self.stopped |= !self.meter.spend(paid, self.depth)
                || self.settled.load(Ordering::Relaxed)
                || self.nodes >= self.allowance;
        }
        self.stopped
    }

    /// Too many different heaps: nothing is known but the boxes left, and the search is over.
    #[cold]
    fn give_up(&mut self) -> Interval {
        self.stopped = true;
        self.meter.stop();
        // The heap is unknown here; no board has more boxes than this.
        Interval::within(MAX_SIDE as i16 * MAX_SIDE as i16)
    }

    /// [`Prover::settle`] for a state with so many boxes left, of which so much is known.
    fn prove(
        &mut self,
        state: &State<M>,
        at: Hashed<M>,
        boxes: i16,
        beta: i16,
        mut known: Interval,
    ) -> Interval {
        // The value has the parity of the boxes left, so a number of the other parity asks for the next one.
        let beta = beta + ((beta ^ boxes) & 1);
        if known.settles(beta) {
            return known;
        }
        if state.free.is_empty() {
            return match self.heaps.info(state.heap) {
                Some(heap) => Interval::exactly(heap.value),
                None => self.give_up(),
            };
        }
        if self.must_stop() {
            return known;
        }
        let before = self.nodes;
        let base = self.moves.len();
        self.depth += 1;
        let found = self.try_moves(state, boxes, beta);
        self.depth -= 1;
        self.moves.truncate(base);
        let Some(found) = found else { return self.give_up() };
        known = known.and(found);
        let work = (self.nodes - before + 1).ilog2() as u8;
        self.bounds.put(at, boxes & 1, Proof { interval: known, work });
        known
    }

    /// The interval that the moves prove; `None` when there are too many heaps.
    fn try_moves(&mut self, state: &State<M>, boxes: i16, beta: i16) -> Option<Interval> {
        let mut best = Best { lower: -boxes, upper: -boxes };
        let base = self.moves.len();

        // Safe moves, in the order of their numbers, a few at a time, so that their buckets come from memory
        // side by side. What is known of them already may settle the matter.
        let mut safe = state.safe(self.core).members();
        loop {
            let from = self.moves.len();
            for string in safe.by_ref().take(FEW) {
                let key = state.key_after_safe(self.core, &mut self.heaps, string)?;
                self.add(How::Safe(string), Line { boxes: 0, bribe: 0 }, key);
            }
            if from == self.moves.len() {
                break;
            }
            if self.look(from, boxes, beta, &mut best)? {
                return Some(best.unfinished(boxes));
            }
        }
        if self.search(state, base, boxes, beta, &mut best)? {
            return Some(best.unfinished(boxes));
        }

        // Runs that hang on joints, and from the heap the components worth opening.
        self.moves.truncate(base);
        let mut runs = state.openings();
        while let Some(run) = runs.next(state, self.core) {
            if run.bribe() > 0 && best.rules_out(run.least() - run.bribe(), boxes, beta) {
                continue;
            }
            let (line, rest) = state.after_opening(self.core, &mut self.heaps, &run)?;
            self.add(How::Open(run.coin()), line, rest.key(self.core));
        }
        let heap = self.heaps.info(state.heap)?;
        for (component, bribe) in [(heap.short, 0), (heap.long, 2), (heap.ring, 4)] {
            let Some((length, left)) = component else { continue };
            if bribe > 0 && best.rules_out(length - bribe, boxes, beta) {
                continue;
            }
            let key = state.with_heap(left).key(self.core);
            self.add(How::Heap, Line { boxes: length, bribe }, key);
        }
        if self.look(base, boxes, beta, &mut best)? || self.search(state, base, boxes, beta, &mut best)? {
            return Some(best.unfinished(boxes));
        }
        Some(best.interval())
    }

    /// Searches one move after the other; `true` when one reaches `beta`, or the thread must stop.
    ///
    /// A move that another thread is at is left for later, when it will mostly be found in the table. Only the
    /// first is searched by all, since it is the likeliest to settle the matter for all others.
    fn search(
        &mut self,
        state: &State<M>,
        base: usize,
        boxes: i16,
        beta: i16,
        best: &mut Best,
    ) -> Option<bool> {
        let mut end = self.moves.len();
        for again in [false, true] {
            let mut later = base;
            for i in base..end {
                let Move { how, line, rest } = self.moves[i];
                let left = boxes - line.boxes;
                let mut known = self.known(rest, left);
                if line.ask(known, 1 - beta).is_some() {
                    if i > base && !again && self.busy.has(rest.hash) {
                        self.moves[later] = self.moves[i];
                        later += 1;
                        continue;
                    }
                    self.busy.enter(rest.hash);
                    let next = match how {
                        How::Safe(string) => state.after_safe(self.core, &mut self.heaps, string)?,
                        How::Open(coin) => {
                            let run = state.run(self.core, coin);
                            state.after_opening(self.core, &mut self.heaps, &run)?.1
                        }
                        How::Heap => state.with_heap(rest.key.heap),
                    };
                    while let Some(question) = line.ask(known, 1 - beta) {
                        known = known.and(self.prove(&next, rest, left, question, known));
                        if self.stopped {
                            break;
                        }
                    }
                    self.busy.leave(rest.hash);
                }
                best.meet(-line.value(known));
                if best.lower >= beta || self.stopped {
                    return Some(true);
                }
            }
            end = later;
        }
        Some(false)
    }

    /// Adds a move to try.
    #[inline(always)]
    fn add(&mut self, how: How, line: Line, rest: Key<M>) {
        let rest = self.bounds.hashed(rest);
        self.bounds.prefetch(rest);
        self.moves.push(Move { how, line, rest });
    }

    /// Looks at what is known of the last moves. Those that cannot reach `beta` are done with; `true` when one does.
    #[inline(always)]
    fn look(&mut self, from: usize, boxes: i16, beta: i16, best: &mut Best) -> Option<bool> {
        let mut kept = from;
        for i in from..self.moves.len() {
            let to_try = self.moves[i];
            let Move { line, rest, .. } = to_try;
            let known = if rest.key.strings.is_empty() {
                Interval::exactly(self.heaps.info(rest.key.heap)?.value)
            } else {
                self.known(rest, boxes - line.boxes)
            };
            let value = -line.value(known);
            if value.settles(beta) {
                best.meet(value);
                if best.lower >= beta {
                    return Some(true);
                }
            } else {
                self.moves[kept] = to_try;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        Some(false)
    }
}

/// The best of the moves tried.
struct Best {
    lower: i16,
    upper: i16,
}

impl Best {
    #[inline(always)]
    fn meet(&mut self, value: Interval) {
        self.lower = self.lower.max(value.lower);
        self.upper = self.upper.max(value.upper);
    }

    /// Whether a move cannot reach `beta` that gives the other player at least so much; if so, it is done with.
    ///
    /// **Bound.** Who is handed T boxes with bribe b nets `T - b + |v + b|`, at least T - b, whatever is left; so the
    /// opener nets at most `-(T - b)`, and no more than the next number below of the value's parity.
    #[inline(always)]
    fn rules_out(&mut self, least: i16, boxes: i16, beta: i16) -> bool {
        let most = -least - ((least ^ boxes) & 1);
        if most >= beta {
            return false;
        }
        self.upper = self.upper.max(most);
        true
    }

    /// All moves were tried.
    fn interval(&self) -> Interval {
        Interval { lower: self.lower, upper: self.upper }
    }

    /// Moves are left, so the upper bound is only the boxes.
    fn unfinished(&self, boxes: i16) -> Interval {
        Interval { lower: self.lower, upper: boxes }
    }
}
