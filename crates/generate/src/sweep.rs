//! The value of every quiet position of a class, from those it leads to.
//!
//! In a quiet position a move is one of two kinds. It is *safe* when it touches no box with two sides left; then the
//! other player moves in a quiet position. Or it *opens* a run of such boxes, all of which the other player can
//! take in a row:
//!
//! ```text
//! safe                 -v(next)
//! opens 1 or 2 boxes   -(T + v(rest))                    a run of two is opened in its middle
//! opens 3 or more      -max(T + v(rest), T - 4 - v(rest))
//! opens a loop         -max(T + v(rest), T - 8 - v(rest))
//! ```
//!
//! T is what can be taken and rest is what is left then. T is more than the run where both its ends are at one joint
//! with a third side: the last capture leaves that joint with one side, so it can be taken too, and so on through
//! that side. Whatever edge of the run is drawn, T and rest are the same, and with T there are two boxes at the end
//! (four of a loop) that can be left; only a run of two has an edge, its middle, that leaves no such choice.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use tables::{Fills, Place, QuietRanking};

/// Where there is no box.
const GROUND: u8 = u8::MAX;

/// The values of classes, by class; empty where not known or not needed any more.
pub(crate) type Known = [Vec<i8>];

/// What a sweep has to know about a board.
#[derive(Debug)]
pub(crate) struct Sweep<'a> {
    ranking: &'a QuietRanking,
    /// By edge: the boxes it is a side of.
    touching: Vec<[u8; 2]>,
    /// All edges.
    full: u64,
    /// The boxes of the left half, as bits.
    left: u32,
}

/// Boxes with two sides left.
#[derive(Clone, Copy)]
struct TwoSided {
    /// Which, as bits.
    boxes: u32,
    /// Their sides.
    sides: u64,
}

/// What the other player is offered.
struct Offered {
    /// How many boxes.
    boxes: i8,
    /// How many can be left; 0 where there is no choice.
    bribe: i8,
    /// The edges drawn when all are taken.
    edges: u64,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(ranking: &'a QuietRanking) -> Sweep<'a> {
        let board = ranking.board();
        let touching = |e: usize| {
            let mut both = [GROUND; 2];
            let boxes = ranking.boxes().iter().enumerate().filter(|(_, sides)| *sides >> e & 1 == 1);
            both.iter_mut().zip(boxes).for_each(|(place, (b, _))| *place = b as u8);
            both
        };
        let left = |b: &usize| b % board.cols() < board.cols() / 2;
        Sweep {
            ranking,
            touching: (0..board.edges()).map(touching).collect(),
            full: (1 << board.edges()) - 1,
            left: (0..board.boxes()).filter(left).fold(0, |boxes, b| boxes | 1 << b),
        }
    }

    /// The values of some classes in a row, those of all later classes that a move can lead to being known; `None`
    /// when `cancel` was raised.
    pub(crate) fn classes(
        &self,
        classes: Range<usize>,
        known: &Known,
        cancel: &AtomicBool,
    ) -> Option<Vec<Vec<i8>>> {
        let mut done = vec![Vec::new(); classes.len()];
        for class in classes.clone().rev() {
            let values = self.class(
                class,
                |of| if classes.contains(&of) { &done[of - classes.start] } else { &known[of] },
                cancel,
            )?;
            done[class - classes.start] = values;
        }
        Some(done)
    }

    /// The values of a class, given those of the others.
    fn class<'k>(
        &self,
        class: usize,
        others: impl Fn(usize) -> &'k [i8],
        cancel: &AtomicBool,
    ) -> Option<Vec<i8>> {
        let mut values = vec![0; self.ranking.classes()[class].len as usize];
        for Fills { offset, mask, lefts, rights, shift } in self.ranking.fills(class).rev() {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            let choices = self.choices(mask);
            let right: Vec<TwoSided> =
                rights.iter().map(|&fill| self.two_sided(mask | u64::from(fill), !self.left)).collect();
            let mut at = offset as usize + lefts.len() * rights.len();
            for &fill in lefts.iter().rev() {
                let mask = mask | u64::from(fill) << shift;
                let left = self.two_sided(mask, self.left);
                for (&fill, right) in rights.iter().zip(&right).rev() {
                    let two_sided =
                        TwoSided { boxes: left.boxes | right.boxes, sides: left.sides | right.sides };
                    let look = |mask| {
                        let Place { class: of, offset } = self.ranking.place(mask);
                        let values = if of as usize == class { &values[..] } else { others(of as usize) };
                        values[offset as usize]
                    };
                    at -= 1;
                    values[at] = self.value(mask | u64::from(fill), choices, two_sided, look);
                }
            }
        }
        Some(values)
    }

