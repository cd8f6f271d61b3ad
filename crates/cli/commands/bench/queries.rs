//! Queries whose answers are in the default tables.

use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, EvaluateRequest, EvaluateResponse, Source, opened, position::Drawing};

use crate::failure::Failure;

/// How many different queries of each kind.
const DIFFERENT: u64 = 1000;

/// Queries of one kind.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) requests: Vec<EvaluateRequest>,
}

/// The name of those for EndgameValue.
pub(super) const ENDGAMES: &str = "endgames";

/// The kinds of queries, the same ones on every run.
pub(super) fn sets() -> Vec<Set> {
    let set = |name, query: fn(&mut Dice) -> Query| {
        let mut dice = Dice(0);
        let request = |n: u64| EvaluateRequest { id: n.to_string(), query: Some(query(&mut dice)) };
        Set { name, requests: (0..DIFFERENT).map(request).collect() }
    };
    vec![set(ENDGAMES, endgame), set("takers", taker), set("positions", position)]
}

/// Fails unless every answer was looked up.
pub(super) fn all_from_tables(answers: &[EvaluateResponse]) -> Result<(), Failure> {
    let source = |answer: &EvaluateResponse| match &answer.answer {
        Some(Answer::EndgameValue(a)) => a.source(),
        Some(Answer::TakerValue(a)) => a.source(),
        Some(Answer::ExactSolve(a)) => a.source(),
        _ => Source::Unspecified,
    };
    if answers.iter().all(|answer| source(answer) == Source::Table) {
        return Ok(());
    }
    Err(Failure::no(
        "the default tables are not all there, and this measures table hits; `doublecross generate` makes them",
    ))
}

/// Up to 40 boxes in chains and loops.
fn endgame(dice: &mut Dice) -> Query {
    Query::EndgameValue(v1::EndgameValueRequest { endgame: Some(multiset(dice, 40)) })
}

/// A chain or loop handed over, with up to 30 boxes behind it.
fn taker(dice: &mut Dice) -> Query {
    let component = match dice.roll(2) {
        0 => opened::Component::Chain(1 + dice.roll(9)),
        _ => opened::Component::Loop(4 + 2 * dice.roll(3)),
    };
    let opened = v1::Opened { component: Some(component), opened_at: v1::OpenedAt::End.into() };
    Query::TakerValue(v1::TakerValueRequest { opened: Some(opened), rest: Some(multiset(dice, 30)) })
}

/// A 3x3 position with about half its edges drawn.
fn position(dice: &mut Dice) -> Query {
    let edges = (0..24).map(|_| if dice.roll(2) == 0 { '0' } else { '1' }).collect();
    let position = v1::Position { rows: 3, cols: 3, drawing: Some(Drawing::Edges(edges)), score: None };
    Query::ExactSolve(v1::ExactSolveRequest { position: Some(position), ..Default::default() })
}

fn multiset(dice: &mut Dice, boxes: u32) -> v1::Endgame {
    let mut left = 3 + dice.roll(boxes - 2);
    let mut set = v1::Endgame::default();
    while left > 0 {
        let length = (1 + dice.roll(9)).min(left);
        left -= length;
        if length >= 4 && length.is_multiple_of(2) && dice.roll(2) == 0 {
            set.loops.push(length);
        } else {
            set.chains.push(length);
        }
    }
    set
}

/// Dice that always fall the same way (splitmix64).
struct Dice(u64);

impl Dice {
    /// A number below `sides`.
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % u64::from(sides)) as u32
    }
}
