//! Endgame tables: value and best openings of every multiset of chains and loops up to so many boxes.
//!
//! The index is the multiset's number ([`Ranking`]). An entry is a little-endian number: in its low bits the
//! boxes the player who must open still wins, `(boxes + value) / 2`; above them one bit for each way to open
//! that reaches the value, ways in the order of `endgame::openings`: chains ascending, then loops ascending,
//! a 2-chain counted twice, in its middle and then at its end.

use endgame::{Multiset, Opened, openings};
use game::Boxes;

use crate::container::Container;
use crate::id::{Kind, TableId};
use crate::rank::{Parts, Ranking};
use crate::reason::Reason;
use crate::storage::Storage;
use crate::store::Store;

/// An endgame table.
#[derive(Debug)]
pub struct EndgameTable<B> {
    id: TableId,
    layout: Layout,
    ranking: Ranking,
    store: Store<B>,
}

/// How an entry is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bytes of an entry: 2 or 4.
    pub bytes: usize,
    /// How many of its bits hold the boxes won: 6 or 8.
    pub wins_bits: u32,
}

impl Layout {
    /// The layout of an endgame table.
    pub const fn of(id: TableId) -> Layout {
        match id.entry_bits() {
            16 => Layout { bytes: 2, wins_bits: 6 },
            _ => Layout { bytes: 4, wins_bits: 8 },
        }
    }

    /// Puts an entry together.
    pub fn encode(self, wins: u32, best: u32) -> [u8; 4] {
        (best << self.wins_bits | wins).to_le_bytes()
    }

    /// Takes an entry apart: the boxes won, and a bit for each best opening.
    fn decode(self, entry: &[u8]) -> (u32, u32) {
        let bits = entry.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
        (bits & ((1 << self.wins_bits) - 1), bits >> self.wins_bits)
    }
}

/// The value of an entry, if an entry of a multiset of `boxes` boxes and `ways` to open can be like this.
fn checked(wins: u32, best: u32, boxes: usize, ways: usize) -> Option<Boxes> {
    let sound = wins as usize <= boxes
        && best.checked_shr(ways as u32).unwrap_or(0) == 0
        && (best == 0) == (ways == 0);
    sound.then(|| Boxes(2 * wins as i16 - boxes as i16))
}

impl<B: Storage> EndgameTable<B> {
    /// The table in a container, keeping decoded blocks up to a budget of bytes.
    ///
    /// # Errors
    /// When the container holds another kind of table.
    pub fn new(container: Container<B>, budget: usize) -> Result<EndgameTable<B>, Reason> {
        let id = container.header().id;
        let Kind::Endgame { boxes } = id.kind() else { return Err(Reason::Other { found: id }) };
        Ok(EndgameTable {
            id,
            layout: Layout::of(id),
            ranking: Ranking::new(boxes),
            store: Store::new(container, budget),
        })
    }

    /// The table's name.
    pub const fn id(&self) -> TableId {
        self.id
    }

    /// The numbering of the entries.
    pub const fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The most boxes of a multiset.
    pub const fn boxes(&self) -> usize {
        self.ranking.boxes()
    }

    /// Value and best openings; `None` of a multiset of more boxes, or where the file has gone bad since it
    /// was opened.
    pub fn probe(&self, set: &Multiset) -> Option<(Boxes, Vec<Opened>)> {
        let (wins, best) = self.entry(set)?;
        let mut best_ways = Vec::with_capacity(best.count_ones() as usize);
        let mut ways = 0;
        // Quicker than a loop over them, as they come from several iterators in a chain.
        openings(set).for_each(|opened| {
            if best.checked_shr(ways).is_some_and(|best| best & 1 == 1) {
                best_ways.push(opened);
            }
            ways += 1;
        });
        Some((checked(wins, best, set.boxes(), ways as usize)?, best_ways))
    }

    /// The value alone.
    pub fn value(&self, set: &Multiset) -> Option<Boxes> {
        let (wins, best) = self.entry(set)?;
        checked(wins, best, set.boxes(), openings(set).count())
    }

    /// The boxes won, and a bit for each best opening.
    fn entry(&self, set: &Multiset) -> Option<(u32, u32)> {
        let at = self.ranking.rank(set)? as usize * self.layout.bytes;
        let block_bytes = self.container().header().block_bytes as usize;
        // Blocks are a whole number of entries long, so no entry is cut in two.
        self.store.look(at / block_bytes, |raw| {
            Some(self.layout.decode(raw.get(at % block_bytes..)?.get(..self.layout.bytes)?))
        })?
    }

    /// Decodes the whole table and shows every value to `look`, in the order of the multisets' numbers.
    ///
    /// # Errors
    /// The first damaged block or impossible entry.
    pub fn walk(&self, mut look: impl FnMut(Boxes)) -> Result<(), Reason> {
        let mut parts = Parts::new();
        let mut rank = 0;
        self.store.walk(|_, raw| {
            for entry in raw.chunks_exact(self.layout.bytes) {
                let (wins, best) = self.layout.decode(entry);
                let boxes = self.ranking.unrank(rank, &mut parts);
                let twos = usize::from(parts.contains(&1)); // Part 1 is the 2-chain, with two ways to open it.
                parts.dedup();
                look(checked(wins, best, boxes, parts.len() + twos).ok_or(Reason::Entry(rank))?);
                rank += 1;
            }
            Ok(())
        })
    }

    /// The file.
    pub const fn container(&self) -> &Container<B> {
        self.store.container()
    }
}
