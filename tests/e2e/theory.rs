//! Measurements and reviews, as a person or a script asks for them.

use serde_json::Value;

use crate::support::{run, run_with};

/// A short measurement says which claims hold, in text, as JSON and in a file, the same every time.
#[test]
fn a_measurement_has_the_same_outcome_every_time() {
    let names = ["taker-values", "identity", "structure", "perfect"];
    let args: Vec<&str> = ["measure", "--games", "10"].into_iter().chain(names).collect();
    let first = run(&args);
    assert_eq!(first.status, 0, "{first:?}");
    assert!(first.stdout.contains("- holds: with nothing behind, take everything"), "{first:?}");
    assert!(!first.stdout.contains("FAILS"), "{first:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("found.md");
    let path = file.to_str().unwrap();
    let again = run(&[&args[..], &["--json", "--write", path]].concat());
    let rows: Vec<Value> = again.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(found, ["identity", "taker-values", "perfect", "structure"]);
    assert!(rows.iter().all(|row| row["ok"] == true));
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.ends_with(first.stdout.trim_start()), "{written}");
}

/// The moves of a game from standard input, with blanks or commas, and what JSON says of them.
#[test]
fn a_record_is_read_from_standard_input() {
    let review = run_with(&["review", "2x2", "-", "--json"], b"0, 5, 1, 4\n2 10 3 11 7 6 8 9\n").json();
    assert_eq!(
        review["result"],
        serde_json::json!({"kind": "FULL_BOARD", "winner": "FIRST", "first": 3, "second": 1})
    );
    assert_eq!((&review["losingMove"], &review["provenFrom"]), (&Value::from(8), &Value::from(0)));
    assert_eq!(review["moves"][0]["before"]["value"], 2);
    assert_eq!(review["moves"][0]["lost"], 0);
}
