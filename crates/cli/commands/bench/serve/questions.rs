//! What is asked under load, with the answers worked out here, without tables.

use std::sync::atomic::AtomicBool;

use game::{Board, Position};
use oracle::{Config, Oracle};
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, EvaluateRequest, position::Drawing};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use server::{Budgets, Evaluator};
use tables::Catalogue;

use super::super::queries;

/// Questions of one kind.
pub(super) struct Questions {
    pub(super) name: &'static str,
    /// Whether a table or the theory answers them.
    pub(super) cheap: bool,
    pub(super) asked: Vec<(Query, Answer)>,
}

/// How many of each kind that has to be searched.
const SEARCHED: usize = 300;

/// All kinds, the same ones on every run.
pub(super) fn all() -> Vec<Questions> {
    let oracle = Oracle::with_config(Catalogue::empty(), Config { threads: 1, table_bytes: 1 << 24 });
    let budgets = Budgets::uncapped();
    let answered = |name, cheap, queries: Vec<Query>| {
        let answer = |query: Query| {
            let request = EvaluateRequest { id: String::new(), query: Some(query.clone()) };
            let answer = Evaluator::new(&oracle, &budgets).evaluate(request, &AtomicBool::new(false)).answer;
            Some((query, value(answer?)))
        };
        Questions { name, cheap, asked: queries.into_iter().filter_map(answer).collect() }
    };
    let mut all = Vec::new();
    for set in queries::sets() {
        all.push(answered(set.name, true, set.requests.into_iter().filter_map(|r| r.query).collect()));
    }
    let positions: Vec<v1::Position> = (0..SEARCHED as u64).filter_map(quiet).collect();
    let of = |query: fn(v1::Position) -> Query| positions.iter().cloned().map(query).collect();
    all.push(answered(
        "structures",
        true,
        of(|p| Query::Structure(v1::StructureRequest { position: Some(p) })),
    ));
    all.push(answered(
        "controllers",
        true,
        of(|p| Query::Controller(v1::ControllerRequest { position: Some(p) })),
    ));
    all.push(answered("searches", false, of(solve)));
    all
}

fn solve(position: v1::Position) -> Query {
    Query::ExactSolve(v1::ExactSolveRequest { position: Some(position), ..Default::default() })
}

/// A 5x5 position with 30 free edges, reached by drawing safe ones: some milliseconds of search.
fn quiet(seed: u64) -> Option<v1::Position> {
    let board = Board::new(5, 5).ok()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Position::empty(board);
    while position.free_count() > 30 {
        position.draw(*endgame::Structure::of(&position).safe_moves.choose(&mut random)?);
    }
    Some(v1::Position { rows: 5, cols: 5, drawing: Some(Drawing::Edges(position.to_string())), score: None })
}

/// An answer without where it is from and what it took.
pub(super) fn value(mut answer: Answer) -> Answer {
    match &mut answer {
        Answer::EndgameValue(a) => (a.source, a.table) = (0, None),
        Answer::TakerValue(a) => (a.source, a.table) = (0, None),
        Answer::ExactSolve(a) => (a.source, a.table, a.stats) = (0, None, None),
        Answer::EndgameAdvice(a) => (a.source, a.table) = (0, None),
        _ => {}
    }
    answer
}
