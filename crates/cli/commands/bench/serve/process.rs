//! The server under load: this program, in a process of its own.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::solver_client::SolverClient;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tonic::Status;
use tonic::transport::Channel;

use crate::failure::Failure;

/// A running server; killed when dropped.
pub(super) struct Process {
    child: Child,
    pub(super) address: String,
}

impl Process {
    /// Starts a server of these tables and waits until it serves.
    pub(super) async fn start(tables: &Path, more: &[&str]) -> Result<Process, Failure> {
        let failed = |e: std::io::Error| Failure::no(format!("the server under load did not start ({e})"));
        let program = std::env::current_exe().map_err(failed)?;
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--tables"])
            .arg(tables)
            .args(more)
            .env_remove("CARGO")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let out = child.stdout.take().ok_or_else(|| Failure::no("the server under load says nothing"))?;
        let mut lines = BufReader::new(out).lines();
        let mut address = None;
        while let Some(line) = lines.next_line().await.map_err(failed)? {
            if let Some(bound) = line.strip_prefix("listening on ") {
                address = Some(bound.to_owned());
            }
            if line.starts_with("ready") {
                break;
            }
        }
        // Read on, so that it can go on writing.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let address = address.ok_or_else(|| Failure::no("the server under load stopped before it served"))?;
        Ok(Process { child, address })
    }

    /// A connection of its own.
    pub(super) async fn client(&self) -> Result<Client, Failure> {
        let client = SolverClient::connect(format!("http://{}", self.address)).await;
        client.map(Client).map_err(|e| Failure::no(format!("cannot reach the server under load ({e})")))
    }

    /// Sends a signal by its name.
    pub(super) async fn signal(&self, name: &str) -> Result<(), Failure> {
        let Some(pid) = self.child.id() else { return Err(Failure::no("the server under load has ended")) };
        let sent = Command::new("kill").args([format!("-{name}"), pid.to_string()]).status().await;
        match sent {
            Ok(status) if status.success() => Ok(()),
            _ => Err(Failure::no(format!("cannot send {name} to the server under load"))),
        }
    }

    /// Whether it runs.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for it to end by itself, and whether it ended well.
    pub(super) async fn ends(mut self, within: Duration) -> bool {
        let ended = tokio::time::timeout(within, self.child.wait()).await;
        matches!(ended, Ok(Ok(status)) if status.success())
    }

    /// One of its metrics.
    pub(super) async fn metric(&self, name: &str) -> std::io::Result<Option<f64>> {
        let mut stream = TcpStream::connect(&self.address).await?;
        stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await?;
        let mut page = String::new();
        stream.read_to_string(&mut page).await?;
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Ok(line.and_then(|value| value.parse().ok()))
    }

    /// Its memory in KiB, where the system tells.
    pub(super) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }
}

/// A client that asks and takes the time.
#[derive(Clone)]
pub(super) struct Client(SolverClient<Channel>);

impl Client {
    /// The answer to a unary call, and what it took.
    pub(super) async fn ask(&mut self, query: Query) -> (Result<Answer, Status>, Duration) {
        let began = Instant::now();
        let answer = self.unary(query).await;
        (answer, began.elapsed())
    }

    async fn unary(&mut self, query: Query) -> Result<Answer, Status> {
        let Client(client) = self;
        Ok(match query {
            Query::EndgameValue(q) => Answer::EndgameValue(client.endgame_value(q).await?.into_inner()),
            Query::TakerValue(q) => Answer::TakerValue(client.taker_value(q).await?.into_inner()),
            Query::ExactSolve(q) => Answer::ExactSolve(client.exact_solve(q).await?.into_inner()),
            Query::Structure(q) => Answer::Structure(client.structure(q).await?.into_inner()),
            Query::Controller(q) => Answer::Controller(client.controller(q).await?.into_inner()),
            Query::EndgameAdvice(q) => Answer::EndgameAdvice(client.endgame_advice(q).await?.into_inner()),
            Query::BestMove(q) => Answer::BestMove(client.best_move(q).await?.into_inner()),
            Query::Nimstring(q) => Answer::Nimstring(client.nimstring(q).await?.into_inner()),
            Query::ReviewGame(q) => Answer::ReviewGame(client.review_game(q).await?.into_inner()),
        })
    }
}
