//! A table file in memory, by way of a map.

use std::fs::File;
use std::io::Read;

use memmap2::{Advice, Mmap};

use crate::container::{PREAMBLE, preamble};
use crate::reason::Reason;

/// A mapped file.
#[derive(Debug)]
pub struct Map(Mmap);

impl Map {
    /// Maps a table, once its first bytes are those of a table and the file is as long as they say.
    ///
    /// # Errors
    /// When the file cannot be read, is no table, or has another length.
    pub fn of(file: &File) -> Result<Map, Reason> {
        let length = file.metadata()?.len();
        let mut head = Vec::with_capacity(PREAMBLE);
        file.take(PREAMBLE as u64).read_to_end(&mut head)?;
        preamble(&head, length)?;
        Ok(Map(map(file)?))
    }

    /// Asks the system to read all of it now.
    ///
    /// # Errors
    /// When the system will not.
    pub fn prefault(&self) -> Result<(), Reason> {
        Ok(self.0.advise(Advice::WillNeed)?)
    }
}

/// The one call in Double Cross that the compiler cannot check.
#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: The map is read-only and private to this process's readers. What the compiler cannot know is
    // that nobody changes or shortens the file while it is mapped. Double Cross never does: a table is
    // written under another name and renamed, so a mapped file is at most unlinked, never changed
    // (`generate::publish`). If someone else writes into it, readers see other bytes, never invalid ones:
    // any byte is a valid `u8`, and each block's checksum is verified when it is decoded. If someone else
    // shortens it, the system ends the process with SIGBUS; no reader of a map can prevent that.
    unsafe { Mmap::map(file) }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
