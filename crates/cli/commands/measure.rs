//! `measure`: the theory's claims with numbers, measured again.

use std::fmt::Write as _;
use std::path::PathBuf;

use ::play::{Finding, Measurement};
use clap::Args;
use oracle::{Config, Oracle};
use serde::Serialize;

use crate::args::Global;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Spinner;
use crate::render;

/// Measure the theory's claims with numbers again.
///
/// Every measurement has fixed seeds and the same outcome on every machine. The exit status is 1 when a claim fails.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross measure                              all of them
  doublecross measure taker-values greed
  doublecross measure --games 1000 matches         five times as many games
  doublecross measure --write MEASUREMENTS.md")]
pub(crate) struct MeasureArgs {
    /// Which: identity, long-chain-rule, taker-values, bribe, greed, matches, players, perfect, structure, reductions,
    /// regions
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Games of each match; what else is drawn at random grows or shrinks alike. What is complete stays as it is:
    /// taker-values, perfect, and the boards of regions
    #[arg(long, value_name = "N", default_value_t = Measurement::GAMES, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,

    /// Write what is found to this file, too
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// What `--json` prints of a measurement.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    ok: bool,
    claims: Vec<Claim<'a>>,
    table: &'a str,
}

#[derive(Serialize)]
struct Claim<'a> {
    claim: &'a str,
    ok: bool,
}

pub(crate) async fn run(args: MeasureArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let wanted = |m: &Measurement| args.names.is_empty() || args.names.iter().any(|name| name == m.name());
    if let Some(unknown) = args.names.iter().find(|name| Measurement::ALL.iter().all(|m| m.name() != **name))
    {
        let all: Vec<&str> = Measurement::ALL.into_iter().map(Measurement::name).collect();
        return Err(Failure::misuse(format!(
            "there is no measurement {unknown:?}; there are {}",
            all.join(", ")
        )));
    }
    let wanted: Vec<Measurement> = Measurement::ALL.into_iter().filter(wanted).collect();
    let (json, flag) = (global.json, interrupt.flag());
    let spinner = Spinner::start("measuring");
    let work = move || {
        // Without tables: what is found must not depend on which of them somebody has.
        let config = Config { threads: 1, table_bytes: 1 << 20 };
        let oracle = Oracle::with_config(::tables::Catalogue::empty(), config);
        let (mut failed, mut report) = (false, PREFACE.to_owned());
        for measurement in wanted {
            spinner.say(format!("measuring {}", measurement.name()));
            let found = measurement.run(&oracle, args.games, &flag).ok_or(Failure::Interrupted)?;
            failed |= !found.holds();
            let text = text(&found);
            spinner.aside(|| if json { json_row(&found) } else { render::text(&text) })?;
            report.push_str(&text);
        }
        if let Some(path) = args.write {
            std::fs::write(&path, report)
                .map_err(|e| Failure::no(format!("cannot write {} ({e})", path.display())))?;
        }
        if failed { Err(Failure::Told) } else { Ok(()) }
    };
    tokio::task::spawn_blocking(work).await.map_err(Failure::fault)?
}

const PREFACE: &str = "\
# Measurements

What the theory of Dots and Boxes claims with numbers, measured by `doublecross measure --write MEASUREMENTS.md`.
Every measurement has fixed seeds and the same outcome on every machine.
";

fn json_row(found: &Finding) -> Result<(), Failure> {
    let claims = found.claims.iter().map(|(claim, ok)| Claim { claim, ok: *ok }).collect();
    render::json(&Row { name: found.name, ok: found.holds(), claims, table: &found.table })
}

fn text(found: &Finding) -> String {
    let mut out = format!("\n## {}\n\n{}\n", found.name, found.table);
    for (claim, held) in &found.claims {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "- {}: {claim}", if *held { "holds" } else { "FAILS" });
    }
    out
}
