//! Health, reflection, deadlines, shutdown.

use std::sync::mpsc;
use std::time::Duration;

use proto::v1::evaluate_request::Query;
use proto::v1::exact_solve_response::Outcome;
use server::{Config, Limits, ServeError};
use tokio::net::TcpStream;
use tokio_stream::StreamExt as _;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt as _;

use crate::raw::Raw;
use crate::support::*;

fn health_of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.into() }
}

#[tokio::test]
async fn health_follows_the_tables_and_queries_wait_for_neither() {
    let (release, released) = mpsc::channel();
    let load = move || {
        released.recv().unwrap();
        no_tables()
    };
    let running = Running::start(load, Config::default()).await;
    let mut health = HealthClient::new(running.channel().await);
    let mut client = running.client().await;
    for service in ["", SOLVER] {
        let status = health.check(health_of(service)).await.unwrap().into_inner().status();
        assert_eq!(status, ServingStatus::NotServing);
    }
    assert_eq!(health.check(health_of("nobody")).await.unwrap_err().code(), Code::NotFound);
    let refused = client.endgame_value(endgame_value(&[9, 5, 2], &[])).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert!(refused.message().contains("tables are being verified"), "{refused}");
    assert_eq!(refused.get_details_retry_info().unwrap().retry_delay, Some(Duration::from_secs(1)));
    let refused = client.evaluate(tokio_stream::empty()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);

    let mut watch = health.watch(health_of("")).await.unwrap().into_inner();
    let mut next = async || in_time(watch.message()).await.unwrap().map(|m| m.status());
    assert_eq!(next().await, Some(ServingStatus::NotServing));
    release.send(()).unwrap();
    assert_eq!(next().await, Some(ServingStatus::Serving));
    running.until(ServingStatus::Serving).await;
    let answer = client.endgame_value(endgame_value(&[9, 5, 2], &[])).await.unwrap();
    assert_eq!(answer.into_inner().value, 8);

    let address = running.address;
    let stopped = running.stop();
    assert_eq!(next().await, Some(ServingStatus::NotServing));
    assert_eq!(next().await, None);
    in_time(stopped).await.unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_server_can_be_stopped_before_it_is_ready() {
    let (release, released) = mpsc::channel::<()>();
    let load = move || {
        let _ = released.recv();
        no_tables()
    };
    let running = Running::start(load, Config::default()).await;
    in_time(running.stop()).await.unwrap().unwrap();
    drop(release);
}

#[tokio::test]
async fn tables_that_cannot_be_loaded_end_the_server() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let load = || panic!("on purpose");
    let served = server::serve(listener, load, Config::default(), signals(std::future::pending()));
    assert!(matches!(in_time(served).await, Err(ServeError::Load(_))));
}

/// Both versions of the reflection protocol have the same messages under different names.
macro_rules! reflection_test {
    ($version:ident) => {
        #[tokio::test]
        async fn $version() {
            use pb::server_reflection_client::ServerReflectionClient;
            use pb::server_reflection_request::MessageRequest;
            use pb::server_reflection_response::MessageResponse;
            use tonic_reflection::pb::$version as pb;

            let running = Running::ready(Config::default()).await;
            let mut client = ServerReflectionClient::new(running.channel().await);
            let ask = |message_request| pb::ServerReflectionRequest {
                host: String::new(),
                message_request: Some(message_request),
            };
            let requests = [
                ask(MessageRequest::ListServices(String::new())),
                ask(MessageRequest::FileContainingSymbol(SOLVER.into())),
                ask(MessageRequest::FileContainingSymbol("grpc.health.v1.Health".into())),
                ask(MessageRequest::FileByFilename("doublecross/v1/position.proto".into())),
            ];
            let mut answers =
                client.server_reflection_info(tokio_stream::iter(requests)).await.unwrap().into_inner();
            let mut next = async || answers.message().await.unwrap().unwrap().message_response.unwrap();
            let MessageResponse::ListServicesResponse(list) = next().await else { panic!() };
            let names: Vec<_> = list.service.into_iter().map(|s| s.name).collect();
            let own = concat!("grpc.reflection.", stringify!($version), ".ServerReflection");
            for name in [SOLVER, "grpc.health.v1.Health", own] {
                assert!(names.iter().any(|n| n == name), "{names:?}");
            }
            for _ in 0..3 {
                let found = next().await;
                assert!(matches!(found, MessageResponse::FileDescriptorResponse(_)), "{found:?}");
            }
        }
    };
}

