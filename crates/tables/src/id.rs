//! Which table: its name, its file, its entries.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use game::Board;

use crate::rank::Ranking;

/// The largest board a table may cover, in edges.
pub(crate) const MAX_BOARD_EDGES: usize = 40;

/// The largest board of the default set, in edges.
const DEFAULT_BOARD_EDGES: usize = 31;

/// Every board a table may cover and how many numbers its quiet positions have
/// ([`QuietRanking::len`](crate::QuietRanking::len)), which is costly to count.
const BOARDS: [(u32, u32, u64); 23] = [
    (1, 1, 4),
    (1, 2, 12),
    (1, 3, 52),
    (1, 4, 204),
    (1, 5, 926),
    (1, 6, 3_979),
    (1, 7, 18_135),
    (1, 8, 80_907),
    (1, 9, 368_972),
    (1, 10, 1_669_608),
    (1, 11, 7_615_375),
    (1, 12, 34_637_951),
    (1, 13, 157_998_216),
    (2, 2, 121),
    (2, 3, 2_646),
    (2, 4, 44_956),
    (2, 5, 847_440),
    (2, 6, 15_834_977),
    (2, 7, 305_208_321),
    (3, 3, 87_463),
    (3, 4, 8_386_903),
    (3, 5, 501_789_207),
    (4, 4, 816_485_649),
];

/// The most boxes an endgame table may cover: 45,876,092 multisets.
const MAX_ENDGAME_BOXES: u16 = 60;

/// What follows the name of a table in the name of its file.
const EXTENSION: &str = ".table";

/// The name of a table: `endgame-40`, `board-2x3`.
///
/// A board and its transpose share one table, named with the rows first that are fewer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableId(Kind);

/// What a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Every multiset of chains and loops up to so many boxes.
    Endgame {
        /// How many.
        boxes: u16,
    },
    /// Every position of one board, which has no more rows than columns; the entries are its quiet positions up to
    /// symmetry.
    Board(Board),
}

impl TableId {
    /// The table of every multiset of chains and loops up to so many boxes, at least 1 and at most 60.
    pub fn endgame(boxes: u16) -> Option<TableId> {
        (1..=MAX_ENDGAME_BOXES).contains(&boxes).then_some(TableId(Kind::Endgame { boxes }))
    }

    /// The table of a board of up to 40 edges, whichever way it lies.
    pub fn board(board: Board) -> Option<TableId> {
        let board = if board.rows() > board.cols() { board.transposed() } else { board };
        (board.edges() <= MAX_BOARD_EDGES).then_some(TableId(Kind::Board(board)))
    }

    /// The tables every installation should have: the endgame up to 40 boxes and every board of up to 31
    /// edges.
    pub fn default_set() -> Vec<TableId> {
        TableId::set(40, DEFAULT_BOARD_EDGES)
    }

    /// All there are: the endgame up to 60 boxes and every board of up to 40 edges.
    pub fn strong_set() -> Vec<TableId> {
        TableId::set(MAX_ENDGAME_BOXES, MAX_BOARD_EDGES)
    }

    fn set(boxes: u16, edges: usize) -> Vec<TableId> {
        let boards = BOARDS.into_iter().filter_map(|(rows, cols, _)| Board::new(rows, cols).ok());
        let boards = boards.filter(|board| board.edges() <= edges).map(Kind::Board);
        std::iter::once(Kind::Endgame { boxes }).chain(boards).map(TableId).collect()
    }

    /// What the table holds.
    pub const fn kind(self) -> Kind {
        self.0
    }

    /// The table's name, as it is displayed: `endgame-40`, `board-2x3`. Every answer from a table carries it, so it is made
    /// in one go.
    pub fn name(self) -> String {
        // The longest has as many letters as `endgame-40`.
        let mut name = String::with_capacity(10);
        match self.0 {
            Kind::Endgame { boxes } => {
                name.push_str("endgame-");
                push(&mut name, boxes.into());
            }
            Kind::Board(board) => {
                name.push_str("board-");
                push(&mut name, board.rows());
                name.push('x');
                push(&mut name, board.cols());
            }
        }
        name
    }

    /// The name of the table's file.
    pub fn file_name(self) -> String {
        self.name() + EXTENSION
    }

    /// The table that lives under this file name.
    pub fn of_file_name(name: &str) -> Option<TableId> {
        name.strip_suffix(EXTENSION)?.parse().ok()
    }

