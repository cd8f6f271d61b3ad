//! The client, against servers in this process that misbehave as told.
//!
//! They are reached through pipes in memory, and time is paused: it leaps whenever everybody waits. So waits of
//! seconds take no time here, and are still as long as they should be.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests

mod addresses;
mod batch;
mod support;
mod tls;
mod unary;
