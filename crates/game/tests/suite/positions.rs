//! Positions: what they say about their boxes, and the three ways to write them.

use std::collections::BTreeSet;

use game::{Board, EdgeSet, Edges, Position, Setup};
use proptest::prelude::*;

use crate::{cases, games, games_cut, naive};

proptest! {
    #![proptest_config(cases(400))]

    /// Free sides, closed boxes, boxes left, quiet, and what each edge would close, against a plain count.
    #[test]
    fn boxes_are_counted_right((board, moves, cut) in games_cut()) {
        let position = Position::with_drawn(board, moves[..cut].iter().copied());
        let text = position.to_string();
        let counts = naive::sides_drawn(board.rows(), board.cols(), &text);
        for b in board.all_boxes() {
            prop_assert_eq!(position.free_sides(b), 4 - counts[b.index()]);
        }
        let closed = counts.iter().filter(|&&n| n == 4).count();
        prop_assert_eq!((position.closed_boxes(), position.boxes_left()), (closed, counts.len() - closed));
        prop_assert_eq!(position.is_quiet(), !counts.contains(&3));
        prop_assert_eq!(position.free_count(), board.edges() - cut);
        let free: Vec<_> = position.free_edges().collect();
        prop_assert!(free.is_sorted());
        prop_assert_eq!(
            free.iter().copied().collect::<BTreeSet<_>>(),
            moves[cut..].iter().copied().collect::<BTreeSet<_>>()
        );
    }

    /// `closes`, `draw` and `after` agree with the count before and after; drawing twice changes nothing.
    #[test]
    fn drawing_closes_what_it_says((board, moves, cut) in games_cut()) {
        prop_assume!(cut < moves.len());
        let position = Position::with_drawn(board, moves[..cut].iter().copied());
        let e = moves[cut];
        let (mut next, closed) = position.after(e);
        prop_assert_eq!(closed, next.closed_boxes() - position.closed_boxes());
        prop_assert_eq!(closed, position.closes(e));
        prop_assert_eq!(next, Position::with_drawn(board, moves[..=cut].iter().copied()));
        let drawn = next;
        prop_assert_eq!((next.closes(e), next.draw(e)), (0, 0));
        prop_assert_eq!(next, drawn);
        next.erase(e);
        prop_assert_eq!(next, position);
    }

    /// Text, bit set and numbers in any order are the same position.
    #[test]
    fn three_ways_to_write_a_position((board, moves, cut) in games_cut()) {
        let position = Position::with_drawn(board, moves[..cut].iter().copied());
        let mut bits = vec![0u8; board.edges().div_ceil(8)];
        for e in &moves[..cut] {
            bits[e.index() / 8] |= 1 << (e.index() % 8);
        }
        let numbers = moves[..cut].iter().map(|e| e.index() as u32).collect();
        for edges in [Edges::Text(position.to_string()), Edges::Bits(bits), Edges::Numbers(numbers)] {
            let setup = Setup { rows: board.rows() as u32, cols: board.cols() as u32, edges, score: None };
            prop_assert_eq!(setup.position().unwrap(), (position, None));
        }
    }

    /// A set of edges is a set: against the standard library's.
    #[test]
    fn edge_sets_are_sets((board, moves) in games(), out in any::<u64>()) {
        let (mut set, mut model) = (EdgeSet::EMPTY, BTreeSet::new());
        for (i, &e) in moves.iter().enumerate() {
            prop_assert_eq!(set.insert(e), model.insert(e));
            if out >> (i % 64) & 1 == 1 {
                let other = moves[i / 2];
                prop_assert_eq!(set.remove(other), model.remove(&other));
            }
            prop_assert_eq!((set.len(), set.is_empty()), (model.len(), model.is_empty()));
            prop_assert_eq!(set.contains(e), model.contains(&e));
        }
        prop_assert!(set.iter().eq(model.iter().copied()));
        prop_assert_eq!(EdgeSet::full(board).len(), board.edges());
    }
}

/// On every mask of the boards of up to 12 edges.
#[test]
fn masks_are_positions() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)] {
        let board = Board::new(rows, cols).unwrap();
        let edges = board.edges();
        for mask in 0..1u64 << edges {
            let position = Position::from_mask(board, mask).unwrap();
            assert_eq!(position.drawn().low_mask(), mask);
            let text: String = (0..edges).map(|i| if mask >> i & 1 == 1 { '1' } else { '0' }).collect();
            assert_eq!(position.to_string(), text);
        }
        assert_eq!(Position::from_mask(board, 1 << edges), None, "a bit beyond the last edge of {board}");
    }
}

#[test]
fn masks_end_at_64_edges() {
    // 1x21 has exactly 64 edges, 3x9 has 66.
    let board = Board::new(1, 21).unwrap();
    assert_eq!(Position::from_mask(board, u64::MAX).unwrap().free_count(), 0);
    assert_eq!(Position::from_mask(board, 0).unwrap().free_count(), 64);
    assert_eq!(Position::from_mask(Board::new(3, 9).unwrap(), 0), None);
}
