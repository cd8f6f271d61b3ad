//! Who is in control, by the long chain rule, and whether its assumption holds.
//!
//! From any position, however the game goes on, the turns left are
//!
//! ```text
//! T = (free edges - boxes left) + 1 + D
//! ```
//!
//! with D the double-crosses still to come, moves that close two boxes at once. The long chain rule reads the end of the
//! game off this: with c long chains it takes D to be c - 1, since every long chain but the last is declined once. A loop
//! that is declined has two double-crosses and one that is taken has one, so l loops add 2l, or 2l - 1 where there is no
//! chain to be taken last. Then T says who takes the last turn, and with it the last chain.

use std::collections::HashMap;
use std::fmt;

use endgame::{Advice, Bribe, Component, Multiset, Offer, Structure, taking};
use game::Position;

/// One of the two players, as the player to move sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The player to move.
    Mover,
    /// The other.
    Other,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Mover => "the player to move",
            Side::Other => "the other player",
        })
    }
}

/// Whether best play makes as many double-crosses as the long chain rule takes for granted, modulo 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// Every line of best play does.
    Holds,
    /// No line of best play does.
    Fails,
    /// Some lines of best play do.
    Either,
    /// It is not settled: something other than isolated chains and loops is left, or too many of those.
    Unsettled,
}

/// What the long chain rule makes of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// The dots of the board.
    pub dots: usize,
    /// The free edges.
    pub free: usize,
    /// The boxes still to be taken.
    pub boxes_left: usize,
    /// The chains of three boxes or more, as they stand, and one more if boxes on offer can be declined for two.
    pub long_chains: usize,
    /// The loops, and one more if boxes on offer can be declined for four.
    pub loops: usize,
    /// The double-crosses still to come, if the rule's assumption holds: c - 1, those of the loops, and those that are on
    /// offer whatever is declined.
    pub assumed: usize,
    /// The turns left, if the assumption holds.
    pub turns_left: usize,
    /// Who takes the last turn, if the assumption holds.
    pub last_turn: Side,
    /// Whether the assumption holds.
    pub assumption: Assumption,
    /// The fewest and the most double-crosses that lines of best play make from here, where that is settled.
    pub double_crosses: Option<(usize, usize)>,
}

impl Control {
    /// Reads a position.
    pub fn of(position: &Position) -> Control {
        let offer = Offer::of(position);
        let structure = Structure::of(&offer.rest);
        let long = structure.chains.iter().filter(|run| run.is_long_chain()).count();
        let long_chains = long + usize::from(offer.bribe == Some(Bribe::Two));
        let loops = structure.loops.len() + usize::from(offer.bribe == Some(Bribe::Four));
        let (free, boxes_left) = (position.free_count(), position.boxes_left());
        let on_offer = crosses_taking(position, &offer);
        // A loop on offer is one of the loops, so its own double-cross is not one of the others'.
        let others = on_offer - usize::from(offer.bribe == Some(Bribe::Four));
        let assumed = others
            + match (long_chains, loops) {
                (0, 0) => 0,
                (0, loops) => 2 * loops - 1,
                (chains, loops) => chains - 1 + 2 * loops,
            };
        // What is quiet has at least as many free edges as boxes, and what is on offer makes up for the rest.
        let turns_left = if free == 0 { 0 } else { free + 1 + assumed - boxes_left };
        let last_turn = if turns_left % 2 == 1 { Side::Mover } else { Side::Other };
        let crosses = structure.decomposed().and_then(|rest| crosses(&offer, on_offer, &rest));
        let assumption = match crosses.map(|found| found.parities) {
            None => Assumption::Unsettled,
            Some([true, true]) => Assumption::Either,
            Some(parities) if parities[assumed % 2] => Assumption::Holds,
            Some(_) => Assumption::Fails,
        };
        let double_crosses = crosses.map(|found| (found.least, found.most));
        Control {
            dots: position.board().dots(),
            free,
            boxes_left,
            long_chains,
            loops,
            assumed,
            turns_left,
            last_turn,
            assumption,
            double_crosses,
        }
    }

    /// Whom the rule favours: who takes the last turn, where there is a long chain to take with it.
    pub fn favoured(&self) -> Option<Side> {
        (self.long_chains > 0).then_some(self.last_turn)
    }
}

