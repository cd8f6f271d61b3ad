//! What each reduction of an exact solver saves.
//!
//! A solver of its own, written plainly so that each reduction can be left out: values are remembered by position, and a
//! node is a position that was not, a move one that was looked at there. It shares no code with the search, which has all of them and more.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use endgame::{Offer, Structure};
use game::{Boxes, Edge, EdgeSet, Position, Symmetry};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use super::{Finding, board, finding, line};
use crate::matches::Terms;

/// The reductions that are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Reductions {
    /// With boxes on offer only two lines are looked at: take everything, or leave the bribe of two boxes (or four).
    forced: bool,
    /// All edges of a run are one move, but a run of two is opened in its middle, too.
    runs: bool,
    /// Of isolated loops only the smallest is opened, of isolated chains only the shortest short and the shortest long one.
    openings: bool,
    /// Of the edges of one box to the ground only the first is drawn.
    corners: bool,
    /// Images of a position are one position.
    symmetry: bool,
    /// A position of isolated chains and loops is known in closed form.
    theory: bool,
}

impl Reductions {
    const NONE: Reductions = Reductions {
        forced: false,
        runs: false,
        openings: false,
        corners: false,
        symmetry: false,
        theory: false,
    };

    const ALL: Reductions =
        Reductions { forced: true, runs: true, openings: true, corners: true, symmetry: true, theory: true };

    /// Each by name, alone and the only one left out. Dominated openings are a choice of runs, and need them; both are
    /// about quiet positions, and need the forced lines.
    const EACH: [(&str, Reductions, Reductions); 6] = {
        let (none, all) = (Reductions::NONE, Reductions::ALL);
        [
            (
                "forced two-box move",
                Reductions { forced: true, ..none },
                Reductions { forced: false, runs: false, openings: false, ..all },
            ),
            (
                "one move a run",
                Reductions { forced: true, runs: true, ..none },
                Reductions { runs: false, openings: false, ..all },
            ),
            (
                "dominated openings",
                Reductions { forced: true, runs: true, openings: true, ..none },
                Reductions { openings: false, ..all },
            ),
            ("corner rule", Reductions { corners: true, ..none }, Reductions { corners: false, ..all }),
            ("symmetry", Reductions { symmetry: true, ..none }, Reductions { symmetry: false, ..all }),
            ("closed form", Reductions { theory: true, ..none }, Reductions { theory: false, ..all }),
        ]
    };
}

/// What a solve cost.
#[derive(Clone, Copy)]
struct Cost {
    positions: usize,
    moves: usize,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.positions, self.moves)
    }
}

/// A solver with some reductions; `None` everywhere when it was cancelled.
struct Plain<'a> {
    on: Reductions,
    known: HashMap<Position, Boxes>,
    tried: usize,
    cancel: &'a AtomicBool,
}

impl Plain<'_> {
    fn value(&mut self, position: &Position) -> Option<Boxes> {
        if self.on.forced {
            let offer = Offer::of(position);
            return Some(offer.value(self.look_up(&offer.rest)?));
        }
        self.look_up(position)
    }

    fn look_up(&mut self, position: &Position) -> Option<Boxes> {
        if position.free_count() == 0 {
            return Some(Boxes::ZERO);
        }
        let key = self.key(position);
        if let Some(&value) = self.known.get(&key) {
            return Some(value);
        }
        if self.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let structure = Structure::of(&key);
        let value = match structure.decomposed() {
            Some(set) if self.on.theory => endgame::value(&set),
            _ => {
                let mut best = None;
                for edge in self.moves(&key, &structure) {
                    self.tried += 1;
                    let (next, closed) = key.after(edge);
                    let rest = self.value(&next)?;
                    let worth = if closed > 0 { Boxes(closed as i16) + rest } else { -rest };
                    best = best.max(Some(worth));
                }
                best?
            }
        };
        self.known.insert(key, value);
        Some(value)
    }

    /// The edges to look at.
    fn moves(&self, position: &Position, structure: &Structure) -> Vec<Edge> {
        if !self.on.runs {
            return position.free_edges().collect();
        }
        let isolated = |loops: bool, long: bool| {
            let runs = if loops { &structure.loops } else { &structure.chains };
            let those =
                runs.iter().filter(move |r| r.component().is_some() && (loops || long == r.is_long_chain()));
            those.map(|r| r.boxes.len()).min()
        };
        let (short, long, ring) = (isolated(false, false), isolated(false, true), isolated(true, false));
        let mut seen = EdgeSet::EMPTY;
        let mut moves = Vec::new();
        for run in structure.chains.iter().chain(&structure.loops) {
            let edges = &run.edges;
            let dominated = run.component().is_some()
                && [short, long, ring].iter().all(|&least| least != Some(run.boxes.len()));
            if !(self.on.openings && dominated) {
                moves.push(edges[0]);
                // The middle of two boxes gives no choice, their ends do.
                moves.extend((run.boxes.len() == 2).then(|| edges[1]));
            }
            edges.iter().for_each(|&e| {
                seen.insert(e);
            });
        }
        moves.extend(position.free_edges().filter(|&e| !seen.contains(e)));
        moves
    }

    /// One position for all that are taken for the same.
    fn key(&self, position: &Position) -> Position {
        let cornered = |p: &Position| if self.on.corners { cornered(p) } else { *p };
        if !self.on.symmetry {
            return cornered(position);
        }
        let images = Symmetry::of(position.board()).map(|s| cornered(&s.position(position)));
        images.min_by_key(|image| *image.drawn()).unwrap_or(*position)
    }
}

