//! `batch`: queries from standard input.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Run, Server, doublecross, run_with, shared_server, spawn, tables, timeless};

/// The queries of the contract's own documentation, as they stand there.
const EXAMPLES: &str = r#"{"id":"a","endgameValue":{"endgame":{"chains":[9,5,2]}}}
{"id":"b","takerValue":{"opened":{"chain":3},"rest":{"chains":[3]}}}
{"id":"c","exactSolve":{"position":{"rows":2,"cols":2,"edges":"000000000000"},"allMoves":true}}
"#;

fn here(input: &[u8]) -> Run {
    run_with(&["batch"], input)
}

fn there(input: &[u8]) -> Run {
    let server = shared_server();
    run_with(&["batch", "--endpoint", &server.url], input)
}

/// Both ways answer the same.
fn both(input: &[u8]) -> Run {
    let (here, there) = (here(input), there(input));
    assert_eq!(timeless(&here.stdout), timeless(&there.stdout));
    assert_eq!((here.status, &here.stderr), (there.status, &there.stderr));
    here
}

fn answers(run: &Run) -> Vec<Value> {
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_examples_are_answered_line_by_line() {
    let run = both(EXAMPLES.as_bytes());
    assert_eq!(run.status, 0, "{run:?}");
    let [a, b, c] = &answers(&run)[..] else { panic!("{run:?}") };
    assert!(run.stdout.starts_with(r#"{"id":"a","endgameValue":{"value":8,"#), "{run:?}");
    assert_eq!(a["endgameValue"]["value"], 8);
    assert_eq!(b["takerValue"]["advice"], "DECLINE");
    assert_eq!((&c["id"], &c["exactSolve"]["value"]), (&json!("c"), &json!(2)));
    assert_eq!(c["exactSolve"]["moveValues"][0], json!({"edge": 0, "value": 2}));
    assert_eq!(c["exactSolve"]["bestMoves"][0], 0);
}

#[test]
fn a_line_that_cannot_be_read_is_answered_with_its_number() {
    let input =
        format!("{EXAMPLES}\n{{\"id\":\nnonsense\n{{\"id\":\"z\",\"endgameValue\":{{\"endgame\":{{}}}}}}");
    let run = both(input.as_bytes());
    assert_eq!(run.status, 1);
    assert_eq!(run.stderr, "error: 2 of 6 lines were answered with an error\n");
    let answers = answers(&run);
    let messages: Vec<&str> = answers[3..5].iter().map(|a| a["error"]["message"].as_str().unwrap()).collect();
    assert!(messages[0].starts_with("line 5: "), "{messages:?}");
    assert!(messages[1].starts_with("line 6: "), "{messages:?}");
    assert_eq!(answers[3]["error"]["code"], "INVALID_ARGUMENT");
    assert_eq!(answers[5]["endgameValue"]["value"], 0);
}

#[test]
fn a_query_that_breaks_a_rule_fails_alone() {
    let input = r#"{"id":"x","endgameValue":{"endgame":{"loops":[5]}}}
{"id":"y"}
{"id":"z","structure":{"position":{"rows":1,"cols":1,"edges":"0000"}}}"#;
    let run = both(input.as_bytes());
    assert_eq!(run.status, 1);
    let answers = answers(&run);
    let violation =
        json!({"field": "endgame.loops[0]", "description": "a loop has an even number of boxes, not 5"});
    assert_eq!(answers[0]["error"]["violations"], json!([violation]));
    assert_eq!(answers[1]["error"]["code"], "INVALID_ARGUMENT");
    assert_eq!(answers[2]["structure"]["safeMoves"], json!([0, 1, 2, 3]));
}

#[test]
fn order_is_kept_while_searches_take_their_time() {
    let slow = |n: usize| {
        let query =
            r#""exactSolve":{"position":{"rows":3,"cols":4,"edges":"1000010100111011101100010010000"}}"#;
        format!("{{\"id\":\"{n}\",{query}}}\n")
    };
    let quick = |n: usize| {
        format!("{{\"id\":\"{n}\",\"endgameValue\":{{\"endgame\":{{\"chains\":[{}]}}}}}}\n", n % 30 + 1)
    };
    let input: String = (0..2000).map(|n| if n % 200 == 0 { slow(n) } else { quick(n) }).collect();
    for run in [here(input.as_bytes()), there(input.as_bytes())] {
        assert_eq!(run.status, 0);
        for (n, answer) in answers(&run).iter().enumerate() {
            assert_eq!(answer["id"], n.to_string());
            let value = &answer[if n % 200 == 0 { "exactSolve" } else { "endgameValue" }]["value"];
            let expected = if n % 200 == 0 { -2 } else { -((n % 30 + 1) as i64) };
            assert_eq!(value, expected, "{answer}");
        }
    }
}

#[test]
fn a_line_of_10_megabytes_is_refused_and_the_next_one_answered() {
    let mut input = vec![b'{'; 10 << 20];
    input.extend(b"\n{\"id\":\"next\",\"endgameValue\":{\"endgame\":{\"chains\":[3]}}}\n");
    let run = both(&input);
    assert_eq!(run.status, 1);
    let answers = answers(&run);
    assert_eq!(answers[0]["error"]["message"], "line 1: longer than 1048576 bytes");
    assert_eq!(answers[1]["endgameValue"]["value"], -3);
}

#[test]
fn nothing_comes_of_nothing() {
    for input in ["", "\n\n  \n"] {
        let run = both(input.as_bytes());
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    }
}

#[test]
fn every_answer_is_there_before_the_next_question() {
    let server = shared_server();
    for way in [&[][..], &["--endpoint", &server.url]] {
        let mut child =
            spawn(doublecross(&["batch"]).args(way).arg("--tables").arg(tables()).stdin(Stdio::piped()));
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut stdout = BufReader::new(stdout);
        for question in EXAMPLES.lines() {
            writeln!(stdin, "{question}").unwrap();
            let mut answer = String::new();
            stdout.read_line(&mut answer).unwrap();
            let (question, answer): (Value, Value) =
                (serde_json::from_str(question).unwrap(), serde_json::from_str(&answer).unwrap());
            assert_eq!(question["id"], answer["id"]);
        }
        drop(stdin);
        assert_eq!(stdout.read_to_string(&mut String::new()).unwrap(), 0);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn a_reader_that_has_had_enough_ends_it_quietly() {
    let server = shared_server();
    for way in [&[][..], &["--endpoint", &server.url]] {
        let mut child =
            spawn(doublecross(&["batch"]).args(way).arg("--tables").arg(tables()).stdin(Stdio::piped()));
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // It ends although its input has not.
        while stdin.write_all(EXAMPLES.as_bytes()).is_ok() {}
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    }
}

#[cfg(unix)]
#[test]
fn a_server_that_goes_away_is_named_with_what_it_left_unanswered() {
    let server = Server::start(tables(), &[]);
    let url = server.url.clone();
    let mut child = spawn(doublecross(&["batch", "--endpoint", &url]).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "{}", EXAMPLES.lines().next().unwrap()).unwrap();
    stdout.read_line(&mut String::new()).unwrap();
    assert_eq!(server.stop("TERM").0, 0);
    // It may notice at once that nobody will answer.
    let _ = writeln!(stdin, "{}", EXAMPLES.lines().next().unwrap());
    drop(stdin);
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.status, 1);
    assert!(run.stderr.starts_with(&format!("error: {url}: ")), "{run:?}");
    assert!(run.stderr.ends_with("; there is no answer to request 2 and those after it\n"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_in_whole_lines() {
    let mut child = spawn(doublecross(&["batch"]).arg("--tables").arg(tables()).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(EXAMPLES.as_bytes()).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    crate::support::signal(&child, "INT");
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.is_empty() || rest.ends_with('\n'), "{rest:?}");
    let run = Run::of(child.wait_with_output().unwrap());
    assert_eq!((run.status, run.stderr.as_str()), (1, "error: stopped before it was done\n"));
}
