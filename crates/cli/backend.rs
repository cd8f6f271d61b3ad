//! Who answers: this process, or a running server.

use std::path::Path;
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
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};

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
                let connecting = Remote::connect(url, global, interrupt.clone());
                interrupt.unless_raised(connecting).await.map(Backend::Remote)
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

/// A client that shows its token, if it has one.
pub(crate) type Client = SolverClient<InterceptedService<Channel, Bearer>>;

/// The token shown with every call.
#[derive(Clone)]
pub(crate) struct Bearer(Option<MetadataValue<Ascii>>);

impl Bearer {
    /// The token in the first line of a file.
    fn read(path: Option<&Path>) -> Result<Bearer, Failure> {
        let Some(path) = path else { return Ok(Bearer(None)) };
        let text = read("--token-file", path)?;
        let token = text.lines().next().unwrap_or_default().trim();
        // What is wrong with it is not said: it would be shown.
        let unusable =
            |_| Failure::rule("--token-file", format!("{} has no token in its first line", path.display()));
        let mut value: MetadataValue<Ascii> = format!("Bearer {token}").parse().map_err(unusable)?;
        value.set_sensitive(true);
        Ok(Bearer(Some(value)))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: tonic::Request<()>) -> Result<tonic::Request<()>, tonic::Status> {
        if let Bearer(Some(value)) = self {
            request.metadata_mut().insert("authorization", value.clone());
        }
        Ok(request)
    }
}

fn read(option: &str, path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|e| Failure::rule(option, format!("{} cannot be read ({e})", path.display())))
}

/// Answers from a running server.
#[derive(Clone)]
pub(crate) struct Remote {
    client: Client,
    url: String,
    interrupt: Interrupt,
}

impl Remote {
    /// Connects to a server.
    async fn connect(url: &str, global: &Global, interrupt: Interrupt) -> Result<Remote, Failure> {
        let encrypted = url.starts_with("https://");
        if !encrypted && !url.starts_with("http://") {
            return Err(Failure::rule(
                "--endpoint",
                format!("{url:?} is no address of a server; write it as http://127.0.0.1:50051"),
            ));
        }
        let wrong = |e| Failure::rule("--endpoint", format!("{url:?} is no address of a server ({e})"));
        let mut endpoint = Endpoint::from_shared(url.to_owned()).map_err(wrong)?.connect_timeout(PATIENCE);
        if encrypted {
            let mut tls = ClientTlsConfig::new().with_native_roots();
            if let Some(path) = &global.ca {
                tls = tls.ca_certificate(Certificate::from_pem(read("--ca", path)?));
            }
            endpoint = endpoint.tls_config(tls).map_err(wrong)?;
        }
        let bearer = Bearer::read(global.token_file.as_deref())?;
        let channel = endpoint.connect().await.map_err(|e| {
            let mut cause: &dyn std::error::Error = &e;
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            Failure::no(format!("there is no server at {url} ({cause}); `doublecross serve` starts one"))
        })?;
        let channel = InterceptedService::new(channel, bearer);
        let client = SolverClient::new(channel).max_decoding_message_size(MAX_ANSWER);
        Ok(Remote { client, url: url.to_owned(), interrupt })
    }

    /// A client of its own for a stream.
    pub(crate) fn client(&self) -> Client {
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
