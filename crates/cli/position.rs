//! A position on the command line.

use std::str::FromStr;

use clap::Args;
use game::{Edges, Position, Setup};
use proto::v1::{self, position::Drawing};

use crate::failure::Failure;

/// A board and its drawn edges.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// The size of the board: rows by columns of boxes, e.g. 3x4
    #[arg(value_name = "ROWSxCOLS")]
    size: Size,

    /// The drawn edges: a '1' (drawn) or '0' (free) for each edge, horizontals row by row from the top, then
    /// verticals row by row. Without it, the empty board
    #[arg(value_name = "EDGES")]
    edges: Option<String>,

    /// The drawn edges by number instead, e.g. 0,4,7
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', conflicts_with = "edges")]
    drawn: Vec<u32>,
}

/// Rows by columns, not yet known to be a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) rows: u32,
    pub(crate) cols: u32,
}

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Size, Self::Err> {
        const RULE: &str = "a size is rows by columns of boxes, e.g. 3x4";
        let (rows, cols) = text.split_once(['x', 'X']).ok_or(RULE)?;
        Ok(Size { rows: rows.parse().map_err(|_| RULE)?, cols: cols.parse().map_err(|_| RULE)? })
    }
}

/// The boxes taken so far, by the player to move and by the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreArg {
    mover: u32,
    other: u32,
}

impl FromStr for ScoreArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ScoreArg, Self::Err> {
        const RULE: &str = "a score is the mover's boxes and the other's, e.g. 3-2";
        let (mover, other) = text.split_once(['-', ',', ':']).ok_or(RULE)?;
        Ok(ScoreArg { mover: mover.parse().map_err(|_| RULE)?, other: other.parse().map_err(|_| RULE)? })
    }
}

impl PositionArgs {
    /// The position, and as the contract has it.
    pub(crate) fn read(self, score: Option<ScoreArg>) -> Result<(Position, v1::Position), Failure> {
        let Size { rows, cols } = self.size;
        let by_number = self.edges.is_none();
        let setup = Setup {
            rows,
            cols,
            edges: self.edges.map_or(Edges::Numbers(self.drawn), Edges::Text),
            score: score.map(|s| (s.mover, s.other)),
        };
        let (position, _) = setup.position().map_err(|e| match e.field() {
            "edges" if by_number => Failure::rule("--drawn", e),
            field => Failure::rule(format_args!("position.{field}"), e),
        })?;
        let message = v1::Position {
            rows,
            cols,
            drawing: Some(Drawing::Edges(position.to_string())),
            score: score.map(|s| v1::Score { mover: s.mover, other: s.other }),
        };
        Ok((position, message))
    }
}
