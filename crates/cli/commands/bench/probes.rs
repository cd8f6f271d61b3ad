//! `bench probes`: how fast board tables answer.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use game::{Boxes, Position};
use generate::Spec;
use tables::{Access, Kind, Table};

use super::positions::{anywhere, random};
use crate::failure::Failure;
use crate::render;

/// Measure how fast board tables answer.
///
/// Random positions of any phase, half of them with boxes on offer. A *cold* probe decodes its block; a *warm* one finds
/// it decoded, or decodes it once more where the cache is small. *All moves* is the value of every move at once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench probes 3x4
  doublecross bench probes 4x4 --cache 64")]
pub(super) struct ProbesArgs {
    /// The board
    #[arg(value_name = "BOARD", default_value = "3x4")]
    board: String,

    /// Positions
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..))]
    positions: u32,

    /// MiB of decoded blocks to keep; 1024 holds every table whole
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    cache: usize,
}

pub(super) fn run(args: &ProbesArgs, dir: &Path, cancel: &AtomicBool) -> Result<(), Failure> {
    let table = args.board.parse::<Spec>().ok().map(Spec::id).and_then(|id| match id.kind() {
        Kind::Board(board) => Some((id, board)),
        Kind::Endgame { .. } => None,
    });
    let (id, board) = table.ok_or_else(|| {
        Failure::misuse(format!("{} is no board that has a table; write e.g. 3x4", args.board))
    })?;
    let path = dir.join(id.file_name());
    let mut source = random(4);
    let positions: Vec<Position> = (0..args.positions).map(|_| anywhere(board, &mut source)).collect();
    render::text(&format!(
        "{id}, {} positions; microseconds: median, 99 % under, most\n\n{:<18} {:>24} {:>24} {:>24}\n",
        render::thousands(args.positions.into()),
        "access",
        "cold probe",
        "warm probe",
        "all moves, warm"
    ))?;
    let mut before: Option<Vec<Option<Boxes>>> = None;
    for (name, access) in [
        ("map", Access::Map),
        ("map, prefaulted", Access::MapPrefault),
        ("file", Access::Read),
        ("memory", Access::Load),
    ] {
        let open = |budget| match Table::file(&path, id, access, budget) {
            Ok(Table::Board(table)) => Ok(table),
            Ok(Table::Endgame(_)) => Err(Failure::no("no board's table".to_owned())),
            Err(reason) => Err(Failure::no(tables::Problem::new(id, path.clone(), reason).to_string())),
        };
        // With room for one block in each of 16 shards, a probe finds next to nothing decoded.
        let none = open(0)?;
        let mut values = Vec::new();
        let cold = times(&positions, |p| values.push(none.probe(p)));
        let table = open(args.cache << 20)?;
        for p in &positions {
            table.probe(p);
        }
        let warm = times(&positions, |p| {
            table.probe(p);
        });
        for p in &positions {
            table.moves(p);
        }
        let all_moves = times(&positions, |p| drop(table.moves(p)));
        render::text(&format!("{name:<18} {:>24} {:>24} {:>24}\n", show(cold), show(warm), show(all_moves)))?;
        if values.iter().any(Option::is_none) || before.as_ref().is_some_and(|before| *before != values) {
            return Err(Failure::no(format!("{name} answers otherwise, or not at all")));
        }
        before = Some(values);
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
    }
    Ok(())
}

/// How long each takes, ascending.
fn times<T>(all: &[T], mut work: impl FnMut(&T)) -> Vec<Duration> {
    let mut times: Vec<Duration> = all
        .iter()
        .map(|one| {
            let start = Instant::now();
            work(one);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}

fn show(times: Vec<Duration>) -> String {
    let at = |share: f64| {
        let i = ((times.len() - 1) as f64 * share) as usize;
        times.get(i).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    };
    format!("{:.2}  {:.1}  {:.0}", at(0.5), at(0.99), at(1.0))
}
