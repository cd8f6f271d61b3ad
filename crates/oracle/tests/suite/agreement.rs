//! With tables and without, an answer is the same in everything but its source and its cost.

use facts::{Random, Values};
use game::{Boxes, Edge, Position, Symmetry};
use oracle::{Outcome, Question, Solution, Source};
use tables::TableId;

use crate::{GO_ON, WITH_TABLES, WITHOUT, board, solve, value};

/// Every part of an answer but its source and cost, the line of play by what it is worth.
fn answers(s: &Solution) -> (Outcome, Vec<Edge>, Vec<(Edge, Outcome)>) {
    (s.outcome, s.best_moves.clone(), s.move_values.iter().map(|m| (m.edge, m.outcome)).collect())
}

/// A line goes to the last edge and brings what the answer says.
fn check_line(p: &Position, s: &Solution) {
    let (mut q, mut sign, mut net) = (*p, 1, 0);
    for &e in &s.principal_variation {
        assert!(q.is_free(e), "{p:?}");
        let (next, closed) = q.after(e);
        net += sign * closed as i16;
        if closed == 0 {
            sign = -sign;
        }
        q = next;
    }
    assert_eq!(q.free_count(), 0, "{p:?}: {:?}", s.principal_variation);
    assert_eq!(net, value(s), "{p:?}: {:?}", s.principal_variation);
}

/// Random positions of the boards that have tables, in both orientations, mid-capture too, against the plain
/// enumeration.
#[test]
fn tables_and_search_say_the_same() {
    let mut random = Random::new(40);
    for (rows, cols, table) in [
        (2, 3, "board-2x3"),
        (3, 2, "board-2x3"),
        (3, 3, "board-3x3"),
        (1, 5, "board-1x5"),
        (5, 1, "board-1x5"),
    ] {
        let values = Values::of_board(rows, cols);
        for _ in 0..200 {
            let drawn = random.below(values.len());
            let p = Position::from_mask(board(rows as u32, cols as u32), drawn as u64).unwrap();
            let (by_table, by_search) = (solve(&WITH_TABLES, &p), solve(&WITHOUT, &p));
            assert_eq!(value(&by_table), values.at(drawn), "{p:?}");
            assert_eq!(answers(&by_table), answers(&by_search), "{p:?}");
            assert_eq!(by_table.source, Source::Table(table.parse::<TableId>().unwrap()));
            assert_eq!(by_search.source.table(), None);
            check_line(&p, &by_table);
            check_line(&p, &by_search);
        }
    }
}

/// All eight images of a position, all from one table.
#[test]
fn a_table_answers_every_image() {
    let mut random = Random::new(41);
    for (rows, cols) in [(2, 3), (3, 3)] {
        let board = board(rows, cols);
        for _ in 0..100 {
            let drawn = random.below(1 << board.edges()) as u64;
            let p = Position::from_mask(board, drawn).unwrap();
            let first = solve(&WITH_TABLES, &p);
            for s in Symmetry::all() {
                let image = solve(&WITH_TABLES, &s.position(&p));
                assert_eq!((image.outcome, image.source), (first.outcome, first.source), "{p:?}");
                let mut turned: Vec<Edge> = first.best_moves.iter().map(|&e| s.edge(board, e)).collect();
                turned.sort_unstable();
                assert_eq!(image.best_moves, turned, "{p:?}");
            }
        }
    }
}

/// A finished game is worth nothing and has no moves, whoever is asked.
#[test]
fn a_finished_game() {
    for (rows, cols) in [(1, 1), (2, 2), (3, 3), (4, 4), (32, 32)] {
        let board = board(rows, cols);
        let p = Position::with_drawn(board, board.all_edges());
        for oracle in [&*WITH_TABLES, &*WITHOUT] {
            let s = solve(oracle, &p);
            assert_eq!(s.outcome, Outcome::Exact(Boxes::ZERO));
            assert!(s.best_moves.is_empty() && s.move_values.is_empty() && s.principal_variation.is_empty());
        }
    }
}

/// What was not asked is not answered.
#[test]
fn only_what_was_asked() {
    let p = Position::empty(board(2, 3));
    for oracle in [&*WITH_TABLES, &*WITHOUT] {
        let s = oracle.solve(&p, &Question::default(), &GO_ON).unwrap();
        assert_eq!(value(&s), -2);
        assert!(!s.best_moves.is_empty());
        assert!(s.move_values.is_empty() && s.principal_variation.is_empty());
    }
}
