//! Messages of the contract, and the answers to them.

use std::fmt::Debug;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use oracle::{Budget, Config, Oracle};
use prost::Message;
use proto::v1::{
    EvaluateBatchRequest, EvaluateBatchResponse, EvaluateRequest, EvaluateResponse, Position,
    evaluate_request::Query, evaluate_response::Answer,
};
use server::{Budgets, Evaluator};
use tables::Catalogue;

use crate::answers;

/// So little search that an execution takes a fraction of a millisecond; the time is never used up but on a busy machine.
const LITTLE: Budget = Budget { nodes: Some(200), time: Some(Duration::from_millis(100)) };

/// The most requests of a batch that are answered.
const MOST: usize = 4;

/// The most boxes of a board on which moves are worth something to every query. A solve asks for each of its moves, and
/// each costs time in proportion to the board even when the budget is over: on 32x32 that is a tenth of a second.
const MOST_BOXES: u32 = 30;

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::with_config(Catalogue::empty(), Config { threads: 1, table_bytes: 1 << 16 }));

/// Bytes as a request and as a batch, protobuf and JSON. What is read is written and read again the same; it is answered,
/// and the answer holds against the rules, as far as those can be worked out another way.
///
/// # Panics
/// When that is not so.
pub fn request(bytes: &[u8]) {
    let single = [EvaluateRequest::decode(bytes).ok(), serde_json::from_slice(bytes).ok()];
    for request in single.into_iter().flatten() {
        assert_eq!(EvaluateRequest::decode(&*request.encode_to_vec()).as_ref(), Ok(&request));
        // A number that is no name of an enum has no JSON.
        if let Ok(json) = serde_json::to_string(&request) {
            assert_eq!(serde_json::from_str(&json).ok(), Some(request.clone()));
        }
        answer(request);
    }
    let batches = [EvaluateBatchRequest::decode(bytes).ok(), serde_json::from_slice(bytes).ok()];
    for batch in batches.into_iter().flatten() {
        assert_eq!(EvaluateBatchRequest::decode(&*batch.encode_to_vec()).as_ref(), Ok(&batch));
        let responses = batch.requests.into_iter().take(MOST).filter_map(answer).collect();
        is_read_again(&EvaluateBatchResponse { responses });
    }
}

/// Answers a request, and checks the answer.
fn answer(request: EvaluateRequest) -> Option<EvaluateResponse> {
    if is_heavy(request.query.as_ref()) {
        return None;
    }
    let (id, query) = (request.id.clone(), request.query.clone());
    let budgets = Budgets { default: LITTLE, max: LITTLE };
    let mut response = Evaluator::new(&ORACLE, &budgets).evaluate(request, &AtomicBool::new(false));
    assert_eq!(response.id, id);
    answers::check(query, response.answer.as_ref().expect("every request has an answer"));
    if let Some(Answer::ExactSolve(solved)) = &mut response.answer
        && let Some(stats) = &mut solved.stats
    {
        // Read from JSON it may differ in its last bit.
        assert!(stats.elapsed_millis >= 0.0 && stats.elapsed_millis.is_finite());
        stats.elapsed_millis = 0.0;
    }
    is_read_again(&response);
    Some(response)
}

/// A message is the same after it was sent.
fn is_read_again<T>(message: &T)
where
    T: Message + Default + PartialEq + Debug + serde::Serialize + serde::de::DeserializeOwned,
{
    assert_eq!(T::decode(&*message.encode_to_vec()).as_ref(), Ok(message));
    let json = serde_json::to_string(message).expect("every answer has JSON");
    assert_eq!(serde_json::from_str::<T>(&json).ok().as_ref(), Some(message));
}

/// Whether a query asks about so large a board that to answer takes too long here.
fn is_heavy(query: Option<&Query>) -> bool {
    let large = |rows: u32, cols: u32| rows.saturating_mul(cols) > MOST_BOXES;
    let at = |position: &Option<Position>| position.as_ref().is_some_and(|p| large(p.rows, p.cols));
    match query {
        None
        | Some(Query::EndgameValue(_) | Query::TakerValue(_) | Query::Structure(_) | Query::Controller(_)) => {
            false
        }
        Some(Query::ExactSolve(sent)) => at(&sent.position),
        Some(Query::BestMove(sent)) => at(&sent.position),
        Some(Query::EndgameAdvice(sent)) => at(&sent.position),
        Some(Query::Nimstring(sent)) => at(&sent.position),
        Some(Query::ReviewGame(sent)) => large(sent.rows, sent.cols),
    }
}
