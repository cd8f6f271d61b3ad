//! Take all or decline.

use game::Boxes;

use crate::multiset::{Component, Opened, OpenedAt};

/// What the taker of an opened component should do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Advice {
    /// Take every box, then open the rest.
    TakeAll,
    /// Leave the bribe: the opener takes it and must open the rest.
    Decline,
    /// Both are best.
    Either,
}

/// The taker's choice, both lines in net boxes for the taker over the rest of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taking {
    /// The better line.
    pub value: Boxes,
    /// Taking every box.
    pub take_all: Boxes,
    /// Declining; `None` where that cannot be done.
    pub decline: Option<Boxes>,
    /// How many boxes declining leaves: 2 for a chain, 4 for a loop, 0 where it cannot be done.
    pub bribe: u8,
    /// Which line is best.
    pub advice: Advice,
}

/// The taker's choice when handed `opened`, with a rest that is worth `rest` to the player who must open it.
///
/// Taking all L boxes leaves the taker to open the rest: `L + rest`. Declining takes all but the bribe b,
/// which goes to the other player together with the duty to open the rest: `(L - b) - b - rest`. So decline
/// exactly when `-rest > b`; the length in hand never matters. A 1-chain, and a 2-chain opened in its
/// middle, leave nothing to decline with.
pub fn taking(opened: Opened, rest: Boxes) -> Taking {
    choice(opened.component().boxes(), bribe(opened), rest)
}

/// The choice with so many boxes on offer, of which declining leaves so many, none where it cannot be done.
pub(crate) fn choice(boxes: u16, bribe: u8, rest: Boxes) -> Taking {
    let boxes = Boxes(boxes as i16);
    let take_all = boxes + rest;
    let decline = (bribe > 0).then(|| boxes - Boxes(2 * i16::from(bribe)) - rest);
    let (value, advice) = match decline {
        Some(decline) if decline > take_all => (decline, Advice::Decline),
        Some(decline) if decline == take_all => (take_all, Advice::Either),
        _ => (take_all, Advice::TakeAll),
    };
    Taking { value, take_all, decline, bribe, advice }
}

/// What opening `opened` is worth to the opener, with a rest worth `rest` to whoever must open it.
pub fn opening_value(opened: Opened, rest: Boxes) -> Boxes {
    -taking(opened, rest).value
}

/// How many boxes declining an opened component leaves, 0 where it cannot be declined.
const fn bribe(opened: Opened) -> u8 {
    match (opened.component(), opened.at()) {
        (Component::Chain(1), _) | (Component::Chain(_), OpenedAt::Middle) => 0,
        (Component::Chain(_), OpenedAt::End) => 2,
        (Component::Loop(_), _) => 4,
    }
}
