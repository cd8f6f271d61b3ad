//! What is left of a large board, on a small one.

#![allow(clippy::unwrap_used)] // helpers of tests

#[allow(dead_code, reason = "shared with tests that read files")]
mod common;

use common::{board, values};
use game::{Board, Boxes, Edge, Position, Symmetry};
use tables::Fit;

/// A few numbers, always the same.
fn numbers(count: usize) -> impl Iterator<Item = u64> {
    let step =
        |x: &u64| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(3), step).skip(1).map(|x| x >> 11).take(count)
}

/// The value, straight from the rules.
fn value(p: &Position) -> Boxes {
    let moves = p.free_edges().map(|e| match p.after(e) {
        (next, 0) => -value(&next),
        (next, closed) => Boxes(closed as i16) + value(&next),
    });
    moves.max().unwrap_or_default()
}

/// Every edge drawn but these.
fn only(board: Board, free: &[Edge]) -> Position {
    Position::with_drawn(board, board.all_edges().filter(|e| !free.contains(e)))
}

#[test]
fn a_fit_has_the_same_value_move_by_move() {
    let onto = board(2, 2);
    let known = values(onto);
    let mut fitted = 0;
    for (rows, cols) in [(3, 3), (2, 4), (4, 2), (1, 6), (5, 5), (2, 2)] {
        let from = board(rows, cols);
        for number in numbers(3_000) {
            // At most six free edges, so that the rules alone can tell the value.
            let free: Vec<Edge> = (0..6)
                .filter_map(|i| from.edge((number >> (7 * i)) as usize % 128 % from.edges()))
                .take(1 + number as usize % 6)
                .collect();
            let position = only(from, &free);
            let Some(fit) = Fit::of(&position, onto) else { continue };
            fitted += 1;
            let of = |p: &Position| known[p.drawn().low_mask() as usize];
            assert_eq!(of(&fit.position), value(&position), "{position}");
            assert_eq!(fit.position.free_count(), position.free_count());
            let mut seen = Vec::new();
            for there in fit.position.free_edges() {
                let here = fit.edge(there).unwrap();
                seen.push(here);
                let ((next, closed), (same, as_many)) = (position.after(here), fit.position.after(there));
                assert_eq!((closed, value(&next)), (as_many, of(&same)), "{position} {here:?}");
            }
            seen.sort_unstable();
            assert_eq!(seen, position.free_edges().collect::<Vec<_>>());
            assert!(fit.edge(onto.edge(0).unwrap()).is_none() || fit.position.is_free(onto.edge(0).unwrap()));
        }
    }
    assert!(fitted > 2_000, "{fitted}");
}

#[test]
fn a_board_fits_on_itself_turned_and_on_no_smaller_one() {
    let empty = Position::empty(board(2, 3));
    let fit = Fit::of(&empty, board(3, 2)).unwrap();
    assert_eq!(fit.position, Position::empty(board(3, 2)));
    for (rows, cols) in [(2, 2), (1, 6), (1, 1), (4, 4), (3, 3)] {
        assert_eq!(Fit::of(&empty, board(rows, cols)), None, "its ground is on four sides, {rows}x{cols}");
    }
}

#[test]
fn edges_to_the_ground_stay_edges_to_the_ground() {
    // A 2-chain along the top of 3x3 with its ends on the ground above, and one around the corner.
    let three = board(3, 3);
    let straight = only(three, &[three.h(0, 0), three.v(0, 1), three.h(0, 1)]);
    let fit = Fit::of(&straight, board(1, 2)).unwrap();
    assert_eq!(fit.position.free_count(), 3);
    assert!(fit.position.is_free(board(1, 2).v(0, 1)));
    // A chain that ends in the middle of the board cannot be: but a joint can, and wants its three neighbours.
    let joint = only(
        three,
        &[three.h(1, 1), three.v(1, 1), three.v(1, 2), three.h(0, 1), three.v(1, 0), three.v(1, 3)],
    );
    assert_eq!(Fit::of(&joint, board(1, 3)), None);
    assert!(Fit::of(&joint, board(2, 3)).is_some());
}

#[test]
fn regions_are_moved_one_by_one() {
    // Four chains of one box in the corners of 5x5 all fit on 2x2; with one more they do not.
    let five = board(5, 5);
    let corner = |r: usize, c: usize, top: usize, side: usize| [five.h(top, c), five.v(r, side)];
    let mut free = [corner(0, 0, 0, 0), corner(0, 4, 0, 5), corner(4, 0, 5, 0), corner(4, 4, 5, 5)].concat();
    let four = only(five, &free);
    let fit = Fit::of(&four, board(2, 2)).unwrap();
    assert_eq!((fit.position.boxes_left(), fit.position.free_count()), (4, 8));
    free.extend([five.h(0, 2), five.v(0, 2), five.v(0, 3)]);
    assert_eq!(Fit::of(&only(five, &free), board(2, 2)), None);
}

#[test]
fn many_regions_are_given_up_on_before_long() {
    // 1-chains all round a 32x32 board, and halves of them: far more than any small board has ground for.
    let large = board(32, 32);
    let ring = large.all_boxes().filter(|&b| {
        let (r, c) = large.place(b);
        (r == 0 || c == 0) && (r + c) % 2 == 0
    });
    let free: Vec<Edge> = ring.flat_map(|b| large.sides(b)).collect();
    let started = std::time::Instant::now();
    assert_eq!(Fit::of(&only(large, &free), board(4, 4)), None);
    // Sixteen regions on sixteen boxes, ten of which are away from the ground.
    let few: Vec<Edge> = (0..16).map(|c| large.h(0, 2 * c)).collect();
    assert_eq!(Fit::of(&only(large, &few), board(4, 4)), None);
    assert!(started.elapsed().as_secs() < 5);
    let images = Symmetry::of(large).count();
    assert_eq!(images, 8);
}
