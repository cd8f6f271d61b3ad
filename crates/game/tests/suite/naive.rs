//! The rules once more, as plainly as they can be written: a grid of counters, nothing else.

use game::{Board, Edge, Player};

/// How many sides of each box are drawn, row by row.
pub(crate) fn sides_drawn(rows: usize, cols: usize, edges: &str) -> Vec<usize> {
    let drawn = |e: usize| usize::from(edges.as_bytes()[e] == b'1');
    let horizontals = (rows + 1) * cols;
    let mut counts = Vec::new();
    for r in 0..rows {
        for c in 0..cols {
            let left = horizontals + r * (cols + 1) + c;
            counts.push(drawn(r * cols + c) + drawn((r + 1) * cols + c) + drawn(left) + drawn(left + 1));
        }
    }
    counts
}

/// A game as the rules tell it.
#[derive(Default)]
pub(crate) struct Told {
    /// Who made each move.
    pub(crate) movers: Vec<Player>,
    /// How many boxes each move closed.
    pub(crate) closed: Vec<usize>,
    /// Who closed each box.
    pub(crate) owners: Vec<Option<Player>>,
    /// How many runs of moves by one player.
    pub(crate) turns: usize,
}

/// Plays moves from a start with some edges drawn.
pub(crate) fn play(board: Board, start: &str, moves: &[Edge]) -> Told {
    let (rows, cols) = (board.rows(), board.cols());
    let mut edges: Vec<u8> = start.bytes().collect();
    let text = |edges: &[u8]| String::from_utf8(edges.to_vec()).unwrap();
    let mut counts = sides_drawn(rows, cols, &text(&edges));
    let mut told = Told { owners: vec![None; board.boxes()], ..Told::default() };
    let mut mover = Player::First;
    let mut again = false;
    for e in moves {
        edges[e.index()] = b'1';
        let after = sides_drawn(rows, cols, &text(&edges));
        let mut closed = 0;
        for b in 0..board.boxes() {
            if counts[b] < 4 && after[b] == 4 {
                told.owners[b] = Some(mover);
                closed += 1;
            }
        }
        counts = after;
        told.movers.push(mover);
        told.closed.push(closed);
        if !again {
            told.turns += 1;
        }
        again = closed > 0;
        if !again {
            mover = mover.other();
        }
    }
    told
}
