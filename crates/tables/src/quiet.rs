//! Numbering the quiet positions of a board, so that a table needs no keys.
//!
//! A position is quiet when no box has exactly three sides. Every other position is one or two quiet ones and
//! a capture (`endgame::Offer`), so a table of quiet positions answers for all.
//!
//! The order has three levels, made for a board cut into two halves (`halves`):
//!
//! 1. **The class**: how many ground edges are drawn at each box. A symmetry of the board sends classes to classes, and
//!    of those that are images of one another only the first is numbered; a position of another is numbered by
//!    its image. So nearly every position shares its number with its images (all, but where the class is its own
//!    image), though nothing is compared but the ground.
//! 2. **The cut**: the edges between the halves.
//! 3. **The fills** of the left half, then of the right. Quiet fills of a half are counted once for each ground
//!    and cut, so a number is two lookups, a multiplication and a sum.
//!
//! Classes with fewer ground edges drawn come first, and within a class a number grows with the edges drawn. So
//! whatever a move leads to has a *larger* number, and one sweep from the last number down meets every position
//! after all its successors. Classes with equally many ground edges drawn do not lead to one another at all.

use endgame::MaskBoard;
use game::{Board, Edge, Position, Symmetry};

use crate::halves::{Halves, Permutation};

/// The numbering of the quiet positions of one board.
#[derive(Debug)]
pub struct QuietRanking {
    board: Board,
    halves: Halves,
    /// By ground of the left half and ground of the right: class and symmetry into it.
    classes_of: Vec<(u32, u8)>,
    classes: Vec<Class>,
    /// By class and cut: how many of the class come before.
    cuts: Vec<u32>,
    /// From the edges of this board, and of its transpose, to masks.
    masks: [Permutation; 2],
}

/// The positions with the same ground edges drawn, up to symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// How many ground edges are drawn.
    pub layer: u32,
    /// The number of its first position.
    pub start: u64,
    /// How many positions it has.
    pub len: u32,
    left: u32,
    right: u32,
}

/// Where a position is: its class, and its number in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The class.
    pub class: u32,
    /// The number of the position in the class.
    pub offset: u32,
}

/// Positions of a class with the same cut: every fill of the left half with every fill of the right.
#[derive(Clone, Copy, Debug)]
pub struct Fills<'a> {
    /// The number of the first in its class.
    pub offset: u32,
    /// What they have in common.
    pub mask: u64,
    /// The fills of the left half, ascending; shifted by `shift`.
    pub lefts: &'a [u16],
    /// The fills of the right half, ascending. They change fastest.
    pub rights: &'a [u16],
    /// Where a fill of the left half belongs in a mask.
    pub shift: u32,
}

impl Fills<'_> {
    /// Whether there are none: a cut that leaves a half no quiet fill.
    pub const fn is_empty(&self) -> bool {
        self.lefts.is_empty() || self.rights.is_empty()
    }
}

impl QuietRanking {
    /// The numbering for a board of up to 40 edges with no more rows than columns.
    ///
    /// # Panics
    /// For any other board.
    pub fn new(board: Board) -> QuietRanking {
        assert!(board.edges() <= crate::id::MAX_BOARD_EDGES && board.rows() <= board.cols(), "{board}");
        let halves = Halves::new(board);
        let (left, right) = (&halves.left, &halves.right);
        let mut classes_of = vec![(u32::MAX, 0); left.grounds * right.grounds];
        let mut order: Vec<usize> = (0..classes_of.len()).collect();
        let ground = |at: usize| left.ground_mask(at / right.grounds) | right.ground_mask(at % right.grounds);
        order.sort_by_key(|&at| ground(at).count_ones());
        let mut classes: Vec<Class> = Vec::new();
        let mut cuts = Vec::new();
        let mut start = 0;
        for at in order {
            if classes_of[at].0 != u32::MAX {
                continue;
            }
            let mask = ground(at);
            for symmetry in 0..halves.symmetries() {
                // Over the board's symmetries the images of `mask` are all that have it for an image; which
                // symmetry leads back is found by trying, where the class is used first.
                let image = halves.image(mask, symmetry);
                let image = left.ground(image) * right.grounds + right.ground(image);
                if classes_of[image].0 == u32::MAX {
                    let canonical = ground(image);
                    let back = (0..halves.symmetries()).find(|&back| {
                        let there = halves.image(canonical, back);
                        left.ground(there) * right.grounds + right.ground(there) == at
                    });
                    // Symmetries are a group: one of them undoes `symmetry`.
                    classes_of[image] = (classes.len() as u32, back.unwrap_or_default() as u8);
                }
            }
            let (l, r) = (at / right.grounds, at % right.grounds);
            let mut len = 0;
            for cut in 0..halves.cut.values() {
                cuts.push(len);
                len += (left.fills(l, cut).len() * right.fills(r, cut).len()) as u32;
            }
            let layer = mask.count_ones();
            classes.push(Class { layer, start, len, left: l as u32, right: r as u32 });
            start += u64::from(len);
        }
        let other = board.transposed();
        let mut bit_of = vec![0u8; halves.edges.len()];
        for (bit, e) in halves.edges.iter().enumerate() {
            bit_of[e.index()] = bit as u8;
        }
        let turned: Vec<u8> =
            other.all_edges().map(|e| bit_of[Symmetry::TRANSPOSE.edge(other, e).index()]).collect();
        let masks = [Permutation::new(&bit_of), Permutation::new(&turned)];
        QuietRanking { board, halves, classes_of, classes, cuts, masks }
    }

