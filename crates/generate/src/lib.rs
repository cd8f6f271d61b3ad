//! Making tables offline: fill, verify, publish.
//!
//! Every table is filled by going from the end of the game backwards, on all cores, each entry from those a move leads
//! to; the reference for all of them is [`enumerate`], which knows nothing but the rules. What is made is written
//! beside its final name, read back, verified, held against the manifest, and only then given its name.
//!
//! * [`Spec`], [`parse`], [`default_set`]: what to make, by name.
//! * [`make`]: make it.
//! * [`enumerate`]: the values of every position of a small board, in memory, for whoever wants to compare.
//!
//! ```
//! let board = game::Board::new(2, 2)?;
//! let all = generate::enumerate(board)?;
//! assert_eq!(all.value(0), game::Boxes(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod board;
mod enumeration;
mod error;
mod estimate;
mod make;
mod multisets;
mod parts;
mod plan;
mod publish;
mod spec;
mod sweep;

pub use enumeration::{Enumeration, EnumerationError, MAX_EDGES, enumerate};
pub use error::Error;
pub use estimate::{Estimate, estimate};
pub use make::{Event, Options, Report, make};
pub use spec::{Spec, SpecError, default_set, parse};
