//! Reviews, held against the rules and, near the end of the game, against enumeration.

use game::{Board, Game, Player, Position};
use play::{Ending, Record};
use proto::v1::{
    Player as SentPlayer, ReviewGameRequest, ReviewGameResponse, review_game_request::Ending as SentEnding,
};

use super::values::{True, of};

/// The game somebody sent, if it is one and can have ended like that.
pub(super) fn game(sent: &ReviewGameRequest) -> Option<Game> {
    let board = Board::new(sent.rows, sent.cols).ok()?;
    let ending = match SentEnding::try_from(sent.ending).ok()? {
        SentEnding::Stopped => Ending::Stopped,
        SentEnding::AgreedDraw => Ending::AgreedDraw,
        SentEnding::FirstResigned => Ending::Resigned(Player::First),
        SentEnding::SecondResigned => Ending::Resigned(Player::Second),
    };
    let game = Game::replay(board, sent.moves.iter().map(|&edge| edge as usize)).ok()?;
    Record::new(game.clone(), ending).ok()?;
    Some(game)
}

pub(super) fn review(sent: &ReviewGameRequest, found: &ReviewGameResponse) {
    let game = game(sent).expect("what was answered is a game");
    assert_eq!(found.moves.len(), game.moves().len());
    let result = found.result.as_ref().expect("a review has a result");
    let boxes = [Player::First, Player::Second].map(|player| u32::from(game.boxes(player)));
    assert_eq!([result.first, result.second], boxes);

    let mut position = *game.start();
    // From the first position on after which little is left.
    let mut truth: Option<True> = None;
    for (i, (m, played)) in found.moves.iter().zip(game.moves()).enumerate() {
        let player = if played.player == Player::First { SentPlayer::First } else { SentPlayer::Second };
        assert_eq!(
            (m.edge as usize, m.player(), m.closed),
            (played.edge.index(), player, played.closed.into())
        );
        let truth = match &truth {
            Some(truth) if truth.is_known() => truth,
            _ => truth.insert(True::of(&position)),
        };
        let (before, after) = (of(m.before.as_ref()), of(m.after.as_ref()));
        truth.holds(&position, before);
        truth.holds_of(&position, played.edge, after);
        truth.best(&position, &m.best_moves);
        assert!(before.0 >= after.0, "a position is worth what was played at least");
        let exact = before.0 == before.1 && after.0 == after.1;
        let lost = exact.then_some(before.0 - after.0);
        assert_eq!(m.lost.map(i64::from), lost.map(i64::from));
        assert!(lost.is_none_or(|lost| lost % 2 == 0));
        assert!(i < found.proven_from as usize || before.0 == before.1);
        assert!(m.handed as usize <= position.boxes_left());
        position = next(&position, m.edge);
    }
    assert!(found.proven_from as usize <= found.moves.len());
    if let Some(losing) = found.losing_move {
        let m = &found.moves[losing as usize];
        assert!(m.lost.is_some_and(|lost| lost > 0));
        assert_ne!(m.player(), result.winner());
    }
    if let Some(turning) = &found.turning_point {
        assert!((turning.r#move as usize) < found.moves.len());
    }
}

fn next(position: &Position, edge: u32) -> Position {
    let edge = position.board().edge(edge as usize).expect("a move is an edge");
    position.after(edge).0
}
