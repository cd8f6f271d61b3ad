//! Making tables: which, in what order, and what is told on the way.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tables::{
    Access, BLOCK_BYTES, Kind, Layout, MANIFEST, Manifest, Packed, Problem, Record, Stored, Table, TableId,
    examine,
};

use crate::blocks::Cutter;
use crate::board::Filling;
use crate::error::Error;
use crate::multisets;
use crate::parts;
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
    /// The most bytes of memory to use; a table that needs more is refused.
    pub memory: Option<u64>,
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
    /// Part of a table is filled.
    Advanced {
        /// Which.
        id: TableId,
        /// How many entries are filled.
        done: u64,
    },
    /// A table is filled, and about to be written and verified.
    Writing {
        /// Which.
        id: TableId,
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
/// Makers that share a folder share the work on a large board's table, part by part; what is finished of it stays
/// for the next run, whatever ends this one.
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
    // Whoever has the folder for a moment clears away what killed makers left.
    drop(Publisher::of(dir, &|| progress(Event::Waiting), cancel)?);
    let mut manifest = Manifest::of(dir)?;
    let mut report = Report::default();
    let keep = !options.force && !options.update_manifest;
    for id in specs.iter().map(|spec| spec.id()) {
        let path = dir.join(id.file_name());
        let mut kept = || {
            progress(Event::Kept { id });
            report.kept.push(id);
        };
        if keep && is_sound(&path, id, &manifest) {
            kept();
            continue;
        }
        let start = Instant::now();
        progress(Event::Started { id, entries: id.entries() });
        let blocks =
            match blocks(id, dir, options.memory, &|done| progress(Event::Advanced { id, done }), cancel) {
                // Another maker published the table, and cleared its parts away.
                Err(e) if is_gone(&e) && is_sound(&path, id, &manifest) => {
                    parts::remove(id, dir)?;
                    kept();
                    continue;
                }
                blocks => blocks?,
            };
        let publisher = Publisher::of(dir, &|| progress(Event::Waiting), cancel)?;
        // Another maker may have been faster.
        if keep && is_sound(&path, id, &manifest) {
            parts::remove(id, dir)?;
            kept();
            continue;
        }
        progress(Event::Writing { id });
        let write = |out: &mut std::fs::File| tables::write(id, BLOCK_BYTES, &blocks, out);
        let record = publisher.publish(&id.file_name(), write, |written| {
            let read_back = Stored::open(written, Access::Read).and_then(|stored| examine(stored, id));
            let record =
                read_back.map_err(|reason| Error::ReadBack(Problem::new(id, written.to_owned(), reason)))?;
            match manifest.get(id) {
                Some(listed) if !options.update_manifest => {
                    if let Err(reason) = listed.check(&record) {
                        // Made of parts that were wrong, perhaps: the next run is to make its own.
                        parts::remove(id, dir)?;
                        return Err(Error::Mismatch { id, reason });
                    }
                }
                _ => {}
            }
            Ok(record)
        })?;
        parts::remove(id, dir)?;
        progress(Event::Published { id, bytes: record.bytes, elapsed: start.elapsed() });
        if options.update_manifest {
            let made = (start.elapsed() >= WORTH_TELLING).then(|| how_made(start.elapsed()));
            // Another maker may have listed a table since.
            manifest = Manifest::of(dir)?;
            manifest.insert(id, Record { made, ..record.clone() });
            let text = manifest.to_string();
            publisher.publish(MANIFEST, |out| out.write_all(text.as_bytes()), |_| Ok(()))?;
        }
        report.made.push((id, path, record));
    }
    Ok(report)
}

/// Whether a maker failed because the parts it shares were cleared away.
fn is_gone(e: &Error) -> bool {
    match e {
        Error::Part { .. } => true,
        Error::Io { source, .. } => source.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

/// What takes less is made in no time on any machine.
const WORTH_TELLING: Duration = Duration::from_secs(10);

/// What making a table took, for the manifest.
fn how_made(elapsed: Duration) -> String {
    let threads = rayon::current_num_threads();
    let mut how = format!("{} s on {threads} threads", elapsed.as_secs());
    // Linux says how much memory a process has had at most; others keep it to themselves.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    if let Some(peak) = peak.map(|kib: u64| kib.div_ceil(1024)) {
        how.push_str(&format!(", {peak} MiB of memory"));
    }
    how
}

/// Whether the table is there, whole, and the one the manifest lists.
fn is_sound(path: &Path, id: TableId, manifest: &Manifest) -> bool {
    Table::file(path, id, Access::Map, 0)
        .is_ok_and(|table| manifest.get(id).is_none_or(|listed| listed.digest == table.digest()))
}

/// The compressed blocks of a table.
fn blocks(
    id: TableId,
    dir: &Path,
    memory: Option<u64>,
    advanced: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Vec<Packed>, Error> {
    let enough = |needed| match memory {
        Some(allowed) if needed > allowed => Err(Error::Memory { id, needed, allowed }),
        _ => Ok(()),
    };
    match id.kind() {
        Kind::Board(board) => {
            let filling = Filling::new(id, board, dir, cancel);
            enough(filling.memory())?;
            filling.blocks(advanced)
        }
        Kind::Endgame { boxes } => {
            enough(multisets::memory(id))?;
            let raw = multisets::fill(boxes, Layout::of(id), advanced, cancel).ok_or(Error::Cancelled)?;
            let mut cutter = Cutter::new(id);
            cutter.bytes(&raw).and_then(|()| cutter.finish()).map_err(Error::io("compress", dir))
        }
    }
}
