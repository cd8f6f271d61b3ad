//! Positions and puzzles transcribed from other programs, through the one door, with tables and without.

use crate::{WITH_TABLES, WITHOUT, position, solve, value};

#[test]
fn positions_and_puzzles() {
    for oracle in [&*WITH_TABLES, &*WITHOUT] {
        for fact in facts::positions() {
            let solution = solve(oracle, &position(fact.rows, fact.cols, &fact.edges));
            assert_eq!(value(&solution), fact.value, "{}", fact.name);
            let best: Vec<usize> = solution.best_moves.iter().map(|e| e.index()).collect();
            assert_eq!(best, fact.best, "{}", fact.name);
            let moves: Vec<(usize, i16)> = solution
                .move_values
                .iter()
                .map(|m| (m.edge.index(), m.outcome.exact().unwrap().get()))
                .collect();
            assert_eq!(moves, fact.moves, "{}", fact.name);
        }
        for fact in facts::puzzles() {
            let solution = solve(oracle, &position(fact.rows, fact.cols, &fact.edges));
            assert_eq!(value(&solution), fact.value, "puzzle {}", fact.id);
            let best: Vec<usize> = solution.best_moves.iter().map(|e| e.index()).collect();
            assert_eq!(best, fact.best, "puzzle {}", fact.id);
        }
    }
}
