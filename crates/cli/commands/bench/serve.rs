//! A real server under load: is every answer right, how long does it take, what does the server refuse, what does it
//! survive.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::duration::Time;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Spinner;
use crate::render;

mod abuse;
mod mixed;
mod overload;
mod process;
mod questions;

/// A server in a process of its own, on this machine, under mixed load, under ten times the load it admits, and under abuse.
///
/// Every answer is compared with one worked out here without tables. The exit status is 1 when one is wrong, the server dies,
/// or it does not recover. Client and server share the machine.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench serve
  doublecross bench serve --time 30m --only mixed
  doublecross bench serve --only overload,abuse")]
pub(super) struct ServeArgs {
    /// How long mixed load goes on
    #[arg(long, value_name = "TIME", default_value = "30s")]
    time: Time,

    /// Only these: mixed, overload, abuse
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,

    /// A hundredth of the clients, calls and reloads of abuse
    #[arg(long)]
    brief: bool,
}

const NAMES: [&str; 3] = ["mixed", "overload", "abuse"];

/// What was found, and whether all of it is as it should be.
struct Report {
    text: String,
    holds: bool,
}

pub(super) async fn run(args: ServeArgs, tables: &Path, interrupt: Interrupt) -> Result<(), Failure> {
    if let Some(unknown) = args.only.iter().find(|name| !NAMES.contains(&name.as_str())) {
        return Err(Failure::rule(
            "--only",
            format!("there is no {unknown:?}; there are {}", NAMES.join(", ")),
        ));
    }
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|n| n == name);
    let (tables, Time(time)): (PathBuf, Time) = (tables.to_owned(), args.time);
    let spinner = Spinner::start("working out what the answers should be");
    let questions = tokio::task::spawn_blocking(questions::all).await.map_err(Failure::fault)?;
    let mut holds = true;
    for name in NAMES.into_iter().filter(|name| wanted(name)) {
        spinner.say(format!("{name} load"));
        let work = async {
            match name {
                "mixed" => mixed::run(&questions, &tables, time).await,
                "overload" => overload::run(&tables).await,
                _ => abuse::run(&questions, &tables, if args.brief { 10 } else { 1_000 }).await,
            }
        };
        let report = interrupt.unless_raised(work).await?;
        holds &= report.holds;
        spinner.aside(|| render::text(&report.text))?;
    }
    if holds { Ok(()) } else { Err(Failure::Told) }
}

/// A time as a table has it.
fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// The time below which this share of some are; they need not be sorted.
fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = (times.len() as f64 * share).ceil() as usize;
    times.get(at.saturating_sub(1).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
}
