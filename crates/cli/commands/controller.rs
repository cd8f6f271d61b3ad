//! `controller`: the long chain rule, and whether its assumption holds.

use clap::Args;
use proto::v1;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;

use crate::args::Global;
use crate::backend::{Backend, mismatch};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::position::PositionArgs;
use crate::render;

/// Who takes the last turn by the long chain rule, and does its assumption hold?
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross controller 3x3
  doublecross controller 2x3 11100100011110110 --json")]
pub(crate) struct ControllerArgs {
    #[command(flatten)]
    position: PositionArgs,
}

pub(crate) async fn run(args: ControllerArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let (position, message) = args.position.read(None)?;
    let backend = Backend::open(global, &interrupt).await?;
    let query = Query::Controller(v1::ControllerRequest { position: Some(message) });
    let Answer::Controller(answer) = backend.ask_one(query).await? else { return Err(mismatch()) };
    if global.json {
        return render::json(&answer);
    }
    render::text(&format!("{position:#}\n\n{}", text(&answer)))
}

fn text(answer: &v1::ControllerResponse) -> String {
    use v1::controller_response::Side;
    let favoured = match answer.favoured() {
        Side::Mover => "the player to move",
        Side::Other => "the other player",
        Side::Unspecified => "nobody",
    };
    format!(
        "dots         {}\nlong chains  {}\nloops        {}\nturns left   {}\nfavoured     {favoured}\nrule         {}\n",
        answer.dots, answer.long_chains, answer.loops, answer.turns_left, answer.sentence
    )
}
