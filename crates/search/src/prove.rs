//! Proving that a quiet position reaches a number, or that it does not.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::bounds::{Bounds, Interval, Key};
use crate::budget::{BATCH, Meter};
use crate::core::Core;
use crate::heap::{HeapInfo, HeapView};
use crate::line::Line;
use crate::mask::Mask;
use crate::state::State;

/// Moves of one node at most: no core has more strings.
const MOVES: usize = 128;

/// One thread at work on the states of one core.
pub(crate) struct Prover<'a, M> {
    core: &'a Core<M>,
    bounds: &'a Bounds<M>,
    heaps: HeapView<'a>,
    meter: &'a Meter<'a>,
    /// Set when another thread has settled the question.
    settled: &'a AtomicBool,
    /// Nodes this thread may visit before it pauses.
    allowance: u64,
    /// Nodes this thread has visited.
    pub(crate) nodes: u64,
    unpaid: u64,
    stopped: bool,
    /// Spreads threads over different orders; 0 is the plain order.
    spread: u32,
}

impl<'a, M: Mask> Prover<'a, M> {
    pub(crate) fn new(
        core: &'a Core<M>,
        bounds: &'a Bounds<M>,
        heaps: HeapView<'a>,
        meter: &'a Meter<'a>,
        settled: &'a AtomicBool,
        allowance: u64,
        spread: u32,
    ) -> Prover<'a, M> {
        Prover { core, bounds, heaps, meter, settled, allowance, nodes: 0, unpaid: 0, stopped: false, spread }
    }

    /// Hands in the nodes not yet counted.
    pub(crate) fn pay(&mut self) {
        self.meter.spend(std::mem::take(&mut self.unpaid));
    }

    /// Whether to stop now; counts one node.
    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        self.nodes += 1;
        self.unpaid += 1;
        if self.unpaid >= BATCH {
            let paid = std::mem::take(&mut self.unpaid);
            self.stopped |= !self.meter.spend(paid)
                || self.settled.load(Ordering::Relaxed)
                || self.nodes >= self.allowance;
        }
        self.stopped
    }

    /// Works until it is settled whether the state's value reaches `beta`, or until it must stop. The interval is
    /// proven in either case.
    pub(crate) fn prove(&mut self, state: &State<M>, beta: i16) -> Interval {
        let Some(heap) = self.heaps.info(state.heap) else { return self.give_up() };
        if state.free.is_empty() {
            return Interval::exactly(heap.value);
        }
        let boxes = state.boxes() + heap.boxes;
        // The value has the parity of the boxes left, so a number of the other parity asks for the next one.
        let beta = beta + ((beta ^ boxes) & 1);
        let mut known = Interval::within(boxes);
        if known.settles(beta) {
            return known;
        }
        let key = Key { strings: state.key(self.core), heap: state.heap };
        if let Some(found) = self.bounds.get(key) {
            known = known.and(found);
            if known.settles(beta) {
                return known;
            }
        }
        if self.must_stop() {
            return known;
        }
        let before = self.nodes;
        let Some(found) = self.try_moves(state, heap, boxes, beta) else { return self.give_up() };
        known = known.and(found);
        let work = (self.nodes - before + 1).ilog2() as u8;
        self.bounds.put(key, work, known);
        known
    }

    /// Too many different heaps: nothing is known but the boxes left, and the search is over.
    #[cold]
    fn give_up(&mut self) -> Interval {
        self.stopped = true;
        self.meter.stop();
        // The heap is unknown here; no board has more boxes than this.
        Interval::within(game::MAX_SIDE as i16 * game::MAX_SIDE as i16)
    }

    /// The interval that the moves prove: at least the best lower bound, at most the best upper bound.
    fn try_moves(&mut self, state: &State<M>, heap: HeapInfo, boxes: i16, beta: i16) -> Option<Interval> {
        let mut best = Best { lower: -boxes, upper: -boxes };

        // Safe moves, those first that leave the fewest safe replies.
        let mut order = [0u16; MOVES];
        let mut count = 0;
        for s in state.safe(self.core).members() {
            let score = state.safe_after(self.core, s) as u16;
            order[count] = score << 8 | u16::from(s);
            count += 1;
        }
        let order = &mut order[..count];
        order.sort_unstable();
        if self.spread != 0 && count > 1 {
            let by = self.nodes as usize * self.spread as usize % count.min(3);
            order.rotate_left(by);
        }
        for &mut scored in order {
            let next = state.after_safe(self.core, &mut self.heaps, scored as u8)?;
            best.meet(-self.prove(&next, 1 - beta));
            if best.lower >= beta || self.stopped {
                return Some(best.unfinished(boxes));
            }
        }

        // Runs that hang on joints, and from the heap the components worth opening.
        let parity = boxes & 1;
        let mut runs = state.openings();
        while let Some(run) = runs.next(state, self.core) {
            // The taker gets at least all but the bribe, whatever is left.
            if run.bribe() > 0 {
                let most = -(run.least() - run.bribe());
                let most = most - ((most ^ parity) & 1);
                if most < beta {
                    best.upper = best.upper.max(most);
                    continue;
                }
            }
            let (line, rest) = state.after_opening(self.core, &mut self.heaps, &run)?;
            best.meet(-self.open(line, &rest, boxes, beta));
            if best.lower >= beta || self.stopped {
                return Some(best.unfinished(boxes));
            }
        }
        for (component, bribe) in [(heap.short, 0), (heap.long, 2), (heap.ring, 4)] {
            let Some((length, left)) = component else { continue };
            let line = Line { boxes: length, bribe };
            best.meet(-self.open(line, &state.with_heap(left), boxes, beta));
            if best.lower >= beta || self.stopped {
                return Some(best.unfinished(boxes));
            }
        }
        Some(best.interval())
    }

    /// What the taker gets when handed this line, as far as it takes to settle whether the opener reaches `beta`.
    fn open(&mut self, line: Line, rest: &State<M>, boxes: i16, beta: i16) -> Interval {
        let mut known = Interval::within(boxes - line.boxes);
        while let Some(question) = line.ask(known, 1 - beta) {
            known = known.and(self.prove(rest, question));
            if self.stopped {
                break;
            }
        }
        line.value(known)
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

    /// All moves were tried.
    fn interval(&self) -> Interval {
        Interval { lower: self.lower, upper: self.upper }
    }

    /// Moves are left, so the upper bound is only the boxes.
    fn unfinished(&self, boxes: i16) -> Interval {
        Interval { lower: self.lower, upper: boxes }
    }
}
