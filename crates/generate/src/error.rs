//! Why tables were not made.

use std::io;
use std::path::{Path, PathBuf};

use tables::{ManifestError, Problem, Reason, TableId};
use thiserror::Error;

/// Why tables were not made. Tables that were there before are still there, untouched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The cancel flag was raised.
    #[error("stopped; no table was changed, and finished parts of one are kept for the next run")]
    Cancelled,
    /// The system did not let us.
    #[error("cannot {action} {}: {source}; {}", path.display(), hint(source))]
    Io {
        /// What was to be done, as in `write`.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The manifest could not be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A table takes more memory than it may.
    #[error(
        "{id} takes up to {} MiB of memory and may have {}; allow more with --memory, or make it on a larger machine",
        needed.div_ceil(1 << 20),
        allowed >> 20
    )]
    Memory {
        /// Which table.
        id: TableId,
        /// Bytes it needs.
        needed: u64,
        /// Bytes it may have.
        allowed: u64,
    },
    /// A finished part of a table went away or bad before the table was put together.
    #[error("part {number} of {id} was finished and is not there any more; run again to make it anew")]
    Part {
        /// Which table.
        id: TableId,
        /// Which part.
        number: u32,
    },
    /// What was made is not what the manifest lists, so it was not published.
    #[error(
        "{id} as made here {reason}; it was not published. If this is a change you mean, run again with --update-manifest"
    )]
    Mismatch {
        /// Which table.
        id: TableId,
        /// What differs.
        reason: Reason,
    },
    /// What was written did not read back as it was written.
    #[error("what was written did not read back: {0}. The disk or the memory may be failing")]
    ReadBack(Problem),
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    }
}

/// What to do about an error of the system.
fn hint(e: &io::Error) -> &'static str {
    match e.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room there, or name another folder with --tables"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make the folder writable, or name another with --tables"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "it is in the way of a folder: move it, or name another folder with --tables"
        }
        _ => "tables that were there before are untouched",
    }
}
