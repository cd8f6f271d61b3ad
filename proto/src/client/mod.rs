//! A client that keeps its deadlines, waits its turn, and keeps a stream full. Feature `client`.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use proto::client::Client;
//! use proto::v1::{Endgame, EndgameValueRequest, EvaluateRequest, evaluate_request::Query};
//! use tokio_stream::StreamExt as _;
//!
//! # async fn example() -> Result<(), proto::client::ClientError> {
//! let client = Client::builder("http://127.0.0.1:50051").deadline(Duration::from_secs(5)).connect().await?;
//!
//! // One query: net boxes for the player who must open a chain of 9, 5 or 2.
//! let query = EndgameValueRequest { endgame: Some(Endgame { chains: vec![9, 5, 2], loops: vec![] }) };
//! assert_eq!(client.endgame_value(query).await?.value, 8);
//!
//! // A million: one stream, answered in order. A query that breaks a rule fails alone, as an `Answer::Error`.
//! let queries = (0..1_000_000).map(|n| EvaluateRequest {
//!     id: n.to_string(),
//!     query: Some(Query::EndgameValue(EndgameValueRequest {
//!         endgame: Some(Endgame { chains: vec![3 + n % 7, 4], loops: vec![] }),
//!     })),
//! });
//! let mut answers = client.evaluate_iter(queries);
//! while let Some(answer) = answers.next().await {
//!     println!("{:?}", answer?.answer);
//! }
//! # Ok(()) }
//! ```
//!
//! **Deadlines.** A call has [thirty seconds](ClientBuilder::deadline) unless told otherwise, its retries among
//! them; the server is told what is left of it, and stops working when that is over.
//!
//! **Retries.** A server that is too busy or not ready says when to come back (`RESOURCE_EXHAUSTED` or `UNAVAILABLE`
//! with `google.rpc.RetryInfo`). The client waits that long and up to a tenth more, so that not all come back at
//! once, and asks again, as far as its [`RetryPolicy`] and the deadline allow. It never repeats anything else. A
//! query changes nothing, so to repeat one is safe.

mod batch;
mod builder;
mod error;
mod retry;

use std::time::Duration;

use tokio::time::Instant;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

pub use batch::Answers;
pub use builder::ClientBuilder;
pub use error::ClientError;
pub use retry::RetryPolicy;

use crate::v1::solver_client::SolverClient;
use crate::v1::*;
use builder::Bearer;
use retry::Tries;

/// A deadline so far away, a thousand years, is none: no header could hold one much longer.
const FOREVER: Duration = Duration::from_secs(1 << 35);

type Solver = SolverClient<InterceptedService<Channel, Bearer>>;

/// A connection to a server. Clones are cheap and share it.
///
/// A connection that is lost is made anew by the next call.
#[derive(Clone, Debug)]
pub struct Client {
    solver: Solver,
    deadline: Option<Duration>,
    retry: RetryPolicy,
    window: usize,
}

/// A method for each unary call of the contract.
macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident: $query:ident => $answer:ident;)*) => {
        impl Client {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                ///
                /// [`ClientError::Status`]: what the server refused or could not do, or a deadline that has passed.
                pub async fn $name(&self, query: $query) -> Result<$answer, ClientError> {
                    self.call(query, |mut solver, query| async move { solver.$name(query).await }).await
                }
            )*
        }
    };
}

unary! {
    /// The value of a multiset of chains and loops, in net boxes, for the player who must open one.
    endgame_value: EndgameValueRequest => EndgameValueResponse;
    /// What the player handed an opened chain or loop should do, and its value for them in net boxes.
    taker_value: TakerValueRequest => TakerValueResponse;
    /// The exact value of a position in net boxes, its best moves and, if asked, every move's value.
    exact_solve: ExactSolveRequest => ExactSolveResponse;
    /// The regions, chains, loops and joints of a position, and its safe and capturing moves.
    structure: StructureRequest => StructureResponse;
    /// What a player of some name would play.
    best_move: BestMoveRequest => BestMoveResponse;
    /// Take or decline, or what to open, with the numbers for both in net boxes.
    endgame_advice: EndgameAdviceRequest => EndgameAdviceResponse;
    /// Who is in control by the long chain rule.
    controller: ControllerRequest => ControllerResponse;
    /// Nimber or loony: the position, its regions and its moves.
    nimstring: NimstringRequest => NimstringResponse;
    /// A whole game: what every move lost in boxes, and which lost the game.
    review_game: ReviewGameRequest => ReviewGameResponse;
    /// Up to 10,000 queries in one message. [`Client::evaluate`] has no such limit and answers sooner.
    evaluate_batch: EvaluateBatchRequest => EvaluateBatchResponse;
    /// What the server takes on, and the tables it has.
    limits: LimitsRequest => LimitsResponse;
}

impl Client {
    /// What can be set about a client of the server at `uri`, such as `http://127.0.0.1:50051`.
    pub fn builder(uri: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(uri.into())
    }

    /// The same client, with another deadline for each of its calls, or with none.
    pub fn with_deadline(&self, deadline: impl Into<Option<Duration>>) -> Client {
        Client { deadline: deadline.into(), ..self.clone() }
    }

    /// Calls a method, again where the server asks for it.
    async fn call<Q, A, F>(
        &self,
        query: Q,
        method: impl Fn(Solver, Request<Q>) -> F,
    ) -> Result<A, ClientError>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let end =
            self.deadline.filter(|&deadline| deadline < FOREVER).map(|deadline| Instant::now() + deadline);
        let left = || end.map(|end| end.saturating_duration_since(Instant::now()));
        let mut tries = Tries::default();
        loop {
            let mut request = Request::new(query.clone());
            let limit = left();
            if let Some(limit) = limit {
                request.set_timeout(limit);
            }
            let status = match retry::within(limit, method(self.solver.clone(), request)).await {
                Ok(answer) => return Ok(answer.into_inner()),
                Err(status) => status,
            };
            let left = left().unwrap_or(Duration::MAX);
            let wait = retry::asked(&status).and_then(|delay| tries.again(&self.retry, Some(delay), left));
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(ClientError::Status { status, attempts: tries.made() }),
            }
        }
    }
}
