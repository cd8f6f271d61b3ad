//! `solve`: the exact value of a position, and its best moves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, exact_solve_response as exact, move_value};

use crate::args::{BudgetArgs, Global, SearchArgs};
use crate::backend::{Backend, mismatch};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::notation::ScoreArg;
use crate::position::PositionArgs;
use crate::progress::Spinner;
use crate::render::{self, Net};

/// The exact value of a position, and its best moves.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross solve 2x2                                        the empty board
  doublecross solve 2x2 --drawn 0,6 --moves                    edges 0 and 6 drawn; the value of every move
  doublecross solve 3x4 1000010100111011101100010010000 --pv   and one line of best play
  doublecross solve 5x5 --time 1m --json                       up to a minute of search
  doublecross solve 4x4 --time 5m --memory 4096                with four times the memory

Free edges are drawn as their numbers. When the budget runs out, what is proven by then is printed as an
interval.")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Print the value of every move
    #[arg(long)]
    moves: bool,

    /// Print one line of best play to the end of the game (the principal variation)
    #[arg(long)]
    pv: bool,

    #[command(flatten)]
    budget: BudgetArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// The boxes taken so far by the player to move and by the other, e.g. 3-2: also prints the final margin
    #[arg(long, value_name = "MOVER-OTHER")]
    score: Option<ScoreArg>,
}

pub(crate) async fn run(args: SolveArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let (position, message) = args.position.read(args.score)?;
    let request = v1::ExactSolveRequest {
        position: Some(message),
        all_moves: args.moves,
        principal_variation: args.pv,
        budget: args.budget.budget(),
    };
    let backend = Backend::searching(global, args.search, &interrupt).await?;
    tracing::debug!("solving");
    let answer = match &backend {
        Backend::Local(local) => {
            let watch = Arc::default();
            let _spinner = Spinner::watching("solving", Arc::clone(&watch));
            local.solve(request, watch).await?
        }
        Backend::Remote(_) => {
            let _spinner = Spinner::start("solving");
            match backend.ask_one(Query::ExactSolve(request)).await? {
                Answer::ExactSolve(answer) => answer,
                _ => return Err(mismatch()),
            }
        }
    };
    let stopped = interrupt.is_raised();
    if global.json {
        render::json(&answer)?;
    } else {
        let shown = Shown { moves: args.moves, line: args.pv, stopped };
        render::text(&format!("{position:#}\n\n{}", text(&answer, shown)))?;
    }
    if stopped { Err(Failure::Interrupted) } else { Ok(()) }
}

/// What to print of an answer.
struct Shown {
    moves: bool,
    line: bool,
    /// Whether the search was stopped rather than ended.
    stopped: bool,
}

fn text(answer: &v1::ExactSolveResponse, shown: Shown) -> String {
    let mut out = String::new();
    let value = match &answer.outcome {
        Some(exact::Outcome::Value(value)) => format!("{} for the player to move", Net(*value)),
        Some(exact::Outcome::Bounds(bounds)) => {
            let why = if shown.stopped { "the search was stopped" } else { "the budget ran out" };
            format!("{} for the player to move: {why}", render::between(bounds))
        }
        None => "unknown".into(),
    };
    line(&mut out, "value", &value);
    match &answer.margin {
        Some(exact::Margin::FinalMargin(margin)) => {
            line(&mut out, "margin", &format!("{} at the end", Net(*margin)))
        }
        Some(exact::Margin::FinalMarginBounds(bounds)) => {
            line(&mut out, "margin", &format!("{} at the end", render::between(bounds)));
        }
        None => {}
    }
    let proven = matches!(answer.outcome, Some(exact::Outcome::Value(_)));
    let best = match &answer.best_moves[..] {
        [] if proven && answer.stats.as_ref().is_some_and(|s| s.budget_exhausted) => {
            "not all proven within the budget".into()
        }
        [] if proven => "none: the game is over".into(),
        [] => "not proven".into(),
        best => render::numbers(best),
    };
    line(&mut out, "best", &best);
    if shown.moves {
        for (rank, (worth, edges)) in by_worth(&answer.move_values).into_iter().enumerate() {
            let label = if rank == 0 { "moves" } else { "" };
            line(&mut out, label, &format!("{worth:>4}: {}", render::numbers(&edges)));
        }
    }
    if shown.line && proven {
        line(&mut out, "line", &render::numbers(&answer.principal_variation));
    }
    let mut source = render::source(answer.source(), answer.table.as_deref());
    if let Some(stats) = &answer.stats {
        if stats.nodes > 0 {
            let _ = write!(source, ", {} nodes", render::thousands(stats.nodes));
        }
        let _ = write!(source, ", {}", render::millis(stats.elapsed_millis));
    }
    line(&mut out, "source", &source);
    out
}

fn line(out: &mut String, label: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{label:<7} {text}");
}

/// The moves of each worth, best first: exact values, then bounds.
fn by_worth(moves: &[v1::MoveValue]) -> Vec<(String, Vec<u32>)> {
    let mut exact: BTreeMap<i32, Vec<u32>> = BTreeMap::new();
    let mut bounds: BTreeMap<(i32, i32), Vec<u32>> = BTreeMap::new();
    for m in moves {
        match &m.outcome {
            Some(move_value::Outcome::Value(value)) => exact.entry(*value).or_default().push(m.edge),
            Some(move_value::Outcome::Bounds(b)) => {
                bounds.entry((b.upper, b.lower)).or_default().push(m.edge)
            }
            None => {}
        }
    }
    let exact = exact.into_iter().rev().map(|(value, edges)| (Net(value).to_string(), edges));
    let bounds = bounds
        .into_iter()
        .rev()
        .map(|((upper, lower), edges)| (render::between(&v1::Bounds { lower, upper }), edges));
    exact.chain(bounds).collect()
}
