//! `serve`: the life of a server.

use std::fs;
use std::io::Read as _;

use tempfile::TempDir;

use crate::support::{Run, Server, copy_of_tables, doublecross, run, run_over, spawn, tables};

#[test]
fn it_serves_until_it_is_told_to_stop() {
    for signal in ["TERM", "INT"] {
        let server = Server::start(tables(), &[]);
        let url = server.url.clone();
        let answer = run(&["endgame", "--chains", "9,5,2", "--endpoint", &url]);
        assert_eq!(answer.line("value"), "+8 for the player who must open");
        let (status, rest, log) = server.stop(signal);
        assert_eq!(status, 0, "{log}");
        assert!(rest.ends_with("stopped\n"), "{rest:?}");
        assert!(!log.contains("WARN") && !log.contains("ERROR"), "{log}");
        assert_eq!(run(&["endgame", "--chains", "3", "--endpoint", &url]).status, 1);
    }
}

#[test]
fn it_says_what_to_try() {
    let mut server = Server::start(tables(), &[]);
    assert_eq!(server.line(), "");
    let call = server.line();
    assert_eq!(call.trim(), format!("doublecross endgame --chains 9,5,2 --endpoint {}", server.url));
    let args: Vec<&str> = call.split_whitespace().skip(1).collect();
    assert_eq!(
        Run::of(doublecross(&args).output().unwrap()).line("value"),
        "+8 for the player who must open"
    );
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = run(&["serve", "--listen", &address]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains(&address) && refused.stderr.contains("--listen"), "{refused:?}");
    // Without a subcommand it serves all the same, and the environment counts as well.
    let refused = Run::of(doublecross(&[]).env("DOUBLECROSS_LISTEN", &address).output().unwrap());
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains(&address), "{refused:?}");
}

#[test]
fn missing_tables_are_made_first() {
    let dir = copy_of_tables();
    let path = dir.path().join("board-2x2.table");
    fs::remove_file(&path).unwrap();
    let server = Server::start(dir.path(), &[]);
    assert!(path.exists());
    let answer = run(&["solve", "2x2", "--endpoint", &server.url]);
    assert!(answer.line("source").starts_with("table board-2x2"), "{answer:?}");
    let (status, _, log) = server.stop("TERM");
    assert_eq!(status, 0);
    assert!(log.contains("made board-2x2"), "{log}");
    assert!(!log.contains("WARN"), "{log}");
}

#[test]
fn without_its_tables_it_searches_and_warns_once() {
    let dir = copy_of_tables();
    let path = dir.path().join("board-2x2.table");
    fs::remove_file(&path).unwrap();
    let server = Server::start(dir.path(), &["--no-generate"]);
    for _ in 0..2 {
        let answer = run(&["solve", "2x2", "--endpoint", &server.url]);
        assert_eq!(answer.line("value"), "+2 for the player to move");
        assert!(answer.line("source").starts_with("search"), "{answer:?}");
    }
    let (status, _, log) = server.stop("TERM");
    assert_eq!(status, 0);
    let warnings: Vec<&str> = log.lines().filter(|l| l.contains("WARN")).collect();
    assert_eq!(warnings.len(), 1, "{log}");
    assert!(warnings[0].contains(&path.display().to_string()), "{log}");
}

#[test]
fn a_damaged_table_is_left_as_it_is() {
    let dir = copy_of_tables();
    let path = dir.path().join("board-2x2.table");
    crate::support::replace(&path, |bytes| bytes[60] ^= 1);
    let damaged = fs::read(&path).unwrap();
    let server = Server::start(dir.path(), &[]);
    let answer = run(&["solve", "2x2", "--endpoint", &server.url]);
    assert!(answer.line("source").starts_with("search"), "{answer:?}");
    let (_, _, log) = server.stop("TERM");
    assert_eq!(log.lines().filter(|l| l.contains("WARN")).count(), 1, "{log}");
    assert_eq!(fs::read(&path).unwrap(), damaged);
}

#[test]
fn it_serves_from_an_empty_folder_it_cannot_write() {
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let server = Server::start(&file.join("tables"), &[]);
    assert_eq!(run_over(tables(), &["solve", "2x2", "--json", "--endpoint", &server.url]).json()["value"], 2);
}

#[test]
fn stopped_while_it_makes_tables_it_leaves_no_part_of_one() {
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut child =
        spawn(doublecross(&["--tables"]).arg(dir.path()).args(["serve", "--listen", "127.0.0.1:0"]));
    let mut said = String::new();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    while !said.contains("making") {
        assert!(std::io::BufRead::read_line(&mut stdout, &mut said).unwrap() > 0, "{said}");
    }
    crate::support::signal(&child, "TERM");
    stdout.read_to_string(&mut said).unwrap();
    assert!(said.ends_with("stopped\n") && !said.contains("ready"), "{said}");
    assert_eq!(Run::of(child.wait_with_output().unwrap()).status, 0);
    let names = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name());
    assert!(names.into_iter().all(|n| !n.to_str().unwrap().contains("tmp")));
}

#[test]
fn bench_prints_both_throughputs_and_their_ratio() {
    let bench = run(&["bench", "evaluate", "--items", "2000", "--rounds", "1", "--json"]);
    assert_eq!(bench.status, 0, "{bench:?}");
    let rows: Vec<serde_json::Value> =
        bench.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    // Three kinds of items, and unary calls of one of them.
    assert_eq!(rows.len(), 4);
    for row in rows {
        let [real, echo, ratio] = ["real", "echo", "ratio"].map(|name| row[name].as_f64().unwrap());
        assert!(real > 0.0 && (real / echo / ratio - 1.0).abs() < 0.01, "{row}");
    }
    let empty = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let refused = run_over(empty.path(), &["bench", "evaluate", "--items", "1"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("`doublecross generate` makes them"), "{refused:?}");
}
