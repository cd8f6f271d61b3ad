//! `verify`: verifies tables.

use std::io::{self, Write as _};

use ::tables::{Manifest, Problem, Reason, TableId, Verdict};
use clap::Args;
use serde_json::json;

use crate::args::Global;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Spinner;
use crate::render;

/// Verify tables: every byte, every entry, and the manifest.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross verify                  the default set, and any other table that is there
  doublecross verify 3x3 endgame:40
  doublecross verify --json | jq 'select(.ok | not)'

The exit status is 1 when any table is missing, damaged, or not the one the manifest lists.")]
pub(crate) struct VerifyArgs {
    /// Which tables: `default`, a board as RxC, or endgame:N
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

pub(crate) async fn run(args: VerifyArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let wanted: Vec<TableId> = match &args.names[..] {
        [] => Vec::new(),
        names => {
            let specs = ::generate::parse(names).map_err(|e| Failure::misuse(e.to_string()))?;
            specs.into_iter().map(|spec| spec.id()).collect()
        }
    };
    let (dir, json, cancel) = (global.tables.clone(), global.json, interrupt);
    let spinner = Spinner::start("verifying");
    let work = move || {
        let manifest = Manifest::of(&dir).map_err(|e| Failure::no(e.to_string()))?;
        let mut unseen = wanted.clone();
        let mut bad = 0;
        let mut tell = |verdict: &Verdict| {
            bad += usize::from(verdict.result.is_err());
            spinner.aside(|| print(verdict, json))
        };
        for verdict in ::tables::verify(&dir, &manifest) {
            if cancel.is_raised() {
                return Err(Failure::Interrupted);
            }
            if wanted.is_empty() || wanted.contains(&verdict.id) {
                unseen.retain(|&id| id != verdict.id);
                tell(&verdict)?;
            }
        }
        for id in unseen {
            let path = dir.join(id.file_name());
            let problem = Problem::new(id, path.clone(), Reason::Missing);
            tell(&Verdict { id, path, result: Err(problem) })?;
        }
        if bad == 0 { Ok(()) } else { Err(Failure::Told) }
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|e| Failure::no(format!("a fault of this program: {e}")))?
}

fn print(verdict: &Verdict, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let id = verdict.id;
    match &verdict.result {
        Ok(verified) if json => {
            let record = &verified.record;
            let line = json!({
                "table": id.to_string(), "ok": true, "bytes": record.bytes, "entries": record.entries,
                "digest": record.digest.to_string(), "listed": verified.listed,
            });
            writeln!(out, "{line}")
        }
        Err(problem) if json => {
            let line = json!({"table": id.to_string(), "ok": false, "problem": problem.to_string()});
            writeln!(out, "{line}")
        }
        Ok(verified) => {
            let entries = render::thousands(verified.record.entries);
            let listed = if verified.listed { "as the manifest lists it" } else { "not in the manifest" };
            writeln!(out, "{id:<12} sound: {entries:>12} entries, {listed}")
        }
        Err(problem) => writeln!(out, "{id:<12} {problem}"),
    }?;
    out.flush()
}
