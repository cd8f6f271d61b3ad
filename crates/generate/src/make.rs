//! Making tables: which, in what order, and what is told on the way.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tables::{
    BLOCK_BYTES, Kind, Layout, MANIFEST, Manifest, Map, Packer, Problem, Record, Table, TableId, assemble,
    examine,
};

use crate::enumeration::{Enumeration, EnumerationError};
use crate::error::Error;
use crate::multisets;
use crate::publish::Publisher;
use crate::spec::Spec;

/// How to make tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Make tables even where a sound one is there.
    pub force: bool,
    /// Make tables even where a sound one is there, and list them in the folder's manifest, instead of
    /// holding them against it.
    pub update_manifest: bool,
}

/// What happens while tables are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Another maker is at work in the folder; we wait for it.
    Waiting,
    /// A table is there already and was kept.
    Kept {
        /// Which.
        id: TableId,
    },
    /// A table is begun.
    Started {
        /// Which.
        id: TableId,
        /// How many entries it will have.
        entries: u64,
    },
    /// Part of a table is filled. What follows (compressing, writing, verifying) is quick.
    Advanced {
        /// Which.
        id: TableId,
        /// How many entries are filled.
        done: u64,
    },
    /// A table is published.
    Published {
        /// Which.
        id: TableId,
        /// The length of its file.
        bytes: u64,
        /// From its start.
        elapsed: Duration,
    },
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The tables made, with their files and what the manifest should have of them.
    pub made: Vec<(TableId, PathBuf, Record)>,
    /// The tables that were there already.
    pub kept: Vec<TableId>,
}

/// Makes the tables of a folder that are not there or not sound, and publishes each as soon as it is
/// verified. The bytes depend on neither the machine nor the number of threads; they are held against the
/// manifest, which only [`Options::update_manifest`] changes.
///
/// # Errors
/// When the flag `cancel` was raised, the disk would not do, or a table differs from the manifest. Tables
/// published before that stay; all others are as they were.
pub fn make(
    specs: &[Spec],
    dir: &Path,
    options: Options,
    progress: &(dyn Fn(Event) + Sync),
    cancel: &AtomicBool,
) -> Result<Report, Error> {
    let publisher = Publisher::of(dir, &|| progress(Event::Waiting), cancel)?;
    let mut manifest = Manifest::of(dir)?;
    let mut report = Report::default();
    for id in specs.iter().map(|spec| spec.id()) {
        let path = dir.join(id.file_name());
        if !options.force && !options.update_manifest && is_sound(&path, id, &manifest) {
            progress(Event::Kept { id });
            report.kept.push(id);
            continue;
        }
        let start = Instant::now();
        progress(Event::Started { id, entries: id.entries() });
        let raw = fill(id, &|done| progress(Event::Advanced { id, done }), cancel)?;
        let bytes = compress(id, &raw, &path, cancel)?;
        drop(raw);
        let record = publisher.publish(&id.file_name(), &bytes, |written| {
            let read_back = Map::open(written).and_then(|map| examine(map, id));
            let record =
                read_back.map_err(|reason| Error::ReadBack(Problem::new(id, written.to_owned(), reason)))?;
            match manifest.get(id) {
                Some(listed) if !options.update_manifest => {
                    listed.check(&record).map_err(|reason| Error::Mismatch { id, reason })?;
                }
                _ => {}
            }
            Ok(record)
        })?;
        progress(Event::Published { id, bytes: record.bytes, elapsed: start.elapsed() });
        if options.update_manifest {
            manifest.insert(id, record.clone());
        }
        report.made.push((id, path, record));
    }
    if options.update_manifest {
        publisher.publish(MANIFEST, manifest.to_string().as_bytes(), |_| Ok(()))?;
    }
    Ok(report)
}

/// Whether the table is there, whole, and the one the manifest lists.
fn is_sound(path: &Path, id: TableId, manifest: &Manifest) -> bool {
    Table::map(path, id, 0)
        .is_ok_and(|table| manifest.get(id).is_none_or(|listed| listed.digest == table.digest()))
}

/// The raw entries of a table.
fn fill(id: TableId, advanced: &(dyn Fn(u64) + Sync), cancel: &AtomicBool) -> Result<Vec<u8>, Error> {
    match id.kind() {
        Kind::Board(board) => match Enumeration::new(board, advanced, cancel) {
            Ok(all) => Ok(all.packed_wins()),
            Err(EnumerationError::Cancelled) => Err(Error::Cancelled),
            Err(e) => Err(e.into()),
        },
        Kind::Endgame { boxes } => {
            multisets::fill(boxes, Layout::of(id), advanced, cancel).ok_or(Error::Cancelled)
        }
    }
}

/// The bytes of the file.
fn compress(id: TableId, raw: &[u8], path: &Path, cancel: &AtomicBool) -> Result<Vec<u8>, Error> {
    let blocks = raw
        .par_chunks(BLOCK_BYTES)
        .map_init(Packer::new, |packer, raw| {
            if cancel.load(Ordering::Relaxed) {
                return Err(Error::Cancelled);
            }
            let packer = packer.as_mut().map_err(|e| std::io::Error::new(e.kind(), e.to_string()));
            packer.and_then(|packer| packer.pack(raw)).map_err(Error::io("compress", path))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    assemble(id, BLOCK_BYTES, &blocks).map_err(Error::io("compress", path))
}
