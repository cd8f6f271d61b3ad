//! `bench`: measures this machine.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::args::Global;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Spinner;
use crate::render;

mod echo;
mod exact;
mod fits;
mod perfect;
mod plain;
mod positions;
mod probes;
mod queries;
mod reach;
mod serve;
mod stream;

/// Measure this machine: the service, the search, the tables, and each against the other.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench evaluate
  doublecross bench reach --only 3x4
  doublecross bench exact --positions 20000
  doublecross bench probes 4x4
  doublecross bench serve")]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Items a second of one Evaluate stream, next to an empty echo service (the default)
    Evaluate(EvaluateArgs),
    /// Time and nodes of live search, next to a plain alpha-beta search in the same run
    Reach(reach::ReachArgs),
    /// Live search against complete enumeration or complete tables, on random positions of any phase
    Exact(exact::ExactArgs),
    /// What the tables of small boards buy on a large one
    Fits(fits::FitsArgs),
    /// The perfect player against every other, by table
    Perfect(perfect::PerfectArgs),
    /// Time of a probe of a board's table, by way of map, file and memory
    Probes(probes::ProbesArgs),
    /// A real server under mixed load, overload and abuse
    Serve(serve::ServeArgs),
}

/// Measure the throughput of Evaluate on this machine.
///
/// Two servers run in this process, the real one and one that answers every query with a ready-made message,
/// the very one the real server gives. Each is asked over one connection and one stream, kept full, in turns;
/// what is printed is the median of the rounds. All answers are looked up in tables.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench evaluate
  doublecross bench evaluate --items 500000 --rounds 5 --json")]
struct EvaluateArgs {
    /// Items per round
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..))]
    items: u32,

    /// Rounds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
}

impl Default for EvaluateArgs {
    fn default() -> EvaluateArgs {
        EvaluateArgs { items: 200_000, rounds: 5 }
    }
}

pub(crate) async fn run(args: BenchArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    match args.what.unwrap_or_else(|| What::Evaluate(EvaluateArgs::default())) {
        What::Evaluate(args) => interrupt.unless_raised(evaluate(&args, global)).await,
        What::Serve(args) => serve::run(args, global.tables(), interrupt).await,
        What::Reach(args) => aside(move |flag| reach::run(&args, &flag), global.json, interrupt).await,
        What::Exact(args) => {
            let dir = global.tables().to_owned();
            aside(move |flag| exact::run(&args, &dir, &flag), global.json, interrupt).await
        }
        What::Fits(args) => {
            let dir = global.tables().to_owned();
            aside(move |flag| fits::run(&args, &dir, &flag), global.json, interrupt).await
        }
        What::Perfect(args) => {
            let dir = global.tables().to_owned();
            aside(move |flag| perfect::run(&args, &dir, &flag), global.json, interrupt).await
        }
        What::Probes(args) => {
            let dir = global.tables().to_owned();
            aside(move |flag| probes::run(&args, &dir, &flag), global.json, interrupt).await
        }
    }
}

/// Runs work that computes for long away from the runtime; it polls the flag, and its lines are printed as
/// they come.
async fn aside(
    work: impl FnOnce(Arc<AtomicBool>) -> Result<(), Failure> + Send + 'static,
    json: bool,
    interrupt: Interrupt,
) -> Result<(), Failure> {
    if json {
        return Err(Failure::misuse(
            "this bench prints a table for people, so it takes no --json; leave it out",
        ));
    }
    let flag = interrupt.flag();
    let done = tokio::task::spawn_blocking(move || work(flag)).await;
    done.map_err(|e| Failure::no(format!("the bench ended early ({e})")))?
}

async fn evaluate(args: &EvaluateArgs, global: &Global) -> Result<(), Failure> {
    let spinner = Spinner::start("measuring");
    let real = stream::Subject::real(global.tables()).await?;
    if !global.json {
        spinner.aside(|| {
            render::text(
                "Evaluate, one connection, one stream, table hits only; items a second\n\n\
                 queries                   real        echo   ratio\n",
            )
        })?;
    }
    for set in queries::sets() {
        let answers = real.answers(&set.requests).await?;
        queries::all_from_tables(&answers)?;
        let echo = stream::Subject::echo(answers).await?;
        let mut rounds = Vec::new();
        for _ in 0..args.rounds {
            rounds.push((
                real.time(&set.requests, args.items).await?,
                echo.time(&set.requests, args.items).await?,
            ));
        }
        let row = Row::of(set.name, args.items, &rounds);
        spinner.aside(|| if global.json { render::json(&row) } else { render::text(&row.to_string()) })?;
        if set.name == queries::ENDGAMES {
            // A call costs many times what an item does.
            let items = (args.items / 4).max(1).next_multiple_of(stream::AT_A_TIME);
            let mut rounds = Vec::new();
            for _ in 0..args.rounds {
                rounds.push((
                    real.time_unary(&set.requests, items).await?,
                    echo.time_unary(&set.requests, items).await?,
                ));
            }
            let row = Row::of("EndgameValue, unary", items, &rounds);
            spinner
                .aside(|| if global.json { render::json(&row) } else { render::text(&row.to_string()) })?;
        }
    }
    Ok(())
}

/// Two throughputs in items a second, and how they compare.
#[derive(Serialize)]
struct Row {
    queries: &'static str,
    real: f64,
    echo: f64,
    ratio: f64,
}

impl Row {
    fn of(queries: &'static str, items: u32, rounds: &[(Duration, Duration)]) -> Row {
        let real = rate(items, rounds.iter().map(|r| r.0).collect());
        let echo = rate(items, rounds.iter().map(|r| r.1).collect());
        Row { queries, real, echo, ratio: real / echo }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [real, echo] = [self.real, self.echo].map(|rate| render::thousands(rate as u64));
        writeln!(f, "{:<19} {real:>10}  {echo:>10}  {:>4.0} %", self.queries, self.ratio * 100.0)
    }
}

/// Items a second in the median round.
fn rate(items: u32, mut rounds: Vec<Duration>) -> f64 {
    rounds.sort_unstable();
    let median = rounds.get(rounds.len() / 2).copied().unwrap_or(Duration::MAX);
    f64::from(items) / median.as_secs_f64()
}