impl fmt::Display for Control {
    /// The rule in one sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.free == 0 {
            return f.write_str("the game is over");
        }
        let Control { long_chains, loops, assumed, turns_left, last_turn, .. } = self;
        let count = |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
        let chains = count(*long_chains, "long chain", "long chains");
        let loops = count(*loops, "loop", "loops");
        let crosses = count(*assumed, "double-cross", "double-crosses");
        let turns = count(*turns_left, "turn", "turns");
        write!(
            f,
            "{chains} and {loops}: controlled play has {crosses} and {turns}, and {last_turn} takes the last"
        )?;
        match self.assumption {
            Assumption::Unsettled => f.write_str("; whether best play is like that is not settled yet"),
            Assumption::Holds => f.write_str("; so it is with best play"),
            Assumption::Fails => f.write_str("; with best play it is the other way round"),
            Assumption::Either => f.write_str("; best play can have it either way"),
        }
    }
}

/// More different rests than this are not looked into: some milliseconds.
const MOST_RESTS: usize = 2_000;

/// The double-crosses of some lines of best play.
#[derive(Clone, Copy)]
struct Crosses {
    least: usize,
    most: usize,
    /// Whether some line has an even number, and whether some line has an odd one.
    parities: [bool; 2],
}

impl Crosses {
    /// One line with so many.
    const fn some(n: usize) -> Crosses {
        Crosses { least: n, most: n, parities: [n.is_multiple_of(2), n % 2 == 1] }
    }

    /// So many more on every line.
    const fn more(self, n: usize) -> Crosses {
        let [even, odd] = self.parities;
        let parities = if n.is_multiple_of(2) { [even, odd] } else { [odd, even] };
        Crosses { least: self.least + n, most: self.most + n, parities }
    }

    /// These lines and those.
    fn or(self, other: Crosses) -> Crosses {
        let [even, odd] = self.parities;
        Crosses {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            parities: [even || other.parities[0], odd || other.parities[1]],
        }
    }

    /// These lines after taking something with so many double-crosses, or after declining it with one more: the better, or
    /// both.
    fn after(self, taken: usize, advice: Advice) -> Crosses {
        match advice {
            Advice::TakeAll => self.more(taken),
            Advice::Decline => self.more(taken + 1),
            Advice::Either => self.more(taken).or(self.more(taken + 1)),
        }
    }
}

/// The double-crosses of taking everything on offer: each edge closes one box or two, and each box is closed once.
fn crosses_taking(position: &Position, offer: &Offer) -> usize {
    usize::from(offer.boxes) - (position.free_count() - offer.rest.free_count())
}

/// The double-crosses of best play from an offer, `taken` of them in taking it, with this rest behind it; `None` when there
/// are too many different rests.
///
/// Declining draws the same edges as taking, one of them without closing anything, so it has one double-cross more:
/// one instead of none for a chain, two instead of one for a loop.
fn crosses(offer: &Offer, taken: usize, rest: &Multiset) -> Option<Crosses> {
    let behind = crosses_opening(rest, &mut HashMap::new())?;
    let advice = offer.taking(endgame::value(rest)).advice;
    Some(behind.after(taken, advice))
}

