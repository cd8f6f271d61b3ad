//! A table file in memory, by way of a map.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use memmap2::Mmap;

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
    pub fn open(path: &Path) -> Result<Map, Reason> {
        // To open a pipe would wait for somebody to write into it.
        if !std::fs::metadata(path)?.is_file() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file").into());
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut head = Vec::with_capacity(PREAMBLE);
        (&file).take(PREAMBLE as u64).read_to_end(&mut head)?;
        preamble(&head, length)?;
        Ok(Map(map(&file)?))
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