/// The position with the free edges of each box to the ground moved to its last ones.
fn cornered(position: &Position) -> Position {
    let board = position.board();
    let mut moved = *position;
    for b in board.all_boxes() {
        let mut ground: Vec<Edge> =
            board.sides(b).into_iter().filter(|&e| board.touching(e).contains(&None)).collect();
        ground.sort_unstable();
        let drawn = ground.iter().filter(|&&e| !position.is_free(e)).count();
        for (i, &e) in ground.iter().enumerate() {
            if i < drawn {
                moved.draw(e);
            } else {
                moved.erase(e);
            }
        }
    }
    moved
}

/// Free edges of the positions: without any reduction there are 2^FREE to visit.
const FREE: usize = 13;

/// The empty 2x3 board, and positions of 3x3 and 3x4 after safe play.
fn starts(count: u32) -> Option<Vec<Position>> {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut starts = vec![Position::empty(board(2, 3)?)];
    for i in 0..count {
        let mut position = Position::empty(if i % 2 == 0 { board(3, 3)? } else { board(3, 4)? });
        while position.free_count() > FREE {
            let safe = Structure::of(&position).safe_moves;
            let free: Vec<Edge> = position.free_edges().collect();
            position.draw(*safe.choose(&mut random).or_else(|| free.choose(&mut random))?);
        }
        starts.push(position);
    }
    Some(starts)
}

/// The same positions with each reduction alone, with all but each, with none and with all.
pub(super) fn measure(count: u32, terms: Terms<'_>) -> Option<Finding> {
    let starts = starts(count)?;
    let solve = |on: Reductions| -> Option<(Vec<Boxes>, Cost)> {
        let mut cost = Cost { positions: 0, moves: 0 };
        let mut values = Vec::new();
        for start in &starts {
            let mut plain = Plain { on, known: HashMap::new(), tried: 0, cancel: terms.cancel };
            values.push(plain.value(start)?);
            cost = Cost { positions: cost.positions + plain.known.len(), moves: cost.moves + plain.tried };
        }
        Some((values, cost))
    };
    let (truth, none) = solve(Reductions::NONE)?;
    let (with_all, all) = solve(Reductions::ALL)?;
    let mut differ = usize::from(with_all != truth);
    let mut table = format!(
        "The empty 2x3 board and {count} positions of 3x3 and 3x4 with {FREE} free edges after safe play: positions visited / moves looked at.\n\n\
         | reduction | on alone | only this one off |\n|---|---:|---:|\n| (none; all) | {none} | {all} |\n"
    );
    for (name, alone, without) in Reductions::EACH {
        let ((one, on), (other, off)) = (solve(alone)?, solve(without)?);
        differ += usize::from(one != truth) + usize::from(other != truth);
        line(&mut table, format_args!("| {name} | {on} | {off} |"));
    }
    line(
        &mut table,
        format_args!(
            "\nRuns are told apart only once what is on offer is taken, so \"one move a run\" is measured with the forced move \
             on, and \"dominated openings\" with both; and what needs another is off with it. All edges of a run lead to the same \
             position then, so one move a run saves moves, not positions."
        ),
    );
    Some(finding(
        table,
        vec![(format!("the same values with every choice of reductions, {differ} differ"), differ == 0)],
    ))
}
