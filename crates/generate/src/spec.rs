//! What to make, by the names people use.

use std::fmt;
use std::str::FromStr;

use game::Board;
use tables::TableId;
use thiserror::Error;

/// A table to make: `3x3`, `endgame:40`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spec(TableId);

/// A name nothing is made of.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "there is no table {0:?} to make; say `default`, `strong`, `endgame:N` with N from 1 to 60, or a board of up to 40 edges as `RxC`"
)]
pub struct SpecError(pub String);

/// The tables every installation should have.
pub fn default_set() -> Vec<Spec> {
    TableId::default_set().into_iter().map(Spec).collect()
}

/// The tables of a list of names, each once, in the order they are first named; `default` stands for the
/// [`default_set`], and so does an empty list, and `strong` for all there are.
///
/// # Errors
/// The first name nothing is made of.
pub fn parse<S: AsRef<str>>(names: &[S]) -> Result<Vec<Spec>, SpecError> {
    if names.is_empty() {
        return Ok(default_set());
    }
    let mut specs = Vec::new();
    for name in names {
        let named = match name.as_ref() {
            "default" => default_set(),
            "strong" => TableId::strong_set().into_iter().map(Spec).collect(),
            name => vec![name.parse()?],
        };
        for spec in named {
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
    }
    Ok(specs)
}

impl Spec {
    /// The table.
    pub const fn id(self) -> TableId {
        self.0
    }
}

impl From<TableId> for Spec {
    fn from(id: TableId) -> Spec {
        Spec(id)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(name: &str) -> Result<Spec, SpecError> {
        let endgame = || name.strip_prefix("endgame:")?.parse().ok().and_then(TableId::endgame);
        let board = || {
            let (rows, cols) = name.split_once('x')?;
            TableId::board(Board::new(rows.parse().ok()?, cols.parse().ok()?).ok()?)
        };
        let table = || name.parse().ok();
        endgame().or_else(board).or_else(table).map(Spec).ok_or_else(|| SpecError(name.into()))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.request())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_tables() {
        let names =
            |names: &[&str]| parse(names).map(|all| all.iter().map(Spec::to_string).collect::<Vec<_>>());
        assert_eq!(names(&["3x2", "endgame:12", "board-2x3", "endgame-12"]).unwrap(), ["2x3", "endgame:12"]);
        assert_eq!(parse::<&str>(&[]), Ok(default_set()));
        assert_eq!(parse(&["default", "3x3"]), Ok(default_set()));
        for wrong in ["", "4x5", "0x3", "endgame", "endgame:0", "endgame:61", "3x", "weak", "2x2x2"] {
            assert_eq!(parse(&[wrong]), Err(SpecError(wrong.into())));
        }
    }
}
