//! The theory's claims with numbers, measured again.
//!
//! Each measurement plays or draws positions from fixed seeds, so it has the same outcome on every machine, and holds what
//! it finds against the claim. Where another program's figure is known it is printed beside ours; ours is never made
//! to fit.

mod bribe;
mod greed;
mod identity;
mod long_chain_rule;
mod matches;
mod perfect;
mod players;
mod reductions;
mod regions;
mod structure;
mod taker_values;

use std::fmt;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use game::Board;
use oracle::{Budget, Oracle};

use crate::matches::Terms;

pub use perfect::below_value;

/// One measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measurement {
    /// T = d + D in every game, and with it who takes the last turn.
    Identity,
    /// The long chain rule, where its assumption holds and where it does not.
    LongChainRule,
    /// Take all or decline: the verdict for each component and each rest.
    TakerValues,
    /// The bribe costs two boxes (four for a loop), not one (two).
    Bribe,
    /// What taking everything on offer costs.
    Greed,
    /// Players against one another.
    Matches,
    /// Every player plays every board to the last edge.
    Players,
    /// The perfect player never gets less than the value it started from.
    Perfect,
    /// Chains, loops and safe edges are what they should be.
    Structure,
    /// What each reduction of an exact solver saves.
    Reductions,
    /// Regions: what a position falls into, and what finding that saves.
    Regions,
}

/// What a measurement came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which measurement.
    pub name: &'static str,
    /// The table, as Markdown.
    pub table: String,
    /// The claims, each with whether it held.
    pub claims: Vec<(String, bool)>,
}

impl Finding {
    /// Whether every claim held.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|&(_, held)| held)
    }
}

impl Measurement {
    /// All of them, in order.
    pub const ALL: [Measurement; 11] = [
        Measurement::Identity,
        Measurement::LongChainRule,
        Measurement::TakerValues,
        Measurement::Bribe,
        Measurement::Greed,
        Measurement::Matches,
        Measurement::Players,
        Measurement::Perfect,
        Measurement::Structure,
        Measurement::Reductions,
        Measurement::Regions,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Measurement::Identity => "identity",
            Measurement::LongChainRule => "long-chain-rule",
            Measurement::TakerValues => "taker-values",
            Measurement::Bribe => "bribe",
            Measurement::Greed => "greed",
            Measurement::Matches => "matches",
            Measurement::Players => "players",
            Measurement::Perfect => "perfect",
            Measurement::Structure => "structure",
            Measurement::Reductions => "reductions",
            Measurement::Regions => "regions",
        }
    }

    /// The games of each match that the claims are made for.
    pub const GAMES: u32 = 200;

    /// Measures; `None` when it was cancelled. With so many games of each match; what else is drawn at random grows or
    /// shrinks as they do from [`GAMES`](Self::GAMES).
    pub fn run(self, oracle: &Oracle, games: u32, cancel: &AtomicBool) -> Option<Finding> {
        let terms = Terms { oracle, budget: Budget { nodes: Some(200_000), time: None }, cancel };
        let of = |samples: u32| {
            let scaled = (u64::from(samples) * u64::from(games)).div_ceil(Self::GAMES.into());
            u32::try_from(scaled.max(1)).unwrap_or(u32::MAX)
        };
        let finding = match self {
            Measurement::Identity => identity::measure(of(1_000), of(120), terms)?,
            Measurement::LongChainRule => long_chain_rule::measure(of(200), terms)?,
            Measurement::TakerValues => taker_values::measure(),
            Measurement::Bribe => bribe::measure(of(400), terms)?,
            Measurement::Greed => greed::measure(of(600), terms)?,
            Measurement::Matches => {
                let budget = Budget { nodes: Some(5_000), time: None };
                matches::measure(games, Terms { budget, ..terms })?
            }
            Measurement::Players => {
                let budget = Budget { nodes: Some(100), time: None };
                players::measure(of(10_000), Terms { budget, ..terms })?
            }
            Measurement::Perfect => perfect::measure(terms)?,
            Measurement::Structure => structure::measure(of(400), terms)?,
            Measurement::Reductions => reductions::measure(of(10), terms)?,
            Measurement::Regions => regions::measure(of(200), terms)?,
        };
        (!cancel.load(Ordering::Relaxed)).then_some(Finding { name: self.name(), ..finding })
    }
}

/// A finding, its name still to be filled in.
fn finding(table: String, claims: Vec<(String, bool)>) -> Finding {
    Finding { name: "", table, claims }
}

/// A board of this size; only sizes that are boards are asked for.
fn board(rows: u32, cols: u32) -> Option<Board> {
    Board::new(rows, cols).ok()
}

/// Writes a line of a table; writing to a string cannot fail.
fn line(table: &mut String, text: fmt::Arguments<'_>) {
    let _ = writeln!(table, "{text}");
}
