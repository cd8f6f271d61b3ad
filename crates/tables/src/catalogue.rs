//! The tables of a folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use endgame::{Multiset, Opened};
use game::{Board, Boxes, Edge, Position};

use crate::board::BoardTable;
use crate::digest::Digest;
use crate::endgame_table::EndgameTable;
use crate::fit::Fit;
use crate::header::Header;
use crate::id::TableId;
use crate::reason::{Problem, Reason, command};
use crate::storage::{Access, Stored};
use crate::table::Table;

/// The tables of a folder as they were when it was opened: verified, mapped, never changing.
///
/// A table that is missing or damaged is named in [`problems`](Catalogue::problems) and otherwise simply not
/// there: what it would have answered is answered by search.
///
/// ```
/// let tables = tables::Catalogue::open("no/such/folder".as_ref());
/// assert_eq!(tables.problems().len(), tables::TableId::default_set().len());
/// assert_eq!(
///     tables.problems()[1].to_string(),
///     "no/such/folder/board-1x1.table is missing; `doublecross generate 1x1 --tables no/such/folder` makes it",
/// );
/// ```
#[derive(Debug, Default)]
pub struct Catalogue {
    boards: Vec<BoardTable<Stored>>,
    /// Few boxes first.
    endgames: Vec<EndgameTable<Stored>>,
    problems: Vec<Problem>,
    listings: Vec<Listing>,
}

/// How tables are opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How their files are got at.
    pub access: Access,
    /// How many bytes of decoded blocks all of them may keep between them.
    pub cache: usize,
}

impl Default for Options {
    /// Mapped, and up to 1 GiB of decoded blocks, which only large tables ever fill.
    fn default() -> Options {
        Options { access: Access::default(), cache: 1 << 30 }
    }
}

/// An endgame table's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameEntry {
    /// The value for the player who must open.
    pub value: Boxes,
    /// Every way to open that reaches it, in canonical order.
    pub best_openings: Vec<Opened>,
    /// The table that said so.
    pub table: TableId,
}

/// A board table's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardProbe {
    /// The value.
    pub value: Boxes,
    /// The table that said so.
    pub table: TableId,
}

/// One table of a folder, there or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// Which table.
    pub id: TableId,
    /// Its file.
    pub path: PathBuf,
    /// The length of the file, 0 when there is none.
    pub bytes: u64,
    /// How many entries the table has, or would have.
    pub entries: u64,
    /// The digest of a sound file.
    pub digest: Option<Digest>,
    /// Why it cannot be used, if so.
    pub status: Result<(), Reason>,
    /// The command that makes it.
    pub command: String,
}

impl Catalogue {
    /// No tables, and none missed.
    pub fn empty() -> Catalogue {
        Catalogue::default()
    }

    /// Opens the tables of a folder: those every installation should have, and any other that is there.
    /// Every byte of every file is verified.
    pub fn open(dir: &Path) -> Catalogue {
        Catalogue::with_options(dir, Options::default())
    }

    /// [`Catalogue::open`], with a say in how.
    pub fn with_options(dir: &Path, options: Options) -> Catalogue {
        let mut catalogue = Catalogue::default();
        let ids = expected(dir);
        let budgets = budgets(&ids, options.cache);
        for (id, budget) in ids.into_iter().zip(budgets) {
            catalogue.add(id, dir, options.access, budget);
        }
        catalogue
    }

    fn add(&mut self, id: TableId, dir: &Path, access: Access, budget: usize) {
        let path = dir.join(id.file_name());
        let opened = Table::file(&path, id, access, budget);
        self.listings.push(Listing {
            id,
            bytes: std::fs::metadata(&path).map_or(0, |m| m.len()),
            entries: id.entries(),
            digest: opened.as_ref().ok().map(Table::digest),
            status: opened.as_ref().map(|_| ()).map_err(Clone::clone),
            command: command(id, Some(dir)),
            path: path.clone(),
        });
        match opened {
            Ok(Table::Board(table)) => self.boards.push(table),
            Ok(Table::Endgame(table)) => self.endgames.push(table),
            Err(reason) => self.problems.push(Problem { id, path, reason }),
        }
    }

