//! Requests to responses: the one code path of unary calls, batches, streams and the command line.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use endgame::Structure;
use game::{Position, Score};
use oracle::{Budget, Oracle, Outcome, Question, Solution, Watch};
use play::{Chooser, Style, UnknownStyle};
use proto::v1::{self, evaluate_request::Query, evaluate_response::Answer};
use search::{MAX_FREE, search_edges};

use crate::budgets::Budgets;
use crate::convert::{request, response};
use crate::refusal::{Refusal, Violation};

/// Answers the queries of the contract from an oracle. Holds no state of its own and is free to make.
///
/// ```
/// use oracle::Oracle;
/// use proto::v1::{Endgame, EndgameValueRequest};
/// use server::{Budgets, Evaluator};
///
/// let oracle = Oracle::new(tables::Catalogue::empty());
/// let budgets = Budgets::uncapped();
/// let evaluator = Evaluator::new(&oracle, &budgets);
/// let endgame = Endgame { chains: vec![9, 5, 2], loops: vec![] };
/// let answer = evaluator.endgame_value(EndgameValueRequest { endgame: Some(endgame) })?;
/// assert_eq!(answer.value, 8);
/// # Ok::<(), server::Refusal>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    oracle: &'a Oracle,
    budgets: &'a Budgets,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that asks this oracle within these budgets.
    pub const fn new(oracle: &'a Oracle, budgets: &'a Budgets) -> Evaluator<'a> {
        Evaluator { oracle, budgets }
    }

    /// What is this endgame worth to the player who must open it?
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn endgame_value(self, sent: v1::EndgameValueRequest) -> Result<v1::EndgameValueResponse, Refusal> {
        let set = request::endgame(sent.endgame)?;
        Ok(response::endgame_value(self.oracle.endgame_value(&set)))
    }

    /// What should the player do who was handed an opened component?
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn taker_value(self, sent: v1::TakerValueRequest) -> Result<v1::TakerValueResponse, Refusal> {
        let (opened, rest) = request::taker(sent)?;
        Ok(response::taker_value(self.oracle.taker_value(opened, &rest)))
    }

    /// What is on the board?
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn structure(self, sent: v1::StructureRequest) -> Result<v1::StructureResponse, Refusal> {
        let (position, _) = request::position(sent.position)?;
        Ok(response::structure(&position, &Structure::of(&position), search_edges(&position)))
    }

    /// What is the position worth, and which moves are best? Takes as long as the budget allows, or until
    /// `cancel` is set; then the answer is what was proven by then.
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn exact_solve(
        self,
        sent: v1::ExactSolveRequest,
        cancel: &AtomicBool,
    ) -> Result<v1::ExactSolveResponse, Refusal> {
        self.exact_solve_watched(sent, cancel, Arc::default())
    }

    /// [`Evaluator::exact_solve`], while another thread watches how far a search has come.
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn exact_solve_watched(
        self,
        sent: v1::ExactSolveRequest,
        cancel: &AtomicBool,
        watch: Arc<Watch>,
    ) -> Result<v1::ExactSolveResponse, Refusal> {
        self.prepare(sent)?.run_watched(self.oracle, cancel, watch)
    }

    /// The answer to any query. Takes as long as its kind does.
    pub fn evaluate(self, sent: v1::EvaluateRequest, cancel: &AtomicBool) -> v1::EvaluateResponse {
        match self.begin(sent) {
            Begun::Answered(response) => response,
            Begun::Search { id, work } => respond(id, work.run(self.oracle, cancel)),
        }
    }

    /// The answer to any query that is cheap; what is not is checked and left to be searched.
    pub(crate) fn begin(self, sent: v1::EvaluateRequest) -> Begun {
        let id = sent.id;
        let answer = match sent.query {
            None => Err(Violation::new("query", "required: one of the queries must be set").into()),
            Some(Query::EndgameValue(sent)) => self.endgame_value(sent).map(Answer::EndgameValue),
            Some(Query::TakerValue(sent)) => self.taker_value(sent).map(Answer::TakerValue),
            Some(Query::Structure(sent)) => self.structure(sent).map(Answer::Structure),
            Some(Query::ExactSolve(sent)) => match self.prepare(sent) {
                Ok(solve) if !solve.is_cheap(self.oracle) => {
                    return Begun::Search { id, work: Work::Solve(solve) };
                }
                Ok(solve) => solve.run(self.oracle, &AtomicBool::new(false)).map(Answer::ExactSolve),
                Err(refusal) => Err(refusal),
            },
            Some(Query::BestMove(sent)) => match self.player(sent) {
                Ok(player) => return Begun::Search { id, work: Work::Player(player) },
                Err(refusal) => Err(refusal),
            },
        };
        Begun::Answered(respond(id, answer))
    }

    /// An order to answer many queries in, so that each block of a table is decoded once for all of them: by the block of
    /// their position. What their moves lead to lies in other blocks, mostly near one another again.
    pub(crate) fn order(self, sent: &[v1::EvaluateRequest]) -> Vec<usize> {
        let block = |request: &v1::EvaluateRequest| match &request.query {
            Some(Query::ExactSolve(solve)) => {
                let (position, _) = request::position(solve.position.clone()).ok()?;
                self.oracle.tables().block(&position)
            }
            _ => None,
        };
        let mut order: Vec<usize> = (0..sent.len()).collect();
        order.sort_by_cached_key(|&i| block(&sent[i]));
        order
    }

    /// What a player would play. Takes as long as the player thinks.
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn best_move(
        self,
        sent: v1::BestMoveRequest,
        cancel: &AtomicBool,
    ) -> Result<v1::BestMoveResponse, Refusal> {
        Ok(self.player(sent)?.run(self.oracle, cancel))
    }

    /// Checks the request for a move.
    pub(crate) fn player(self, sent: v1::BestMoveRequest) -> Result<PlayerAt, Refusal> {
        let (position, _) = request::position(sent.position)?;
        let style = match &sent.player[..] {
            "" => return Err(Violation::new("player", "required: the name of a player").into()),
            name => name.parse().map_err(|e: UnknownStyle| Violation::new("player", e.to_string()))?,
        };
        let budget = self.budgets.grant(sent.budget.map(request::budget));
        Ok(PlayerAt { position, style, seed: sent.seed, budget })
    }

    /// Checks the request for a solve.
    pub(crate) fn prepare(self, sent: v1::ExactSolveRequest) -> Result<Solve, Refusal> {
        let (position, score) = request::position(sent.position)?;
        let question = Question {
            all_moves: sent.all_moves,
            principal_variation: sent.principal_variation,
            budget: self.budgets.grant(sent.budget.map(request::budget)),
        };
        Ok(Solve { position, score, question })
    }
}