/// The same for a multiset that has to be opened.
fn crosses_opening(set: &Multiset, known: &mut HashMap<Multiset, Crosses>) -> Option<Crosses> {
    if set.is_empty() {
        return Some(Crosses::some(0));
    }
    if let Some(&found) = known.get(set) {
        return Some(found);
    }
    if known.len() >= MOST_RESTS {
        return None;
    }
    let mut found: Option<Crosses> = None;
    for opened in endgame::best_openings(set) {
        // What opens a set is one of its components.
        let rest = set.without(opened.component())?;
        let advice = taking(opened, endgame::value(&rest)).advice;
        let taken = usize::from(matches!(opened.component(), Component::Loop(_)));
        let line = crosses_opening(&rest, known)?.after(taken, advice);
        found = Some(found.map_or(line, |found| found.or(line)));
    }
    known.insert(set.clone(), found?);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::Values;
    use game::{Board, Edge};

    /// Every line of best moves below a start, from the values that the rules alone give: how few and how many
    /// double-crosses, and of which parities.
    struct Lines {
        values: Values,
        free: Vec<Edge>,
        known: HashMap<u64, Crosses>,
    }

    impl Lines {
        fn of(&mut self, position: &Position, drawn: u64) -> Crosses {
            if position.free_count() == 0 {
                return Crosses::some(0);
            }
            if let Some(&found) = self.known.get(&drawn) {
                return found;
            }
            let value = self.values.at(drawn as usize);
            let mut found: Option<Crosses> = None;
            for (i, edge) in self.free.clone().into_iter().enumerate().filter(|&(i, _)| drawn >> i & 1 == 0) {
                let (next, closed) = position.after(edge);
                let drawn = drawn | 1 << i;
                let rest = self.values.at(drawn as usize);
                if value == if closed > 0 { closed as i16 + rest } else { -rest } {
                    let line = self.of(&next, drawn).more(usize::from(closed == 2));
                    found = Some(found.map_or(line, |found| found.or(line)));
                }
            }
            self.known.insert(drawn, found.unwrap());
            found.unwrap()
        }
    }

    /// Wherever it is settled, whether the rule's assumption holds is what *all* lines of best play say, on every position
    /// of some boards and below the 3x4 one with its border drawn. Some positions of each kind are among them.
    #[test]
    fn the_assumption_is_held_against_every_line_of_best_play() {
        let bordered = "1111000000001111100011000110001";
        let starts = [(2, 2, "0".repeat(12)), (1, 5, "0".repeat(16)), (2, 3, "0".repeat(17))];
        let mut settled = [0; 3];
        for (rows, cols, edges) in starts.into_iter().chain([(3, 4, bordered.to_owned())]) {
            let board = Board::new(rows, cols).unwrap();
            let values = Values::below(rows as usize, cols as usize, &edges);
            let free: Vec<Edge> = values.free().iter().map(|&e| board.edge(e).unwrap()).collect();
            let start = Position::with_drawn(board, board.all_edges().filter(|e| !free.contains(e)));
            let mut lines = Lines { values, free: free.clone(), known: HashMap::new() };
            for drawn in 0..1u64 << free.len() {
                let mut position = start;
                for (_, &e) in free.iter().enumerate().filter(|&(i, _)| drawn >> i & 1 == 1) {
                    position.draw(e);
                }
                let control = Control::of(&position);
                let Some(found) = control.double_crosses else { continue };
                let all = lines.of(&position, drawn);
                assert_eq!(found, (all.least, all.most), "{position:#}");
                let [as_assumed, otherwise] = [0, 1].map(|by| all.parities[(control.assumed + by) % 2]);
                let (assumption, kind) = match (as_assumed, otherwise) {
                    (true, true) => (Assumption::Either, 0),
                    (true, false) => (Assumption::Holds, 1),
                    _ => (Assumption::Fails, 2),
                };
                assert_eq!(control.assumption, assumption, "{position:#}");
                settled[kind] += 1;
            }
        }
        assert!(settled.into_iter().all(|times| times > 100), "{settled:?}");
    }

    /// A large board is settled when its chains are alike.
    #[test]
    fn a_large_board_is_answered() {
        let board = Board::new(32, 32).unwrap();
        let rows = Position::with_drawn(board, board.all_edges().filter(|&e| board.locate(e).0));
        let control = Control::of(&rows);
        assert_eq!((control.long_chains, control.assumed, control.turns_left), (32, 31, 64));
        assert_eq!((control.double_crosses, control.favoured()), (Some((31, 31)), Some(Side::Other)));
    }

    /// When as many rests are known as are looked into, one more is not.
    #[test]
    fn too_many_different_rests_are_left_unsettled() {
        let mut full: HashMap<Multiset, Crosses> = HashMap::new();
        for n in 0..MOST_RESTS as u32 {
            full.insert(Multiset::new(&[n + 1], &[8, 8, 8, 8]).unwrap(), Crosses::some(0));
        }
        assert!(crosses_opening(&Multiset::new(&[5, 6], &[]).unwrap(), &mut full).is_none());
    }
}
