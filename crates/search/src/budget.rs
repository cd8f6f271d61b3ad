//! How much work a question may cost.

use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU16, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use game::Boxes;

use crate::interval::Interval;

/// How much work a question may cost. When it runs out the answer is what has been proven so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Budget {
    /// Quiet positions to visit, all threads together.
    pub nodes: Option<u64>,
    /// Time to take.
    pub time: Option<Duration>,
}

impl Default for Budget {
    /// Ten seconds, any number of nodes.
    fn default() -> Budget {
        Budget { nodes: None, time: Some(Duration::from_secs(10)) }
    }
}

impl Budget {
    /// No limit at all.
    pub const UNLIMITED: Budget = Budget { nodes: None, time: None };
}

/// How far a search has come, for somebody else to look at while it runs.
#[derive(Debug, Default)]
pub struct Watch {
    nodes: AtomicU64,
    depth: AtomicU16,
    lower: AtomicI16,
    upper: AtomicI16,
}

impl Watch {
    /// Quiet positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// How many moves deep one of the threads was a moment ago.
    pub fn depth(&self) -> u16 {
        self.depth.load(Ordering::Relaxed)
    }

    /// What is proven of the position's value so far: an interval that only shrinks while one question is
    /// answered. Both are 0 before the search begins.
    pub fn bounds(&self) -> (Boxes, Boxes) {
        (Boxes(self.lower.load(Ordering::Relaxed)), Boxes(self.upper.load(Ordering::Relaxed)))
    }

    pub(crate) fn report(&self, value: Interval) {
        self.lower.store(value.lower, Ordering::Relaxed);
        self.upper.store(value.upper, Ordering::Relaxed);
    }
}

/// Nodes between two looks at the clock and the flag: well under a millisecond of work.
const BATCH: u64 = 1024;

/// The budget of one question while it is spent, shared by the threads that work on it.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limit: u64,
    until: Option<Instant>,
    cancel: &'a AtomicBool,
    watch: &'a Watch,
    spent: AtomicU64,
    over: AtomicBool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: Budget, cancel: &'a AtomicBool, watch: &'a Watch) -> Meter<'a> {
        let meter = Meter {
            limit: budget.nodes.unwrap_or(u64::MAX),
            until: budget.time.and_then(|t| Instant::now().checked_add(t)),
            cancel,
            watch,
            spent: AtomicU64::new(0),
            over: AtomicBool::new(false),
        };
        // A budget of nothing is spent before the first node.
        meter.spend(0, 0);
        meter
    }

    /// Nodes a thread may visit before it must look at the budget again.
    pub(crate) fn batch(&self) -> u64 {
        BATCH.min(self.limit.saturating_sub(self.spent())).max(1)
    }

    /// Nodes visited so far, in whole batches while threads are at work.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Adds nodes visited by a thread that is so many moves deep; `false` when the work must stop.
    pub(crate) fn spend(&self, nodes: u64, depth: u16) -> bool {
        self.watch.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.watch.depth.store(depth, Ordering::Relaxed);
        let spent = self.spent.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if spent >= self.limit
            || self.cancel.load(Ordering::Relaxed)
            || self.until.is_some_and(|until| Instant::now() >= until)
        {
            self.over.store(true, Ordering::Relaxed);
        }
        !self.is_over()
    }

    /// Ends the work early.
    pub(crate) fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether the budget is spent or the question was cancelled.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}
