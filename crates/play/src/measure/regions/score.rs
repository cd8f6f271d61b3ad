//! The score of Dots and Boxes, where regions do not add: scoring and the extra move couple them.
//!
//! So a search cannot solve a region and be done with it. What it can do is to know a position again by its regions:
//! the same ones, turned over or moved, in any order. Every piece the pass knows of is brought into normal form;
//! without a pass that is the whole.

use std::collections::HashMap;

use super::depths::Depths;
use super::dots_and_boxes::{DotsAndBoxes, Handed};
use super::game::{Cells, Game as _};
use super::relation::split;
use super::walk::{Pass, Work};

/// A piece of a position, turned and pushed to the corner so that the same pieces look the same: its boxes and its
/// edges. By the edges alone one that leads to the ground would look like one that leads to another box.
type Form = (u64, u64);

/// A search over quiet positions that answers whether a value is reached, with bounds remembered.
pub(super) struct Prover<'a> {
    game: &'a DotsAndBoxes,
    pass: Pass,
    forms: HashMap<Cells, u32>,
    numbers: HashMap<Form, u32>,
    bounds: HashMap<Vec<u32>, (i16, i16)>,
    /// What it has cost.
    pub(super) work: Work,
}

impl<'a> Prover<'a> {
    /// A search that has not begun.
    pub(super) fn new(game: &'a DotsAndBoxes, pass: Pass) -> Prover<'a> {
        Prover {
            game,
            pass,
            forms: HashMap::new(),
            numbers: HashMap::new(),
            bounds: HashMap::new(),
            work: Work::default(),
        }
    }

    /// The pieces of the first position that the pass knows of.
    fn pieces(&mut self, open: Cells) -> Vec<Cells> {
        if self.pass == Pass::Never { vec![open] } else { self.work.split(self.game, open) }
    }

    /// The value of a quiet position with these free edges, to its mover.
    pub(super) fn value(&mut self, open: Cells, depths: &mut Depths) -> i16 {
        let pieces = self.pieces(open);
        let most = self.game.boxes_left(open);
        // Nothing is below -most, so the search begins one above.
        (1 - most..=most).take_while(|&beta| self.reaches(&pieces, beta, depths)).last().unwrap_or(-most)
    }

    /// Whether the mover of a quiet position with these free edges wins.
    pub(super) fn wins(&mut self, open: Cells, depths: &mut Depths) -> bool {
        let pieces = self.pieces(open);
        self.reaches(&pieces, 1, depths)
    }

    /// Whether the value of the pieces together is at least `beta`.
    fn reaches(&mut self, pieces: &[Cells], beta: i16, depths: &mut Depths) -> bool {
        let open = pieces.iter().fold(0, |all, piece| all | piece);
        let mut key: Vec<u32> = pieces.iter().map(|&piece| self.form(piece)).collect();
        key.sort_unstable();
        let most = self.game.boxes_left(open);
        let (least, most) = self.bounds.get(&key).copied().unwrap_or((-most, most));
        if beta <= least || beta > most {
            return beta <= least;
        }
        self.work.nodes += 1;
        depths.add(self.game, open);
        let reached = self.some_move_reaches(pieces, beta, depths);
        // What was found below may have been written meanwhile only under smaller keys: a move leaves fewer edges.
        self.bounds.insert(key, if reached { (beta, most) } else { (least, beta - 1) });
        reached
    }

    fn some_move_reaches(&mut self, pieces: &[Cells], beta: i16, depths: &mut Depths) -> bool {
        let mut moves: Vec<(usize, Handed)> = Vec::new();
        for (i, &piece) in pieces.iter().enumerate() {
            moves.extend(self.game.handed(piece).into_iter().map(|handed| (i, handed)));
        }
        // Safe moves first, then those that hand over little: the same order whatever the pass has found.
        moves.sort_by_key(|(_, handed)| (handed.boxes, handed.edge));
        for (i, handed) in moves {
            let mut rest = pieces.to_vec();
            let piece = rest.swap_remove(i);
            rest.extend(self.work.after(self.game, self.pass, handed.left, piece & !handed.left));
            // The other player has `taken` boxes and then the rest, or `taken - bribe + |rest + bribe|`; that must not
            // exceed -beta.
            let taken = handed.boxes;
            let within = match handed.bribe {
                None => !self.reaches(&rest, 1 - beta - taken, depths),
                Some(bribe) => {
                    let room = bribe - beta - taken;
                    room >= 0
                        && self.reaches(&rest, -room - bribe, depths)
                        && !self.reaches(&rest, room - bribe + 1, depths)
                }
            };
            if within {
                return true;
            }
        }
        false
    }

    /// The number of a piece's normal form.
    fn form(&mut self, piece: Cells) -> u32 {
        if let Some(&known) = self.forms.get(&piece) {
            return known;
        }
        let form = normal(self.game, piece);
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(form).or_insert(next);
        self.forms.insert(piece, number);
        number
    }
}

/// The values of a position's regions, each alone.
pub(super) fn values_apart(game: &DotsAndBoxes, open: Cells) -> Vec<i16> {
    let mut prover = Prover::new(game, Pass::Every);
    let mut depths = Depths::default();
    split(game.moves(), open).into_iter().map(|part| prover.value(part, &mut depths)).collect()
}

/// The least form of a piece under the eight symmetries of a square, pushed to its corner.
pub(super) fn normal(game: &DotsAndBoxes, piece: Cells) -> Form {
    let board = game.board();
    let side = board.rows().max(board.cols());
    let edges: Vec<(bool, usize, usize)> =
        board.all_edges().filter(|e| piece >> e.index() & 1 == 1).map(|e| board.locate(e)).collect();
    let boxes: Vec<(usize, usize)> =
        board.all_boxes().filter(|b| game.boxes()[b.index()] & piece != 0).map(|b| board.place(b)).collect();
    let turned = |way: u8| -> Form {
        let place = |(r, c): (usize, usize), beyond: (usize, usize)| {
            // An edge has one more place across than along, so it is turned within one more row or column.
            let r = if way & 1 == 0 { r } else { side - 1 + beyond.0 - r };
            let c = if way & 2 == 0 { c } else { side - 1 + beyond.1 - c };
            if way & 4 == 0 { (r, c) } else { (c, r) }
        };
        let boxes: Vec<(usize, usize)> = boxes.iter().map(|&at| place(at, (0, 0))).collect();
        let up = boxes.iter().map(|&(r, _)| r).min().unwrap_or(0);
        let left = boxes.iter().map(|&(_, c)| c).min().unwrap_or(0);
        let edge = |&(horizontal, r, c): &(bool, usize, usize)| {
            let (r, c) = place((r, c), if horizontal { (1, 0) } else { (0, 1) });
            let (r, c) = (r - up, c - left);
            if horizontal ^ (way & 4 != 0) { r * side + c } else { side * (side + 1) + r * (side + 1) + c }
        };
        let edges = edges.iter().map(edge).fold(0, |all, at| all | 1 << at);
        (boxes.iter().fold(0, |all, &(r, c)| all | 1 << ((r - up) * side + c - left)), edges)
    };
    (0..8).map(turned).min().unwrap_or_default()
}
