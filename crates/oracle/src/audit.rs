//! Auditing a table: entries worked out anew, in ways that share nothing with the one they were made in but the numbering.
//!
//! * **The moves**: the value of a quiet position is the best of what its moves lead to, move by move straight from the
//!   rules; what they lead to is looked up in the same table, so an error would have to be made everywhere alike.
//! * **The images**: a position turned or flipped has the same value, and is looked up the other way round.
//! * **Theory**: where only isolated chains and loops are left, the closed form knows the value.
//! * **Search**: some are searched with no table at all.
//!
//! Entries of endgame tables are held against the closed form.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use endgame::Structure;
use game::{Boxes, Position, Symmetry};
use search::{Budget, Config, Outcome, Solver, search_edges};
use tables::{BoardTable, EndgameTable, Storage, Table};

/// One entry in so many is searched.
const SEARCHED: u64 = 64;

/// With more free edges a search is not worth its time here.
const SEARCH_EDGES: usize = 20;

/// What an audit looked at and found true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Audit {
    /// Entries held against what their moves lead to and against their images, or, of an endgame table, against the
    /// closed form.
    pub entries: u64,
    /// Entries of boards held against the closed form.
    pub theory: u64,
    /// Entries of boards that were searched.
    pub searched: u64,
}

/// An entry that is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// Its number.
    pub number: u64,
    /// What it is about.
    pub about: String,
    /// Its value; `None` when the table does not answer.
    pub entry: Option<Boxes>,
    /// Who disagrees.
    pub witness: &'static str,
    /// The value according to them.
    pub value: Option<Boxes>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |v: Option<Boxes>| v.map_or("nothing".to_owned(), |v| v.to_string());
        let Disagreement { number, about, entry, witness, value: other } = self;
        write!(f, "entry {number}, {about}, is {}; {witness} has {}", value(*entry), value(*other))
    }
}

/// Audits a table: all entries, or so many spread evenly, on all cores. `advanced` is told how many are done.
///
/// # Errors
/// The first disagreement that is found. A raised `cancel` ends the audit early, with what was done by then.
pub fn audit<B: Storage + Sync>(
    table: &Table<B>,
    sample: Option<u64>,
    advanced: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Audit, Disagreement> {
    let entries = table.container().header().entries;
    let count = sample.unwrap_or(entries).min(entries);
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let work = || {
        let mut audit = Audit::default();
        while !cancel.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            // Entries in a row share blocks.
            let start = next.fetch_add(STRETCH, Ordering::Relaxed);
            if start >= count {
                break;
            }
            for i in start..(start + STRETCH).min(count) {
                // The i-th of `count` places spread over all; both fit 64 bits, their product may not.
                let number = (u128::from(i) * u128::from(entries) / u128::from(count)) as u64;
                let checked = match table {
                    Table::Board(table) => board_entry(table, number, &mut audit),
                    Table::Endgame(table) => endgame_entry(table, number),
                };
                checked.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                audit.entries += 1;
            }
            advanced((start + STRETCH).min(count));
        }
        Ok(audit)
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_fold(Audit::default(), |sum, worker| {
            // A panic in a worker is a bug: let it be one here too.
            let part = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok(Audit {
                entries: sum.entries + part.entries,
                theory: sum.theory + part.theory,
                searched: sum.searched + part.searched,
            })
        })
    })
}

/// So many entries are checked by one thread in a row.
const STRETCH: u64 = 256;

fn board_entry<B: Storage>(
    table: &BoardTable<B>,
    number: u64,
    audit: &mut Audit,
) -> Result<(), Disagreement> {
    let Some(position) = table.ranking().unrank(number).map(|mask| table.ranking().position(mask)) else {
        let about = "which no position has".to_owned();
        return Err(Disagreement { number, about, entry: None, witness: "the numbering", value: None });
    };
    let entry = table.probe(&position);
    let agree = |witness, value: Option<Boxes>| {
        if entry.is_some() && entry == value {
            return Ok(());
        }
        let about = format!("{} {position}", position.board());
        Err(Disagreement { number, about, entry, witness, value })
    };
    let best = table.moves(&position).map(|moves| moves.into_iter().map(|(_, worth)| worth).max());
    agree("the best of its moves", best.map(|best| best.unwrap_or(Boxes::ZERO)))?;
    for symmetry in Symmetry::all().skip(1) {
        agree("an image of it", table.probe(&symmetry.position(&position)))?;
    }
    if let Some(set) = Structure::of(&position).decomposed() {
        agree("the closed form", Some(endgame::value(&set)))?;
        audit.theory += 1;
    } else if number.is_multiple_of(SEARCHED) && search_edges(&position) <= SEARCH_EDGES {
        agree("a search", searched(&position))?;
        audit.searched += 1;
    }
    Ok(())
}

fn searched(position: &Position) -> Option<Boxes> {
    let mut solver = Solver::new(position, Config { threads: 1, table_bytes: 16 << 20 }).ok()?;
    solver.start(Budget::UNLIMITED);
    match solver.value(&AtomicBool::new(false)) {
        Outcome::Exact(value) => Some(value),
        Outcome::Bounds { .. } => None,
    }
}

fn endgame_entry<B: Storage>(table: &EndgameTable<B>, number: u64) -> Result<(), Disagreement> {
    let set = table.ranking().multiset(number);
    let expected = set.as_ref().map(|set| (endgame::value(set), endgame::best_openings(set)));
    let found = set.as_ref().and_then(|set| table.probe(set));
    if found.is_some() && found == expected {
        return Ok(());
    }
    let about = set.map_or_else(|| "which no multiset has".to_owned(), |set| set.to_string());
    let value = |known: Option<(Boxes, _)>| known.map(|(value, _)| value);
    Err(Disagreement {
        number,
        about,
        entry: value(found),
        witness: "the closed form",
        value: value(expected),
    })
}
