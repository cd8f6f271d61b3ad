//! Games between players.

use std::sync::atomic::{AtomicBool, Ordering};

use game::{Board, Boxes, Game, Player, Position};
use oracle::{Budget, Oracle};
use rayon::prelude::*;

use crate::choose::Chooser;
use crate::style::Style;

/// A game that was played out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The game, from its first move to its last edge; or to where a player drew no free one, which none ever should.
    pub game: Game,
    /// Whether every choice was proven to be what its player promises.
    pub proven: bool,
}

/// How a game is played, besides by whom.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Whom to ask. With one thread a search, and a budget of nodes rather than time, a seed means a game.
    pub oracle: &'a Oracle,
    /// What each search may cost.
    pub budget: Budget,
    /// Ends it all when it is set.
    pub cancel: &'a AtomicBool,
}

/// Plays a game out from a position, the first player to move; `None` when it was cancelled.
pub fn play_out(start: Position, players: [Style; 2], seed: u64, terms: Terms<'_>) -> Option<Finished> {
    let Terms { oracle, budget, cancel } = terms;
    let mut game = Game::from_position(start);
    let mut position = start;
    let mut proven = true;
    while let Some(player) = game.to_move() {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let style = players[usize::from(player == Player::Second)];
        // Each move has a seed of its own, so that a player does not think alike of every position.
        let seed = seed.wrapping_mul(SPREAD).wrapping_add(game.moves().len() as u64);
        let choice = Chooser::new(oracle, style, seed).within(budget, cancel).choose(&position);
        let Some(choice) = choice.filter(|choice| game.play(choice.edge).is_ok()) else { break };
        proven &= choice.proven;
        position.draw(choice.edge);
    }
    (!cancel.load(Ordering::Relaxed)).then_some(Finished { game, proven })
}

/// An odd number with its bits well spread (Knuth).
const SPREAD: u64 = 6_364_136_223_846_793_005;

/// What one player made of some games against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Match {
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games tied.
    pub tied: u32,
    /// Net boxes over all games.
    pub margin: i64,
}

impl Match {
    /// Plays so many games from the empty board, the players changing seats after each; `None` when it was cancelled.
    pub fn play(board: Board, players: [Style; 2], games: u32, seed: u64, terms: Terms<'_>) -> Option<Match> {
        Self::of(games, |i| {
            let seed = seed.wrapping_add(u64::from(i / 2));
            let margin = |seats| Some(play_out(Position::empty(board), seats, seed, terms)?.game.margin());
            if i % 2 == 0 { margin(players) } else { Some(-margin([players[1], players[0]])?) }
        })
    }

    /// The same with the first player always moving first.
    pub fn seated(
        board: Board,
        players: [Style; 2],
        games: u32,
        seed: u64,
        terms: Terms<'_>,
    ) -> Option<Match> {
        Self::of(games, |i| {
            let seed = seed.wrapping_add(u64::from(i));
            Some(play_out(Position::empty(board), players, seed, terms)?.game.margin())
        })
    }

    fn of(games: u32, margin: impl Fn(u32) -> Option<Boxes> + Sync) -> Option<Match> {
        let one = |i: u32| Some(Match::default().with(margin(i)?));
        (0..games).into_par_iter().map(one).try_reduce(Match::default, |a, b| Some(a.and(b)))
    }

    fn with(self, Boxes(margin): Boxes) -> Match {
        Match {
            won: self.won + u32::from(margin > 0),
            lost: self.lost + u32::from(margin < 0),
            tied: self.tied + u32::from(margin == 0),
            margin: self.margin + i64::from(margin),
        }
    }

    fn and(self, other: Match) -> Match {
        Match {
            won: self.won + other.won,
            lost: self.lost + other.lost,
            tied: self.tied + other.tied,
            margin: self.margin + other.margin,
        }
    }

    /// How many games.
    pub const fn games(&self) -> u32 {
        self.won + self.lost + self.tied
    }

    /// Net boxes a game.
    pub fn mean_margin(&self) -> f64 {
        self.margin as f64 / f64::from(self.games().max(1))
    }
}
