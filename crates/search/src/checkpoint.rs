//! What a search has proven, kept in a file, to go on another day.
//!
//! ```text
//!  magic | identity | lower, upper | visited | heaps, by number | table | XXH3-64 of all before
//! ```
//!
//! The identity names the position, the layout of the table and the order of bytes: a file is read by the same search
//! only. Everything is read and checked before anything is taken over.

use std::io::{self, Read, Write};

use endgame::Multiset;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3Default;

const MAGIC: [u8; 8] = *b"\x89DXP\r\n\x1a\n";

/// A checkpoint that cannot be gone on from.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read, or ends too early.
    #[error("it cannot be read ({0})")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("it is no checkpoint of a search")]
    Foreign,
    /// It belongs to another search.
    #[error("it is of another search: {found}, not {expected}")]
    Other {
        /// The search it is of.
        found: String,
        /// The search that should go on.
        expected: String,
    },
    /// Something in it is not as it was written.
    #[error("it is damaged")]
    Damaged,
    /// Its table needs more memory than the search may have.
    #[error("its table has {needed} MiB, and the search may have {allowed} MiB")]
    TooLarge {
        /// Of the table.
        needed: usize,
        /// Allowed.
        allowed: usize,
    },
    /// The system has no memory for the table.
    #[error("the system has no memory for a search")]
    NoMemory,
}

/// Writes a checkpoint.
pub(crate) struct Writer<W> {
    out: W,
    sum: Xxh3Default,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(out: W, identity: &str) -> io::Result<Writer<W>> {
        let mut writer = Writer { out, sum: Xxh3Default::new() };
        writer.bytes(&MAGIC)?;
        writer.number(identity.len() as u64)?;
        writer.bytes(identity.as_bytes())?;
        Ok(writer)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }

    pub(crate) fn number(&mut self, n: u64) -> io::Result<()> {
        self.bytes(&n.to_le_bytes())
    }

    pub(crate) fn multiset(&mut self, set: &Multiset) -> io::Result<()> {
        for lengths in [set.chains(), set.loops()] {
            self.number(lengths.len() as u64)?;
            for &n in lengths {
                self.number(u64::from(n))?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        let sum = self.sum.digest();
        self.out.write_all(&sum.to_le_bytes())?;
        self.out.flush()
    }
}

/// Reads a checkpoint.
pub(crate) struct Reader<R> {
    from: R,
    sum: Xxh3Default,
}

impl<R: Read> Reader<R> {
    pub(crate) fn new(from: R, expected: &str) -> Result<Reader<R>, CheckpointError> {
        let mut reader = Reader { from, sum: Xxh3Default::new() };
        let mut magic = MAGIC;
        reader.bytes(&mut magic)?;
        if magic != MAGIC {
            return Err(CheckpointError::Foreign);
        }
        // No identity is longer than the edges of the largest board and a few words.
        let mut identity = vec![0; reader.count(4096)?];
        reader.bytes(&mut identity)?;
        if identity != expected.as_bytes() {
            let found = String::from_utf8_lossy(&identity).into_owned();
            return Err(CheckpointError::Other { found, expected: expected.to_owned() });
        }
        Ok(reader)
    }

    pub(crate) fn bytes(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.from.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }

    pub(crate) fn number(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number of things, so many at most.
    pub(crate) fn count(&mut self, most: usize) -> Result<usize, CheckpointError> {
        let n = self.number()?;
        usize::try_from(n).ok().filter(|&n| n <= most).ok_or(CheckpointError::Damaged)
    }

    pub(crate) fn multiset(&mut self) -> Result<Multiset, CheckpointError> {
        let mut lengths = || -> Result<Vec<u32>, CheckpointError> {
            let count = self.count(endgame::MAX_COMPONENTS)?;
            (0..count).map(|_| u32::try_from(self.number()?).map_err(|_| CheckpointError::Damaged)).collect()
        };
        let (chains, loops) = (lengths()?, lengths()?);
        Multiset::new(&chains, &loops).map_err(|_| CheckpointError::Damaged)
    }

    /// Nothing may follow, and all of it must be as it was written.
    pub(crate) fn finish(mut self) -> Result<(), CheckpointError> {
        let expected = self.sum.digest();
        let mut sum = [0; 8];
        self.from.read_exact(&mut sum)?;
        let more = self.from.read(&mut [0; 1])?;
        if u64::from_le_bytes(sum) != expected || more > 0 {
            return Err(CheckpointError::Damaged);
        }
        Ok(())
    }
}
