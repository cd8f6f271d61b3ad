//! Cutting entries into blocks and compressing them, as they come.

use std::io;

use rayon::prelude::*;
use tables::{BLOCK_BYTES, Packed, Packer, TableId};

/// Cuts raw bytes into blocks.
pub(crate) struct Cutter {
    bits: u8,
    /// Not yet a whole number of blocks.
    raw: Vec<u8>,
    /// The low half of a byte whose high half is still to come.
    half: Option<u8>,
    blocks: Vec<Packed>,
}

impl Cutter {
    pub(crate) fn new(id: TableId) -> Cutter {
        Cutter { bits: id.entry_bits(), raw: Vec::new(), half: None, blocks: Vec::new() }
    }

    /// Takes entries of a board's table.
    pub(crate) fn entries(&mut self, entries: impl Iterator<Item = u8>) -> io::Result<()> {
        if self.bits == 8 {
            self.raw.extend(entries);
        } else {
            for entry in entries {
                match self.half.take() {
                    None => self.half = Some(entry),
                    Some(low) => self.raw.push(low | entry << 4),
                }
            }
        }
        self.compress_whole()
    }

    /// Takes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.raw.extend_from_slice(bytes);
        self.compress_whole()
    }

    /// The blocks, when there is nothing more to come.
    pub(crate) fn finish(mut self) -> io::Result<Vec<Packed>> {
        self.raw.extend(self.half.take());
        self.compress(self.raw.len())?;
        Ok(self.blocks)
    }

    /// Compresses what is a whole number of blocks already.
    fn compress_whole(&mut self) -> io::Result<()> {
        self.compress(self.raw.len() / BLOCK_BYTES * BLOCK_BYTES)
    }

    fn compress(&mut self, bytes: usize) -> io::Result<()> {
        let packed = self.raw[..bytes].par_chunks(BLOCK_BYTES).map_init(Packer::new, |packer, raw| {
            let packer = packer.as_mut().map_err(|e| io::Error::new(e.kind(), e.to_string()));
            packer.and_then(|packer| packer.pack(raw))
        });
        self.blocks.extend(packed.collect::<io::Result<Vec<_>>>()?);
        self.raw.drain(..bytes);
        Ok(())
    }
}
