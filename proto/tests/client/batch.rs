//! Batches: order, window, refusals, and streams that break.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use proto::client::{Answers, ClientError, RetryPolicy};
use proto::v1::evaluate_response::Answer;
use proto::v1::{EvaluateRequest, EvaluateResponse, error};
use tokio::time::{Instant, sleep};
use tonic::{Code, Status};

use crate::support::{Act, Running, answer, busy, query, refusal};

/// The values answered; they are to be those asked for, in order.
async fn values(answers: Answers) -> Result<Vec<usize>, ClientError> {
    let value = |response: EvaluateResponse| match response.answer {
        Some(Answer::EndgameValue(answer)) => answer.value as usize,
        other => panic!("{other:?}"),
    };
    answers.map_ok(value).try_collect().await
}

fn all(n: usize) -> Vec<usize> {
    (0..n).collect()
}

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_in_order() {
    let server = Running::streams(|asked| asked.map_ok(answer));
    let client = server.client(|c| c);
    assert_eq!(values(client.evaluate_iter((0..10_000).map(query))).await.unwrap(), all(10_000));
    assert_eq!(values(client.evaluate_iter(None)).await.unwrap(), []);
}

/// Sixteen at a time, with more to say than fits into the buffers between, to a reader slower than it.
#[tokio::test(start_paused = true)]
async fn a_server_that_reads_little_ahead_blocks_nobody() {
    let server = Running::streams(|asked| {
        let work = |query| async move {
            sleep(Duration::from_millis(2)).await;
            Ok(answer(query))
        };
        asked.map_ok(work).try_buffered(16)
    });
    let long = |n: usize| EvaluateRequest { id: format!("{n}{}", ".".repeat(8 << 10)), query: None };
    let answers = server.client(|c| c.window(1_000)).evaluate_iter((0..3_000).map(long));
    let slow = answers.then(|answer| async {
        sleep(Duration::from_micros(500)).await;
        answer
    });
    assert_eq!(values(slow.boxed()).await.unwrap(), all(3_000));
}

#[tokio::test(start_paused = true)]
async fn no_more_than_the_window_is_under_way() {
    let (read, given) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted, known) = (read.clone(), given.clone());
    let queries = stream::iter(0..1_000).map(move |n| {
        let ahead = counted.fetch_add(1, Relaxed) + 1 - known.load(Relaxed);
        assert!(ahead <= 20, "{ahead}");
        query(n)
    });
    let server = Running::streams(|asked| asked.map_ok(answer));
    let mut answers = server.client(|c| c.window(20)).evaluate(queries);
    while let Some(answer) = answers.next().await {
        answer.unwrap();
        given.fetch_add(1, Relaxed);
    }
    assert_eq!(read.load(Relaxed), 1_000);
}

