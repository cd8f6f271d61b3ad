//! Tables of exact values: the file format, its reader and the catalogue of a folder.
//!
//! A table answers by position, not by key: the number of a quiet position of a board, or of a multiset, *is* the
//! place of its entry. All tables are one format (`FORMAT.md`): a head that is checked against the
//! length of the file, small zstd blocks with a checksum each, a digest over everything. Files are untrusted
//! until every byte has been verified, and even then no bytes can make a reader panic, hang or allocate more
//! than the file warrants.
//!
//! * [`Catalogue`]: the tables of a folder, opened once, asked ever after.
//! * [`TableId`]: a table's name, and from it the file, the number of entries and their size.
//! * [`Table`], [`BoardTable`], [`EndgameTable`]: one table over any bytes.
//! * [`Container`], [`Store`]: blocks of a file, decoded and kept.
//! * [`Ranking`], [`QuietRanking`]: the numbering of multisets and of quiet positions.
//! * [`Storage`], [`Access`]: memory, file or map.
//! * [`Fit`]: what is left of a large board, on a small one.
//! * [`pack`], [`write`](fn@write): the same format, written.
//! * [`Manifest`], [`verify`]: what the published tables are, and whether these are they.

mod board;
mod catalogue;
mod container;
mod digest;
mod endgame_table;
mod fit;
mod halves;
mod header;
mod histogram;
mod id;
mod manifest;
mod map;
mod pack;
mod pread;
mod quiet;
mod rank;
mod reason;
mod storage;
mod store;
mod table;
mod verify;

/// Where tables are kept unless another folder is named.
pub const DEFAULT_DIR: &str = "tables";

pub use board::BoardTable;
pub use catalogue::{BoardProbe, Catalogue, EndgameEntry, Listing, Options};
pub use container::{Container, VERSION};
pub use digest::{Digest, NotADigest};
pub use endgame_table::{EndgameTable, Layout};
pub use fit::Fit;
pub use header::Header;
pub use histogram::Histogram;
pub use id::{Kind, TableId, UnknownTable};
pub use manifest::{MANIFEST, Manifest, ManifestError, Record};
pub use map::Map;
pub use pack::{BLOCK_BYTES, Packed, Packer, pack, write};
pub use pread::Pread;
pub use quiet::{Class, Fills, Place, QuietRanking};
pub use rank::{Parts, Ranking};
pub use reason::{Problem, Reason};
pub use storage::{Access, Storage, Stored};
pub use store::Store;
pub use table::Table;
pub use verify::{Verdict, Verified, examine, verify, verify_these};
