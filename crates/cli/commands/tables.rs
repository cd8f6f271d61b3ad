//! `tables`: lists the tables there are, and those there should be.

use std::fmt::Write as _;

use ::tables::{Catalogue, Listing, TableId};
use clap::Args;
use serde::Serialize;

use crate::args::Global;
use crate::failure::Failure;
use crate::render;

/// List the tables there are, and those there should be.
///
/// Every checksum is verified; `doublecross verify` also reads every entry and the manifest.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross tables
  doublecross tables --tables /srv/doublecross/tables --json")]
pub(crate) struct TablesArgs {}

pub(crate) fn run(_: TablesArgs, global: &Global) -> Result<(), Failure> {
    let catalogue = Catalogue::open(global.tables());
    if global.json {
        return catalogue.list().iter().map(Row::of).try_for_each(|row| render::json(&row));
    }
    let mut out = String::new();
    for listing in catalogue.list() {
        // Writing to a string cannot fail.
        let _ = row(&mut out, listing);
    }
    let listed: Vec<TableId> = catalogue.list().iter().map(|listing| listing.id).collect();
    let more = TableId::strong_set().into_iter().filter(|id| !listed.contains(id));
    let more: Vec<String> = more.map(TableId::request).collect();
    if !more.is_empty() {
        let _ = writeln!(out, "not made: {}; `doublecross generate strong` makes them all", more.join(" "));
    }
    render::text(&out)
}

/// What `--json` prints of a table.
#[derive(Serialize)]
struct Row {
    table: String,
    ok: bool,
    path: String,
    entries: u64,
    bytes: u64,
    digest: Option<String>,
    problem: Option<String>,
    generate: String,
}

impl Row {
    fn of(listing: &Listing) -> Row {
        Row {
            table: listing.id.to_string(),
            ok: listing.status.is_ok(),
            path: listing.path.display().to_string(),
            entries: listing.entries,
            bytes: listing.bytes,
            digest: listing.digest.map(|digest| digest.to_string()),
            problem: listing.status.as_ref().err().map(ToString::to_string),
            generate: listing.command.clone(),
        }
    }
}

fn row(out: &mut String, listing: &Listing) -> std::fmt::Result {
    let (entries, bytes) = (render::thousands(listing.entries), render::thousands(listing.bytes));
    write!(out, "{:<12} {entries:>12} entries  {bytes:>11} bytes  ", listing.id)?;
    match &listing.status {
        Ok(()) => writeln!(out, "sound"),
        Err(reason) => writeln!(out, "{reason}: `{}` makes it", listing.command),
    }
}
