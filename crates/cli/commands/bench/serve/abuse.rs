//! What clients and operators do to servers: silence, half messages, searches given up, reloads, files cut short, an end in
//! the middle of it.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use proto::v1::evaluate_request::Query;
use proto::v1::{self, position::Drawing};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tonic::Code;

use super::process::{Client, Process};
use super::questions::{self, Questions};
use super::{Report, millis};
use crate::failure::Failure;

/// The empty 5x5 board, for as long as it takes.
fn endless() -> Query {
    let position =
        v1::Position { rows: 5, cols: 5, drawing: Some(Drawing::Edges("0".repeat(60))), score: None };
    Query::ExactSolve(v1::ExactSolveRequest { position: Some(position), ..Default::default() })
}

/// Asks cheap questions until told to stop, and counts.
struct Asking {
    stop: Arc<AtomicBool>,
    right: Arc<AtomicU64>,
    wrong: Arc<AtomicU64>,
    failed: Arc<AtomicU64>,
    clients: JoinSet<()>,
}

impl Asking {
    async fn begin(server: &Process, questions: &[Questions]) -> Result<Asking, Failure> {
        let mut asking = Asking {
            stop: Arc::default(),
            right: Arc::default(),
            wrong: Arc::default(),
            failed: Arc::default(),
            clients: JoinSet::new(),
        };
        for Questions { asked, .. } in questions.iter().filter(|q| q.cheap) {
            let (mut client, asked) = (server.client().await?, asked.clone());
            let (stop, right) = (Arc::clone(&asking.stop), Arc::clone(&asking.right));
            let (wrong, failed) = (Arc::clone(&asking.wrong), Arc::clone(&asking.failed));
            asking.clients.spawn(async move {
                for (query, answer) in asked.iter().cycle() {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let counter = match client.ask(query.clone()).await.0.map(questions::value) {
                        Ok(got) if got == *answer => &right,
                        Ok(_) => &wrong,
                        Err(_) => &failed,
                    };
                    counter.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        Ok(asking)
    }

    /// How many answers were right, wrong, and not given.
    async fn end(mut self) -> (u64, u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        while self.clients.join_next().await.is_some() {}
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.right), count(&self.wrong), count(&self.failed))
    }
}

pub(super) async fn run(questions: &[Questions], tables: &Path, many: usize) -> Result<Report, Failure> {
    let dir = tempfile::tempdir().map_err(Failure::Output)?;
    let copy = dir.path().join("tables");
    copy_tables(tables, &copy).map_err(|e| Failure::no(format!("cannot copy the tables ({e})")))?;
    let mut server = Process::start(&copy, &["--greeting", "2s", "--idle", "5s", "--memory", "16"]).await?;
    let mut text = String::from("| abuse | right | wrong | failed | alive |\n|---|---:|---:|---:|---|\n");
    let mut holds = true;
    let mut row = |what: String, (right, wrong, failed): (u64, u64, u64), alive: bool| {
        holds &= wrong == 0 && failed == 0 && right > 0 && alive;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {what} | {right} | {wrong} | {failed} | {} |",
            if alive { "yes" } else { "NO" }
        );
    };

    let asking = Asking::begin(&server, questions).await?;
    let silent = connect(&server, many, b"").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    row(format!("{} clients that say nothing", silent.len()), asking.end().await, server.is_alive());
    drop(silent);

    let asking = Asking::begin(&server, questions).await?;
    let half = b"POST /doublecross.v1.Solver/EndgameValue HTTP/1.1\r\nhost: x\r\ncontent-type: application/grpc-web+proto\r\n\
                 content-length: 100\r\n\r\n\0\0\0\0\x5f\x0a";
    let halves = connect(&server, many, half).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    row(format!("{} half-sent messages", halves.len()), asking.end().await, server.is_alive());
    drop(halves);

    let asking = Asking::begin(&server, questions).await?;
    give_up(&server.client().await?, many).await;
    let freed = places_free(&server).await;
    row(
        format!(
            "{many} searches given up; the last place free after {}",
            freed.map_or("never".into(), millis)
        ),
        asking.end().await,
        server.is_alive() && freed.is_some(),
    );

    let asking = Asking::begin(&server, questions).await?;
    let reloads = (many / 10).max(1);
    for _ in 0..reloads {
        server.signal("HUP").await?;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    row(format!("{reloads} reloads"), asking.end().await, server.is_alive());

    let asking = Asking::begin(&server, questions).await?;
    let cut = cut_short(&copy).map_err(|e| Failure::no(format!("cannot cut the tables short ({e})")))?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.signal("HUP").await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    row(format!("{cut} tables cut short, and a reload"), asking.end().await, server.is_alive());

    let ended = terminate(server, questions).await?;
    holds &= ended;
    let _ = writeln!(
        text,
        "\nSIGTERM under load: {}.\n",
        if ended { "it ended well, and no answer was wrong" } else { "FAILS" }
    );
    Ok(Report { text, holds })
}

/// Connections that have said this and no more.
async fn connect(server: &Process, many: usize, said: &[u8]) -> Vec<TcpStream> {
    let mut open = Vec::new();
    for _ in 0..many {
        if let Ok(mut stream) = TcpStream::connect(&server.address).await
            && stream.write_all(said).await.is_ok()
        {
            open.push(stream);
        }
    }
    open
}

/// Begins so many searches and gives each up.
async fn give_up(client: &Client, many: usize) {
    for _ in 0..many {
        let mut client = client.clone();
        // Given up after a moment, wherever it has come to by then.
        let _ = tokio::time::timeout(Duration::from_millis(2), client.ask(endless())).await;
    }
}

/// How long until no search runs.
async fn places_free(server: &Process) -> Option<Duration> {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(5) {
        if matches!(server.metric("doublecross_searches_running").await, Ok(Some(0.0))) {
            return Some(began.elapsed());
        }
    }
    None
}

/// Ends the server while it is asked. Answers given are right, the others are refused as unavailable.
async fn terminate(server: Process, questions: &[Questions]) -> Result<bool, Failure> {
    let Some(Questions { asked, .. }) = questions.iter().find(|q| q.cheap) else { return Ok(false) };
    let (mut client, asked) = (server.client().await?, asked.clone());
    let asking = tokio::spawn(async move {
        for (query, right) in asked.iter().cycle() {
            match client.ask(query.clone()).await.0.map(questions::value) {
                Ok(answer) if answer == *right => {}
                Ok(_) => return false,
                // The connection is closed, or the server says that it stops.
                Err(status) => {
                    return matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Cancelled);
                }
            }
        }
        false
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    server.signal("TERM").await?;
    let ended = server.ends(Duration::from_secs(10)).await;
    Ok(ended && asking.await.map_err(Failure::fault)?)
}

fn copy_tables(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        if entry.metadata()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Cuts every table of a folder to half its length.
fn cut_short(dir: &Path) -> std::io::Result<usize> {
    let mut cut = 0;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|e| e == "table") {
            let file = std::fs::OpenOptions::new().write(true).open(entry.path())?;
            file.set_len(entry.metadata()?.len() / 2)?;
            cut += 1;
        }
    }
    Ok(cut)
}
