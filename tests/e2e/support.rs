//! Starting the real binary.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use serde_json::Value;
use tempfile::TempDir;

/// The binary with these arguments, its input closed.
pub(crate) fn doublecross(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_doublecross"));
    command.args(args).env_remove("RUST_LOG").env_remove("CARGO").stdin(Stdio::null());
    command
}

/// What became of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Run {
        let run = Run {
            status: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// The value of a line of text output, e.g. of `value   +8 for ...`.
    pub(crate) fn line(&self, label: &str) -> &str {
        let line = self.stdout.lines().find(|l| l.split_whitespace().next() == Some(label));
        line.unwrap_or_else(|| panic!("no {label:?} in {self:?}"))[label.len()..].trim()
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.status, 0, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// Runs the binary over the shared tables.
pub(crate) fn run(args: &[&str]) -> Run {
    run_over(tables(), args)
}

/// Runs the binary over other tables.
pub(crate) fn run_over(tables: &Path, args: &[&str]) -> Run {
    Run::of(doublecross(args).arg("--tables").arg(tables).output().unwrap())
}

/// Runs the binary with this input.
pub(crate) fn run_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = spawn(doublecross(args).arg("--tables").arg(tables()).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The binary may end before it has read everything.
            let _ = stdin.write_all(input);
        });
        Run::of(child.wait_with_output().unwrap())
    })
}

/// Starts the binary with its output held.
pub(crate) fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends a signal by its name.
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// The default tables, made once and kept between runs; `generate` replaces those that are not sound.
pub(crate) fn tables() -> &'static Path {
    static TABLES: OnceLock<PathBuf> = OnceLock::new();
    TABLES.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
        let made = Run::of(doublecross(&["generate", "--tables"]).arg(&dir).output().unwrap());
        assert_eq!(made.status, 0, "{made:?}");
        dir
    })
}

/// The shared tables under another name, to be taken away or damaged.
pub(crate) fn copy_of_tables() -> TempDir {
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for entry in fs::read_dir(tables()).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_str().is_some_and(|name| name.ends_with(".table")) {
            fs::hard_link(entry.path(), dir.path().join(entry.file_name())).unwrap();
        }
    }
    dir
}

/// Puts other bytes in the place of a file, leaving its other names alone.
pub(crate) fn replace(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

/// A running server, killed when dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) url: String,
    pub(crate) stdout: BufReader<ChildStdout>,
    pub(crate) stderr: Option<ChildStderr>,
}

impl Server {
    /// Starts one on a free port and waits until it says that it is ready.
    pub(crate) fn start(tables: &Path, args: &[&str]) -> Server {
        let mut command = doublecross(&["serve", "--listen", "127.0.0.1:0"]);
        let mut child = spawn(command.args(args).arg("--tables").arg(tables));
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let stderr = child.stderr.take();
        let mut server = Server { child, url: String::new(), stdout, stderr };
        let listening = server.line();
        let address = listening.strip_prefix("listening on ").unwrap_or_else(|| panic!("{listening:?}"));
        server.url = format!("http://{address}");
        while !server.line().starts_with("ready") {}
        server
    }

    /// The next line it prints.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.stdout.read_line(&mut line).unwrap();
        assert!(read > 0, "the server has closed its output");
        line.trim_end().to_owned()
    }

    /// Asks it to stop, and returns its exit status and what it had printed since.
    pub(crate) fn stop(mut self, signal_name: &str) -> (i32, String, String) {
        signal(&self.child, signal_name);
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.stdout, &mut rest).unwrap();
        let mut log = String::new();
        std::io::Read::read_to_string(&mut self.stderr.take().unwrap(), &mut log).unwrap();
        let status = self.child.wait().unwrap();
        (status.code().expect("ended by a signal"), rest, log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One server over the shared tables for the tests that only ask; it ends with the last of them.
pub(crate) fn shared_server() -> Arc<Server> {
    static SERVER: Mutex<Weak<Server>> = Mutex::new(Weak::new());
    let mut shared = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let server = Arc::new(Server::start(tables(), &[]));
        *shared = Arc::downgrade(&server);
        server
    })
}

/// The same question to this process and to a server; both print the same.
pub(crate) fn run_both_ways(args: &[&str]) -> Run {
    let here = run(args);
    let server = shared_server();
    let there = run(&[args, &["--endpoint", &server.url]].concat());
    assert_eq!(timeless(&here.stdout), timeless(&there.stdout));
    assert_eq!(here.stderr, there.stderr);
    assert_eq!(here.status, there.status);
    here
}

/// Output without what an answer cost, which is never the same.
pub(crate) fn timeless(output: &str) -> String {
    let cut = |line: &str| match serde_json::from_str::<Value>(line) {
        Ok(mut json) => {
            for answer in ["", "/exactSolve"] {
                if let Some(Value::Object(answer)) = json.pointer_mut(answer) {
                    answer.remove("stats");
                }
            }
            json.to_string()
        }
        Err(_) if line.starts_with("source") => line.split(", ").take(1).collect(),
        Err(_) => line.to_owned(),
    };
    output.lines().map(cut).collect::<Vec<_>>().join("\n")
}
