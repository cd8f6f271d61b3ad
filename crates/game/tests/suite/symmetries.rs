//! Symmetries: they move edges as turning the paper does, and keep everything the rules ask about.

use std::collections::BTreeSet;

use game::{Board, Game, Position, Symmetry};
use proptest::prelude::*;

use crate::{boards, cases, games, games_cut};

/// The 1x2 board, turned by hand: left as it is, top to bottom, left to right, and both.
#[test]
fn the_four_ways_to_turn_1x2() {
    let board = Board::new(1, 2).unwrap();
    let turned: BTreeSet<Vec<usize>> =
        Symmetry::of(board).map(|s| board.all_edges().map(|e| s.edge(board, e).index()).collect()).collect();
    let expected = [
        vec![0, 1, 2, 3, 4, 5, 6],
        vec![2, 3, 0, 1, 4, 5, 6],
        vec![1, 0, 3, 2, 6, 5, 4],
        vec![3, 2, 1, 0, 6, 5, 4],
    ];
    assert_eq!(turned, expected.into_iter().collect());
}

/// The upper edge of the top left box of 2x2 can come to lie on each of the eight edges of the border.
#[test]
fn the_eight_places_of_a_corner_edge() {
    let board = Board::new(2, 2).unwrap();
    let places: BTreeSet<usize> = Symmetry::of(board).map(|s| s.edge(board, board.h(0, 0)).index()).collect();
    assert_eq!(places, BTreeSet::from([0, 1, 4, 5, 6, 8, 9, 11]));
}

/// Rows and columns exchanged: horizontals become verticals, 2x3 becomes 3x2.
#[test]
fn transposing_2x3() {
    let (board, image) = (Board::new(2, 3).unwrap(), Board::new(3, 2).unwrap());
    assert_eq!(Symmetry::TRANSPOSE.board(board), image);
    assert_eq!(Symmetry::TRANSPOSE.edge(board, board.h(0, 2)), image.v(2, 0));
    assert_eq!(Symmetry::TRANSPOSE.edge(board, board.v(1, 3)), image.h(3, 1));
    assert_eq!(Symmetry::TRANSPOSE.box_id(board, board.box_at(1, 2)), image.box_at(2, 1));
}

proptest! {
    #![proptest_config(cases(120))]

    /// Eight different ways for a square board, four for any other, all of them one to one.
    #[test]
    fn symmetries_are_as_many_as_they_should_be(board in boards()) {
        let ways: BTreeSet<Vec<usize>> = Symmetry::of(board)
            .map(|s| board.all_edges().map(|e| s.edge(board, e).index()).collect())
            .collect();
        let square = board.rows() == board.cols();
        prop_assert_eq!(ways.len(), if square { 8 } else { 4 });
        prop_assert_eq!(Symmetry::of(board).count(), ways.len());
        for way in &ways {
            prop_assert_eq!(way.iter().collect::<BTreeSet<_>>().len(), board.edges());
        }
        // Doing one after another is again one of them.
        for a in &ways {
            for b in &ways {
                let both: Vec<usize> = a.iter().map(|&e| b[e]).collect();
                prop_assert!(ways.contains(&both));
            }
        }
    }

    /// The sides of a box go to the sides of its image, on the board's image.
    #[test]
    fn sides_go_to_sides(board in boards()) {
        for s in Symmetry::all() {
            let image = s.board(board);
            for b in board.all_boxes() {
                let sides: BTreeSet<_> = board.sides(b).iter().map(|&e| s.edge(board, e)).collect();
                prop_assert_eq!(sides, image.sides(s.box_id(board, b)).into_iter().collect());
            }
        }
    }

    /// Free sides, closed boxes and quietness are the same in every image, and transposing twice is nothing.
    #[test]
    fn images_keep_what_the_rules_ask((board, moves, cut) in games_cut()) {
        let position = Position::with_drawn(board, moves[..cut].iter().copied());
        for s in Symmetry::all() {
            let image = s.position(&position);
            prop_assert_eq!(image.board(), s.board(board));
            prop_assert_eq!(image.drawn().len(), cut);
            prop_assert_eq!(image.closed_boxes(), position.closed_boxes());
            prop_assert_eq!(image.is_quiet(), position.is_quiet());
            for b in board.all_boxes() {
                prop_assert_eq!(image.free_sides(s.box_id(board, b)), position.free_sides(b));
            }
        }
        let back = Symmetry::TRANSPOSE.position(&Symmetry::TRANSPOSE.position(&position));
        prop_assert_eq!(back, position);
    }

    /// A game turned over is the same game: the same movers, the same captures, the same margin.
    #[test]
    fn games_turned_over_are_the_same((board, moves) in games()) {
        let game = Game::replay(board, moves.iter().map(|e| e.index())).unwrap();
        for s in Symmetry::all() {
            let image = moves.iter().map(|&e| s.edge(board, e).index());
            let turned = Game::replay(s.board(board), image).unwrap();
            for (ours, theirs) in game.moves().iter().zip(turned.moves()) {
                prop_assert_eq!((ours.player, ours.closed), (theirs.player, theirs.closed));
            }
            prop_assert_eq!(turned.margin(), game.margin());
        }
    }
}
