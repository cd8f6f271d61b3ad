//! Small tables, and what is true in them, worked out without the code that reads them.

use std::sync::LazyLock;

use endgame::{Multiset, Opened, opening_value, openings, value_by_recursion};
use facts::Values;
use game::{Board, Boxes, Position};
use tables::{Layout, QuietRanking, Ranking, TableId, pack};

/// A table and its true answers.
pub(crate) struct Truth {
    pub(crate) id: TableId,
    /// The file.
    pub(crate) file: Vec<u8>,
    pub(crate) answers: Answers,
}

/// The true answers of a table.
pub(crate) enum Answers {
    /// Every position of the board.
    Board(Vec<(Position, Boxes)>),
    /// Every multiset.
    Endgame(Vec<(Multiset, Boxes, Vec<Opened>)>),
}

/// One block and many, half bytes that come out even and that do not, classes with symmetries, and multisets.
pub(crate) static TRUTHS: LazyLock<Vec<Truth>> = LazyLock::new(|| {
    vec![
        Truth::of_board(1, 2, 4096),
        Truth::of_board(1, 4, 64),
        Truth::of_board(2, 2, 64),
        Truth::of_endgame(12, 64),
    ]
});

/// Bytes before the index, and of a record of it (see `FORMAT.md`).
pub(crate) const INDEX: usize = 24 + 19;
pub(crate) const RECORD: usize = 16;

impl Truth {
    /// The table some bytes say they are, or else the first.
    pub(crate) fn like(bytes: &[u8]) -> &'static Truth {
        let header = |file: &'_ [u8]| file.get(24..INDEX).map(<[u8]>::to_vec);
        let found = header(bytes);
        TRUTHS.iter().find(|truth| header(&truth.file) == found).unwrap_or(&TRUTHS[0])
    }

    /// How many blocks it has.
    pub(crate) fn blocks(&self) -> usize {
        let raw = (self.id.entries() * u64::from(self.id.entry_bits())).div_ceil(8) as usize;
        let block = u32::from_le_bytes(self.file[INDEX - 4..INDEX].try_into().expect("four bytes"));
        raw.div_ceil(block as usize)
    }

    fn of_board(rows: u32, cols: u32, block_bytes: usize) -> Truth {
        let board = Board::new(rows, cols).expect("a small board");
        let id = TableId::board(board).expect("a small board has a table");
        let values = Values::of_board(rows as usize, cols as usize);
        let at = |mask| Position::from_mask(board, mask).expect("a mask of the board");
        let ranking = QuietRanking::new(board);
        let wins = |mask| {
            let position = ranking.position(mask);
            let value = values.at(position.drawn().low_mask() as usize);
            (position.boxes_left() as i16 + value) as u8 / 2
        };
        let wins: Vec<u8> = ranking.masks().map(wins).collect();
        let raw: Vec<u8> = wins.chunks(2).map(|two| two[0] | two.get(1).unwrap_or(&0) << 4).collect();
        let answers = (0..values.len()).map(|mask| (at(mask as u64), Boxes(values.at(mask)))).collect();
        Truth { id, file: file(id, block_bytes, &raw), answers: Answers::Board(answers) }
    }

    fn of_endgame(boxes: u16, block_bytes: usize) -> Truth {
        let id = TableId::endgame(boxes).expect("a small endgame has a table");
        let ranking = Ranking::new(boxes);
        let layout = Layout::of(id);
        let (mut raw, mut answers) = (Vec::new(), Vec::new());
        for set in (0..ranking.len()).map_while(|rank| ranking.multiset(rank)) {
            let value = value_by_recursion(&set);
            let reaches = |way: Opened| {
                let rest = set.without(way.component()).expect("an opening is of the set");
                opening_value(way, value_by_recursion(&rest)) == value
            };
            let ways = Vec::from_iter(openings(&set));
            let bits = ways.iter().enumerate().map(|(i, &way)| u32::from(reaches(way)) << i).sum();
            let wins = (set.boxes() as i16 + value.0) as u32 / 2;
            raw.extend(&layout.encode(wins, bits)[..layout.bytes]);
            let best = ways.into_iter().filter(|&way| reaches(way)).collect();
            answers.push((set, value, best));
        }
        Truth { id, file: file(id, block_bytes, &raw), answers: Answers::Endgame(answers) }
    }
}

fn file(id: TableId, block_bytes: usize, raw: &[u8]) -> Vec<u8> {
    pack(id, block_bytes, raw).expect("the entries of a table make a table")
}
