//! Players, advice, game review and the measurements that test the theory.
//!
//! A player is a pure function of position, seed, style and what the oracle can prove within the budget: where it proves
//! the value either way, the edge is the same on every machine and with every set of tables.
//!
//! * [`Style`]: the players by name, from `random` to `perfect`.
//! * [`Chooser`]: the edge a player draws, and the whole turn it begins.
//! * [`capture`]: taking what is on offer, all of it or all but the bribe, edge by edge.
//! * [`play_out`], [`Match`]: games between players.
//! * [`EndgameAdvice`]: take or decline, or what to open, and why.
//! * [`Control`]: dots, long chains, and who is to get the last turn.
//! * [`Review`]: a game move by move, what each lost, and where it turned.
//! * [`Measurement`]: the theory's claims with numbers.
//!
//! ```
//! use game::{Board, Position};
//! use oracle::Oracle;
//! use play::{Chooser, Style};
//!
//! let oracle = Oracle::new(tables::Catalogue::empty());
//! let chooser = Chooser::new(&oracle, Style::Perfect, 1);
//! let choice = chooser.choose(&Position::empty(Board::new(2, 2)?)).ok_or("the game is over")?;
//! assert!(choice.proven);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod choose;
mod control;
mod matches;
mod measure;
mod parity;
mod review;
mod style;
mod taking;

pub use advice::{EndgameAdvice, Verdict};
pub use choose::{Choice, Chooser, Why};
pub use control::{Assumption, Control, Side};
pub use matches::{Finished, Match, Terms, play_out};
pub use measure::{Finding, Measurement, below_value};
pub use review::{
    Ending, EndingError, GameResult, Phase, Record, ResultKind, Review, ReviewedMove, Turning, TurningPoint,
};
pub use style::{Style, UnknownStyle};
pub use taking::{Way, capture};
