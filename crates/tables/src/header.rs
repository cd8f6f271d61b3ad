//! What a table says about itself: the one part of the file that is written with bincode.
//!
//! bincode is framed on all sides, because its bytes say neither how long they are nor whether they are
//! whole: the preamble gives their length, the head's checksum covers them, and a header is only believed
//! when it says exactly what the table it names must have.

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};
use game::Board;

use crate::id::{Kind, TableId};
use crate::reason::Reason;

/// No header is longer than this.
pub(crate) const MAX_BYTES: usize = 64;

/// The raw bytes of a block, between these, a power of two.
const BLOCK_BYTES: std::ops::RangeInclusive<u32> = 64..=1 << 16;

/// The checked header of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Which table.
    pub id: TableId,
    /// How many entries.
    pub entries: u64,
    /// How many bits each has: 4, 8, 16 or 32.
    pub entry_bits: u8,
    /// The raw bytes of every block but the last.
    pub block_bytes: u32,
}

#[derive(Encode, Decode)]
struct Wire {
    table: WireTable,
    entries: u64,
    entry_bits: u8,
    block_bytes: u32,
}

#[derive(Encode, Decode)]
enum WireTable {
    Endgame { boxes: u16 },
    Board { rows: u8, cols: u8 },
}

fn config() -> Configuration<LittleEndian, Fixint, Limit<MAX_BYTES>> {
    bincode::config::standard().with_fixed_int_encoding().with_limit::<MAX_BYTES>()
}

impl Header {
    /// The header of a table cut into blocks of so many raw bytes.
    pub(crate) fn new(id: TableId, block_bytes: u32) -> Header {
        Header { id, entries: id.entries(), entry_bits: id.entry_bits(), block_bytes }
    }

    /// How many bytes the entries take before compression: at most the 816,485,649 of 4x4, which fit a `usize` of
    /// 32 bits.
    pub fn raw_bytes(&self) -> usize {
        (self.entries * u64::from(self.entry_bits)).div_ceil(8) as usize
    }

    /// How many blocks the entries are cut into.
    pub fn blocks(&self) -> usize {
        self.raw_bytes().div_ceil(self.block_bytes as usize)
    }

    /// The raw bytes of one block: the last may be shorter.
    pub(crate) fn raw_bytes_of(&self, block: usize) -> usize {
        let start = block.saturating_mul(self.block_bytes as usize);
        self.raw_bytes().saturating_sub(start).min(self.block_bytes as usize)
    }

    pub(crate) fn encode(&self) -> Result<Vec<u8>, Reason> {
        let table = match self.id.kind() {
            Kind::Endgame { boxes } => WireTable::Endgame { boxes },
            // A side is at most 32 boxes.
            Kind::Board(board) => WireTable::Board { rows: board.rows() as u8, cols: board.cols() as u8 },
        };
        let Header { entries, entry_bits, block_bytes, .. } = *self;
        bincode::encode_to_vec(Wire { table, entries, entry_bits, block_bytes }, config())
            .map_err(|_| Reason::Damaged("header"))
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Header, Reason> {
        let damaged = Reason::Damaged("header");
        let (wire, read): (Wire, usize) =
            bincode::decode_from_slice(bytes, config()).map_err(|_| damaged.clone())?;
        let id = match wire.table {
            WireTable::Endgame { boxes } => TableId::endgame(boxes),
            WireTable::Board { rows, cols } if rows <= cols => {
                Board::new(rows.into(), cols.into()).ok().and_then(TableId::board)
            }
            WireTable::Board { .. } => None,
        };
        let header = Header::new(id.ok_or_else(|| damaged.clone())?, wire.block_bytes);
        let as_it_must_be = read == bytes.len()
            && (wire.entries, wire.entry_bits) == (header.entries, header.entry_bits)
            && BLOCK_BYTES.contains(&header.block_bytes)
            && header.block_bytes.is_power_of_two();
        as_it_must_be.then_some(header).ok_or(damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn headers_are_read_back() {
        for id in TableId::default_set() {
            let header = Header::new(id, 4096);
            let bytes = header.encode().unwrap();
            assert_eq!(bytes.len(), 19);
            assert_eq!(Header::decode(&bytes), Ok(header));
            assert!(Header::decode(&bytes[1..]).is_err());
            assert!(Header::decode(&[bytes, vec![0]].concat()).is_err());
        }
    }

    #[test]
    fn the_last_block_is_what_is_left() {
        let header = Header::new(TableId::endgame(40).unwrap(), 4096);
        let sizes: Vec<usize> = (0..header.blocks() + 2).map(|b| header.raw_bytes_of(b)).collect();
        assert_eq!(sizes.iter().sum::<usize>(), header.raw_bytes());
        assert_eq!(sizes[header.blocks() - 1], header.raw_bytes() % 4096);
        assert_eq!(sizes[header.blocks()..], [0, 0]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_header_of_a_possible_table_or_none(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..40),
            kind in 0u8..3,
        ) {
            if let Some(first) = bytes.first_mut() {
                *first = kind;
            }
            if let Ok(header) = Header::decode(&bytes) {
                prop_assert_eq!(header.encode().unwrap(), bytes);
            }
        }
    }
}
