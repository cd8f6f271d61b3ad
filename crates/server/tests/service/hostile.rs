//! What breaks a rule is refused, with the field and the rule; nothing is repaired.

use game::{Board, Position};
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, position::Drawing};
use server::{Config, Limits, MAX_BATCH};
use tonic::Code;

use crate::raw::Raw;
use crate::support::*;

/// Positions that are none, the field at fault, and words the rule must have.
fn positions() -> Vec<(Option<v1::Position>, &'static str, &'static str)> {
    let drawn = |rows, cols, bits: &[u8]| v1::Position {
        rows,
        cols,
        drawing: Some(Drawing::Drawn(bits.into())),
        score: None,
    };
    let scored =
        |position, mover, other| v1::Position { score: Some(v1::Score { mover, other }), ..position };
    let square = "000000000000";
    vec![
        (None, "position", "required"),
        (Some(v1::Position { rows: 2, cols: 2, ..Default::default() }), "position.edges", "required"),
        (Some(text(0, 2, square)), "position.rows", "1 to 32 boxes, not 0"),
        (Some(text(33, 2, square)), "position.rows", "1 to 32 boxes, not 33"),
        (Some(text(2, 0, square)), "position.cols", "1 to 32 boxes, not 0"),
        (Some(text(2, u32::MAX, square)), "position.cols", "1 to 32 boxes, not 4294967295"),
        (Some(text(2, 2, "")), "position.edges", "12 edges"),
        (Some(text(2, 2, &square[1..])), "position.edges", "12 edges"),
        (Some(text(2, 2, format!("{square}0"))), "position.edges", "12 edges"),
        (Some(text(2, 2, "00000000000x")), "position.edges", "character 11 is 'x'"),
        (Some(text(2, 2, "0000 0000000")), "position.edges", "character 4 is ' '"),
        (Some(text(2, 2, "00000000000０")), "position.edges", "character 11"),
        (Some(drawn(2, 2, &[0])), "position.drawn", "2 bytes, not 1"),
        (Some(drawn(2, 2, &[0, 0, 0])), "position.drawn", "2 bytes, not 3"),
        (Some(drawn(2, 2, &[0, 0b0001_0000])), "position.drawn", "bit 12 of drawn must be 0"),
        (Some(drawn(2, 2, &[0, 0b1000_0000])), "position.drawn", "bit 15 of drawn must be 0"),
        (Some(scored(empty(2, 2), 1, 0)), "position.score", "add up to the closed boxes, 0"),
        (Some(scored(text(1, 1, "1111"), 0, 0)), "position.score", "add up to the closed boxes, 1"),
        (Some(scored(text(1, 1, "1111"), u32::MAX, 2)), "position.score", "add up to the closed boxes, 1"),
    ]
}

/// Endgames that are none.
fn endgames() -> Vec<(v1::Endgame, &'static str, &'static str)> {
    vec![
        (endgame(&[5, 3, 0], &[]), "chains[2]", "at least 1 box"),
        (endgame(&[], &[4, 3]), "loops[1]", "at least 4 boxes"),
        (endgame(&[3], &[5]), "loops[0]", "even number"),
        (endgame(&[], &[2]), "loops[0]", "at least 4 boxes"),
        (endgame(&[], &[0]), "loops[0]", "at least 4 boxes"),
        (endgame(&[1; 1025], &[]), "", "at most 1024 chains and loops, not 1025"),
        (endgame(&[1; 1000], &[4; 25]), "", "at most 1024 chains and loops, not 1025"),
        (endgame(&[4096, 1], &[]), "", "at most 4096 boxes in all, not 4097"),
        (endgame(&[4093], &[4]), "", "at most 4096 boxes in all, not 4097"),
        (endgame(&[u32::MAX, u32::MAX], &[]), "", "at most 4096 boxes"),
    ]
}

/// Opened components that are none.
fn openings() -> Vec<(Option<v1::Opened>, &'static str, &'static str)> {
    let at = |opened_at, opened| Some(v1::Opened { opened_at, ..opened });
    let middle = v1::OpenedAt::Middle.into();
    vec![
        (None, "opened", "required"),
        (Some(v1::Opened::default()), "opened.chain", "required"),
        (Some(chain(0)), "opened.chain", "at least 1 box"),
        (Some(ring(3)), "opened.loop", "at least 4 boxes"),
        (Some(ring(5)), "opened.loop", "even number"),
        (Some(chain(4097)), "opened.chain", "at most 4096 boxes"),
        (Some(ring(4098)), "opened.loop", "at most 4096 boxes"),
        (Some(chain(u32::MAX)), "opened.chain", "at most 4096 boxes in all, not 4294967295"),
        (at(middle, chain(3)), "opened.opened_at", "only a 2-chain"),
        (at(middle, chain(1)), "opened.opened_at", "only a 2-chain"),
        (at(middle, ring(4)), "opened.opened_at", "only a 2-chain"),
        (at(2, chain(2)), "opened.opened_at", "END (0) or MIDDLE (1), not 2"),
        (at(-1, chain(2)), "opened.opened_at", "END (0) or MIDDLE (1), not -1"),
    ]
}

