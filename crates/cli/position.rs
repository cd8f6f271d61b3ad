//! A position on the command line.

use clap::Args;
use game::{Edges, Position, Setup};
use proto::v1::{self, position::Drawing};

use crate::failure::Failure;
use crate::notation::{ScoreArg, Size};

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