/// A query that is answered, or that needs a search.
#[derive(Debug)]
pub(crate) enum Begun {
    /// Answered.
    Answered(v1::EvaluateResponse),
    /// To be searched.
    Search {
        /// The id of the request.
        id: String,
        /// The search.
        work: Work,
    },
}

/// What is to be searched.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A value.
    Solve(Solve),
    /// A move.
    Player(PlayerAt),
}

impl Work {
    /// Searches.
    pub(crate) fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> Result<Answer, Refusal> {
        match self {
            Work::Solve(solve) => solve.run(oracle, cancel).map(Answer::ExactSolve),
            Work::Player(player) => Ok(Answer::BestMove(player.run(oracle, cancel))),
        }
    }
}

/// A checked request for a move.
#[derive(Clone, Debug)]
pub(crate) struct PlayerAt {
    position: Position,
    style: Style,
    seed: u64,
    budget: Budget,
}

impl PlayerAt {
    /// Asks the player.
    pub(crate) fn run(&self, oracle: &Oracle, cancel: &AtomicBool) -> v1::BestMoveResponse {
        let chooser = Chooser::new(oracle, self.style, self.seed).within(self.budget, cancel);
        response::best_move(&chooser.turn(&self.position))
    }
}

/// The response of one item: its id, and the answer or why there is none.
pub(crate) fn respond(id: String, answer: Result<Answer, Refusal>) -> v1::EvaluateResponse {
    let answer = answer.unwrap_or_else(|refusal| Answer::Error(refusal.into()));
    v1::EvaluateResponse { id, answer: Some(answer) }
}

/// A checked request for a solve.
#[derive(Clone, Debug)]
pub(crate) struct Solve {
    position: Position,
    score: Option<Score>,
    question: Question,
}

impl Solve {
    /// Whether the answer takes microseconds, so that it is not worth a thread and should not wait for one: a
    /// table has the position, or a small board has come apart into chains and loops, or there is too much
    /// to search and the oracle will say so.
    pub(crate) fn is_cheap(&self, oracle: &Oracle) -> bool {
        let board = self.position.board();
        // A line of play on a large board is a thousand probes of blocks that are not decoded yet.
        if oracle.tables().has(board) && !(self.question.principal_variation && board.edges() > 31) {
            return oracle.tables().board(&self.position).is_some();
        }
        let small = self.position.board().edges() <= 64 && !self.question.principal_variation;
        match search_edges(&self.position) {
            0 => small,
            left => left > MAX_FREE,
        }
    }

    /// Asks the oracle.
    pub(crate) fn run(
        &self,
        oracle: &Oracle,
        cancel: &AtomicBool,
    ) -> Result<v1::ExactSolveResponse, Refusal> {
        self.run_watched(oracle, cancel, Arc::default())
    }

    fn run_watched(
        &self,
        oracle: &Oracle,
        cancel: &AtomicBool,
        watch: Arc<Watch>,
    ) -> Result<v1::ExactSolveResponse, Refusal> {
        let solution = oracle
            .solve_watched(&self.position, &self.question, cancel, watch)
            .map_err(|e| Violation::new("position", e.to_string()))?;
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