/// Every query that breaks a rule, the field at fault, and words the rule must have.
/// Records of games that are none.
fn records() -> Vec<(v1::ReviewGameRequest, &'static str, &'static str)> {
    let record = |rows, cols, moves: &[u32], ending| v1::ReviewGameRequest {
        rows,
        cols,
        moves: moves.to_vec(),
        ending,
        budget: None,
    };
    vec![
        (record(0, 2, &[], 0), "rows", "1 to 32 boxes, not 0"),
        (record(2, 33, &[], 0), "cols", "1 to 32 boxes, not 33"),
        (record(1, 1, &[0, 1, 4], 0), "moves[2]", "edges 0 to 3, not 4"),
        (record(1, 1, &[0, 1, 0], 0), "moves[2]", "edge 0 is drawn already"),
        (record(1, 1, &[0, 1, 2, 3, 3], 0), "moves[4]", "edge 3 is drawn already"),
        (record(2, 2, &[u32::MAX], 0), "moves[0]", "not 4294967295"),
        (record(2, 2, &[0], 4), "ending", "must be STOPPED (0)"),
        (record(2, 2, &[0], -1), "ending", "not -1"),
        (record(1, 1, &[0, 1, 2, 3], 1), "ending", "every edge is drawn"),
        (record(1, 1, &[0, 1, 2, 3], 2), "ending", "every edge is drawn"),
    ]
}

fn queries() -> Vec<(Query, String, &'static str)> {
    let mut all = Vec::new();
    for (position, field, rule) in positions() {
        let solve = v1::ExactSolveRequest { position: position.clone(), ..Default::default() };
        all.push((Query::ExactSolve(solve), field.into(), rule));
        let player = "perfect".to_owned();
        let best = v1::BestMoveRequest { position: position.clone(), player, ..Default::default() };
        all.push((Query::BestMove(best), field.into(), rule));
        let advice = v1::EndgameAdviceRequest { position: position.clone(), budget: None };
        all.push((Query::EndgameAdvice(advice), field.into(), rule));
        let control = v1::ControllerRequest { position: position.clone() };
        all.push((Query::Controller(control), field.into(), rule));
        let nimstring = v1::NimstringRequest { position: position.clone(), budget: None };
        all.push((Query::Nimstring(nimstring), field.into(), rule));
        all.push((Query::Structure(v1::StructureRequest { position }), field.into(), rule));
    }
    for (set, field, rule) in endgames() {
        let at = |name: &str| if field.is_empty() { name.into() } else { format!("{name}.{field}") };
        all.push((Query::TakerValue(taker_value(chain(3), set.clone())), at("rest"), rule));
        let value = v1::EndgameValueRequest { endgame: Some(set) };
        all.push((Query::EndgameValue(value), at("endgame"), rule));
    }
    all.push((Query::EndgameValue(v1::EndgameValueRequest::default()), "endgame".into(), "required"));
    for (opened, field, rule) in openings() {
        all.push((Query::TakerValue(v1::TakerValueRequest { opened, rest: None }), field.into(), rule));
    }
    for (player, rule) in
        [("", "required"), ("Perfect", "there is no player"), ("within:-1", "there is no player")]
    {
        let best =
            v1::BestMoveRequest { position: Some(empty(2, 2)), player: player.into(), ..Default::default() };
        all.push((Query::BestMove(best), "player".into(), rule));
    }
    for (record, field, rule) in records() {
        all.push((Query::ReviewGame(record), field.into(), rule));
    }
    let position = Some(empty(8, 8));
    let nimstring = v1::NimstringRequest { position, budget: None };
    all.push((Query::Nimstring(nimstring), "position".into(), "at most 128 free edges"));
    all.push((Query::ExactSolve(exact_solve(empty(8, 8))), "position".into(), "at most 128 free edges"));
    all.push((Query::ExactSolve(exact_solve(free_edges(129))), "position".into(), "not 129"));
    all
}

/// An 8x8 board with so many of its 144 edges free, all of them in need of search.
fn free_edges(free: usize) -> v1::Position {
    let board = Board::new(8, 8).unwrap();
    // The top and bottom border: every box keeps three free edges.
    let border = (0..8).flat_map(|c| [board.h(0, c), board.h(8, c)]);
    let position = Position::with_drawn(board, border.take(board.edges() - free));
    text(8, 8, position.to_string())
}

#[tokio::test]
async fn unary_calls_name_the_field_and_the_rule() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    for (query, field, rule) in queries() {
        let shown = format!("{query:?}");
        let status = match query {
            Query::EndgameValue(q) => client.endgame_value(q).await.map(drop),
            Query::TakerValue(q) => client.taker_value(q).await.map(drop),
            Query::ExactSolve(q) => client.exact_solve(q).await.map(drop),
            Query::Structure(q) => client.structure(q).await.map(drop),
            Query::BestMove(q) => client.best_move(q).await.map(drop),
            Query::EndgameAdvice(q) => client.endgame_advice(q).await.map(drop),
            Query::Controller(q) => client.controller(q).await.map(drop),
            Query::Nimstring(q) => client.nimstring(q).await.map(drop),
            Query::ReviewGame(q) => client.review_game(q).await.map(drop),
        };
        let status = status.expect_err(&shown);
        assert_eq!(status.code(), Code::InvalidArgument, "{shown}");
        let found = violations(&status);
        assert_eq!(found.len(), 1, "{shown}: {found:?}");
        assert_eq!(found[0].0, field, "{shown}");
        assert!(found[0].1.contains(rule), "{shown}: {found:?}");
        assert!(status.message().contains(&found[0].1), "{shown}: {}", status.message());
    }
}

