//! The perfect player never gets less than the value it started from.

use game::{Board, Boxes, Position, Symmetry};
use oracle::Question;
use rayon::prelude::*;

use super::{Finding, board, finding, line};
use crate::matches::{Terms, play_out};
use crate::style::Style;

/// Every position of two moves, one of those that are images of one another.
fn openings(board: Board) -> Vec<Position> {
    let pairs =
        board.all_edges().flat_map(|a| board.all_edges().filter(move |&b| a < b).map(move |b| [a, b]));
    let mut all: Vec<Position> = pairs.map(|pair| Position::with_drawn(board, pair)).collect();
    let is_least = |p: &Position| Symmetry::of(board).all(|s| s.position(p).drawn() >= p.drawn());
    all.retain(is_least);
    all
}

/// The perfect player's games from every position of two moves of a board (of images of one another, one), in both seats
/// against every other player: how many there were, and how many ended below the value of where they began, or from where
/// the budget proves none. `None` when it was cancelled.
pub fn below_value(board: Board, terms: Terms<'_>) -> Option<Vec<(Style, u32, u32)>> {
    let value = |start: &Position| {
        let question = Question { budget: terms.budget, ..Question::default() };
        terms.oracle.solve(start, &question, terms.cancel).ok()?.outcome.exact()
    };
    let valued = |start: Position| (start, value(&start));
    let starts: Vec<(Position, Option<Boxes>)> = openings(board).into_par_iter().map(valued).collect();
    let against = |other: Style| {
        let one = |(i, &(start, value)): (usize, &(Position, Option<Boxes>))| -> Option<u32> {
            let seed = i as u64;
            let first = play_out(start, [Style::Perfect, other], seed, terms)?.game.margin();
            let second = play_out(start, [other, Style::Perfect], seed, terms)?.game.margin();
            let below = |good: fn(Boxes, Boxes) -> bool, margin| !value.is_some_and(|v| good(margin, v));
            Some(u32::from(below(|m, v| m >= v, first)) + u32::from(below(|m, v| m <= v, second)))
        };
        let below: u32 = starts.par_iter().enumerate().map(one).try_reduce(|| 0, |a, b| Some(a + b))?;
        Some((other, 2 * starts.len() as u32, below))
    };
    Style::ALL.into_iter().filter(|&style| style != Style::Perfect).map(against).collect()
}

/// On 3x3, and one game of the perfect player against itself on 2x2.
pub(super) fn measure(terms: Terms<'_>) -> Option<Finding> {
    let mut table = String::from(
        "| 3x3, every opening of two moves (up to symmetry), both seats | games | below the value it started from |\n|---|---:|---:|\n",
    );
    let (mut games, mut below) = (0, 0);
    for (other, played, lost) in below_value(board(3, 3)?, terms)? {
        line(&mut table, format_args!("| perfect against {other} | {played} | {lost} |"));
        (games, below) = (games + played, below + lost);
    }
    let two = play_out(Position::empty(board(2, 2)?), [Style::Perfect; 2], 1, terms)?.game;
    let three = play_out(Position::empty(board(3, 3)?), [Style::CHAIN, Style::Perfect], 1, terms)?.game;
    line(
        &mut table,
        format_args!(
            "\nPerfect against itself on 2x2 nets {} for the first player; chain against perfect on 3x3 nets {}.",
            two.margin(),
            three.margin()
        ),
    );
    Some(finding(
        table,
        vec![
            (format!("{below} of {games} games ended below the value they started from"), below == 0),
            (
                "perfect against perfect on 2x2 is 3 to 1 for the first player".into(),
                two.margin() == Boxes(2),
            ),
            (
                "on 3x3, a won start for the second player, perfect does not lose to chain".into(),
                three.margin() <= Boxes(0),
            ),
        ],
    ))
}
