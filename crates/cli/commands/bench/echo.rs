//! The least a service can do: every query is answered with a message made beforehand.

use std::pin::Pin;
use std::sync::Arc;

use proto::v1::{self, evaluate_response::Answer, solver_server::Solver};
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status, Streaming};

/// Answers the n-th query with the n-th message, round and round.
pub(super) struct Echo {
    pub(super) answers: Arc<[v1::EvaluateResponse]>,
}

fn no_such_call<T>() -> Result<T, Status> {
    Err(Status::unimplemented("the echo does not know this call"))
}

#[tonic::async_trait]
impl Solver for Echo {
    type EvaluateStream = Pin<Box<dyn Stream<Item = Result<v1::EvaluateResponse, Status>> + Send>>;

    async fn evaluate(
        &self,
        request: Request<Streaming<v1::EvaluateRequest>>,
    ) -> Result<Response<Self::EvaluateStream>, Status> {
        let answers = Arc::clone(&self.answers);
        let mut next = 0;
        let stream = request.into_inner().map(move |request| {
            let id = request?.id;
            let answer = answers[next].answer.clone();
            next = (next + 1) % answers.len();
            Ok(v1::EvaluateResponse { id, answer })
        });
        Ok(Response::new(Box::pin(stream)))
    }

    async fn endgame_value(
        &self,
        _: Request<v1::EndgameValueRequest>,
    ) -> Result<Response<v1::EndgameValueResponse>, Status> {
        match self.answers.first().and_then(|first| first.answer.clone()) {
            Some(Answer::EndgameValue(answer)) => Ok(Response::new(answer)),
            _ => no_such_call(),
        }
    }

    async fn taker_value(
        &self,
        _: Request<v1::TakerValueRequest>,
    ) -> Result<Response<v1::TakerValueResponse>, Status> {
        no_such_call()
    }

    async fn exact_solve(
        &self,
        _: Request<v1::ExactSolveRequest>,
    ) -> Result<Response<v1::ExactSolveResponse>, Status> {
        no_such_call()
    }

    async fn structure(
        &self,
        _: Request<v1::StructureRequest>,
    ) -> Result<Response<v1::StructureResponse>, Status> {
        no_such_call()
    }

    async fn best_move(
        &self,
        _: Request<v1::BestMoveRequest>,
    ) -> Result<Response<v1::BestMoveResponse>, Status> {
        no_such_call()
    }

    async fn endgame_advice(
        &self,
        _: Request<v1::EndgameAdviceRequest>,
    ) -> Result<Response<v1::EndgameAdviceResponse>, Status> {
        no_such_call()
    }

    async fn controller(
        &self,
        _: Request<v1::ControllerRequest>,
    ) -> Result<Response<v1::ControllerResponse>, Status> {
        no_such_call()
    }

    async fn nimstring(
        &self,
        _: Request<v1::NimstringRequest>,
    ) -> Result<Response<v1::NimstringResponse>, Status> {
        no_such_call()
    }

    async fn review_game(
        &self,
        _: Request<v1::ReviewGameRequest>,
    ) -> Result<Response<v1::ReviewGameResponse>, Status> {
        no_such_call()
    }

    async fn limits(&self, _: Request<v1::LimitsRequest>) -> Result<Response<v1::LimitsResponse>, Status> {
        no_such_call()
    }

    async fn evaluate_batch(
        &self,
        _: Request<v1::EvaluateBatchRequest>,
    ) -> Result<Response<v1::EvaluateBatchResponse>, Status> {
        no_such_call()
    }
}
