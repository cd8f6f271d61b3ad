//! The default tables, made once for all of these tests, and held against everything else that knows values.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use endgame::Multiset;
use game::{Board, Position, Symmetry};
use generate::{Event, Options, Report, Spec, default_set, enumerate, make};
use tables::{Catalogue, Kind, Manifest, Ranking, TableId, verify};

static MADE: LazyLock<(tempfile::TempDir, Report)> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let report = on_threads(2, || run(&default_set(), dir.path()));
    (dir, report)
});

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn run(specs: &[Spec], dir: &Path) -> Report {
    make(specs, dir, Options::default(), &|_| {}, &AtomicBool::new(false)).unwrap()
}

fn tables() -> Catalogue {
    Catalogue::open(MADE.0.path())
}

/// A few numbers, always the same.
fn numbers(count: usize) -> impl Iterator<Item = u64> {
    let step =
        |x: &u64| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(2), step).skip(1).map(|x| x >> 20).take(count)
}

#[test]
fn the_same_bytes_on_one_thread_and_on_two_and_those_of_the_manifest() {
    let (dir, report) = &*MADE;
    let again = tempfile::tempdir().unwrap();
    on_threads(1, || run(&default_set(), again.path()));
    let manifest = Manifest::of(again.path()).unwrap();
    assert_eq!(report.made.len(), TableId::default_set().len());
    for (id, path, record) in &report.made {
        assert_eq!(path, &dir.path().join(id.file_name()));
        assert!(fs::read(path).unwrap() == fs::read(again.path().join(id.file_name())).unwrap(), "{id}");
        assert_eq!(manifest.get(*id).unwrap().check(record), Ok(()), "the manifest lists {id} otherwise");
    }
}

#[test]
fn they_verify_and_open_without_a_problem() {
    let dir = MADE.0.path();
    let manifest = Manifest::of(dir).unwrap();
    for verdict in verify(dir, &manifest) {
        assert!(verdict.result.unwrap().listed);
    }
    assert_eq!(tables().problems(), []);
    assert!(tables().list().iter().all(|listing| listing.status.is_ok()));
}

#[test]
fn every_board_in_both_orientations_is_the_enumeration() {
    let tables = tables();
    for id in TableId::default_set() {
        let Kind::Board(board) = id.kind() else { continue };
        // Two gigabytes each; `doublecross bench exact` has the time.
        if board.edges() > 27 {
            continue;
        }
        for board in [board, board.transposed()] {
            let all = enumerate(board).unwrap();
            let few = numbers(40_000).map(|n| n & (all.positions() - 1));
            let masks: Vec<u64> =
                if board.edges() <= 13 { (0..all.positions()).collect() } else { few.collect() };
            for mask in masks {
                let position = Position::from_mask(board, mask).unwrap();
                let probe = tables.board(&position).unwrap();
                assert_eq!((probe.value, probe.table), (all.value(mask as u32), id), "{position:?}");
            }
        }
    }
}

#[test]
fn a_board_and_its_images_have_one_value() {
    let tables = tables();
    for (rows, cols) in [(3, 3), (2, 4), (1, 7), (2, 3)] {
        let board = Board::new(rows, cols).unwrap();
        for mask in numbers(5_000).map(|n| n & ((1 << board.edges()) - 1)) {
            let position = Position::from_mask(board, mask).unwrap();
            let value = tables.board(&position).unwrap().value;
            for symmetry in Symmetry::all() {
                assert_eq!(tables.board(&symmetry.position(&position)).unwrap().value, value);
            }
        }
    }
}

#[test]
fn every_multiset_up_to_40_boxes_as_the_closed_form_has_it() {
    let tables = tables();
    let ranking = Ranking::new(40);
    for rank in 0..ranking.len() {
        let set = ranking.multiset(rank).unwrap();
        let entry = tables.endgame(&set).unwrap();
        assert_eq!(entry.value, endgame::value(&set), "{set}");
        // The closed form of the openings is slower: one in seven, which is prime to everything here.
        if rank % 7 == 0 {
            assert_eq!(entry.best_openings, endgame::best_openings(&set), "{set}");
        }
    }
    assert_eq!(tables.endgame(&Multiset::new(&[41], &[]).unwrap()), None);
}

