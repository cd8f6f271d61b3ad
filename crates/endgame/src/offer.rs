//! What is on offer in a position, and what is left once it is taken.
//!
//! With boxes on offer, only two lines can be best: take everything, or take all but a bribe of two boxes
//! (four, where only a closed run is left to leave) and make the other player move in the rest. With T boxes
//! on offer, bribe b and `rest` the quiet position after everything is taken,
//!
//! ```text
//! value = T + value(rest)                  where there is no bribe to leave
//! value = T - b + |value(rest) + b|        otherwise: the better of T + v and (T - b) - b - v
//! ```
//!
//! What can be left is read off the *end* of the taking, not its beginning, because a capture can close a joint and
//! so lengthen a run: the edges drawn while taking join the captured boxes into trees. A tree of two or more
//! boxes with an edge to the ground or to an uncaptured box lets the taker leave its last two boxes behind that
//! edge; a tree with no such edge (a closed run) must leave two pairs, so it needs a path of four.

use game::{Board, BoxId, Boxes, Position};

use crate::taking::{Taking, choice};

/// What declining leaves to the other player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bribe {
    /// Two boxes.
    Two,
    /// Four boxes.
    Four,
}

impl Bribe {
    /// How many boxes.
    pub const fn boxes(self) -> i16 {
        match self {
            Bribe::Two => 2,
            Bribe::Four => 4,
        }
    }
}

/// The boxes on offer in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// How many boxes can be taken in one go.
    pub boxes: u16,
    /// The cheapest way to decline, if there is one.
    pub bribe: Option<Bribe>,
    /// The quiet position after everything is taken.
    pub rest: Position,
}

impl Offer {
    /// Takes everything there is to take.
    pub fn of(position: &Position) -> Offer {
        let board = position.board();
        let mut rest = *position;
        let mut captured: Vec<BoxId> = Vec::new();
        let mut is_captured = vec![false; board.boxes()];
        let mut open: Vec<BoxId> = board.all_boxes().filter(|&b| rest.free_sides(b) == 1).collect();
        while let Some(b) = open.pop() {
            // A box can be listed twice, once from each side; the first visit closed it.
            let Some(e) = board.sides(b).into_iter().find(|&e| rest.is_free(e)) else { continue };
            rest.draw(e);
            for b in board.touching(e).into_iter().flatten() {
                match rest.free_sides(b) {
                    0 => {
                        captured.push(b);
                        is_captured[b.index()] = true;
                    }
                    1 => open.push(b),
                    _ => {}
                }
            }
        }
        let trees = Trees { board, before: position, is_captured: &is_captured };
        Offer { boxes: captured.len() as u16, bribe: trees.bribe(&captured), rest }
    }

    /// Take all or decline, when the rest is worth this to whoever must move in it.
    pub fn taking(&self, rest: Boxes) -> Taking {
        choice(self.boxes, self.bribe.map_or(0, |bribe| bribe.boxes() as u8), rest)
    }

    /// What the position is worth to its mover, when the rest is worth this to its.
    pub fn value(&self, rest: Boxes) -> Boxes {
        self.taking(rest).value
    }
}

/// The captured boxes joined by the edges drawn while taking them: those free before.
struct Trees<'a> {
    board: Board,
    before: &'a Position,
    is_captured: &'a [bool],
}

impl Trees<'_> {
    /// The boxes across the edges that were free before; `None` is the ground.
    fn across(&self, b: BoxId) -> impl Iterator<Item = Option<BoxId>> + '_ {
        self.board.sides(b).into_iter().filter(|&e| self.before.is_free(e)).map(move |e| {
            let [x, y] = self.board.touching(e);
            if x == Some(b) { y } else { x }
        })
    }

    fn captured(&self, b: BoxId) -> bool {
        self.is_captured[b.index()]
    }

    fn bribe(&self, captured: &[BoxId]) -> Option<Bribe> {
        let mut seen = vec![false; self.board.boxes()];
        let mut bribe = None;
        for &root in captured {
            if seen[root.index()] {
                continue;
            }
            seen[root.index()] = true;
            let mut tree = vec![root];
            let mut way_out = false;
            let mut i = 0;
            while i < tree.len() {
                for next in self.across(tree[i]) {
                    match next.filter(|&b| self.captured(b)) {
                        None => way_out = true,
                        Some(b) if !seen[b.index()] => {
                            seen[b.index()] = true;
                            tree.push(b);
                        }
                        Some(_) => {}
                    }
                }
                i += 1;
            }
            if way_out && tree.len() >= 2 {
                return Some(Bribe::Two);
            }
            if !way_out && tree.iter().any(|&b| self.middle_of_four(b)) {
                bribe = Some(Bribe::Four);
            }
        }
        bribe
    }

    /// Whether a path of four boxes runs `? - b - y - ?` for some neighbour y of b.
    fn middle_of_four(&self, b: BoxId) -> bool {
        let degree = |b: BoxId| self.across(b).flatten().filter(|&n| self.captured(n)).count();
        degree(b) >= 2 && self.across(b).flatten().any(|y| self.captured(y) && degree(y) >= 2)
    }
}
