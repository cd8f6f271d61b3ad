//! What to do in an endgame: take, decline, or what to open.

use std::fmt;
use std::sync::atomic::AtomicBool;

use endgame::{Advice, Bribe, Multiset, Offer, Structure, Taking};
use game::{Boxes, Edge, Position};
use oracle::{Budget, Oracle, Outcome, Question, SearchError, Source};

use crate::choose::best_opening;
use crate::taking::{Way, capture};

/// What to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Take every box on offer.
    TakeAll,
    /// Leave the bribe: the double-dealing move.
    Decline,
    /// Both are best.
    Either,
    /// Every move gives boxes away; open what costs least.
    Open,
    /// No box is on offer, and some edge gives none away: the endgame has not begun.
    Wait,
    /// The game is over.
    Over,
    /// The budget ended before it was known.
    Unproven,
}

/// Advice, and the numbers behind it: net boxes for the mover over the rest of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameAdvice {
    /// What to do.
    pub verdict: Verdict,
    /// How many boxes are on offer.
    pub offered: u16,
    /// What declining leaves, where there is a way to decline.
    pub bribe: Option<Bribe>,
    /// What the rest is worth to whoever must move there once everything on offer is taken; with nothing on offer, what the
    /// position is worth. `None` when that was not asked, because there is no advice to give.
    pub rest: Option<Outcome>,
    /// What taking everything is worth, if that is proven.
    pub take_all: Option<Boxes>,
    /// What declining is worth, if it can be done and that is proven.
    pub decline: Option<Boxes>,
    /// The edge to draw to take everything.
    pub take_move: Option<Edge>,
    /// The edge to draw to decline, or on the way to it.
    pub decline_move: Option<Edge>,
    /// The edge that opens what costs least.
    pub open_move: Option<Edge>,
    /// The chains and loops that are left once everything on offer is taken, when nothing else is.
    pub left: Option<Multiset>,
    /// How many safe edges there are.
    pub safe: usize,
    /// Who says what the rest is worth.
    pub source: Option<Source>,
}

impl EndgameAdvice {
    /// Advice on a position. What is left behind an offer is worth what the oracle proves within the budget.
    ///
    /// # Errors
    /// When too much of it is left to search.
    pub fn on(
        oracle: &Oracle,
        position: &Position,
        budget: Budget,
        cancel: &AtomicBool,
    ) -> Result<EndgameAdvice, SearchError> {
        let offer = Offer::of(position);
        let structure = Structure::of(&offer.rest);
        let left = structure.decomposed();
        let safe = structure.safe_moves.len();
        let mut advice = EndgameAdvice {
            verdict: Verdict::Unproven,
            offered: offer.boxes,
            bribe: offer.bribe,
            rest: None,
            take_all: None,
            decline: None,
            take_move: capture(position, Way::TakeAll),
            decline_move: capture(position, Way::Decline),
            open_move: None,
            left,
            safe,
            source: None,
        };
        if position.free_count() == 0 {
            advice.verdict = Verdict::Over;
            return Ok(advice);
        }
        if offer.boxes == 0 && safe > 0 {
            advice.verdict = Verdict::Wait;
            return Ok(advice);
        }
        let question = Question { budget, ..Question::default() };
        let solved = oracle.solve(&offer.rest, &question, cancel)?;
        advice.rest = Some(solved.outcome);
        advice.source = Some(solved.source);
        if offer.boxes == 0 {
            advice.open_move = best_opening(&structure).or_else(|| solved.best_moves.first().copied());
            if advice.open_move.is_some() && solved.outcome.exact().is_some() {
                advice.verdict = Verdict::Open;
            }
            return Ok(advice);
        }
        if let Some(rest) = solved.outcome.exact() {
            let Taking { take_all, decline, .. } = offer.taking(rest);
            (advice.take_all, advice.decline) = (Some(take_all), decline);
        }
        // The verdict turns with the rest only one way, so what both bounds say of it is so.
        let (lower, upper) = match solved.outcome {
            Outcome::Exact(value) => (value, value),
            Outcome::Bounds { lower, upper } => (lower, upper),
        };
        advice.verdict = match (offer.taking(lower).advice, offer.taking(upper).advice) {
            (Advice::Decline, Advice::Decline) => Verdict::Decline,
            (Advice::TakeAll, Advice::TakeAll) => Verdict::TakeAll,
            (Advice::Either, Advice::Either) => Verdict::Either,
            _ => Verdict::Unproven,
        };
        Ok(advice)
    }

    /// What the position is worth, if that is proven.
    pub fn value(&self) -> Option<Boxes> {
        match self.verdict {
            Verdict::Over => Some(Boxes::ZERO),
            Verdict::Open => self.rest?.exact(),
            _ => self.take_all.max(self.decline),
        }
    }
}

impl fmt::Display for EndgameAdvice {
    /// The rule in one sentence, with its numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bribe = self.bribe.map_or(0, Bribe::boxes);
        let rest = self.rest.map_or_else(String::new, |rest| rest.to_string());
        match self.verdict {
            Verdict::Over => write!(f, "the game is over"),
            Verdict::Wait => {
                write!(
                    f,
                    "no box is on offer and {} of the free edges give none away: the endgame has not begun",
                    self.safe
                )
            }
            Verdict::Open => {
                write!(f, "every move gives boxes away; this one costs least, and whoever moves nets {rest}")
            }
            Verdict::Unproven if self.offered == 0 => {
                write!(
                    f,
                    "every move gives boxes away, and the budget ended before it was known which costs least"
                )
            }
            Verdict::Unproven => {
                write!(
                    f,
                    "the budget ended before it was known whether the rest costs whoever must move there more than the bribe of {bribe}"
                )
            }
            Verdict::TakeAll if self.bribe.is_none() => {
                write!(f, "take everything: there is no way to decline")
            }
            Verdict::TakeAll => write!(
                f,
                "take everything: whoever must move in the rest nets {rest}, so it costs less than the bribe of {bribe}"
            ),
            Verdict::Decline => write!(
                f,
                "decline: whoever must move in the rest nets {rest}, so it costs more than the bribe of {bribe}"
            ),
            Verdict::Either => write!(
                f,
                "take or decline: whoever must move in the rest nets {rest}, so it costs exactly the bribe of {bribe}"
            ),
        }
    }
}
