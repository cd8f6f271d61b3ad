//! Where values add and where they do not.

use std::sync::atomic::Ordering;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::super::{board, line};
use super::depths::Depths;
use super::domineering::Domineering;
use super::dots_and_boxes::DotsAndBoxes;
use super::game::{Game as _, each};
use super::relation::split;
use super::score::{Prover, values_apart};
use super::starts::drawn;
use super::values::Values;
use super::walk::{Pass, Walk};
use super::{Report, misere};
use crate::matches::Terms;

/// The sum of the regions' values against the value of the whole.
pub(super) fn measure(report: &mut Report, count: u32, terms: Terms<'_>) -> Option<()> {
    let mut random = ChaCha8Rng::seed_from_u64(10);
    report.say("\nWhat adds, on random positions of several regions.\n");
    report.say("| game | positions | the sum of the regions' values is right |");
    report.say("|---|---:|---:|");
    let mut values = Values::new();
    let (mut held, mut asked) = (0, 0);
    while asked < count {
        let blocked = each((1 << 20) - 1).filter(|_| random.random_bool(0.3)).fold(0, |all, at| all | at);
        let game = Domineering::new(4, 5, blocked);
        if split(game.moves(), game.cells()).len() < 2 {
            continue;
        }
        asked += 1;
        held += u32::from(misere::sum_holds(&game, &mut values));
    }
    line(&mut report.table, format_args!("| Domineering 4x5, normal play, by who wins | {asked} | {held} |"));
    report.claim(format!("Domineering's regions add under normal play: {held} of {asked}"), held == asked);

    let (mut nimbers, mut scores, mut asked) = (0, 0, 0);
    let game = DotsAndBoxes::new(board(3, 4)?)?;
    while asked < count {
        if terms.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let open = drawn(&game, 14, &mut random)?;
        if split(game.moves(), open).len() < 2 {
            continue;
        }
        asked += 1;
        let whole = Walk::new(&game, Pass::Never).whole(open, &mut values);
        let apart = Walk::new(&game, Pass::Root).whole(open, &mut values);
        nimbers += u32::from(whole == apart);
        let whole = Prover::new(&game, Pass::Never).value(open, &mut Depths::default());
        scores += u32::from(whole == values_apart(&game, open).into_iter().sum::<i16>());
    }
    line(&mut report.table, format_args!("| Nimstring 3x4, by the nimber | {asked} | {nimbers} |"));
    line(&mut report.table, format_args!("| Dots and Boxes 3x4, by the score | {asked} | {scores} |"));
    report.claim(format!("Nimstring's nimbers add: {nimbers} of {asked}"), nimbers == asked);
    report.claim("scores of Dots and Boxes do not add".into(), scores < asked);
    Some(())
}
