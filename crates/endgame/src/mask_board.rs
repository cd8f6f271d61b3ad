//! A board small enough that a mask of its drawn edges says all.

use game::Boxes;

use crate::offer::Lines;

/// Where there is no box.
const GROUND: u8 = u8::MAX;

/// A board of at most 64 edges, numbered as it suits: a position is the mask of its drawn edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MaskBoard {
    /// By box.
    sides: Vec<u64>,
    /// By edge.
    touching: [[u8; 2]; 64],
}

impl MaskBoard {
    /// The board whose boxes have these sides.
    pub fn new(sides: Vec<u64>) -> MaskBoard {
        let touching = std::array::from_fn(|e| {
            let mut both = [GROUND; 2];
            let boxes = sides.iter().zip(0..).filter(|(sides, _)| *sides >> e & 1 == 1);
            both.iter_mut().zip(boxes).for_each(|(place, (_, b))| *place = b);
            both
        });
        MaskBoard { sides, touching }
    }

    /// The sides of each box.
    pub fn boxes(&self) -> &[u64] {
        &self.sides
    }

    /// How many boxes are still to be taken.
    pub fn boxes_left(&self, drawn: u64) -> usize {
        self.sides.iter().filter(|&sides| sides & !drawn != 0).count()
    }

    /// What an edge is worth to who draws it, when what it leads to is worth this to who moves then: with a box closed that
    /// is the same player.
    pub fn worth(&self, drawn: u64, edge: u64, next: Boxes) -> Boxes {
        let touched = self.touching[edge.trailing_zeros() as usize & 63].into_iter();
        let sides = touched.filter_map(|b| self.sides.get(usize::from(b)));
        match sides.filter(|&sides| sides & !drawn == edge).count() {
            0 => -next,
            closed => next + Boxes(closed as i16),
        }
    }
}

impl Lines for MaskBoard {
    type Box = u8;
    type Edge = u8;
    type Drawn = u64;

    fn boxes(&self) -> impl Iterator<Item = u8> {
        0..self.sides.len() as u8
    }

    fn free(&self, &drawn: &u64, b: u8) -> impl Iterator<Item = u8> {
        let mut free = self.sides[usize::from(b)] & !drawn;
        std::iter::from_fn(move || {
            let e = (free != 0).then(|| free.trailing_zeros() as u8);
            free &= free.wrapping_sub(1);
            e
        })
    }

    fn touching(&self, e: u8) -> [Option<u8>; 2] {
        self.touching[usize::from(e)].map(|b| (b != GROUND).then_some(b))
    }

    fn draw(&self, drawn: &mut u64, e: u8) {
        *drawn |= 1 << e;
    }

    fn is_closed(&self, drawn: &u64, b: u8) -> bool {
        self.sides[usize::from(b)] & !drawn == 0
    }

    fn last_side(&self, drawn: &u64, b: u8) -> Option<u8> {
        let free = self.sides[usize::from(b)] & !drawn;
        free.is_power_of_two().then(|| free.trailing_zeros() as u8)
    }
}
