//! Verifying tables: every byte, every entry, and the manifest.

use std::path::{Path, PathBuf};

use crate::catalogue::expected;
use crate::histogram::Histogram;
use crate::id::TableId;
use crate::manifest::{Manifest, Record};
use crate::reason::{Problem, Reason};
use crate::storage::{Access, Storage, Stored};
use crate::table::Table;

/// What verifying a table came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Which table.
    pub id: TableId,
    /// Its file.
    pub path: PathBuf,
    /// What the file is, if it is sound.
    pub result: Result<Verified, Problem>,
}

/// A table that is sound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What it is.
    pub record: Record,
    /// Whether the manifest lists it, just so.
    pub listed: bool,
}

/// Verifies the tables of a folder: those every installation should have, and any other that is there.
/// Lengths, checksums and digest, then every entry of every block, then the manifest.
pub fn verify<'a>(dir: &'a Path, manifest: &'a Manifest) -> impl Iterator<Item = Verdict> + 'a {
    verify_these(expected(dir), dir, manifest)
}

/// Verifies these tables of a folder.
pub fn verify_these<'a>(
    ids: impl IntoIterator<Item = TableId> + 'a,
    dir: &'a Path,
    manifest: &'a Manifest,
) -> impl Iterator<Item = Verdict> + 'a {
    ids.into_iter().map(|id| {
        let path = dir.join(id.file_name());
        let result = Stored::open(&path, Access::Map)
            .and_then(|stored| examine(stored, id))
            .and_then(|record| {
                let listed = manifest.get(id);
                listed.map_or(Ok(()), |listed| listed.check(&record))?;
                Ok(Verified { record, listed: listed.is_some() })
            })
            .map_err(|reason| Problem { id, path: path.clone(), reason });
        Verdict { id, path, result }
    })
}

/// Reads a whole table and returns what the manifest should have of it.
///
/// # Errors
/// The first thing that is wrong.
pub fn examine<B: Storage>(bytes: B, id: TableId) -> Result<Record, Reason> {
    let table = Table::open(bytes, id, 0)?;
    let mut values = Histogram::default();
    table.walk(|value| values.add(value, 1))?;
    let container = table.container();
    let entries = container.header().entries;
    if values.total() != entries {
        return Err(Reason::Damaged("number of entries"));
    }
    Ok(Record { bytes: container.file_length(), entries, digest: container.digest(), values, made: None })
}
