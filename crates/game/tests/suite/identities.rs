//! The identities of every complete game: turns and double-crosses, edges and dots, boxes.

use game::{Game, Player, Position};
use proptest::prelude::*;

use crate::{cases, games, games_cut, naive};

proptest! {
    #![proptest_config(cases(400))]

    /// T = d + D: as many turns as dots and double-crosses.
    #[test]
    fn turns_are_dots_plus_double_crosses((board, moves) in games()) {
        let mut game = Game::new(board);
        for e in moves {
            game.play(e).unwrap();
        }
        prop_assert!(game.is_over());
        prop_assert_eq!(game.turns(), board.dots() + game.double_crosses());
    }

    /// From a start with edges drawn, T = D + (free edges - boxes left) + 1, unless nothing is free.
    #[test]
    fn turns_from_a_start_with_edges_drawn((board, moves, cut) in games_cut()) {
        let start = Position::with_drawn(board, moves[..cut].iter().copied());
        let mut game = Game::from_position(start);
        for &e in &moves[cut..] {
            game.play(e).unwrap();
        }
        if cut == moves.len() {
            prop_assert_eq!(game.turns(), 0);
        } else {
            let expected = game.double_crosses() + start.free_count() - start.boxes_left() + 1;
            prop_assert_eq!(game.turns(), expected);
        }
    }

    /// Every box left at the start ends up with one of the players, and nobody owns those closed before.
    #[test]
    fn boxes_add_up((board, moves, cut) in games_cut()) {
        let start = Position::with_drawn(board, moves[..cut].iter().copied());
        let mut game = Game::from_position(start);
        let mut taken = 0;
        for &e in &moves[cut..] {
            taken += usize::from(game.play(e).unwrap().closed);
            let (first, second) = (game.boxes(Player::First), game.boxes(Player::Second));
            prop_assert_eq!(usize::from(first + second), taken);
            prop_assert_eq!(game.margin().get(), first as i16 - second as i16);
            prop_assert_eq!(game.position().boxes_left() + taken, start.boxes_left());
        }
        prop_assert_eq!(taken, start.boxes_left());
        prop_assert!(board.all_boxes().all(|b| (start.free_sides(b) == 0) == game.owner(b).is_none()));
    }

    /// Who moves, what a move closes, who owns a box and how many turns there were, move by move, as the
    /// rules tell it.
    #[test]
    fn games_go_as_the_rules_tell((board, moves, cut) in games_cut().prop_filter(
        "the naive rules are slow", |(board, _, _)| board.edges() <= 300)) {
        let start = Position::with_drawn(board, moves[..cut].iter().copied());
        let mut game = Game::from_position(start);
        for (i, &e) in moves[cut..].iter().enumerate() {
            let told = naive::play(board, &start.to_string(), &moves[cut..=cut + i]);
            prop_assert_eq!(game.to_move(), Some(told.movers[i]));
            let played = game.play(e).unwrap();
            prop_assert_eq!((played.edge, played.player), (e, told.movers[i]));
            prop_assert_eq!(usize::from(played.closed), told.closed[i]);
            prop_assert_eq!(game.turns(), told.turns);
            prop_assert_eq!(game.double_crosses(), told.closed.iter().filter(|&&n| n == 2).count());
            let owners: Vec<Option<Player>> = board.all_boxes().map(|b| game.owner(b)).collect();
            prop_assert_eq!(owners, told.owners);
        }
        // The last edge always closes a box, and still nobody moves.
        prop_assert_eq!(game.to_move(), None);
    }
}

/// The example games of one box and of a double-cross on two, counted by hand.
#[test]
fn hand_counted_games() {
    let board = game::Board::new(1, 2).unwrap();
    // The middle edge last: one move closes both boxes. Seven turns: six dots and one double-cross.
    let game = Game::replay(board, [0, 1, 2, 3, 4, 6, 5]).unwrap();
    assert_eq!((game.turns(), game.double_crosses(), game.margin().get()), (7, 1, 2));
    // The left box on the sixth move; the same player goes on and closes the right one: six turns.
    let game = Game::replay(board, [0, 1, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!((game.turns(), game.double_crosses(), game.margin().get()), (6, 0, -2));
}
