//! The finished parts of a table, in a folder beside it.
//!
//! A part is a checkpoint, and it is how processes and machines that share a folder share the work: whoever can lock a
//! part's temporary file makes it and renames it. A part is believed only when every byte of it is as it was written,
//! so it needs no syncing; and two that make the same part make the same bytes, so where a file system has no locks
//! nothing worse happens than work done twice.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use tables::{Digest, QuietRanking, TableId};

use crate::error::Error;
use crate::plan::Part;

/// What the name of the folder ends with.
const FOLDER: &str = ".parts";

/// The first bytes of a part.
const MAGIC: [u8; 8] = *b"\x89DXP\r\n\x1a\n";

/// The version of these files.
const VERSION: u8 = 1;

/// Bytes of magic, version, rows, columns, number and entries.
const HEAD: usize = 8 + 1 + 1 + 1 + 4 + 8;

/// The zstd level: parts are written once and read once.
const LEVEL: i32 = 1;

/// The folder of a table's parts.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    folder: PathBuf,
    ranking: &'a QuietRanking,
}

/// The right to make a part.
pub(crate) struct Claim {
    file: File,
    temporary: PathBuf,
    path: PathBuf,
}

impl<'a> Parts<'a> {
    /// The parts of a table.
    pub(crate) fn of(id: TableId, dir: &Path, ranking: &'a QuietRanking) -> Parts<'a> {
        Parts { folder: folder(id, dir), ranking }
    }

    fn path(&self, part: &Part) -> PathBuf {
        self.folder.join(format!("{:04}", part.number))
    }

    /// What a part's file begins with.
    fn head(&self, part: &Part) -> [u8; HEAD] {
        let board = self.ranking.board();
        // A side is at most 32 boxes.
        let size = [VERSION, board.rows() as u8, board.cols() as u8];
        let mut head = [0; HEAD];
        let bytes = [&MAGIC[..], &size, &part.number.to_le_bytes(), &part.entries.to_le_bytes()].concat();
        head.copy_from_slice(&bytes);
        head
    }

    /// The values of a part, class by class, if it is finished and sound.
    pub(crate) fn read(&self, part: &Part) -> Result<Option<Vec<Vec<i8>>>, Error> {
        let path = self.path(part);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::io("read", &path)(e)),
        };
        let Some((body, digest)) = bytes.split_last_chunk::<{ Digest::LEN }>() else { return Ok(None) };
        if Digest::of(body).bytes() != digest || !body.starts_with(&self.head(part)) {
            return Ok(None);
        }
        let Ok(values) = zstd::bulk::decompress(&body[HEAD..], part.entries as usize) else {
            return Ok(None);
        };
        if values.len() as u64 != part.entries {
            return Ok(None);
        }
        let mut rest = &values[..];
        let classes = self.ranking.classes()[part.classes.clone()].iter().map(|class| {
            let (values, more) = rest.split_at(class.len as usize);
            rest = more;
            values.iter().map(|&byte| byte as i8).collect()
        });
        Ok(Some(classes.collect()))
    }

    /// The right to make a part, if nobody else has it and it is not finished.
    pub(crate) fn claim(&self, part: &Part) -> Result<Option<Claim>, Error> {
        let path = self.path(part);
        let temporary = path.with_extension("tmp");
        let open = || {
            fs::create_dir_all(&self.folder)?;
            File::options().create(true).truncate(false).write(true).open(&temporary)
        };
        // A maker who has published the table may remove the folder just then; once more, and it stays.
        let file = match open() {
            Err(e) if e.kind() == ErrorKind::NotFound => open(),
            opened => opened,
        };
        let file = file.map_err(Error::io("write", &temporary))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(Error::io("lock", &temporary)(e)),
        }
        Ok(Some(Claim { file, temporary, path }))
    }

    /// Finishes a part.
    pub(crate) fn write(&self, part: &Part, claim: Claim, values: &[Vec<i8>]) -> Result<(), Error> {
        let raw: Vec<u8> = values.iter().flatten().map(|&value| value as u8).collect();
        let Claim { mut file, temporary, path } = claim;
        let mut write = || {
            let mut bytes = self.head(part).to_vec();
            bytes.extend(zstd::bulk::compress(&raw, LEVEL)?);
            bytes.extend(Digest::of(&bytes).bytes());
            // What one that died has written of it.
            if file.metadata()?.len() > 0 {
                file.set_len(0)?;
            }
            file.write_all(&bytes)
        };
        write().map_err(Error::io("write", &temporary))?;
        match fs::rename(&temporary, &path) {
            // Without locks another maker of the same part may have renamed the file we share already.
            Err(e) if e.kind() == ErrorKind::NotFound && self.read(part)?.is_some() => Ok(()),
            renamed => renamed.map_err(Error::io("write", &path)),
        }
    }
}

/// The folder of a table's parts.
fn folder(id: TableId, dir: &Path) -> PathBuf {
    dir.join(format!("{id}{FOLDER}"))
}

/// Removes the parts of a table that is published.
pub(crate) fn remove(id: TableId, dir: &Path) -> Result<(), Error> {
    let folder = folder(id, dir);
    match fs::remove_dir_all(&folder) {
        Ok(()) => Ok(()),
        // Someone who shares the work was there first, or has yet to see that it is finished.
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty) => Ok(()),
        Err(e) => Err(Error::io("remove", &folder)(e)),
    }
}
