//! Proving that a quiet position reaches a number, or that it does not.

use std::sync::atomic::{AtomicBool, Ordering};

use game::MAX_SIDE;

use crate::bounds::{Bounds, Interval, Key};
use crate::budget::Meter;
use crate::core::Core;
use crate::heap::HeapView;
use crate::line::Line;
use crate::mask::Mask;
use crate::state::State;

/// Children made before the first look at what is known of them.
const FEW: usize = 8;

/// One thread at work on the states of one core.
pub(crate) struct Prover<'a, M> {
    core: &'a Core<M>,
    bounds: Bounds<'a, M>,
    heaps: HeapView<'a>,
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
    /// How far from the first move this thread begins, as a part of all moves: 0 is the plain order.
    spread: f32,
    /// The children of the nodes on the path, each node's after its parent's.
    children: Vec<Child<M>>,
}

/// A state one safe move away.
#[derive(Clone, Copy)]
struct Child<M> {
    state: State<M>,
    key: Key<M>,
}

impl<'a, M: Mask> Prover<'a, M> {
    pub(crate) fn new(
        core: &'a Core<M>,
        bounds: Bounds<'a, M>,
        heaps: HeapView<'a>,
        meter: &'a Meter<'a>,
        settled: &'a AtomicBool,
        allowance: u64,
        spread: f32,
    ) -> Prover<'a, M> {
        Prover {
            core,
            bounds,
            heaps,
            meter,
            settled,
            allowance,
            nodes: 0,
            unpaid: 0,
            batch: meter.batch(),
            stopped: false,
            spread,
            children: Vec::new(),
        }
    }

    /// Works until it is settled whether the state's value reaches `beta`, or until it must stop. The
    /// interval is proven in either case.
    pub(crate) fn settle(mut self, state: &State<M>, beta: i16) -> Interval {
        let found = match self.heaps.info(state.heap) {
            Some(heap) => self.prove(state, self.key(state), state.boxes() + heap.boxes, beta),
            None => self.give_up(),
        };
        if found.settles(beta) {
            self.settled.store(true, Ordering::Relaxed);
        }
        self.meter.spend(self.unpaid);
        found
    }

    #[inline(always)]
    fn key(&self, state: &State<M>) -> Key<M> {
        Key { strings: state.key(self.core), heap: state.heap }
    }

    /// Whether to stop now; counts one node.
    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        self.nodes += 1;
        self.unpaid += 1;
        if self.unpaid >= self.batch {
            let paid = std::mem::take(&mut self.unpaid);
            self.batch = self.meter.batch();
            self.stopped |= !self.meter.spend(paid)
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

    /// [`Prover::settle`] for a state with this key and so many boxes left.
    fn prove(&mut self, state: &State<M>, key: Key<M>, boxes: i16, beta: i16) -> Interval {
        if state.free.is_empty() {
            return match self.heaps.info(state.heap) {
                Some(heap) => Interval::exactly(heap.value),
                None => self.give_up(),
            };
        }
        // The value has the parity of the boxes left, so a number of the other parity asks for the next one.
        let beta = beta + ((beta ^ boxes) & 1);
        let mut known = Interval::within(boxes);
        if known.settles(beta) {
            return known;
        }
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
        let base = self.children.len();
        let found = self.try_moves(state, boxes, beta);
        self.children.truncate(base);
        let Some(found) = found else { return self.give_up() };
        known = known.and(found);
        let work = (self.nodes - before + 1).ilog2() as u8;
        self.bounds.put(key, work, known);
        known
    }

    /// The interval that the moves prove; `None` when there are too many heaps.
    fn try_moves(&mut self, state: &State<M>, boxes: i16, beta: i16) -> Option<Interval> {
        let mut best = Best { lower: -boxes, upper: -boxes };

        // Safe moves, in the order of their numbers, a few at a time, so that their buckets come from memory
        // side by side. What is known of them already may settle the matter; what cannot reach `beta` is
        // done with.
        let base = self.children.len();
        let mut moves = state.safe(self.core).members();
        let mut seen = base;
        loop {
            for s in moves.by_ref().take(FEW) {
                let next = state.after_safe(self.core, &mut self.heaps, s)?;
                let key = self.key(&next);
                self.bounds.prefetch(key);
                self.children.push(Child { state: next, key });
            }
            if seen == self.children.len() {
                break;
            }
            let mut kept = seen;
            for i in seen..self.children.len() {
                let child = self.children[i];
                let known = if child.state.free.is_empty() {
                    Interval::exactly(self.heaps.info(child.state.heap)?.value)
                } else {
                    self.bounds.get(child.key).unwrap_or(Interval::within(boxes))
                };
                let value = -known;
                if value.settles(beta) {
                    best.meet(value);
                    if best.lower >= beta {
                        return Some(best.unfinished(boxes));
                    }
                } else {
                    self.children[kept] = child;
                    kept += 1;
                }
            }
            self.children.truncate(kept);
            seen = kept;
        }
        // The first move is the likeliest to be good enough, so every thread tries it first. If it is not, most
        // often none is and all must be tried: then each thread begins elsewhere.
        if self.spread > 0.0 && seen > base + 1 {
            let rest = &mut self.children[base + 1..];
            rest.rotate_left((rest.len() as f32 * self.spread) as usize);
        }
        for i in base..seen {
            let Child { state: next, key } = self.children[i];
            best.meet(-self.prove(&next, key, boxes, 1 - beta));
            if best.lower >= beta || self.stopped {
                return Some(best.unfinished(boxes));
            }
        }

        // Runs that hang on joints, and from the heap the components worth opening.
        let parity = boxes & 1;
        let heap = self.heaps.info(state.heap)?;
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
        let left = boxes - line.boxes;
        let key = self.key(rest);
        let mut known = Interval::within(left);
        while let Some(question) = line.ask(known, 1 - beta) {
            known = known.and(self.prove(rest, key, left, question));
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