    /// The board.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.classes.last().map_or(0, |last| last.start + u64::from(last.len))
    }

    /// Whether there are none, which never is.
    pub const fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The classes, in order.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The board in the numbering of masks, its boxes row by row.
    pub const fn lines(&self) -> &MaskBoard {
        &self.halves.lines
    }

    /// The sides of each box, row by row, in the numbering of masks.
    pub fn boxes(&self) -> &[u64] {
        self.lines().boxes()
    }

    /// The free edges of a position of the board or its transpose, ascending, each with what it is in masks.
    pub fn free<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = (Edge, u64)> + Clone + 'a {
        let masks = &self.masks[usize::from(position.board() != self.board)];
        position.free_edges().map(|e| (e, masks.bit(e.index())))
    }

    /// The mask of a position of the board or its transpose; `None` of any other.
    pub fn mask(&self, position: &Position) -> Option<u64> {
        let drawn = position.drawn().low_mask();
        if position.board() == self.board {
            Some(self.masks[0].apply(drawn))
        } else if position.board() == self.board.transposed() {
            Some(self.masks[1].apply(drawn))
        } else {
            None
        }
    }

    /// The position of a mask.
    pub fn position(&self, mask: u64) -> Position {
        let drawn = self.halves.edges.iter().enumerate().filter(|&(bit, _)| mask >> bit & 1 == 1);
        Position::with_drawn(self.board, drawn.map(|(_, &e)| e))
    }

    /// Where a quiet position is.
    #[inline]
    pub fn place(&self, mask: u64) -> Place {
        let Halves { left, right, cut, .. } = &self.halves;
        let (mut mask, mut l, mut r) = (mask, left.ground(mask), right.ground(mask));
        let (class, symmetry) = self.classes_of[l * right.grounds + r];
        if symmetry != 0 {
            mask = self.halves.image(mask, symmetry.into());
            let Class { left, right, .. } = self.classes[class as usize];
            (l, r) = (left as usize, right as usize);
        }
        let across = cut.of(mask);
        let rights = right.fills(r, across).len() as u32;
        let offset = self.cuts[class as usize * cut.values() + across]
            + left.number(l, across, mask) * rights
            + right.number(r, across, mask);
        Place { class, offset }
    }

    /// The number of a quiet position.
    pub fn rank(&self, mask: u64) -> u64 {
        let Place { class, offset } = self.place(mask);
        self.classes[class as usize].start + u64::from(offset)
    }

    /// The positions of a class, in order, cut by cut.
    pub fn fills(&self, class: usize) -> impl DoubleEndedIterator<Item = Fills<'_>> {
        let Halves { left, right, cut, .. } = &self.halves;
        let Class { left: l, right: r, .. } = self.classes[class];
        let (l, r) = (l as usize, r as usize);
        let ground = left.ground_mask(l) | right.ground_mask(r);
        (0..cut.values()).map(move |across| Fills {
            offset: self.cuts[class * cut.values() + across],
            mask: ground | cut.put(across),
            lefts: left.fills(l, across),
            rights: right.fills(r, across),
            shift: left.inner.shift,
        })
    }

    /// The mask of a number; `None` when there are not so many.
    pub fn unrank(&self, number: u64) -> Option<u64> {
        let class = self.classes.partition_point(|class| class.start <= number).checked_sub(1)?;
        let offset = number - self.classes[class].start;
        if offset >= self.classes[class].len.into() {
            return None;
        }
        let Fills { mask, lefts, rights, shift, offset: first } =
            self.fills(class).rev().find(|fills| u64::from(fills.offset) <= offset && !fills.is_empty())?;
        let at = (offset - u64::from(first)) as usize;
        let (left, right) = (*lefts.get(at / rights.len())?, rights[at % rights.len()]);
        Some(mask | u64::from(left) << shift | u64::from(right))
    }

    /// Every position, in order.
    pub fn masks(&self) -> impl Iterator<Item = u64> {
        (0..self.classes.len()).flat_map(|class| self.fills(class)).flat_map(
            |Fills { mask, lefts, rights, shift, .. }| {
                lefts.iter().flat_map(move |&left| {
                    let mask = mask | u64::from(left) << shift;
                    rights.iter().map(move |&right| mask | u64::from(right))
                })
            },
        )
    }
}
