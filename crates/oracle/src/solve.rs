//! Exact answers about positions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use endgame::{Offer, Structure};
use game::{Boxes, Edge, Position};
use search::{
    Budget, MAX_FREE, MoveValue, Outcome, SearchError, Solver, Stats, Watch, best_line, search_edges,
};

use crate::{Oracle, Source};

/// With fewer free edges to search a search is faster than looking for a small board they fit on.
const FIT: usize = 24;

/// What is asked about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Question {
    /// The value of every move, too.
    pub all_moves: bool,
    /// A line of best play, too.
    pub principal_variation: bool,
    /// How much work it may cost.
    pub budget: Budget,
}

/// What is known about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Net boxes for the mover over the rest of the game.
    pub outcome: Outcome,
    /// Every move that reaches the value, ascending. Empty when the game is over, and when the budget ended
    /// before all of them were known.
    pub best_moves: Vec<Edge>,
    /// What each move is worth to the mover, ascending, when that was asked.
    pub move_values: Vec<MoveValue>,
    /// A line of best play from here to the last edge, or as far as the budget went, when that was asked.
    pub principal_variation: Vec<Edge>,
    /// Who says so.
    pub source: Source,
    /// What it cost.
    pub stats: Stats,
}

impl Oracle {
    /// The exact value of a position, or bounds when the budget ends or `cancel` is set.
    ///
    /// # Errors
    /// When too much of it is left to search.
    pub fn solve(
        &self,
        position: &Position,
        question: &Question,
        cancel: &AtomicBool,
    ) -> Result<Solution, SearchError> {
        self.solve_watched(position, question, cancel, Arc::default())
    }

    /// [`Oracle::solve`], while another thread watches how far a search has come.
    ///
    /// # Errors
    /// When too much of it is left to search.
    pub fn solve_watched(
        &self,
        position: &Position,
        question: &Question,
        cancel: &AtomicBool,
        watch: Arc<Watch>,
    ) -> Result<Solution, SearchError> {
        match self.look_up(position, question) {
            Some(solution) => Ok(solution),
            None => self.search(position, question, cancel, watch),
        }
    }

    /// The answer from a table, if one covers the board, or another that what is left fits on; the budget does not count.
    pub fn look_up(&self, position: &Position, question: &Question) -> Option<Solution> {
        let started = Instant::now();
        let mut solution = if self.tables().has(position.board()) {
            self.by_table(position, question)?
        } else {
            if !(FIT..=MAX_FREE).contains(&search_edges(position)) {
                return None;
            }
            let fit = self.tables().fit(position)?;
            let solution = self.by_table(&fit.position, question)?;
            // Every free edge there is one here.
            let here = |e: Edge| fit.edge(e).unwrap_or(e);
            let mut best_moves: Vec<Edge> = solution.best_moves.into_iter().map(here).collect();
            let moves = solution.move_values.into_iter();
            let mut move_values: Vec<MoveValue> =
                moves.map(|m| MoveValue { edge: here(m.edge), ..m }).collect();
            best_moves.sort_unstable();
            move_values.sort_unstable_by_key(|m| m.edge);
            let principal_variation = solution.principal_variation.into_iter().map(here).collect();
            Solution { best_moves, move_values, principal_variation, ..solution }
        };
        solution.stats.elapsed = started.elapsed();
        Some(solution)
    }

    /// The answer from the table of the board.
    fn by_table(&self, position: &Position, question: &Question) -> Option<Solution> {
        let (moves, table) = self.tables().moves(position)?;
        // The mover chooses; when the game is over there is nothing to choose, and nothing to win.
        let value = moves.iter().map(|&(_, worth)| worth).max().unwrap_or(Boxes::ZERO);
        let best_moves = moves.iter().filter(|&&(_, worth)| worth == value).map(|&(edge, _)| edge).collect();
        let principal_variation = if question.principal_variation {
            best_line(position, value, |p, edge, value| self.move_value(p, edge).is_some_and(|v| v >= value))
        } else {
            Vec::new()
        };
        let move_values = if question.all_moves { moves } else { Vec::new() };
        let exact = |(edge, worth)| MoveValue { edge, outcome: Outcome::Exact(worth) };
        Some(Solution {
            outcome: Outcome::Exact(value),
            best_moves,
            move_values: move_values.into_iter().map(exact).collect(),
            principal_variation,
            source: Source::Table(table),
            stats: Stats::default(),
        })
    }

    /// What a move is worth by table.
    fn move_value(&self, position: &Position, edge: Edge) -> Option<Boxes> {
        let (next, closed) = position.after(edge);
        Some(to_mover(closed, self.tables().board(&next)?.value))
    }

    /// The answer from the endgame theory, or from a search.
    fn search(
        &self,
        position: &Position,
        question: &Question,
        cancel: &AtomicBool,
        watch: Arc<Watch>,
    ) -> Result<Solution, SearchError> {
        let mut solver = Solver::new(position, self.config)?;
        solver.watched_by(watch);
        solver.start(question.budget);
        let outcome = solver.value(cancel);
        let move_values = if question.all_moves { solver.move_values(cancel) } else { Vec::new() };
        let best_moves = match outcome {
            Outcome::Bounds { .. } => None,
            Outcome::Exact(value) if question.all_moves => reaching(&move_values, value),
            Outcome::Exact(value) => solver.best_moves(value, cancel),
        }
        .unwrap_or_default();
        let principal_variation = match outcome {
            Outcome::Exact(value) if question.principal_variation => {
                solver.principal_variation(value, cancel)
            }
            _ => Vec::new(),
        };
        let theory = Structure::of(&Offer::of(position).rest).joints.is_empty();
        let source = if theory { Source::Endgame } else { Source::Search };
        Ok(Solution { outcome, best_moves, move_values, principal_variation, source, stats: solver.stats() })
    }
}

/// What a move is worth to the mover: it closes so many boxes, and leads to a position of this value.
fn to_mover(closed: usize, value: Boxes) -> Boxes {
    if closed > 0 { value + Boxes(closed as i16) } else { -value }
}

/// The moves that reach a value; `None` when that is not settled for one of them.
fn reaching(moves: &[MoveValue], value: Boxes) -> Option<Vec<Edge>> {
    let mut best = Vec::new();
    for m in moves {
        match m.outcome {
            Outcome::Exact(worth) if worth == value => best.push(m.edge),
            Outcome::Bounds { upper, .. } if upper >= value => return None,
            Outcome::Exact(_) | Outcome::Bounds { .. } => {}
        }
    }
    Some(best)
}
