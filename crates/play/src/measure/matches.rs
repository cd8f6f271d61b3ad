//! Players against one another.

use super::{Finding, board, finding, line};
use crate::matches::{Match, Terms};
use crate::style::Style;

/// The players, roughly from weak to strong; easy is sensible by another name.
const PLAYERS: [Style; 8] = [
    Style::Random,
    Style::Greedy,
    Style::Sensible,
    Style::Medium,
    Style::Within { boxes: 2 },
    Style::Hard,
    Style::CHAIN,
    Style::Perfect,
];

/// Every pairing, each player first in half the games. Without a table nobody proves the opening, so perfect is no more
/// than chain there; a small budget for each move does not make it weaker.
pub(super) fn measure(games: u32, terms: Terms<'_>) -> Option<Finding> {
    let mut table =
        String::from("| 4x4 | against | won | lost | tied | boxes a game |\n|---|---|---:|---:|---:|---:|\n");
    let board = board(4, 4)?;
    let mut play = |players: [Style; 2]| {
        let played = Match::play(board, players, games, 6, terms)?;
        let Match { won, lost, tied, .. } = played;
        let [one, other] = players;
        line(
            &mut table,
            format_args!("| {one} | {other} | {won} | {lost} | {tied} | {:+.1} |", played.mean_margin()),
        );
        Some(played)
    };
    let mut floors = [None, None];
    for (i, &one) in PLAYERS.iter().enumerate() {
        for &other in PLAYERS[..i].iter().rev() {
            let played = play([one, other])?;
            match (one, other) {
                (Style::Greedy, Style::Random) => floors[0] = Some(played),
                (Style::CHAIN, Style::Greedy) => floors[1] = Some(played),
                _ => {}
            }
        }
    }
    let [Some(greedy), Some(chain)] = floors else { return None };
    play([Style::Chain { exact: 18, parity: true }, Style::CHAIN])?;
    let enough = games * 4 / 5;
    table.push_str(
        "\nAnother program: chain beats greedy in 176 of 200 by about six boxes (its chain is a weaker one: ours is exact with 18 \
         free edges), greedy random by about fourteen. Easy is sensible by another name. No table is used here, so perfect \
         plays the opening as chain does, and is no more than exact earlier; with the table of 4x4 it never loses: `doublecross \
         bench perfect`.\n",
    );
    Some(finding(
        table,
        vec![
            (
                format!("greedy beats random by {:.1} boxes (at least 12)", greedy.mean_margin()),
                greedy.mean_margin() >= 12.0,
            ),
            (
                format!("chain beats greedy in {} of {games} (at least {enough})", chain.won),
                chain.won >= enough,
            ),
        ],
    ))
}
