//! A maker of tables that is killed, and one that goes on after it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::doublecross;

fn generate(dir: &Path) -> Command {
    let mut command = doublecross(&["generate", "3x4", "--tables"]);
    command.arg(dir).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Kills a maker of 3x4 after each share of the time it takes, and lets another finish what it left.
fn killed(shares: impl Iterator<Item = f64>) {
    let whole = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let started = Instant::now();
    assert!(generate(whole.path()).status().unwrap().success());
    let takes = started.elapsed();
    let expected = fs::read(whole.path().join("board-3x4.table")).unwrap();
    let mut resumed = 0;
    for share in shares {
        let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut maker = generate(dir.path()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(takes.as_secs_f64() * share));
        maker.kill().unwrap();
        maker.wait().unwrap();
        let parts = dir.path().join("board-3x4.parts");
        resumed += usize::from(parts.is_dir() && fs::read_dir(&parts).unwrap().count() > 0);
        assert!(generate(dir.path()).status().unwrap().success());
        assert!(fs::read(dir.path().join("board-3x4.table")).unwrap() == expected, "killed at {share}");
        assert!(!parts.exists());
    }
    assert!(resumed > 0, "no kill came in the middle");
}

#[test]
fn a_maker_killed_in_the_middle_is_gone_on_with() {
    killed([0.3, 0.7].into_iter());
}

/// `cargo test --release --test e2e -- --ignored killing`: some minutes.
#[test]
#[ignore = "fifty times: the long version of the test above"]
fn fifty_makers_killed_at_any_moment() {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    killed((1..=50).map(|i| f64::from(i) * golden % 1.0));
}
