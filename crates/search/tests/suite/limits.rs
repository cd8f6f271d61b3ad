//! Budgets, cancelling, threads, small tables, and what is too large: bounds are proven, answers never change.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use facts::{Random, Values};
use game::{Boxes, Edge, Position};
use search::{Budget, Config, MAX_FREE, Outcome, SearchError, Solver};

use crate::{ALONE, GO_ON, after_safe_play, board, exact, value, with_free};

/// With a budget of a few nodes the bounds still hold the value, of the position and of every move.
#[test]
fn bounds_hold_the_value() {
    let mut random = Random::new(30);
    let board = board(3, 3);
    let values = Values::of_board(3, 3);
    let at = |p: &Position| values.at(p.drawn().low_mask() as usize);
    let (mut open, mut proven) = (0, 0);
    for i in 0..600 {
        let free = random.between(8, 22);
        let p = with_free(&mut random, board, free);
        let nodes = Some([0, 1, 10, 100, 1_000, 10_000][i % 6]);
        let mut solver = Solver::new(&p, ALONE).unwrap();
        let mut ask = |outcome: Outcome, expected: i16| match outcome {
            Outcome::Exact(found) => {
                assert_eq!(found.get(), expected, "{p:?}");
                proven += 1;
            }
            Outcome::Bounds { lower, upper } => {
                assert!(lower.get() <= expected && expected <= upper.get(), "{p:?}: {expected} in {outcome}");
                assert!(lower < upper, "{p:?}: {outcome}");
                open += 1;
            }
        };
        solver.start(Budget { nodes, time: None });
        ask(solver.value(&GO_ON), at(&p));
        solver.start(Budget { nodes, time: None });
        for m in solver.move_values(&GO_ON) {
            let (next, closed) = p.after(m.edge);
            ask(m.outcome, if closed > 0 { closed as i16 + at(&next) } else { -at(&next) });
        }
        // All the best moves, or none are named.
        solver.start(Budget { nodes, time: None });
        if let Some(best) = solver.best_moves(Boxes(at(&p)), &GO_ON) {
            let all: Vec<Edge> = p
                .free_edges()
                .filter(|&e| {
                    let (next, closed) = p.after(e);
                    at(&p) == if closed > 0 { closed as i16 + at(&next) } else { -at(&next) }
                })
                .collect();
            assert_eq!(best, all, "{p:?}");
        }
    }
    assert!(open > 100 && proven > 100, "{open} open, {proven} proven");
}

/// A solver whose budget ran out goes on from what it has proven.
#[test]
fn a_new_budget_goes_on() {
    let empty = Position::empty(board(3, 3));
    let mut solver = Solver::new(&empty, ALONE).unwrap();
    solver.start(Budget { nodes: Some(100), time: None });
    assert!(matches!(solver.value(&GO_ON), Outcome::Bounds { .. }));
    solver.start(Budget::UNLIMITED);
    assert_eq!(exact(solver.value(&GO_ON)), -3);
}

/// A flag that is set ends the search at once, with bounds; no time at all does the same.
#[test]
fn cancelled_searches_and_no_time_give_bounds() {
    let empty = Position::empty(board(5, 5));
    let cancelled = AtomicBool::new(true);
    let mut solver = Solver::new(&empty, ALONE).unwrap();
    solver.start(Budget::UNLIMITED);
    for outcome in [solver.value(&cancelled), {
        solver.start(Budget { nodes: None, time: Some(Duration::ZERO) });
        solver.value(&GO_ON)
    }] {
        let Outcome::Bounds { lower, upper } = outcome else { panic!("{outcome}") };
        assert!(lower >= Boxes(-25) && upper <= Boxes(25), "{outcome}");
    }
    assert!(solver.stats().elapsed < Duration::from_secs(2));
}

