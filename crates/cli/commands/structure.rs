//! `structure`: the regions, chains, loops and joints of a position.

use std::fmt::Write as _;

use clap::Args;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, chain, chain_end};

use crate::args::Global;
use crate::backend::{Backend, mismatch};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::position::PositionArgs;
use crate::render;

/// The regions, chains, loops and joints of a position.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross structure 2x2 --drawn 0,1,2
  doublecross structure 3x3 111101010111100101101001 --json

Boxes and edges are numbered row by row from the top left. A chain is printed from end to end, boxes as
numbers and the free edges between them as -N-: `ground -3- 0 -4- 1 -5- ground`.")]
pub(crate) struct StructureArgs {
    #[command(flatten)]
    position: PositionArgs,
}

pub(crate) async fn run(args: StructureArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let (position, message) = args.position.read(None)?;
    let backend = Backend::open(global, &interrupt).await?;
    let query = Query::Structure(v1::StructureRequest { position: Some(message) });
    let Answer::Structure(answer) = backend.ask_one(query).await? else { return Err(mismatch()) };
    if global.json {
        return render::json(&answer);
    }
    render::text(&format!("{position:#}\n\n{}", text(&answer)))
}

fn text(answer: &v1::StructureResponse) -> String {
    let mut out = String::new();
    let mut line = |label: &str, text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{label:<12} {text}");
    };
    line("boxes left", &answer.boxes_left.to_string());
    let searched = match answer.search_edges {
        0 => "none".to_owned(),
        n => n.to_string(),
    };
    line("free edges", &format!("{}, {searched} of them left to search", answer.free_edges));
    for (i, region) in answer.regions.iter().enumerate() {
        let label = format!("region {}", i + 1);
        line(
            &label,
            &format!("boxes {}; edges {}", render::numbers(&region.boxes), render::numbers(&region.edges)),
        );
    }
    for chain in &answer.chains {
        line(&format!("{}-chain", chain.length), &format!("{}: {}", state(chain.state()), path(chain)));
    }
    for ring in &answer.loops {
        line(&format!("{}-loop", ring.length), &circle(ring));
    }
    for joint in &answer.joints {
        line("joint", &format!("box {} with edges {}", joint.r#box, render::numbers(&joint.edges)));
    }
    line("safe moves", &render::numbers(&answer.safe_moves));
    line("captures", &render::numbers(&answer.capture_moves));
    if let Some(endgame) = answer.endgame.as_ref().filter(|e| !e.chains.is_empty() || !e.loops.is_empty()) {
        let whole = if answer.decomposed { "all that is left" } else { "the isolated part" };
        line("endgame", &format!("{whole}: `doublecross endgame{}`", options(endgame)));
    }
    out
}

/// The options of `endgame` that ask for this one.
fn options(endgame: &v1::Endgame) -> String {
    let mut text = String::new();
    for (name, lengths) in [("chains", &endgame.chains), ("loops", &endgame.loops)] {
        if !lengths.is_empty() {
            let mut lengths = lengths.clone();
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            let lengths: Vec<String> = lengths.iter().map(u32::to_string).collect();
            let _ = write!(text, " --{name} {}", lengths.join(","));
        }
    }
    text
}

const fn state(state: chain::State) -> &'static str {
    match state {
        chain::State::Isolated => "isolated",
        chain::State::Attached => "attached",
        chain::State::HalfOpen => "half-open",
        chain::State::Open => "open",
        chain::State::Unspecified => "unknown",
    }
}

/// A chain from end to end: `ground -3- 0 -4- 1 -5- joint 2`.
fn path(chain: &v1::Chain) -> String {
    let end = |end: &Option<v1::ChainEnd>| match end.as_ref().map(|e| (e.kind(), e.joint)) {
        Some((chain_end::Kind::Ground, _)) => "ground".to_owned(),
        Some((chain_end::Kind::Joint, Some(joint))) => format!("joint {joint}"),
        _ => String::new(),
    };
    let opened =
        |end: &Option<v1::ChainEnd>| end.as_ref().is_some_and(|e| e.kind() == chain_end::Kind::Opened);
    let mut edges = chain.edges.iter();
    let mut text = String::new();
    if !opened(&chain.first) {
        text.push_str(&end(&chain.first));
        push_edge(&mut text, edges.next());
    }
    for (i, b) in chain.boxes.iter().enumerate() {
        let _ = write!(text, "{b}");
        if i + 1 < chain.boxes.len() || !opened(&chain.last) {
            push_edge(&mut text, edges.next());
        }
    }
    text.push_str(&end(&chain.last));
    text
}

/// A loop once round: `0 -6- 1 -3- 4 -9- 3 -2- 0`.
fn circle(ring: &v1::Loop) -> String {
    let mut text = String::new();
    for (b, e) in ring.boxes.iter().zip(&ring.edges) {
        let _ = write!(text, "{b}");
        push_edge(&mut text, Some(e));
    }
    if let Some(first) = ring.boxes.first() {
        let _ = write!(text, "{first}");
    }
    text
}

fn push_edge(text: &mut String, edge: Option<&u32>) {
    if let Some(edge) = edge {
        let _ = write!(text, " -{edge}- ");
    }
}
