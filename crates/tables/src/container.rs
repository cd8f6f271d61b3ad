//! The file format: reading.
//!
//! `FORMAT.md` beside this crate's manifest draws the bytes. A [`Container`] is generic over what holds
//! them, so memory, a file and a map are one code. Nothing in the bytes is believed: every length
//! is held against the length of the file before it is used, and nothing is allocated by a number that comes
//! from the file alone.

use std::cell::RefCell;

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

use crate::digest::Digest;
use crate::header::{self, Header};
use crate::reason::Reason;
use crate::storage::Storage;

/// The first bytes of every table. As with PNG, a transfer that strips the high bit, changes line ends or
/// stops at an end-of-file character breaks them.
pub(crate) const MAGIC: [u8; 8] = *b"\x89DXT\r\n\x1a\n";

/// The format version.
pub const VERSION: u16 = 2;

/// Magic, version, header length, file length.
pub(crate) const PREAMBLE: usize = 8 + 2 + 2 + 4 + 8;

/// Bytes of an index record: where the block ends, and its checksum.
pub(crate) const RECORD: usize = 8 + 8;

/// Bytes of a checksum.
pub(crate) const CHECKSUM: usize = 8;

/// How much of a file is hashed at a time.
const CHUNK: usize = 1 << 20;

/// A table file.
#[derive(Debug)]
pub struct Container<B> {
    bytes: B,
    header: Header,
    /// Where each block ends, counted from the first, and its checksum.
    index: Box<[(u64, u64)]>,
    /// Where the blocks begin.
    data: u64,
    digest: Digest,
}

/// The first [`PREAMBLE`] bytes, checked: the lengths of the header and of the file.
pub(crate) fn preamble(bytes: &[u8], file_length: u64) -> Result<usize, Reason> {
    if bytes.get(..MAGIC.len()).is_none_or(|magic| magic != MAGIC) {
        return Err(Reason::NotATable);
    }
    let too_short = || Reason::Length { stated: PREAMBLE as u64, found: file_length };
    let found = u16::from_le_bytes(array(bytes, 8).ok_or_else(too_short)?);
    if found != VERSION {
        return Err(Reason::Version { found, supported: VERSION });
    }
    let reserved: [u8; 2] = array(bytes, 10).ok_or_else(too_short)?;
    let header_length = u32::from_le_bytes(array(bytes, 12).ok_or_else(too_short)?) as usize;
    let stated = u64::from_le_bytes(array(bytes, 16).ok_or_else(too_short)?);
    if stated != file_length {
        return Err(Reason::Length { stated, found: file_length });
    }
    if header_length > header::MAX_BYTES || reserved != [0; 2] {
        return Err(Reason::Damaged("preamble"));
    }
    Ok(header_length)
}

/// The `N` bytes at `at`, if they are there.
fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// The number at `at`; the caller knows that it is there.
fn number(bytes: &[u8], at: usize) -> u64 {
    array(bytes, at).map_or(0, u64::from_le_bytes)
}

impl<B: Storage> Container<B> {
    /// Opens a table: checks the preamble, the length of the file, the header and the index, but not the
    /// blocks. Cheap whatever the size of the table.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn open(bytes: B) -> Result<Container<B>, Reason> {
        let length = bytes.length();
        let first = length.min((PREAMBLE + header::MAX_BYTES) as u64) as usize;
        let (header, index) = bytes.look(0, first, |first| {
            let index = PREAMBLE + preamble(first, length)?;
            let header = Header::decode(first.get(PREAMBLE..index).ok_or(Reason::Damaged("header"))?)?;
            Ok::<_, Reason>((header, index))
        })??;
        // No table has more than 2^24 blocks, and nothing is read or kept before the file is long enough for them.
        let checksum = index + header.blocks() * RECORD;
        let data = (checksum + CHECKSUM) as u64;
        let end = length.checked_sub(data + Digest::LEN as u64).ok_or(Reason::Damaged("index"))?;
        let index: Box<[(u64, u64)]> = bytes.look(0, data as usize, |head| {
            if xxh3_64(&head[..checksum]) != number(head, checksum) {
                return Err(Reason::Damaged("head"));
            }
            Ok(head[index..checksum].chunks_exact(RECORD).map(|r| (number(r, 0), number(r, 8))).collect())
        })??;
        let mut last = 0;
        for &(next, _) in &index {
            if next <= last || next > end {
                return Err(Reason::Damaged("index"));
            }
            last = next;
        }
        if last != end {
            return Err(Reason::Damaged("index"));
        }
        let digest = bytes.look(data + end, Digest::LEN, |digest| array(digest, 0).unwrap_or_default())?;
        Ok(Container { bytes, header, index, data, digest: Digest(digest) })
    }

    /// What the table says about itself.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The length of the file.
    pub fn file_length(&self) -> u64 {
        self.bytes.length()
    }

    /// The digest the file ended with when it was opened: of every byte before it.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// Holds every byte of the file against its digest.
    ///
    /// # Errors
    /// When they do not agree.
    pub fn check_digest(&self) -> Result<Digest, Reason> {
        let body = self.file_length().saturating_sub(Digest::LEN as u64);
        let mut hasher = blake3::Hasher::new();
        let mut at = 0;
        while at < body {
            let len = (body - at).min(CHUNK as u64) as usize;
            self.bytes.look(at, len, |bytes| {
                hasher.update(bytes);
            })?;
            at += len as u64;
        }
        let found = Digest(*hasher.finalize().as_bytes());
        if found == self.digest { Ok(found) } else { Err(Reason::Damaged("digest")) }
    }

    /// The raw bytes of a block, its checksum verified first: the file may have gone bad since it was
    /// opened.
    ///
    /// # Errors
    /// When the block is not as it was written.
    pub fn block(&self, block: usize) -> Result<Box<[u8]>, Reason> {
        let bad = || Reason::Block(block);
        let &(end, checksum) = self.index.get(block).ok_or_else(bad)?;
        let start = block.checked_sub(1).map_or(0, |before| self.index[before].0);
        // The index was checked: ends grow, and none lies beyond the file.
        self.bytes.look(self.data + start, (end - start) as usize, |compressed| {
            if xxh3_64(compressed) != checksum {
                return Err(bad());
            }
            let mut raw = vec![0; self.header.raw_bytes_of(block)].into_boxed_slice();
            let written = decompress(compressed, &mut raw).ok_or_else(bad)?;
            if written == raw.len() { Ok(raw) } else { Err(bad()) }
        })?
    }
}

thread_local! {
    /// Making a decompressor costs more than a block.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Decompresses into a buffer that is never outgrown, and returns how many bytes were written.
fn decompress(compressed: &[u8], raw: &mut [u8]) -> Option<usize> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Decompressor::new().ok();
        }
        slot.as_mut()?.decompress_to_buffer(compressed, raw).ok()
    })
}
