//! What operators do: settings, reloads, sockets passed in, files that change under the server.

use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::{Run, Server, copy_of_tables, doublecross, run, run_over, signal, spawn, tables};

#[test]
fn beyond_this_machine_only_encrypted_or_meant() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let refused = Run::of(doublecross(&["serve", "--listen", address]).output().unwrap());
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.stderr.contains("--tls-certificate") && refused.stderr.contains("--plaintext"));
    }
    let halves = Run::of(doublecross(&["serve", "--tls-key", "x"]).output().unwrap());
    assert_eq!(halves.status, 2, "{halves:?}");
}

#[test]
fn settings_by_flag_environment_and_file() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("doublecross.toml");
    fs::write(&file, "waiting = 7\ndrain = \"1s\"\nidle = \"1m\"\n").unwrap();
    let printed = |file: &std::path::Path| {
        let mut command = doublecross(&["serve", "--print-config", "--waiting", "9", "--config"]);
        Run::of(
            command
                .arg(file)
                .env("DOUBLECROSS_DRAIN", "2s")
                .env("DOUBLECROSS_WAITING", "8")
                .output()
                .unwrap(),
        )
    };
    let settings = printed(&file).stdout;
    for line in ["waiting = 9", "drain = \"2s\"", "idle = \"60s\"", "calls = 4096"] {
        assert!(settings.lines().any(|l| l == line), "{line}: {settings}");
    }
    for (text, said) in [("witing = 7\n", "witing"), ("drain = \"5y\"\n", "unit of time"), ("[", "TOML")] {
        fs::write(&file, text).unwrap();
        let refused = printed(&file);
        assert_eq!(refused.status, 2);
        assert!(refused.stderr.contains(said) && refused.stderr.contains("doublecross.toml"), "{refused:?}");
    }
}

#[test]
fn a_table_made_while_it_serves_is_used_after_a_hangup() {
    let dir = copy_of_tables();
    fs::remove_file(dir.path().join("board-3x4.table")).unwrap();
    let server = Server::start(dir.path(), &["--no-generate", "--answer-cache", "0"]);
    let source = || {
        run(&["solve", "3x4", "--drawn", "0,1,2,3,4,5,6,7,8,9", "--endpoint", &server.url])
            .line("source")
            .to_owned()
    };
    assert!(source().starts_with("search"));
    assert_eq!(run_over(dir.path(), &["generate", "3x4"]).status, 0);
    signal(&server.child, "HUP");
    let asked = Instant::now();
    while !source().starts_with("table board-3x4") {
        assert!(asked.elapsed() < Duration::from_secs(30), "it is not loaded");
    }
    let (status, _, log) = server.stop("TERM");
    assert_eq!(status, 0);
    assert!(log.contains("the tables are loaded"), "{log}");
}

#[test]
fn every_table_cut_short_under_it_costs_time_and_nothing_else() {
    let dir = TempDir::new().unwrap();
    for entry in fs::read_dir(tables()).unwrap().flatten() {
        if entry.path().extension().is_some_and(|e| e == "table") {
            fs::copy(entry.path(), dir.path().join(entry.file_name())).unwrap();
        }
    }
    let server = Server::start(dir.path(), &["--no-generate"]);
    for entry in fs::read_dir(dir.path()).unwrap().flatten() {
        fs::OpenOptions::new().write(true).open(entry.path()).unwrap().set_len(100).unwrap();
    }
    for (size, value) in [("2x2", "+2"), ("2x3", "-2"), ("3x3", "-3")] {
        assert!(run(&["solve", size, "--endpoint", &server.url]).line("value").starts_with(value));
    }
    let answer = run(&["endgame", "--chains", "9,5,2", "--endpoint", &server.url]);
    assert_eq!(answer.line("value"), "+8 for the player who must open");
    let (status, _, _) = server.stop("TERM");
    assert_eq!(status, 0);
}

/// A service manager opens the socket, and says so in the environment of the process it starts.
#[test]
fn a_socket_passed_in_is_served() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let script = "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" serve --tables \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_doublecross")]).arg(tables());
    let mut child = spawn(command.stdin(Stdio::from(OwnedFd::from(listener))));
    let url = format!("http://{address}");
    let asked = Instant::now();
    while run(&["endgame", "--chains", "9,5,2", "--endpoint", &url]).status != 0 {
        assert!(asked.elapsed() < Duration::from_secs(30), "it does not answer at {url}");
    }
    signal(&child, "TERM");
    assert!(child.wait().unwrap().success());
}

/// Encrypted, and only for who has a token.
#[test]
fn a_client_on_the_command_line_by_tls_and_token() {
    let dir = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let signed = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (certificate, key) =
        (file("c.pem", &signed.cert.pem()), file("k.pem", &signed.signing_key.serialize_pem()));
    let tokens = file("tokens", "0123456789abcdef\n");
    let wrong = file("wrong", "fedcba9876543210\n");
    let flags = ["--tls-certificate", &certificate, "--tls-key", &key, "--tokens", &tokens];
    let server = Server::start(tables(), &flags);
    let url = server.url.replace("http://", "https://");
    let ask = |more: &[&str]| run(&[&["endgame", "--chains", "9,5,2", "--endpoint", &url], more].concat());
    let answer = ask(&["--ca", &certificate, "--token-file", &tokens]);
    assert_eq!(answer.line("value"), "+8 for the player who must open");
    let refused = ask(&["--ca", &certificate, "--token-file", &wrong]);
    assert!(refused.status == 1 && refused.stderr.contains("Bearer"), "{refused:?}");
    assert_eq!(ask(&["--token-file", &tokens]).status, 1, "who signed it is not known");
    assert_eq!(ask(&["--ca", "no/such/file"]).status, 2);
}

/// Tokens and the log: the one is never in the other, and the name of a call is.
#[test]
fn a_log_names_calls_and_gives_no_secret_away() {
    let dir = TempDir::new().unwrap();
    let tokens = dir.path().join("tokens");
    fs::write(&tokens, "a-secret-nobody-knows\n").unwrap();
    let args = ["--log", "debug", "--log-format", "json", "--tokens", tokens.to_str().unwrap()];
    let server = Server::start(tables(), &args);
    // This client has no token.
    let refused = run(&["endgame", "--chains", "3", "--endpoint", &server.url]);
    assert!(refused.stderr.contains("Bearer"), "{refused:?}");
    let (status, _, log) = server.stop("TERM");
    assert_eq!(status, 0);
    assert!(!log.contains("a-secret-nobody-knows"), "{log}");
    let lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    assert!(
        lines.into_iter().any(|line| line["span"]["id"].as_str().is_some_and(|id| id.len() == 16)),
        "{log}"
    );
}
