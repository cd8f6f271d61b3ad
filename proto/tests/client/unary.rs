//! Single calls: deadlines and retries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use proto::client::{ClientError, RetryPolicy};
use proto::v1::{EndgameValueRequest, EndgameValueResponse};
use tokio::time::Instant;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::support::{Running, busy};

const QUERY: EndgameValueRequest = EndgameValueRequest { endgame: None };

/// A server that fails so often and then answers, and how often it was asked.
fn failing(times: u32, status: impl Fn() -> Status + Send + Sync + 'static) -> (Running, Arc<AtomicU32>) {
    let asked = Arc::new(AtomicU32::new(0));
    let counted = asked.clone();
    let server = Running::values(move |_| {
        let answer = match counted.fetch_add(1, Relaxed) {
            n if n < times => Err(status()),
            _ => Ok(EndgameValueResponse { value: 8, ..Default::default() }),
        };
        async { answer }
    });
    (server, asked)
}

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[tokio::test(start_paused = true)]
async fn the_deadline_and_the_token_arrive() {
    let server = Running::values(|request| async move {
        let header = |name| request.metadata().get(name).unwrap().to_str().unwrap().to_owned();
        assert_eq!(header("authorization"), "Bearer secret");
        let micros: u64 = header("grpc-timeout").strip_suffix('u').unwrap().parse().unwrap();
        assert_eq!(micros, 5_000_000);
        Ok(EndgameValueResponse::default())
    });
    let client = server.client(|c| c.token("secret").deadline(seconds(5)));
    client.endgame_value(QUERY).await.unwrap();
    assert!(!format!("{client:?}").contains("secret"));
}

#[tokio::test(start_paused = true)]
async fn without_a_deadline_none_is_sent() {
    let server = Running::values(|request| async move {
        assert!(request.metadata().get("grpc-timeout").is_none());
        tokio::time::sleep(seconds(3600)).await;
        Ok(EndgameValueResponse::default())
    });
    for deadline in [None, Some(Duration::MAX)] {
        server.client(|c| c).with_deadline(deadline).endgame_value(QUERY).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_answer_is_left_at_the_deadline() {
    let server = Running::values(|_| std::future::pending());
    let begun = Instant::now();
    let error = server.client(|c| c.deadline(seconds(5))).endgame_value(QUERY).await.unwrap_err();
    assert_eq!(error.code(), Some(Code::DeadlineExceeded));
    assert_eq!(begun.elapsed().as_secs_f64().round(), 5.0);
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_is_asked_again_when_it_says() {
    for code in [Code::ResourceExhausted, Code::Unavailable] {
        let (server, asked) = failing(2, move || busy(code, 2));
        let begun = Instant::now();
        let answer = server.client(|c| c).endgame_value(QUERY).await.unwrap();
        assert_eq!(answer.value, 8);
        assert_eq!(asked.load(Relaxed), 3);
        let waited = begun.elapsed();
        assert!(seconds(4) <= waited && waited <= Duration::from_millis(4_500), "{waited:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn retries_end_with_the_attempts_or_the_waits() {
    let policies = [
        RetryPolicy { max_attempts: 3, max_wait: seconds(60) },
        RetryPolicy { max_attempts: 100, max_wait: seconds(5) },
    ];
    for policy in policies {
        let (server, asked) = failing(u32::MAX, || busy(Code::ResourceExhausted, 2));
        let error = server.client(|c| c.retry(policy)).endgame_value(QUERY).await.unwrap_err();
        assert_eq!(asked.load(Relaxed), 3);
        assert_eq!(error.code(), Some(Code::ResourceExhausted));
        assert_eq!(error.to_string(), "too busy (asked 3 times)");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_past_the_deadline_is_not_begun() {
    let (server, asked) = failing(1, || busy(Code::ResourceExhausted, 10));
    let begun = Instant::now();
    let error = server.client(|c| c.deadline(seconds(5))).endgame_value(QUERY).await.unwrap_err();
    assert_eq!(error.code(), Some(Code::ResourceExhausted));
    assert_eq!(error.to_string(), "too busy");
    assert_eq!(asked.load(Relaxed), 1);
    assert!(begun.elapsed() < seconds(1));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_is_for_all_the_attempts() {
    let (server, asked) = failing(u32::MAX, || busy(Code::ResourceExhausted, 2));
    let begun = Instant::now();
    server.client(|c| c.deadline(seconds(7))).endgame_value(QUERY).await.unwrap_err();
    assert_eq!(asked.load(Relaxed), 4);
    assert!(begun.elapsed() < seconds(7));
}

#[tokio::test(start_paused = true)]
async fn nothing_else_is_asked_again() {
    let fault = |code| move || Status::new(code, "no");
    let faults: [Box<dyn Fn() -> Status + Send + Sync>; 5] = [
        Box::new(|| busy(Code::InvalidArgument, 1)),
        Box::new(fault(Code::ResourceExhausted)),
        Box::new(fault(Code::Unavailable)),
        Box::new(fault(Code::Internal)),
        Box::new(fault(Code::Unknown)),
    ];
    for fault in faults {
        let code = fault().code();
        let (server, asked) = failing(1, fault);
        let error = server.client(|c| c).endgame_value(QUERY).await.unwrap_err();
        assert_eq!(error.code(), Some(code));
        assert_eq!(asked.load(Relaxed), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn violations_can_be_read() {
    let details = || ErrorDetails::with_bad_request_violation("endgame.loops[0]", "must be even");
    let refusal =
        move || Status::with_error_details(Code::InvalidArgument, "endgame.loops[0]: odd", details());
    let (server, _) = failing(1, refusal);
    let error = server.client(|c| c).endgame_value(QUERY).await.unwrap_err();
    assert!(matches!(&error, ClientError::Status { attempts: 1, .. }));
    assert_eq!(error.to_string(), "endgame.loops[0]: odd");
    let [violation] = &error.violations()[..] else { panic!("{error:?}") };
    assert_eq!(violation.field, "endgame.loops[0]");
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_is_made_anew_by_the_next_call() {
    let (server, _) = failing(0, || Status::internal("never"));
    let client = server.client(|c| c);
    client.endgame_value(QUERY).await.unwrap();
    server.cut();
    tokio::time::sleep(seconds(1)).await;
    assert_eq!(client.endgame_value(QUERY).await.unwrap().value, 8);
}
