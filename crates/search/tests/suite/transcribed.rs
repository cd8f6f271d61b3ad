//! Positions, puzzles and move values transcribed from other programs.

use game::Boxes;

use crate::{GO_ON, exact, position, solver};

/// All 29 positions: the value, the value of every move, and exactly the best moves.
#[test]
fn positions_with_the_value_of_every_move() {
    let positions = facts::positions();
    assert_eq!(positions.len(), 29);
    for fact in positions {
        let p = position(fact.rows, fact.cols, &fact.edges);
        let mut solver = solver(&p);
        assert_eq!(exact(solver.value(&GO_ON)), fact.value, "{}\n{p:#}", fact.name);
        let best = solver.best_moves(Boxes(fact.value), &GO_ON).unwrap();
        assert_eq!(best.iter().map(|e| e.index()).collect::<Vec<_>>(), fact.best, "{}\n{p:#}", fact.name);
        let moves: Vec<(usize, i16)> =
            solver.move_values(&GO_ON).iter().map(|m| (m.edge.index(), exact(m.outcome))).collect();
        assert_eq!(moves, fact.moves, "{}\n{p:#}", fact.name);
    }
}

/// All 19 puzzles: the value over the rest, the final margin, and exactly the best moves.
#[test]
fn puzzles_with_every_best_move() {
    let puzzles = facts::puzzles();
    assert_eq!(puzzles.len(), 19);
    for fact in puzzles {
        let p = position(fact.rows, fact.cols, &fact.edges);
        let mut solver = solver(&p);
        let value = exact(solver.value(&GO_ON));
        assert_eq!(value, fact.value, "puzzle {}\n{p:#}", fact.id);
        let lead = fact.score[fact.to_move] - fact.score[1 - fact.to_move];
        assert_eq!(lead + value, fact.final_margin, "puzzle {}", fact.id);
        let best = solver.best_moves(Boxes(value), &GO_ON).unwrap();
        assert_eq!(
            best.iter().map(|e| e.index()).collect::<Vec<_>>(),
            fact.best,
            "puzzle {}\n{p:#}",
            fact.id
        );
    }
}
