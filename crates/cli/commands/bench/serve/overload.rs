//! Ten times the searches a server admits.

use std::path::Path;
use std::time::{Duration, Instant};

use proto::v1::evaluate_request::Query;
use proto::v1::{self, position::Drawing};
use tokio::task::JoinSet;
use tonic::Code;
use tonic_types::StatusExt as _;

use super::process::{Client, Process};
use super::{Report, millis, quantile};
use crate::failure::Failure;

/// Places, and how many wait for one: so many searches are admitted at once.
const PLACES: usize = 2;
const WAITING: usize = 6;
const ADMITTED: usize = PLACES + WAITING;

/// How long each load goes on.
const TIME: Duration = Duration::from_secs(5);

/// A search of about 20 ms that nobody has asked for before.
fn search(n: u64) -> Query {
    // The same position with another seed of a player is another question.
    let edges = "0".repeat(60);
    let position = Some(v1::Position { rows: 5, cols: 5, drawing: Some(Drawing::Edges(edges)), score: None });
    let budget = Some(v1::Budget { max_nodes: Some(20_000), ..Default::default() });
    Query::BestMove(v1::BestMoveRequest { position, player: "perfect".into(), seed: n, budget })
}

/// What some clients saw: how long answers took, and refusals.
#[derive(Default)]
struct Seen {
    admitted: Vec<Duration>,
    refused: Vec<Duration>,
    failed: usize,
}

/// So many clients ask for searches for a while.
async fn load(server: &Process, clients: usize, from: u64) -> Result<Seen, Failure> {
    let until = Instant::now() + TIME;
    let mut all = JoinSet::new();
    for n in 0..clients as u64 {
        let mut client = server.client().await?;
        all.spawn(async move {
            let mut seen = Seen::default();
            let mut asked = from + n * 10_000;
            while Instant::now() < until {
                asked += 1;
                let (answer, took) = client.ask(search(asked)).await;
                match answer {
                    Ok(_) => seen.admitted.push(took),
                    Err(status) if status.code() == Code::ResourceExhausted => {
                        seen.refused.push(took);
                        // As long as it is told, or until this is over.
                        match status.get_details_retry_info().and_then(|told| told.retry_delay) {
                            Some(told) => {
                                let left = until.saturating_duration_since(Instant::now());
                                tokio::time::sleep(told.min(left)).await;
                            }
                            None => seen.failed += 1,
                        }
                    }
                    Err(_) => seen.failed += 1,
                }
            }
            seen
        });
    }
    let mut seen = Seen::default();
    while let Some(one) = all.join_next().await {
        let one = one.map_err(Failure::fault)?;
        seen.admitted.extend(one.admitted);
        seen.refused.extend(one.refused);
        seen.failed += one.failed;
    }
    Ok(seen)
}

pub(super) async fn run(tables: &Path) -> Result<Report, Failure> {
    let flags = [
        ("--searches", PLACES),
        ("--waiting", WAITING),
        ("--waiting-of-one", WAITING),
        ("--threads", 1),
        ("--memory", 16),
    ];
    let flags: Vec<String> = flags.iter().flat_map(|(flag, n)| [(*flag).to_owned(), n.to_string()]).collect();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let server = Process::start(tables, &flags).await?;
    let mut once = load(&server, ADMITTED, 0).await?;
    let mut tenfold = load(&server, 10 * ADMITTED, 1 << 32).await?;
    let recovery = recovers(server.client().await?).await;
    let p99 = |times: &mut Vec<Duration>| quantile(times, 0.99);
    let (calm, busy, refused) =
        (p99(&mut once.admitted), p99(&mut tenfold.admitted), p99(&mut tenfold.refused));
    let text = format!(
        "| overload: {ADMITTED} searches admitted | clients | answered | p99 | refused | p99 |\n|---|---:|---:|---:|---:|---:|\n\
         | as many as are admitted | {ADMITTED} | {} | {} | {} | |\n\
         | ten times as many | {} | {} | {} | {} | {} |\n\n\
         Recovered after {}.\n\n",
        once.admitted.len(),
        millis(calm),
        once.refused.len(),
        10 * ADMITTED,
        tenfold.admitted.len(),
        millis(busy),
        tenfold.refused.len(),
        millis(refused),
        recovery.map_or("never".into(), millis),
    );
    let holds = once.failed + tenfold.failed == 0
        && !tenfold.refused.is_empty()
        && recovery.is_some_and(|took| took < Duration::from_secs(1));
    Ok(Report { text, holds })
}

/// How long until a search is answered again.
async fn recovers(mut client: Client) -> Option<Duration> {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(10) {
        if client.ask(search(u64::from(u32::MAX) << 2)).await.0.is_ok() {
            return Some(began.elapsed());
        }
    }
    None
}
