//! What is left of a large board, laid out on a small one.
//!
//! Measured (`doublecross bench fits`): of 5x5 positions after random play 73 % fit with 16 free edges, 7 % with 24 and none
//! with 28, and by then a search takes 0.1, 0.3 and 1 ms. So this buys next to nothing where a search is slow, inside a
//! search less than that, and is for the rare board that is closed but for one corner: up to 40 free edges at once.
//!
//! The rest of a game depends on the boxes that are still open and the free edges that join them to one another and to
//! the ground, and on nothing else: closed boxes and drawn edges have no more part in it. So a position has the value of
//! any other, on whatever board, whose open boxes are joined alike:
//!
//! ```text
//! ·───·───·───·───·───·
//! │   │   │   │   │   │      ·───·───·
//! ·───·───·───·───·───·      │       │     Each region (boxes joined by free edges) may be turned, flipped and
//! │   │       │   │          ·───·   ·     moved, as long as edges to the ground lead to the ground again and
//! ·───·───·   ·───·   ·      │           no two regions lie on one box.
//! │   │   │   │   │   │      ·───·───·
//! ·───·───·───·───·───·
//! ```

use game::{Board, BoxId, Edge, Position, Symmetry};

/// How many placements of regions to try before giving up. What is not found is searched: slower, never wrong.
const TRIES: usize = 20_000;

/// A position laid out on another board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fit {
    /// The position on the other board.
    pub position: Position,
    /// The free edges there, ascending, and what they were.
    edges: Vec<(Edge, Edge)>,
}

impl Fit {
    /// Lays out what is left of a position on another board; `None` when it does not fit or no way was found.
    pub fn of(position: &Position, onto: Board) -> Option<Fit> {
        // Most positions have far too many open boxes, and counting them is all it costs to see that.
        if position.boxes_left() > onto.boxes() || onto.boxes() > 64 {
            return None;
        }
        let regions = regions(position);
        // The largest have the fewest places.
        let mut places: Vec<Vec<Place>> =
            regions.iter().map(|region| region.places(position, onto)).collect();
        places.sort_by_key(|places| places.len());
        let mut chosen = Vec::new();
        let mut tries = TRIES;
        if !lay(&places, 0, &mut chosen, &mut tries) {
            return None;
        }
        let mut edges: Vec<(Edge, Edge)> =
            chosen.iter().flat_map(|place| place.edges.iter().copied()).collect();
        edges.sort_unstable();
        let free = |e: Edge| edges.binary_search_by_key(&e, |&(there, _)| there).is_ok();
        let position = Position::with_drawn(onto, onto.all_edges().filter(|&e| !free(e)));
        Some(Fit { position, edges })
    }

    /// The edge of the position that was laid out, from a free edge of the other board.
    pub fn edge(&self, there: Edge) -> Option<Edge> {
        self.edges.binary_search_by_key(&there, |&(there, _)| there).ok().map(|at| self.edges[at].1)
    }
}

/// Boxes joined by free edges.
struct Region {
    boxes: Vec<BoxId>,
    /// The free edges at them.
    edges: Vec<Edge>,
}

/// A region on the other board.
#[derive(Clone)]
struct Place {
    /// The boxes it lies on, as bits.
    boxes: u64,
    /// Its edges there, and what they were.
    edges: Vec<(Edge, Edge)>,
}

fn regions(position: &Position) -> Vec<Region> {
    let board = position.board();
    let mut seen = vec![false; board.boxes()];
    let mut regions = Vec::new();
    for start in board.all_boxes() {
        if seen[start.index()] || position.free_sides(start) == 0 {
            continue;
        }
        seen[start.index()] = true;
        let mut region = Region { boxes: vec![start], edges: Vec::new() };
        let mut next = 0;
        while let Some(&b) = region.boxes.get(next) {
            next += 1;
            for e in board.sides(b).into_iter().filter(|&e| position.is_free(e)) {
                // An edge within a region is met from both sides.
                if !region.edges.contains(&e) {
                    region.edges.push(e);
                }
                for across in board.touching(e).into_iter().flatten() {
                    if !std::mem::replace(&mut seen[across.index()], true) {
                        region.boxes.push(across);
                    }
                }
            }
        }
        regions.push(region);
    }
    regions
}

impl Region {
    /// Everywhere it can lie on the other board, each set of boxes once.
    fn places(&self, position: &Position, onto: Board) -> Vec<Place> {
        let board = position.board();
        let mut places: Vec<Place> = Vec::new();
        for symmetry in Symmetry::all() {
            let image = symmetry.board(board);
            let at: Vec<(usize, usize)> =
                self.boxes.iter().map(|&b| image.place(symmetry.box_id(board, b))).collect();
            let (Some(top), Some(left)) =
                (at.iter().map(|&(r, _)| r).min(), at.iter().map(|&(_, c)| c).min())
            else {
                continue;
            };
            for row in 0..onto.rows() {
                for col in 0..onto.cols() {
                    let moved = Moved { image, onto, from: (top, left), to: (row, col) };
                    places.extend(self.place(position, symmetry, &moved));
                }
            }
        }
        places.sort_by_key(|place| place.boxes);
        places.dedup_by_key(|place| place.boxes);
        places
    }

    /// The region turned and moved, if it is on the board and joined to the ground as it was.
    fn place(&self, position: &Position, symmetry: Symmetry, moved: &Moved) -> Option<Place> {
        let board = position.board();
        let boxes = self.boxes.iter().try_fold(0, |boxes, &b| {
            Some(boxes | 1u64 << moved.box_id(symmetry.box_id(board, b))?.index())
        })?;
        let edges = self.edges.iter().map(|&e| {
            let there = moved.edge(symmetry.edge(board, e))?;
            let beside = |board: Board, e: Edge| board.touching(e).into_iter().flatten().count();
            (beside(moved.onto, there) == beside(board, e)).then_some((there, e))
        });
        Some(Place { boxes, edges: edges.collect::<Option<_>>()? })
    }
}

/// A shift from one board to another: the box at `from` comes to `to`.
struct Moved {
    image: Board,
    onto: Board,
    from: (usize, usize),
    to: (usize, usize),
}

impl Moved {
    /// Where a row and a column come to, if that is not beyond the first.
    fn shifted(&self, (row, col): (usize, usize)) -> Option<(usize, usize)> {
        let (row, col) = (row + self.to.0, col + self.to.1);
        Some((row.checked_sub(self.from.0)?, col.checked_sub(self.from.1)?))
    }

    fn box_id(&self, b: BoxId) -> Option<BoxId> {
        let (row, col) = self.shifted(self.image.place(b))?;
        (row < self.onto.rows() && col < self.onto.cols()).then(|| self.onto.box_at(row, col))
    }

    fn edge(&self, e: Edge) -> Option<Edge> {
        let (horizontal, row, col) = self.image.locate(e);
        let (row, col) = self.shifted((row, col))?;
        let (rows, cols) = (self.onto.rows(), self.onto.cols());
        match horizontal {
            true => (row <= rows && col < cols).then(|| self.onto.h(row, col)),
            false => (row < rows && col <= cols).then(|| self.onto.v(row, col)),
        }
    }
}

/// Chooses a place for each region, no two on one box.
fn lay(places: &[Vec<Place>], taken: u64, chosen: &mut Vec<Place>, tries: &mut usize) -> bool {
    let Some((first, others)) = places.split_first() else { return true };
    for place in first.iter().filter(|place| place.boxes & taken == 0) {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        chosen.push(place.clone());
        if lay(others, taken | place.boxes, chosen, tries) {
            return true;
        }
        chosen.pop();
    }
    false
}
