//! The service of the contract: each method hands its message on.

use std::sync::{Arc, OnceLock};

use proto::v1::{self, solver_server::Solver};
use tokio_stream::StreamExt as _;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use crate::answers::Answers;
use crate::refusal::{Refusal, Violation};
use crate::room::Room;

/// The most requests of one [`EvaluateBatch`](v1::EvaluateBatchRequest); the contract names it.
pub const MAX_BATCH: usize = 10_000;

/// The service, in a room that opens once the tables are verified.
#[derive(Clone)]
pub(crate) struct Service {
    room: Arc<OnceLock<Arc<Room>>>,
    window: usize,
    draining: CancellationToken,
}

impl Service {
    /// A service that refuses every query until there is a room. Its streams read `window` requests ahead and
    /// end when idle once `draining` is cancelled.
    pub(crate) fn new(window: usize, draining: CancellationToken) -> Service {
        Service { room: Arc::default(), window, draining }
    }

    /// Opens; a second room is ignored.
    pub(crate) fn open(&self, room: Room) {
        self.room.get_or_init(|| Arc::new(room));
    }

    fn room(&self) -> Result<&Arc<Room>, Refusal> {
        self.room.get().ok_or(Refusal::Starting)
    }
}

/// What a method returns.
type Reply<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl Solver for Service {
    async fn endgame_value(&self, sent: Request<v1::EndgameValueRequest>) -> Reply<v1::EndgameValueResponse> {
        Ok(Response::new(self.room()?.evaluator().endgame_value(sent.into_inner())?))
    }

    async fn taker_value(&self, sent: Request<v1::TakerValueRequest>) -> Reply<v1::TakerValueResponse> {
        Ok(Response::new(self.room()?.evaluator().taker_value(sent.into_inner())?))
    }

    async fn exact_solve(&self, sent: Request<v1::ExactSolveRequest>) -> Reply<v1::ExactSolveResponse> {
        let room = self.room()?;
        Ok(Response::new(room.answer(room.evaluator().solve(sent.into_inner())?).await?))
    }

    async fn structure(&self, sent: Request<v1::StructureRequest>) -> Reply<v1::StructureResponse> {
        Ok(Response::new(self.room()?.evaluator().structure(sent.into_inner())?))
    }

    async fn best_move(&self, sent: Request<v1::BestMoveRequest>) -> Reply<v1::BestMoveResponse> {
        let room = self.room()?;
        Ok(Response::new(room.answer(room.evaluator().player(sent.into_inner())?).await?))
    }

    async fn endgame_advice(
        &self,
        sent: Request<v1::EndgameAdviceRequest>,
    ) -> Reply<v1::EndgameAdviceResponse> {
        let room = self.room()?;
        Ok(Response::new(room.answer(room.evaluator().advice(sent.into_inner())?).await?))
    }

    async fn controller(&self, sent: Request<v1::ControllerRequest>) -> Reply<v1::ControllerResponse> {
        Ok(Response::new(self.room()?.evaluator().controller(sent.into_inner())?))
    }

    async fn nimstring(&self, sent: Request<v1::NimstringRequest>) -> Reply<v1::NimstringResponse> {
        let room = self.room()?;
        Ok(Response::new(room.answer(room.evaluator().nimstring(sent.into_inner())?).await?))
    }

    async fn review_game(&self, sent: Request<v1::ReviewGameRequest>) -> Reply<v1::ReviewGameResponse> {
        let room = self.room()?;
        Ok(Response::new(room.answer(room.evaluator().review(sent.into_inner())?).await?))
    }

    type EvaluateStream = Answers<Streaming<v1::EvaluateRequest>>;

    async fn evaluate(&self, sent: Request<Streaming<v1::EvaluateRequest>>) -> Reply<Self::EvaluateStream> {
        let room = Arc::clone(self.room()?);
        Ok(Response::new(Answers::new(room, sent.into_inner(), self.window, self.draining.clone())))
    }

    async fn evaluate_batch(
        &self,
        sent: Request<v1::EvaluateBatchRequest>,
    ) -> Reply<v1::EvaluateBatchResponse> {
        let room = Arc::clone(self.room()?);
        let mut requests = sent.into_inner().requests;
        if requests.len() > MAX_BATCH {
            let description =
                format!("at most {MAX_BATCH} requests, not {}; stream them to Evaluate", requests.len());
            return Err(Refusal::from(Violation::new("requests", description)).into());
        }
        let order = room.evaluator().order(&requests);
        let mut responses = vec![v1::EvaluateResponse::default(); requests.len()];
        let sorted: Vec<_> = order.iter().map(|&i| Ok(std::mem::take(&mut requests[i]))).collect();
        let mut answers = Answers::new(room, tokio_stream::iter(sorted), self.window, self.draining.clone());
        // Answers come in the order of what was asked.
        for i in order {
            if let Some(response) = answers.next().await {
                responses[i] = response?;
            }
        }
        Ok(Response::new(v1::EvaluateBatchResponse { responses }))
    }
}
