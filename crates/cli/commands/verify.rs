//! `verify`: verifies tables.

use std::str::FromStr;

use ::tables::{Access, Kind, Manifest, Table, TableId, Verdict, Verified};
use clap::Args;
use oracle::{Audit, Disagreement};
use serde::Serialize;

use crate::args::Global;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Spinner;
use crate::render;

/// Verify tables: every byte, every entry, and the manifest.
///
/// With --deep, entries are also worked out anew, from what their moves lead to, from their images, from the theory of
/// chains and loops, and some by search: ways that share nothing with the one they were made in but the numbering.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross verify                  the default set, and any other table that is there
  doublecross verify 3x3 endgame:40
  doublecross verify 4x4 --deep                    and 100,000 entries spread over the table
  doublecross verify 3x4 --deep --sample all       and every entry
  doublecross verify --json | jq 'select(.ok | not)'

The exit status is 1 when any table is missing, damaged, or not the one the manifest lists.")]
pub(crate) struct VerifyArgs {
    /// Which tables: `default`, `strong`, a board as RxC, or endgame:N
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Work entries out anew, too
    #[arg(long)]
    deep: bool,

    /// How many entries of each table, or `all`
    #[arg(long, value_name = "N", default_value = "100000", requires = "deep")]
    sample: Sample,
}

/// How many entries to work out anew.
#[derive(Clone, Copy, Debug)]
struct Sample(Option<u64>);

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Sample, String> {
        match text {
            "all" => Ok(Sample(None)),
            _ => text.parse().map(|n| Sample(Some(n))).map_err(|_| "a number, or `all`".into()),
        }
    }
}

pub(crate) async fn run(args: VerifyArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let wanted: Vec<TableId> = match &args.names[..] {
        [] => Vec::new(),
        names => {
            let specs = ::generate::parse(names).map_err(|e| Failure::misuse(e.to_string()))?;
            specs.into_iter().map(|spec| spec.id()).collect()
        }
    };
    let (dir, json, cancel) = (global.tables().to_owned(), global.json, interrupt);
    let spinner = Spinner::start("verifying");
    let work = move || {
        let manifest = Manifest::of(&dir).map_err(|e| Failure::no(e.to_string()))?;
        let mut bad = 0;
        let mut tell = |verdict: &Verdict| {
            let audited = match &verdict.result {
                Ok(_) if args.deep => Some(deep(verdict, args.sample, &spinner, &cancel)?),
                _ => None,
            };
            bad += usize::from(verdict.result.is_err() || matches!(audited, Some(Err(_))));
            spinner.aside(|| print(verdict, audited.as_ref(), json))
        };
        let verdicts: Box<dyn Iterator<Item = Verdict>> = match wanted.is_empty() {
            true => Box::new(::tables::verify(&dir, &manifest)),
            false => Box::new(::tables::verify_these(wanted, &dir, &manifest)),
        };
        for verdict in verdicts {
            if cancel.is_raised() {
                return Err(Failure::Interrupted);
            }
            tell(&verdict)?;
        }
        if bad == 0 { Ok(()) } else { Err(Failure::Told) }
    };
    tokio::task::spawn_blocking(work).await.map_err(Failure::fault)?
}

/// Works entries of a sound table out anew.
fn deep(
    verdict: &Verdict,
    sample: Sample,
    spinner: &Spinner,
    cancel: &Interrupt,
) -> Result<Result<Audit, Disagreement>, Failure> {
    let id = verdict.id;
    let table = Table::file(&verdict.path, id, Access::Map, usize::MAX);
    let table = table.map_err(|e| Failure::no(format!("{} {e}", verdict.path.display())))?;
    let advanced = |done| spinner.say(format!("{id}: {} entries worked out anew", render::thousands(done)));
    let audited = oracle::audit(&table, sample.0, &advanced, &cancel.flag());
    if cancel.is_raised() { Err(Failure::Interrupted) } else { Ok(audited) }
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
    #[serde(skip_serializing_if = "Option::is_none")]
    deep: Option<Deep>,
}

/// How many entries were worked out anew.
#[derive(Serialize)]
struct Deep {
    entries: u64,
    theory: u64,
    searched: u64,
}

/// What a sound table is.
#[derive(Serialize)]
struct Sound {
    entries: u64,
    bytes: u64,
    digest: String,
    listed: bool,
}

fn print(
    verdict: &Verdict,
    audited: Option<&Result<Audit, Disagreement>>,
    json: bool,
) -> Result<(), Failure> {
    let id = verdict.id;
    let wrong = audited.and_then(|audited| audited.as_ref().err());
    let deep = audited.and_then(|audited| audited.as_ref().ok());
    if json {
        let sound = verdict.result.as_ref().ok().map(|Verified { record, listed }| Sound {
            entries: record.entries,
            bytes: record.bytes,
            digest: record.digest.to_string(),
            listed: *listed,
        });
        let problem = verdict.result.as_ref().err().map(ToString::to_string);
        let problem = problem.or_else(|| wrong.map(ToString::to_string));
        let deep = deep.map(|&Audit { entries, theory, searched }| Deep { entries, theory, searched });
        return render::json(&Row { table: id.to_string(), ok: problem.is_none(), sound, problem, deep });
    }
    match &verdict.result {
        Ok(Verified { record, listed }) => {
            let entries = render::thousands(record.entries);
            let listed = if *listed { "as the manifest lists it" } else { "not in the manifest" };
            render::text(&format!("{id:<12} sound: {entries:>12} entries, {listed}\n"))?;
        }
        Err(problem) => render::text(&format!("{id:<12} {problem}\n"))?,
    }
    if let Some(wrong) = wrong {
        render::text(&format!("{id:<12} WRONG: {wrong}\n"))?;
    }
    if let Some(Audit { entries, theory, searched }) = deep {
        let [entries, theory, searched] = [*entries, *theory, *searched].map(render::thousands);
        let more = match id.kind() {
            Kind::Board(_) => {
                format!("as their moves and images have them, {theory} as theory, {searched} as search")
            }
            Kind::Endgame { .. } => "as theory has them".to_owned(),
        };
        render::text(&format!("{id:<12} deep:  {entries:>12} entries {more}\n"))?;
    }
    Ok(())
}
