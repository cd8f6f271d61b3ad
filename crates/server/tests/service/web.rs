//! Pages of a browser, probes of a cluster, Prometheus; names of calls and of tables.

use http::HeaderValue;
use proto::v1;
use server::Config;
use tonic::Request;

use crate::support::*;

/// A message as gRPC and gRPC-Web frame it.
fn framed(message: &impl prost::Message) -> Vec<u8> {
    let body = message.encode_to_vec();
    let mut frame = vec![0];
    frame.extend((body.len() as u32).to_be_bytes());
    frame.extend(body);
    frame
}

#[tokio::test]
async fn a_page_calls_by_grpc_web_over_http_1() {
    let origins = vec![HeaderValue::from_static("https://example.org")];
    let running = Running::ready(Config { origins, ..Default::default() }).await;
    let headers =
        "content-type: application/grpc-web+proto\r\nx-grpc-web: 1\r\norigin: https://example.org\r\n";
    let body = framed(&endgame_value(&[9, 5, 2], &[]));
    let answer = running.http("POST", "/doublecross.v1.Solver/EndgameValue", headers, &body).await;
    let head = String::from_utf8_lossy(&answer);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("access-control-allow-origin: https://example.org"), "{head}");
    let expected = framed(&v1::EndgameValueResponse {
        value: 8,
        best_openings: vec![v1::Opened { opened_at: v1::OpenedAt::Middle.into(), ..chain(2) }],
        source: v1::Source::Endgame.into(),
        table: None,
    });
    assert!(answer.windows(expected.len()).any(|window| window == expected), "{head}");
    assert!(head.contains("grpc-status:0"), "the trailers are in the body: {head}");

    // Before that it asks whether it may; a page from elsewhere may not.
    let may = async |origin: &str| {
        let headers = format!(
            "origin: {origin}\r\naccess-control-request-method: POST\r\naccess-control-request-headers: \
             content-type,x-grpc-web\r\n"
        );
        let answer = running.http("OPTIONS", "/doublecross.v1.Solver/EndgameValue", &headers, b"").await;
        String::from_utf8_lossy(&answer).contains("access-control-allow-origin")
    };
    assert!(may("https://example.org").await);
    assert!(!may("https://example.com").await);
}

#[tokio::test]
async fn probes_and_metrics() {
    let (release, released) = std::sync::mpsc::channel();
    let load = move || {
        released.recv().unwrap();
        no_tables()
    };
    let running = Running::start(load, Config::default()).await;
    assert!(running.get("/healthz", "").await.starts_with("HTTP/1.1 200"));
    let starting = running.get("/readyz", "").await;
    assert!(starting.starts_with("HTTP/1.1 503") && starting.contains("being verified"), "{starting}");
    release.send(()).unwrap();
    running.until(tonic_health::pb::health_check_response::ServingStatus::Serving).await;
    assert!(running.get("/readyz", "").await.starts_with("HTTP/1.1 200"));

    let mut client = running.client().await;
    client.endgame_value(endgame_value(&[9, 5, 2], &[])).await.unwrap();
    client.endgame_value(endgame_value(&[0], &[])).await.unwrap_err();
    let solve = v1::ExactSolveRequest { position: Some(empty(2, 2)), ..Default::default() };
    client.exact_solve(solve.clone()).await.unwrap();
    client.exact_solve(solve).await.unwrap();
    for (name, count) in [
        (r#"doublecross_queries_total{kind="EndgameValue",outcome="exact",source="endgame"}"#, 1),
        (r#"doublecross_queries_total{kind="EndgameValue",outcome="invalid",source="none"}"#, 1),
        (r#"doublecross_queries_total{kind="ExactSolve",outcome="exact",source="search"}"#, 2),
        (r#"doublecross_query_seconds_count{kind="ExactSolve"}"#, 2),
        ("doublecross_cache_hits_total", 1),
        ("doublecross_table_loads_total", 1),
    ] {
        assert_eq!(running.metric(name).await, Some(count), "{name}");
    }
    assert!(running.metric("doublecross_search_nodes_total").await.unwrap() > 0);
    assert!(running.get("/metrics", "").await.contains("doublecross_tables{set=\""));
}

#[tokio::test]
async fn every_call_has_a_name_and_every_answer_its_tables() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut ask = async |id: Option<&'static str>| {
        let mut request = Request::new(endgame_value(&[3], &[]));
        if let Some(id) = id {
            request.metadata_mut().insert("x-request-id", id.parse().unwrap());
        }
        client.endgame_value(request).await.unwrap().into_parts().0
    };
    let text = |metadata: &tonic::metadata::MetadataMap, name| {
        metadata.get(name).map(|value| value.to_str().unwrap().to_owned())
    };
    let (named, one, other) = (ask(Some("a-1")).await, ask(None).await, ask(None).await);
    assert_eq!(text(&named, "x-request-id").as_deref(), Some("a-1"));
    let made = text(&one, "x-request-id").unwrap();
    assert_eq!(made.len(), 16);
    assert_ne!(Some(made), text(&other, "x-request-id"));
    // What could break a line of the log is no name.
    assert_ne!(text(&ask(Some("a b")).await, "x-request-id").as_deref(), Some("a b"));
    let limits = running.client().await.limits(v1::LimitsRequest {}).await.unwrap();
    assert_eq!(text(&named, "doublecross-table-set"), Some(limits.into_inner().table_set));
    let refused = running.client().await.endgame_value(endgame_value(&[0], &[])).await.unwrap_err();
    assert_eq!(text(refused.metadata(), "x-request-id").unwrap().len(), 16);
}
