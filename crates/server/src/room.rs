//! Where queries are answered: an oracle, the budgets, and a few places for searches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use oracle::Oracle;

use crate::budgets::Budgets;
use crate::evaluator::Evaluator;
use crate::refusal::Refusal;
use crate::searches::Searches;
use crate::work::Work;

/// An oracle that is ready, and what may be asked of it at once.
pub(crate) struct Room {
    oracle: Arc<Oracle>,
    budgets: Budgets,
    searches: Searches,
}

impl Room {
    pub(crate) const fn new(oracle: Arc<Oracle>, budgets: Budgets, searches: Searches) -> Room {
        Room { oracle, budgets, searches }
    }

    /// For everything that is answered on the spot.
    pub(crate) fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.oracle, &self.budgets)
    }

    /// Works on a thread of its own; dropped, the work is cancelled.
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Oracle, &AtomicBool) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let oracle = Arc::clone(&self.oracle);
        self.searches.run(move |cancel| work(&oracle, cancel)).await?
    }

    /// Does some work, on the spot when it is cheap.
    pub(crate) async fn answer<W: Work>(&self, work: W) -> Result<W::Reply, Refusal> {
        if work.is_cheap(&self.oracle) {
            return work.run(&self.oracle, &AtomicBool::new(false));
        }
        self.search(move |oracle, cancel| work.run(oracle, cancel)).await
    }
}
