//! `verify`: verifies tables.

use ::tables::{Manifest, Problem, Reason, TableId, Verdict, Verified};
use clap::Args;
use serde::Serialize;

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
    /// Which tables: `default`, `strong`, a board as RxC, or endgame:N
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
    tokio::task::spawn_blocking(work).await.map_err(Failure::fault)?
}

/// What `--json` prints of a table.
#[derive(Serialize)]
struct Row {
    table: String,
    ok: bool,
    #[serde(flatten)]
    sound: Option<Sound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// What a sound table is.
#[derive(Serialize)]
struct Sound {
    entries: u64,
    bytes: u64,
    digest: String,
    listed: bool,
}

fn print(verdict: &Verdict, json: bool) -> Result<(), Failure> {
    let id = verdict.id;
    if json {
        let sound = verdict.result.as_ref().ok().map(|Verified { record, listed }| Sound {
            entries: record.entries,
            bytes: record.bytes,
            digest: record.digest.to_string(),
            listed: *listed,
        });
        let problem = verdict.result.as_ref().err().map(ToString::to_string);
        return render::json(&Row { table: id.to_string(), ok: sound.is_some(), sound, problem });
    }
    match &verdict.result {
        Ok(Verified { record, listed }) => {
            let entries = render::thousands(record.entries);
            let listed = if *listed { "as the manifest lists it" } else { "not in the manifest" };
            render::text(&format!("{id:<12} sound: {entries:>12} entries, {listed}\n"))
        }
        Err(problem) => render::text(&format!("{id:<12} {problem}\n")),
    }
}
