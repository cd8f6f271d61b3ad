//! `endgame`: the value of a set of chains and loops, and what the taker should do.

use std::fmt::Write as _;
use std::str::FromStr;

use ::endgame::{Component, Multiset, Opened, OpenedAt, openings};
use clap::Args;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, opened, taker_value_response::Advice};

use crate::args::Global;
use crate::backend::{Backend, mismatch};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::render::{self, Net};

/// The value of a set of chains and loops, and what the taker should do.
///
/// Every chain ends on the ground, and nothing else is left. With --opened, the choice of the player who has
/// just been handed that chain or loop, the others behind it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross endgame --chains 9,5,2                      who must open, and what is it worth?
  doublecross endgame --chains 3,3 --loops 4,6 --json
  doublecross endgame --opened chain:3 --chains 3         handed a 3-chain, with another behind it
  doublecross endgame --opened chain:2 --middle --loops 4")]
pub(crate) struct EndgameArgs {
    /// The lengths of the chains, in boxes
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    chains: Vec<u32>,

    /// The lengths of the loops, in boxes: even, at least 4
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    loops: Vec<u32>,

    /// The chain or loop just opened, as chain:N or loop:N; it is not one of --chains or --loops
    #[arg(long, value_name = "KIND:N")]
    opened: Option<OpenedArg>,

    /// The opened chain was opened in its middle (a chain of two): it cannot be declined
    #[arg(long, requires = "opened")]
    middle: bool,
}

/// A chain or loop, not yet known to be one.
#[derive(Clone, Copy, Debug)]
struct OpenedArg(opened::Component);

impl FromStr for OpenedArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<OpenedArg, Self::Err> {
        const RULE: &str = "an opened component is chain:N or loop:N, e.g. chain:3";
        let (kind, length) = text.split_once(':').ok_or(RULE)?;
        let length = length.parse().map_err(|_| RULE)?;
        match kind {
            "chain" => Ok(OpenedArg(opened::Component::Chain(length))),
            "loop" => Ok(OpenedArg(opened::Component::Loop(length))),
            _ => Err(RULE),
        }
    }
}

pub(crate) async fn run(args: EndgameArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    if args.opened.is_none() && args.chains.is_empty() && args.loops.is_empty() {
        return Err(Failure::misuse("name what is left, e.g. --chains 9,5,2 --loops 4"));
    }
    let backend = Backend::open(global, &interrupt).await?;
    let rest = v1::Endgame { chains: args.chains, loops: args.loops };
    match args.opened {
        Some(OpenedArg(component)) => {
            let at = if args.middle { v1::OpenedAt::Middle } else { v1::OpenedAt::End };
            let opened = v1::Opened { component: Some(component), opened_at: at.into() };
            taker(&backend, opened, rest, global.json).await
        }
        None => opener(&backend, rest, global.json).await,
    }
}

/// What opening the set is worth.
async fn opener(backend: &Backend, endgame: v1::Endgame, json: bool) -> Result<(), Failure> {
    let query = Query::EndgameValue(v1::EndgameValueRequest { endgame: Some(endgame.clone()) });
    let Answer::EndgameValue(answer) = backend.ask_one(query).await? else { return Err(mismatch()) };
    if json {
        return render::json(&answer);
    }
    let set = multiset(&endgame)?;
    let ways = openings(&set).collect::<Vec<_>>();
    let queries = ways.iter().filter_map(|&way| Some((way, set.without(way.component())?)));
    let queries = queries.map(|(way, rest)| {
        let rest = Some(v1::Endgame { chains: widen(rest.chains()), loops: widen(rest.loops()) });
        Query::TakerValue(v1::TakerValueRequest { opened: Some(message(way)), rest })
    });
    let replies = backend.ask(queries.collect()).await?;

    let mut out = String::new();
    line(&mut out, "left", &format!("{set}: {}", render::boxes(set.boxes() as u32)));
    line(&mut out, "value", &format!("{} for the player who must open", Net(answer.value)));
    let best: Vec<String> = answer.best_openings.iter().map(name).collect::<Result<_, _>>()?;
    line(&mut out, "best", &format!("open {}", join(&best)));
    line(&mut out, "source", &render::source(answer.source(), answer.table.as_deref()));
    let width = ways.iter().map(|way| way.to_string().len()).max().unwrap_or_default();
    let _ = writeln!(out, "\n{:width$}  opener  the taker", "opening");
    for (way, reply) in ways.iter().zip(replies) {
        let Answer::TakerValue(taker) = reply else { return Err(mismatch()) };
        let worth = Net(-taker.value);
        let _ = writeln!(out, "{:width$}  {worth:>6}  {}", way.to_string(), choice(&taker));
    }
    out.push_str(
        "\nThe taker declines when opening the rest would cost more than the boxes a decline leaves.\n",
    );
    render::text(&out)
}

