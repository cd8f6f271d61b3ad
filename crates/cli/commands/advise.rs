//! `advise`: take, decline, or what to open.

use std::fmt::Write as _;

use clap::Args;
use proto::v1;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;

use crate::args::{BudgetArgs, Global};
use crate::backend::{Backend, mismatch};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::position::PositionArgs;
use crate::progress::Spinner;
use crate::render::{self, Net};

/// With boxes on offer, take them or decline? With none and every edge giving some away, what to open?
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross advise 2x3 11111111110000000      a 3-chain is handed over while another waits
  doublecross advise 3x3 111101010111100101101001 --json")]
pub(crate) struct AdviseArgs {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    budget: BudgetArgs,
}

pub(crate) async fn run(args: AdviseArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let (position, message) = args.position.read(None)?;
    let request = v1::EndgameAdviceRequest { position: Some(message), budget: args.budget.budget() };
    let backend = Backend::open(global, &interrupt).await?;
    let spinner = Spinner::start("thinking");
    let answer = interrupt.unless_raised(backend.ask_one(Query::EndgameAdvice(request))).await?;
    drop(spinner);
    let Answer::EndgameAdvice(answer) = answer else { return Err(mismatch()) };
    if global.json {
        return render::json(&answer);
    }
    render::text(&format!("{position:#}\n\n{}", text(&answer)))
}

fn text(answer: &v1::EndgameAdviceResponse) -> String {
    let mut out = String::new();
    let mut line = |label: &str, text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{label:<8} {text}");
    };
    let lines = [
        ("take", "first edge", answer.take_move, answer.take_all),
        ("decline", "first edge", answer.decline_move, answer.decline),
        ("open", "edge", answer.open_move, answer.value),
    ];
    line("advice", &answer.sentence);
    for (label, drawn, edge, value) in lines {
        if let Some(edge) = edge {
            let value = value.map_or_else(|| "not proven".into(), |value| Net(value).to_string());
            line(label, &format!("{drawn} {edge}: {value}"));
        }
    }
    if let Some(left) = &answer.left {
        line("rest", &render::endgame(left));
    }
    if answer.rest.is_some() {
        line("source", &render::source(answer.source(), answer.table.as_deref()));
    }
    out
}
