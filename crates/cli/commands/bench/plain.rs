//! The baseline of `bench reach`: a plain alpha-beta search, for ratios in the same run.
//!
//! What anybody would write first, done properly: quiet positions only (forced captures are taken, a choice
//! tries both lines), a table of lower and upper bounds, symmetries, the corner rule, moves from the middle outwards,
//! one thread. No theory of chains and loops. It shares no code with the crate `search`.

use std::time::{Duration, Instant};

use game::{Board, Edge, Position, Symmetry};

/// A plain search of the positions of one board of up to 64 edges.
pub(super) struct Plain {
    full: u64,
    /// The edges of each box.
    sides: Vec<u64>,
    /// The boxes of each edge.
    touching: Vec<[Option<u8>; 2]>,
    /// The edge each edge goes to, for each symmetry of the starting position, eight edges at a time.
    images: Vec<Vec<[u64; 256]>>,
    /// The two border edges of each corner box; on a single row, of every box.
    corners: Vec<(u64, u64)>,
    order: Vec<u8>,
    table: Vec<Entry>,
    until: Instant,
    pub(super) nodes: u64,
    gave_up: bool,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    /// The position plus one; 0 is none.
    key: u64,
    lower: i8,
    upper: i8,
    work: u8,
}

/// Entries looked at for one key.
const WAYS: usize = 4;

impl Plain {
    /// Ready to search what follows `start`; `None` on a board of more than 64 edges.
    pub(super) fn new(start: &Position, entries: usize, time: Duration) -> Option<Plain> {
        let board = start.board();
        if board.edges() > 64 {
            return None;
        }
        let bit = |e: Edge| 1u64 << e.index();
        let corners = board
            .all_boxes()
            .flat_map(|b| {
                let outer: Vec<Edge> =
                    board.sides(b).into_iter().filter(|&e| board.touching(e).contains(&None)).collect();
                (1..outer.len()).map(move |i| (outer[i - 1], outer[i])).collect::<Vec<_>>()
            })
            .map(|(a, b)| (bit(a.min(b)), bit(a.max(b))))
            .collect();
        let symmetries = Symmetry::of(board).filter(|s| s.position(start) == *start);
        let images = symmetries.map(|symmetry| Plain::spread(board, symmetry)).collect();
        Some(Plain {
            full: board.all_edges().fold(0, |mask, e| mask | bit(e)),
            sides: board.all_boxes().map(|b| board.sides(b).into_iter().fold(0, |m, e| m | bit(e))).collect(),
            touching: board
                .all_edges()
                .map(|e| board.touching(e).map(|b| b.map(|b| b.index() as u8)))
                .collect(),
            images,
            corners,
            order: Plain::from_the_middle(board),
            table: vec![Entry::default(); entries.next_power_of_two().max(WAYS)],
            until: Instant::now() + time,
            nodes: 0,
            gave_up: false,
        })
    }

    fn spread(board: Board, symmetry: Symmetry) -> Vec<[u64; 256]> {
        let edges: Vec<Edge> = board.all_edges().collect();
        let of_byte = |chunk: &[Edge]| {
            let mut table = [0; 256];
            for (byte, image) in table.iter_mut().enumerate() {
                for (_, &e) in chunk.iter().enumerate().filter(|(i, _)| byte >> i & 1 == 1) {
                    *image |= 1 << symmetry.edge(board, e).index();
                }
            }
            table
        };
        edges.chunks(8).map(of_byte).collect()
    }

    fn from_the_middle(board: Board) -> Vec<u8> {
        let distance = |e: Edge| {
            let (horizontal, r, c) = board.locate(e);
            let (r, c) = if horizontal { (2 * r, 2 * c + 1) } else { (2 * r + 1, 2 * c) };
            let (r, c) = (r as i64 - board.rows() as i64, c as i64 - board.cols() as i64);
            r * r + c * c
        };
        let mut edges: Vec<Edge> = board.all_edges().collect();
        edges.sort_by_key(|&e| (distance(e), e));
        edges.into_iter().map(|e| e.index() as u8).collect()
    }

