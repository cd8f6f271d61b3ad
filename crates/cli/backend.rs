//! Who answers: this process, or a running server.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ::tables::Catalogue;
use oracle::{Config, Oracle, Watch};
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::solver_client::SolverClient;
use proto::v1::{
    EvaluateBatchRequest, EvaluateRequest, EvaluateResponse, ExactSolveRequest, ExactSolveResponse,
};
use server::{Budgets, Evaluator};
use tonic::transport::{Channel, Endpoint};

use crate::args::{Global, SearchArgs};
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// How long to wait for a server to take a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// The largest answer to read. Every answer is smaller; a batch of them need not be.
const MAX_ANSWER: usize = 256 << 20;

/// Who answers.
pub(crate) enum Backend {
    /// This process.
    Local(Local),
    /// A running server.
    Remote(Remote),
}

impl Backend {
    /// Opens the tables, or a connection.
    pub(crate) async fn open(global: &Global, interrupt: &Interrupt) -> Result<Backend, Failure> {
        Backend::searching(global, SearchArgs::default(), interrupt).await
    }

    /// The same, for searches that may use so much of this machine.
    pub(crate) async fn searching(
        global: &Global,
        search: SearchArgs,
        interrupt: &Interrupt,
    ) -> Result<Backend, Failure> {
        match &global.endpoint {
            Some(_) if search.is_given() => Err(Failure::rule(
                "--endpoint",
                "--threads and --memory are for a search by this process; the server has its own",
            )),
            Some(url) => {
                interrupt.unless_raised(Remote::connect(url, interrupt.clone())).await.map(Backend::Remote)
            }
            None => Ok(Backend::Local(Local::open(global, interrupt.flag(), search.config()))),
        }
    }

    /// The answers to some queries, in order. The first that is refused fails them all.
    pub(crate) async fn ask(&self, queries: Vec<Query>) -> Result<Vec<Answer>, Failure> {
        let asked = queries.len();
        let requests =
            queries.into_iter().map(|q| EvaluateRequest { id: String::new(), query: Some(q) }).collect();
        let responses = match self {
            Backend::Local(local) => local.ask(requests).await?,
            Backend::Remote(remote) => remote.ask(requests).await?,
        };
        if responses.len() != asked {
            return Err(mismatch());
        }
        let answer = |response: EvaluateResponse| match response.answer {
            Some(Answer::Error(error)) => Err(Failure::Refused(error)),
            Some(answer) => Ok(answer),
            None => Err(mismatch()),
        };
        responses.into_iter().map(answer).collect()
    }

    /// The answer to one query.
    pub(crate) async fn ask_one(&self, query: Query) -> Result<Answer, Failure> {
        self.ask(vec![query]).await?.pop().ok_or_else(mismatch)
    }
}

/// An answer that is none to what was asked: the server is not of our version.
pub(crate) fn mismatch() -> Failure {
    Failure::no(
        "the server's answer is not to what was asked; it may be of another version than this program",
    )
}

/// Answers from this process.
#[derive(Clone)]
pub(crate) struct Local {
    oracle: Arc<Oracle>,
    budgets: Budgets,
    cancel: Arc<AtomicBool>,
}

impl Local {
    /// Opens the tables, with one warning for each that cannot be used. When `cancel` is set, searches end
    /// with what they have proven.
    pub(crate) fn open(global: &Global, cancel: Arc<AtomicBool>, config: Config) -> Local {
        let catalogue = Catalogue::open(global.tables());
        warn_of_problems(&catalogue, global);
        let oracle = Arc::new(Oracle::with_config(catalogue, config));
        Local { oracle, budgets: Budgets::uncapped(), cancel }
    }

    /// The answer to one request; takes as long as it takes.
    pub(crate) fn answer(&self, request: EvaluateRequest) -> EvaluateResponse {
        Evaluator::new(&self.oracle, &self.budgets).evaluate(request, &self.cancel)
    }

