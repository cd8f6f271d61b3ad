//! The file format: writing.
//!
//! Blocks are compressed one by one, on as many threads as the caller likes, then put together: the bytes of
//! a table depend on its entries alone.

use std::io::{self, BufWriter, Write};

use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Compressor;

use crate::container::{CHECKSUM, MAGIC, PREAMBLE, RECORD, VERSION};
use crate::digest::Digest;
use crate::header::Header;
use crate::id::TableId;

/// The raw bytes of a block. A cold probe decodes one, so small is quick; measured on 4x4, blocks of 8 KiB would make the
/// file 3 % smaller and a cold probe two to three times slower (`FORMAT.md`).
pub const BLOCK_BYTES: usize = 4096;

/// The zstd level. Measured on 3x4: level 1 makes 2.74 MB and 3 makes 2.72 MB; in blocks of 16 KiB 9 makes 1 % less in five
/// times the time and 19 makes 3 % less in 30 times. On 4x4, whose entries are bytes, level 1 would be 4 % smaller; one
/// level for all is worth more. From level 5 on, what zstd finds may depend on the vector instructions it was built
/// for; at level 3 the bytes are the same on every machine.
const LEVEL: i32 = 3;

/// Compresses the raw bytes of blocks.
pub struct Packer {
    compressor: Compressor<'static>,
    /// Room for the worst case. Blocks are kept by the hundred thousand, so each gets memory of its own size.
    buffer: Vec<u8>,
}

/// A compressed block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed(Box<[u8]>);

impl Packer {
    /// A compressor; one per thread is enough.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new() -> io::Result<Packer> {
        Ok(Packer { compressor: Compressor::new(LEVEL)?, buffer: Vec::new() })
    }

    /// Compresses one block.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn pack(&mut self, raw: &[u8]) -> io::Result<Packed> {
        self.buffer.resize(zstd::zstd_safe::compress_bound(raw.len()), 0);
        let length = self.compressor.compress_to_buffer(raw, &mut self.buffer[..])?;
        Ok(Packed(self.buffer[..length].into()))
    }
}

/// Writes a table, from its compressed blocks of `block_bytes` raw bytes each, in order.
///
/// # Errors
/// When there are more or fewer blocks than the table has, `block_bytes` is no block size, or writing fails.
pub fn write(id: TableId, block_bytes: usize, blocks: &[Packed], out: impl Write) -> io::Result<()> {
    let invalid = |what| io::Error::new(io::ErrorKind::InvalidInput, what);
    let block_bytes = u32::try_from(block_bytes).map_err(|_| invalid("no such block size"))?;
    let header = Header::new(id, block_bytes);
    if block_bytes == 0 || blocks.len() != header.blocks() {
        return Err(invalid("a table of other blocks"));
    }
    let encoded = header.encode().map_err(|_| invalid("no such header"))?;
    let data: usize = blocks.iter().map(|b| b.0.len()).sum();
    let head_length = PREAMBLE + encoded.len() + blocks.len() * RECORD;
    let length = head_length + CHECKSUM + data + Digest::LEN;
    let mut head = Vec::with_capacity(head_length + CHECKSUM);
    head.extend_from_slice(&MAGIC);
    head.extend_from_slice(&VERSION.to_le_bytes());
    head.extend_from_slice(&[0; 2]);
    head.extend_from_slice(&(encoded.len() as u32).to_le_bytes());
    head.extend_from_slice(&(length as u64).to_le_bytes());
    head.extend_from_slice(&encoded);
    let mut end = 0u64;
    for Packed(block) in blocks {
        end += block.len() as u64;
        head.extend_from_slice(&end.to_le_bytes());
        head.extend_from_slice(&xxh3_64(block).to_le_bytes());
    }
    head.extend_from_slice(&xxh3_64(&head).to_le_bytes());
    let mut out = BufWriter::with_capacity(1 << 20, out);
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(&head[..]).chain(blocks.iter().map(|block| &block.0[..])) {
        hasher.update(part);
        out.write_all(part)?;
    }
    out.write_all(hasher.finalize().as_bytes())?;
    out.flush()
}

/// The bytes of a table from its raw entries, on one thread: for small tables and tests.
///
/// # Errors
/// As [`write`](fn@write).
pub fn pack(id: TableId, block_bytes: usize, raw: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = Packer::new()?;
    let blocks =
        raw.chunks(block_bytes.max(1)).map(|raw| packer.pack(raw)).collect::<io::Result<Vec<_>>>()?;
    let mut bytes = Vec::new();
    write(id, block_bytes, &blocks, &mut bytes)?;
    Ok(bytes)
}
