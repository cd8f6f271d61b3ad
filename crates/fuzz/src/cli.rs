//! What the command line reads. That is a program and no library, so its files are compiled here once more.

#[path = "../../cli/duration.rs"]
pub(crate) mod duration;

#[path = "../../cli/notation.rs"]
pub(crate) mod notation;
