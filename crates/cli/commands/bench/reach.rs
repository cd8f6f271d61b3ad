//! `bench reach`: how far live search reaches, next to a plain alpha-beta search.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use game::{Boxes, Position};
use search::{Budget, Config, Outcome, Solver};

use super::plain::Plain;
use super::positions::{after_any_play, after_safe_play, blocks, board, comb, framed, random, spiral};
use crate::failure::Failure;
use crate::render;

/// Measure how far live search reaches.
///
/// Each line is one kind of work, without tables: the value, the median time and nodes of the search with one
/// thread and with all, and of a plain alpha-beta search with no endgame theory as far as it gets in
/// `--plain-time`. A value that differs from the known one, or from the plain search, is an error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench reach
  doublecross bench reach --only 5x5 --plain-time 60
  doublecross bench reach --only worst --plain-time 0")]
pub(super) struct ReachArgs {
    /// Only the work whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,

    /// Threads of the many-threaded runs [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Bytes of the search's table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: usize,

    /// Seconds the plain search gets for each position; 0 leaves it out
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    plain_time: u64,
}

/// One kind of work.
struct Work {
    name: &'static str,
    positions: Vec<Position>,
    /// The value somebody else worked out, where there is one.
    known: Option<i16>,
    /// Also the value of every move, which must be this.
    moves: Option<i16>,
}

fn works() -> Result<Vec<Work>, Failure> {
    let empty = |name, rows, cols, known: i16, moves| {
        Ok::<_, Failure>(Work {
            name,
            positions: vec![Position::empty(board(rows, cols)?)],
            known: Some(known),
            moves,
        })
    };
    let one = |name, position, known| Work { name, positions: vec![position], known, moves: None };
    let safe = |name, side: u32, free: usize, count: u64| {
        let board = board(side, side)?;
        let positions = (0..count).map(|seed| after_safe_play(board, free, &mut random(seed))).collect();
        Ok::<_, Failure>(Work { name, positions, known: None, moves: None })
    };
    let any = |name, side: u32, free: usize, count: u64| {
        let board = board(side, side)?;
        let positions = (0..count).map(|seed| after_any_play(board, free, &mut random(seed))).collect();
        Ok::<_, Failure>(Work { name, positions, known: None, moves: None })
    };
    let mut source = random(7);
    Ok(vec![
        empty("3x4 empty", 3, 4, 0, None)?,
        empty("2x7 empty", 2, 7, 0, None)?,
        empty("3x5 empty", 3, 5, -1, None)?,
        empty("4x4 empty", 4, 4, 0, None)?,
        empty("4x4 empty, every move", 4, 4, 0, Some(0))?,
        one("5x5 all borders drawn", framed(board(5, 5)?, true), Some(-3)),
        one("4x6 all borders drawn", framed(board(4, 6)?, true), Some(2)),
        safe("5x5, 30 free", 5, 30, 25)?,
        safe("5x5, 36 free", 5, 36, 25)?,
        safe("5x5, 38 free", 5, 38, 15)?,
        safe("5x5, 40 free", 5, 40, 9)?,
        safe("5x5, 44 free", 5, 44, 3)?,
        any("7x7, 30 free", 7, 30, 15)?,
        any("10x10, 30 free", 10, 30, 15)?,
        one("worst: comb 6x8", comb(board(6, 8)?), None),
        one("worst: spiral 7x7", spiral(board(7, 7)?, 44, &mut source), None),
        one("worst: 2x2 blocks 8x8", blocks(board(8, 8)?), None),
        one("worst: 2x2 blocks 6x6, top left opened", framed(board(4, 5)?, false), None),
    ])
}

pub(super) fn run(args: &ReachArgs, cancel: &AtomicBool) -> Result<(), Failure> {
    let all = args.threads.unwrap_or(Config::default().threads);
    render::text(&format!(
        "{:<28} {:>6} {:>10} {:>13} {:>10} {:>10} {:>13} {:>7}\n",
        "work",
        "value",
        "1 thread",
        "nodes",
        format!("{all} threads"),
        "plain",
        "nodes",
        "ratio"
    ))?;
    for work in works()?.into_iter().filter(|work| work.name.contains(&args.only)) {
        measure(&work, args, all, cancel)?;
    }
    Ok(())
}

