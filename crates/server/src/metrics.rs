//! What is counted, for Prometheus.
//!
//! Every counter a query touches is made beforehand or found by an index, so that counting takes no lock.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use prometheus::{
    Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
    local::LocalHistogram,
};
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, Source};

use crate::refusal::Refusal;

/// The kinds of queries, by the name of their method.
pub(crate) const KINDS: [&str; 10] = [
    "EndgameValue",
    "TakerValue",
    "ExactSolve",
    "Structure",
    "BestMove",
    "EndgameAdvice",
    "Controller",
    "Nimstring",
    "ReviewGame",
    "none",
];

/// The kind of a query, as a place in [`KINDS`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind(usize);

impl Kind {
    pub(crate) const fn of(query: Option<&Query>) -> Kind {
        Kind(match query {
            Some(Query::EndgameValue(_)) => 0,
            Some(Query::TakerValue(_)) => 1,
            Some(Query::ExactSolve(_)) => 2,
            Some(Query::Structure(_)) => 3,
            Some(Query::BestMove(_)) => 4,
            Some(Query::EndgameAdvice(_)) => 5,
            Some(Query::Controller(_)) => 6,
            Some(Query::Nimstring(_)) => 7,
            Some(Query::ReviewGame(_)) => 8,
            None => 9,
        })
    }
}

const SOURCES: [&str; 4] = ["none", "table", "endgame", "search"];
const OUTCOMES: [&str; 8] =
    ["exact", "bounds", "invalid", "busy", "unavailable", "late", "cancelled", "fault"];

/// Seconds, from what a table takes to the longest search.
const BUCKETS: [f64; 14] =
    [1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 1e-3, 2.5e-3, 5e-3, 2.5e-2, 0.1, 0.5, 2.5, 10.0, 60.0];

/// One counter for each kind, source and outcome; those that never come are not made.
struct Queries {
    by: IntCounterVec,
    made: [[[OnceLock<IntCounter>; OUTCOMES.len()]; SOURCES.len()]; KINDS.len()],
}

impl Queries {
    fn count(&self, kind: Kind, source: usize, outcome: usize, answers: u64) {
        let made = &self.made[kind.0][source][outcome];
        let make = || self.by.with_label_values(&[KINDS[kind.0], SOURCES[source], OUTCOMES[outcome]]);
        made.get_or_init(make).inc_by(answers);
    }
}

/// What is counted.
pub(crate) struct Metrics {
    registry: Registry,
    queries: Queries,
    seconds: Vec<Histogram>,
    /// Searches that run, and that wait for a place.
    pub(crate) running: IntGauge,
    pub(crate) waiting: IntGauge,
    /// Nodes visited by solves.
    pub(crate) nodes: IntCounter,
    /// Answers remembered from before, and searches somebody else had begun.
    pub(crate) remembered: IntCounter,
    pub(crate) joined: IntCounter,
    /// Calls under way.
    pub(crate) calls: IntGauge,
    /// Calls refused because too many were.
    pub(crate) refused: IntCounter,
    /// Open connections.
    pub(crate) connections: IntGauge,
    /// Loads of the tables that were taken, and that were not.
    pub(crate) loads: IntCounter,
    pub(crate) bad_loads: IntCounter,
    tables: IntGaugeVec,
}

impl Metrics {
    /// Nothing counted yet.
    ///
    /// # Errors
    /// When a name is no name or comes twice, which every test that starts a server would show.
    pub(crate) fn new() -> Result<Arc<Metrics>, prometheus::Error> {
        let registry = Registry::new();
        let counter = |name: &str, help: &str| {
            let counter = IntCounter::new(format!("doublecross_{name}"), help)?;
            registry.register(Box::new(counter.clone()))?;
            Ok::<_, prometheus::Error>(counter)
        };
        let gauge = |name: &str, help: &str| {
            let gauge = IntGauge::new(format!("doublecross_{name}"), help)?;
            registry.register(Box::new(gauge.clone()))?;
            Ok::<_, prometheus::Error>(gauge)
        };
        let by = IntCounterVec::new(
            Opts::new("doublecross_queries_total", "Queries answered, unary, in streams and in batches."),
            &["kind", "source", "outcome"],
        )?;
        registry.register(Box::new(by.clone()))?;
        let mut seconds = Vec::new();
        for kind in KINDS {
            let opts = HistogramOpts::new(
                "doublecross_query_seconds",
                "From reading a query to its answer, time in line included.",
            );
            let histogram = Histogram::with_opts(opts.buckets(BUCKETS.to_vec()).const_label("kind", kind))?;
            registry.register(Box::new(histogram.clone()))?;
            seconds.push(histogram);
        }
        let tables = IntGaugeVec::new(
            Opts::new("doublecross_tables", "How many tables the set in use has, by its id."),
            &["set"],
        )?;
        registry.register(Box::new(tables.clone()))?;
        Ok(Arc::new(Metrics {
            queries: Queries { by, made: Default::default() },
            seconds,
            running: gauge("searches_running", "Searches that run.")?,
            waiting: gauge("searches_waiting", "Searches that wait for a place.")?,
            nodes: counter("search_nodes_total", "Nodes visited by solves.")?,
            remembered: counter("cache_hits_total", "Answers remembered from an earlier search.")?,
            joined: counter("searches_joined_total", "Queries that joined a search already under way.")?,
            calls: gauge("calls", "Calls under way.")?,
            refused: counter("calls_refused_total", "Calls refused because too many were under way.")?,
            connections: gauge("connections", "Open connections.")?,
            loads: counter("table_loads_total", "Loads of the tables that were taken.")?,
            bad_loads: counter("table_loads_refused_total", "Loads of the tables that were not taken.")?,
            tables,
            registry,
        }))
    }

