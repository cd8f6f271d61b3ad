//! What a folder looks like after a run that did not go well.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use generate::{Error, Event, Options, Report, make, parse};
use tables::{MANIFEST, Manifest, Reason, TableId};

fn run(names: &[&str], dir: &Path, options: Options) -> Result<Report, Error> {
    make(&parse(names).unwrap(), dir, options, &|_| {}, &AtomicBool::new(false))
}

/// Every file of a folder but the lock, with its bytes.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let files = entries.map(|e| (e.file_name().into_string().unwrap(), fs::read(e.path()).unwrap()));
    files.filter(|(name, _)| name != ".lock").collect()
}

const FORCE: Options = Options { force: true, update_manifest: false, memory: None };
const UPDATE: Options = Options { force: false, update_manifest: true, memory: None };

#[test]
fn a_cancelled_run_leaves_only_whole_tables() {
    // The flag is raised at every event in turn.
    let mut stopped = 0;
    for at in 0.. {
        let dir = tempfile::tempdir().unwrap();
        let (cancel, seen) = (AtomicBool::new(false), std::sync::atomic::AtomicUsize::new(0));
        let progress = |_| {
            if seen.fetch_add(1, Ordering::Relaxed) == at {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let made =
            make(&parse(&["1x3", "endgame:9"]).unwrap(), dir.path(), Options::default(), &progress, &cancel);
        for (name, bytes) in files(dir.path()) {
            let id = TableId::of_file_name(&name).expect("nothing but tables");
            tables::examine(bytes, id).unwrap();
        }
        match made {
            Err(Error::Cancelled) => stopped += 1,
            Ok(report) => {
                assert_eq!(report.made.len(), 2);
                if seen.into_inner() <= at {
                    break;
                }
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(stopped > 5, "{stopped}");
}

#[test]
fn what_a_killed_run_left_is_removed_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["board-3x3.table.tmp", "manifest.toml.tmp", "notes.tmp", "board-9x9.table.tmp"] {
        fs::write(dir.path().join(name), "half a file").unwrap();
    }
    run(&["1x1"], dir.path(), Options::default()).unwrap();
    let names: Vec<String> = files(dir.path()).into_keys().collect();
    assert_eq!(names, ["board-1x1.table", "board-9x9.table.tmp", "notes.tmp"]);
}

#[test]
fn a_plain_run_holds_tables_against_the_manifest_and_never_writes_it() {
    let dir = tempfile::tempdir().unwrap();
    run(&["1x1", "1x2"], dir.path(), UPDATE).unwrap();
    let good = files(dir.path());
    assert_eq!(good.keys().collect::<Vec<_>>(), ["board-1x1.table", "board-1x2.table", MANIFEST]);
    let report = run(&["1x1", "1x2"], dir.path(), FORCE).unwrap();
    assert_eq!(report.made.len(), 2);
    assert_eq!(files(dir.path()), good);

    // A manifest that lists another table under this name.
    let path = dir.path().join(MANIFEST);
    let other = fs::read_to_string(&path).unwrap().replace("-1 = 2, 0 = 1, 1 = 1", "-1 = 1, 0 = 1, 1 = 2");
    fs::write(&path, &other).unwrap();
    let before = files(dir.path());
    let error = run(&["1x1"], dir.path(), FORCE).unwrap_err();
    assert!(matches!(&error, Error::Mismatch { reason: Reason::Unlisted { what: "values", .. }, .. }));
    let text = error.to_string();
    assert!(text.contains("board-1x1") && text.contains("--update-manifest"), "{text}");
    assert_eq!(files(dir.path()), before, "nothing published, nothing left behind");
    run(&["1x1"], dir.path(), UPDATE).unwrap();
    assert_eq!(files(dir.path()), good);
}

#[test]
fn the_manifest_of_the_source_tree_is_written_as_this_program_writes_it() {
    let dir = tempfile::tempdir().unwrap();
    let text = include_str!("../../../tables/manifest.toml");
    fs::write(dir.path().join(MANIFEST), text).unwrap();
    assert_eq!(Manifest::of(dir.path()).unwrap().to_string(), text);
}

#[test]
fn two_makers_of_one_folder_take_turns() {
    let dir = tempfile::tempdir().unwrap();
    let (made, kept) = std::thread::scope(|scope| {
        let makers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| run(&["2x2", "endgame:12"], dir.path(), Options::default())))
            .collect();
        let reports = makers.into_iter().map(|maker| maker.join().unwrap().unwrap());
        reports.fold((0, 0), |(made, kept), r| (made + r.made.len(), kept + r.kept.len()))
    });
    assert_eq!((made, kept), (2, 6));
}

#[test]
fn a_waiting_maker_can_be_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    run(&["1x1"], dir.path(), Options::default()).unwrap();
    let other = fs::File::open(dir.path().join(".lock")).unwrap();
    other.lock().unwrap();
    let cancel = AtomicBool::new(false);
    let progress = |event| {
        assert_eq!(event, Event::Waiting);
        cancel.store(true, Ordering::Relaxed);
    };
    let stopped = make(&parse(&["1x1"]).unwrap(), dir.path(), Options::default(), &progress, &cancel);
    assert!(matches!(stopped, Err(Error::Cancelled)));
}

#[test]
fn errors_name_the_file_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a file");
    fs::write(&file, "").unwrap();
    let text = run(&["1x1"], &file.join("tables"), Options::default()).unwrap_err().to_string();
    assert!(text.contains("a file") && text.contains("--tables"), "{text}");

    run(&["1x1"], dir.path(), Options::default()).unwrap();
    fs::create_dir(dir.path().join("board-1x2.table")).unwrap();
    let text = run(&["1x2"], dir.path(), Options::default()).unwrap_err().to_string();
    assert!(text.contains("board-1x2.table"), "{text}");
    assert!(!dir.path().join("board-1x2.table.tmp").exists());

    fs::write(dir.path().join(MANIFEST), "no manifest").unwrap();
    let text = run(&["1x1"], dir.path(), Options::default()).unwrap_err().to_string();
    assert!(text.contains("manifest.toml") && text.contains("restore it"), "{text}");
    assert!(dir.path().join("board-1x1.table").exists());
}

/// A device that is always full stands in for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_the_old_table_stays() {
    let dir = tempfile::tempdir().unwrap();
    run(&["1x1"], dir.path(), Options::default()).unwrap();
    let before = files(dir.path());
    let run = |at_writing: &(dyn Fn() + Sync)| {
        let progress = |event| {
            if matches!(event, Event::Writing { .. }) {
                at_writing();
            }
        };
        make(&parse(&["1x1"]).unwrap(), dir.path(), FORCE, &progress, &AtomicBool::new(false))
    };
    let temporary = dir.path().join("board-1x1.table.tmp");
    let error = run(&|| std::os::unix::fs::symlink("/dev/full", &temporary).unwrap()).unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(error, Error::Io { .. }) && text.contains("board-1x1.table.tmp") && text.contains("room"),
        "{text}"
    );
    assert_eq!(files(dir.path()), before);
    run(&|| {}).unwrap();
}
