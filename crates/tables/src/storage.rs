//! Where the bytes of a table are: in memory, in a map, or left in the file.

use std::fs::File;
use std::path::Path;

use crate::map::Map;
use crate::pread::Pread;
use crate::reason::Reason;

/// Bytes that can be looked at, a part at a time.
pub trait Storage {
    /// How many there are.
    fn length(&self) -> u64;

    /// Looks at `len` bytes from `at` on.
    ///
    /// # Errors
    /// When they are not there, or cannot be read.
    fn look<T>(&self, at: u64, len: usize, look: impl FnOnce(&[u8]) -> T) -> Result<T, Reason>;
}

impl<B: AsRef<[u8]>> Storage for B {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn look<T>(&self, at: u64, len: usize, look: impl FnOnce(&[u8]) -> T) -> Result<T, Reason> {
        let bytes = usize::try_from(at).ok().and_then(|at| self.as_ref().get(at..)?.get(..len));
        bytes.map(look).ok_or(Reason::Length { stated: at.saturating_add(len as u64), found: self.length() })
    }
}

/// How to get at a table's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// Map it: nothing is copied, the system keeps in memory what is used. Whoever shortens a mapped file ends the
    /// process.
    #[default]
    Map,
    /// Map it, and ask the system to read all of it at once.
    MapPrefault,
    /// Leave it in the file and read a block when it is asked for. A file that is shortened is damage like any other.
    Read,
    /// Read it whole into memory.
    Load,
}

/// A table's file, got at in one of the ways.
#[derive(Debug)]
pub enum Stored {
    /// A map.
    Map(Map),
    /// The file.
    File(Pread),
    /// The bytes.
    Heap(Vec<u8>),
}

impl Stored {
    /// Opens the file of a table, once its first bytes are those of a table and it is as long as they say.
    ///
    /// # Errors
    /// When it cannot be read, is no table, or has another length.
    pub fn open(path: &Path, access: Access) -> Result<Stored, Reason> {
        let file = open(path)?;
        match access {
            Access::Map => Map::of(&file).map(Stored::Map),
            Access::MapPrefault => {
                let map = Map::of(&file)?;
                map.prefault()?;
                Ok(Stored::Map(map))
            }
            Access::Read => Pread::of(file).map(Stored::File),
            Access::Load => {
                let file = Pread::of(file)?;
                let length = usize::try_from(file.length()).map_err(|_| Reason::Damaged("length"))?;
                file.look(0, length, <[u8]>::to_vec).map(Stored::Heap)
            }
        }
    }
}

/// Opens a regular file; to open a pipe would wait for somebody to write into it.
fn open(path: &Path) -> Result<File, Reason> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file").into());
    }
    Ok(File::open(path)?)
}

impl Storage for Stored {
    fn length(&self) -> u64 {
        match self {
            Stored::Map(map) => map.length(),
            Stored::File(file) => file.length(),
            Stored::Heap(bytes) => bytes.length(),
        }
    }

    fn look<T>(&self, at: u64, len: usize, look: impl FnOnce(&[u8]) -> T) -> Result<T, Reason> {
        match self {
            Stored::Map(map) => map.look(at, len, look),
            Stored::File(file) => file.look(at, len, look),
            Stored::Heap(bytes) => bytes.look(at, len, look),
        }
    }
}
