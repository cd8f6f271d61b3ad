//! Where searches begin.

use ::game::Position;
use endgame::{Offer, Structure};
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use super::domineering::Domineering;
use super::dots_and_boxes::DotsAndBoxes;
use super::game::{Cells, Game as _, Side};
use super::walk::Adds as _;

/// A position of Domineering after dominoes laid in turn at random.
pub(super) fn laid(game: &Domineering, dominoes: usize, random: &mut ChaCha8Rng) -> Cells {
    let mut open = game.cells();
    let mut mover = Side::Left;
    for _ in 0..dominoes {
        let moves: Vec<Cells> =
            game.options(open).into_iter().filter(|(by, _)| by.allows(mover)).map(|(_, left)| left).collect();
        open = moves.choose(random).copied().unwrap_or(open);
        mover = mover.other();
    }
    open
}

/// The free edges of a quiet position with this many of them, after safe moves at random; when there are none, after
/// any move, with everything taken that it hands over. `None` never: there is an edge to draw while any is free.
pub(super) fn drawn(game: &DotsAndBoxes, free: usize, random: &mut ChaCha8Rng) -> Option<Cells> {
    loop {
        let mut position = Position::empty(game.board());
        while position.free_count() > free {
            if let Some(&edge) = Structure::of(&position).safe_moves.choose(random) {
                position.draw(edge);
            } else {
                let all: Vec<_> = position.free_edges().collect();
                position = Offer::of(&position.after(*all.choose(random)?).0).rest;
            }
        }
        if position.free_count() == free {
            return Some(game.free(&position));
        }
    }
}
