//! End to end: the real binary, started as a user starts it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on must stop"
)]

mod batch;
mod boards;
mod endgames;
mod killing;
mod misuse;
mod operations;
mod proofs;
mod readme;
mod serving;
mod support;
mod tables;
mod theory;