#[test]
fn a_table_for_46_boxes_has_wider_entries_and_the_same_values() {
    let dir = tempfile::tempdir().unwrap();
    run(&generate::parse(&["endgame:46"]).unwrap(), dir.path());
    let (large, small) = (Catalogue::open(dir.path()), tables());
    let ranking = Ranking::new(46);
    for rank in numbers(40_000).map(|n| n % ranking.len()) {
        let set = ranking.multiset(rank).unwrap();
        let entry = large.endgame(&set).unwrap();
        assert_eq!(
            (entry.value, &entry.best_openings),
            (endgame::value(&set), &endgame::best_openings(&set))
        );
        if let Some(same) = small.endgame(&set) {
            assert_eq!((entry.value, entry.best_openings), (same.value, same.best_openings));
        }
    }
    // Nine different components, with ten ways to open them: the most there is up to 45 boxes.
    let set = Multiset::new(&[1, 2, 3, 4, 5, 6, 7], &[4, 6]).unwrap();
    assert_eq!(endgame::openings(&set).count(), 10);
    assert_eq!(small.endgame(&set).unwrap().best_openings, endgame::best_openings(&set));
}

#[test]
fn a_table_taken_away_is_missed_by_name_and_made_again() {
    let (made, _) = &*MADE;
    let dir = tempfile::tempdir().unwrap();
    for id in TableId::default_set() {
        fs::copy(made.path().join(id.file_name()), dir.path().join(id.file_name())).unwrap();
    }
    let path = dir.path().join("board-2x3.table");
    let whole = fs::read(&path).unwrap();
    let position = Position::empty(Board::new(3, 2).unwrap());
    let other = Position::empty(Board::new(2, 2).unwrap());
    let before = Catalogue::open(dir.path());
    fs::remove_file(&path).unwrap();
    let after = Catalogue::open(dir.path());
    assert_eq!(after.problems().len(), 1);
    assert_eq!(after.problems()[0].path, path);
    assert_eq!(after.board(&position), None);
    assert_eq!(after.board(&other), before.board(&other));
    // What was open stays open: a catalogue is a snapshot.
    assert_eq!(before.board(&position), tables().board(&position));

    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    for state in [None, Some(&damaged), Some(&whole)] {
        if let Some(bytes) = state {
            fs::write(&path, bytes).unwrap();
        }
        let report = run(&default_set(), dir.path());
        let made: Vec<String> = report.made.iter().map(|(id, ..)| id.to_string()).collect();
        assert_eq!(made, if state == Some(&whole) { vec![] } else { vec!["board-2x3".to_owned()] });
        assert_eq!(report.made.len() + report.kept.len(), default_set().len());
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn progress_is_told_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let events = std::sync::Mutex::new(Vec::new());
    let specs = generate::parse(&["2x3", "endgame:20"]).unwrap();
    let told = |event| events.lock().unwrap().push(event);
    make(&specs, dir.path(), Options::default(), &told, &AtomicBool::new(false)).unwrap();
    let first: Vec<Event> = std::mem::take(&mut events.lock().unwrap());
    for spec in &specs {
        let id = spec.id();
        let of_it: Vec<&Event> = first
            .iter()
            .filter(|e| matches!(e, Event::Started { id: i, .. } | Event::Advanced { id: i, .. } | Event::Published { id: i, .. } if *i == id))
            .collect();
        let done: Vec<u64> = of_it
            .iter()
            .filter_map(|e| if let Event::Advanced { done, .. } = e { Some(*done) } else { None })
            .collect();
        assert!(matches!(of_it[0], Event::Started { entries, .. } if *entries == id.entries()));
        assert!(matches!(of_it[of_it.len() - 1], Event::Published { .. }));
        assert!(done.is_sorted() && done.last() == Some(&id.entries()));
    }
    make(&specs, dir.path(), Options::default(), &told, &AtomicBool::new(false)).unwrap();
    let kept = specs.iter().map(|spec| Event::Kept { id: spec.id() }).collect::<Vec<_>>();
    assert_eq!(*events.lock().unwrap(), kept);
}
