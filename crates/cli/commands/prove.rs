//! `prove`: the value of a position too large for one sitting.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use game::Position;
use oracle::{Budget, Outcome, Watch};
use search::Solver;

use crate::args::{Global, SearchArgs};
use crate::duration;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::position::PositionArgs;
use crate::progress::Spinner;
use crate::render;

/// The exact value of a position too large for one sitting.
///
/// Searches, without tables, until the value is proven or it is stopped, and says what is proven by then. With
/// `--checkpoint` everything proven is kept in a file, now and then and at the end, however that comes; the same
/// command goes on from there.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross prove 4x4 --memory 4096
  doublecross prove 4x5 --memory 16384 --checkpoint 4x5.dxp     Ctrl-C, and the same again another day")]
pub(crate) struct ProveArgs {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// Keep what is proven in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// How often to write the checkpoint, e.g. 10m
    #[arg(long, value_name = "TIME", value_parser = duration::parse, default_value = "15m")]
    every: Duration,

    /// Stop after so much time, e.g. 2h
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time: Option<Duration>,
}

pub(crate) async fn run(args: ProveArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    if global.endpoint.is_some() {
        return Err(Failure::rule("--endpoint", "`prove` searches in this process only"));
    }
    let (position, _) = args.position.read(None)?;
    let task = Task {
        position,
        search: args.search,
        checkpoint: args.checkpoint,
        every: args.every.max(Duration::from_secs(1)),
        time: args.time,
    };
    let (watch, cancel) = (Arc::new(Watch::default()), interrupt.flag());
    let result = {
        let _spinner = Spinner::watching("proving", Arc::clone(&watch));
        tokio::task::spawn_blocking(move || task.run(watch, &cancel)).await.map_err(Failure::fault)??
    };
    let (lower, upper) = match result.outcome {
        Outcome::Exact(value) => (value, value),
        Outcome::Bounds { lower, upper } => (lower, upper),
    };
    if global.json {
        render::json(&serde_json::json!({
            "board": position.board().to_string(),
            "edges": position.to_string(),
            "lower": lower.get(),
            "upper": upper.get(),
            "nodes": result.nodes,
            "seconds": result.time.as_secs_f64(),
        }))?;
    } else {
        render::text(&format!(
            "{position:#}\n\nvalue   {} for the player to move\nsource  search, {} nodes, {}\n",
            result.outcome,
            render::thousands(result.nodes),
            render::time(result.time)
        ))?;
    }
    match result.outcome {
        Outcome::Exact(_) => Ok(()),
        Outcome::Bounds { .. } if interrupt.is_raised() => Err(Failure::Interrupted),
        Outcome::Bounds { .. } => Err(Failure::Told),
    }
}

/// What is to be proven, and how.
struct Task {
    position: Position,
    search: SearchArgs,
    checkpoint: Option<PathBuf>,
    every: Duration,
    time: Option<Duration>,
}

struct Proven {
    outcome: Outcome,
    nodes: u64,
    time: Duration,
}

impl Task {
    fn run(self, watch: Arc<Watch>, cancel: &AtomicBool) -> Result<Proven, Failure> {
        let started = Instant::now();
        let mut solver = Solver::new(&self.position, self.search.config())
            .map_err(|e| Failure::misuse(format!("position: {e}")))?;
        solver.watched_by(watch);
        if let Some(path) = &self.checkpoint {
            resume(&mut solver, path)?;
        }
        let mut nodes = 0;
        loop {
            let left = self.time.map(|time| time.saturating_sub(started.elapsed()));
            let sitting = self.checkpoint.as_ref().map(|_| self.every);
            solver.start(Budget { nodes: None, time: left.into_iter().chain(sitting).min() });
            let outcome = solver.value(cancel);
            nodes += solver.stats().nodes;
            if let Some(path) = &self.checkpoint {
                save(&solver, path).map_err(|e| {
                    Failure::no(format!("cannot write the checkpoint {} ({e})", path.display()))
                })?;
            }
            let over = self.time.is_some_and(|time| started.elapsed() >= time);
            if outcome.exact().is_some() || cancel.load(Ordering::Relaxed) || over {
                return Ok(Proven { outcome, nodes, time: started.elapsed() });
            }
        }
    }
}

/// Goes on from a checkpoint, if there is one.
fn resume(solver: &mut Solver, path: &Path) -> Result<(), Failure> {
    let wrong = |e: &dyn std::fmt::Display| {
        Failure::no(format!(
            "cannot go on from the checkpoint {}: {e}; move it away to begin anew",
            path.display()
        ))
    };
    match File::open(path) {
        Ok(file) => solver.resume(&mut BufReader::new(file)).map_err(|e| wrong(&e)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(wrong(&e)),
    }
}

/// Writes a checkpoint beside the last one, and puts it in its place once it is on the disk.
fn save(solver: &Solver, path: &Path) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::NamedTempFile::new_in(dir)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    solver.save(&mut out)?;
    let file = out.into_inner()?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
