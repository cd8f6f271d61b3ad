//! The search against complete enumerations, position by position.

use endgame::Structure;
use facts::{Random, Values};
use game::{Boxes, Position};

use crate::{GO_ON, after_safe_play, board, exact, solver, value, with_free};

/// 200,000 random positions and more: 8,000 on each board, every edge drawn or not by the toss of a coin, and
/// those one move on, which the same solver answers.
#[test]
fn random_positions_of_small_boards() {
    let mut random = Random::new(10);
    let mut checked = 0;
    for (rows, cols) in [(2, 3), (3, 2), (3, 3), (1, 7), (4, 2)] {
        let values = Values::of_board(rows, cols);
        let board = board(rows as u32, cols as u32);
        for _ in 0..8_000 {
            let drawn = random.below(values.len());
            let p = Position::from_mask(board, drawn as u64).unwrap();
            let mut solver = solver(&p);
            assert_eq!(exact(solver.value(&GO_ON)), values.at(drawn), "{p:?}\n{p:#}");
            checked += 1;
            for m in solver.move_values(&GO_ON) {
                let next = values.at(drawn | 1 << m.edge.index());
                let closed = p.closes(m.edge) as i16;
                let expected = if closed > 0 { closed + next } else { -next };
                assert_eq!(exact(m.outcome), expected, "{p:?}: edge {}\n{p:#}", m.edge);
                checked += 1;
            }
        }
    }
    assert!(checked >= 200_000, "{checked}");
}

/// Every position of the smallest boards.
#[test]
fn every_position_of_the_smallest_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)] {
        let values = Values::of_board(rows, cols);
        for mask in 0..values.len() {
            let p = Position::from_mask(board(rows as u32, cols as u32), mask as u64).unwrap();
            assert_eq!(value(&p), values.at(mask), "{p:?}\n{p:#}");
        }
    }
}

/// What each move is worth, which moves are best, and a line of best play, all by one solver.
#[test]
fn every_answer_about_a_position() {
    let mut random = Random::new(11);
    for (rows, cols) in [(2, 3), (3, 3), (4, 2)] {
        let values = Values::of_board(rows, cols);
        let board = board(rows as u32, cols as u32);
        let at = |p: &Position| values.at(p.drawn().low_mask() as usize);
        let worth = |p: &Position, e| {
            let (next, closed) = p.after(e);
            if closed > 0 { closed as i16 + at(&next) } else { -at(&next) }
        };
        // As many of every filling, from one free edge to the empty board.
        for i in 0..12 * board.edges() {
            let free = i / 12 + 1;
            let p = if i % 2 == 0 {
                with_free(&mut random, board, free)
            } else {
                after_safe_play(&mut random, board, free)
            };
            let mut solver = solver(&p);
            let found = exact(solver.value(&GO_ON));
            assert_eq!(found, at(&p), "{p:?}");

            let moves = solver.move_values(&GO_ON);
            assert!(moves.iter().map(|m| m.edge).eq(p.free_edges()), "{p:?}");
            for m in &moves {
                assert_eq!(exact(m.outcome), worth(&p, m.edge), "{p:?}: edge {}", m.edge);
            }

            let best: Vec<_> = p.free_edges().filter(|&e| worth(&p, e) == found).collect();
            assert_eq!(solver.best_moves(Boxes(found), &GO_ON), Some(best), "{p:?}");

            // Each move of the line is a best one, to the last edge of the board.
            let line = solver.principal_variation(Boxes(found), &GO_ON);
            assert_eq!(line.len(), p.free_count(), "{p:?}");
            let mut q = p;
            for e in line {
                assert_eq!(worth(&q, e), at(&q), "{p:?}: edge {e}");
                q = q.after(e).0;
            }
        }
    }
}

/// Larger boards with little left, where chains, loops and joints meet.
#[test]
fn positions_of_larger_boards_with_little_left() {
    let mut random = Random::new(12);
    for (rows, cols) in [(3, 4), (4, 4), (5, 3), (2, 8), (5, 5), (6, 6), (1, 20), (9, 9), (32, 32)] {
        let board = board(rows, cols);
        for i in 0..150 {
            let free = random.between(6, 15);
            let p = if i % 3 == 0 || rows > 6 {
                with_free(&mut random, board, free)
            } else {
                after_safe_play(&mut random, board, free)
            };
            let expected = Values::below(rows as usize, cols as usize, &p.to_string()).start();
            assert_eq!(value(&p), expected, "{p:?}\n{p:#}");
        }
    }
}

/// Positions after safe play with 18 free edges: joints, short and long runs, isolated and attached, all at
/// once. Each solved together with all its moves.
#[test]
fn positions_after_safe_play_with_18_free_edges() {
    let mut random = Random::new(13);
    for (rows, cols) in [(3, 4), (4, 3), (4, 4), (2, 6), (3, 5)] {
        for _ in 0..40 {
            let p = after_safe_play(&mut random, board(rows, cols), 18);
            let values = Values::below(rows as usize, cols as usize, &p.to_string());
            let mut solver = solver(&p);
            assert_eq!(exact(solver.value(&GO_ON)), values.start(), "{p:?}\n{p:#}");
            for (i, m) in solver.move_values(&GO_ON).iter().enumerate() {
                let closed = p.closes(m.edge) as i16;
                let next = values.at(1 << i);
                let expected = if closed > 0 { closed + next } else { -next };
                assert_eq!(exact(m.outcome), expected, "{p:?}: edge {}\n{p:#}", m.edge);
            }
        }
    }
}

/// Quiet positions in which a joint lies beside isolated chains short and long: there the shortest chain alone is
/// not enough.
#[test]
fn positions_with_a_joint_beside_short_and_long_chains() {
    let mut random = Random::new(14);
    let mut found = 0;
    while found < 200 {
        let (rows, cols) = random.pick(&[(3, 4), (4, 4), (3, 5)]).unwrap();
        let free = random.between(14, 18);
        let p = after_safe_play(&mut random, board(rows, cols), free);
        let structure = Structure::of(&p);
        let set = structure.isolated();
        let both =
            set.chains().first().is_some_and(|&n| n < 3) && set.chains().last().is_some_and(|&n| n > 2);
        if !both || structure.joints.is_empty() || !p.is_quiet() || p.free_count() > 18 {
            continue;
        }
        let expected = Values::below(rows as usize, cols as usize, &p.to_string()).start();
        assert_eq!(value(&p), expected, "{p:?}\n{p:#}");
        found += 1;
    }
}
