//! One answer with its source: tables, theory and search say the same, and the right one of them is asked.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must stop")]

mod agreement;
mod audits;
mod damage;
mod endgames;
mod sources;
mod transcribed;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use game::{Board, Edges, Position, Setup};
use generate::{Options, make, parse};
use oracle::{Budget, Config, Oracle, Question, Solution};
use tables::Catalogue;

/// No cancelling.
static GO_ON: AtomicBool = AtomicBool::new(false);

/// A folder with a few tables: boards the tests ask about, and the endgame up to 20 boxes. Made anew in every run.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-tables");
    std::fs::create_dir_all(&dir).unwrap();
    let specs = parse(&["2x2", "2x3", "3x3", "1x5", "endgame:20"]).unwrap();
    let anew = Options { force: true, ..Options::default() };
    make(&specs, &dir, anew, &|_| {}, &GO_ON).unwrap();
    dir
});

/// One thread, so that tests run beside each other.
const ALONE: Config = Config { threads: 1, table_bytes: 128 << 20 };

fn over(dir: &Path) -> Oracle {
    Oracle::with_config(Catalogue::open(dir), ALONE)
}

/// With the tables of the folder.
static WITH_TABLES: LazyLock<Oracle> = LazyLock::new(|| over(&FOLDER));

/// With none.
static WITHOUT: LazyLock<Oracle> = LazyLock::new(|| Oracle::with_config(Catalogue::empty(), ALONE));

/// Everything that can be asked, with all the time it takes.
const ALL: Question =
    Question { all_moves: true, principal_variation: true, budget: Budget { nodes: None, time: None } };

fn position(rows: u32, cols: u32, edges: &str) -> Position {
    Setup { rows, cols, edges: Edges::Text(edges.into()), score: None }.position().unwrap().0
}

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn solve(oracle: &Oracle, position: &Position) -> Solution {
    oracle.solve(position, &ALL, &GO_ON).unwrap()
}

#[track_caller]
fn value(solution: &Solution) -> i16 {
    solution.outcome.exact().unwrap().get()
}
