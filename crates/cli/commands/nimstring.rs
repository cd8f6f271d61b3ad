//! `nimstring`: nimber or loony, of a position, its regions and its moves.

use std::collections::BTreeMap;
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
use crate::render;

/// What a position is worth at nimstring, where boxes do not count and whoever cannot move loses.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross nimstring 3x3
  doublecross nimstring 4x5 1100001110111110100000000100010100000000100000100 --json

Nimbers of regions add, by exclusive-or. Values in boxes, as `solve` gives them, do not.")]
pub(crate) struct NimstringArgs {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    budget: BudgetArgs,
}

pub(crate) async fn run(args: NimstringArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let (position, message) = args.position.read(None)?;
    let request = v1::NimstringRequest { position: Some(message), budget: args.budget.budget() };
    let backend = Backend::open(global, &interrupt).await?;
    let spinner = Spinner::start("searching");
    let answer = interrupt.unless_raised(backend.ask_one(Query::Nimstring(request))).await?;
    drop(spinner);
    let Answer::Nimstring(answer) = answer else { return Err(mismatch()) };
    if global.json {
        return render::json(&answer);
    }
    render::text(&format!("{position:#}\n\n{}", text(&answer)))
}

fn text(answer: &v1::NimstringResponse) -> String {
    let mut out = String::new();
    let mut line = |label: &str, text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{label:<9} {text}");
    };
    line("value", &value(answer.value.as_ref()));
    if answer.regions.len() > 1 {
        for region in &answer.regions {
            let boxes = render::numbers(&region.boxes);
            line("region", &format!("{}: boxes {boxes}", value(region.value.as_ref())));
        }
    }
    line("winning", &render::numbers(&answer.winning_moves));
    let mut moves: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for m in &answer.moves {
        let again = if m.again { " and move again" } else { "" };
        moves.entry(format!("to {}{again}", value(m.value.as_ref()))).or_default().push(m.edge);
    }
    for (to, edges) in &moves {
        line("moves", &format!("{to}: {}", render::numbers(edges)));
    }
    out
}

fn value(value: Option<&v1::NimValue>) -> String {
    match value.and_then(|v| v.worth.as_ref()) {
        Some(v1::nim_value::Worth::Nimber(n)) => format!("*{n}"),
        Some(v1::nim_value::Worth::Loony(_)) => "loony".into(),
        None => "not known: the budget ran out".into(),
    }
}
