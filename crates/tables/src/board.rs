//! Board tables: the value of every position of one board.
//!
//! The entries are the quiet positions up to symmetry, by their number ([`QuietRanking`]); a position with boxes on
//! offer is worth what [`Offer`] makes of the quiet one that is left when they are taken. What is left of a value
//! once parity and sign are known is the number of boxes the mover still wins:
//! `wins = (boxes left + value) / 2`, from 0 to the boxes left. Up to 15 boxes that is four bits, two entries to
//! a byte, the even one in the low half; on 4x4, where there are 17, it is a byte.

use endgame::Offer;
use game::{Board, Boxes, Edge, Position};

use crate::container::Container;
use crate::id::{Kind, TableId};
use crate::quiet::QuietRanking;
use crate::reason::Reason;
use crate::storage::Storage;
use crate::store::Store;

/// The table of one board, which answers for the transposed board too.
#[derive(Debug)]
pub struct BoardTable<B> {
    id: TableId,
    /// Boxed: it is large, and tables are moved about.
    ranking: Box<QuietRanking>,
    store: Store<B>,
}

impl<B: Storage> BoardTable<B> {
    /// The table in a container, keeping decoded blocks up to a budget of bytes.
    ///
    /// # Errors
    /// When the container holds another kind of table.
    pub fn new(container: Container<B>, budget: usize) -> Result<BoardTable<B>, Reason> {
        let id = container.header().id;
        let Kind::Board(board) = id.kind() else { return Err(Reason::Other { found: id }) };
        Ok(BoardTable {
            id,
            ranking: Box::new(QuietRanking::new(board)),
            store: Store::new(container, budget),
        })
    }

    /// The board, with no more rows than columns.
    pub const fn board(&self) -> Board {
        self.ranking.board()
    }

    /// The table's name.
    pub const fn id(&self) -> TableId {
        self.id
    }

    /// The numbering of the entries.
    pub const fn ranking(&self) -> &QuietRanking {
        &self.ranking
    }

    /// The value of a position of this board or its transpose; `None` of any other board, or where the file
    /// has gone bad since it was opened.
    pub fn probe(&self, position: &Position) -> Option<Boxes> {
        self.look(&self.asked(self.ranking.mask(position)?))
    }

    /// What every move is worth to the mover, edges ascending, as probes of what they lead to have it; `None` where
    /// there is none of one of them.
    pub fn moves(&self, position: &Position) -> Option<Vec<(Edge, Boxes)>> {
        let drawn = self.ranking.mask(position)?;
        let free = self.ranking.free(position);
        let next = free.clone().map(|(_, edge)| self.asked(drawn | edge));
        let next = if self.store.keeps_all() {
            next.map(|asked| self.look(&asked)).collect()
        } else {
            self.look_in_order(&next.collect::<Vec<Asked>>())
        };
        let next: Vec<Boxes> = next?;
        let worth = |((e, edge), next)| (e, self.ranking.lines().worth(drawn, edge, next));
        Some(free.zip(next).map(worth).collect())
    }

    /// The block a probe of this position looks into; `None` of another board.
    pub fn block(&self, position: &Position) -> Option<usize> {
        self.ranking.mask(position).map(|drawn| self.asked(drawn).block)
    }

    /// Where to look for the value of a position.
    fn asked(&self, drawn: u64) -> Asked {
        let offer = Offer::on(self.ranking.lines(), drawn);
        let bit = self.ranking.rank(offer.rest) * u64::from(self.id.entry_bits());
        let block_bits = 8 * u64::from(self.store.container().header().block_bytes);
        Asked { offer, block: (bit / block_bits) as usize, bit: (bit % block_bits) as usize }
    }

    /// Looks for a value.
    fn look(&self, asked: &Asked) -> Option<Boxes> {
        let byte = self.store.look(asked.block, |raw| raw.get(asked.bit / 8).copied())??;
        self.answer(asked, byte)
    }

    /// Looks for values, at every block once, in the order of the file.
    fn look_in_order(&self, asked: &[Asked]) -> Option<Vec<Boxes>> {
        let mut order: Vec<usize> = (0..asked.len()).collect();
        order.sort_by_key(|&i| asked[i].block);
        let mut values = vec![Boxes::ZERO; asked.len()];
        for same in order.chunk_by(|&a, &b| asked[a].block == asked[b].block) {
            self.store.look(asked[same[0]].block, |raw| {
                same.iter().try_for_each(|&i| {
                    values[i] = self.answer(&asked[i], *raw.get(asked[i].bit / 8)?)?;
                    Some(())
                })
            })??;
        }
        Some(values)
    }

    /// The value of a position, from the byte its entry is in.
    fn answer(&self, asked: &Asked, byte: u8) -> Option<Boxes> {
        let wins = match self.id.entry_bits() {
            4 => byte >> (asked.bit % 8) & 15,
            _ => byte,
        };
        Some(asked.offer.value(self.decode(asked.offer.rest, wins)?))
    }

    fn decode(&self, mask: u64, wins: u8) -> Option<Boxes> {
        let left = self.ranking.lines().boxes_left(mask) as i16;
        (i16::from(wins) <= left).then(|| Boxes(2 * i16::from(wins) - left))
    }

    /// Decodes the whole table and shows every value to `look`, in the order of the numbers.
    ///
    /// # Errors
    /// The first damaged block or impossible entry.
    pub fn walk(&self, mut look: impl FnMut(Boxes)) -> Result<(), Reason> {
        let mut number = 0;
        let mut masks = self.ranking.masks();
        let mut show = |wins| {
            // The header has as many entries as there are masks; an odd one out is padding.
            let Some(mask) = masks.next() else {
                return if wins == 0 { Ok(()) } else { Err(Reason::Entry(number)) };
            };
            look(self.decode(mask, wins).ok_or(Reason::Entry(number))?);
            number += 1;
            Ok(())
        };
        self.store.walk(|_, raw| {
            raw.iter().try_for_each(|&byte| match self.id.entry_bits() {
                4 => show(byte & 15).and_then(|()| show(byte >> 4)),
                _ => show(byte),
            })
        })
    }

    /// The file.
    pub const fn container(&self) -> &Container<B> {
        self.store.container()
    }
}

/// A position on its way to its value.
struct Asked {
    offer: Offer<u64>,
    block: usize,
    /// Where the entry begins in the block.
    bit: usize,
}
