//! Small tables with true entries, made here so that the reader is tested without the maker.

use std::collections::HashMap;

use game::{Board, Boxes, Position};
use tables::{QuietRanking, TableId, pack};

/// A board.
pub(crate) fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

/// Every value of a small board, by mask, straight from the rules.
pub(crate) fn values(board: Board) -> Vec<Boxes> {
    fn value(p: &Position, known: &mut HashMap<u64, Boxes>) -> Boxes {
        let key = p.drawn().low_mask();
        if let Some(&v) = known.get(&key) {
            return v;
        }
        let best = p.free_edges().map(|e| match p.after(e) {
            (next, 0) => -value(&next, known),
            (next, closed) => Boxes(closed as i16) + value(&next, known),
        });
        let best = best.collect::<Vec<_>>().into_iter().max().unwrap_or_default();
        known.insert(key, best);
        best
    }
    let mut known = HashMap::new();
    (0..1 << board.edges()).map(|mask| value(&at(board, mask), &mut known)).collect()
}

/// The position with these edges drawn.
pub(crate) fn at(board: Board, mask: u64) -> Position {
    Position::from_mask(board, mask).unwrap()
}

/// The table's name.
pub(crate) fn id(rows: u32, cols: u32) -> TableId {
    TableId::board(board(rows, cols)).unwrap()
}

/// The file of a small board's table: the quiet positions in their order, half a byte each.
pub(crate) fn file(rows: u32, cols: u32, block_bytes: usize) -> Vec<u8> {
    let board = board(rows, cols);
    let values = values(board);
    let ranking = QuietRanking::new(board);
    let wins = |mask| {
        let p = ranking.position(mask);
        (p.boxes_left() as i16 + values[p.drawn().low_mask() as usize].0) as u8 / 2
    };
    let wins: Vec<u8> = ranking.masks().map(wins).collect();
    let raw: Vec<u8> = wins.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4).collect();
    pack(id(rows, cols), block_bytes, &raw).unwrap()
}