    /// The tables that are missing or damaged.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Every table of the folder, and those it should have.
    pub fn list(&self) -> &[Listing] {
        &self.listings
    }

    /// A name for the sound tables of this folder: sixteen hexadecimal digits, the same wherever the same tables are.
    pub fn set_id(&self) -> String {
        let mut text = String::new();
        for Listing { id, digest, .. } in &self.listings {
            if let Some(digest) = digest {
                text.push_str(&format!("{id} {digest}\n"));
            }
        }
        let mut name = Digest::of(text.as_bytes()).to_string();
        name.truncate(16);
        name
    }

    /// The value and best openings of a multiset, from the smallest table that has it.
    pub fn endgame(&self, set: &Multiset) -> Option<EndgameEntry> {
        self.endgames.iter().find_map(|table| {
            let (value, best_openings) = table.probe(set)?;
            Some(EndgameEntry { value, best_openings, table: table.id() })
        })
    }

    /// The value alone, and the table that has it.
    pub fn endgame_value(&self, set: &Multiset) -> Option<(Boxes, TableId)> {
        self.endgames.iter().find_map(|table| Some((table.value(set)?, table.id())))
    }

    /// The value of a position of a board that has a table, whichever way it lies and whatever is on offer.
    pub fn board(&self, position: &Position) -> Option<BoardProbe> {
        let table = self.table_of(position.board())?;
        Some(BoardProbe { value: table.probe(position)?, table: table.id() })
    }

    /// What every move of a position is worth to the mover, edges ascending, and the table that says so: that of its
    /// board.
    pub fn moves(&self, position: &Position) -> Option<(Vec<(Edge, Boxes)>, TableId)> {
        let table = self.table_of(position.board())?;
        Some((table.moves(position)?, table.id()))
    }

    /// The table and the block of it that [`board`](Catalogue::board) looks into: who asks about many positions in this
    /// order has no block decoded twice.
    pub fn block(&self, position: &Position) -> Option<(TableId, usize)> {
        let table = self.table_of(position.board())?;
        Some((table.id(), table.block(position)?))
    }

    /// Whether a board has a table, whichever way it lies.
    pub fn has(&self, board: Board) -> bool {
        self.table_of(board).is_some()
    }

    /// What is left of a position, laid out on a board that has a table; large boards first, on which most fits.
    pub fn fit(&self, position: &Position) -> Option<Fit> {
        let mut boards: Vec<Board> = self.boards.iter().map(BoardTable::board).collect();
        boards.sort_by_key(|board| std::cmp::Reverse(board.boxes()));
        boards.into_iter().find_map(|board| Fit::of(position, board))
    }

    /// The table of a board.
    fn table_of(&self, board: Board) -> Option<&BoardTable<Stored>> {
        let id = TableId::board(board)?;
        self.boards.iter().find(|table| table.id() == id)
    }
}

/// What each table may keep of a budget for all, the smallest served first: what one does not need goes to the rest
/// in equal parts, so small tables keep every block.
fn budgets(ids: &BTreeSet<TableId>, total: usize) -> Vec<usize> {
    let needs: Vec<usize> = ids.iter().map(|id| Header::new(*id, 1).raw_bytes()).collect();
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&i| needs[i]);
    let mut budgets = vec![0; needs.len()];
    let mut left = total;
    for (served, i) in order.into_iter().enumerate() {
        budgets[i] = needs[i].min(left / (needs.len() - served));
        left -= budgets[i];
    }
    budgets
}

/// The tables a folder should have, and any other it has: endgames first, the smallest first.
pub(crate) fn expected(dir: &Path) -> BTreeSet<TableId> {
    let there = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let named = there.filter_map(|entry| TableId::of_file_name(entry.file_name().to_str()?));
    TableId::default_set().into_iter().chain(named).collect()
}
