//! The value of a multiset from its definition.

use std::collections::HashMap;

use game::Boxes;

use crate::multiset::{Component, Multiset, openings};

/// What the player who must open the multiset nets: `EV({}) = 0`, else the best over every way to open of
/// minus the taker's better line. Written from the definition, with nothing in common with
/// [`value`](crate::value), which it is there to check; the number of sub-multisets bounds its work.
pub fn value_by_recursion(set: &Multiset) -> Boxes {
    fn ev(set: &Multiset, known: &mut HashMap<Multiset, i16>) -> i16 {
        if let Some(&value) = known.get(set) {
            return value;
        }
        let mut best = if set.is_empty() { 0 } else { i16::MIN };
        for opened in openings(set) {
            let component = opened.component();
            // `openings` lists components of the set.
            let Some(rest) = set.without(component) else { continue };
            let behind = ev(&rest, known);
            let boxes = component.boxes() as i16;
            let take_all = boxes + behind;
            let hard_hearted = component == Component::Chain(2) && opened.at() == crate::OpenedAt::Middle;
            let taker = match component {
                Component::Loop(_) => take_all.max(boxes - 8 - behind),
                Component::Chain(n) if n >= 2 && !hard_hearted => take_all.max(boxes - 4 - behind),
                Component::Chain(_) => take_all,
            };
            best = best.max(-taker);
        }
        known.insert(set.clone(), best);
        best
    }
    Boxes(ev(set, &mut HashMap::new()))
}
