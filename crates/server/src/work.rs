//! Checked requests whose answers can take long, as work to be done.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use game::{Position, Score};
use oracle::{Budget, Oracle, Outcome, Question, Solution, Watch};
use play::{Chooser, EndgameAdvice, Record, Review, Style, Verdict};
use proto::v1::evaluate_response::Answer;
use search::{MAX_FREE, search_edges};

use crate::convert::response;
use crate::refusal::Refusal;

/// A checked request, to be answered once there is a place for it, or at once when it is cheap. Equal work has equal
/// answers, so what two clients ask is done once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Work {
    pub(crate) ask: Ask,
    pub(crate) budget: Budget,
    /// When the answer must be begun to be given, with what is proven by then; for a client that wants bounds at its
    /// deadline rather than nothing.
    pub(crate) until: Option<Instant>,
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ask {
    Solve { position: Position, score: Option<Score>, all_moves: bool, principal_variation: bool },
    Move { position: Position, style: Style, seed: u64 },
    Advice { position: Position },
    Nimstring { position: Position },
    Review { record: Box<Record> },
}

/// An answer, and whether it is all that could be asked for: with a larger budget it would be the same.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Found {
    pub(crate) answer: Answer,
    pub(crate) complete: bool,
}

/// The edges of the largest board, 3x4, on which a line of play by table is cheap: on a larger one it is a thousand probes
/// of blocks that are not decoded yet.
const LARGEST_CHEAP_LINE: usize = 31;

/// The edges of the largest board whose chains and loops are cheap to open in every way.
const LARGEST_CHEAP_ENDGAME: usize = 64;

impl Work {
    /// The answer, if it takes so little that it is not worth a thread and should not wait for one: a table has the
    /// position, or a small board has come apart into chains and loops, or there is too much to search and the oracle says
    /// so.
    pub(crate) fn at_once(&self, oracle: &Oracle) -> Option<Result<Found, Refusal>> {
        let Ask::Solve { position, score, all_moves, principal_variation: line } = &self.ask else {
            return None;
        };
        let board = position.board();
        if oracle.tables().has(board) {
            if *line && board.edges() > LARGEST_CHEAP_LINE {
                return None;
            }
            let question =
                Question { all_moves: *all_moves, principal_variation: *line, budget: self.budget };
            let solution = oracle.look_up(position, &question)?;
            return Some(Ok(solved(solution, position, *score, &question)));
        }
        let cheap = match search_edges(position) {
            0 => !line && board.edges() <= LARGEST_CHEAP_ENDGAME,
            left => left > MAX_FREE,
        };
        cheap.then(|| self.run(oracle, &AtomicBool::new(false), Arc::default()))
    }

    /// Asks the oracle. When `cancel` is set the answer is what was proven by then. Another thread may watch a solve.
    pub(crate) fn run(
        &self,
        oracle: &Oracle,
        cancel: &AtomicBool,
        watch: Arc<Watch>,
    ) -> Result<Found, Refusal> {
        let budget = self.budget_now();
        let (answer, complete) = match &self.ask {
            Ask::Solve { position, score, all_moves, principal_variation } => {
                let question =
                    Question { all_moves: *all_moves, principal_variation: *principal_variation, budget };
                let solution = oracle
                    .solve_watched(position, &question, cancel, watch)
                    .map_err(|e| too_much(position, &e))?;
                return Ok(solved(solution, position, *score, &question));
            }
            Ask::Move { position, style, seed } => {
                let turn = Chooser::new(oracle, *style, *seed).within(budget, cancel).turn(position);
                let complete = turn.iter().all(|choice| choice.proven);
                (Answer::BestMove(response::best_move(&turn)), complete)
            }
            Ask::Advice { position } => {
                let advice = EndgameAdvice::on(oracle, position, budget, cancel)
                    .map_err(|e| too_much(position, &e))?;
                let complete = advice.verdict != Verdict::Unproven;
                (Answer::EndgameAdvice(response::endgame_advice(&advice)), complete)
            }
            Ask::Nimstring { position } => {
                let found = oracle.nimstring(position, budget, cancel).map_err(|e| too_much(position, &e))?;
                let complete = found.value.is_some() && found.moves.iter().all(|m| m.value.is_some());
                (Answer::Nimstring(response::nimstring(position, &found)), complete)
            }
            Ask::Review { record } => {
                let review = Review::of(oracle, record, budget, cancel);
                let complete = review.proven_from == 0;
                (Answer::ReviewGame(response::review_game(&review)), complete)
            }
        };
        Ok(Found { answer, complete })
    }

    /// The budget, cut down to what time is left.
    fn budget_now(&self) -> Budget {
        let Some(until) = self.until else { return self.budget };
        let left = until.saturating_duration_since(Instant::now());
        Budget { time: Some(self.budget.time.map_or(left, |time| time.min(left))), ..self.budget }
    }
}

/// The answer to a solve.
fn solved(solution: Solution, position: &Position, score: Option<Score>, question: &Question) -> Found {
    let complete = is_complete(position, question, &solution);
    let exhausted = (!complete).then_some(question.budget);
    Found { answer: Answer::ExactSolve(response::exact_solve(solution, score, exhausted)), complete }
}

/// Whether everything asked for is proven.
fn is_complete(position: &Position, question: &Question, solution: &Solution) -> bool {
    let over = position.free_count() == 0;
    let exact = |outcome: &Outcome| matches!(outcome, Outcome::Exact(_));
    let line = solution.principal_variation.len();
    exact(&solution.outcome)
        && (over || !solution.best_moves.is_empty())
        && solution.move_values.iter().all(|m| exact(&m.outcome))
        && (!question.principal_variation || line == position.free_count())
}

/// What a position is refused for that is too much to search.
fn too_much(position: &Position, error: &oracle::SearchError) -> Refusal {
    Refusal::Beyond { board: position.board(), rule: error.to_string() }
}
