//! The server as clients see it: started in this process, asked over loopback.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod hostile;
mod life;
mod load;
mod queries;
mod raw;
mod reload;
mod security;
mod streams;
mod support;
mod web;