    /// Counts the answer to a query, and what it took.
    pub(crate) fn answered(&self, kind: Kind, answer: Result<&Answer, &Refusal>, took: Duration) {
        let (source, outcome) = outcome(answer);
        self.queries.count(kind, source, outcome, 1);
        self.seconds[kind.0].observe(took.as_secs_f64());
    }

    /// Somewhere to count the answers of one stream.
    pub(crate) fn tally(self: &Arc<Metrics>) -> Tally {
        Tally { metrics: Arc::clone(self), seconds: [const { None }; KINDS.len()], queries: Vec::new() }
    }

    /// Says which tables are in use.
    pub(crate) fn in_use(&self, set: &str, tables: usize) {
        self.tables.reset();
        self.tables.with_label_values(&[set]).set(i64::try_from(tables).unwrap_or(i64::MAX));
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn text(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

/// Answers of one stream that are counted by it alone until there is time to count them for all: the shared counters are
/// another core's as often as not, and a stream answers in less time than it takes to get hold of one.
pub(crate) struct Tally {
    metrics: Arc<Metrics>,
    seconds: [Option<LocalHistogram>; KINDS.len()],
    /// A stream sees few of them.
    queries: Vec<(Kind, usize, usize, u64)>,
}

impl Tally {
    /// Counts the answer to a query, and what it took.
    pub(crate) fn answered(&mut self, kind: Kind, answer: Result<&Answer, &Refusal>, took: Duration) {
        let (source, outcome) = outcome(answer);
        match self.queries.iter_mut().find(|(k, s, o, _)| (k.0, *s, *o) == (kind.0, source, outcome)) {
            Some((.., answers)) => *answers += 1,
            None => self.queries.push((kind, source, outcome, 1)),
        }
        let local = || self.metrics.seconds[kind.0].local();
        self.seconds[kind.0].get_or_insert_with(local).observe(took.as_secs_f64());
    }

    /// Counts them for all.
    pub(crate) fn settle(&mut self) {
        for (kind, source, outcome, answers) in self.queries.drain(..) {
            self.metrics.queries.count(kind, source, outcome, answers);
        }
        self.seconds.iter().flatten().for_each(LocalHistogram::flush);
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        self.settle();
    }
}

/// How a query is counted: places in [`SOURCES`] and [`OUTCOMES`].
fn outcome(answer: Result<&Answer, &Refusal>) -> (usize, usize) {
    match answer {
        Ok(answer) => (source(answer), usize::from(!is_proven(answer))),
        Err(refusal) => (0, refused(refusal)),
    }
}

/// Where an answer is from, as a place in [`SOURCES`].
fn source(answer: &Answer) -> usize {
    let source = match answer {
        Answer::EndgameValue(a) => a.source(),
        Answer::TakerValue(a) => a.source(),
        Answer::ExactSolve(a) => a.source(),
        Answer::EndgameAdvice(a) => a.source(),
        Answer::Nimstring(_) => Source::Search,
        Answer::ReviewGame(a) => a.sources().max().unwrap_or(Source::Unspecified),
        Answer::Structure(_) | Answer::Controller(_) | Answer::BestMove(_) | Answer::Error(_) => {
            Source::Unspecified
        }
    };
    match source {
        Source::Unspecified => 0,
        Source::Table => 1,
        Source::Endgame => 2,
        Source::Search => 3,
    }
}

/// Whether all of an answer is proven.
fn is_proven(answer: &Answer) -> bool {
    use v1::endgame_advice_response::Verdict;
    match answer {
        Answer::ExactSolve(a) => matches!(a.outcome, Some(v1::exact_solve_response::Outcome::Value(_))),
        Answer::BestMove(a) => a.proven,
        Answer::EndgameAdvice(a) => a.verdict() != Verdict::Unproven,
        Answer::Nimstring(a) => a.value.is_some(),
        Answer::ReviewGame(a) => a.proven_from == 0,
        _ => true,
    }
}

/// Why there is none, as a place in [`OUTCOMES`].
const fn refused(refusal: &Refusal) -> usize {
    match refusal {
        Refusal::Invalid(_) | Refusal::Beyond { .. } | Refusal::Unknown => 2,
        Refusal::Busy(_) => 3,
        Refusal::Starting | Refusal::Stopping => 4,
        Refusal::Late => 5,
        Refusal::Idle => 6,
        Refusal::Fault => 7,
    }
}

/// A gauge that is one higher while this lives.
#[derive(Debug)]
pub(crate) struct Counted(IntGauge);

impl Counted {
    pub(crate) fn by(gauge: &IntGauge) -> Counted {
        gauge.inc();
        Counted(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}
