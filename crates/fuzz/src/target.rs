//! The targets by name.

use crate::{notation, request, seeds, table};

/// A target, and what to begin with.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// One execution.
    ///
    /// # Panics
    /// When it has found something.
    pub run: fn(&[u8]),
    /// Inputs that are sound, to be changed.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that mean something to it, with blanks between them.
    pub words: &'static str,
    /// So many executions are worth their time in an ordinary run of the tests.
    pub few: u64,
}

impl Target {
    /// Requests.
    pub const REQUEST: Target = Target {
        name: "request",
        run: request::request,
        seeds: seeds::requests,
        words: seeds::REQUEST_WORDS,
        few: 10_000,
    };

    /// Files of tables.
    pub const TABLE: Target =
        Target { name: "table", run: table::table, seeds: seeds::tables, words: "", few: 3_000 };

    /// Whatever people write.
    pub const NOTATION: Target = Target {
        name: "notation",
        run: notation::notation,
        seeds: seeds::notations,
        words: seeds::NOTATION_WORDS,
        few: 20_000,
    };

    /// All of them.
    pub const ALL: [Target; 3] = [Target::REQUEST, Target::TABLE, Target::NOTATION];
}