#[tokio::test]
async fn in_a_batch_each_bad_item_fails_alone_with_the_same_words() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut requests = Vec::new();
    for (i, (query, ..)) in queries().into_iter().enumerate() {
        requests.push(item(format!("bad {i}"), query));
        requests.push(item(format!("good {i}"), Query::EndgameValue(endgame_value(&[9, 5, 2], &[]))));
    }
    requests.push(v1::EvaluateRequest { id: "none".into(), query: None });
    let batch = v1::EvaluateBatchRequest { requests: requests.clone() };
    let responses = client.evaluate_batch(batch).await.unwrap().into_inner().responses;
    assert_eq!(responses.len(), requests.len());
    let mut expected = queries().into_iter().map(|(_, field, rule)| (field, rule)).collect::<Vec<_>>();
    expected.push(("query".into(), "required"));
    let mut expected = expected.into_iter();
    for (request, response) in requests.iter().zip(&responses) {
        assert_eq!(request.id, response.id);
        match response.answer.as_ref().unwrap() {
            Answer::EndgameValue(answer) => assert_eq!(answer.value, 8),
            Answer::Error(error) => {
                let (field, rule) = expected.next().unwrap();
                assert_eq!(error.code(), v1::error::Code::InvalidArgument);
                assert_eq!(error.violations.len(), 1, "{error:?}");
                assert_eq!(error.violations[0].field, field);
                assert!(error.violations[0].description.contains(rule), "{error:?}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(expected.next(), None);
}

#[tokio::test]
async fn everything_wrong_with_a_taker_is_said_at_once() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let status = client.taker_value(taker_value(chain(0), endgame(&[], &[5]))).await.unwrap_err();
    let fields: Vec<_> = violations(&status).into_iter().map(|(field, _)| field).collect();
    assert_eq!(fields, ["opened.chain", "rest.loops[0]"]);
}

#[tokio::test]
async fn a_refusal_does_not_wait_behind_a_search() {
    let running = Running::ready(limited(Limits { searches: 1, ..Default::default() })).await;
    let mut raw = Raw::connect(&running).await;
    let _search = raw.call("ExactSolve", "1H", &endless(), false).await;
    let refused = raw.call("ExactSolve", "1H", &exact_solve(free_edges(129)), false).await;
    assert_eq!(refused.finish().await, (0, (Code::InvalidArgument as i32).to_string()));
}

#[tokio::test]
async fn as_many_free_edges_as_the_limit_are_taken() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let budget = Some(v1::Budget { max_nodes: Some(0), max_millis: None, ..Default::default() });
    let request = v1::ExactSolveRequest { budget, ..exact_solve(free_edges(128)) };
    let answer = client.exact_solve(request).await.unwrap().into_inner();
    assert!(answer.stats.unwrap().budget_exhausted);
}

#[tokio::test]
async fn a_message_of_ten_megabytes_is_refused_and_the_next_is_answered() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let huge = exact_solve(text(2, 2, "0".repeat(10_000_000)));
    let status = client.exact_solve(huge.clone()).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange);
    assert!(status.message().contains("too large") && status.message().contains("4194304"), "{status}");

    let huge = item("huge", Query::ExactSolve(huge));
    let small = item("small", Query::EndgameValue(endgame_value(&[9, 5, 2], &[])));
    let mut answers = client.evaluate(tokio_stream::iter([small, huge])).await.unwrap().into_inner();
    assert_eq!(answers.message().await.unwrap().unwrap().id, "small");
    assert_eq!(answers.message().await.unwrap_err().code(), Code::OutOfRange);
    assert_eq!(client.endgame_value(endgame_value(&[], &[])).await.unwrap().into_inner().value, 0);
}

#[tokio::test]
async fn a_batch_past_the_limit_is_refused_and_one_at_it_is_answered() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let one = item("", Query::EndgameValue(endgame_value(&[3], &[])));
    let mut requests = vec![one; MAX_BATCH];
    let batch = v1::EvaluateBatchRequest { requests: requests.clone() };
    assert_eq!(client.evaluate_batch(batch).await.unwrap().into_inner().responses.len(), MAX_BATCH);
    requests.push(requests[0].clone());
    let status = client.evaluate_batch(v1::EvaluateBatchRequest { requests }).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let [(field, rule)] = &violations(&status)[..] else { panic!("{status:?}") };
    assert_eq!(field, "requests");
    assert!(rule.contains("at most 10000 requests, not 10001"), "{rule}");
}
