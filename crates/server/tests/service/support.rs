//! A server to ask, and short ways to ask it.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Board, Edge, Position};
use oracle::Oracle;
use proto::v1::solver_client::SolverClient;
use proto::v1::{self, evaluate_request::Query, opened, position::Drawing};
use server::{Config, Limits, ServeError, Signals, serve};
use tables::Catalogue;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

/// The service's name.
pub(crate) const SOLVER: &str = "doublecross.v1.Solver";

/// Far more than anything here takes: past it a test has hung.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A server with these limits.
pub(crate) fn limited(limits: Limits) -> Config {
    Config { limits, ..Config::default() }
}

/// Signals of which only the stop ever comes.
pub(crate) fn signals<S>(stop: S) -> Signals<S> {
    Signals { stop, reload: Arc::default(), ready: Arc::default() }
}

/// A running server.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) reload: Arc<Notify>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    /// Starts a server; it listens when this returns.
    pub(crate) async fn start(load: impl FnMut() -> Oracle + Send + 'static, config: Config) -> Running {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, told) = oneshot::channel();
        let stopped = async {
            // A test that ends without stopping its server drops the sender, which stops it too.
            let _ = told.await;
        };
        let reload = Arc::new(Notify::new());
        let signals = Signals { stop: stopped, reload: Arc::clone(&reload), ready: Arc::default() };
        let server = tokio::spawn(serve(listener, load, config, signals));
        Running { address, reload, stop, server }
    }

    /// A server without tables, ready to answer.
    pub(crate) async fn ready(config: Config) -> Running {
        let running = Running::start(no_tables, config).await;
        running.until(ServingStatus::Serving).await;
        running
    }

    pub(crate) async fn channel(&self) -> Channel {
        Channel::from_shared(format!("http://{}", self.address)).unwrap().connect().await.unwrap()
    }

    pub(crate) async fn client(&self) -> SolverClient<Channel> {
        SolverClient::new(self.channel().await)
    }

    /// Waits until the service's health is this.
    pub(crate) async fn until(&self, status: ServingStatus) {
        let request = HealthCheckRequest { service: SOLVER.into() };
        let mut watch = HealthClient::new(self.channel().await).watch(request).await.unwrap().into_inner();
        while in_time(watch.message()).await.unwrap().unwrap().status() != status {}
    }

    /// An HTTP/1.1 request on a connection of its own, and all that comes back.
    pub(crate) async fn http(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
        let mut answer = Vec::new();
        in_time(stream.read_to_end(&mut answer)).await.unwrap();
        answer
    }

    /// A page, head and all.
    pub(crate) async fn get(&self, path: &str, headers: &str) -> String {
        String::from_utf8(self.http("GET", path, headers, b"").await).unwrap()
    }

    /// A metric, if it is there.
    pub(crate) async fn metric(&self, name: &str) -> Option<u64> {
        let page = self.get("/metrics", "").await;
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map(|value| value.parse().unwrap())
    }

    /// Waits until a metric is this.
    pub(crate) async fn until_metric(&self, name: &str, value: u64) {
        let begun = Instant::now();
        while self.metric(name).await != Some(value) {
            assert!(begun.elapsed() < PATIENCE, "{name} never is {value}");
        }
    }

    /// Waits until the server answers this client.
    pub(crate) async fn until_answer(&self, client: &mut SolverClient<Channel>) {
        let begun = Instant::now();
        while client.endgame_value(endgame_value(&[3], &[])).await.is_err() {
            assert!(begun.elapsed() < PATIENCE, "it never answers");
        }
    }

    /// Asks the server to stop.
    pub(crate) fn stop(self) -> JoinHandle<Result<(), ServeError>> {
        self.stop.send(()).unwrap();
        self.server
    }
}

/// What the future yields, which must not take forever.
pub(crate) async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("this hangs")
}

pub(crate) fn no_tables() -> Oracle {
    Oracle::new(Catalogue::empty())
}

/// The violations of a status, in order.
pub(crate) fn violations(status: &tonic::Status) -> Vec<(String, String)> {
    let all = status.get_details_bad_request().map_or_else(Vec::new, |details| details.field_violations);
    all.into_iter().map(|v| (v.field, v.description)).collect()
}

pub(crate) fn endgame(chains: &[u32], loops: &[u32]) -> v1::Endgame {
    v1::Endgame { chains: chains.into(), loops: loops.into() }
}

pub(crate) fn endgame_value(chains: &[u32], loops: &[u32]) -> v1::EndgameValueRequest {
    v1::EndgameValueRequest { endgame: Some(endgame(chains, loops)) }
}

pub(crate) fn chain(length: u32) -> v1::Opened {
    v1::Opened { component: Some(opened::Component::Chain(length)), ..Default::default() }
}

pub(crate) fn ring(length: u32) -> v1::Opened {
    v1::Opened { component: Some(opened::Component::Loop(length)), ..Default::default() }
}

pub(crate) fn taker_value(opened: v1::Opened, rest: v1::Endgame) -> v1::TakerValueRequest {
    v1::TakerValueRequest { opened: Some(opened), rest: Some(rest) }
}

pub(crate) fn text(rows: u32, cols: u32, edges: impl Into<String>) -> v1::Position {
    v1::Position { rows, cols, drawing: Some(Drawing::Edges(edges.into())), score: None }
}

/// The empty board.
pub(crate) fn empty(rows: u32, cols: u32) -> v1::Position {
    text(rows, cols, Position::empty(Board::new(rows, cols).unwrap()).to_string())
}

/// The board with only these edges free.
pub(crate) fn free(board: Board, free: &[Edge]) -> v1::Position {
    let position = Position::with_drawn(board, board.all_edges().filter(|e| !free.contains(e)));
    text(board.rows() as u32, board.cols() as u32, position.to_string())
}

/// Chains of 9, 5 and 2 boxes on a 4x4 board.
pub(crate) fn nine_five_two() -> v1::Position {
    let board = Board::new(4, 4).unwrap();
    let (h, v) = (|r, c| board.h(r, c), |r, c| board.v(r, c));
    let two = [v(0, 0), v(0, 1), h(0, 1)];
    let five = [h(0, 2), v(0, 3), h(1, 3), h(2, 3), h(3, 3), h(4, 3)];
    let nine = [v(1, 0), v(1, 1), v(1, 2), h(2, 2), v(2, 2), v(2, 1), h(3, 0), v(3, 1), v(3, 2), h(4, 2)];
    free(board, &[&two[..], &five, &nine].concat())
}

pub(crate) fn exact_solve(position: v1::Position) -> v1::ExactSolveRequest {
    v1::ExactSolveRequest { position: Some(position), ..Default::default() }
}

/// A search that does not end by itself while a test runs.
pub(crate) fn endless() -> v1::ExactSolveRequest {
    v1::ExactSolveRequest {
        budget: Some(v1::Budget { max_nodes: None, max_millis: Some(3_600_000), ..Default::default() }),
        ..exact_solve(empty(5, 5))
    }
}

/// A search that runs out of its budget after this time.
pub(crate) fn search_for(millis: u32) -> v1::ExactSolveRequest {
    v1::ExactSolveRequest {
        budget: Some(v1::Budget { max_nodes: None, max_millis: Some(millis), ..Default::default() }),
        ..exact_solve(empty(5, 5))
    }
}

pub(crate) fn item(id: impl Into<String>, query: Query) -> v1::EvaluateRequest {
    v1::EvaluateRequest { id: id.into(), query: Some(query) }
}