    /// The value, by zero-window tests from 0 outwards; `None` when the time is over.
    pub(super) fn value(&mut self, start: &Position) -> Option<i16> {
        let mask = start.drawn().low_mask();
        let boxes = start.boxes_left() as i16;
        let (mut lower, mut upper, mut guess) = (-boxes, boxes, 0);
        while lower < upper && !self.gave_up {
            let beta = if guess == lower { guess + 1 } else { guess };
            guess = self.search(mask, beta - 1, beta);
            if guess < beta { upper = guess } else { lower = guess }
        }
        (!self.gave_up).then_some(lower)
    }

    fn free_sides(&self, mask: u64, b: u8) -> u32 {
        (self.sides[usize::from(b)] & !mask).count_ones()
    }

    fn across(&self, e: u8, b: u8) -> Option<u8> {
        let [x, y] = self.touching[usize::from(e)];
        if x == Some(b) { y } else { x }
    }

    fn only_side(&self, mask: u64, b: u8) -> u8 {
        (self.sides[usize::from(b)] & !mask).trailing_zeros() as u8
    }

    /// Draws an edge: the mask after it and how many boxes that closes.
    fn draw(&self, mask: u64, e: u8) -> (u64, i16) {
        let next = mask | 1 << e;
        let closed = self.touching[usize::from(e)].into_iter().flatten();
        (next, closed.filter(|&b| self.free_sides(next, b) == 0).count() as i16)
    }

    fn after(&mut self, mask: u64, e: u8, alpha: i16, beta: i16) -> i16 {
        match self.draw(mask, e) {
            (next, 0) => -self.search(next, -beta, -alpha),
            (next, closed) => closed + self.search(next, alpha - closed, beta - closed),
        }
    }

    fn canonical(&self, mask: u64) -> u64 {
        let image = |bytes: &Vec<[u64; 256]>| {
            let spread = bytes.iter().enumerate();
            let mut image = spread.fold(0, |m, (i, table)| m | table[(mask >> (8 * i)) as usize & 255]);
            for &(first, second) in &self.corners {
                if image & second != 0 && image & first == 0 {
                    image ^= first | second;
                }
            }
            image
        };
        self.images.iter().map(image).min().unwrap_or(mask)
    }

    /// A capture that costs nothing, or else the two edges of a real choice: take, or decline.
    fn captures(&self, mask: u64) -> Captures {
        let mut choice = None;
        for b in 0..self.sides.len() as u8 {
            if self.free_sides(mask, b) != 1 {
                continue;
            }
            let take = self.only_side(mask, b);
            let Some(next) = self.across(take, b).filter(|&n| self.free_sides(mask, n) == 2) else {
                return Captures::Forced(take);
            };
            let decline = self.only_side(mask | 1 << take, next);
            let is_choice = match self.across(decline, next) {
                None => true,
                Some(beyond) => match self.free_sides(mask, beyond) {
                    0 | 1 => false,
                    2 => {
                        let last = self.only_side(mask | 1 << decline, beyond);
                        // Four boxes of an opened loop: the pairs at both ends.
                        self.across(last, beyond)
                            .is_some_and(|end| end != b && self.free_sides(mask, end) == 1)
                    }
                    _ => true,
                },
            };
            if !is_choice {
                return Captures::Forced(take);
            }
            choice.get_or_insert((take, decline));
        }
        choice.map_or(Captures::None, |(take, decline)| Captures::Choice(take, decline))
    }

