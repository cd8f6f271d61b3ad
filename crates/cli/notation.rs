//! Sizes and scores as people write them.

use std::str::FromStr;

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
    pub(crate) mover: u32,
    pub(crate) other: u32,
}

impl FromStr for ScoreArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ScoreArg, Self::Err> {
        const RULE: &str = "a score is the mover's boxes and the other's, e.g. 3-2";
        let (mover, other) = text.split_once(['-', ',', ':']).ok_or(RULE)?;
        Ok(ScoreArg { mover: mover.parse().map_err(|_| RULE)?, other: other.parse().map_err(|_| RULE)? })
    }
}
