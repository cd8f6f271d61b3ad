//! `endgame`: chains and loops.

use serde_json::json;

use crate::support::{run, run_both_ways, run_over};

#[test]
fn chains_of_9_5_and_2_are_worth_8_to_the_opener() {
    let text = run_both_ways(&["endgame", "--chains", "9,5,2"]);
    assert_eq!(text.status, 0);
    assert_eq!(text.line("value"), "+8 for the player who must open");
    assert_eq!(text.line("best"), "open the 2-chain in its middle");
    assert_eq!(text.line("source"), "table endgame-40");

    let json = run_both_ways(&["endgame", "--chains", "9,5,2", "--json"]);
    let expected = r#"{"value":8,"bestOpenings":[{"openedAt":"MIDDLE","chain":2}],"source":"TABLE","table":"endgame-40"}"#;
    assert_eq!(json.json(), serde_json::from_str::<serde_json::Value>(expected).unwrap());
    assert_eq!(json.stdout.lines().count(), 1);
}

#[test]
fn every_way_to_open_is_priced_and_the_taker_advised() {
    let text = run_both_ways(&["endgame", "--chains", "9,5,2", "--loops", "4"]);
    for way in ["2-chain in its middle", "2-chain at its end", "5-chain", "9-chain", "4-loop"] {
        assert_eq!(text.stdout.lines().filter(|l| l.starts_with(way)).count(), 1, "{text:?}");
    }
    assert!(text.stdout.contains("there is no way to decline"), "{text:?}");
}

#[test]
fn the_taker_of_a_3_chain_with_another_behind_it_declines() {
    let args = ["endgame", "--opened", "chain:3", "--chains", "3"];
    let text = run_both_ways(&args);
    assert!(text.line("value").starts_with("+2 for the taker, who declines"), "{text:?}");
    assert_eq!(text.line("why"), "opening the rest costs 3 boxes, more than the 2 a decline leaves");

    let json = run_both_ways(&[&args[..], &["--json"]].concat()).json();
    let expected = json!({
        "value": 2, "takeAll": 0, "decline": 2, "advice": "DECLINE", "bribe": 2,
        "source": "TABLE", "table": "endgame-40",
    });
    assert_eq!(json, expected);
}

#[test]
fn a_2_chain_opened_in_its_middle_cannot_be_declined() {
    let json = run(&["endgame", "--opened", "chain:2", "--middle", "--loops", "8", "--json"]).json();
    assert_eq!((&json["advice"], json.get("decline")), (&json!("TAKE_ALL"), None));
    let json = run(&["endgame", "--opened", "chain:2", "--loops", "8", "--json"]).json();
    assert_eq!(json["advice"], "DECLINE");
}

#[test]
fn past_the_table_the_theory_answers() {
    let json = run_both_ways(&["endgame", "--chains", "100,100", "--json"]).json();
    assert_eq!(json["value"], -(2 * 96 + 4));
    assert_eq!(json["source"], "ENDGAME");
}

#[test]
fn an_endgame_of_4096_boxes_is_answered_and_one_of_4097_is_refused() {
    let chains = ["3"; 1023].join(",");
    let fits = run(&["endgame", "--chains", &format!("{chains},1027"), "--json"]).json();
    assert_eq!(fits["source"], "ENDGAME");
    let refused = run_both_ways(&["endgame", "--chains", &format!("{chains},1028")]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("at most 4096 boxes in all, not 4097"), "{refused:?}");
}

#[test]
fn a_broken_rule_is_the_same_sentence_here_and_there() {
    for (args, sentence) in [
        (&["--loops", "4,5"][..], "error: endgame.loops[1]: a loop has an even number of boxes, not 5\n"),
        (&["--chains", "9,0"], "error: endgame.chains[1]: a chain has at least 1 box, not 0\n"),
        (
            &["--opened", "chain:3", "--middle"],
            "error: opened.opened_at: only a 2-chain can be opened in its middle, not a 3-chain\n",
        ),
        (&["--opened", "loop:3"], "error: opened.loop: a loop has at least 4 boxes, not 3\n"),
    ] {
        let refused = run_both_ways(&[&["endgame"], args].concat());
        assert_eq!((refused.status, refused.stderr.as_str()), (2, sentence));
        assert_eq!(refused.stdout, "");
    }
}

#[test]
fn without_tables_the_value_is_the_same() {
    let here = run_over("no/such/folder".as_ref(), &["endgame", "--chains", "9,5,2"]);
    assert_eq!(here.line("value"), "+8 for the player who must open");
    assert_eq!(here.line("source"), "endgame theory");
    assert_eq!(here.stderr.lines().count(), 1, "{here:?}");
    assert!(here.stderr.contains("no/such/folder"), "{here:?}");
}
