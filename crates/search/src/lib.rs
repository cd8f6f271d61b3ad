//! The exact value of any position, within a budget.
//!
//! # How it works
//!
//! 1. **Take what is on offer.** [`endgame::Offer`] reduces any position to a quiet one: its value is a function of
//!    the rest's value alone (`Line`), so only quiet positions are searched.
//! 2. **Set apart what is isolated.** Isolated chains and loops go to the *heap*, a multiset known by a number,
//!    wherever they lie (`heap`). Regions with joints are the *core*, strings and coins in two machine words at most
//!    (`core`, `state`). A position that has come apart altogether is answered by [`endgame::value`], however large.
//! 3. **Prove numbers.** One question is settled at a time: does the value reach β? (`prove`) Every answer is
//!    an interval that is proven, also when the budget ends in the middle of it, and is remembered by state
//!    (`bounds`; `packed` and `wide` are how its entries lie in memory). A few questions, from 0 outwards, make the
//!    value (`engine`).
//!
//! ```text
//!  Position --Offer--> boxes, bribe, quiet rest --Structure--> heap (number) + core (mask)
//!     ^                                                            |
//!     +---- value = T - b + |v + b|, or T + v  <----  v  <---- prove
//! ```
//!
//! Threads share the table and the question, and leave moves for later that another is at; the first to settle it
//! ends the others. What is proven can be written down, and gone on from another day (`checkpoint`). The value never
//! depends on threads, table size or timing; with one thread the nodes do not depend on timing either.
//!
//! # What was tried
//!
#![doc = include_str!("../TRIED.md")]

mod bounds;
mod budget;
mod checkpoint;
mod core;
mod engine;
mod heap;
mod interval;
mod line;
mod mask;
mod nimbers;
mod nimstring;
mod packed;
mod prove;
mod small;
mod solver;
mod state;
mod wide;

pub use budget::{Budget, Watch};
pub use checkpoint::CheckpointError;
pub use nimstring::{NimMove, NimValue, Nimstring};
pub use solver::{Config, MAX_FREE, MoveValue, Outcome, SearchError, Solver, Stats, best_line, search_edges};
