//! A server that does as it is told, and a client of it.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper_util::rt::TokioIo;
use proto::client::{Client, ClientBuilder};
use proto::v1::evaluate_response::Answer;
use proto::v1::solver_server::{Solver, SolverServer};
use proto::v1::*;
use tokio::io::{DuplexStream, copy_bidirectional, duplex};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::Stream;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Endpoint, Server, Uri};
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_types::{ErrorDetails, StatusExt as _};

pub(crate) type Reply = Pin<Box<dyn Future<Output = Result<EndgameValueResponse, Status>> + Send>>;
pub(crate) type Asked = Streaming<EvaluateRequest>;
pub(crate) type Answers = Pin<Box<dyn Stream<Item = Result<EvaluateResponse, Status>> + Send>>;

/// What the server does with a call.
pub(crate) enum Act {
    Value(Box<dyn Fn(Request<EndgameValueRequest>) -> Reply + Send + Sync>),
    Stream(Box<dyn Fn(Asked) -> Result<Answers, Status> + Send + Sync>),
}

/// The service with these methods, and others that nobody calls.
macro_rules! solver {
    ({ $($asked:tt)* } $($name:ident: $query:ident => $answer:ident;)*) => {
        #[tonic::async_trait]
        impl Solver for Act {
            $($asked)*
            $(
                async fn $name(&self, _: Request<$query>) -> Result<Response<$answer>, Status> {
                    Err(Status::unimplemented(stringify!($name)))
                }
            )*
        }
    };
}

solver! {
    {
        async fn endgame_value(
            &self,
            request: Request<EndgameValueRequest>,
        ) -> Result<Response<EndgameValueResponse>, Status> {
            let Act::Value(act) = self else { panic!("a stream was expected") };
            act(request).await.map(Response::new)
        }

        type EvaluateStream = Answers;

        async fn evaluate(&self, request: Request<Asked>) -> Result<Response<Answers>, Status> {
            let Act::Stream(act) = self else { panic!("a unary call was expected") };
            act(request.into_inner()).map(Response::new)
        }
    }
    taker_value: TakerValueRequest => TakerValueResponse;
    exact_solve: ExactSolveRequest => ExactSolveResponse;
    structure: StructureRequest => StructureResponse;
    best_move: BestMoveRequest => BestMoveResponse;
    endgame_advice: EndgameAdviceRequest => EndgameAdviceResponse;
    controller: ControllerRequest => ControllerResponse;
    nimstring: NimstringRequest => NimstringResponse;
    review_game: ReviewGameRequest => ReviewGameResponse;
    evaluate_batch: EvaluateBatchRequest => EvaluateBatchResponse;
    limits: LimitsRequest => LimitsResponse;
}

/// A running server, and the wires to it.
pub(crate) struct Running {
    dial: mpsc::UnboundedSender<io::Result<DuplexStream>>,
    wires: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl Running {
    pub(crate) fn start(act: Act) -> Running {
        let (dial, dialled) = mpsc::unbounded_channel();
        let router = Server::builder().add_service(SolverServer::new(act));
        tokio::spawn(router.serve_with_incoming(UnboundedReceiverStream::new(dialled)));
        Running { dial, wires: Arc::default() }
    }

    /// A server whose unary method does this.
    pub(crate) fn values<F>(
        act: impl Fn(Request<EndgameValueRequest>) -> F + Send + Sync + 'static,
    ) -> Running
    where
        F: Future<Output = Result<EndgameValueResponse, Status>> + Send + 'static,
    {
        Running::start(Act::Value(Box::new(move |request| Box::pin(act(request)))))
    }

    /// A server whose streams do this.
    pub(crate) fn streams<S>(act: impl Fn(Asked) -> S + Send + Sync + 'static) -> Running
    where
        S: Stream<Item = Result<EvaluateResponse, Status>> + Send + 'static,
    {
        Running::start(Act::Stream(Box::new(move |asked| Ok(Box::pin(act(asked)) as Answers))))
    }

    /// A client over a channel that connects, and connects again, to this server.
    pub(crate) fn client(&self, set: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Client {
        let (dial, wires) = (self.dial.clone(), self.wires.clone());
        let connect = move |_: Uri| {
            let ((near, mut left), (mut right, far)) = (duplex(1 << 16), duplex(1 << 16));
            let wire = async move { _ = copy_bidirectional(&mut left, &mut right).await };
            wires.lock().unwrap().push(tokio::spawn(wire));
            let dialled = dial.send(Ok(far)).map_err(io::Error::other);
            async { dialled.map(|()| TokioIo::new(near)) }
        };
        let endpoint = Endpoint::from_static("http://in-memory");
        let channel = endpoint.connect_with_connector_lazy(tower::service_fn(connect));
        set(Client::builder("http://in-memory")).over(channel).unwrap()
    }

    /// Cuts every connection there is.
    pub(crate) fn cut(&self) {
        self.wires.lock().unwrap().drain(..).for_each(|wire| wire.abort());
    }
}

/// "Come back in so many seconds."
pub(crate) fn busy(code: Code, seconds: u64) -> Status {
    let delay = Some(Duration::from_secs(seconds));
    Status::with_error_details(code, "too busy", ErrorDetails::with_retry_info(delay))
}

/// A query whose answer is `n`.
pub(crate) fn query(n: usize) -> EvaluateRequest {
    EvaluateRequest { id: n.to_string(), query: None }
}

/// Its answer.
pub(crate) fn answer(query: EvaluateRequest) -> EvaluateResponse {
    let value = query.id.trim_end_matches('.').parse().unwrap();
    let answer = Answer::EndgameValue(EndgameValueResponse { value, ..Default::default() });
    EvaluateResponse { id: query.id, answer: Some(answer) }
}

/// The server is too busy for this query alone.
pub(crate) fn refusal(query: EvaluateRequest) -> EvaluateResponse {
    let error = Error { code: error::Code::ResourceExhausted.into(), ..Default::default() };
    EvaluateResponse { id: query.id, answer: Some(Answer::Error(error)) }
}
