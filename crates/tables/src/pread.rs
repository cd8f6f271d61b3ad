//! A table file that is read a part at a time.

use std::cell::RefCell;
use std::fs::File;

use crate::container::{PREAMBLE, preamble};
use crate::reason::Reason;
use crate::storage::Storage;

/// An open file. Reads say where they begin, so any number of threads can share it.
#[derive(Debug)]
pub struct Pread {
    file: File,
    length: u64,
}

impl Pread {
    /// A file, once its first bytes are those of a table and it is as long as they say.
    ///
    /// # Errors
    /// When it cannot be read, is no table, or has another length.
    pub fn of(file: File) -> Result<Pread, Reason> {
        let length = file.metadata()?.len();
        let file = Pread { file, length };
        file.look(0, PREAMBLE.min(length as usize), |head| preamble(head, length))??;
        Ok(file)
    }
}

thread_local! {
    /// What was read last; most reads are one block.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What a thread keeps of its buffer between reads.
const KEPT: usize = 1 << 20;

impl Storage for Pread {
    fn length(&self) -> u64 {
        self.length
    }

    fn look<T>(&self, at: u64, len: usize, look: impl FnOnce(&[u8]) -> T) -> Result<T, Reason> {
        if at.checked_add(len as u64).is_none_or(|end| end > self.length) {
            return Err(Reason::Length { stated: at.saturating_add(len as u64), found: self.length });
        }
        // Taken out, so that a look inside a look finds an empty one.
        let mut buffer = BUFFER.take();
        buffer.resize(len, 0);
        let read = read_exact_at(&self.file, &mut buffer, at);
        let seen = read.map(|()| look(&buffer)).map_err(Reason::from);
        if len <= KEPT {
            BUFFER.set(buffer);
        }
        seen
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> std::io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, at)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
        }
    }
    Ok(())
}
