//! A table of nimbers: every quiet position of a 2x3 board.

use std::sync::OnceLock;

use game::{Board, Position};

use crate::core::{Core, GROUND};
use crate::mask::Mask;
use crate::nimbers::after;

const ROWS: usize = 2;
const COLS: usize = 3;

/// The nimber of every quiet position of a 2x3 board, by the strings left.
struct Small {
    board: Board,
    core: Core<u64>,
    nimbers: Vec<u8>,
}

impl Small {
    /// The table, filled when it is first needed: 2^17 positions, some milliseconds. It is always there, for 2x3 is a
    /// board.
    fn table() -> Option<&'static Small> {
        static TABLE: OnceLock<Option<Small>> = OnceLock::new();
        TABLE.get_or_init(|| Some(Small::fill(Board::new(ROWS as u32, COLS as u32).ok()?))).as_ref()
    }

    /// A move leaves fewer strings and so a smaller number, so one ascending sweep meets every position after those its
    /// moves lead to. There is no need to cut anything into regions.
    fn fill(board: Board) -> Small {
        let core = Core::<u64>::new(&Position::empty(board), board.all_edges().collect());
        let mut nimbers = vec![0u8; 1 << board.edges()];
        for strings in 0..nimbers.len() as u64 {
            let quiet = (0..core.boxes).all(|coin| (strings & core.strings[coin]).count() != 1);
            if quiet {
                let next = strings.members().filter_map(|s| after(&core, strings, s));
                let reached = next.fold(0u32, |reached, left| reached | 1 << nimbers[left as usize]);
                nimbers[strings as usize] = reached.trailing_ones() as u8;
            }
        }
        Small { board, core, nimbers }
    }

    /// The string that lies so far down and right of the corner, turned over or not.
    fn string(&self, Place { horizontal, row, col }: Place, turned: bool) -> Option<u8> {
        let (horizontal, row, col) = if turned { (!horizontal, col, row) } else { (horizontal, row, col) };
        let (rows, cols) = if horizontal { (ROWS + 1, COLS) } else { (ROWS, COLS + 1) };
        if row >= rows || col >= cols {
            return None;
        }
        self.core.string(if horizontal { self.board.h(row, col) } else { self.board.v(row, col) })
    }
}

/// Where an edge lies.
#[derive(Clone, Copy)]
struct Place {
    horizontal: bool,
    row: usize,
    col: usize,
}

/// Where the strings of a core lie on its board, to look regions up in the table of the small one.
pub(crate) struct Places(Vec<Place>);

impl Places {
    /// The places of the strings of a core of this board.
    pub(crate) fn of<M: Mask>(board: Board, core: &Core<M>) -> Places {
        let mut places: Vec<(u8, Place)> = Vec::new();
        for e in board.all_edges() {
            if let Some(s) = core.string(e) {
                let (horizontal, row, col) = board.locate(e);
                places.push((s, Place { horizontal, row, col }));
            }
        }
        places.sort_unstable_by_key(|&(s, _)| s);
        Places(places.into_iter().map(|(_, place)| place).collect())
    }

    /// The nimber of a quiet region, if it lies on a 2x3 board as it does on its own. A free edge with no box beyond it
    /// is on the border of its board, and must be on that of the small one: a box that is closed has no free edge.
    pub(crate) fn look_up<M: Mask>(&self, core: &Core<M>, region: M) -> Option<u8> {
        let small = Small::table()?;
        if region.count() as usize > small.board.edges() {
            return None;
        }
        let span = |of: fn(Place) -> usize| {
            let all = || region.members().map(|s| of(self.0[usize::from(s)]));
            Some((all().min()?, all().max()?))
        };
        let ((top, bottom), (left, right)) = (span(|p| p.row)?, span(|p| p.col)?);
        let (height, width) = (bottom - top, right - left);
        if height.min(width) > ROWS || height.max(width) > COLS {
            return None;
        }
        // How far the region is moved down and right from the corner of the small board, so that each border it has lies on
        // one. Not every place is tried, and no mirror image: a region that is missed here is searched.
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (2, 0)];
        let lay = |(down, right): (usize, usize), turned: bool| {
            region.members().try_fold(0u64, |strings, s| {
                let Place { horizontal, row, col } = self.0[usize::from(s)];
                let place = Place { horizontal, row: row - top + down, col: col - left + right };
                let image = small.string(place, turned)?;
                let grounded = |ends: [u8; 2]| ends.contains(&GROUND);
                (grounded(core.ends[s]) == grounded(small.core.ends[image])).then_some(strings | 1 << image)
            })
        };
        let ways = corners.into_iter().flat_map(|corner| [(corner, false), (corner, true)]);
        let strings = ways.into_iter().find_map(|(corner, turned)| lay(corner, turned))?;
        Some(small.nimbers[strings as usize])
    }
}