    /// What to ask `doublecross generate` for: `endgame:40`, `2x3`.
    pub fn request(self) -> String {
        match self.0 {
            Kind::Endgame { boxes } => format!("endgame:{boxes}"),
            Kind::Board(board) => board.to_string(),
        }
    }

    /// How many entries the table has.
    pub fn entries(self) -> u64 {
        match self.0 {
            Kind::Endgame { boxes } => Ranking::new(boxes).len(),
            Kind::Board(board) => {
                let size = (board.rows() as u32, board.cols() as u32);
                // Every board of up to 40 edges is listed.
                BOARDS.iter().find(|&&(r, c, _)| (r, c) == size).map_or(0, |&(.., entries)| entries)
            }
        }
    }

    /// How many bits an entry has: 4, 8, 16 or 32.
    pub const fn entry_bits(self) -> u8 {
        match self.0 {
            // Up to 45 boxes no multiset has more than ten ways to be opened.
            Kind::Endgame { boxes: 0..=45 } => 16,
            Kind::Endgame { .. } => 32,
            Kind::Board(board) if board.boxes() <= 15 => 4,
            Kind::Board(_) => 8,
        }
    }

    /// Endgames first, then boards by rows, small before large.
    fn key(self) -> (usize, usize, usize) {
        match self.0 {
            Kind::Endgame { boxes } => (0, boxes.into(), 0),
            Kind::Board(board) => (1, board.rows(), board.cols()),
        }
    }
}

impl Ord for TableId {
    fn cmp(&self, other: &TableId) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for TableId {
    fn partial_cmp(&self, other: &TableId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

/// Appends a number below 100.
fn push(name: &mut String, number: usize) {
    let digit = |n: usize| char::from(b'0' + (n % 10) as u8);
    if number >= 10 {
        name.push(digit(number / 10));
    }
    name.push(digit(number));
}

/// A name no table has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no table {0:?}; tables are endgame-1 to endgame-{MAX_ENDGAME_BOXES} and board-RxC for boards of up to {MAX_BOARD_EDGES} edges"
)]
pub struct UnknownTable(pub String);

impl FromStr for TableId {
    type Err = UnknownTable;

    /// Reads exactly what [`Display`](fmt::Display) writes.
    fn from_str(name: &str) -> Result<TableId, UnknownTable> {
        let id = match name.split_once('-') {
            Some(("endgame", boxes)) => boxes.parse().ok().and_then(TableId::endgame),
            Some(("board", size)) => size.split_once('x').and_then(|(rows, cols)| {
                TableId::board(Board::new(rows.parse().ok()?, cols.parse().ok()?).ok()?)
            }),
            _ => None,
        };
        id.filter(|id| id.to_string() == name).ok_or_else(|| UnknownTable(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_nothing_else() {
        for id in TableId::default_set() {
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(TableId::of_file_name(&id.file_name()), Some(id));
        }
        for name in
            ["", "endgame", "endgame-0", "endgame-61", "endgame-+4", "endgame-040", "board-3x2", "board-02x3"]
        {
            assert_eq!(name.parse::<TableId>(), Err(UnknownTable(name.into())));
        }
        assert!("board-4x5".parse::<TableId>().is_err());
    }

    #[test]
    fn the_sets_are_every_board_of_so_many_edges_and_an_endgame() {
        for (mut set, edges, multisets) in
            [(TableId::default_set(), 31, 842_368), (TableId::strong_set(), 40, 45_876_092)]
        {
            let boards = (1..=20).flat_map(|rows| (rows..=20).map(move |cols| (rows, cols)));
            let boards = boards.filter_map(|(rows, cols)| Board::new(rows, cols).ok());
            let mut boards: Vec<TableId> =
                boards.filter(|b| b.edges() <= edges).filter_map(TableId::board).collect();
            boards.sort();
            assert_eq!(set.remove(0).entries(), multisets);
            set.sort();
            assert_eq!(set, boards);
        }
    }

    #[test]
    fn there_are_as_many_entries_as_numbers() {
        // The larger ones are counted where they are made.
        for id in TableId::default_set() {
            if let Kind::Board(board) = id.kind() {
                assert_eq!(id.entries(), crate::QuietRanking::new(board).len(), "{id}");
            }
        }
    }

    #[test]
    fn a_board_and_its_transpose_share_a_table() {
        let board = Board::new(4, 2).unwrap();
        assert_eq!(TableId::board(board).unwrap().to_string(), "board-2x4");
        assert_eq!(TableId::board(board), TableId::board(board.transposed()));
        assert_eq!(TableId::board(Board::new(4, 5).unwrap()), None);
    }
}
