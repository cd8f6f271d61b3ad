//! `batch`: answers queries from standard input, one JSON message per line.

use clap::Args;

use crate::args::Global;
use crate::backend::Backend;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

mod lines;
mod local;
mod order;
mod output;
mod remote;

/// Answer queries from standard input, one JSON message per line.
///
/// Each line is an EvaluateRequest of the contract as proto3 JSON, and is answered by one line, an
/// EvaluateResponse, in the same order and as soon as it is known. A line that cannot be read is answered with
/// an error that names it. Blank lines are passed over; a line may have up to 1 MiB.
///
/// The exit status is 1 when any line was answered with an error.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  echo '{"id":"a","endgameValue":{"endgame":{"chains":[9,5,2]}}}' | doublecross batch
  doublecross batch < queries.jsonl > answers.jsonl
  doublecross batch --endpoint http://127.0.0.1:50051 < queries.jsonl

Other queries, one per line:
  {"id":"b","takerValue":{"opened":{"chain":3},"rest":{"chains":[3]}}}
  {"id":"c","exactSolve":{"position":{"rows":2,"cols":2,"edges":"000000000000"},"allMoves":true}}
  {"id":"d","structure":{"position":{"rows":2,"cols":2,"edges":"111000000000"}}}"#)]
pub(crate) struct BatchArgs {}

pub(crate) async fn run(_: BatchArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let tally = if global.endpoint.is_some() {
        let Backend::Remote(remote) = Backend::open(global, &interrupt).await? else {
            return Err(crate::backend::mismatch());
        };
        remote::run(&remote, &interrupt).await?
    } else {
        local::run(global, &interrupt).await?
    };
    tally.verdict()
}
