//! `generate`: makes tables.

use std::sync::{Mutex, PoisonError};

use ::generate::{Error, Event, Options, Spec};
use clap::Args;
use serde::Serialize;

use crate::args::Global;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Making;
use crate::render;

/// Make tables of exact values.
///
/// Tables that are there and sound are kept. A table is made the same to the byte on every machine, and is
/// published, all at once, only when it is the one the manifest lists.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross generate                                 the default set: endgames up to 40 boxes, boards up to 24 edges
  doublecross generate 2x5 endgame:50                  a table of the 2x5 board, and one of endgames up to 50 boxes
  doublecross generate 3x3 --force --tables /tmp/new")]
pub(crate) struct GenerateArgs {
    /// What to make: `default`, a board of up to 28 edges as RxC, or endgame:N up to N boxes
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Make tables even where a sound one is there
    #[arg(long)]
    force: bool,

    /// Write what is made into the folder's manifest instead of comparing it
    #[arg(long)]
    update_manifest: bool,

    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(crate) async fn run(args: GenerateArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let specs = ::generate::parse(&args.names).map_err(|e| Failure::misuse(e.to_string()))?;
    let options = Options { force: args.force, update_manifest: args.update_manifest };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|e| Failure::no(format!("cannot start worker threads ({e})")))?;
    let (dir, json, cancel) = (global.tables.clone(), global.json, interrupt.flag());
    let work = move || {
        let making = Making::of(&specs);
        // The first failure to print; the tables come first.
        let unprinted = Mutex::new(None);
        let progress = |event| {
            making.note(event);
            if let Err(e) = making.aside(|| print(event, json)) {
                unprinted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
            }
        };
        pool.install(|| ::generate::make(&specs, &dir, options, &progress, &cancel)).map_err(failure)?;
        unprinted.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    };
    // Not abandoned on Ctrl-C: it stops by itself, leaving nothing half done.
    tokio::task::spawn_blocking(work).await.map_err(Failure::fault)?
}

/// What a failure to make tables means for us.
pub(crate) fn failure(e: Error) -> Failure {
    match e {
        Error::Cancelled => Failure::Interrupted,
        e => Failure::no(e.to_string()),
    }
}

/// The tables of the default set that are not there.
pub(crate) fn missing(dir: &std::path::Path) -> Vec<Spec> {
    let specs = ::generate::default_set().into_iter();
    specs.filter(|spec| !dir.join(spec.id().file_name()).exists()).collect()
}

/// What `--json` prints of a table.
#[derive(Serialize)]
struct Row {
    table: String,
    made: bool,
    #[serde(flatten)]
    cost: Option<Cost>,
}

/// What a table that was made came to.
#[derive(Serialize)]
struct Cost {
    entries: u64,
    bytes: u64,
    seconds: f64,
}

/// Prints one line for each table.
fn print(event: Event, json: bool) -> Result<(), Failure> {
    match event {
        Event::Kept { id } if json => render::json(&Row { table: id.to_string(), made: false, cost: None }),
        Event::Kept { id } => render::text(&format!("{id:<12} is there already\n")),
        Event::Published { id, bytes, elapsed } if json => {
            let cost = Cost { entries: id.entries(), bytes, seconds: elapsed.as_secs_f64() };
            render::json(&Row { table: id.to_string(), made: true, cost: Some(cost) })
        }
        Event::Published { id, bytes, elapsed } => {
            let (entries, bytes) = (render::thousands(id.entries()), render::thousands(bytes));
            let took = render::time(elapsed);
            render::text(&format!("{id:<12} made: {entries:>12} entries, {bytes:>11} bytes, {took}\n"))
        }
        _ => Ok(()),
    }
}
