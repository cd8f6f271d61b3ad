//! README shows what really happens.

use std::process::Command;

use crate::support::{Run, tables, timeless};

/// Every `console` block of README: commands after `$ `, and below each what it prints.
#[cfg(unix)]
#[test]
fn the_examples_print_what_it_says() {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```console\n").skip(1).filter_map(|rest| Some(rest.split_once("\n```")?.0));
    let mut examples = 0;
    for block in blocks {
        for example in block.strip_prefix("$ ").unwrap().split("\n$ ") {
            let (mut command, mut printed) = example.split_once('\n').unwrap_or((example, ""));
            let mut whole = String::new();
            while let Some(start) = command.strip_suffix('\\') {
                whole.push_str(start);
                (command, printed) = printed.split_once('\n').unwrap_or((printed, ""));
            }
            whole.push_str(command);
            let run = shell(&whole);
            assert_eq!(timeless(&run.stdout), timeless(printed.trim_end()), "$ {whole}\n{}", run.stderr);
            assert_eq!(run.status, 0, "$ {whole}");
            examples += 1;
        }
    }
    assert!(examples >= 5, "{examples}");
}

/// Runs a command as a reader would, in a folder with the default tables.
fn shell(command: &str) -> Run {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_doublecross"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binary.parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(tables().parent().unwrap()).env_remove("RUST_LOG");
    Run::of(shell.env("PATH", std::env::join_paths(folders).unwrap()).output().unwrap())
}
