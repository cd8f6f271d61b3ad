//! Large boards are made in parts: what a stopped, killed or shared run leaves and finds.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use game::Board;
use generate::{Error, Event, Options, estimate, make, parse};
use tables::TableId;

/// A board of some twenty parts.
const NAME: &str = "2x5";

/// The file of its table, made in one go.
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &|_| {}, &AtomicBool::new(false)).unwrap();
    fs::read(dir.path().join("board-2x5.table")).unwrap()
});

fn run(
    dir: &Path,
    progress: &(dyn Fn(Event) + Sync),
    cancel: &AtomicBool,
) -> Result<generate::Report, Error> {
    make(&parse(&[NAME]).unwrap(), dir, Options::default(), progress, cancel)
}

fn folder(dir: &Path) -> PathBuf {
    dir.join("board-2x5.parts")
}

/// A run that is stopped when this much is done.
fn stopped(dir: &Path, at: u64) {
    let cancel = AtomicBool::new(false);
    let progress = |event| {
        if let Event::Advanced { done, .. } = event
            && done >= at
        {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    assert!(matches!(run(dir, &progress, &cancel), Err(Error::Cancelled)));
    assert!(!dir.join("board-2x5.table").exists());
}

/// The file of the table, made by a run that goes on to the end.
fn finished(dir: &Path) -> Vec<u8> {
    run(dir, &|_| {}, &AtomicBool::new(false)).unwrap();
    assert!(!folder(dir).exists(), "the parts of a published table are removed");
    fs::read(dir.join("board-2x5.table")).unwrap()
}

#[test]
fn a_stopped_run_is_gone_on_with_and_makes_the_same_bytes() {
    let entries = TableId::board(Board::new(2, 5).unwrap()).unwrap().entries();
    let dir = tempfile::tempdir().unwrap();
    let mut parts = 0;
    for tenth in 1..=9 {
        stopped(dir.path(), entries * tenth / 10);
        let now = fs::read_dir(folder(dir.path())).unwrap().count();
        assert!(now >= parts, "finished parts stay");
        parts = now;
    }
    assert!(parts > 8);
    assert!(finished(dir.path()) == *WHOLE);
}

#[test]
fn damaged_parts_are_made_again() {
    let dir = tempfile::tempdir().unwrap();
    stopped(dir.path(), 700_000);
    for (i, entry) in fs::read_dir(folder(dir.path())).unwrap().enumerate() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        match i % 5 {
            0 => bytes.clear(),
            1 if !bytes.is_empty() => {
                let at = bytes.len() / 2;
                bytes[at] ^= 4;
            }
            2 => bytes.push(0),
            3 => bytes.truncate(bytes.len() / 2),
            _ => continue,
        }
        fs::write(&path, bytes).unwrap();
    }
    // And one under another's name.
    fs::copy(folder(dir.path()).join("0004"), folder(dir.path()).join("0009")).unwrap();
    assert!(finished(dir.path()) == *WHOLE);
}

#[test]
fn makers_of_one_folder_share_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let made = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
                let report = pool.install(|| run(dir.path(), &|_| {}, &AtomicBool::new(false))).unwrap();
                made.fetch_add(report.made.len() as u64, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(made.into_inner(), 1, "one publishes, the others find it published");
    assert!(fs::read(dir.path().join("board-2x5.table")).unwrap() == *WHOLE);
}

#[test]
fn a_table_that_takes_too_much_memory_is_refused_before_anything_is_done() {
    let dir = tempfile::tempdir().unwrap();
    for name in [NAME, "endgame:60"] {
        let spec = parse(&[name]).unwrap()[0];
        let options = Options { memory: Some(1 << 20), ..Options::default() };
        let error = make(&[spec], dir.path(), options, &|_| {}, &AtomicBool::new(false)).unwrap_err();
        assert!(matches!(error, Error::Memory { allowed: 1_048_576, .. }));
        assert!(error.to_string().contains("--memory"), "{error}");
        let estimated = estimate(spec, &AtomicBool::new(false)).unwrap();
        let Error::Memory { needed, .. } = error else { unreachable!() };
        assert_eq!((estimated.memory, estimated.entries), (needed, spec.id().entries()));
        assert!(estimated.time.as_secs_f64() > 0.0 && estimated.disk > 0);
    }
    assert!(fs::read_dir(dir.path()).unwrap().all(|entry| entry.unwrap().file_name() == ".lock"));
}

/// A device that is always full stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_in_the_middle_leaves_what_there_was() {
    let dir = tempfile::tempdir().unwrap();
    stopped(dir.path(), 300_000);
    // Where the next part is to be written, a device that is always full.
    let next = (0..).find(|n| !folder(dir.path()).join(format!("{n:04}")).exists()).unwrap();
    for n in next..next + 3 {
        let temporary = folder(dir.path()).join(format!("{n:04}.tmp"));
        let _ = fs::remove_file(&temporary);
        std::os::unix::fs::symlink("/dev/full", &temporary).unwrap();
    }
    let error = run(dir.path(), &|_| {}, &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains(".parts") && error.contains("room"), "{error}");
    for n in next..next + 3 {
        fs::remove_file(folder(dir.path()).join(format!("{n:04}.tmp"))).unwrap();
    }
    assert!(finished(dir.path()) == *WHOLE);
}