/// Threads and table size change how long a search takes, never what it finds.
#[test]
fn threads_and_tables_change_nothing() {
    let mut random = Random::new(31);
    for _ in 0..12 {
        let p = after_safe_play(&mut random, board(4, 4), 26);
        let expected = value(&p);
        for (threads, table_bytes) in [(1, 0), (1, 4 << 10), (2, 1 << 20), (4, 64 << 20)] {
            let mut solver = Solver::new(&p, Config { threads, table_bytes }).unwrap();
            solver.start(Budget::UNLIMITED);
            assert_eq!(
                exact(solver.value(&GO_ON)),
                expected,
                "{threads} threads, {table_bytes} bytes: {p:?}"
            );
        }
    }
}

/// One thread visits the same nodes every time.
#[test]
fn one_thread_is_repeatable() {
    let mut random = Random::new(32);
    let p = after_safe_play(&mut random, board(4, 4), 26);
    let visits = || {
        let mut solver = Solver::new(&p, ALONE).unwrap();
        solver.start(Budget::UNLIMITED);
        let found = exact(solver.value(&GO_ON));
        (found, solver.stats().nodes)
    };
    assert_eq!(visits(), visits());
}

#[test]
fn too_many_free_edges_are_refused() {
    assert_eq!(MAX_FREE, 128);
    for (rows, cols, free) in [(8, 8, 144), (32, 32, 2112)] {
        let error = Solver::new(&Position::empty(board(rows, cols)), ALONE).unwrap_err();
        assert_eq!(error, SearchError::TooManyFreeEdges { free, limit: 128 });
        assert!(error.to_string().contains(&free.to_string()) && error.to_string().contains("128"));
    }
    // Just enough, and one edge too many: 8x8 with the top and the bottom border drawn, which leaves no chain.
    let board = board(8, 8);
    let borders = (0..8).flat_map(|i| [board.h(0, i), board.h(8, i)]);
    let mut solver = Solver::new(&Position::with_drawn(board, borders.clone()), ALONE).unwrap();
    solver.start(Budget { nodes: Some(1_000), time: None });
    assert!(matches!(solver.value(&GO_ON), Outcome::Bounds { .. }));
    assert_eq!(
        Solver::new(&Position::with_drawn(board, borders.skip(1)), ALONE).unwrap_err(),
        SearchError::TooManyFreeEdges { free: 129, limit: 128 }
    );
}

/// Isolated chains and loops do not count against the limit, and neither do boxes on offer.
#[test]
fn isolated_chains_and_loops_do_not_count() {
    // 32 corridors of 32 boxes: 1,056 free edges, worth 28 * 31 + 32 boxes to the player who need not open one.
    let large = board(32, 32);
    let corridors = Position::with_drawn(large, large.all_edges().filter(|&e| large.locate(e).0));
    assert_eq!(corridors.free_count(), 32 * 33);
    assert_eq!(value(&corridors), -(28 * 31 + 32));
    // The same with every corridor opened at its left: all is on offer, and taken but for two boxes a corridor.
    let opened = Position::with_drawn(
        large,
        large.all_edges().filter(|&e| large.locate(e).0 || large.locate(e).2 == 0),
    );
    assert_eq!(value(&opened), 1024);
}

/// A budget of no nodes visits none, and a small one not many more than it says.
#[test]
fn small_budgets_are_kept() {
    for nodes in [0, 1, 10, 500] {
        let mut solver = Solver::new(&Position::empty(board(4, 4)), ALONE).unwrap();
        solver.start(Budget { nodes: Some(nodes), time: None });
        let bounds = solver.value(&GO_ON);
        assert!(matches!(bounds, Outcome::Bounds { .. }), "{bounds:?}");
        assert_eq!(solver.stats().nodes, nodes);
    }
}

/// The nodes of one thread, as a fingerprint: a change of the search that should change nothing must leave them as they are,
/// and one that should help has its figures here.
#[test]
fn nodes_of_one_thread() {
    for (rows, cols, expected) in [(3, 3, 20_314), (2, 5, 77_427), (3, 4, 456_854)] {
        let mut solver = Solver::new(&Position::empty(board(rows, cols)), ALONE).unwrap();
        solver.start(Budget::UNLIMITED);
        solver.value(&GO_ON);
        assert_eq!(solver.stats().nodes, expected, "{rows}x{cols}");
    }
}
