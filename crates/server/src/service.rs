//! The service of the contract: each method hands its message on.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use http::{HeaderName, HeaderValue};
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, solver_server::Solver};
use tokio_stream::StreamExt as _;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use crate::answers::{Answers, Terms};
use crate::budgets::Budgets;
use crate::caller::Caller;
use crate::config::Limits;
use crate::convert::limits;
use crate::line::Line;
use crate::metrics::Metrics;
use crate::refusal::{Refusal, Violation};
use crate::room::Room;

/// The most requests of one [`EvaluateBatch`](v1::EvaluateBatchRequest); the contract names it.
pub const MAX_BATCH: usize = 10_000;

/// The metadata that names the set of tables an answer is from.
const TABLE_SET: HeaderName = HeaderName::from_static("doublecross-table-set");

/// Who knows whether there is a room, what is going on in it, and what has been counted.
#[derive(Clone)]
pub(crate) struct Desk {
    room: Arc<ArcSwapOption<Room>>,
    pub(crate) line: Arc<Line>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) draining: CancellationToken,
}

impl Desk {
    /// No room yet.
    pub(crate) fn new(limits: &Limits, metrics: Arc<Metrics>, draining: CancellationToken) -> Desk {
        let line = Line::new(limits.searches, limits.waiting, limits.waiting_of_one);
        Desk { room: Arc::default(), line, metrics, draining }
    }

    /// Opens a room; calls that began in the one before stay there.
    pub(crate) fn open(&self, room: Room) {
        let tables = room.oracle().tables();
        let sound = tables.list().iter().filter(|table| table.status.is_ok()).count();
        self.metrics.in_use(&tables.set_id(), sound);
        self.metrics.loads.inc();
        self.room.store(Some(Arc::new(room)));
    }

    pub(crate) fn room(&self) -> Result<Arc<Room>, Refusal> {
        self.room.load_full().ok_or(Refusal::Starting)
    }

    /// Why a query would be refused whatever it is, if so.
    pub(crate) fn refuses(&self) -> Option<Refusal> {
        if self.draining.is_cancelled() {
            return Some(Refusal::Stopping);
        }
        self.room().err()
    }

    /// What has been counted, as Prometheus reads it.
    pub(crate) fn metrics(&self) -> Result<String, prometheus::Error> {
        let (running, waiting) = self.line.load();
        let gauge = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        self.metrics.running.set(gauge(running));
        self.metrics.waiting.set(gauge(waiting));
        self.metrics.text()
    }
}

/// The service, in a room that opens once the tables are verified.
#[derive(Clone)]
pub(crate) struct Service {
    desk: Desk,
    limits: Limits,
    budgets: Budgets,
}

impl Service {
    /// A service that refuses every query until there is a room.
    pub(crate) const fn new(desk: Desk, limits: Limits, budgets: Budgets) -> Service {
        Service { desk, limits, budgets }
    }

    fn terms(&self, caller: Caller) -> Terms {
        let Limits { window, idle, .. } = self.limits;
        let abreast = self.limits.abreast();
        Terms { window, abreast, idle, draining: self.desk.draining.clone(), caller }
    }
}

/// What a method returns.
type Reply<T> = Result<Response<T>, Status>;

/// A response that names the set of tables.
fn from_set<T>(message: T, set: &HeaderValue) -> Response<T> {
    let mut response = Response::new(message);
    response.metadata_mut().as_mut().insert(TABLE_SET, set.clone());
    response
}

/// Answers a unary call: a query of some kind has an answer of the same.
macro_rules! answer {
    ($service:expr, $sent:expr, $kind:ident) => {{
        let room = $service.desk.room()?;
        let caller = Caller::of($sent.extensions());
        match room.answer(Query::$kind($sent.into_inner()), caller).await? {
            Answer::$kind(answer) => Ok(from_set(answer, room.set())),
            _ => Err(Refusal::Fault.into()),
        }
    }};
}

#[tonic::async_trait]
impl Solver for Service {
    async fn endgame_value(&self, sent: Request<v1::EndgameValueRequest>) -> Reply<v1::EndgameValueResponse> {
        answer!(self, sent, EndgameValue)
    }

    async fn taker_value(&self, sent: Request<v1::TakerValueRequest>) -> Reply<v1::TakerValueResponse> {
        answer!(self, sent, TakerValue)
    }

    async fn exact_solve(&self, sent: Request<v1::ExactSolveRequest>) -> Reply<v1::ExactSolveResponse> {
        answer!(self, sent, ExactSolve)
    }

    async fn structure(&self, sent: Request<v1::StructureRequest>) -> Reply<v1::StructureResponse> {
        answer!(self, sent, Structure)
    }

    async fn best_move(&self, sent: Request<v1::BestMoveRequest>) -> Reply<v1::BestMoveResponse> {
        answer!(self, sent, BestMove)
    }

    async fn endgame_advice(
        &self,
        sent: Request<v1::EndgameAdviceRequest>,
    ) -> Reply<v1::EndgameAdviceResponse> {
        answer!(self, sent, EndgameAdvice)
    }

    async fn controller(&self, sent: Request<v1::ControllerRequest>) -> Reply<v1::ControllerResponse> {
        answer!(self, sent, Controller)
    }

    async fn nimstring(&self, sent: Request<v1::NimstringRequest>) -> Reply<v1::NimstringResponse> {
        answer!(self, sent, Nimstring)
    }

    async fn review_game(&self, sent: Request<v1::ReviewGameRequest>) -> Reply<v1::ReviewGameResponse> {
        answer!(self, sent, ReviewGame)
    }

    type EvaluateStream = Answers<Streaming<v1::EvaluateRequest>>;

    async fn evaluate(&self, sent: Request<Streaming<v1::EvaluateRequest>>) -> Reply<Self::EvaluateStream> {
        let room = self.desk.room()?;
        let (set, terms) = (room.set().clone(), self.terms(Caller::of(sent.extensions())));
        Ok(from_set(Answers::new(room, sent.into_inner(), terms), &set))
    }

    async fn evaluate_batch(
        &self,
        sent: Request<v1::EvaluateBatchRequest>,
    ) -> Reply<v1::EvaluateBatchResponse> {
        let room = self.desk.room()?;
        let (set, terms) = (room.set().clone(), self.terms(Caller::of(sent.extensions())));
        let mut requests = sent.into_inner().requests;
        if requests.len() > MAX_BATCH {
            let description =
                format!("at most {MAX_BATCH} requests, not {}; stream them to Evaluate", requests.len());
            return Err(Refusal::from(Violation::new("requests", description)).into());
        }
        let order = room.order(&requests);
        let mut responses = vec![v1::EvaluateResponse::default(); requests.len()];
        let sorted: Vec<_> = order.iter().map(|&i| Ok(std::mem::take(&mut requests[i]))).collect();
        let mut answers = Answers::new(room, tokio_stream::iter(sorted), terms);
        // Answers come in the order of what was asked.
        for i in order {
            if let Some(response) = answers.next().await {
                responses[i] = response?;
            }
        }
        Ok(from_set(v1::EvaluateBatchResponse { responses }, &set))
    }

    async fn limits(&self, _: Request<v1::LimitsRequest>) -> Reply<v1::LimitsResponse> {
        let room = self.desk.room()?;
        let limits = limits::response(&self.limits, &self.budgets, room.oracle().tables());
        Ok(from_set(limits, room.set()))
    }
}