/// Whoever asks may wait for an answer before asking on.
#[tokio::test(start_paused = true)]
async fn an_answer_does_not_wait_for_the_next_query() {
    let server = Running::streams(|asked| asked.map_ok(answer));
    let (ask, asked) = tokio::sync::mpsc::unbounded_channel();
    let client = server.client(|c| c);
    let mut answers = client.evaluate(tokio_stream::wrappers::UnboundedReceiverStream::new(asked));
    for n in 0..10 {
        ask.send(query(n)).unwrap();
        assert_eq!(answers.next().await.unwrap().unwrap(), answer(query(n)));
        // Longer than the deadline: with nothing to answer the server is not late.
        assert!(tokio::time::timeout(seconds(60), answers.next()).await.is_err());
    }
    drop(ask);
    assert!(answers.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn what_was_refused_twice_is_asked_a_third_time() {
    let refused: Mutex<HashMap<String, u32>> = Mutex::default();
    let server = Running::streams({
        let refused = Arc::new(refused);
        move |asked| {
            let refused = refused.clone();
            asked.map_ok(move |query| {
                let mut refused = refused.lock().unwrap();
                let times = refused.entry(query.id.clone()).or_default();
                *times += 1;
                if query.id.ends_with('7') && *times <= 2 { refusal(query) } else { answer(query) }
            })
        }
    });
    let begun = Instant::now();
    let answers = server.client(|c| c).evaluate_iter((0..1_000).map(query));
    assert_eq!(values(answers).await.unwrap(), all(1_000));
    // Waits of 50 to 100 and of 100 to 200 milliseconds, for a few windows in turn.
    assert!(Duration::from_millis(150) <= begun.elapsed() && begun.elapsed() < seconds(3));
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_for_good_fails_alone() {
    let asked_for = Arc::new(AtomicUsize::new(0));
    let counted = asked_for.clone();
    let server = Running::streams(move |asked| {
        let counted = counted.clone();
        asked.map_ok(move |query| match query.id.as_str() {
            "3" => {
                counted.fetch_add(1, Relaxed);
                refusal(query)
            }
            _ => answer(query),
        })
    });
    let policy = RetryPolicy { max_attempts: 4, max_wait: seconds(60) };
    let answers = server.client(|c| c.retry(policy)).evaluate_iter((0..10).map(query));
    let answers: Vec<_> = answers.try_collect().await.unwrap();
    assert_eq!(asked_for.load(Relaxed), 4);
    for (n, found) in answers.into_iter().enumerate() {
        match n {
            3 => assert_eq!(found, refusal(query(3))),
            _ => assert_eq!(found, answer(query(n))),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_query_that_breaks_a_rule_is_not_asked_again() {
    let asked_for = Arc::new(AtomicUsize::new(0));
    let counted = asked_for.clone();
    let server = Running::streams(move |asked| {
        let counted = counted.clone();
        asked.map_ok(move |query| {
            counted.fetch_add(1, Relaxed);
            let mut refused = refusal(query);
            if let Some(Answer::Error(error)) = &mut refused.answer {
                error.set_code(error::Code::InvalidArgument);
            }
            refused
        })
    });
    let answers = server.client(|c| c).evaluate_iter((0..10).map(query));
    assert_eq!(answers.count().await, 10);
    assert_eq!(asked_for.load(Relaxed), 10);
}

/// Streams that answer so many and then end like this, and how many there were.
fn breaking(
    after: usize,
    end: impl Fn() -> Option<Status> + Clone + Send + Sync + 'static,
) -> (Running, Arc<AtomicUsize>) {
    let streams = Arc::new(AtomicUsize::new(0));
    let counted = streams.clone();
    let server = Running::streams(move |asked| {
        counted.fetch_add(1, Relaxed);
        let end = end.clone();
        // The end comes when there is something left to answer.
        asked
            .enumerate()
            .map(move |(n, query)| match n {
                n if n < after => Some(query.map(answer)),
                _ => end().map(Err),
            })
            .take_while(|answer| std::future::ready(answer.is_some()))
            .filter_map(std::future::ready)
    });
    (server, streams)
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_is_gone_on_with() {
    let (server, streams) = breaking(90, || Some(Status::unavailable("stopping")));
    let answers = server.client(|c| c).evaluate_iter((0..1_000).map(query));
    assert_eq!(values(answers).await.unwrap(), all(1_000));
    assert_eq!(streams.load(Relaxed), 12);
}

#[tokio::test(start_paused = true)]
async fn so_is_one_whose_connection_is_lost() {
    let server = Running::streams(|asked| asked.map_ok(answer));
    let mut answers = server.client(|c| c).evaluate_iter((0..5_000).map(query));
    for n in 0..5_000 {
        if n % 1_000 == 999 {
            server.cut();
        }
        assert_eq!(answers.next().await.unwrap().unwrap(), answer(query(n)));
    }
    assert!(answers.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_at_once_is_an_error_unless_the_server_says_when_to_come_back() {
    let (server, streams) = breaking(0, || Some(Status::unavailable("starting")));
    let error = values(server.client(|c| c).evaluate_iter((0..10).map(query))).await.unwrap_err();
    assert_eq!(error.to_string(), "starting");
    assert_eq!(streams.load(Relaxed), 1);

    let asked_for = AtomicUsize::new(0);
    let server = Running::start(Act::Stream(Box::new(move |asked| match asked_for.fetch_add(1, Relaxed) {
        0 => Err(busy(Code::Unavailable, 2)),
        1 => Err(busy(Code::ResourceExhausted, 2)),
        _ => Ok(asked.map_ok(answer).boxed()),
    })));
    let begun = Instant::now();
    let answers = server.client(|c| c).evaluate_iter((0..10).map(query));
    assert_eq!(values(answers).await.unwrap(), all(10));
    assert!(begun.elapsed() >= seconds(4));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stays_away_ends_the_batch() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let server = Running::start(Act::Stream(Box::new(move |asked| match counted.fetch_add(1, Relaxed) {
        0 => {
            let broken = stream::iter([Err(Status::unavailable("stopping"))]);
            Ok(asked.map_ok(answer).take(5).chain(broken).boxed())
        }
        _ => Err(Status::unavailable("away")),
    })));
    let policy = RetryPolicy { max_attempts: 4, max_wait: seconds(60) };
    let answers = server.client(|c| c.retry(policy)).evaluate_iter((0..10).map(query));
    let answers: Vec<_> = answers.collect().await;
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[5].as_ref().unwrap_err().to_string(), "away (asked 4 times)");
    assert_eq!(calls.load(Relaxed), 4);
}

#[tokio::test(start_paused = true)]
async fn other_ends_of_a_stream_are_errors() {
    let (server, streams) = breaking(5, || Some(Status::internal("broken")));
    let error = values(server.client(|c| c).evaluate_iter((0..10).map(query))).await.unwrap_err();
    assert_eq!((error.code(), streams.load(Relaxed)), (Some(Code::Internal), 1));

    let (server, _) = breaking(5, || None);
    let error = values(server.client(|c| c).evaluate_iter((0..10).map(query))).await.unwrap_err();
    assert!(error.to_string().contains("ended before every query was answered"), "{error}");

    let server = Running::streams(|asked| asked.map_ok(|q| EvaluateResponse { id: "x".into(), ..answer(q) }));
    let error = values(server.client(|c| c).evaluate_iter((0..10).map(query))).await.unwrap_err();
    assert!(error.to_string().contains("has not the id of its query"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_falls_silent_is_left_at_the_deadline() {
    let server = Running::streams(|asked| asked.map_ok(answer).take(5).chain(stream::pending()));
    let begun = Instant::now();
    let answers: Vec<_> =
        server.client(|c| c.deadline(seconds(7))).evaluate_iter((0..10).map(query)).collect().await;
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[5].as_ref().unwrap_err().code(), Some(Code::DeadlineExceeded));
    assert_eq!(begun.elapsed().as_secs(), 7);
}
