//! Each target, a few thousand times; or as many times as `FUZZ_EXECUTIONS` says.
//!
//! An input that finds something is kept in a file, and `FUZZ_INPUT=FILE` tries that one alone.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests

use std::env::{self, VarError};
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use fuzz::{Mutator, Target};

/// What a variable of the environment says, if it is set.
fn variable<T: FromStr>(name: &str) -> Option<T> {
    match env::var(name) {
        Ok(text) => Some(text.parse().unwrap_or_else(|_| panic!("{name} cannot be {text:?}"))),
        Err(VarError::NotPresent) => None,
        Err(e) => panic!("{name}: {e}"),
    }
}

/// Runs a target; what finds something is kept.
fn execute(target: &Target, what: &str, input: &[u8]) {
    let Err(found) = catch_unwind(AssertUnwindSafe(|| (target.run)(input))) else { return };
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{what}", target.name));
    std::fs::write(&path, input).unwrap();
    let path = path.display();
    eprintln!("again: FUZZ_INPUT={path} cargo test -p fuzz --test executions {}", target.name);
    resume_unwind(found);
}

fn executions(target: Target) {
    if let Some(path) = variable::<PathBuf>("FUZZ_INPUT") {
        let input = std::fs::read(&path).unwrap();
        return execute(&target, "again", &input);
    }
    let count = variable("FUZZ_EXECUTIONS").unwrap_or(target.few);
    let mutator = Mutator::new(&target);
    let started = Instant::now();
    let mut told = started;
    let mut slowest = (Duration::ZERO, 0);
    for execution in 0..count {
        let input = mutator.input(execution);
        let began = Instant::now();
        execute(&target, &execution.to_string(), &input);
        slowest = slowest.max((began.elapsed(), execution));
        if told.elapsed() > Duration::from_secs(1) {
            told = Instant::now();
            takes_little_memory();
            tell(&target, execution + 1, count, started, slowest);
        }
    }
    takes_little_memory();
    tell(&target, count, count, started, slowest);
}

/// The most memory the tests of this file may have taken: several times what they take.
const MOST_KIB: u64 = 128 << 10;

/// No input makes anything allocate without bound. Linux tells how much a process had at most.
fn takes_little_memory() {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB"));
    let peak: u64 = peak.unwrap().trim().parse().unwrap();
    assert!(peak < MOST_KIB, "{peak} KiB of memory at most");
}

/// Straight to standard error: what a test prints is shown only when it has failed.
fn tell(target: &Target, done: u64, count: u64, started: Instant, (slowest, at): (Duration, u64)) {
    let seconds = started.elapsed().as_secs_f64();
    if seconds > 1.0 {
        let rate = done as f64 / seconds;
        let line = format!(
            "{}: {done} of {count}, {rate:.0} a second, slowest {slowest:.1?} at {at}\n",
            target.name
        );
        io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

#[test]
fn request() {
    executions(Target::REQUEST);
}

#[test]
fn table() {
    executions(Target::TABLE);
}

#[test]
fn notation() {
    executions(Target::NOTATION);
}
