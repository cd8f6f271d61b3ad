//! Searches, kept off the async threads: few at a time, each once, and remembered.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use oracle::Oracle;
use prost::Message as _;
use proto::v1::EvaluateResponse;
use proto::v1::evaluate_response::Answer;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::oneshot;

use crate::caller::Who;
use crate::line::{Line, Place};
use crate::metrics::Metrics;
use crate::refusal::Refusal;
use crate::work::{Found, Work};

/// A search under way, for everybody who asked for it.
type Underway = Shared<BoxFuture<'static, Result<Found, Refusal>>>;

/// Runs searches on threads of their own, each in a place of the line. Who asks for what is being searched waits for that
/// search; what was answered completely is remembered.
pub(crate) struct Searches {
    line: Arc<Line>,
    underway: Arc<Mutex<HashMap<Work, Ticket>>>,
    tickets: AtomicU64,
    known: Cache<Work, Found, Bytes>,
    metrics: Arc<Metrics>,
}

/// A search under way by its number: one that was given up can be begun again before it is tidied away.
struct Ticket {
    number: u64,
    search: WeakShared<BoxFuture<'static, Result<Found, Refusal>>>,
}

impl Searches {
    /// Searches in the places of this line, remembering so many bytes of answers.
    pub(crate) fn new(line: Arc<Line>, cache: u64, metrics: Arc<Metrics>) -> Searches {
        // Room for answers of a kilobyte each; it grows when they are smaller.
        let items = (cache >> 10).clamp(16, 1 << 20) as usize;
        let known = Cache::with_weighter(items, cache, Bytes);
        Searches { line, underway: Arc::default(), tickets: AtomicU64::new(0), known, metrics }
    }

    /// The answer to some work, for this client. Dropped, it is cancelled unless others wait for it, too.
    pub(crate) async fn answer(&self, oracle: &Arc<Oracle>, work: Work, who: Who) -> Result<Answer, Refusal> {
        if let Some(found) = self.known.get(&work) {
            self.metrics.remembered.inc();
            return Ok(found.answer);
        }
        let found = self.join(oracle, &work, who).await?;
        if found.complete && work.until.is_none() {
            self.known.insert(work, found.clone());
        }
        Ok(found.answer)
    }

    /// The search that is under way for this work, or a new one.
    fn join(&self, oracle: &Arc<Oracle>, work: &Work, who: Who) -> Underway {
        let number = self.tickets.fetch_add(1, Ordering::Relaxed);
        let mut underway = lock(&self.underway);
        if let Some(search) = underway.get(work).and_then(|ticket| ticket.search.upgrade()) {
            self.metrics.joined.inc();
            return search;
        }
        let tidy = Tidy { underway: Arc::clone(&self.underway), work: work.clone(), number };
        let (line, oracle, metrics) = (Arc::clone(&self.line), Arc::clone(oracle), Arc::clone(&self.metrics));
        let search = async move {
            let found = search(&line, oracle, &tidy.work, who, &metrics).await;
            drop(tidy);
            found
        };
        let search = search.boxed().shared();
        if let Some(weak) = search.downgrade() {
            underway.insert(work.clone(), Ticket { number, search: weak });
        }
        search
    }
}

/// Searches once there is a place; or without one, for what is known at once, when the time to wait is over.
async fn search(
    line: &Arc<Line>,
    oracle: Arc<Oracle>,
    work: &Work,
    who: Who,
    metrics: &Arc<Metrics>,
) -> Result<Found, Refusal> {
    let late = async {
        match work.until {
            Some(until) => tokio::time::sleep_until(until.into()).await,
            None => std::future::pending().await,
        }
    };
    let place = tokio::select! {
        place = line.place(who) => Some(place?),
        () = late => None,
    };
    run(place, oracle, work.clone(), metrics).await
}

/// Runs some work on a thread of its own. When the future is dropped the work is cancelled; its place is free again only
/// once it has really ended.
async fn run(
    place: Option<Place>,
    oracle: Arc<Oracle>,
    work: Work,
    metrics: &Arc<Metrics>,
) -> Result<Found, Refusal> {
    let cancel = CancelOnDrop(Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&cancel.0);
    let (tell, told) = oneshot::channel();
    let body = move || {
        give_way();
        let found = work.run(&oracle, &flag, Arc::default());
        // Free before the answer is given, so that who asks again finds it so.
        drop(place);
        // Nobody waits any more when it was cancelled.
        let _ = tell.send(found);
    };
    std::thread::Builder::new().name("search".into()).spawn(body).map_err(|e| {
        tracing::error!(error = %e, "there is no thread for a search");
        Refusal::Fault
    })?;
    // The sender is dropped unsent only when the search panics, and that has been logged.
    let found = told.await.map_err(|_| {
        tracing::error!("a search failed");
        Refusal::Fault
    })?;
    if let Ok(Found { answer: Answer::ExactSolve(solved), .. }) = &found {
        metrics.nodes.inc_by(solved.stats.as_ref().map_or(0, |stats| stats.nodes));
    }
    found
}

/// Lets this thread, and those it starts, run behind those that answer what is cheap.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        const NICE: i32 = 10;
        // Not allowed to be polite, it is only less so.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
    }
}

/// Removes a search from those under way when it has ended, or nobody waits for it.
struct Tidy {
    underway: Arc<Mutex<HashMap<Work, Ticket>>>,
    work: Work,
    number: u64,
}

