//! What taking everything on offer costs.

use endgame::{Offer, Structure};
use game::{Boxes, Position};
use oracle::Question;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Finding, board, finding, line};
use crate::matches::Terms;

/// What taking everything costs, on positions with a box on offer.
pub(super) fn measure(count: u32, terms: Terms<'_>) -> Option<Finding> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let boards = [board(3, 3)?, board(3, 4)?, board(4, 4)?, board(5, 5)?];
    let mut positions = Vec::new();
    while (positions.len() as u32) < count {
        let &board = boards.choose(&mut random)?;
        let mut position = Position::empty(board);
        while let Some(&edge) = Structure::of(&position).safe_moves.choose(&mut random) {
            position.draw(edge);
        }
        for _ in 0..random.random_range(1..4) {
            position = Offer::of(&position).rest;
            let free: Vec<_> = position.free_edges().collect();
            match free.choose(&mut random) {
                Some(&edge) => position.draw(edge),
                None => break,
            };
        }
        if Offer::of(&position).boxes > 0 {
            positions.push(position);
        }
    }
    let one = |position: &Position| -> Option<i16> {
        let value = |p: &Position| {
            let solved = terms.oracle.solve(p, &Question::default(), terms.cancel).ok()?;
            solved.outcome.exact()
        };
        let offer = Offer::of(position);
        let Boxes(cost) = value(position)? - offer.taking(value(&offer.rest)?).take_all;
        Some(cost)
    };
    let costs: Vec<i16> = positions.par_iter().map(one).collect::<Option<_>>()?;
    let worst = costs.iter().copied().max().unwrap_or(0);
    let mut table = String::from("| taking everything costs | positions |\n|---:|---:|\n");
    for cost in 0..=worst {
        let times = costs.iter().filter(|&&c| c == cost).count();
        if times > 0 {
            line(&mut table, format_args!("| {cost} | {times} |"));
        }
    }
    let free = costs.iter().filter(|&&cost| cost == 0).count();
    line(
        &mut table,
        format_args!(
            "\nFree in {:.0} % (another program's positions: 68 %); at worst {worst} boxes (22). Ours are of 3x3 to 5x5, one to three \
             openings after random safe play, so there are fewer long chains behind most offers and more behind a few.",
            100.0 * free as f64 / f64::from(count)
        ),
    );
    let even = costs.iter().all(|cost| cost % 2 == 0 && *cost >= 0);
    Some(finding(table, vec![("every cost is even, and none below nothing".into(), even)]))
}
