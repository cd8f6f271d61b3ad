//! One answer with its source.
//!
//! The only place that decides who answers: a table where one covers the question, else the endgame theory where it
//! is exact, else a search. All three agree, so a missing or damaged table makes an answer slower, never
//! different; [`Source`] says who gave it.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use oracle::{Oracle, Question, Source};
//! use game::{Board, Boxes, Position};
//!
//! let oracle = Oracle::new(tables::Catalogue::empty());
//! let empty = Position::empty(Board::new(2, 2)?);
//! let solution = oracle.solve(&empty, &Question::default(), &AtomicBool::new(false))?;
//! assert_eq!(solution.outcome.exact(), Some(Boxes(2)));
//! assert_eq!(solution.source, Source::Search);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod solve;

use std::fmt;
use std::sync::atomic::AtomicBool;

use endgame::{Multiset, Opened, Taking};
use game::{Boxes, Position};
use tables::{Catalogue, TableId};

pub use audit::{Audit, Disagreement, audit};
pub use search::{
    Budget, Config, MoveValue, NimMove, NimValue, Nimstring, Outcome, SearchError, Stats, Watch,
};
pub use solve::{Question, Solution};

/// Who gave an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// This table.
    Table(TableId),
    /// The theory of chains and loops, in closed form.
    Endgame,
    /// A live search.
    Search,
}

impl Source {
    /// The table, if one gave the answer.
    pub const fn table(self) -> Option<TableId> {
        match self {
            Source::Table(id) => Some(id),
            Source::Endgame | Source::Search => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Table(id) => write!(f, "table {id}"),
            Source::Endgame => f.write_str("endgame theory"),
            Source::Search => f.write_str("search"),
        }
    }
}

/// What opening a multiset is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameAnswer {
    /// Net boxes for the player who must open.
    pub value: Boxes,
    /// Every way to open that reaches it, in canonical order; none for the empty multiset.
    pub best_openings: Vec<Opened>,
    /// Who says so.
    pub source: Source,
}

/// What being handed a component is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakerAnswer {
    /// Both lines and the advice, for the taker.
    pub taking: Taking,
    /// Who says what the rest is worth.
    pub source: Source,
}

/// Tables, theory and search behind one door. Cheap to share; every method takes `&self`.
#[derive(Debug)]
pub struct Oracle {
    tables: Catalogue,
    config: Config,
}

impl Oracle {
    /// An oracle over these tables, searching with all cores.
    pub fn new(tables: Catalogue) -> Oracle {
        Oracle::with_config(tables, Config::default())
    }

    /// An oracle over these tables, searching with this much of the machine.
    pub const fn with_config(tables: Catalogue, config: Config) -> Oracle {
        Oracle { tables, config }
    }

    /// The tables.
    pub const fn tables(&self) -> &Catalogue {
        &self.tables
    }

    /// What opening a multiset is worth.
    pub fn endgame_value(&self, set: &Multiset) -> EndgameAnswer {
        match self.tables.endgame(set) {
            Some(entry) => EndgameAnswer {
                value: entry.value,
                best_openings: entry.best_openings,
                source: Source::Table(entry.table),
            },
            None => EndgameAnswer {
                value: endgame::value(set),
                best_openings: endgame::best_openings(set),
                source: Source::Endgame,
            },
        }
    }

    /// What a position is worth at nimstring, with its regions and its moves.
    ///
    /// # Errors
    /// When too much of it is left to search.
    pub fn nimstring(
        &self,
        position: &Position,
        budget: Budget,
        cancel: &AtomicBool,
    ) -> Result<Nimstring, SearchError> {
        Nimstring::of(position, budget, self.config.table_bytes, cancel)
    }

    /// What the taker of an opened component should do, with this rest behind it.
    pub fn taker_value(&self, opened: Opened, rest: &Multiset) -> TakerAnswer {
        let (value, source) = match self.tables.endgame_value(rest) {
            Some((value, table)) => (value, Source::Table(table)),
            None => (endgame::value(rest), Source::Endgame),
        };
        TakerAnswer { taking: endgame::taking(opened, value), source }
    }
}
