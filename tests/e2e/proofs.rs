//! `prove`: sittings, checkpoints, and what it refuses; and how much of the machine a search is told to use.

use std::fs;

use tempfile::TempDir;

use crate::support::{Run, doublecross, run, signal, spawn};

/// `prove` in a folder.
fn prove(dir: &TempDir, args: &[&str]) -> Run {
    Run::of(doublecross(&[&["prove"], args].concat()).current_dir(dir.path()).output().unwrap())
}

#[test]
fn a_value_is_proven_in_several_sittings() {
    let dir = TempDir::new().unwrap();
    // Stopped at once, again and again: each sitting goes on from the one before, and none loses anything.
    let args = ["3x4", "--threads", "1", "--memory", "16", "--checkpoint", "c.dxp", "--json"];
    let mut sittings = 0;
    let proven = loop {
        let sitting = prove(&dir, &[&args[..], &["--time", "80ms"]].concat());
        sittings += 1;
        if sitting.status == 0 {
            break sitting.json();
        }
        assert_eq!((sitting.status, sitting.stderr.as_str()), (1, ""), "{sitting:?}");
        let bounds: serde_json::Value = serde_json::from_str(&sitting.stdout).unwrap();
        assert!(bounds["lower"].as_i64() <= Some(0) && bounds["upper"].as_i64() >= Some(0), "{bounds}");
        assert!(sittings < 200, "it goes nowhere: {bounds}");
    };
    assert_eq!((&proven["lower"], &proven["upper"]), (&0.into(), &0.into()));
    assert_eq!(proven["board"], "3x4");
    // It is known now.
    let again = prove(&dir, &args).json();
    assert_eq!((&again["lower"], &again["upper"], &again["nodes"]), (&0.into(), &0.into(), &0.into()));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "a temporary file was left");
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused() {
    let dir = TempDir::new().unwrap();
    assert_eq!(prove(&dir, &["2x3", "--checkpoint", "c.dxp"]).line("value"), "-2 for the player to move");
    let other = prove(&dir, &["2x4", "--checkpoint", "c.dxp"]);
    assert_eq!((other.status, other.stdout.as_str()), (1, ""));
    assert!(
        other
            .stderr
            .starts_with("error: cannot go on from the checkpoint c.dxp: it is of another search: 2x3"),
        "{other:?}"
    );
    let path = dir.path().join("c.dxp");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = prove(&dir, &["2x3", "--checkpoint", "c.dxp"]);
    assert_eq!(damaged.status, 1);
    assert_eq!(
        damaged.stderr,
        "error: cannot go on from the checkpoint c.dxp: it is damaged; move it away to begin anew\n"
    );
    let nowhere = prove(&dir, &["2x3", "--checkpoint", "no/such/folder/c.dxp"]);
    assert_eq!(nowhere.status, 1);
    assert!(nowhere.stderr.contains("cannot write the checkpoint no/such/folder/c.dxp"), "{nowhere:?}");
}

/// Ctrl-C keeps what is proven.
#[cfg(unix)]
#[test]
fn an_interrupted_proof_is_kept() {
    let dir = TempDir::new().unwrap();
    let args = ["prove", "4x5", "--memory", "64", "--checkpoint", "c.dxp", "--every", "1s"];
    let mut child = spawn(doublecross(&args).current_dir(dir.path()));
    let path = dir.path().join("c.dxp");
    while !path.exists() {
        assert!(child.try_wait().unwrap().is_none(), "4x5 takes longer");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    signal(&child, "INT");
    let stopped = Run::of(child.wait_with_output().unwrap());
    assert_eq!((stopped.status, stopped.stderr.as_str()), (1, "error: stopped before it was done\n"));
    assert!(stopped.line("value").contains(" to "), "{stopped:?}");
    assert!(fs::metadata(path).unwrap().len() > 1 << 16);
}

#[test]
fn threads_and_memory_are_for_this_process() {
    let solved = run(&["solve", "3x4", "--threads", "1", "--memory", "1"]);
    assert_eq!(solved.line("value"), "0 for the player to move");
    for args in [["--threads", "0"], ["--threads", "100000"], ["--memory", "0"], ["--memory", "-1"]] {
        assert_eq!(run(&["solve", "2x2", args[0], args[1]]).status, 2, "{args:?}");
    }
    let remote = run(&["solve", "2x2", "--threads", "1", "--endpoint", "http://127.0.0.1:1"]);
    assert_eq!(remote.status, 2);
    assert!(remote.stderr.starts_with("error: --endpoint: --threads and --memory"), "{remote:?}");
    let elsewhere = run(&["prove", "2x2", "--endpoint", "http://127.0.0.1:1"]);
    assert_eq!(elsewhere.status, 2);
}
