//! What must be true of the answer to a query.

mod board;
mod endgame;
mod review;
mod values;

use ::endgame::Multiset;
use game::{Edges, Position, Score, Setup};
use play::Style;
use proto::v1::{
    self, Error, error::Code, evaluate_request::Query, evaluate_response::Answer, position::Drawing,
};
use search::{MAX_FREE, search_edges};

/// Holds an answer against its query.
pub(crate) fn check(query: Option<Query>, answer: &Answer) {
    use {Answer as A, Query as Q};
    if let A::Error(error) = answer {
        names_what_is_wrong(error);
        return assert!(!is_valid(query), "refused, but nothing is wrong: {error:?}");
    }
    match (query, answer) {
        (Some(Q::EndgameValue(sent)), A::EndgameValue(found)) => endgame::value(&set(sent.endgame), found),
        (Some(Q::TakerValue(sent)), A::TakerValue(found)) => endgame::taker(&sent, found),
        (Some(Q::Structure(sent)), A::Structure(found)) => board::structure(&position(sent.position), found),
        (Some(Q::Controller(sent)), A::Controller(found)) => {
            board::controller(&position(sent.position), found)
        }
        (Some(Q::Nimstring(sent)), A::Nimstring(found)) => board::nimstring(&position(sent.position), found),
        (Some(Q::ExactSolve(sent)), A::ExactSolve(found)) => values::solve(sent, found),
        (Some(Q::BestMove(sent)), A::BestMove(found)) => values::best_move(sent, found),
        (Some(Q::EndgameAdvice(sent)), A::EndgameAdvice(found)) => {
            values::advice(&position(sent.position), found)
        }
        (Some(Q::ReviewGame(sent)), A::ReviewGame(found)) => review::review(&sent, found),
        (query, answer) => panic!("{query:?} was answered with {answer:?}"),
    }
}

fn names_what_is_wrong(error: &Error) {
    assert_eq!(error.code(), Code::InvalidArgument);
    assert!(!error.message.is_empty() && !error.violations.is_empty());
    for violation in &error.violations {
        assert!(!violation.field.is_empty() && !violation.description.is_empty());
        assert!(error.message.contains(&format!("{}: {}", violation.field, violation.description)));
    }
}

/// Whether a query keeps every rule, so that it must have an answer.
fn is_valid(query: Option<Query>) -> bool {
    let can_be_searched = |sent| read(sent).is_some_and(|(position, _)| search_edges(&position) <= MAX_FREE);
    match query {
        None => false,
        Some(Query::EndgameValue(sent)) => sent.endgame.is_some_and(|sent| multiset(&sent).is_some()),
        Some(Query::TakerValue(sent)) => {
            endgame::opened(&sent).is_some() && multiset(&sent.rest.unwrap_or_default()).is_some()
        }
        Some(Query::Structure(sent)) => read(sent.position).is_some(),
        Some(Query::Controller(sent)) => read(sent.position).is_some(),
        Some(Query::BestMove(sent)) => sent.player.parse::<Style>().is_ok() && read(sent.position).is_some(),
        Some(Query::ExactSolve(sent)) => can_be_searched(sent.position),
        Some(Query::EndgameAdvice(sent)) => can_be_searched(sent.position),
        Some(Query::Nimstring(sent)) => can_be_searched(sent.position),
        Some(Query::ReviewGame(sent)) => review::game(&sent).is_some(),
    }
}

/// The position somebody sent, if it is one.
fn read(sent: Option<v1::Position>) -> Option<(Position, Option<Score>)> {
    let sent = sent?;
    let edges = match sent.drawing? {
        Drawing::Edges(text) => Edges::Text(text),
        Drawing::Drawn(bits) => Edges::Bits(bits),
    };
    let score = sent.score.map(|score| (score.mover, score.other));
    Setup { rows: sent.rows, cols: sent.cols, edges, score }.position().ok()
}

/// The position of a query that was answered.
fn position(sent: Option<v1::Position>) -> Position {
    read(sent).expect("what was answered is a position").0
}

fn multiset(sent: &v1::Endgame) -> Option<Multiset> {
    Multiset::new(&sent.chains, &sent.loops).ok()
}

/// The multiset of a query that was answered.
fn set(sent: Option<v1::Endgame>) -> Multiset {
    sent.as_ref().and_then(multiset).expect("what was answered is a multiset")
}

fn ascend(numbers: &[u32]) -> bool {
    numbers.is_sorted_by(|a, b| a < b)
}
