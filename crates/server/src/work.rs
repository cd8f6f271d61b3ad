//! Checked requests whose answers can take long, as work to be done.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use game::{Position, Score};
use oracle::{Budget, Oracle, Outcome, Question, Solution, Watch};
use play::{Chooser, EndgameAdvice, Record, Review, Style};
use proto::v1;
use search::{MAX_FREE, search_edges};

use crate::convert::response;
use crate::refusal::{Refusal, Violation};

/// A checked request, to be answered once there is a thread for it, or at once when it is cheap.
pub(crate) trait Work: Send + 'static {
    /// The answer.
    type Reply: Send + 'static;

    /// Whether the answer takes so little that it is not worth a thread and should not wait for one.
    fn is_cheap(&self, _: &Oracle) -> bool {
        false
    }

    /// Asks the oracle. When `cancel` is set the answer is what was proven by then.
    fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> Result<Self::Reply, Refusal>;
}

/// A checked request for a solve.
#[derive(Debug)]
pub(crate) struct Solve {
    pub(crate) position: Position,
    pub(crate) score: Option<Score>,
    pub(crate) question: Question,
}

/// The edges of the largest board, 3x4, on which a line of play by table is cheap: on a larger one it is a thousand probes
/// of blocks that are not decoded yet.
const LARGEST_CHEAP_LINE: usize = 31;

/// The edges of the largest board whose chains and loops are cheap to open in every way.
const LARGEST_CHEAP_ENDGAME: usize = 64;

impl Work for Solve {
    type Reply = v1::ExactSolveResponse;

    /// When a table has the position, or a small board has come apart into chains and loops, or there is too much to search
    /// and the oracle will say so.
    fn is_cheap(&self, oracle: &Oracle) -> bool {
        let board = self.position.board();
        let line = self.question.principal_variation;
        if oracle.tables().has(board) && !(line && board.edges() > LARGEST_CHEAP_LINE) {
            return oracle.tables().board(&self.position).is_some();
        }
        match search_edges(&self.position) {
            0 => !line && board.edges() <= LARGEST_CHEAP_ENDGAME,
            left => left > MAX_FREE,
        }
    }

    fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> Result<v1::ExactSolveResponse, Refusal> {
        self.run_watched(oracle, cancel, Arc::default())
    }
}

impl Solve {
    /// Asks the oracle, while another thread watches.
    pub(crate) fn run_watched(
        &self,
        oracle: &Oracle,
        cancel: &AtomicBool,
        watch: Arc<Watch>,
    ) -> Result<v1::ExactSolveResponse, Refusal> {
        let solution =
            oracle.solve_watched(&self.position, &self.question, cancel, watch).map_err(too_much)?;
        let exhausted = (!self.is_complete(&solution)).then_some(self.question.budget);
        Ok(response::exact_solve(solution, self.score, exhausted))
    }

    /// Whether everything asked for is proven.
    fn is_complete(&self, solution: &Solution) -> bool {
        let over = self.position.free_count() == 0;
        let exact = |outcome: &Outcome| matches!(outcome, Outcome::Exact(_));
        let line = solution.principal_variation.len();
        exact(&solution.outcome)
            && (over || !solution.best_moves.is_empty())
            && solution.move_values.iter().all(|m| exact(&m.outcome))
            && (!self.question.principal_variation || line == self.position.free_count())
    }
}

/// What a position is refused for that is too much to search.
fn too_much(error: oracle::SearchError) -> Refusal {
    Violation::new("position", error.to_string()).into()
}

/// A checked request for a move.
#[derive(Debug)]
pub(crate) struct PlayerAt {
    pub(crate) position: Position,
    pub(crate) style: Style,
    pub(crate) seed: u64,
    pub(crate) budget: Budget,
}

impl Work for PlayerAt {
    type Reply = v1::BestMoveResponse;

    fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> Result<v1::BestMoveResponse, Refusal> {
        let chooser = Chooser::new(oracle, self.style, self.seed).within(self.budget, cancel);
        Ok(response::best_move(&chooser.turn(&self.position)))
    }
}

/// A checked request for advice.
#[derive(Debug)]
pub(crate) struct AdviceOn {
    pub(crate) position: Position,
    pub(crate) budget: Budget,
}

impl Work for AdviceOn {
    type Reply = v1::EndgameAdviceResponse;

    fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> Result<v1::EndgameAdviceResponse, Refusal> {
        let advice = EndgameAdvice::on(oracle, &self.position, self.budget, cancel).map_err(too_much)?;
        Ok(response::endgame_advice(&advice))
    }
}

/// A checked request for a position at nimstring.
#[derive(Debug)]
pub(crate) struct NimstringAt {
    pub(crate) position: Position,
    pub(crate) budget: Budget,
}

impl Work for NimstringAt {
    type Reply = v1::NimstringResponse;

    fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> Result<v1::NimstringResponse, Refusal> {
        let found = oracle.nimstring(&self.position, self.budget, cancel).map_err(too_much)?;
        Ok(response::nimstring(&self.position, &found))
    }
}

/// A checked record of a game.
#[derive(Debug)]
pub(crate) struct ReviewOf {
    pub(crate) record: Record,
    pub(crate) budget: Budget,
}

impl Work for ReviewOf {
    type Reply = v1::ReviewGameResponse;

    fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> Result<v1::ReviewGameResponse, Refusal> {
        Ok(response::review_game(&Review::of(oracle, &self.record, self.budget, cancel)))
    }
}
