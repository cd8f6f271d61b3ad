//! Requests to responses: the one code path of unary calls, batches, streams and the command line.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use endgame::Structure;
use oracle::{Oracle, Watch};
use play::{Control, UnknownStyle};
use proto::v1::{self, evaluate_request::Query, evaluate_response::Answer};
use search::search_edges;

use crate::budgets::Budgets;
use crate::caller::Caller;
use crate::convert::{request, response};
use crate::refusal::{Refusal, Violation};
use crate::work::{Ask, Work};

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

    /// Who is in control?
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn controller(self, sent: v1::ControllerRequest) -> Result<v1::ControllerResponse, Refusal> {
        let (position, _) = request::position(sent.position)?;
        Ok(response::controller(&Control::of(&position)))
    }

    /// What is the position worth, and which moves are best? Takes as long as the budget allows, or until
    /// `cancel` is set; then the answer is what was proven by then. Another thread may watch how far it has come.
    ///
    /// # Errors
    /// When the request breaks a rule.
    pub fn exact_solve_watched(
        self,
        sent: v1::ExactSolveRequest,
        cancel: &AtomicBool,
        watch: Arc<Watch>,
    ) -> Result<v1::ExactSolveResponse, Refusal> {
        match self.solve(sent, Caller::local())?.run(self.oracle, cancel, watch)?.answer {
            Answer::ExactSolve(answer) => Ok(answer),
            _ => Err(Refusal::Fault),
        }
    }

    /// The answer to any query. Takes as long as its kind does.
    pub fn evaluate(self, sent: v1::EvaluateRequest, cancel: &AtomicBool) -> v1::EvaluateResponse {
        let answer = match self.begin(sent.query, Caller::local()) {
            Begun::Answered(answer) => answer,
            Begun::Work(work) => work.run(self.oracle, cancel, Arc::default()).map(|found| found.answer),
        };
        respond(sent.id, answer)
    }

    /// The answer to any query that never takes long; any other is checked and left as work to be done.
    pub(crate) fn begin(self, query: Option<Query>, caller: Caller) -> Begun {
        let answer = match query {
            None => Err(Violation::new("query", "required: one of the queries must be set").into()),
            Some(Query::EndgameValue(sent)) => self.endgame_value(sent).map(Answer::EndgameValue),
            Some(Query::TakerValue(sent)) => self.taker_value(sent).map(Answer::TakerValue),
            Some(Query::Structure(sent)) => self.structure(sent).map(Answer::Structure),
            Some(Query::Controller(sent)) => self.controller(sent).map(Answer::Controller),
            Some(Query::ExactSolve(sent)) => return self.solve(sent, caller).into(),
            Some(Query::BestMove(sent)) => return self.player(sent, caller).into(),
            Some(Query::EndgameAdvice(sent)) => return self.advice(sent, caller).into(),
            Some(Query::Nimstring(sent)) => return self.nimstring(sent, caller).into(),
            Some(Query::ReviewGame(sent)) => return self.review(sent, caller).into(),
        };
        Begun::Answered(answer)
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

    /// Checks the request for a solve.
    fn solve(self, sent: v1::ExactSolveRequest, caller: Caller) -> Result<Work, Refusal> {
        let (position, score) = request::position(sent.position)?;
        let v1::ExactSolveRequest { all_moves, principal_variation, .. } = sent;
        Ok(self.work(Ask::Solve { position, score, all_moves, principal_variation }, sent.budget, caller))
    }

    /// Checks the request for a move.
    fn player(self, sent: v1::BestMoveRequest, caller: Caller) -> Result<Work, Refusal> {
        let (position, _) = request::position(sent.position)?;
        let style = match &sent.player[..] {
            "" => return Err(Violation::new("player", "required: the name of a player").into()),
            name => name.parse().map_err(|e: UnknownStyle| Violation::new("player", e.to_string()))?,
        };
        Ok(self.work(Ask::Move { position, style, seed: sent.seed }, sent.budget, caller))
    }

    /// Checks the request for advice.
    fn advice(self, sent: v1::EndgameAdviceRequest, caller: Caller) -> Result<Work, Refusal> {
        let (position, _) = request::position(sent.position)?;
        Ok(self.work(Ask::Advice { position }, sent.budget, caller))
    }

    /// Checks the request for a position at nimstring.
    fn nimstring(self, sent: v1::NimstringRequest, caller: Caller) -> Result<Work, Refusal> {
        let (position, _) = request::position(sent.position)?;
        Ok(self.work(Ask::Nimstring { position }, sent.budget, caller))
    }

    /// Checks a record to be reviewed.
    fn review(self, sent: v1::ReviewGameRequest, caller: Caller) -> Result<Work, Refusal> {
        let record = Box::new(request::record(&sent)?);
        Ok(self.work(Ask::Review { record }, sent.budget, caller))
    }

    /// Work within the budget that is granted to who asks for this one.
    fn work(self, ask: Ask, asked: Option<v1::Budget>, caller: Caller) -> Work {
        let until = asked.is_some_and(|budget| budget.until_deadline).then(|| caller.until()).flatten();
        Work { ask, budget: self.budgets.grant(asked.map(request::budget)), until }
    }
}

/// A query that is answered, or work to be done for it.
pub(crate) enum Begun {
    /// Answered.
    Answered(Result<Answer, Refusal>),
    /// To be done.
    Work(Box<Work>),
}

impl From<Result<Work, Refusal>> for Begun {
    fn from(work: Result<Work, Refusal>) -> Begun {
        match work {
            Ok(work) => Begun::Work(Box::new(work)),
            Err(refusal) => Begun::Answered(Err(refusal)),
        }
    }
}

/// The response of one item: its id, and the answer or why there is none.
pub(crate) fn respond(id: String, answer: Result<Answer, Refusal>) -> v1::EvaluateResponse {
    let answer = answer.unwrap_or_else(|refusal| Answer::Error(refusal.into()));
    v1::EvaluateResponse { id, answer: Some(answer) }
}
