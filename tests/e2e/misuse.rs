//! Help, misuse and exit status.

use std::process::Stdio;

use crate::support::{Run, doublecross, run, spawn};

/// Everything there is.
const SUBCOMMANDS: [&str; 16] = [
    "serve",
    "generate",
    "verify",
    "tables",
    "solve",
    "prove",
    "play",
    "measure",
    "endgame",
    "structure",
    "advise",
    "controller",
    "nimstring",
    "review",
    "batch",
    "bench",
];

#[test]
fn every_subcommand_explains_itself_with_an_example() {
    let all = Run::of(doublecross(&["--help"]).output().unwrap());
    for name in SUBCOMMANDS {
        assert!(all.stdout.contains(&format!("\n  {name} ")), "{all:?}");
        let help = Run::of(doublecross(&[name, "--help"]).output().unwrap());
        assert_eq!(help.status, 0);
        assert!(help.stdout.contains("Examples:"), "{help:?}");
        assert!(help.stdout.contains(&format!("doublecross {name}")), "{help:?}");
    }
}

#[test]
fn misuse_has_status_2_and_says_what_to_do() {
    for (args, words) in [
        (&["frobnicate"][..], "frobnicate"),
        (&["solve"], "<ROWSxCOLS>"),
        (&["solve", "4"], "a size is rows by columns of boxes, e.g. 3x4"),
        (&["solve", "2x2", "000000000000", "--drawn", "1"], "cannot be used with"),
        (&["solve", "2x2", "--time", "soon"], "e.g. 500ms or 10s"),
        (&["solve", "2x2", "--score", "3"], "e.g. 3-2"),
        (&["endgame"], "--chains 9,5,2"),
        (&["endgame", "--chains", "9,-5"], "-5"),
        (&["endgame", "--opened", "ring:4"], "chain:N or loop:N"),
        (&["endgame", "--middle", "--chains", "2"], "--opened"),
        (&["generate", "4x5"], "a board of up to 40 edges as `RxC`"),
        (&["generate", "1x1", "--threads", "0"], "1..=1024"),
        (&["generate", "--endpoint", "http://127.0.0.1:1"], "--endpoint"),
        (&["serve", "--json"], "--json"),
        (&["solve", "2x2", "--endpoint", "localhost:50051"], "http://127.0.0.1:50051"),
        (&["solve", "2x2", "--log", "=="], "--log"),
        (&["advise", "2x2", "00"], "12 edges"),
        (&["nimstring", "8x8"], "at most 128 free edges"),
        (&["review", "2x2", "0,1,x"], "moves[2]: \"x\" is no edge number"),
        (&["review", "2x2", "0,1,0"], "moves[2]: edge 0 is drawn already"),
        (&["review", "1x1", "--ending", "agreed-draw", "0,1,2,3"], "ending: every edge is drawn"),
        (&["measure", "everything"], "there is no measurement"),
        (&["measure", "--endpoint", "http://127.0.0.1:1"], "--endpoint"),
    ] {
        let refused = run(args);
        assert_eq!(refused.status, 2, "{args:?} {refused:?}");
        assert!(refused.stderr.contains(words), "{args:?} {refused:?}");
        assert_eq!(refused.stdout, "");
    }
}

#[test]
fn a_server_that_is_not_there_has_status_1() {
    let refused = run(&["endgame", "--chains", "3", "--endpoint", "http://127.0.0.1:1"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("there is no server at http://127.0.0.1:1"), "{refused:?}");
    assert!(refused.stderr.contains("`doublecross serve` starts one"), "{refused:?}");
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    for args in
        [&["solve", "32x32", "--help"][..], &["structure", "32x32"], &["tables"], &["tables", "--json"]]
    {
        let mut child = spawn(doublecross(args).stdout(Stdio::piped()));
        drop(child.stdout.take());
        let ended = Run::of(child.wait_with_output().unwrap());
        assert_eq!(ended.status, 0, "{args:?} {ended:?}");
        assert!(!ended.stderr.contains("error"), "{args:?} {ended:?}");
    }
}
