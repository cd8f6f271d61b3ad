//! A game as the pass sees it: cells, and moves that turn cells over.
//!
//! Dots and Boxes draws an edge, Domineering covers two squares, Konane lifts two stones and sets one down. In each of
//! them a move asks that some cells are set and others clear, and turns over exactly these; what it is worth may
//! depend on a few cells more. That is all the pass has to know, so one record serves both the move generator and the
//! touch relation, and neither can know of a move that the other does not.

/// A set of cells of one board, a bit each: at most 64.
pub(super) type Cells = u64;

/// The cells of a set, ascending.
pub(super) fn each(cells: Cells) -> impl Iterator<Item = Cells> {
    let mut left = cells;
    std::iter::from_fn(move || {
        let lowest = left & left.wrapping_neg();
        left ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Who may make a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    /// Left: the vertical dominoes, the black stones.
    Left,
    /// Right: the horizontal dominoes, the white stones.
    Right,
    /// Either: a game like Dots and Boxes has the same moves for both.
    Either,
}

impl Side {
    /// Whether `mover`, Left or Right, may make a move of this side.
    pub(super) fn allows(self, mover: Side) -> bool {
        self == Side::Either || self == mover
    }

    /// The other player.
    pub(super) fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
            Side::Either => Side::Either,
        }
    }
}

/// A move that a board may offer in some position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// The cells that must be set; they are cleared.
    pub(super) set: Cells,
    /// The cells that must be clear; they are set.
    pub(super) clear: Cells,
    /// The cells it looks at besides these, to know what it is worth.
    pub(super) looks: Cells,
    /// Whose it is.
    pub(super) by: Side,
}

impl Move {
    /// The cells it turns over.
    pub(super) fn turns(&self) -> Cells {
        self.set | self.clear
    }

    /// Every cell it reads.
    pub(super) fn reads(&self) -> Cells {
        self.turns() | self.looks
    }

    /// Whether a position offers it.
    pub(super) fn is_offered(&self, position: Cells) -> bool {
        position & self.turns() == self.set
    }

    /// The position after it.
    pub(super) fn after(&self, position: Cells) -> Cells {
        position ^ self.turns()
    }
}

/// A board of a game. A position is the set of its cells that are set; whose turn it is does not belong to it.
pub(super) trait Game {
    /// Every move that any position of the board could offer.
    fn moves(&self) -> &[Move];

    /// The cells that are not walls.
    fn cells(&self) -> Cells;

    /// The cells something could still happen on, as far as one sees from the cell alone.
    fn open(&self, position: Cells) -> Cells {
        self.cells() & !position
    }

    /// What an offered move is, from what it reads and nothing else: the boxes it closes, or whose it is. Below
    /// [`MARKS`].
    fn mark(&self, position: Cells, m: &Move) -> usize;
}

/// How many different marks there are.
pub(super) const MARKS: usize = 3;
