//! Answers about chains and loops, held against the definition.

use endgame::{Component, Multiset, Opened, OpenedAt, opening_value, openings, value_by_recursion};
use proto::v1::{
    EndgameValueResponse, Opened as SentOpened, Source, TakerValueRequest, TakerValueResponse, opened,
    taker_value_response::Advice,
};

use super::multiset;

/// The most sub-multisets of a multiset that is worked out from the definition.
const CHEAP: usize = 200;

/// The value of a multiset from the definition, if that is cheap.
fn true_value(set: &Multiset) -> Option<i32> {
    let times = |component| set.components().filter(|&other| other == component).count();
    let mut below = 1usize;
    for part in set.distinct() {
        below = below.saturating_mul(1 + times(part));
    }
    (below <= CHEAP).then(|| value_by_recursion(set).get().into())
}

/// What is sent as an opened component, if it is one.
pub(super) fn opened(sent: &TakerValueRequest) -> Option<Opened> {
    one(sent.opened.as_ref()?)
}

fn one(sent: &SentOpened) -> Option<Opened> {
    let at = match sent.opened_at {
        0 => OpenedAt::End,
        1 => OpenedAt::Middle,
        _ => return None,
    };
    let component = match sent.component? {
        opened::Component::Chain(n) => Component::Chain(n.try_into().ok()?),
        opened::Component::Loop(n) => Component::Loop(n.try_into().ok()?),
    };
    Opened::new(component, at).ok()
}

pub(super) fn value(set: &Multiset, found: &EndgameValueResponse) {
    let boxes = set.boxes() as i32;
    assert_eq!((found.source(), &found.table), (Source::Endgame, &None));
    assert!(found.value.abs() <= boxes && (found.value + boxes) % 2 == 0);
    let best: Vec<Opened> = found.best_openings.iter().map(|sent| one(sent).expect("an opening")).collect();
    let ways = Vec::from_iter(openings(set));
    assert_eq!(best.is_empty(), ways.is_empty());
    let Some(value) = true_value(set) else { return };
    assert_eq!(found.value, value);
    let reaches = |&way: &Opened| {
        let rest = set.without(way.component()).expect("an opening is of the set");
        i32::from(opening_value(way, value_by_recursion(&rest)).get()) == value
    };
    assert_eq!(best, ways.into_iter().filter(reaches).collect::<Vec<_>>());
}

pub(super) fn taker(sent: &TakerValueRequest, found: &TakerValueResponse) {
    let opened = opened(sent).expect("what was answered was opened");
    let rest = multiset(&sent.rest.clone().unwrap_or_default()).expect("what was answered is a multiset");
    let boxes = i32::from(opened.component().boxes());
    let bribe = match (opened.component(), opened.at()) {
        (Component::Chain(1), _) | (_, OpenedAt::Middle) => 0,
        (Component::Chain(_), _) => 2,
        (Component::Loop(_), _) => 4,
    };
    assert_eq!(found.bribe as i32, bribe);
    assert_eq!(found.value, found.take_all.max(found.decline.unwrap_or(i32::MIN)));
    assert_eq!(found.decline.is_some(), bribe > 0);
    let advice = match found.decline.map(|decline| decline.cmp(&found.take_all)) {
        Some(std::cmp::Ordering::Greater) => Advice::Decline,
        Some(std::cmp::Ordering::Equal) => Advice::Either,
        _ => Advice::TakeAll,
    };
    assert_eq!(found.advice(), advice);
    if let Some(rest) = true_value(&rest) {
        assert_eq!(found.take_all, boxes + rest);
        assert_eq!(found.decline, (bribe > 0).then_some(boxes - 2 * bribe - rest));
    }
}
