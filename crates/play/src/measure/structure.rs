//! Chains, loops and safe edges are what they should be.

use endgame::{Offer, Structure};
use game::Position;
use rayon::prelude::*;

use super::{Finding, board, finding};
use crate::matches::{Terms, play_out};
use crate::style::Style;

/// Components and safe edges of positions of games.
pub(super) fn measure(games: u32, terms: Terms<'_>) -> Option<Finding> {
    let start = [board(4, 4)?, board(5, 5)?, board(6, 6)?];
    let one = |seed: u32| -> Option<[u64; 3]> {
        let board = start[seed as usize % 3];
        let styles =
            [[Style::Random, Style::Sensible], [Style::Sensible, Style::Sensible]][seed as usize / 3 % 2];
        let game = play_out(Position::empty(board), styles, seed.into(), terms)?.game;
        let mut position = Position::empty(board);
        let [mut components, mut odd, mut broken] = [0u64; 3];
        for m in game.moves() {
            position.draw(m.edge);
            let found = Structure::of(&position);
            components += (found.chains.len() + found.loops.len() + found.joints.len()) as u64;
            odd += found.loops.iter().filter(|run| run.boxes.len() < 4 || run.boxes.len() % 2 == 1).count()
                as u64;
            if position.is_quiet() {
                let offers = |e| Offer::of(&position.after(e).0).boxes > 0;
                broken += position.free_edges().filter(|e| found.safe_moves.contains(e) == offers(*e)).count()
                    as u64;
            }
        }
        Some([components, odd, broken])
    };
    let add = |a: [u64; 3], b: [u64; 3]| Some([a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    let [components, odd, broken] = (0..games).into_par_iter().map(one).try_reduce(|| [0; 3], add)?;
    let table = format!(
        "| chains, loops and joints classified | loops odd or under 4 | edges that break the promise of safety |\n|---:|---:|---:|\n| {components} | {odd} | {broken} |\n"
    );
    let enough = 43_480 * u64::from(games) / 400;
    Some(finding(
        table,
        vec![
            (format!("{components} components classified (at least {enough})"), components >= enough),
            ("no loop is odd or under four boxes".into(), odd == 0),
            ("in quiet positions a safe edge offers no box, and every other one does".into(), broken == 0),
        ],
    ))
}
