//! Facts from other programs; `tests/data/README.md` says where each comes from.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A position with the value of every move, worked out by another program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionFact {
    /// A name.
    pub name: String,
    /// The program whose test position it is.
    pub source: String,
    /// Rows of boxes.
    pub rows: u32,
    /// Columns of boxes.
    pub cols: u32,
    /// '1' for a drawn edge, in edge order.
    pub edges: String,
    /// Net boxes for the mover over the rest of the game.
    pub value: i16,
    /// Every best move, ascending.
    pub best: Vec<usize>,
    /// Every move and its value for the mover, ascending.
    pub moves: Vec<(usize, i16)>,
    /// The moves that win at nimstring or that the book calls winning, where the source says so.
    pub winning: Option<Vec<usize>>,
    /// The nimber at nimstring, where the source says so.
    pub nimber: Option<u32>,
    /// The moves to nimber 0 at nimstring, where the source says so.
    pub nim_zero: Option<Vec<usize>>,
}

/// A position reached by a game, with the value and every best move.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleFact {
    /// The number of the puzzle.
    pub id: u32,
    /// Rows of boxes.
    pub rows: u32,
    /// Columns of boxes.
    pub cols: u32,
    /// The moves so far.
    pub moves: Vec<usize>,
    /// '1' for a drawn edge, in edge order.
    pub edges: String,
    /// Who moves: 0 the first player, 1 the second.
    pub to_move: usize,
    /// The boxes of the first and the second player.
    pub score: [i16; 2],
    /// Net boxes for the mover over the rest of the game.
    pub value: i16,
    /// Every best move, ascending.
    pub best: Vec<usize>,
    /// Net boxes for the mover over the whole game.
    pub final_margin: i16,
}

/// A game played by another program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameFact {
    /// Where it was played.
    pub source: String,
    /// Rows of boxes.
    pub rows: u32,
    /// Columns of boxes.
    pub cols: u32,
    /// The moves.
    pub moves: Vec<usize>,
    /// Who made each move, '1' or '2'.
    pub movers: Option<String>,
    /// Who owns each box at the end, '1' or '2'.
    pub owners: Option<String>,
    /// The first player's boxes minus the second's at the end.
    pub margin: Option<i16>,
    /// The boxes of the first and the second player after the last move.
    pub score: Option<[u16; 2]>,
    /// Who would move next, 1 or 2.
    pub next: Option<u8>,
    /// Who won, 1 or 2; a forfeit counts.
    pub winner: Option<u8>,
}

fn lines<T: DeserializeOwned>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// The positions.
pub fn positions() -> Vec<PositionFact> {
    lines(include_str!("../../data/positions.jsonl"))
}

/// The puzzles.
pub fn puzzles() -> Vec<PuzzleFact> {
    lines(include_str!("../../data/puzzles.jsonl"))
}

/// The games.
pub fn games() -> Vec<GameFact> {
    lines(include_str!("../../data/games.jsonl"))
}
