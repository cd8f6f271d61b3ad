//! Every player on every board, to the last edge.

use game::Position;
use rayon::prelude::*;

use super::{Finding, board, finding, line};
use crate::matches::{Terms, play_out};
use crate::style::Style;

/// Every board from 1x1 to 8x8 in turn, every player against every other.
pub(super) fn measure(games: u32, terms: Terms<'_>) -> Option<Finding> {
    let styles = Style::ALL;
    let one = |i: u32| -> Option<(usize, u32)> {
        let (rows, cols) = (1 + i % 8, 1 + i / 8 % 8);
        let (first, second) = (i as usize / 64 % styles.len(), i as usize / 64 / styles.len() % styles.len());
        let start = Position::empty(board(rows, cols)?);
        let game = play_out(start, [styles[first], styles[second]], i.into(), terms)?.game;
        let whole = game.is_over() && game.moves().len() == start.board().edges();
        let counted = start.board().all_boxes().all(|b| game.owner(b).is_some());
        Some((first, (whole && counted).into()))
    };
    let all: Vec<(usize, u32)> = (0..games).into_par_iter().map(one).collect::<Option<_>>()?;
    let mut table = String::from("| first player | games | legal to the last edge |\n|---|---:|---:|\n");
    for (i, style) in styles.iter().enumerate() {
        let of = all.iter().filter(|&&(first, _)| first == i);
        let (played, good) = (of.clone().count(), of.map(|&(_, good)| good).sum::<u32>());
        line(&mut table, format_args!("| {style} | {played} | {good} |"));
    }
    let good: u32 = all.iter().map(|&(_, good)| good).sum();
    Some(finding(
        table,
        vec![(
            format!("{good} of {games} games on every board from 1x1 to 8x8 are legal to the last edge"),
            good == games,
        )],
    ))
}
