//! Where queries are answered: an oracle with one set of tables, the budgets, and the places for searches.

use std::sync::Arc;
use std::time::Instant;

use http::HeaderValue;
use oracle::Oracle;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;

use crate::budgets::Budgets;
use crate::caller::Caller;
use crate::evaluator::{Begun, Evaluator};
use crate::line::Line;
use crate::metrics::{Kind, Metrics};
use crate::refusal::Refusal;
use crate::searches::Searches;
use crate::work::Work;

/// An oracle that is ready, and what may be asked of it at once. Calls keep the room they began in: when the tables are
/// loaded anew there is a new one.
pub(crate) struct Room {
    oracle: Arc<Oracle>,
    budgets: Budgets,
    searches: Searches,
    set: HeaderValue,
    pub(crate) metrics: Arc<Metrics>,
}

impl Room {
    /// A room whose searches stand in this line and are remembered in so many bytes.
    pub(crate) fn new(
        oracle: Arc<Oracle>,
        budgets: Budgets,
        line: Arc<Line>,
        cache: u64,
        metrics: Arc<Metrics>,
    ) -> Room {
        let searches = Searches::new(line, cache, Arc::clone(&metrics));
        // Sixteen hexadecimal digits are always the value of a header.
        let set = HeaderValue::from_str(&oracle.tables().set_id())
            .unwrap_or_else(|_| HeaderValue::from_static("unknown"));
        Room { oracle, budgets, searches, set, metrics }
    }

    pub(crate) fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// The id of the set of tables, as answers carry it.
    pub(crate) const fn set(&self) -> &HeaderValue {
        &self.set
    }

    /// Checks a query, and answers it if that is cheap.
    pub(crate) fn begin(&self, query: Option<Query>, caller: Caller) -> Begun {
        match Evaluator::new(&self.oracle, &self.budgets).begin(query, caller) {
            Begun::Work(work) => match work.at_once(&self.oracle) {
                Some(found) => Begun::Answered(found.map(|found| found.answer)),
                None => Begun::Work(work),
            },
            begun => begun,
        }
    }

    /// Searches; dropped, the search is cancelled unless others wait for it, too.
    pub(crate) async fn search(&self, work: Work, caller: Caller) -> Result<Answer, Refusal> {
        self.searches.answer(&self.oracle, work, caller.who).await
    }

    /// Answers a query, on the spot when it is cheap.
    pub(crate) async fn answer(&self, query: Query, caller: Caller) -> Result<Answer, Refusal> {
        let (kind, began) = (Kind::of(Some(&query)), Instant::now());
        let answer = match self.begin(Some(query), caller) {
            Begun::Answered(answer) => answer,
            Begun::Work(work) => self.search(*work, caller).await,
        };
        self.metrics.answered(kind, answer.as_ref(), began.elapsed());
        answer
    }

    /// An order to answer many queries in, so that each block of a table is decoded once for all of them.
    pub(crate) fn order(&self, sent: &[proto::v1::EvaluateRequest]) -> Vec<usize> {
        Evaluator::new(&self.oracle, &self.budgets).order(sent)
    }
}
