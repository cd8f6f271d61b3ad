//! What must hold whatever bytes come in.
//!
//! Three targets, one for each way bytes of strangers come in. Each does the real work and asserts all that can be
//! said of what comes out, not only that something does:
//!
//! * [`request`]: messages, as protobuf and as JSON, and the answers to them.
//! * [`table`]: files of tables, by every reader.
//! * [`notation`]: everything that is written by people: positions, sizes, names, times, manifests, records; and the
//!   checkpoint of a search.
//!
//! ```text
//!   cargo-fuzz/fuzz_targets ──┐ bytes that coverage led to
//!                             ├──► request, table, notation
//!   tests/executions.rs ──────┘ seeds, mutated: the same on every machine
//! ```
//!
//! [`Target`] has them with their seeds, [`Mutator`] changes those.

#![allow(clippy::expect_used, clippy::panic, reason = "a target that finds something must stop")]

mod answers;
mod cli;
mod mutator;
mod notation;
mod request;
mod seeds;
mod table;
mod target;
mod truth;

pub use mutator::Mutator;
pub use notation::notation;
pub use request::request;
pub use table::table;
pub use target::Target;
