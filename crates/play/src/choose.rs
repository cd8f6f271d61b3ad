//! The edge a player draws.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use endgame::{Advice, Offer, OpenedAt, Run, Structure};
use game::{Boxes, Edge, Position};
use oracle::{Budget, Oracle, Outcome, Question};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::parity;
use crate::style::Style;
use crate::taking::{Way, capture};

/// A move and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The edge to draw.
    pub edge: Edge,
    /// Whether the edge is proven to be what the style promises: any for the simple ones, a best one for an exact one.
    pub proven: bool,
    /// Why it was chosen.
    pub why: Why,
}

/// Why an edge was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Any free edge would do.
    Any,
    /// It closes a box.
    Takes,
    /// It is on the way to leaving the last boxes on offer, or leaves them.
    Declines,
    /// It offers no box.
    Safe,
    /// It gives away as little as possible.
    Sacrifices,
    /// The theory of chains and loops says to open here.
    Opens,
    /// Its value is proven to be the best there is, or close enough.
    Exact,
}

/// A player: a style, a seed and an oracle to ask.
#[derive(Clone, Copy, Debug)]
pub struct Chooser<'a> {
    oracle: &'a Oracle,
    style: Style,
    seed: u64,
    budget: Budget,
    cancel: &'a AtomicBool,
}

/// Never set.
static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Chooser<'a> {
    /// A player who may think as long as it takes.
    pub const fn new(oracle: &'a Oracle, style: Style, seed: u64) -> Chooser<'a> {
        Chooser { oracle, style, seed, budget: Budget::UNLIMITED, cancel: &NEVER }
    }

    /// The same, with a limit on each search and a flag to stop it.
    #[must_use]
    pub const fn within(self, budget: Budget, cancel: &'a AtomicBool) -> Chooser<'a> {
        Chooser { budget, cancel, ..self }
    }

    /// The same player with another seed.
    #[must_use]
    pub const fn seeded(self, seed: u64) -> Chooser<'a> {
        Chooser { seed, ..self }
    }

    /// The whole turn this player begins here: every edge until one closes no box or the game is over. A budget of time is
    /// for all of it, one of nodes for each edge.
    pub fn turn(&self, position: &Position) -> Vec<Choice> {
        let started = Instant::now();
        let left = || self.budget.time.map(|time| time.saturating_sub(started.elapsed()));
        let now = || Budget { time: left(), ..self.budget };
        let mut position = *position;
        let mut turn = Vec::new();
        while let Some(choice) = self.within(now(), self.cancel).choose(&position) {
            let closed = position.draw(choice.edge);
            turn.push(choice);
            if closed == 0 {
                break;
            }
        }
        turn
    }

    /// The edge this player draws; `None` when the game is over.
    pub fn choose(&self, position: &Position) -> Option<Choice> {
        if position.free_count() == 0 {
            return None;
        }
        // A stream of random numbers that no library version changes.
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        if position.free_count() <= self.style.exact()
            && let Some(edge) = self.exact(position, &mut random)
        {
            return Some(Choice { edge, proven: true, why: Why::Exact });
        }
        let (edge, why) = self.by_rule(position, &mut random)?;
        // Here a style that promises to be exact has not kept its promise.
        let proven = position.free_count() > self.style.exact();
        Some(Choice { edge, proven, why })
    }

    /// An edge that is proven to be good enough.
    fn exact(&self, position: &Position, random: &mut ChaCha8Rng) -> Option<Edge> {
        let Style::Within { boxes } = self.style else {
            let question = Question { budget: self.budget, ..Question::default() };
            let solved = self.oracle.solve(position, &question, self.cancel).ok()?;
            return solved.best_moves.choose(random).copied();
        };
        let question = Question { all_moves: true, budget: self.budget, ..Question::default() };
        let solved = self.oracle.solve(position, &question, self.cancel).ok()?;
        let least = solved.outcome.exact()? - Boxes(boxes.min(2048) as i16);
        let good = |outcome: Outcome| match outcome {
            Outcome::Exact(value) => value >= least,
            Outcome::Bounds { lower, .. } => lower >= least,
        };
        let good: Vec<Edge> = solved.move_values.iter().filter(|m| good(m.outcome)).map(|m| m.edge).collect();
        good.choose(random).copied()
    }

    /// An edge chosen without knowing the value.
    fn by_rule(&self, position: &Position, random: &mut ChaCha8Rng) -> Option<(Edge, Why)> {
        let free: Vec<Edge> = position.free_edges().collect();
        let any = |random: &mut ChaCha8Rng| free.choose(random).copied();
        if self.style == Style::Random {
            return any(random).map(|edge| (edge, Why::Any));
        }
        if let Some(take) = capture(position, Way::TakeAll) {
            let leave = (self.style.declines() && wants_to_decline(&Offer::of(position)))
                .then(|| capture(position, Way::Decline))
                .flatten();
            return Some(leave.map_or((take, Why::Takes), |edge| (edge, Why::Declines)));
        }
        if !self.style.is_sensible() {
            return any(random).map(|edge| (edge, Why::Any));
        }
        let structure = Structure::of(position);
        if !structure.safe_moves.is_empty() {
            let safe = match self.style {
                Style::Chain { parity: true, .. } => parity::steer(position, structure.safe_moves),
                _ => structure.safe_moves,
            };
            return safe.choose(random).map(|&edge| (edge, Why::Safe));
        }
        if self.style.opens()
            && let Some(edge) = best_opening(&structure)
        {
            return Some((edge, Why::Opens));
        }
        let cost = |edge: Edge| {
            let offer = Offer::of(&position.after(edge).0);
            // Of two that cost the same, one that leaves no way to decline.
            (offer.boxes, self.style.declines() && offer.bribe.is_some())
        };
        let costs: Vec<_> = free.into_iter().map(|edge| (cost(edge), edge)).collect();
        let least = costs.iter().map(|&(cost, _)| cost).min()?;
        let cheap: Vec<Edge> =
            costs.into_iter().filter(|&(cost, _)| cost == least).map(|(_, edge)| edge).collect();
        cheap.choose(random).map(|&edge| (edge, Why::Sacrifices))
    }
}

/// Whether to leave the last boxes of an offer. Exact when nothing but isolated chains and loops is left behind it; else a
/// guess that takes every run for an isolated one, and takes all while there is a safe edge.
fn wants_to_decline(offer: &Offer) -> bool {
    let structure = Structure::of(&offer.rest);
    if !structure.safe_moves.is_empty() {
        return false;
    }
    let set = structure.decomposed().unwrap_or_else(|| structure.as_if_isolated());
    offer.taking(endgame::value(&set)).advice == Advice::Decline
}

/// The edge that opens what the theory says, when nothing but isolated chains and loops is left.
pub(crate) fn best_opening(structure: &Structure) -> Option<Edge> {
    let best = *endgame::best_openings(&structure.decomposed()?).first()?;
    let is_it = |run: &&Run| run.component() == Some(best.component());
    let run = structure.chains.iter().chain(&structure.loops).find(is_it)?;
    let at = usize::from(best.at() == OpenedAt::Middle);
    run.edges.get(at).copied()
}
