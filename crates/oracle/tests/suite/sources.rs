//! Who answers: a table where one covers the question, else the theory where nothing but chains and loops is
//! left, else a search. And what happens when the budget ends or a position is too large.

use std::sync::atomic::AtomicBool;

use endgame::Structure;
use game::{Boxes, Position};
use oracle::{Budget, Outcome, Question, SearchError, Source};

use crate::{GO_ON, WITH_TABLES, WITHOUT, board, position, solve, value};

/// From end to end: a 4x4 board goes through its structure to a multiset, the multiset to its value, the board to
/// its solution, and all three say 8.
///
/// ```text
/// +   +---+---+---+
/// | 9   9   9   9 |
/// +---+---+---+   +
/// | 9   9   9   9 |
/// +   +---+---+---+
///   9 | 5   5   5
/// +---+   +---+---+
/// | 5   5 | 2   2
/// +   +---+   +---+
/// ```
#[test]
fn chains_of_9_5_and_2_on_4x4() {
    let edges = ["0111", "1110", "0111", "1011", "0101", "10001", "10001", "01000", "10100"].concat();
    let p = position(4, 4, &edges);
    let structure = Structure::of(&p);
    let lengths: Vec<usize> = structure.chains.iter().map(|run| run.boxes.len()).collect();
    assert_eq!(lengths, [9, 5, 2]);
    let set = structure.decomposed().unwrap();
    assert_eq!(set, endgame::Multiset::new(&[9, 5, 2], &[]).unwrap());

    for oracle in [&*WITH_TABLES, &*WITHOUT] {
        assert_eq!(oracle.endgame_value(&set).value, Boxes(8));
        let solution = solve(oracle, &p);
        assert_eq!((value(&solution), solution.source), (8, Source::Endgame));
        // Best is to open the 2-chain in its middle: hard-hearted, so that it cannot be declined.
        assert_eq!(solution.best_moves, [p.board().v(3, 3)]);
    }
    // 16 boxes are within the table of 20, and without it the closed form answers.
    assert_eq!(WITH_TABLES.endgame_value(&set).source.to_string(), "table endgame-20");
    assert_eq!(WITHOUT.endgame_value(&set).source, Source::Endgame);
}

#[test]
fn the_source_of_every_kind_of_position() {
    let source = |p: &Position| WITH_TABLES.solve(p, &Question::default(), &GO_ON).unwrap().source;
    // A table covers 3x3, empty or chains only.
    assert_eq!(source(&Position::empty(board(3, 3))).to_string(), "table board-3x3");
    // No table for 2x4: search from the empty board.
    assert_eq!(source(&Position::empty(board(2, 4))), Source::Search);
    // A corridor of eight boxes on 1x8 is a chain.
    let row = board(1, 8);
    let corridor = Position::with_drawn(row, row.all_edges().filter(|&e| row.locate(e).0));
    assert_eq!(source(&corridor), Source::Endgame);
    // Once it is opened, too.
    assert_eq!(source(&corridor.after(row.v(0, 0)).0), Source::Endgame);
}

/// Exact with no nodes to spend where no search is needed.
#[test]
fn tables_and_theory_cost_nothing() {
    let nothing = Budget { nodes: Some(0), time: None };
    let question = Question { all_moves: true, principal_variation: true, budget: nothing };
    let empty = Position::empty(board(3, 3));
    let s = WITH_TABLES.solve(&empty, &question, &GO_ON).unwrap();
    assert_eq!((value(&s), s.stats.nodes, s.move_values.len()), (-3, 0, 24));
    assert_eq!(s.principal_variation.len(), 24);

    let row = board(1, 8);
    let corridor = Position::with_drawn(row, row.all_edges().filter(|&e| row.locate(e).0));
    let s = WITHOUT.solve(&corridor, &question, &GO_ON).unwrap();
    assert_eq!((value(&s), s.stats.nodes), (-8, 0));
    assert_eq!(s.best_moves.len(), 9);
}

/// A flag that is set, or no nodes: bounds that hold the value, no moves named, every move with bounds of its own.
#[test]
fn without_a_budget_there_are_bounds() {
    let empty = Position::empty(board(3, 4));
    let cancelled = AtomicBool::new(true);
    let none = Budget { nodes: Some(0), time: None };
    for (budget, cancel) in [(Budget { nodes: None, time: None }, &cancelled), (none, &GO_ON)] {
        let question = Question { all_moves: true, principal_variation: true, budget };
        let s = WITHOUT.solve(&empty, &question, cancel).unwrap();
        let Outcome::Bounds { lower, upper } = s.outcome else { panic!("{}", s.outcome) };
        // 3x4 is worth 0.
        assert!(lower <= Boxes(0) && Boxes(0) <= upper);
        assert!(s.best_moves.is_empty() && s.principal_variation.is_empty());
        assert!(s.move_values.iter().map(|m| m.edge).eq(empty.free_edges()));
    }
}

#[test]
fn too_large_a_position_is_refused() {
    let empty = Position::empty(board(8, 8));
    let error = WITH_TABLES.solve(&empty, &Question::default(), &GO_ON).unwrap_err();
    assert_eq!(error, SearchError::TooManyFreeEdges { free: 144, limit: 128 });
}