mod reflection {
    use super::*;
    reflection_test!(v1);
    reflection_test!(v1alpha);
}

#[tokio::test]
async fn a_passed_deadline_ends_the_call_and_its_search() {
    let running = Running::ready(limited(Limits { searches: 1, ..Default::default() })).await;
    let mut raw = Raw::connect(&running).await;
    let deadline_exceeded = (Code::DeadlineExceeded as i32).to_string();
    // Both wait for the same place; neither gets an answer, and the place is free again.
    let first = raw.call("ExactSolve", "200m", &endless(), false).await;
    let second = raw.call("ExactSolve", "200m", &endless(), false).await;
    assert_eq!(first.finish().await, (0, deadline_exceeded.clone()));
    assert_eq!(second.finish().await, (0, deadline_exceeded.clone()));
    // A deadline that is already over.
    let late = raw.call("EndgameValue", "0n", &endgame_value(&[3], &[]), false).await;
    assert_eq!(late.finish().await, (0, deadline_exceeded));
    let solved = in_time(running.client().await.exact_solve(exact_solve(empty(2, 3)))).await.unwrap();
    assert_eq!(solved.into_inner().outcome, Some(Outcome::Value(-2)));
}

#[tokio::test]
async fn a_passed_deadline_ends_a_stream_after_the_answers_it_gave() {
    let running = Running::ready(Config::default()).await;
    let mut raw = Raw::connect(&running).await;
    let request = item("a", Query::EndgameValue(endgame_value(&[9, 5, 2], &[])));
    let stream = raw.call("Evaluate", "300m", &request, true).await;
    let (bytes, status) = stream.finish().await;
    assert!(bytes > 0);
    assert_eq!(status, (Code::DeadlineExceeded as i32).to_string());
}

#[tokio::test]
async fn a_dropped_call_cancels_its_search() {
    let running = Running::ready(limited(Limits { searches: 1, ..Default::default() })).await;
    let mut client = running.client().await;
    let mut impatient = client.clone();
    let dropped = tokio::time::timeout(Duration::from_millis(200), impatient.exact_solve(endless())).await;
    assert!(dropped.is_err());
    let solved = in_time(client.exact_solve(exact_solve(empty(2, 3)))).await.unwrap().into_inner();
    assert_eq!(solved.outcome, Some(Outcome::Value(-2)));
}

#[tokio::test]
async fn on_shutdown_calls_are_finished_and_streams_end_once_idle() {
    let running = Running::ready(Config { drain: PATIENCE, ..Default::default() }).await;
    let mut raw = Raw::connect(&running).await;
    let search = raw.call("ExactSolve", "1M", &search_for(300), false).await;
    // One connection is read in order: once this is answered the server has the search, too.
    raw.call("EndgameValue", "1M", &endgame_value(&[3], &[]), false).await.finish().await;

    let mut client = running.client().await;
    // Both go in one frame, so the server has read the second when it answers the first.
    let requests = [
        item("first", Query::EndgameValue(endgame_value(&[9, 5, 2], &[]))),
        item("second", Query::ExactSolve(search_for(100))),
    ];
    let requests = tokio_stream::iter(requests).chain(tokio_stream::pending());
    let mut answers = client.evaluate(requests).await.unwrap().into_inner();
    assert_eq!(in_time(answers.message()).await.unwrap().unwrap().id, "first");
    let stopped = running.stop();
    assert_eq!(in_time(answers.message()).await.unwrap().unwrap().id, "second");
    let ended = in_time(answers.message()).await.unwrap_err();
    assert_eq!(ended.code(), Code::Unavailable);
    assert!(ended.message().contains("shutting down"), "{ended}");

    let (bytes, status) = search.finish().await;
    assert!(bytes > 0);
    assert_eq!(status, (Code::Ok as i32).to_string());
    in_time(stopped).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_runs_on_past_the_drain_is_ended() {
    let config = Config { drain: Duration::from_millis(100), ..Default::default() };
    let running = Running::ready(config).await;
    let mut client = running.client().await;
    let requests = [
        item("first", Query::EndgameValue(endgame_value(&[9, 5, 2], &[]))),
        item("endless", Query::ExactSolve(endless())),
    ];
    let mut answers = client.evaluate(tokio_stream::iter(requests)).await.unwrap().into_inner();
    assert_eq!(in_time(answers.message()).await.unwrap().unwrap().id, "first");
    let stopped = running.stop();
    assert_eq!(in_time(answers.message()).await.unwrap_err().code(), Code::Unavailable);
    in_time(stopped).await.unwrap().unwrap();
}