/// What the player should do who was handed an opened component.
async fn taker(backend: &Backend, opened: v1::Opened, rest: v1::Endgame, json: bool) -> Result<(), Failure> {
    let request = v1::TakerValueRequest { opened: Some(opened), rest: Some(rest.clone()) };
    let Answer::TakerValue(answer) = backend.ask_one(Query::TakerValue(request)).await? else {
        return Err(mismatch());
    };
    if json {
        return render::json(&answer);
    }
    let mut out = String::new();
    line(&mut out, "opened", &format!("{}, with {} behind it", name(&opened)?, multiset(&rest)?));
    line(&mut out, "value", &format!("{} for the taker, who {}", Net(answer.value), choice(&answer)));
    line(&mut out, "why", &why(&answer, length(&opened)));
    line(&mut out, "source", &render::source(answer.source(), answer.table.as_deref()));
    render::text(&out)
}

/// What the taker does, with the numbers.
fn choice(taker: &v1::TakerValueResponse) -> String {
    let all = Net(taker.take_all);
    match (taker.advice(), taker.decline) {
        (_, None) => format!("takes all ({all}): there is no way to decline"),
        (Advice::Decline, Some(decline)) => {
            format!("declines ({}), leaving {}, rather than take all ({all})", Net(decline), taker.bribe)
        }
        (Advice::Either, Some(_)) => {
            format!("takes all or declines, leaving {}: {all} either way", taker.bribe)
        }
        (_, Some(decline)) => {
            format!("takes all ({all}) rather than decline ({}), leaving {}", Net(decline), taker.bribe)
        }
    }
}

/// The rule behind it, with the numbers.
fn why(taker: &v1::TakerValueResponse, length: i32) -> String {
    // Taking all is worth the component and the opening of the rest.
    let cost = length - taker.take_all;
    let rest = match cost {
        0 => "opening the rest costs nothing".to_owned(),
        cost if cost < 0 => format!("opening the rest gains {}", render::boxes(cost.unsigned_abs())),
        cost => format!("opening the rest costs {}", render::boxes(cost.unsigned_abs())),
    };
    let bribe = taker.bribe;
    match (taker.advice(), taker.decline) {
        (_, None) => format!("{rest}, but a component opened like this leaves nothing to decline with"),
        (Advice::Decline, _) => format!("{rest}, more than the {bribe} a decline leaves"),
        (Advice::Either, _) => format!("{rest}, just what a decline leaves"),
        _ => format!("{rest}, less than the {bribe} a decline leaves"),
    }
}

fn line(out: &mut String, label: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{label:<7} {text}");
}

/// The set as the server accepted it.
fn multiset(endgame: &v1::Endgame) -> Result<Multiset, Failure> {
    Multiset::new(&endgame.chains, &endgame.loops).map_err(|e| Failure::rule(e.field(), &e))
}

/// An opened component of the contract by its name: `2-chain in its middle`.
fn name(opened: &v1::Opened) -> Result<String, Failure> {
    let component = match opened.component {
        Some(opened::Component::Chain(n)) => u16::try_from(n).map(Component::Chain),
        Some(opened::Component::Loop(n)) => u16::try_from(n).map(Component::Loop),
        None => return Err(mismatch()),
    };
    let at = match opened.opened_at() {
        v1::OpenedAt::End => OpenedAt::End,
        v1::OpenedAt::Middle => OpenedAt::Middle,
    };
    let opened = Opened::new(component.map_err(|_| mismatch())?, at).map_err(|_| mismatch())?;
    Ok(opened.to_string())
}

/// An opened component as the contract has it.
fn message(opened: Opened) -> v1::Opened {
    let component = match opened.component() {
        Component::Chain(n) => opened::Component::Chain(n.into()),
        Component::Loop(n) => opened::Component::Loop(n.into()),
    };
    let at = match opened.at() {
        OpenedAt::End => v1::OpenedAt::End,
        OpenedAt::Middle => v1::OpenedAt::Middle,
    };
    v1::Opened { component: Some(component), opened_at: at.into() }
}

fn length(opened: &v1::Opened) -> i32 {
    match opened.component {
        Some(opened::Component::Chain(n) | opened::Component::Loop(n)) => n as i32,
        None => 0,
    }
}

fn widen(lengths: &[u16]) -> Vec<u32> {
    lengths.iter().map(|&n| n.into()).collect()
}

/// `the 3-chain`, `the 3-chain or the 4-loop`.
fn join(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("the {name}")).collect();
    match names.split_last() {
        None => "nothing".into(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
