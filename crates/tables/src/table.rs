//! A table of either kind.

use std::path::Path;

use game::Boxes;

use crate::board::BoardTable;
use crate::container::Container;
use crate::digest::Digest;
use crate::endgame_table::EndgameTable;
use crate::id::{Kind, TableId};
use crate::reason::Reason;
use crate::storage::{Access, Storage, Stored};

/// An open table.
#[derive(Debug)]
pub enum Table<B> {
    /// Multisets of chains and loops.
    Endgame(EndgameTable<B>),
    /// Every position of a board.
    Board(BoardTable<B>),
}

impl Table<Stored> {
    /// Opens the table `id` from its file.
    ///
    /// # Errors
    /// As [`Table::open`], or when the file cannot be read.
    pub fn file(path: &Path, id: TableId, access: Access, budget: usize) -> Result<Table<Stored>, Reason> {
        Table::open(Stored::open(path, access)?, id, budget)
    }
}

impl<B: Storage> Table<B> {
    /// Opens the table `id`, every byte held against the digest, keeping decoded blocks up to `budget` bytes.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn open(bytes: B, id: TableId, budget: usize) -> Result<Table<B>, Reason> {
        let container = Container::open(bytes)?;
        let found = container.header().id;
        if found != id {
            return Err(Reason::Other { found });
        }
        container.check_digest()?;
        match id.kind() {
            Kind::Endgame { .. } => EndgameTable::new(container, budget).map(Table::Endgame),
            Kind::Board(_) => BoardTable::new(container, budget).map(Table::Board),
        }
    }

    /// The file.
    pub fn container(&self) -> &Container<B> {
        match self {
            Table::Endgame(table) => table.container(),
            Table::Board(table) => table.container(),
        }
    }

    /// The digest the file ends with.
    pub fn digest(&self) -> Digest {
        self.container().digest()
    }

    /// Decodes the whole table and shows every value to `look`, in order.
    ///
    /// # Errors
    /// The first damaged block or impossible entry.
    pub fn walk(&self, look: impl FnMut(Boxes)) -> Result<(), Reason> {
        match self {
            Table::Endgame(table) => table.walk(look),
            Table::Board(table) => table.walk(look),
        }
    }
}
