//! A table that is missing or damaged: the same answers from elsewhere, and one problem that names the file.

use std::fs;
use std::path::Path;

use endgame::Multiset;
use game::Position;
use oracle::Source;

use crate::{FOLDER, board, over, solve, value};

/// A folder with copies of the tables.
fn copy() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(&*FOLDER).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "table") {
            fs::copy(&path, dir.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    dir
}

/// The problems that name a file, of all the tables that the folder should have.
fn problems_of(dir: &Path, file: &str) -> Vec<String> {
    let oracle = over(dir);
    let problems = oracle.tables().problems().iter().map(ToString::to_string);
    problems.filter(|p| p.contains(file)).collect()
}

/// Takes a table away: the source changes, the value stays.
#[test]
fn a_table_taken_away() {
    let dir = copy();
    let empty = Position::empty(board(3, 3));
    let before = solve(&over(dir.path()), &empty);
    assert_eq!((value(&before), before.source.to_string().as_str()), (-3, "table board-3x3"));

    fs::remove_file(dir.path().join("board-3x3.table")).unwrap();
    let after = solve(&over(dir.path()), &empty);
    assert_eq!((value(&after), after.source), (-3, Source::Search));
    assert_eq!((after.best_moves, after.move_values), (before.best_moves, before.move_values));
    let [problem] = &problems_of(dir.path(), "board-3x3.table")[..] else { panic!("one problem") };
    assert!(problem.contains("missing") && problem.contains("doublecross generate 3x3"), "{problem}");
    // The other tables go on answering.
    assert_eq!(solve(&over(dir.path()), &Position::empty(board(2, 3))).source.to_string(), "table board-2x3");
}

/// One bit of a table turned, in its head, in the middle and at its end: named, and answered by search.
#[test]
fn a_damaged_table() {
    let dir = copy();
    let path = dir.path().join("board-2x3.table");
    let sound = fs::read(&path).unwrap();
    let empty = Position::empty(board(2, 3));
    for at in [0, 9, 40, sound.len() / 2, sound.len() - 1] {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(problems_of(dir.path(), "board-2x3.table").len(), 1, "byte {at}");
        let s = solve(&over(dir.path()), &empty);
        assert_eq!((value(&s), s.source), (-2, Source::Search), "byte {at}");
    }
    fs::write(&path, &sound[..sound.len() / 2]).unwrap();
    assert_eq!(problems_of(dir.path(), "board-2x3.table").len(), 1, "cut in half");
    assert_eq!(solve(&over(dir.path()), &empty).source, Source::Search);
    fs::write(&path, &sound).unwrap();
    assert!(problems_of(dir.path(), "board-2x3.table").is_empty());
    assert_eq!(solve(&over(dir.path()), &empty).source.to_string(), "table board-2x3");
}

/// The endgame table, too.
#[test]
fn an_endgame_table_taken_away() {
    let dir = copy();
    let set = Multiset::new(&[3, 3, 5], &[4]).unwrap();
    let before = over(dir.path()).endgame_value(&set);
    assert_eq!(before.source.to_string(), "table endgame-20");
    fs::remove_file(dir.path().join("endgame-20.table")).unwrap();
    let after = over(dir.path()).endgame_value(&set);
    assert_eq!(after.source, Source::Endgame);
    assert_eq!((after.value, after.best_openings), (before.value, before.best_openings));
}
