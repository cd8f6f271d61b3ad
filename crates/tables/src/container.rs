//! The file format: reading.
//!
//! `FORMAT.md` beside this crate's manifest draws the bytes. A [`Container`] is generic over what holds
//! them, so memory, a file read whole and a map are one code. Nothing in the bytes is believed: every length
//! is held against the length of the file before it is used, and nothing is allocated by a number that comes
//! from the file alone.

use std::cell::RefCell;

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

use crate::digest::Digest;
use crate::header::{self, Header};
use crate::reason::Reason;

/// The first bytes of every table. As with PNG, a transfer that strips the high bit, changes line ends or
/// stops at an end-of-file character breaks them.
pub(crate) const MAGIC: [u8; 8] = *b"\x89DXT\r\n\x1a\n";

/// The format version.
pub const VERSION: u16 = 1;

/// Magic, version, header length, file length.
pub(crate) const PREAMBLE: usize = 8 + 2 + 2 + 4 + 8;

/// Bytes of an index record: where the block ends, and its checksum.
pub(crate) const RECORD: usize = 8 + 8;

/// Bytes of a checksum.
pub(crate) const CHECKSUM: usize = 8;

/// A table file.
#[derive(Debug)]
pub struct Container<B> {
    bytes: B,
    header: Header,
    /// Where the index begins.
    index: usize,
    /// Where the blocks begin.
    data: usize,
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

impl<B: AsRef<[u8]>> Container<B> {
    /// Opens a table: checks the preamble, the length of the file, the header and the index, but not the
    /// blocks. Cheap whatever the size of the table.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn open(bytes: B) -> Result<Container<B>, Reason> {
        let all = bytes.as_ref();
        let header_length = preamble(all, all.len() as u64)?;
        let index = PREAMBLE + header_length;
        let header = Header::decode(all.get(PREAMBLE..index).ok_or(Reason::Damaged("header"))?)?;
        // At most 2^27 raw bytes in blocks of at least 64: no overflow here.
        let checksum = index + header.blocks() * RECORD;
        let data = checksum + CHECKSUM;
        let stored = array(all, checksum).ok_or(Reason::Damaged("index"))?;
        if xxh3_64(&all[..checksum]) != u64::from_le_bytes(stored) {
            return Err(Reason::Damaged("head"));
        }
        let end = all.len().checked_sub(data + Digest::LEN).ok_or(Reason::Damaged("index"))?;
        let container = Container { bytes, header, index, data };
        let mut last = 0;
        for block in 0..header.blocks() {
            let (next, _) = container.record(block).ok_or(Reason::Damaged("index"))?;
            if next <= last || next > end {
                return Err(Reason::Damaged("index"));
            }
            last = next;
        }
        if last != end { Err(Reason::Damaged("index")) } else { Ok(container) }
    }

    /// What the table says about itself.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The length of the file.
    pub fn file_length(&self) -> u64 {
        self.bytes.as_ref().len() as u64
    }

    /// The digest the file ends with: of every byte before it.
    pub fn digest(&self) -> Digest {
        let bytes = self.bytes.as_ref();
        // `open` has seen more bytes than these.
        Digest(bytes.last_chunk().copied().unwrap_or_default())
    }

    /// Holds every byte of the file against its digest.
    ///
    /// # Errors
    /// When they do not agree.
    pub fn check_digest(&self) -> Result<Digest, Reason> {
        let bytes = self.bytes.as_ref();
        let stored = self.digest();
        let body = &bytes[..bytes.len().saturating_sub(Digest::LEN)];
        if Digest::of(body) == stored { Ok(stored) } else { Err(Reason::Damaged("digest")) }
    }

    /// Where a block ends, counted from the first block, and its checksum.
    fn record(&self, block: usize) -> Option<(usize, u64)> {
        let at = self.index + block * RECORD;
        let end = u64::from_le_bytes(array(self.bytes.as_ref(), at)?);
        Some((usize::try_from(end).ok()?, u64::from_le_bytes(array(self.bytes.as_ref(), at + 8)?)))
    }

    fn compressed(&self, block: usize) -> Option<(&[u8], u64)> {
        if block >= self.header.blocks() {
            return None;
        }
        let start = if block == 0 { 0 } else { self.record(block - 1)?.0 };
        let (end, checksum) = self.record(block)?;
        Some((self.bytes.as_ref().get(self.data + start..self.data + end)?, checksum))
    }

    /// The raw bytes of a block, its checksum verified first: the file may have gone bad since it was
    /// opened.
    ///
    /// # Errors
    /// When the block is not as it was written.
    pub fn block(&self, block: usize) -> Result<Box<[u8]>, Reason> {
        let bad = || Reason::Block(block);
        let (compressed, checksum) = self.compressed(block).ok_or_else(bad)?;
        if xxh3_64(compressed) != checksum {
            return Err(bad());
        }
        let mut raw = vec![0; self.header.raw_bytes_of(block)].into_boxed_slice();
        let written = decompress(compressed, &mut raw).ok_or_else(bad)?;
        if written == raw.len() { Ok(raw) } else { Err(bad()) }
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