impl Drop for Tidy {
    fn drop(&mut self) {
        if let Entry::Occupied(entry) = lock(&self.underway).entry(self.work.clone())
            && entry.get().number == self.number
        {
            entry.remove();
        }
    }
}

/// Nothing that can panic is done while it is locked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the flag of a search nobody waits for any more.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What an answer weighs, about.
#[derive(Clone)]
struct Bytes;

impl Weighter<Work, Found> for Bytes {
    fn weight(&self, _: &Work, found: &Found) -> u64 {
        let sent = EvaluateResponse { id: String::new(), answer: Some(found.answer.clone()) };
        // A message takes more memory than it has bytes, lists of small messages most; and there is the work beside it.
        (4 * sent.encoded_len() + 2 * size_of::<(Work, Found)>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use game::{Board, Position};
    use oracle::{Budget, Config};
    use proto::v1::exact_solve_response::Outcome;
    use tables::Catalogue;

    use super::*;
    use crate::caller::Caller;
    use crate::work::Ask;

    const WHO: Who = Caller::local().who;

    fn searches() -> (Searches, Arc<Oracle>) {
        let metrics = Metrics::new().unwrap();
        let config = Config { threads: 1, table_bytes: 1 << 20 };
        let oracle = Oracle::with_config(Catalogue::empty(), config).into();
        (Searches::new(Line::new(1, 10, 10), 1 << 20, metrics), oracle)
    }

    /// The empty board of this size, for as long as it takes.
    fn solve(rows: u32, cols: u32) -> Work {
        let position = Position::empty(Board::new(rows, cols).unwrap());
        let ask = Ask::Solve { position, score: None, all_moves: false, principal_variation: false };
        Work { ask, budget: Budget::UNLIMITED, until: None }
    }

    fn outcome(answer: Result<Answer, Refusal>) -> Option<Outcome> {
        let Ok(Answer::ExactSolve(solved)) = answer else { panic!("{answer:?}") };
        solved.outcome
    }

    /// Waits until so many searches run.
    async fn until_running(searches: &Searches, running: usize) {
        let begun = Instant::now();
        while searches.line.load().0 != running {
            assert!(begun.elapsed() < Duration::from_secs(10), "this hangs");
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_dropped_search_is_cancelled_and_its_place_is_free() {
        let (searches, oracle) = searches();
        let searches = Arc::new(searches);
        let call = tokio::spawn({
            let (searches, oracle) = (Arc::clone(&searches), Arc::clone(&oracle));
            async move { searches.answer(&oracle, solve(5, 5), WHO).await }
        });
        until_running(&searches, 1).await;
        call.abort();
        until_running(&searches, 0).await;
        assert!(lock(&searches.underway).is_empty());
        assert_eq!(outcome(searches.answer(&oracle, solve(2, 2), WHO).await), Some(Outcome::Value(2)));
    }

    #[tokio::test]
    async fn what_is_being_searched_is_joined_and_what_was_is_remembered() {
        let (searches, oracle) = searches();
        let ask = || searches.answer(&oracle, solve(2, 3), WHO);
        let (one, two, three) = tokio::join!(ask(), ask(), ask());
        for answer in [one, two, three] {
            assert_eq!(outcome(answer), Some(Outcome::Value(-2)));
        }
        let counted = || (searches.metrics.joined.get(), searches.metrics.remembered.get());
        assert_eq!(counted(), (2, 0));
        let nodes = searches.metrics.nodes.get();
        assert_eq!(outcome(ask().await), Some(Outcome::Value(-2)));
        assert_eq!((counted(), searches.metrics.nodes.get()), ((2, 1), nodes));
        // Another question is another search; and what was not proven is asked again.
        let no_nodes = Work { budget: Budget { nodes: Some(0), time: None }, ..solve(2, 3) };
        for _ in 0..2 {
            let bounds = outcome(searches.answer(&oracle, no_nodes.clone(), WHO).await);
            assert!(matches!(bounds, Some(Outcome::Bounds(_))), "{bounds:?}");
        }
        assert_eq!(counted(), (2, 1));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn who_wants_bounds_at_the_deadline_gets_them_in_line_too() {
        let (searches, oracle) = searches();
        let mut first = Box::pin(searches.answer(&oracle, solve(5, 5), WHO));
        assert!(futures_util::poll!(&mut first).is_pending());
        let until = Some(Instant::now() + Duration::from_millis(30));
        let bounds = outcome(searches.answer(&oracle, Work { until, ..solve(4, 5) }, WHO).await);
        assert!(matches!(bounds, Some(Outcome::Bounds(_))), "{bounds:?}");
        assert!(futures_util::poll!(&mut first).is_pending());
    }

    #[tokio::test]
    async fn the_line_refuses_what_is_too_much() {
        let metrics = Metrics::new().unwrap();
        let searches = Searches::new(Line::new(1, 0, 0), 0, metrics);
        let (_, oracle) = self::searches();
        let mut first = Box::pin(searches.answer(&oracle, solve(5, 5), WHO));
        assert!(futures_util::poll!(&mut first).is_pending());
        let refused = searches.answer(&oracle, solve(2, 3), WHO).await;
        assert!(matches!(refused, Err(Refusal::Busy(_))), "{refused:?}");
        // What is under way already takes no place of its own.
        let mut same = Box::pin(searches.answer(&oracle, solve(5, 5), WHO));
        assert!(futures_util::poll!(&mut same).is_pending());
    }
}
