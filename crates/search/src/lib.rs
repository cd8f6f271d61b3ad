//! The exact value of any position, within a budget.

mod bounds;
mod budget;
mod core;
mod engine;
mod heap;
mod line;
mod mask;
mod prove;
mod solver;
mod state;

pub use budget::{Budget, Watch};
pub use solver::{Config, MAX_FREE, MoveValue, Outcome, SearchError, Solver, Stats, best_line};
