//! `solve` and `structure`: positions.

use serde_json::{Value, json};

use crate::support::{Run, doublecross, run, run_both_ways, signal, spawn, tables};

/// A 4x4 board that has come apart into chains of 9, 5 and 2 boxes: its free edges.
const CHAINS_9_5_2: [usize; 19] = [
    0, 21, 1, // 2: down from the top, right, up again
    2, 23, 7, 11, 15, 19, // 5: down from the top, right, down the right side and out
    25, 26, 27, 10, 32, 31, 12, 36, 37, 18, // 9: in from the left, and down in a snake
];

fn chains_9_5_2() -> String {
    (0..40).map(|e| if CHAINS_9_5_2.contains(&e) { '0' } else { '1' }).collect()
}

#[test]
fn a_board_of_chains_goes_through_structure_endgame_and_solve_to_the_same_8() {
    let edges = chains_9_5_2();
    let structure = run_both_ways(&["structure", "4x4", &edges, "--json"]).json();
    assert_eq!(structure["decomposed"], true);
    assert_eq!(structure["searchEdges"], 0);
    let lengths: Vec<u64> =
        structure["endgame"]["chains"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let mut sorted = lengths.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [2, 5, 9]);

    let list = lengths.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let endgame = run_both_ways(&["endgame", "--chains", &list, "--json"]).json();
    let solve = run_both_ways(&["solve", "4x4", &edges, "--json"]).json();
    assert_eq!((&endgame["value"], &solve["value"]), (&json!(8), &json!(8)));
    // The middle of the 2-chain.
    assert_eq!(solve["bestMoves"], json!([21]));
    assert_eq!(solve["source"], "ENDGAME");
}

#[test]
fn structure_tells_people_what_to_ask_next() {
    let text = run_both_ways(&["structure", "4x4", &chains_9_5_2()]);
    assert_eq!(text.line("2-chain"), "isolated: ground -0- 0 -21- 1 -1- ground");
    assert_eq!(text.line("endgame"), "all that is left: `doublecross endgame --chains 9,5,2`");
    assert_eq!(text.line("safe"), "moves   none");
    assert!(text.stdout.starts_with("+ 0  + 1  + 2  +----+\n"), "{}", text.stdout);
}

#[test]
fn structure_draws_loops_joints_and_opened_chains() {
    // A 2x2 board with its border drawn is a loop of four.
    let ring = run_both_ways(&["structure", "2x2", "110011101101"]);
    assert_eq!(ring.line("4-loop"), "0 -7- 1 -3- 3 -10- 2 -2- 0");
    // One side of the first box gone from a 1x3 corridor: opened at the left.
    let opened = run_both_ways(&["structure", "1x3", "--drawn", "0,1,2,3,4,5,6"]);
    assert_eq!(opened.line("3-chain"), "half-open: ground -9- 2 -8- 1 -7- 0");
    assert_eq!(opened.line("captures"), "7");
    let empty = run_both_ways(&["structure", "2x2"]);
    assert_eq!(empty.stdout.lines().filter(|l| l.starts_with("joint")).count(), 4);
    // Two boxes that share their last edge are no loop.
    let pair = run_both_ways(&["structure", "1x2", "1111101", "--json"]).json();
    assert_eq!(pair["loops"], json!([]));
    assert_eq!(pair["chains"][0]["state"], "OPEN");
}

#[test]
fn the_empty_2x2_board_is_worth_2() {
    let text = run_both_ways(&["solve", "2x2", "--moves", "--pv"]);
    assert_eq!(text.line("value"), "+2 for the player to move");
    assert!(text.line("source").starts_with("table board-2x2"));
    assert_eq!(text.line("line").split(' ').count(), 12);
    let json = run_both_ways(&["solve", "2x2", "000000000000", "--moves", "--json"]).json();
    assert_eq!(json["value"], 2);
    assert_eq!(json["moveValues"].as_array().unwrap().len(), 12);
    let best: Vec<&Value> =
        json["moveValues"].as_array().unwrap().iter().filter(|m| m["value"] == 2).collect();
    let best: Vec<Value> = best.into_iter().map(|m| m["edge"].clone()).collect();
    assert_eq!(json["bestMoves"], Value::Array(best));
}

#[test]
fn edges_can_be_a_string_or_a_list_of_numbers() {
    let string = run(&["solve", "3x3", "111101010111100101101001", "--json"]).json();
    let list = run(&["solve", "3x3", "--drawn", "0,1,2,3,5,7,9,10,11,12,15,17,18,20,23", "--json"]).json();
    assert_eq!(string["value"], -1);
    assert_eq!(string["bestMoves"], list["bestMoves"]);
    assert_eq!(string["value"], list["value"]);
}

#[test]
fn the_values_of_small_empty_boards_are_the_known_ones() {
    for (size, value) in
        [("1x7", -1), ("7x1", -1), ("1x4", 0), ("2x3", -2), ("3x2", -2), ("4x2", 2), ("3x3", -3)]
    {
        let json = run_both_ways(&["solve", size, "--json"]).json();
        assert_eq!((&json["value"], &json["source"]), (&json!(value), &json!("TABLE")), "{size}");
    }
}

#[test]
fn what_no_table_has_is_searched() {
    // 32 edges, one more than the largest board of the default set.
    let json = run_both_ways(&["solve", "2x6", "--time", "60s", "--json"]).json();
    assert_eq!((&json["value"], &json["source"]), (&json!(2), &json!("SEARCH")));
    assert!(json["stats"]["nodes"].as_str().unwrap().parse::<u64>().unwrap() > 0);
}

