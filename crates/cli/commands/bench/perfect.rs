//! The perfect player, by table.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use game::{Boxes, Position};
use oracle::{Budget, Config, Oracle};
use play::{Match, Style, Terms, below_value};
use tables::Catalogue;

use super::positions::board;
use crate::failure::Failure;
use crate::notation::Size;
use crate::render;

/// The perfect player by the table of a board: never below the value it starts from.
///
/// Against every other from every opening of two moves (of images of one another, one), in both seats; and 200 games from
/// the empty board against chain, moving second: none lost where the first player does not win. The exit status is 1
/// when it falls below.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross bench perfect
  doublecross bench perfect 3x4")]
pub(super) struct PerfectArgs {
    /// The board; it must have a table
    #[arg(value_name = "ROWSxCOLS", default_value = "4x4")]
    board: Size,
}

/// How many games of chain against perfect.
const GAMES: u32 = 200;

pub(super) fn run(args: &PerfectArgs, dir: &Path, cancel: &AtomicBool) -> Result<(), Failure> {
    let board = board(args.board.rows, args.board.cols)?;
    let config = Config { threads: 1, table_bytes: 16 << 20 };
    let oracle = Oracle::with_config(Catalogue::open(dir), config);
    if !oracle.tables().has(board) {
        let dir = dir.display();
        let remedy = match tables::TableId::board(board) {
            Some(id) => format!("`doublecross generate {id}` makes it"),
            None => "it is too large for one".to_owned(),
        };
        return Err(Failure::no(format!("there is no table of {board} in {dir}; {remedy}")));
    }
    let started = Instant::now();
    let terms = Terms { oracle: &oracle, budget: Budget::UNLIMITED, cancel };
    let mut failed = false;
    for (other, games, below) in below_value(board, terms).ok_or(Failure::Interrupted)? {
        failed |= below > 0;
        render::text(&format!("perfect against {other:<9} {games:>6} games, {below} below the value\n"))?;
    }
    let played = Match::seated(board, [Style::CHAIN, Style::Perfect], GAMES, 6, terms);
    let Match { won, lost, tied, .. } = played.ok_or(Failure::Interrupted)?;
    let start = oracle.tables().board(&Position::empty(board)).map(|probe| probe.value);
    failed |= won > 0 && start.is_some_and(|value| value <= Boxes::ZERO);
    render::text(&format!(
        "{board}, {GAMES} games, chain first: chain won {won} against perfect, lost {lost}, tied {tied}\n{}\n",
        render::time(started.elapsed())
    ))?;
    if failed { Err(Failure::Told) } else { Ok(()) }
}