/// What one run came to.
struct Run {
    value: Option<Boxes>,
    time: Duration,
    nodes: u64,
}

fn solve(
    position: &Position,
    threads: usize,
    args: &ReachArgs,
    cancel: &AtomicBool,
) -> Result<(Run, Solver), Failure> {
    let config = Config { threads, table_bytes: args.memory.saturating_mul(1 << 20) };
    let started = Instant::now();
    let mut solver = Solver::new(position, config).map_err(|e| Failure::no(e.to_string()))?;
    solver.start(Budget::UNLIMITED);
    let value = solver.value(cancel).exact();
    let (time, nodes) = (started.elapsed(), solver.stats().nodes);
    Ok((Run { value, time, nodes }, solver))
}

fn measure(work: &Work, args: &ReachArgs, all: usize, cancel: &AtomicBool) -> Result<(), Failure> {
    let (mut alone, mut together, mut plain) = (Vec::new(), Vec::new(), Vec::new());
    for position in &work.positions {
        let (first, _) = solve(position, 1, args, cancel)?;
        let (mut second, mut solver) = solve(position, all, args, cancel)?;
        if let Some(expected) = work.moves {
            let started = Instant::now();
            let values = solver.move_values(cancel);
            second.time = started.elapsed();
            if values.iter().any(|m| m.outcome != Outcome::Exact(Boxes(expected))) {
                return Err(Failure::no(format!("{}: a move is not worth {expected}", work.name)));
            }
        }
        if cancel.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Failure::no("stopped"));
        }
        if first.value != second.value || work.known.is_some_and(|known| first.value != Some(Boxes(known))) {
            return Err(Failure::no(format!(
                "{}: {:?} with one thread, {:?} with {all}, known {:?}: {position}",
                work.name, first.value, second.value, work.known
            )));
        }
        if args.plain_time > 0
            && let Some(mut search) = Plain::new(position, 1 << 26, Duration::from_secs(args.plain_time))
        {
            let started = Instant::now();
            let value = search.value(position).map(Boxes);
            if value.is_some() && value != first.value {
                return Err(Failure::no(format!(
                    "{}: {:?}, plainly {value:?}: {position}",
                    work.name, first.value
                )));
            }
            plain.push(Run { value, time: started.elapsed(), nodes: search.nodes });
        }
        alone.push(first);
        together.push(second);
    }
    let value = match &alone[..] {
        [only] => only.value.map_or_else(|| "-".into(), |v| v.to_string()),
        _ => "-".into(),
    };
    let (plain_time, plain_nodes, ratio) = match median(&mut plain) {
        None => ("-".into(), "-".into(), "-".into()),
        Some(run) => {
            let over = if run.value.is_none() { ">" } else { "" };
            let ours = median(&mut alone).map_or(Duration::MAX, |run| run.time);
            let ratio = run.time.as_secs_f64() / ours.as_secs_f64();
            (format!("{over}{}", time(run.time)), render::thousands(run.nodes), format!("{over}{ratio:.1}"))
        }
    };
    let none = Run { value: None, time: Duration::ZERO, nodes: 0 };
    let alone = median(&mut alone).unwrap_or(&none);
    render::text(&format!(
        "{:<28} {value:>6} {:>10} {:>13} {:>10} {plain_time:>10} {plain_nodes:>13} {ratio:>7}\n",
        work.name,
        time(alone.time),
        render::thousands(alone.nodes),
        median(&mut together).map_or_else(|| "-".into(), |run| time(run.time)),
    ))
}

/// The run of median time.
fn median(runs: &mut [Run]) -> Option<&Run> {
    runs.sort_by_key(|run| run.time);
    runs.get(runs.len() / 2)
}

fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}
