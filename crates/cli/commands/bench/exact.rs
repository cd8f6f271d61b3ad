//! `bench exact`: live search against complete enumeration and complete tables.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;
use game::{Board, Boxes, Position};
use generate::Enumeration;
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use search::{Budget, Config, Outcome, Solver};
use tables::Catalogue;

use super::positions::{after_any_play, after_safe_play, anywhere, board, just, random};
use crate::failure::Failure;
use crate::render;

/// Compare live search with complete enumeration, or with complete tables.
///
/// Every board of up to 31 edges is enumerated straight from the rules, every set of edges, and random positions of it
/// are searched without tables, half of them after safe play. Larger boards have their tables for truth, and fewer
/// positions the more there is to search: one in 10 with 21 to 26 free edges, 3 in 1,000 with 27 to 31, one in 10,000 with
/// up to 34. The first difference ends the run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench exact
  doublecross bench exact --positions 1000000 --boards 2x3,3x3,2x5,3x4
  doublecross bench exact --positions 220620 --boards 4x4,3x5      tables of 4x4 and 3x5 against search")]
pub(super) struct ExactArgs {
    /// Positions in all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    positions: u64,

    /// The boards: 3x4 takes 2 GiB and about a minute to enumerate, and one of more than 31 edges needs its table
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', default_value = "2x3,3x2,2x4,3x3,2x5")]
    boards: Vec<String>,

    /// Compare the value of every move, too, of one position in so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    moves: u64,
}

/// Who knows better.
enum Truth {
    Enumeration(Enumeration),
    Tables(Catalogue),
}

impl Truth {
    fn of(board: Board, dir: &Path) -> Result<Truth, Failure> {
        if board.edges() <= generate::MAX_EDGES {
            let enumeration = generate::enumerate(board).map_err(|e| Failure::no(e.to_string()))?;
            return Ok(Truth::Enumeration(enumeration));
        }
        let tables = Catalogue::open(dir);
        if tables.has(board) {
            return Ok(Truth::Tables(tables));
        }
        Err(Failure::no(format!(
            "{board} has too many edges to enumerate and no table; `doublecross generate {board}` makes one"
        )))
    }

    fn value(&self, position: &Position) -> Option<Boxes> {
        match self {
            Truth::Enumeration(all) => all.value_of(position),
            Truth::Tables(tables) => tables.board(position).map(|probe| probe.value),
        }
    }

    /// How many free edges the i-th of so many positions has; any, where the board is small.
    fn free_edges(&self, i: u64, of: u64, source: &mut ChaCha8Rng) -> Option<usize> {
        let Truth::Tables(_) = self else { return None };
        // In ten thousand parts, of 11,031: 10,000, 1,000, 30 and 1.
        let phase = match i * 11_031 / of.max(1) {
            0..10_000 => 1..=20,
            10_000..11_000 => 21..=26,
            11_000..11_030 => 27..=31,
            _ => 32..=34,
        };
        Some(source.random_range(phase))
    }
}

pub(super) fn run(args: &ExactArgs, dir: &Path, cancel: &AtomicBool) -> Result<(), Failure> {
    let each = args.positions.div_ceil(args.boards.len().max(1) as u64);
    for name in &args.boards {
        let sides = name.split_once('x').and_then(|(r, c)| Some((r.parse().ok()?, c.parse().ok()?)));
        let (rows, cols) = sides
            .ok_or_else(|| Failure::misuse(format!("{name} is no board; write rows x columns, e.g. 3x3")))?;
        let board = board(rows, cols)?;
        let started = Instant::now();
        let truth = Truth::of(board, dir)?;
        let enumerated = started.elapsed();
        let known = |position: &Position| {
            truth.value(position).ok_or_else(|| Failure::no(format!("nobody knows the {name} {position}")))
        };
        let mut searched: BTreeMap<usize, u64> = BTreeMap::new();
        let mut source = random(each ^ u64::from(rows) << 32 ^ u64::from(cols));
        let (started, mut moves) = (Instant::now(), 0);
        for i in 0..each {
            let position = if let Some(free) = truth.free_edges(i, each, &mut source) {
                if i % 2 == 0 || free < 8 {
                    just(board, free, &mut source)
                } else {
                    after_any_play(board, free, &mut source)
                }
            } else if i % 2 == 0 {
                anywhere(board, &mut source)
            } else {
                let free = board.edges() * (i as usize % 97) / 96;
                after_safe_play(board, free.max(board.edges() / 2), &mut source)
            };
            // Tiny tables too, but not where a search takes long.
            let large = position.free_count() > 26;
            let table_bytes = if large { 1 << 30 } else { 1 << (12 + i % 16) };
            let config = Config { threads: 1 + (large || i % 8 == 7) as usize, table_bytes };
            *searched.entry(position.free_count()).or_default() += 1;
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
        let count =
            |free: RangeInclusive<usize>| render::thousands(searched.range(free).map(|(_, n)| n).sum());
        render::text(&format!(
            "{name}: {} positions ({} with up to 20 free edges, {} to 26, {} to 31, {} more) and {} moves, 0 differences; \
             {} in {:.1} s, searched in {:.1} s\n",
            render::thousands(each),
            count(0..=20),
            count(21..=26),
            count(27..=31),
            count(32..=usize::MAX),
            render::thousands(moves),
            match truth {
                Truth::Enumeration(_) => "enumerated",
                Truth::Tables(_) => "tables opened",
            },
            enumerated.as_secs_f64(),
            started.elapsed().as_secs_f64()
        ))?;
    }
    Ok(())
}
