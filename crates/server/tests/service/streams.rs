//! Evaluate: order, back-pressure, one bad item alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, exact_solve_response::Outcome};
use server::{Config, Limits};
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::support::*;

fn cheap(id: impl Into<String>) -> v1::EvaluateRequest {
    item(id, Query::EndgameValue(endgame_value(&[9, 5, 2], &[])))
}

/// A mix of every kind: cheap ones, searches that take a while, bad ones.
fn mix(n: usize) -> Vec<v1::EvaluateRequest> {
    (0..n)
        .map(|i| {
            let id = i.to_string();
            match i % 7 {
                0 => item(id, Query::ExactSolve(exact_solve(empty(2, 3)))),
                1 => item(id, Query::ExactSolve(search_for(i as u32 % 20))),
                2 => item(id, Query::EndgameValue(endgame_value(&[0], &[]))),
                3 => item(id, Query::TakerValue(taker_value(chain(3), endgame(&[3], &[])))),
                4 => item(id, Query::Structure(v1::StructureRequest { position: Some(empty(4, 4)) })),
                5 => v1::EvaluateRequest { id, query: None },
                _ => cheap(id),
            }
        })
        .collect()
}

fn check(i: usize, response: &v1::EvaluateResponse) {
    assert_eq!(response.id, i.to_string());
    match (i % 7, response.answer.as_ref().unwrap()) {
        (0, Answer::ExactSolve(a)) => assert_eq!(a.outcome, Some(Outcome::Value(-2))),
        (1, Answer::ExactSolve(a)) => assert!(matches!(a.outcome, Some(Outcome::Bounds(_)))),
        (3, Answer::TakerValue(a)) => assert_eq!(a.decline, Some(2)),
        (4, Answer::Structure(a)) => assert_eq!((a.joints.len(), a.safe_moves.len()), (16, 40)),
        (6, Answer::EndgameValue(a)) => assert_eq!(a.value, 8),
        (2, Answer::Error(e)) => assert_eq!(e.violations[0].field, "endgame.chains[0]"),
        (5, Answer::Error(e)) => assert_eq!(e.violations[0].field, "query"),
        (_, other) => panic!("{i}: {other:?}"),
    }
}

#[tokio::test]
async fn answers_come_in_the_order_of_the_requests_and_bad_ones_fail_alone() {
    for window in [1, 3, 256] {
        let running = Running::ready(limited(Limits { window, ..Default::default() })).await;
        let mut client = running.client().await;
        let n = 210;
        let mut answers = client.evaluate(tokio_stream::iter(mix(n))).await.unwrap().into_inner();
        for i in 0..n {
            check(i, &in_time(answers.message()).await.unwrap().unwrap());
        }
        assert!(answers.message().await.unwrap().is_none());

        let batch = v1::EvaluateBatchRequest { requests: mix(n) };
        let responses = client.evaluate_batch(batch).await.unwrap().into_inner().responses;
        assert_eq!(responses.len(), n);
        responses.iter().enumerate().for_each(|(i, response)| check(i, response));
    }
}

#[tokio::test]
async fn an_answer_comes_before_the_next_request_is_sent() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let (send, requests) = mpsc::channel(1);
    let mut answers = client.evaluate(ReceiverStream::new(requests)).await.unwrap().into_inner();
    for i in 0..21 {
        send.send(mix(i + 1).remove(i)).await.unwrap();
        check(i, &in_time(answers.message()).await.unwrap().unwrap());
    }
    drop(send);
    assert!(in_time(answers.message()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_hundred_thousand_items_pass() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let n = 100_000;
    let requests = tokio_stream::iter((0..n).map(|i: u32| cheap(i.to_string())));
    let mut answers = client.evaluate(requests).await.unwrap().into_inner();
    for i in 0..n {
        let response = in_time(answers.message()).await.unwrap().unwrap();
        assert_eq!(response.id, i.to_string());
    }
    assert!(answers.message().await.unwrap().is_none());
}

#[tokio::test]
async fn a_search_at_the_head_holds_the_client_back() {
    let running = Running::ready(limited(Limits { window: 8, ..Default::default() })).await;
    let mut client = running.client().await;
    let n = 50_000;
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    let head = item("head", Query::ExactSolve(search_for(300)));
    let long = "x".repeat(1_000);
    let rest = (0..n).map(move |i| cheap(format!("{i} {long}")));
    let requests = tokio_stream::iter(std::iter::once(head).chain(rest)).map(move |request| {
        count.fetch_add(1, Ordering::Relaxed);
        request
    });
    let mut answers = client.evaluate(requests).await.unwrap().into_inner();
    assert_eq!(in_time(answers.message()).await.unwrap().unwrap().id, "head");
    // What the server has read ahead, and what HTTP/2 buffers of 1 MiB hold: not everything there is.
    let taken = taken.load(Ordering::Relaxed);
    assert!(taken < 5_000, "{taken} requests taken from the client behind an unanswered one");
    // Nothing is lost for it.
    for i in 0..n {
        let response = in_time(answers.message()).await.unwrap().unwrap();
        assert!(response.id.starts_with(&format!("{i} ")));
    }
    assert!(answers.message().await.unwrap().is_none());
}

#[tokio::test]
async fn a_dropped_stream_gives_its_searches_places_back() {
    let running = Running::ready(limited(Limits { searches: 1, ..Default::default() })).await;
    let mut client = running.client().await;
    let requests: Vec<_> = (0..20).map(|i| item(i.to_string(), Query::ExactSolve(endless()))).collect();
    let first = cheap("first");
    let requests = std::iter::once(first).chain(requests);
    let mut answers = client.evaluate(tokio_stream::iter(requests)).await.unwrap().into_inner();
    assert_eq!(in_time(answers.message()).await.unwrap().unwrap().id, "first");
    drop(answers);
    let solved = in_time(client.exact_solve(exact_solve(empty(2, 3)))).await.unwrap().into_inner();
    assert_eq!(solved.outcome, Some(Outcome::Value(-2)));
}