    fn search(&mut self, mut mask: u64, mut alpha: i16, mut beta: i16) -> i16 {
        let mut taken = 0;
        let choice = loop {
            if mask == self.full {
                return taken;
            }
            match self.captures(mask) {
                Captures::Forced(e) => {
                    let (next, closed) = self.draw(mask, e);
                    (mask, taken, alpha, beta) = (next, taken + closed, alpha - closed, beta - closed);
                }
                Captures::Choice(take, decline) => break Some((take, decline)),
                Captures::None => break None,
            }
        };
        self.nodes += 1;
        if self.nodes & 0xFFF == 0 {
            self.gave_up |= Instant::now() >= self.until;
        }
        let boxes = self.sides.iter().filter(|&&sides| sides & !mask != 0).count() as i16;
        let (mut lower, mut upper) = (-boxes, boxes);
        let key = self.canonical(mask) + 1;
        let hash = (key ^ key >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let at = (hash ^ hash >> 29) as usize & (self.table.len() - 1) & !(WAYS - 1);
        if let Some(entry) = self.table[at..at + WAYS].iter().find(|entry| entry.key == key) {
            (lower, upper) = (lower.max(entry.lower.into()), upper.min(entry.upper.into()));
        }
        if lower >= beta || lower == upper {
            return taken + lower;
        }
        if upper <= alpha || self.gave_up {
            return taken + upper;
        }
        let (alpha, beta, before) = (alpha.max(lower), beta.min(upper), self.nodes);
        let mut best = i16::MIN;
        for e in self.moves(mask, choice) {
            best = best.max(self.after(mask, e, alpha.max(best), beta));
            if best >= beta {
                break;
            }
        }
        if self.gave_up {
            return taken + best;
        }
        if best <= alpha {
            upper = upper.min(best);
        } else if best >= beta {
            lower = lower.max(best);
        } else {
            (lower, upper) = (best, best);
        }
        let work = (self.nodes - before + 1).ilog2() as u8;
        let ways = &mut self.table[at..at + WAYS];
        // The position itself, else the cheapest.
        let slot = ways.iter().position(|entry| entry.key == key).or_else(|| {
            ways.iter().enumerate().min_by_key(|(_, entry)| (entry.key != 0, entry.work)).map(|(i, _)| i)
        });
        if let Some(slot) = slot {
            ways[slot] = Entry { key, lower: lower as i8, upper: upper as i8, work };
        }
        taken + best
    }

    /// The moves worth trying: both lines of a choice; else safe edges, then one edge of each run, short runs first.
    fn moves(&self, mask: u64, choice: Option<(u8, u8)>) -> Vec<u8> {
        if let Some((take, decline)) = choice {
            return vec![take, decline];
        }
        let mut moves = Vec::with_capacity(64);
        for &e in self.order.iter().filter(|&&e| mask >> e & 1 == 0) {
            let offers =
                self.touching[usize::from(e)].into_iter().flatten().any(|b| self.free_sides(mask, b) == 2);
            let twin = self.corners.iter().any(|&(first, second)| second == 1 << e && mask & first == 0);
            if !offers && !twin {
                moves.push(e);
            }
        }
        let mut runs = Vec::new();
        let mut seen = 0u64;
        for b in (0..self.sides.len() as u8).filter(|&b| self.free_sides(mask, b) == 2) {
            if seen >> b & 1 == 1 {
                continue;
            }
            seen |= 1 << b;
            let (first, mut length) = (self.only_side(mask, b), 1);
            let mut opening = first;
            for start in [first, self.only_side(mask | 1 << first, b)] {
                let (mut e, mut at) = (start, b);
                while let Some(next) =
                    self.across(e, at).filter(|&n| self.free_sides(mask, n) == 2 && seen >> n & 1 == 0)
                {
                    seen |= 1 << next;
                    length += 1;
                    if length == 2 {
                        opening = e;
                    }
                    (e, at) = (self.only_side(mask | 1 << e, next), next);
                }
            }
            runs.push((length, if length == 2 { opening } else { first }));
        }
        runs.sort_by_key(|&(length, _)| length);
        moves.extend(runs.into_iter().map(|(_, e)| e));
        moves
    }
}

enum Captures {
    None,
    Forced(u8),
    Choice(u8, u8),
}
