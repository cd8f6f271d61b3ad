//! The endgame recursion, written from its definition once more and with one memory for all questions, so that
//! every multiset of up to 40 boxes can be asked.

use std::collections::HashMap;

/// A component: its length, and whether it is a loop.
pub(crate) type Part = (u8, bool);

/// What the player who must open a multiset nets.
#[derive(Default)]
pub(crate) struct Recursion {
    known: HashMap<Vec<Part>, i16>,
}

impl Recursion {
    /// The value of the parts, which are in ascending order.
    pub(crate) fn value(&mut self, parts: &[Part]) -> i16 {
        if parts.is_empty() {
            return 0;
        }
        if let Some(&value) = self.known.get(parts) {
            return value;
        }
        let mut best = i16::MIN;
        for (i, &part) in parts.iter().enumerate() {
            if i > 0 && parts[i - 1] == part {
                continue;
            }
            let rest: Vec<Part> = [&parts[..i], &parts[i + 1..]].concat();
            let behind = self.value(&rest);
            for (opening, _) in openings(part) {
                best = best.max(-takers_best(part.0, opening, behind));
            }
        }
        self.known.insert(parts.to_vec(), best);
        best
    }
}

/// The ways to open a part: the boxes the taker can leave behind, and whether it is opened in its middle.
pub(crate) fn openings((length, is_loop): Part) -> Vec<(Option<i16>, bool)> {
    match (length, is_loop) {
        (_, true) => vec![(Some(4), false)],
        (1, false) => vec![(None, false)],
        (2, false) => vec![(None, true), (Some(2), false)],
        (_, false) => vec![(Some(2), false)],
    }
}

/// The taker has `length` boxes before him and can leave some to make the other player open what is behind.
pub(crate) fn takers_best(length: u8, leave: Option<i16>, behind: i16) -> i16 {
    let length = i16::from(length);
    let all = length + behind;
    match leave {
        Some(left) => all.max((length - left) - left - behind),
        None => all,
    }
}

/// Calls `visit` for every multiset of up to `boxes` boxes, the empty one included.
pub(crate) fn every_multiset(boxes: usize, visit: &mut impl FnMut(&[Part])) {
    let mut kinds: Vec<Part> = (1..=boxes as u8).map(|n| (n, false)).collect();
    kinds.extend((4..=boxes as u8).step_by(2).map(|n| (n, true)));
    // Ascending, as the recursion wants its parts.
    kinds.sort_unstable();
    fn extend(left: usize, kinds: &[Part], parts: &mut Vec<Part>, visit: &mut impl FnMut(&[Part])) {
        visit(parts);
        for (i, &kind) in kinds.iter().enumerate() {
            let Some(left) = left.checked_sub(kind.0.into()) else { break };
            parts.push(kind);
            extend(left, &kinds[i..], parts, visit);
            parts.pop();
        }
    }
    extend(boxes, &kinds, &mut Vec::new(), visit);
}

/// How many multisets of up to `boxes` boxes there are: the coefficients of
/// `1 / ((1-x)(1-x^2)(1-x^3)...  (1-x^4)(1-x^6)(1-x^8)...)`, summed up.
pub(crate) fn count_of_multisets(boxes: usize) -> usize {
    let mut coefficients = vec![0usize; boxes + 1];
    coefficients[0] = 1;
    for length in (1..=boxes).chain((4..=boxes).step_by(2)) {
        for n in length..=boxes {
            coefficients[n] += coefficients[n - length];
        }
    }
    coefficients.iter().sum()
}

/// The lengths of the chains and of the loops among the parts.
pub(crate) fn lengths(parts: &[Part]) -> (Vec<u32>, Vec<u32>) {
    let of = |wanted| parts.iter().filter(|p| p.1 == wanted).map(|p| u32::from(p.0)).collect();
    (of(false), of(true))
}
