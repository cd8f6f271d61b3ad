//! Mixed load: every kind of question at once, as fast as the answers come.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use tokio::task::JoinSet;
use tonic::Code;

use super::process::Process;
use super::questions::{self, Questions};
use super::{Report, millis};
use crate::failure::Failure;

/// Clients that ask for each kind.
const CLIENTS: usize = 2;

/// The longest time told apart from longer ones, in microseconds: an hour.
const LONGEST: u64 = 3_600_000_000;

/// What some clients saw of one kind.
struct Seen {
    /// Microseconds.
    took: Histogram<u64>,
    wrong: u64,
    refused: u64,
    failed: u64,
}

impl Seen {
    fn new() -> Result<Seen, Failure> {
        let took = Histogram::new_with_bounds(1, LONGEST, 3).map_err(|e| Failure::no(e.to_string()))?;
        Ok(Seen { took, wrong: 0, refused: 0, failed: 0 })
    }
}

pub(super) async fn run(questions: &[Questions], tables: &Path, time: Duration) -> Result<Report, Failure> {
    // Nothing is remembered, so that searches keep every core busy all the time.
    let server = Process::start(tables, &["--answer-cache", "0"]).await?;
    let until = Instant::now() + time;
    let mut text = String::from(
        "| mixed load | answers | p50 | p99 | p99.9 | refused | failed | wrong |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut clients = JoinSet::new();
    for (kind, Questions { asked, .. }) in questions.iter().enumerate() {
        let asked = Arc::new(asked.clone());
        for n in 0..CLIENTS {
            let (mut client, asked) = (server.client().await?, Arc::clone(&asked));
            clients.spawn(async move {
                let mut random = ChaCha8Rng::seed_from_u64((kind * CLIENTS + n) as u64);
                let mut seen = Seen::new()?;
                while Instant::now() < until
                    && let Some((query, right)) = asked.choose(&mut random)
                {
                    let (answer, took) = client.ask(query.clone()).await;
                    match answer {
                        Ok(answer) => {
                            seen.took.saturating_record(took.as_micros() as u64);
                            seen.wrong += u64::from(questions::value(answer) != *right);
                        }
                        Err(status) if status.code() == Code::ResourceExhausted => seen.refused += 1,
                        Err(_) => seen.failed += 1,
                    }
                }
                Ok::<_, Failure>((kind, seen))
            });
        }
    }
    // When it has warmed up, and at the end.
    tokio::time::sleep(time / 5).await;
    let warm = server.memory();
    let mut all: Vec<Seen> = questions.iter().map(|_| Seen::new()).collect::<Result<_, _>>()?;
    while let Some(done) = clients.join_next().await {
        let (kind, seen) = done.map_err(Failure::fault)??;
        let Seen { took, wrong, refused, failed } = &mut all[kind];
        took.add(seen.took).map_err(|e| Failure::no(e.to_string()))?;
        *wrong += seen.wrong;
        *refused += seen.refused;
        *failed += seen.failed;
    }
    let holds = all.iter().all(|seen| seen.wrong == 0 && seen.failed == 0 && !seen.took.is_empty());
    for (Questions { name, .. }, Seen { took, wrong, refused, failed }) in questions.iter().zip(&all) {
        let [p50, p99, p999] =
            [50.0, 99.0, 99.9].map(|p| millis(Duration::from_micros(took.value_at_percentile(p))));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {} | {p50} | {p99} | {p999} | {refused} | {failed} | {wrong} |",
            took.len()
        );
    }
    if let (Some(warm), Some(end)) = (warm, server.memory()) {
        let _ = writeln!(
            text,
            "\nMemory of the server: {} MiB warm, {} MiB at the end.\n",
            warm >> 10,
            end >> 10
        );
    }
    Ok(Report { text, holds })
}
