//! What can be wrong with a table file.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::id::TableId;

/// Why a file is not the table its name promises.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Reason {
    /// There is no such file.
    #[error("is missing")]
    Missing,
    /// The system would not let us read it.
    #[error("cannot be read ({message})")]
    Io {
        /// The kind of error.
        kind: io::ErrorKind,
        /// The system's words.
        message: String,
    },
    /// It does not begin like a table.
    #[error("is no Double Cross table")]
    NotATable,
    /// It is of a format this program does not know.
    #[error("is of format version {found}, and this program reads version {supported}")]
    Version {
        /// The version of the file.
        found: u16,
        /// The version this program reads.
        supported: u16,
    },
    /// It is shorter or longer than it says.
    #[error("is {found} bytes long and should be {stated}")]
    Length {
        /// The length its head states, or the least any table has.
        stated: u64,
        /// Its length.
        found: u64,
    },
    /// Some part does not have the bytes it was made with.
    #[error("is damaged: its {0} is not as it was written")]
    Damaged(&'static str),
    /// One block does not have the bytes it was made with.
    #[error("is damaged: block {0} is not as it was written")]
    Block(usize),
    /// It holds another table.
    #[error("holds the table {found} under another table's name")]
    Other {
        /// The table it holds.
        found: TableId,
    },
    /// An entry is impossible.
    #[error("has an entry that is impossible, number {0}")]
    Entry(u64),
    /// It is a sound table, but not the published one.
    #[error("differs from the manifest in {what}: {found}, not {listed}")]
    Unlisted {
        /// `bytes`, `entries`, `digest` or `values`.
        what: &'static str,
        /// What the manifest has.
        listed: String,
        /// What the file has.
        found: String,
    },
}

impl From<io::Error> for Reason {
    fn from(e: io::Error) -> Reason {
        match e.kind() {
            io::ErrorKind::NotFound => Reason::Missing,
            kind => Reason::Io { kind, message: e.to_string() },
        }
    }
}

/// A table that cannot be used, and what to do about it, in one sentence.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{} {reason}; {}", path.display(), self.remedy())]
#[non_exhaustive]
pub struct Problem {
    /// The table.
    pub id: TableId,
    /// Its file.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: Reason,
}

impl Problem {
    /// What is wrong with the table `id` in this file.
    pub const fn new(id: TableId, path: PathBuf, reason: Reason) -> Problem {
        Problem { id, path, reason }
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        let command = command(self.id, self.path.parent());
        match &self.reason {
            Reason::Missing => format!("`{command}` makes it"),
            Reason::Io { .. } => format!("make it readable, or let `{command}` make it anew"),
            _ => format!("`{command}` makes it anew"),
        }
    }
}

/// The command that makes a table in a folder.
pub(crate) fn command(id: TableId, dir: Option<&Path>) -> String {
    let request = id.request();
    match dir {
        Some(dir) if dir != Path::new(crate::DEFAULT_DIR) => {
            format!("doublecross generate {request} --tables {}", dir.display())
        }
        _ => format!("doublecross generate {request}"),
    }
}
