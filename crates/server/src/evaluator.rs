//! Requests to responses: the one code path of unary calls, batches, streams and the command line.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use endgame::Structure;
use oracle::{Budget, Oracle, Question, Watch};
use play::{Control, UnknownStyle};
use proto::v1::{self, evaluate_request::Query, evaluate_response::Answer};
use search::search_edges;

use crate::budgets::Budgets;
use crate::convert::{request, response};
use crate::refusal::{Refusal, Violation};
use crate::work::{AdviceOn, NimstringAt, PlayerAt, ReviewOf, Solve, Work};

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
        self.solve(sent)?.run_watched(self.oracle, cancel, watch)
    }

    /// The answer to any query. Takes as long as its kind does.
    pub fn evaluate(self, sent: v1::EvaluateRequest, cancel: &AtomicBool) -> v1::EvaluateResponse {
        match self.begin(sent) {
            Begun::Answered(response) => response,
            Begun::Search { id, search } => respond(id, search(self.oracle, cancel)),
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
            Some(Query::Controller(sent)) => self.controller(sent).map(Answer::Controller),
            Some(Query::ExactSolve(sent)) => return self.work(id, self.solve(sent), Answer::ExactSolve),
            Some(Query::BestMove(sent)) => return self.work(id, self.player(sent), Answer::BestMove),
            Some(Query::EndgameAdvice(sent)) => {
                return self.work(id, self.advice(sent), Answer::EndgameAdvice);
            }
            Some(Query::Nimstring(sent)) => return self.work(id, self.nimstring(sent), Answer::Nimstring),
            Some(Query::ReviewGame(sent)) => return self.work(id, self.review(sent), Answer::ReviewGame),
        };
        Begun::Answered(respond(id, answer))
    }

    /// Work that is done if it is cheap, and else left to be searched.
    fn work<W: Work>(self, id: String, work: Result<W, Refusal>, answer: fn(W::Reply) -> Answer) -> Begun {
        match work {
            Err(refusal) => Begun::Answered(respond(id, Err(refusal))),
            Ok(work) if work.is_cheap(self.oracle) => {
                Begun::Answered(respond(id, work.run(self.oracle, &AtomicBool::new(false)).map(answer)))
            }
            Ok(work) => {
                let search = Box::new(move |oracle: &Oracle, cancel: &AtomicBool| {
                    work.run(oracle, cancel).map(answer)
                });
                Begun::Search { id, search }
            }
        }
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
    pub(crate) fn solve(self, sent: v1::ExactSolveRequest) -> Result<Solve, Refusal> {
        let (position, score) = request::position(sent.position)?;
        let question = Question {
            all_moves: sent.all_moves,
            principal_variation: sent.principal_variation,
            budget: self.grant(sent.budget),
        };
        Ok(Solve { position, score, question })
    }

    /// Checks the request for a move.
    pub(crate) fn player(self, sent: v1::BestMoveRequest) -> Result<PlayerAt, Refusal> {
        let (position, _) = request::position(sent.position)?;
        let style = match &sent.player[..] {
            "" => return Err(Violation::new("player", "required: the name of a player").into()),
            name => name.parse().map_err(|e: UnknownStyle| Violation::new("player", e.to_string()))?,
        };
        Ok(PlayerAt { position, style, seed: sent.seed, budget: self.grant(sent.budget) })
    }

    /// Checks the request for advice.
    pub(crate) fn advice(self, sent: v1::EndgameAdviceRequest) -> Result<AdviceOn, Refusal> {
        let (position, _) = request::position(sent.position)?;
        Ok(AdviceOn { position, budget: self.grant(sent.budget) })
    }

    /// Checks the request for a position at nimstring.
    pub(crate) fn nimstring(self, sent: v1::NimstringRequest) -> Result<NimstringAt, Refusal> {
        let (position, _) = request::position(sent.position)?;
        Ok(NimstringAt { position, budget: self.grant(sent.budget) })
    }

    /// Checks a record to be reviewed.
    pub(crate) fn review(self, sent: v1::ReviewGameRequest) -> Result<ReviewOf, Refusal> {
        let budget = self.grant(sent.budget);
        Ok(ReviewOf { record: request::record(&sent)?, budget })
    }

    /// The budget for a query that asks for this one.
    fn grant(self, asked: Option<v1::Budget>) -> Budget {
        self.budgets.grant(asked.map(request::budget))
    }
}

/// A query that is answered, or that needs a search.
pub(crate) enum Begun {
    /// Answered.
    Answered(v1::EvaluateResponse),
    /// To be searched.
    Search {
        /// The id of the request.
        id: String,
        /// The search.
        search: Search,
    },
}

/// A search that is ready to begin.
pub(crate) type Search = Box<dyn FnOnce(&Oracle, &AtomicBool) -> Result<Answer, Refusal> + Send>;

/// The response of one item: its id, and the answer or why there is none.
pub(crate) fn respond(id: String, answer: Result<Answer, Refusal>) -> v1::EvaluateResponse {
    let answer = answer.unwrap_or_else(|refusal| Answer::Error(refusal.into()));
    v1::EvaluateResponse { id, answer: Some(answer) }
}
