//! The contract over gRPC.
//!
//! A request's way: bytes, a message, a checked domain type, the oracle, an answer, bytes. Messages end in
//! one module of this crate, and the domain below knows nothing of them.
//!
//! ```text
//!            door       TLS, how many, how long silent
//!             │
//!            web        /healthz /readyz /metrics; gRPC-Web, CORS
//!            trace      the name of the call
//!            tokens     who calls
//!            leash      deadline, stop, how many calls
//!             │
//!            service ── room ──┬─ evaluator ── convert      what is cheap: on the spot
//!                       the    └─ searches ─── line         the others: once each, in turn, remembered
//!                       tables       answers: streams, in order, a window ahead
//! ```
//!
//! * [`serve`]: listens at once, verifies the tables aside, serves, loads them anew, drains.
//! * [`Evaluator`]: requests to responses without a network; the command line answers with the same code.
//! * [`Refusal`]: why a query has no answer, as a status, as an item's error, as a sentence.
//! * [`Config`], [`Limits`], [`Budgets`]: what can be set.

mod answers;
mod budgets;
mod caller;
mod config;
mod convert;
mod door;
mod evaluator;
mod leash;
mod line;
mod metrics;
mod refusal;
mod room;
mod searches;
mod serve;
mod service;
mod tls;
mod tokens;
mod trace;
mod web;
mod work;

pub use budgets::Budgets;
pub use config::{Config, Limits};
pub use evaluator::Evaluator;
pub use refusal::{Refusal, Violation};
pub use serve::{ServeError, Signals, serve};
pub use service::MAX_BATCH;
pub use tls::{TlsFiles, TlsFilesError};
pub use tokens::TokensError;
