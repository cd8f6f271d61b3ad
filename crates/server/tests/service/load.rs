//! Load: what is refused, when to try again, who waits for whom; and what is asked of a deadline.

use std::time::{Duration, Instant};

use proto::v1::evaluate_response::Answer;
use proto::v1::exact_solve_response::Outcome;
use proto::v1::{self, evaluate_request::Query};
use server::{Config, Limits};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request};
use tonic_types::StatusExt as _;

use crate::support::*;

/// One place, and one who may wait for it.
fn narrow() -> Config {
    limited(Limits { searches: 1, waiting: 1, waiting_of_one: 1, ..Default::default() })
}

/// A search that does not end, of a board nobody else asks for.
fn endless_on(rows: u32) -> v1::ExactSolveRequest {
    v1::ExactSolveRequest { position: Some(empty(rows, 5)), ..endless() }
}

#[tokio::test]
async fn past_the_line_a_search_is_refused_at_once_with_when_to_try_again() {
    let running = Running::ready(narrow()).await;
    let client = running.client().await;
    let mut begun = Vec::new();
    for rows in [5, 6] {
        let mut client = client.clone();
        begun.push(tokio::spawn(async move { client.exact_solve(endless_on(rows)).await }));
        // The first has the place before the second stands in line.
        running.until_metric("doublecross_searches_running", 1).await;
    }
    running.until_metric("doublecross_searches_waiting", 1).await;

    let asked = Instant::now();
    let refused = client.clone().exact_solve(endless_on(4)).await.unwrap_err();
    let took = asked.elapsed();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert!(refused.get_details_retry_info().unwrap().retry_delay.unwrap() >= Duration::from_millis(100));
    let info = refused.get_details_error_info().unwrap();
    assert_eq!((info.reason.as_str(), info.domain.as_str()), ("BUSY", "doublecross"));
    assert!(took < Duration::from_secs(1), "{took:?}");

    // An item of a stream fails alone, with the same reason; and what is cheap is answered as ever.
    let item = |id: &str, query| v1::EvaluateRequest { id: id.into(), query: Some(query) };
    let requests = vec![
        item("dear", Query::ExactSolve(endless_on(4))),
        item("cheap", Query::EndgameValue(endgame_value(&[9, 5, 2], &[]))),
    ];
    let batch = client.clone().evaluate_batch(v1::EvaluateBatchRequest { requests }).await.unwrap();
    let [dear, cheap] = &batch.into_inner().responses[..] else { panic!("two were asked") };
    let Some(Answer::Error(error)) = &dear.answer else { panic!("{dear:?}") };
    assert_eq!((error.code(), error.reason.as_str()), (v1::error::Code::ResourceExhausted, "BUSY"));
    assert!(error.retry_millis.unwrap() >= 100);
    assert!(matches!(&cheap.answer, Some(Answer::EndgameValue(a)) if a.value == 8));

    // When they have gone, there is room again.
    begun.into_iter().for_each(|call| call.abort());
    running.until_metric("doublecross_searches_running", 0).await;
    let solve = v1::ExactSolveRequest { position: Some(empty(2, 2)), ..Default::default() };
    assert_eq!(
        client.clone().exact_solve(solve).await.unwrap().into_inner().outcome,
        Some(Outcome::Value(2))
    );
}

#[tokio::test]
async fn more_calls_than_the_server_takes_on_are_refused() {
    let running = Running::ready(limited(Limits { calls: 2, ..Default::default() })).await;
    let mut client = running.client().await;
    // Two streams that say nothing.
    let (end_first, first) = tokio::sync::mpsc::channel(1);
    let (end_second, second) = tokio::sync::mpsc::channel(1);
    let first = client.evaluate(ReceiverStream::new(first)).await.unwrap();
    let second = client.evaluate(ReceiverStream::new(second)).await.unwrap();
    let refused = client.endgame_value(endgame_value(&[3], &[])).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert!(refused.get_details_retry_info().unwrap().retry_delay.is_some());
    drop((end_first, end_second, first, second));
    let asked = Instant::now();
    while client.endgame_value(endgame_value(&[3], &[])).await.is_err() {
        assert!(asked.elapsed() < PATIENCE, "they do not go");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn bounds_at_the_deadline_for_who_wants_them() {
    let running = Running::ready(narrow()).await;
    let budget = Some(v1::Budget { until_deadline: true, ..Default::default() });
    let mut request = Request::new(v1::ExactSolveRequest { budget, ..endless() });
    request.set_timeout(Duration::from_secs(1));
    let answer = running.client().await.exact_solve(request).await.unwrap().into_inner();
    assert!(matches!(answer.outcome, Some(Outcome::Bounds(_))), "{answer:?}");
    assert!(answer.stats.unwrap().elapsed_millis > 500.0);
}

#[tokio::test]
async fn the_limits_can_be_read() {
    let config = narrow();
    let running = Running::ready(config.clone()).await;
    let limits = running.client().await.limits(v1::LimitsRequest {}).await.unwrap().into_inner();
    assert_eq!((limits.searches, limits.waiting, limits.waiting_of_one), (1, 1, 1));
    assert_eq!(limits.max_budget.unwrap().max_millis, Some(60_000));
    assert_eq!((limits.batch, limits.search_edges), (10_000, 128));
    assert_eq!((limits.table_set.len(), limits.tables), (16, Vec::<String>::new()));
}

#[tokio::test]
async fn a_client_that_says_nothing_is_cut() {
    let limits = Limits {
        greeting: Duration::from_millis(50),
        idle: Duration::from_millis(150),
        ..Default::default()
    };
    let running = Running::start(no_tables, limited(limits)).await;
    // At once, and after half a greeting.
    for said in [&b""[..], b"PRI * HTTP/2.0\r\n"] {
        let mut silent = TcpStream::connect(running.address).await.unwrap();
        silent.write_all(said).await.unwrap();
        let mut read = Vec::new();
        // It may be reset rather than closed.
        let _ = in_time(silent.read_to_end(&mut read)).await;
    }
    // A stream that asks nothing is ended, too, and says why.
    let mut client = running.client().await;
    let mut answers = client.evaluate(tokio_stream::pending()).await.unwrap().into_inner();
    let ended = in_time(answers.message()).await;
    assert!(
        matches!(&ended, Err(status) if status.code() == Code::Cancelled || status.code() == Code::Unknown),
        "{ended:?}"
    );
}

#[tokio::test]
async fn more_connections_than_the_server_takes_on_are_closed() {
    let running = Running::start(no_tables, limited(Limits { connections: 1, ..Default::default() })).await;
    let first = TcpStream::connect(running.address).await.unwrap();
    let mut second = TcpStream::connect(running.address).await.unwrap();
    let mut read = Vec::new();
    let _ = in_time(second.read_to_end(&mut read)).await;
    assert!(read.is_empty());
    drop(first);
}
