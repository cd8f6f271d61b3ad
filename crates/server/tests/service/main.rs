//! The server as clients see it: started in this process, asked over loopback.

// Helpers of tests may unwrap as the tests themselves do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod hostile;
mod life;
mod queries;
mod raw;
mod streams;
mod support;
