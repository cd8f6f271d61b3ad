//! The record of a game: undo, replay, and moves that cannot be played.

use game::{Board, Game, PlayError, Player, Position};
use proptest::prelude::*;

use crate::{cases, games, games_cut};

proptest! {
    #![proptest_config(cases(200))]

    /// Taking moves back passes through the very same states in reverse, to a game that never began.
    #[test]
    fn undo_returns_to_the_same_state((board, moves, cut) in games_cut().prop_filter(
        "a state per move is kept", |(board, _, _)| board.edges() <= 400)) {
        let start = Position::with_drawn(board, moves[..cut].iter().copied());
        let mut game = Game::from_position(start);
        let mut states = Vec::new();
        for &e in &moves[cut..] {
            states.push(game.clone());
            game.play(e).unwrap();
        }
        for &e in moves[cut..].iter().rev() {
            prop_assert_eq!(game.undo().unwrap().edge, e);
            prop_assert_eq!(&game, &states.pop().unwrap());
        }
        prop_assert_eq!(game.undo(), None);
        prop_assert_eq!(game, Game::from_position(start));
    }

    /// A move taken back and another one played is as if only the other had been played.
    #[test]
    fn another_move_after_undo((board, moves) in games(), at in any::<prop::sample::Index>()) {
        let at = at.index(moves.len() - 1);
        let mut game = Game::new(board);
        for &e in &moves[..=at] {
            game.play(e).unwrap();
        }
        game.undo();
        game.play(moves[at + 1]).unwrap();
        let record = moves[..at].iter().chain([&moves[at + 1]]).map(|e| e.index());
        prop_assert_eq!(game, Game::replay(board, record).unwrap());
    }

    /// A record replays to the game it was taken from.
    #[test]
    fn records_replay((board, moves, cut) in games_cut()) {
        let mut game = Game::new(board);
        for &e in &moves[..cut] {
            game.play(e).unwrap();
        }
        let record: Vec<usize> = game.moves().iter().map(|m| m.edge.index()).collect();
        prop_assert_eq!(&record, &moves[..cut].iter().map(|e| e.index()).collect::<Vec<_>>());
        prop_assert_eq!(Game::replay(board, record).unwrap(), game);
    }

    /// A drawn edge cannot be played, the record says where it comes twice, and the game is left as it was.
    #[test]
    fn drawn_edges_are_refused((board, moves, cut) in games_cut()) {
        prop_assume!(cut > 0);
        let mut game = Game::replay(board, moves[..cut].iter().map(|e| e.index())).unwrap();
        let before = game.clone();
        let again = moves[cut / 2];
        prop_assert_eq!(game.play(again), Err(PlayError::Drawn(again)));
        prop_assert_eq!(game, before);
        let record = moves[..cut].iter().chain([&again]).map(|e| e.index());
        prop_assert_eq!(Game::replay(board, record), Err((cut, PlayError::Drawn(again))));
    }
}

#[test]
fn edges_of_another_board_are_refused() {
    let (small, large) = (Board::new(2, 2).unwrap(), Board::new(3, 3).unwrap());
    let mut game = Game::new(small);
    let error = game.play(large.edge(12).unwrap()).unwrap_err();
    assert_eq!(error, PlayError::NoSuchEdge { board: small, found: 12 });
    assert_eq!(error.to_string(), "a 2x2 board has edges 0 to 11, not 12");
    assert_eq!(game, Game::new(small));
    let error = Game::replay(small, [0, 1, usize::MAX]).unwrap_err();
    assert_eq!(error, (2, PlayError::NoSuchEdge { board: small, found: usize::MAX }));
    assert_eq!(Game::replay(small, [7, 7]).unwrap_err().1.to_string(), "edge 7 is drawn already");
}

/// A move that closes a box keeps the turn, except that nobody moves when the game is over.
#[test]
fn the_last_box_ends_the_game() {
    let board = Board::new(1, 2).unwrap();
    let mut game = Game::replay(board, [0, 1, 2, 3, 4]).unwrap();
    assert_eq!(game.to_move(), Some(Player::Second));
    game.play(board.edge(5).unwrap()).unwrap();
    assert_eq!(game.to_move(), Some(Player::Second));
    game.play(board.edge(6).unwrap()).unwrap();
    assert_eq!(game.to_move(), None);
    assert!(game.is_over());
}
