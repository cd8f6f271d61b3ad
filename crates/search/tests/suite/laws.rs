//! The laws every value obeys, on boards too large to enumerate.

use facts::Random;
use game::{Boxes, Symmetry};

use crate::{GO_ON, after_safe_play, board, exact, solver, value};

/// Some positions of several boards, with at most so many free edges.
fn positions(seed: u64, most: usize, each: usize) -> Vec<game::Position> {
    let mut random = Random::new(seed);
    let mut all = Vec::new();
    for (rows, cols) in [(3, 4), (4, 4), (3, 6), (5, 5), (2, 9), (7, 4)] {
        for _ in 0..each {
            let free = random.between(10, most);
            all.push(after_safe_play(&mut random, board(rows, cols), free));
        }
    }
    all
}

/// A value has the parity of the boxes left and is never more than all of them.
#[test]
fn values_have_the_parity_of_the_boxes_left() {
    for p in positions(20, 24, 60) {
        let (left, value) = (p.boxes_left() as i16, value(&p));
        assert_eq!(value.rem_euclid(2), left.rem_euclid(2), "{p:?}");
        assert!(value.abs() <= left, "{p:?} is worth {value}");
    }
}

/// A board turned over is worth the same, and its best moves are the images of the best moves.
#[test]
fn symmetries_keep_the_value() {
    for p in positions(21, 22, 20) {
        let mut solver_ = solver(&p);
        let expected = exact(solver_.value(&GO_ON));
        let best = solver_.best_moves(Boxes(expected), &GO_ON).unwrap();
        for s in Symmetry::all() {
            let image = s.position(&p);
            let mut solver = solver(&image);
            assert_eq!(exact(solver.value(&GO_ON)), expected, "{p:?} and {image:?}");
            let mut turned: Vec<_> = best.iter().map(|&e| s.edge(p.board(), e)).collect();
            turned.sort_unstable();
            assert_eq!(solver.best_moves(Boxes(expected), &GO_ON), Some(turned), "{p:?} and {image:?}");
        }
    }
}

/// A value is the best over the moves one ply down, each solved on its own.
#[test]
fn values_are_the_best_over_the_moves() {
    for p in positions(22, 20, 25) {
        let best = p.free_edges().map(|e| {
            let (next, closed) = p.after(e);
            if closed > 0 { closed as i16 + value(&next) } else { -value(&next) }
        });
        assert_eq!(Some(value(&p)), best.max(), "{p:?}");
    }
}

/// The two outer edges of a corner box are interchangeable.
#[test]
fn corner_edges_are_interchangeable() {
    for p in positions(23, 24, 20) {
        let board = p.board();
        let (r, c) = (board.rows() - 1, board.cols() - 1);
        let corners = [
            (board.h(0, 0), board.v(0, 0)),
            (board.h(0, c), board.v(0, c + 1)),
            (board.h(r + 1, 0), board.v(r, 0)),
            (board.h(r + 1, c), board.v(r, c + 1)),
        ];
        for (x, y) in corners {
            if p.is_free(x) && p.is_free(y) {
                assert_eq!(value(&p.after(x).0), value(&p.after(y).0), "{p:?}: {x} or {y}");
            }
        }
    }
}