#[test]
fn what_is_left_of_a_large_board_is_looked_up_on_the_board_it_fits() {
    // A 3x4 board in the corner of a 9x9 one, everything else closed: its edges to the ground are the top and the left.
    let drawn: Vec<String> = (0..180)
        .filter(|&e| {
            let (r, c) = if e < 90 { (e / 9, e % 9) } else { ((e - 90) / 10, (e - 90) % 10) };
            !(r < 3 && c < 4)
        })
        .map(|e: i32| e.to_string())
        .collect();
    let json = run_both_ways(&["solve", "9x9", "--drawn", &drawn.join(","), "--moves", "--json"]).json();
    assert_eq!((&json["source"], &json["table"]), (&json!("TABLE"), &json!("board-3x4")), "{json}");
    // The same with the other two borders drawn on the small board itself.
    let small = run_both_ways(&["solve", "3x4", "--drawn", "12,13,14,15,20,25,30", "--json"]).json();
    assert_eq!(json["value"], small["value"]);
    let edges = |json: &serde_json::Value| json["bestMoves"].as_array().unwrap().len();
    assert_eq!(edges(&json), edges(&small));
    assert_eq!(json["moveValues"].as_array().unwrap().len(), 24);
}

#[test]
fn a_score_gives_the_margin_at_the_end() {
    // The first box of a 1x2 board is closed.
    let text = run_both_ways(&["solve", "1x2", "1010110", "--score", "0-1"]);
    let value: i32 = text.line("value").split(' ').next().unwrap().parse().unwrap();
    let margin: i32 = text.line("margin").split(' ').next().unwrap().parse().unwrap();
    assert_eq!(margin, value - 1);
}

#[test]
fn when_the_budget_runs_out_bounds_are_printed_and_the_status_is_0() {
    let text = run(&["solve", "5x5", "--nodes", "1000"]);
    assert_eq!(text.status, 0, "{text:?}");
    assert!(text.line("value").ends_with("for the player to move: the budget ran out"), "{text:?}");
    assert_eq!(text.line("best"), "not proven");
    let json = run(&["solve", "5x5", "--time", "50ms", "--json"]).json();
    assert!(json["bounds"]["lower"].as_i64().unwrap() < json["bounds"]["upper"].as_i64().unwrap());
    assert_eq!(json["bestMoves"], json!([]));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search_with_what_it_has_proven() {
    use std::io::{BufRead as _, BufReader, Read as _};

    let mut solver =
        spawn(doublecross(&["solve", "5x5", "--time", "1h", "--log", "debug"]).arg("--tables").arg(tables()));
    let mut stderr = BufReader::new(solver.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("solving") {
        assert!(stderr.read_line(&mut said).unwrap() > 0, "{said}");
    }
    signal(&solver, "INT");
    let stopped = Run::of(solver.wait_with_output().unwrap());
    assert_eq!(stopped.status, 1);
    assert!(stopped.line("value").ends_with("for the player to move: the search was stopped"), "{stopped:?}");
    stderr.read_to_string(&mut said).unwrap();
    assert!(said.ends_with("error: stopped before it was done\n"), "{said}");
}

#[test]
fn a_game_that_is_over_is_worth_nothing() {
    let text = run_both_ways(&["solve", "1x1", "1111", "--moves", "--pv", "--score", "1-0"]);
    assert_eq!(text.line("value"), "0 for the player to move");
    assert_eq!(text.line("margin"), "+1 at the end");
    assert_eq!(text.line("best"), "none: the game is over");
    assert_eq!(run_both_ways(&["structure", "1x1", "1111", "--json"]).json()["regions"], json!([]));
}

#[test]
fn a_board_that_has_come_apart_is_answered_whatever_its_size() {
    // 32x32: every row a chain of 32, its vertical edges free.
    let edges = "1".repeat(33 * 32) + &"0".repeat(32 * 33);
    let json = run_both_ways(&["solve", "32x32", &edges, "--json"]).json();
    let chains = [32; 32].map(|n: i32| n - 4).iter().sum::<i32>() + 4;
    assert_eq!(json["value"], -chains);
    assert_eq!(json["source"], "ENDGAME");
}

#[test]
fn a_broken_rule_is_the_same_sentence_here_and_there() {
    for (args, sentence) in [
        (&["33x2"][..], "error: position.rows: rows must be 1 to 32 boxes, not 33\n"),
        (&["2x0"], "error: position.cols: cols must be 1 to 32 boxes, not 0\n"),
        (
            &["2x2", "00000000000"],
            "error: position.edges: a 2x2 board has 12 edges, so edges must have as many characters, not 11\n",
        ),
        (
            &["2x2", "00000000000x"],
            "error: position.edges: edges may hold only '0' and '1'; character 11 is 'x'\n",
        ),
        (&["2x2", "--drawn", "3,12"], "error: --drawn: a 2x2 board has edges 0 to 11, not 12\n"),
        (&["2x2", "--drawn", "3,3"], "error: --drawn: edge 3 is listed twice\n"),
        (
            &["2x2", "--score", "1-0"],
            "error: position.score: the score 1-0 must add up to the closed boxes, 0\n",
        ),
    ] {
        let refused = run_both_ways(&[&["solve"], args].concat());
        assert_eq!((refused.status, refused.stderr.as_str()), (2, sentence));
    }
    let large = run_both_ways(&["solve", "8x8"]);
    assert_eq!(large.status, 2);
    assert!(large.stderr.starts_with("error: position: at most 128 free edges can be searched"), "{large:?}");
}
