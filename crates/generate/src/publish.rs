//! Publishing files so that nobody ever sees half of one.
//!
//! A file is written under a temporary name beside its own, synced, checked, renamed, and the folder synced:
//! whatever happens on the way, its name means the old bytes or the new ones. Makers of one folder take
//! turns, by a lock the system lets go of when a maker dies, so whoever holds it knows that every temporary
//! file in the folder was left by one that did.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::Error;

const TEMPORARY: &str = ".tmp";
const LOCK: &str = ".lock";

/// The right to publish in a folder.
#[derive(Debug)]
pub(crate) struct Publisher {
    dir: PathBuf,
    /// Let go of when dropped.
    _lock: File,
}

impl Publisher {
    /// Makes the folder if need be and waits for our turn in it, calling `waiting` once if there is another
    /// maker. What a killed maker left is removed.
    pub(crate) fn of(dir: &Path, waiting: &dyn Fn(), cancel: &AtomicBool) -> Result<Publisher, Error> {
        fs::create_dir_all(dir).map_err(Error::io("make the folder", dir))?;
        let path = dir.join(LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(Error::io("write", &path))?;
        let mut told = false;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if cancel.load(Ordering::Relaxed) => {
                    return Err(Error::Cancelled);
                }
                Err(TryLockError::WouldBlock) => {
                    if !std::mem::replace(&mut told, true) {
                        waiting();
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
                // Some network file systems have no locks: one maker at a time is then up to the people.
                Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => break,
                Err(TryLockError::Error(e)) => return Err(Error::io("lock", &path)(e)),
            }
        }
        let publisher = Publisher { dir: dir.to_owned(), _lock: lock };
        publisher.clean()?;
        Ok(publisher)
    }

    /// Removes temporary files nobody is writing.
    fn clean(&self) -> Result<(), Error> {
        let entries = fs::read_dir(&self.dir).map_err(Error::io("read the folder", &self.dir))?;
        for entry in entries {
            let path = entry.map_err(Error::io("read the folder", &self.dir))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let ours = name.strip_suffix(TEMPORARY).is_some_and(|name| {
                name == tables::MANIFEST || tables::TableId::of_file_name(name).is_some()
            });
            if ours {
                fs::remove_file(&path).map_err(Error::io("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Publishes a file that `write` writes, once `check` has approved of what is on the disk.
    pub(crate) fn publish<T>(
        &self,
        name: &str,
        write: impl FnOnce(&mut File) -> std::io::Result<()>,
        check: impl FnOnce(&Path) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let path = self.dir.join(name);
        let temporary = Temporary(self.dir.join(format!("{name}{TEMPORARY}")));
        let write = || {
            let mut file = File::create(&temporary.0)?;
            write(&mut file)?;
            file.sync_all()
        };
        write().map_err(Error::io("write", &temporary.0))?;
        let checked = check(&temporary.0)?;
        fs::rename(&temporary.0, &path).map_err(Error::io("write", &path))?;
        // A folder cannot be opened like a file everywhere; where it cannot, a rename needs no sync.
        if let Ok(dir) = File::open(&self.dir) {
            dir.sync_all().map_err(Error::io("sync the folder", &self.dir))?;
        }
        Ok(checked)
    }
}

/// A temporary file, removed unless it has been renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename there is nothing under this name.
        let _ = fs::remove_file(&self.0);
    }
}
