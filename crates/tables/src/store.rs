//! Decoded blocks, kept for the next probe.
//!
//! A cold probe decodes a block, some microseconds; a warm one should cost nothing but the look. There are
//! two ways to keep blocks, chosen by the size of the table against a budget of bytes:
//!
//! * A table that fits keeps every block it has ever decoded, each in a cell that is written once: a warm
//!   probe is one atomic load, no lock, and never evicts. All of the default tables are like this. Filling
//!   the cells on demand instead of on opening keeps the start quick and the memory small.
//! * A larger table keeps the blocks used lately, in shards with a lock each, dropping by the clock rule: a
//!   hand goes round, spares a block that was used since it last came by, and drops one that was not.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::container::Container;
use crate::reason::Reason;
use crate::storage::Storage;

/// So many threads rarely want one shard at once.
const SHARDS: usize = 16;

/// A table whose blocks are decoded when they are asked for and then kept.
#[derive(Debug)]
pub struct Store<B> {
    container: Container<B>,
    kept: Kept,
}

/// A block once it was asked for; `None` when it turned out to be damaged.
type Cell = OnceLock<Option<Box<[u8]>>>;

#[derive(Debug)]
enum Kept {
    All(Box<[Cell]>),
    Some(Box<[Mutex<Shard>]>),
}

impl<B: Storage> Store<B> {
    /// Keeps decoded blocks up to `budget` bytes, but at least one in each of a few shards.
    pub fn new(container: Container<B>, budget: usize) -> Store<B> {
        let header = container.header();
        let kept = if header.raw_bytes() <= budget {
            // No more cells than the file has index records.
            Kept::All((0..header.blocks()).map(|_| OnceLock::new()).collect())
        } else {
            let each = (budget / header.block_bytes as usize / SHARDS).max(1);
            Kept::Some((0..SHARDS).map(|_| Mutex::new(Shard::new(each))).collect())
        };
        Store { container, kept }
    }

    /// The file.
    pub const fn container(&self) -> &Container<B> {
        &self.container
    }

    /// Whether a block is decoded once at most, so that the order of looks does not matter.
    pub const fn keeps_all(&self) -> bool {
        matches!(self.kept, Kept::All(_))
    }

    /// Looks into a block; `None` when it is damaged.
    pub fn look<T>(&self, block: usize, look: impl FnOnce(&[u8]) -> T) -> Option<T> {
        match &self.kept {
            Kept::All(cells) => {
                cells.get(block)?.get_or_init(|| self.container.block(block).ok()).as_deref().map(look)
            }
            Kept::Some(shards) => {
                let shard = &shards[block % SHARDS];
                let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
                // The guard is dropped with the statement: nobody waits for a decoding or a look.
                let found = lock().get(block);
                let raw = match found {
                    Some(raw) => raw,
                    None => {
                        let raw: Arc<[u8]> = self.container.block(block).ok()?.into();
                        lock().insert(block, Arc::clone(&raw));
                        raw
                    }
                };
                Some(look(&raw))
            }
        }
    }

    /// Decodes every block in turn, past the ones kept, and shows it to `look` with its number.
    ///
    /// # Errors
    /// The first damaged block, or the first error of `look`.
    pub fn walk(&self, mut look: impl FnMut(usize, &[u8]) -> Result<(), Reason>) -> Result<(), Reason> {
        (0..self.container.header().blocks()).try_for_each(|block| look(block, &self.container.block(block)?))
    }
}

/// A few blocks, by their number.
#[derive(Debug)]
struct Shard {
    most: usize,
    blocks: HashMap<usize, (Arc<[u8]>, bool)>,
    /// The blocks in the order the clock's hand will meet them.
    clock: VecDeque<usize>,
}

impl Shard {
    fn new(most: usize) -> Shard {
        Shard { most, blocks: HashMap::new(), clock: VecDeque::new() }
    }

    fn get(&mut self, block: usize) -> Option<Arc<[u8]>> {
        let (raw, used) = self.blocks.get_mut(&block)?;
        *used = true;
        Some(Arc::clone(raw))
    }

    fn insert(&mut self, block: usize, raw: Arc<[u8]>) {
        if self.blocks.insert(block, (raw, false)).is_some() {
            return; // Another thread was faster; the block is on the clock already.
        }
        self.clock.push_back(block);
        // Each turn of the hand drops a block or clears a mark, so this ends.
        while self.blocks.len() > self.most {
            let Some(met) = self.clock.pop_front() else { return };
            match self.blocks.get_mut(&met) {
                Some((_, used)) if *used => {
                    *used = false;
                    self.clock.push_back(met);
                }
                _ => {
                    self.blocks.remove(&met);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TableId;
    use crate::pack::pack;

    /// How many blocks the table of these tests has, and bytes.
    const BLOCKS: usize = 32;
    const BYTES: usize = 1990;

    /// A table of a few blocks, each byte the number of its block.
    fn store(budget: usize) -> Store<Vec<u8>> {
        let id = TableId::board(game::Board::new(1, 6).unwrap()).unwrap();
        let raw: Vec<u8> = (0..BYTES).map(|i| (i / 64) as u8).collect();
        Store::new(Container::open(pack(id, 64, &raw).unwrap()).unwrap(), budget)
    }

    #[test]
    fn a_table_over_budget_gives_the_same_bytes_and_keeps_few() {
        let (all, some) = (store(BYTES), store(BYTES / 2));
        let mut at = 1usize;
        for _ in 0..10_000 {
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let block = (at >> 40) % BLOCKS;
            let raw = vec![block as u8; 64.min(BYTES - 64 * block)];
            assert_eq!(all.look(block, <[u8]>::to_vec), Some(raw.clone()));
            assert_eq!(some.look(block, <[u8]>::to_vec), Some(raw));
        }
        assert_eq!(all.look(BLOCKS, <[u8]>::len), None);
        assert_eq!(some.look(BLOCKS, <[u8]>::len), None);
        let Kept::Some(shards) = &some.kept else { panic!("half the bytes were enough for all") };
        for shard in shards {
            let shard = shard.lock().unwrap();
            assert_eq!((shard.blocks.len(), shard.clock.len(), shard.most), (1, 1, 1));
        }
    }

    #[test]
    fn a_block_in_use_stays() {
        let mut shard = Shard::new(2);
        let raw: Arc<[u8]> = Arc::from([0u8]);
        shard.insert(0, Arc::clone(&raw));
        for block in 1..100 {
            shard.insert(block, Arc::clone(&raw));
            assert!(shard.get(0).is_some(), "dropped for {block}");
            assert!(shard.blocks.len() <= 2);
        }
    }

    #[test]
    fn many_threads_see_the_same_blocks() {
        let store = &store(64);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for i in 0..2_000 {
                        let block = (i * 7 + thread * 13) % BLOCKS;
                        assert_eq!(store.look(block, |raw| raw[5]), Some(block as u8));
                    }
                });
            }
        });
    }
}
