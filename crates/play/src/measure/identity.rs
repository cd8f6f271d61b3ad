//! `T = d + D`, and who takes the last turn.

use game::{Player, Position};
use rayon::prelude::*;

use super::{Finding, board, finding, line};
use crate::matches::{Terms, play_out};
use crate::style::Style;

/// `T = d + D`, and the last turn is the first player's exactly when T is odd.
pub(super) fn measure(games: u32, of_each_board: u32, terms: Terms<'_>) -> Option<Finding> {
    let players = [Style::Random, Style::Greedy, Style::CHAIN];
    let mut table = String::from("| first | second | games | T = d + D |\n|---|---|---:|---:|\n");
    let (mut played, mut held) = (0, 0);
    for first in players {
        for second in players {
            let one = |seed: u32| -> Option<u32> {
                let start = Position::empty(board(4, 4)?);
                let game = play_out(start, [first, second], seed.into(), terms)?.game;
                Some((game.turns() == start.board().dots() + game.double_crosses()).into())
            };
            let good: u32 = (0..games).into_par_iter().map(one).try_reduce(|| 0, |a, b| Some(a + b))?;
            line(&mut table, format_args!("| {first} | {second} | {games} | {good} |"));
            (played, held) = (played + games, held + good);
        }
    }
    table.push_str("\n| board | games | last turn by the parity of T |\n|---|---:|---:|\n");
    let (mut all, mut right) = (0, 0);
    for (rows, cols) in [(2, 3), (3, 3), (3, 4), (4, 4)] {
        let start = Position::empty(board(rows, cols)?);
        let one = |seed: u32| -> Option<u32> {
            let styles = [players[seed as usize % 3], players[seed as usize / 3 % 3]];
            let game = play_out(start, styles, seed.into(), terms)?.game;
            let last = game.moves().last()?.player;
            Some(((last == Player::First) == (game.turns() % 2 == 1)).into())
        };
        let good: u32 = (0..of_each_board).into_par_iter().map(one).try_reduce(|| 0, |a, b| Some(a + b))?;
        line(&mut table, format_args!("| {rows}x{cols} | {of_each_board} | {good} |"));
        (all, right) = (all + of_each_board, right + good);
    }
    Some(finding(
        table,
        vec![
            (format!("T = d + D in {held} of {played} games"), held == played),
            (format!("the last turn has the parity of T in {right} of {all} games"), right == all),
        ],
    ))
}
