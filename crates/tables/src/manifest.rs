//! The manifest: what the published tables are, in text, kept in git.
//!
//! Tables are made by a deterministic program, so whoever makes one gets these bytes. A manifest beside the
//! tables is the one that counts; where there is none, the one this program was built with.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use game::Boxes;
use serde::Deserialize;

use crate::digest::Digest;
use crate::histogram::Histogram;
use crate::id::TableId;
use crate::reason::Reason;

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.toml";

/// The manifest in the source tree.
const BUILT_IN: &str = include_str!("../../../tables/manifest.toml");

const PREFACE: &str = "\
# The published tables of Double Cross. `doublecross generate` compares what it makes with this file and
# `doublecross verify` what is there; only `doublecross generate --update-manifest` writes it.
# digest: BLAKE3 of every byte of the file but the last 32, which hold it. values: how often each comes. made: what
# that took when it was last made for this file.
";

/// What the published tables are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    records: BTreeMap<TableId, Record>,
}

/// A published table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The length of the file.
    pub bytes: u64,
    /// How many entries.
    pub entries: u64,
    /// The digest the file ends with.
    pub digest: Digest,
    /// How often each value comes.
    pub values: Histogram,
    /// What making it took on the machine that made the manifest, where that is worth telling.
    pub made: Option<String>,
}

/// A manifest that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the manifest {} {what}; restore it from the repository, or remove it to use the one built in", path.display())]
pub struct ManifestError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

/// A record as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    bytes: u64,
    entries: u64,
    digest: String,
    values: BTreeMap<String, u64>,
    made: Option<String>,
}

impl Manifest {
    /// The manifest that counts for a folder: the one in it, or else the one built in.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    pub fn of(dir: &Path) -> Result<Manifest, ManifestError> {
        let path = dir.join(MANIFEST);
        match std::fs::read_to_string(&path) {
            Ok(text) => Manifest::parse(&text).map_err(|what| ManifestError { path, what }),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Manifest::built_in()
                .map_err(|what| ManifestError { path: Path::new("<built in>").into(), what }),
            Err(e) => Err(ManifestError { path, what: format!("cannot be read ({e})") }),
        }
    }

    fn built_in() -> Result<Manifest, String> {
        Manifest::parse(BUILT_IN)
    }

    /// A manifest from its text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Manifest, String> {
        let written: BTreeMap<String, Written> =
            toml::from_str(text).map_err(|e| format!("is not as it should be: {}", e.message()))?;
        let mut manifest = Manifest::default();
        for (name, written) in written {
            let id: TableId = name.parse().map_err(|e| format!("lists a table that cannot be: {e}"))?;
            let record = written.record().ok_or_else(|| format!("has a wrong entry for {id}"))?;
            manifest.records.insert(id, record);
        }
        Ok(manifest)
    }

    /// The published table of this name.
    pub fn get(&self, id: TableId) -> Option<&Record> {
        self.records.get(&id)
    }

    /// Lists a table.
    pub fn insert(&mut self, id: TableId, record: Record) {
        self.records.insert(id, record);
    }

    /// The published tables.
    pub fn iter(&self) -> impl Iterator<Item = (TableId, &Record)> {
        self.records.iter().map(|(&id, record)| (id, record))
    }
}

impl Record {
    /// Holds a record of a file against this one.
    ///
    /// # Errors
    /// The first thing that differs.
    pub fn check(&self, found: &Record) -> Result<(), Reason> {
        let differs = |what, listed: &dyn fmt::Display, found: &dyn fmt::Display| {
            Err(Reason::Unlisted { what, listed: listed.to_string(), found: found.to_string() })
        };
        if self.entries != found.entries {
            differs("entries", &self.entries, &found.entries)
        } else if self.values != found.values {
            differs("values", &self.values, &found.values)
        } else if self.bytes != found.bytes {
            differs("bytes", &self.bytes, &found.bytes)
        } else if self.digest != found.digest {
            differs("digest", &self.digest, &found.digest)
        } else {
            Ok(())
        }
    }
}

impl Written {
    fn record(self) -> Option<Record> {
        let mut values = Histogram::default();
        for (value, times) in self.values {
            let number: i16 = value.parse().ok().filter(|v| (-64..=64).contains(v))?;
            // One spelling for each, so that none comes twice.
            if number.to_string() != value {
                return None;
            }
            values.add(Boxes(number), times);
        }
        let digest = self.digest.parse().ok()?;
        // Written back between quotes, as it is.
        let made = self.made.filter(|made| !made.contains(|c: char| c == '"' || c == '\\' || c.is_control()));
        Some(Record { bytes: self.bytes, entries: self.entries, digest, values, made })
    }
}

impl fmt::Display for Manifest {
    /// The text of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFACE)?;
        self.iter().try_for_each(|(id, Record { bytes, entries, digest, values, made })| {
            write!(f, "\n[{id}]\nbytes = {bytes}\nentries = {entries}\n")?;
            write!(f, "digest = \"{digest}\"\nvalues = {{ {values} }}\n")?;
            made.iter().try_for_each(|made| writeln!(f, "made = \"{made}\""))
        })
    }
}