    /// The boxes the mover wins in each position of a class, from their values.
    pub(crate) fn wins(&self, class: usize, values: &[i8]) -> Vec<u8> {
        let left_of = |mask: u64, among: u32| {
            let boxes = self.ranking.boxes().iter().enumerate();
            boxes.filter(|&(b, &sides)| among >> b & 1 == 1 && sides & !mask != 0).count() as i8
        };
        let mut wins = Vec::with_capacity(values.len());
        for Fills { mask, lefts, rights, shift, .. } in self.ranking.fills(class) {
            let right: Vec<i8> =
                rights.iter().map(|&fill| left_of(mask | u64::from(fill), !self.left)).collect();
            for &fill in lefts {
                let left = left_of(mask | u64::from(fill) << shift, self.left);
                let values = &values[wins.len()..];
                wins.extend(
                    right.iter().zip(values).map(|(&right, &value)| ((left + right + value) / 2) as u8),
                );
            }
        }
        wins
    }

    /// The boxes with two sides left among some whose edges are all known.
    fn two_sided(&self, drawn: u64, among: u32) -> TwoSided {
        let mut two_sided = TwoSided { boxes: 0, sides: 0 };
        for (b, &sides) in self.ranking.boxes().iter().enumerate() {
            if among >> b & 1 == 1 && (sides & !drawn).count_ones() == 2 {
                two_sided.boxes |= 1 << b;
                two_sided.sides |= sides;
            }
        }
        two_sided
    }

    /// All edges but those to the ground that are as good as another: of a box's free ground edges one is enough.
    fn choices(&self, drawn: u64) -> u64 {
        let mut choices = self.full;
        let ground = (0..self.touching.len()).filter(|&e| self.touching[e][1] == GROUND);
        for &sides in self.ranking.boxes() {
            let free = ground.clone().filter(|e| (sides & !drawn) >> e & 1 == 1);
            choices = free.skip(1).fold(choices, |choices, e| choices & !(1 << e));
        }
        choices
    }

    /// The value of a quiet position, given those of the quiet positions it leads to.
    #[inline(always)]
    fn value(&self, drawn: u64, choices: u64, two_sided: TwoSided, look: impl Fn(u64) -> i8) -> i8 {
        let mut best = i8::MIN;
        let mut safe = choices & !drawn & !two_sided.sides;
        while safe != 0 {
            best = best.max(-look(drawn | safe & safe.wrapping_neg()));
            safe &= safe - 1;
        }
        let mut unopened = two_sided.boxes;
        while unopened != 0 {
            let Offered { boxes, bribe, edges } = self.open(drawn, &mut unopened);
            let rest = look(drawn | edges);
            let taken = if bribe == 0 { boxes + rest } else { boxes - bribe + (rest + bribe).abs() };
            best = best.max(-taken);
        }
        // Only the full board has no move.
        if best == i8::MIN { 0 } else { best }
    }

    /// Opens the run of the first of some boxes with two sides left, and strikes its boxes out.
    #[inline(always)]
    fn open(&self, drawn: u64, unopened: &mut u32) -> Offered {
        let sides = self.ranking.boxes();
        let first = unopened.trailing_zeros() as u8;
        *unopened &= *unopened - 1;
        let free = sides[first as usize] & !drawn;
        let (one, other) = (free & free.wrapping_neg(), free & (free - 1));
        let mut run = Run { sides, touching: &self.touching, drawn, edges: free, boxes: 1 };
        let end = run.follow(first, one, unopened);
        if end == first {
            return Offered { boxes: run.boxes, bribe: 4, edges: run.edges };
        }
        let other_end = run.follow(first, other, unopened);
        let bribe = if run.boxes >= 3 { 2 } else { 0 };
        if end == other_end && end != GROUND {
            run.close(end);
        }
        Offered { boxes: run.boxes, bribe, edges: run.edges }
    }
}

/// A run as it is followed.
struct Run<'a> {
    sides: &'a [u64],
    touching: &'a [[u8; 2]],
    drawn: u64,
    edges: u64,
    boxes: i8,
}

impl Run<'_> {
    /// The box across an edge.
    #[inline(always)]
    fn across(&self, b: u8, edge: u64) -> u8 {
        let [x, y] = self.touching[edge.trailing_zeros() as usize];
        if x == b { y } else { x }
    }

    /// Follows the run from a box over one of its edges, to the first box that is not of the run, or the ground, or
    /// round to the box itself.
    #[inline(always)]
    fn follow(&mut self, from: u8, mut edge: u64, unopened: &mut u32) -> u8 {
        let mut b = from;
        loop {
            b = self.across(b, edge);
            if b == GROUND || b == from || *unopened >> b & 1 == 0 {
                return b;
            }
            *unopened &= !(1 << b);
            edge = self.sides[b as usize] & !self.drawn & !edge;
            self.edges |= edge;
            self.boxes += 1;
        }
    }

    /// Goes on through a box both ends of the run are at, if it has just one more side, and as far as it goes.
    fn close(&mut self, mut b: u8) {
        while b != GROUND {
            let left = self.sides[b as usize] & !self.drawn & !self.edges;
            if left.count_ones() != 1 {
                return;
            }
            self.edges |= left;
            self.boxes += 1;
            b = self.across(b, left);
        }
    }
}
