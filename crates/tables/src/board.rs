//! Dense tables: the value of every edge set of one board.
//!
//! The index is the mask of the drawn edges itself. What is left of a value once parity and sign are known
//! is the number of boxes the mover still wins: `wins = (boxes left + value) / 2`, from 0 to the boxes left,
//! in four bits; two entries to a byte, the even mask in the low half.

use game::{Board, Boxes, Position, Symmetry};

use crate::container::Container;
use crate::id::{Kind, TableId};
use crate::reason::Reason;
use crate::store::Store;

/// The table of one board, which answers for the transposed board too.
#[derive(Debug)]
pub struct BoardTable<B> {
    id: TableId,
    board: Board,
    store: Store<B>,
    /// The mask of each box's sides.
    boxes: Vec<u32>,
    /// The edge of `board` for each edge of the transposed board.
    transposed: Vec<u8>,
}

impl<B: AsRef<[u8]>> BoardTable<B> {
    /// The table in a container, keeping decoded blocks up to a budget of bytes.
    ///
    /// # Errors
    /// When the container holds another kind of table.
    pub fn new(container: Container<B>, budget: usize) -> Result<BoardTable<B>, Reason> {
        let id = container.header().id;
        let Kind::Board(board) = id.kind() else { return Err(Reason::Other { found: id }) };
        let mask = |b| board.sides(b).into_iter().fold(0, |mask, e| mask | 1 << e.index());
        let other = board.transposed();
        let image = |e| Symmetry::TRANSPOSE.edge(other, e).index() as u8;
        Ok(BoardTable {
            id,
            board,
            boxes: board.all_boxes().map(mask).collect(),
            transposed: other.all_edges().map(image).collect(),
            store: Store::new(container, budget),
        })
    }

    /// The board, with no more rows than columns.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The table's name.
    pub const fn id(&self) -> TableId {
        self.id
    }

    /// The value of a position of this board or its transpose; `None` of any other board, or where the file
    /// has gone bad since it was opened.
    pub fn probe(&self, position: &Position) -> Option<Boxes> {
        let drawn = position.drawn().low_mask() as u32;
        if position.board() == self.board {
            self.value(drawn)
        } else if position.board() == self.board.transposed() {
            self.value(self.turn(drawn))
        } else {
            None
        }
    }

    /// The mask on this board of a mask on the transposed board.
    fn turn(&self, mut drawn: u32) -> u32 {
        let mut turned = 0;
        while let Some(&e) = self.transposed.get(drawn.trailing_zeros() as usize) {
            turned |= 1 << e;
            drawn &= drawn - 1;
        }
        turned
    }

    /// The value of the position with these edges of the board drawn.
    fn value(&self, drawn: u32) -> Option<Boxes> {
        let at = drawn as usize / 2;
        let block_bytes = self.store.container().header().block_bytes as usize;
        let byte = self.store.look(at / block_bytes, |raw| raw.get(at % block_bytes).copied())??;
        self.decode(drawn, byte)
    }

    fn decode(&self, drawn: u32, byte: u8) -> Option<Boxes> {
        let wins = i16::from(byte >> (4 * (drawn & 1)) & 15);
        let left = self.boxes.iter().filter(|&sides| drawn & sides != *sides).count() as i16;
        (wins <= left).then_some(Boxes(2 * wins - left))
    }

    /// Decodes the whole table and shows every value to `look`, in the order of the masks.
    ///
    /// # Errors
    /// The first damaged block or impossible entry.
    pub fn walk(&self, mut look: impl FnMut(Boxes)) -> Result<(), Reason> {
        let mut drawn = 0;
        self.store.walk(|_, raw| {
            for &byte in raw {
                for _ in 0..2 {
                    look(self.decode(drawn, byte).ok_or(Reason::Entry(drawn.into()))?);
                    drawn += 1;
                }
            }
            Ok(())
        })
    }

    /// The file.
    pub const fn container(&self) -> &Container<B> {
        self.store.container()
    }
}
