//! `bench exact`: live search against complete enumeration.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;
use game::Position;
use search::{Budget, Config, Outcome, Solver};

use super::positions::{after_safe_play, anywhere, board, random};
use crate::failure::Failure;
use crate::render;

/// Compare live search with complete enumeration.
///
/// Every board is enumerated straight from the rules, every set of edges, and random positions of it are
/// searched without tables, half of them after safe play. The first difference ends the run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench exact
  doublecross bench exact --positions 1000000 --boards 2x3,3x3,2x5,3x4")]
pub(super) struct ExactArgs {
    /// Positions in all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    positions: u64,

    /// The boards, up to 31 edges each: 3x4 takes 2 GiB and about a minute to enumerate
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', default_value = "2x3,3x2,2x4,3x3,2x5")]
    boards: Vec<String>,

    /// Compare the value of every move, too, of one position in so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    moves: u64,
}

pub(super) fn run(args: &ExactArgs, cancel: &AtomicBool) -> Result<(), Failure> {
    let each = args.positions.div_ceil(args.boards.len().max(1) as u64);
    for name in &args.boards {
        let sides = name.split_once('x').and_then(|(r, c)| Some((r.parse().ok()?, c.parse().ok()?)));
        let (rows, cols) = sides
            .ok_or_else(|| Failure::misuse(format!("{name} is no board; write rows x columns, e.g. 3x3")))?;
        let board = board(rows, cols)?;
        let started = Instant::now();
        let truth = generate::enumerate(board).map_err(|e| Failure::no(e.to_string()))?;
        let enumerated = started.elapsed();
        let known = |position: &Position| {
            let value = truth.value_of(position);
            value.ok_or_else(|| Failure::no(format!("the enumeration of {name} has no {position}")))
        };
        let mut source = random(each ^ u64::from(rows) << 32 ^ u64::from(cols));
        let (started, mut moves) = (Instant::now(), 0);
        for i in 0..each {
            let position = if i % 2 == 0 {
                anywhere(board, &mut source)
            } else {
                let free = board.edges() * (i as usize % 97) / 96;
                after_safe_play(board, free.max(board.edges() / 2), &mut source)
            };
            let config = Config { threads: 1 + (i % 8 == 7) as usize, table_bytes: 1 << (12 + i % 16) };
            let mut solver = Solver::new(&position, config).map_err(|e| Failure::no(e.to_string()))?;
            solver.start(Budget::UNLIMITED);
            let differs = |found: Outcome, expected| found.exact() != Some(expected);
            let expected = known(&position)?;
            if differs(solver.value(cancel), expected) && !cancel.load(Ordering::Relaxed) {
                return Err(Failure::no(format!("{name} {position} is {expected}")));
            }
            if args.moves > 0 && i % args.moves == 0 {
                for found in solver.move_values(cancel) {
                    let (next, closed) = position.after(found.edge);
                    let next = known(&next)?;
                    let expected = if closed > 0 { next + game::Boxes(closed as i16) } else { -next };
                    if differs(found.outcome, expected) && !cancel.load(Ordering::Relaxed) {
                        return Err(Failure::no(format!(
                            "{name} {position}: edge {} is {expected}",
                            found.edge
                        )));
                    }
                    moves += 1;
                }
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::no(format!("stopped after {i} positions of {name}, all equal")));
            }
        }
        render::text(&format!(
            "{name}: {} positions and {} moves, 0 differences; enumerated in {:.1} s, searched in {:.1} s\n",
            render::thousands(each),
            render::thousands(moves),
            enumerated.as_secs_f64(),
            started.elapsed().as_secs_f64()
        ))?;
    }
    Ok(())
}
