//! A position somebody sent us.

use thiserror::Error;

use crate::board::{Board, BoardError};
use crate::play::Score;
use crate::position::Position;

/// An untrusted position. [`Setup::position`] checks every rule and repairs nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Rows of boxes, as sent.
    pub rows: u32,
    /// Columns of boxes, as sent.
    pub cols: u32,
    /// The drawn edges, as sent.
    pub edges: Edges,
    /// The boxes each side has, if the sender keeps score.
    pub score: Option<(u32, u32)>,
}

/// The drawn edges, in one of the ways they are sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edges {
    /// '0' and '1' in edge order.
    Text(String),
    /// A little-endian bit set: edge `e` is bit `e % 8` of byte `e / 8`, no more bytes than needed.
    Bits(Vec<u8>),
    /// The numbers of the drawn edges, in any order, each once.
    Numbers(Vec<u32>),
}

/// Why a [`Setup`] is no position. [`field`](SetupError::field) names the field at fault.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The size is no board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The text has the wrong number of characters.
    #[error("a {board} board has {} edges, so edges must have as many characters, not {found}", board.edges())]
    TextLength {
        /// The board.
        board: Board,
        /// The characters found.
        found: usize,
    },
    /// The text has a character other than 0 and 1.
    #[error("edges may hold only '0' and '1'; character {at} is {found:?}")]
    TextCharacter {
        /// Where, from 0.
        at: usize,
        /// The character.
        found: char,
    },
    /// The bit set has the wrong number of bytes.
    #[error("a {board} board has {} edges, so drawn must have {} bytes, not {found}", board.edges(), board.edges().div_ceil(8))]
    BitsLength {
        /// The board.
        board: Board,
        /// The bytes found.
        found: usize,
    },
    /// A padding bit is set.
    #[error("a {board} board has {} edges, so bit {bit} of drawn must be 0", board.edges())]
    PaddingBit {
        /// The board.
        board: Board,
        /// The first padding bit that is set.
        bit: usize,
    },
    /// A number is no edge.
    #[error("a {board} board has edges 0 to {}, not {found}", board.edges() - 1)]
    NoSuchEdge {
        /// The board.
        board: Board,
        /// The number.
        found: u32,
    },
    /// A number comes twice.
    #[error("edge {found} is listed twice")]
    Twice {
        /// The number.
        found: u32,
    },
    /// The score does not add up to the closed boxes.
    #[error("the score {mover}-{other} must add up to the closed boxes, {closed}")]
    Score {
        /// The mover's boxes.
        mover: u32,
        /// The other's boxes.
        other: u32,
        /// The boxes closed on the board.
        closed: usize,
    },
}

impl SetupError {
    /// The field at fault: `rows`, `cols`, `edges`, `drawn` or `score`.
    pub const fn field(&self) -> &'static str {
        match self {
            SetupError::Board(e) => e.side,
            SetupError::TextLength { .. } | SetupError::TextCharacter { .. } => "edges",
            SetupError::BitsLength { .. } | SetupError::PaddingBit { .. } => "drawn",
            SetupError::NoSuchEdge { .. } | SetupError::Twice { .. } => "edges",
            SetupError::Score { .. } => "score",
        }
    }
}

impl Setup {
    /// The position, and the score when one was sent.
    ///
    /// # Errors
    /// The first rule broken, with its field.
    pub fn position(&self) -> Result<(Position, Option<Score>), SetupError> {
        let board = Board::new(self.rows, self.cols)?;
        let mut position = Position::empty(board);
        match &self.edges {
            Edges::Text(text) => {
                // Count first, so that a long text costs nothing more than its length.
                let found = text.chars().count();
                if found != board.edges() {
                    return Err(SetupError::TextLength { board, found });
                }
                if let Some((at, found)) =
                    text.chars().enumerate().find(|(_, found)| !matches!(found, '0' | '1'))
                {
                    return Err(SetupError::TextCharacter { at, found });
                }
                let edges = text.bytes().zip(board.all_edges());
                position =
                    Position::with_drawn(board, edges.filter(|&(found, _)| found == b'1').map(|(_, e)| e));
            }
            Edges::Bits(bytes) => {
                if bytes.len() != board.edges().div_ceil(8) {
                    return Err(SetupError::BitsLength { board, found: bytes.len() });
                }
                let set = |bit: usize| bytes[bit / 8] >> (bit % 8) & 1 == 1;
                if let Some(bit) = (board.edges()..bytes.len() * 8).find(|&bit| set(bit)) {
                    return Err(SetupError::PaddingBit { board, bit });
                }
                position = Position::with_drawn(board, board.all_edges().filter(|e| set(e.index())));
            }
            Edges::Numbers(numbers) => {
                for &found in numbers {
                    let e = board.edge(found as usize).ok_or(SetupError::NoSuchEdge { board, found })?;
                    if !position.is_free(e) {
                        return Err(SetupError::Twice { found });
                    }
                    position.draw(e);
                }
            }
        }
        let score = self.score.map(|score| Setup::score_of(&position, score)).transpose()?;
        Ok((position, score))
    }

    /// The score, if it adds up.
    fn score_of(position: &Position, (mover, other): (u32, u32)) -> Result<Score, SetupError> {
        let closed = position.closed_boxes();
        if u64::from(mover) + u64::from(other) != closed as u64 {
            return Err(SetupError::Score { mover, other, closed });
        }
        // Both are at most the closed boxes, at most 1,024.
        Ok(Score { mover: mover as u16, other: other as u16 })
    }
}
