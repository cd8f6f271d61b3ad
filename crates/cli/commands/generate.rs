//! `generate`: makes tables.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ::generate::{Error, Estimate, Event, Options, Spec};
use ::tables::TableId;
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
///
/// A large board's table is made in parts, kept beside it until it is published: after Ctrl-C, a crash or a full disk
/// the same command goes on from the last finished part, and several at once, on machines that share the folder too,
/// share the work.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross generate                       the default set: endgames up to 40 boxes, boards up to 31 edges
  doublecross generate 4x4 endgame:50        a table of the 4x4 board, and one of endgames up to 50 boxes
  doublecross generate strong --estimate     what all there are would take: endgames up to 60, boards up to 40 edges
  doublecross generate 3x3 --force --tables /tmp/new")]
pub(crate) struct GenerateArgs {
    /// What to make: `default`, `strong`, a board of up to 40 edges as RxC, or endgame:N up to N boxes
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Make tables even where a sound one is there
    #[arg(long)]
    force: bool,

    /// Write what is made into the folder's manifest instead of comparing it
    #[arg(long)]
    update_manifest: bool,

    /// Say what it takes in memory, disk and time, and make nothing
    #[arg(long)]
    estimate: bool,

    /// The most memory to use, in MiB; a table that takes more is refused
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    memory: Option<u32>,

    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(crate) async fn run(args: GenerateArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let specs = ::generate::parse(&args.names).map_err(|e| Failure::misuse(e.to_string()))?;
    let options = Options {
        force: args.force,
        update_manifest: args.update_manifest,
        memory: args.memory.map(|mib| u64::from(mib) << 20),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|e| Failure::no(format!("cannot start worker threads ({e})")))?;
    let (dir, json, cancel) = (global.tables().to_owned(), global.json, interrupt.flag());
    if args.estimate {
        let work = move || {
            pool.install(|| {
                specs.iter().try_for_each(|&spec| {
                    estimated(spec, ::generate::estimate(spec, &cancel).map_err(failure)?, json)
                })
            })
        };
        return tokio::task::spawn_blocking(work).await.map_err(Failure::fault)?;
    }
    let work = move || {
        let making = Making::of(&specs);
        // The first failure to print; the tables come first.
        let unprinted = Mutex::new(None);
        let progress = |event| {
            making.note(event);
            if let Err(e) = making.aside(|| print(event, &dir, json)) {
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
    path: String,
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

/// What `--estimate --json` prints of a table.
#[derive(Serialize)]
struct Estimated {
    table: String,
    entries: u64,
    memory: u64,
    disk: u64,
    seconds: f64,
}

/// Prints what a table takes.
fn estimated(spec: Spec, estimate: Estimate, json: bool) -> Result<(), Failure> {
    let (table, Estimate { entries, memory, disk, time }) = (spec.id().to_string(), estimate);
    if json {
        return render::json(&Estimated { table, entries, memory, disk, seconds: time.as_secs_f64() });
    }
    let mib = |bytes: u64| render::thousands(bytes.div_ceil(1 << 20));
    render::text(&format!(
        "{table:<12} {:>12} entries, at most {:>5} MiB of memory and {:>4} MiB of disk, about {}\n",
        render::thousands(entries),
        mib(memory),
        mib(disk),
        about(time)
    ))
}

/// A time nobody will hold us to.
fn about(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.5 => "a second".into(),
        seconds if seconds < 100.0 => format!("{seconds:.0} seconds"),
        seconds => format!("{:.0} minutes", (seconds / 60.0).ceil()),
    }
}

/// Prints one line for each table.
fn print(event: Event, dir: &Path, json: bool) -> Result<(), Failure> {
    let path = |id: TableId| dir.join(id.file_name()).display().to_string();
    match event {
        Event::Kept { id } if json => {
            render::json(&Row { table: id.to_string(), path: path(id), made: false, cost: None })
        }
        Event::Kept { id } => render::text(&format!("{id:<12} is there already: {}\n", path(id))),
        Event::Published { id, bytes, elapsed } if json => {
            let cost = Cost { entries: id.entries(), bytes, seconds: elapsed.as_secs_f64() };
            render::json(&Row { table: id.to_string(), path: path(id), made: true, cost: Some(cost) })
        }
        Event::Published { id, bytes, elapsed } => {
            let (entries, bytes) = (render::thousands(id.entries()), render::thousands(bytes));
            let took = render::time(elapsed);
            let path = path(id);
            render::text(&format!(
                "{id:<12} made: {entries:>12} entries, {bytes:>11} bytes, {took}: {path}\n"
            ))
        }
        _ => Ok(()),
    }
}