    /// The answer to a solve, while `watch` tells how far it has come.
    pub(crate) async fn solve(
        &self,
        request: ExactSolveRequest,
        watch: Arc<Watch>,
    ) -> Result<ExactSolveResponse, Failure> {
        let this = self.clone();
        let work = move || {
            Evaluator::new(&this.oracle, &this.budgets).exact_solve_watched(request, &this.cancel, watch)
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(Failure::fault)?
            .map_err(|refusal| Failure::Refused(refusal.into()))
    }

    async fn ask(&self, requests: Vec<EvaluateRequest>) -> Result<Vec<EvaluateResponse>, Failure> {
        let this = self.clone();
        let work = move || requests.into_iter().map(|request| this.answer(request)).collect();
        tokio::task::spawn_blocking(work).await.map_err(Failure::fault)
    }
}

/// One warning for each table that cannot be used; a folder without any is one thing, not twelve.
pub(crate) fn warn_of_problems(catalogue: &Catalogue, global: &Global) {
    let problems = catalogue.problems();
    if problems.len() == catalogue.list().len()
        && problems.iter().all(|p| p.reason == ::tables::Reason::Missing)
    {
        let dir = global.tables().display();
        let generate = match global.tables() == std::path::Path::new(::tables::DEFAULT_DIR) {
            true => "doublecross generate".to_owned(),
            false => format!("doublecross generate --tables {dir}"),
        };
        tracing::warn!(
            "there are no tables in the folder {dir}, so theory and search answer alone; `{generate}` makes them"
        );
        return;
    }
    for problem in problems {
        tracing::warn!("{problem}");
    }
}

/// Answers from a running server.
#[derive(Clone)]
pub(crate) struct Remote {
    client: SolverClient<Channel>,
    url: String,
    interrupt: Interrupt,
}

impl Remote {
    /// Connects to a server.
    pub(crate) async fn connect(url: &str, interrupt: Interrupt) -> Result<Remote, Failure> {
        if !url.starts_with("http://") {
            return Err(Failure::rule(
                "--endpoint",
                format!("{url:?} is no address of a server; write it as http://127.0.0.1:50051"),
            ));
        }
        let endpoint = Endpoint::from_shared(url.to_owned())
            .map_err(|e| Failure::rule("--endpoint", format!("{url:?} is no address of a server ({e})")))?
            .connect_timeout(PATIENCE);
        let channel = endpoint.connect().await.map_err(|e| {
            let mut cause: &dyn std::error::Error = &e;
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            Failure::no(format!("there is no server at {url} ({cause}); `doublecross serve` starts one"))
        })?;
        let client = SolverClient::new(channel).max_decoding_message_size(MAX_ANSWER);
        Ok(Remote { client, url: url.to_owned(), interrupt })
    }

    /// A client of its own for a stream.
    pub(crate) fn client(&self) -> SolverClient<Channel> {
        self.client.clone()
    }

    /// What a call that failed means.
    pub(crate) fn failed(&self, status: &tonic::Status) -> Failure {
        let message =
            if status.message().is_empty() { status.code().description() } else { status.message() };
        let failure = format!("{}: {message}", self.url);
        if status.code() == tonic::Code::InvalidArgument {
            Failure::misuse(failure)
        } else {
            Failure::no(failure)
        }
    }

    /// What a stream that ends before its time means.
    pub(crate) fn gone(&self) -> Failure {
        Failure::no(format!("{}: the server ended the stream", self.url))
    }

    /// The answers to some requests, in order.
    pub(crate) async fn ask(&self, requests: Vec<EvaluateRequest>) -> Result<Vec<EvaluateResponse>, Failure> {
        let mut client = self.client();
        let call = async {
            let answer = client.evaluate_batch(EvaluateBatchRequest { requests }).await;
            Ok(answer.map_err(|status| self.failed(&status))?.into_inner().responses)
        };
        self.interrupt.unless_raised(call).await
    }
}
