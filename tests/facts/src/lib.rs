//! What the tests of every crate rest on. Nothing here shares a line with the code under test, so that an
//! agreement means something.
//!
//! * [`positions`], [`puzzles`], [`games`]: facts from other programs, kept in `tests/data`.
//! * [`Values`]: the value of every position below a start, straight from the rules.
//! * [`Nim`]: who wins at nimstring from every position of a board, straight from the rules.
//! * [`Random`]: the same random numbers on every machine.

#![allow(clippy::expect_used, reason = "a test that cannot read its facts must stop")]

mod nimstring;
mod random;
mod records;
mod values;

pub use nimstring::Nim;
pub use random::Random;
pub use records::{GameFact, PositionFact, PuzzleFact, games, positions, puzzles};
pub use values::Values;
