//! How much work a question may cost.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much work a question may cost. When it runs out the answer is what has been proven so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// Nodes between two looks at the clock and the flag: well under a millisecond of work.
pub(crate) const BATCH: u64 = 1024;

/// The budget of one question while it is spent, shared by the threads that work on it.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limit: u64,
    until: Option<Instant>,
    cancel: &'a AtomicBool,
    spent: AtomicU64,
    over: AtomicBool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: Budget, cancel: &'a AtomicBool) -> Meter<'a> {
        Meter {
            limit: budget.nodes.unwrap_or(u64::MAX),
            until: budget.time.and_then(|t| Instant::now().checked_add(t)),
            cancel,
            spent: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// Nodes visited so far, in whole batches while threads are at work.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Adds nodes; `false` when the work must stop.
    pub(crate) fn spend(&self, nodes: u64) -> bool {
        let spent = self.spent.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if spent > self.limit
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
