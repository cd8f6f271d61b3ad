//! `generate`, `verify`, `tables`; and what happens when a table is not there or not sound.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Run, copy_of_tables, doublecross, replace, run, run_over, tables};

/// What decides an answer's worth, without its source and cost.
fn substance(json: &Value) -> Value {
    json!([json["value"], json["bestMoves"], json["bestOpenings"], json["moveValues"]])
}

#[test]
fn a_table_taken_away_changes_the_source_and_not_the_value() {
    for (file, query, source) in [
        (
            "board-3x3.table",
            &["solve", "3x3", "--drawn", "0,5,9,12,16,20", "--moves", "--json"][..],
            "SEARCH",
        ),
        ("board-2x3.table", &["solve", "3x2", "--drawn", "3,8", "--moves", "--json"], "SEARCH"),
        ("endgame-40.table", &["endgame", "--chains", "9,5,2", "--loops", "4,6", "--json"], "ENDGAME"),
    ] {
        let with = run(query);
        assert_eq!(with.stderr, "");
        let with = with.json();
        assert_eq!(with["source"], "TABLE");

        let dir = copy_of_tables();
        let path = dir.path().join(file);
        fs::remove_file(&path).unwrap();
        let without = run_over(dir.path(), query);
        assert_eq!(without.stderr.lines().count(), 1, "{without:?}");
        assert!(without.stderr.contains(&format!("{} is missing", path.display())), "{without:?}");
        assert!(without.stderr.contains("`doublecross generate"), "{without:?}");
        let without = without.json();
        assert_eq!((&without["source"], without.get("table")), (&json!(source), None));
        assert_eq!(substance(&without), substance(&with));
    }
}

#[test]
fn a_damaged_table_changes_the_source_and_not_the_value() {
    let query = ["solve", "3x3", "--drawn", "0,5,9,12,16,20", "--moves", "--json"];
    let sound = run(&query).json();
    let dir = copy_of_tables();
    let path = dir.path().join("board-3x3.table");
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 5] = [
        ("flipped", |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        }),
        ("truncated", |bytes| bytes.truncate(bytes.len() / 2)),
        ("emptied", Vec::clear),
        ("lengthened", |bytes| bytes.push(0)),
        ("text", |bytes| *bytes = b"version https://git-lfs.github.com/spec/v1\n".to_vec()),
    ];
    for (name, damage) in damages {
        fs::remove_file(&path).unwrap();
        fs::hard_link(tables().join("board-3x3.table"), &path).unwrap();
        replace(&path, damage);
        let damaged = run_over(dir.path(), &query);
        assert_eq!(damaged.stderr.lines().count(), 1, "{name} {damaged:?}");
        assert!(damaged.stderr.contains(&path.display().to_string()), "{name} {damaged:?}");
        let damaged = damaged.json();
        assert_eq!(damaged["source"], "SEARCH", "{name}");
        assert_eq!(substance(&damaged), substance(&sound), "{name}");
    }
}

#[test]
fn verify_finds_what_is_damaged_and_generate_mends_it() {
    let dir = copy_of_tables();
    let path = dir.path().join("board-2x3.table");
    assert_eq!(run_over(dir.path(), &["verify"]).status, 0);
    let whole = fs::read(&path).unwrap();
    replace(&path, |bytes| {
        let last = bytes.len() - 1;
        bytes[last] ^= 0x80;
    });

    let found = run_over(dir.path(), &["verify"]);
    assert_eq!((found.status, found.stderr.as_str()), (1, ""));
    let bad: Vec<&str> = found.stdout.lines().filter(|l| !l.contains(" sound: ")).collect();
    assert_eq!(bad.len(), 1, "{found:?}");
    assert!(bad[0].contains(&path.display().to_string()), "{found:?}");
    let json = run_over(dir.path(), &["verify", "2x3", "--json"]);
    assert_eq!(json.status, 1);
    assert_eq!(serde_json::from_str::<Value>(&json.stdout).unwrap()["ok"], false);
    assert_eq!(run_over(dir.path(), &["verify", "2x2", "endgame:40"]).status, 0);

    let mended = run_over(dir.path(), &["generate"]);
    assert_eq!(mended.status, 0, "{mended:?}");
    let made: Vec<&str> = mended.stdout.lines().filter(|l| l.contains(" made: ")).collect();
    assert_eq!(made.len(), 1, "{mended:?}");
    assert!(made[0].starts_with("board-2x3 "), "{mended:?}");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a_table_is_made_the_same_on_one_thread_and_on_many() {
    let [one, many] = ["1", "7"].map(|threads| {
        let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let made = run_over(dir.path(), &["generate", "2x3", "endgame:20", "--threads", threads]);
        assert_eq!(made.status, 0, "{made:?}");
        dir
    });
    for name in ["board-2x3.table", "endgame-20.table"] {
        assert_eq!(fs::read(one.path().join(name)).unwrap(), fs::read(many.path().join(name)).unwrap());
    }
    assert_eq!(
        fs::read(one.path().join("board-2x3.table")).unwrap(),
        fs::read(tables().join("board-2x3.table")).unwrap()
    );
    // No manifest was written: a plain run never does.
    assert!(!one.path().join("manifest.toml").exists());
}

#[test]
fn the_list_has_what_is_there_and_what_should_be() {
    let all = run(&["tables"]);
    // 17 tables, and a line on what more there could be.
    assert_eq!(all.stdout.lines().count(), 18, "{all:?}");
    assert!(all.stdout.contains("`doublecross generate strong`") && all.stdout.contains(" 4x4"), "{all:?}");
    assert!(
        all.stdout.lines().any(|l| l.starts_with("endgame-40 ") && l.contains(" 842,368 entries")),
        "{all:?}"
    );
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let none = run_over(dir.path(), &["tables", "--json"]);
    let rows: Vec<Value> = none.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(rows.len(), 17);
    assert!(rows.iter().all(|row| row["ok"] == false && row["problem"] == "is missing"), "{rows:?}");
    assert_eq!(run_over(dir.path(), &["verify"]).status, 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = run_over(&file.join("tables"), &["generate", "1x1"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains(&file.display().to_string()), "{refused:?}");
    assert!(refused.stderr.contains("--tables"), "{refused:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_part_of_a_table() {
    use std::time::{Duration, Instant};

    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut maker =
        crate::support::spawn(doublecross(&["generate", "endgame:60", "--tables"]).arg(dir.path()));
    // It is at work once it holds the folder.
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_dir(dir.path()).unwrap().next().is_none() {
        assert!(Instant::now() < deadline && maker.try_wait().unwrap().is_none(), "it never began");
        std::thread::yield_now();
    }
    crate::support::signal(&maker, "INT");
    let stopped = Run::of(maker.wait_with_output().unwrap());
    assert_eq!((stopped.status, stopped.stderr.as_str()), (1, "error: stopped before it was done\n"));
    assert_eq!(stopped.stdout, "");
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    let parts = left.iter().filter_map(|n| n.to_str()).filter(|n| n.contains("table") || n.contains("tmp"));
    assert_eq!(parts.count(), 0, "{left:?}");
}
