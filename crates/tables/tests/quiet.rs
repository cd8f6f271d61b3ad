//! The numbering of quiet positions.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::collections::HashSet;

use game::{Board, Position, Symmetry};
use tables::QuietRanking;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

const SMALL: [(u32, u32); 10] =
    [(1, 1), (1, 2), (1, 3), (1, 4), (1, 6), (2, 2), (2, 3), (2, 4), (3, 3), (1, 8)];

#[test]
fn numbers_and_positions_go_one_to_one() {
    for (rows, cols) in SMALL {
        let ranking = QuietRanking::new(board(rows, cols));
        let mut next = 0;
        for mask in ranking.masks() {
            assert_eq!(ranking.rank(mask), next, "{}", ranking.position(mask));
            let position = ranking.position(mask);
            assert!(position.is_quiet());
            assert_eq!(ranking.mask(&position), Some(mask));
            assert_eq!(ranking.unrank(next), Some(mask));
            next += 1;
        }
        assert_eq!(next, ranking.len());
        assert_eq!((ranking.unrank(next), ranking.unrank(u64::MAX)), (None, None));
    }
}

/// The position with, at each box, the first of as many edges to the ground.
fn grounded(position: &Position) -> Position {
    let board = position.board();
    let mut out = *position;
    for b in board.all_boxes() {
        let ground: Vec<_> =
            board.sides(b).into_iter().filter(|&e| board.touching(e).contains(&None)).collect();
        let drawn = ground.iter().filter(|&&e| !position.is_free(e)).count();
        for (i, &e) in ground.iter().enumerate() {
            if i < drawn {
                out.draw(e);
            } else {
                out.erase(e);
            }
        }
    }
    out
}

/// The same of all positions that are images of one another.
fn canonical(position: &Position) -> u64 {
    let images = Symmetry::of(position.board()).map(|s| grounded(&s.position(position)).drawn().low_mask());
    images.max().unwrap()
}

#[test]
fn every_quiet_position_of_either_orientation_has_the_number_of_an_image() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 4), (2, 2), (2, 3)] {
        let ranking = QuietRanking::new(board(rows, cols));
        let masks: Vec<u64> = ranking.masks().collect();
        for mask in 0..1 << board(rows, cols).edges() {
            let position = Position::from_mask(board(rows, cols), mask).unwrap();
            if !position.is_quiet() {
                continue;
            }
            let number = ranking.rank(ranking.mask(&position).unwrap());
            let numbered = ranking.position(masks[number as usize]);
            assert_eq!(canonical(&numbered), canonical(&position));
            let turned = Symmetry::TRANSPOSE.position(&position);
            let turned = ranking.rank(ranking.mask(&turned).unwrap());
            assert_eq!(canonical(&ranking.position(masks[turned as usize])), canonical(&position));
        }
    }
}

/// Counted by others: the quiet positions of these boards up to symmetry and the corner rule.
#[test]
fn the_positions_are_as_many_as_others_counted() {
    for (rows, cols, count) in [(2, 2, 83), (2, 3, 2_245), (3, 3, 65_330)] {
        let ranking = QuietRanking::new(board(rows, cols));
        let distinct: HashSet<u64> = ranking.masks().map(|mask| canonical(&ranking.position(mask))).collect();
        assert_eq!(distinct.len(), count, "{rows}x{cols}");
    }
}

#[test]
fn every_safe_move_leads_to_a_larger_number() {
    for (rows, cols) in SMALL {
        let ranking = QuietRanking::new(board(rows, cols));
        for (number, mask) in ranking.masks().enumerate() {
            let position = ranking.position(mask);
            for next in position.free_edges().map(|e| position.after(e).0).filter(Position::is_quiet) {
                assert!(ranking.rank(ranking.mask(&next).unwrap()) > number as u64, "{position} {next}");
            }
        }
    }
}

#[test]
fn classes_are_in_layers_and_of_the_sizes_they_say() {
    for (rows, cols) in [(1, 13), (2, 7), (3, 5), (4, 4), (3, 4)] {
        let ranking = QuietRanking::new(board(rows, cols));
        assert!(ranking.classes().is_sorted_by_key(|class| class.layer));
        let mut start = 0;
        for (i, class) in ranking.classes().iter().enumerate() {
            assert_eq!(class.start, start);
            let counted: usize = ranking.fills(i).map(|f| f.lefts.len() * f.rights.len()).sum();
            assert_eq!(counted, class.len as usize);
            start += u64::from(class.len);
        }
        assert_eq!(ranking.len(), start);
    }
}

#[test]
fn other_boards_have_no_mask() {
    let ranking = QuietRanking::new(board(2, 3));
    for (rows, cols) in [(2, 2), (3, 3), (1, 3), (32, 32)] {
        let other = board(rows, cols);
        assert_eq!(ranking.mask(&Position::empty(other)), None);
    }
}
