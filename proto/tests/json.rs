//! The proto3 JSON of the contract, as front ends and `batch` files see it.

use proto::v1::{
    EndgameValueResponse, EvaluateRequest, EvaluateResponse, ExactSolveResponse, MoveValue, Opened, OpenedAt,
    Source, TakerValueResponse, evaluate_request::Query, evaluate_response::Answer, exact_solve_response,
    move_value, opened::Component, taker_value_response::Advice,
};
use serde_json::{json, to_value};

#[test]
fn the_example_requests_are_read() {
    let endgame = r#"{"id":"a","endgameValue":{"endgame":{"chains":[9,5,2]}}}"#;
    let taker = r#"{"id":"b","takerValue":{"opened":{"chain":3},"rest":{"chains":[3]}}}"#;
    let exact =
        r#"{"id":"c","exactSolve":{"position":{"rows":2,"cols":2,"edges":"000000000000"},"allMoves":true}}"#;

    let request: EvaluateRequest = serde_json::from_str(endgame).unwrap();
    assert!(matches!(request.query, Some(Query::EndgameValue(_))));

    let request: EvaluateRequest = serde_json::from_str(taker).unwrap();
    let Some(Query::TakerValue(query)) = request.query else { panic!("{request:?}") };
    let opened = query.opened.unwrap();
    assert_eq!(opened.component, Some(Component::Chain(3)));
    assert_eq!(opened.opened_at(), OpenedAt::End);

    let request: EvaluateRequest = serde_json::from_str(exact).unwrap();
    let Some(Query::ExactSolve(query)) = request.query else { panic!("{request:?}") };
    assert!(query.all_moves && !query.principal_variation && query.budget.is_none());
}

#[test]
fn zeros_are_printed_and_what_is_not_set_is_left_out() {
    let answer = EvaluateResponse {
        id: "a".into(),
        answer: Some(Answer::EndgameValue(EndgameValueResponse {
            value: 0,
            best_openings: vec![Opened {
                component: Some(Component::Chain(2)),
                opened_at: OpenedAt::Middle.into(),
            }],
            source: Source::Table.into(),
            table: Some("endgame-40".into()),
        })),
    };
    let printed = json!({"id": "a", "endgameValue": {
        "value": 0,
        "bestOpenings": [{"chain": 2, "openedAt": "MIDDLE"}],
        "source": "TABLE",
        "table": "endgame-40",
    }});
    assert_eq!(to_value(&answer).unwrap(), printed);

    let answer = TakerValueResponse {
        value: 0,
        take_all: 0,
        decline: None,
        advice: Advice::TakeAll.into(),
        bribe: 0,
        source: Source::Endgame.into(),
        table: None,
    };
    let printed = json!({"value": 0, "takeAll": 0, "advice": "TAKE_ALL", "bribe": 0, "source": "ENDGAME"});
    assert_eq!(to_value(&answer).unwrap(), printed);

    let answer = ExactSolveResponse {
        outcome: Some(exact_solve_response::Outcome::Value(0)),
        move_values: vec![MoveValue { edge: 0, outcome: Some(move_value::Outcome::Value(0)) }],
        source: Source::Search.into(),
        ..Default::default()
    };
    let printed = json!({
        "value": 0,
        "bestMoves": [],
        "moveValues": [{"edge": 0, "value": 0}],
        "principalVariation": [],
        "source": "SEARCH",
    });
    assert_eq!(to_value(&answer).unwrap(), printed);
}

#[test]
fn unknown_fields_two_queries_and_negative_lengths_are_refused() {
    for line in [
        r#"{"id":"a","endgameValu":{}}"#,
        r#"{"id":"a","endgameValue":{"endgame":{"chain":[3]}}}"#,
        r#"{"id":"a","endgameValue":{},"takerValue":{}}"#,
        r#"{"id":"a","endgameValue":{"endgame":{"chains":[-3]}}}"#,
        r#"{"id":"b","takerValue":{"opened":{"chain":3,"loop":4}}}"#,
        r#"{"id":"b","takerValue":{"opened":{"chain":3,"openedAt":"BOTTOM"}}}"#,
    ] {
        assert!(serde_json::from_str::<EvaluateRequest>(line).is_err(), "{line}");
    }
}

#[test]
fn the_descriptors_hold_the_service_with_its_comments() {
    use prost::Message as _;
    let set = prost_types::FileDescriptorSet::decode(proto::FILE_DESCRIPTOR_SET).unwrap();
    let file = set.file.iter().find(|f| f.name() == "doublecross/v1/solver.proto").unwrap();
    assert_eq!(file.package(), "doublecross.v1");
    let methods: Vec<_> = file.service[0].method.iter().map(|m| m.name()).collect();
    assert_eq!(
        methods,
        [
            "EndgameValue",
            "TakerValue",
            "ExactSolve",
            "Structure",
            "BestMove",
            "EndgameAdvice",
            "Controller",
            "Nimstring",
            "ReviewGame",
            "Evaluate",
            "EvaluateBatch",
            "Limits"
        ]
    );
    let comments = file.source_code_info.iter().flat_map(|info| &info.location);
    assert!(comments.into_iter().any(|l| l.leading_comments().contains("Exact play")));
}
