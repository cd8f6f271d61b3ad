//! `bench fits`: what the tables of small boards buy on a large one.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use search::{Budget, Config, Outcome, Solver, search_edges};
use tables::Catalogue;

use super::positions::{after_any_play, board, random};
use crate::failure::Failure;
use crate::render;

/// Measure what the tables of small boards buy on a large one.
///
/// Positions after random play with everything on offer taken, by how many edges are free: how many of them fit on a
/// board that has a table, how long finding that out and looking it up takes, and how long a search takes. The values
/// must be the same.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench fits
  doublecross bench fits --side 6 --positions 500")]
pub(super) struct FitsArgs {
    /// Rows and columns of the board
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=32))]
    side: u32,

    /// Positions of each number of free edges
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
}

pub(super) fn run(args: &FitsArgs, dir: &Path, cancel: &AtomicBool) -> Result<(), Failure> {
    let tables = Catalogue::open(dir);
    let board = board(args.side, args.side)?;
    render::text(&format!(
        "{board}, {} positions each; medians\n\n{:>5} {:>10} {:>7} {:>12} {:>12} {:>12}\n",
        args.positions, "free", "to search", "fit", "looked up", "tried", "searched"
    ))?;
    for free in [16, 20, 24, 28, 32, 36] {
        let mut source = random(free as u64);
        let (mut edges, mut fitted, mut tried, mut looked_up, mut searched) =
            (0, 0u32, vec![], vec![], vec![]);
        for _ in 0..args.positions {
            let position = after_any_play(board, free, &mut source);
            edges += search_edges(&position);
            let start = Instant::now();
            let fit = tables.fit(&position);
            let value = fit.as_ref().and_then(|fit| tables.board(&fit.position));
            let took = start.elapsed();
            let config = Config { threads: 1, table_bytes: 1 << 30 };
            let mut solver = Solver::new(&position, config).map_err(|e| Failure::no(e.to_string()))?;
            solver.start(Budget::UNLIMITED);
            let start = Instant::now();
            let found = solver.value(cancel);
            searched.push(start.elapsed());
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::Interrupted);
            }
            match value {
                Some(probe) if found != Outcome::Exact(probe.value) => {
                    return Err(Failure::no(format!(
                        "{position} is {} by table and {found} by search",
                        probe.value
                    )));
                }
                Some(_) => {
                    fitted += 1;
                    looked_up.push(took);
                }
                None => tried.push(took),
            }
        }
        render::text(&format!(
            "{free:>5} {:>10} {:>5} % {:>12} {:>12} {:>12}\n",
            edges / args.positions as usize,
            100 * fitted / args.positions,
            median(looked_up),
            median(tried),
            median(searched)
        ))?;
    }
    Ok(())
}

fn median(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    times.get(times.len() / 2).map_or("-".to_owned(), |&time| render::time(time))
}
