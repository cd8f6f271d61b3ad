//! A game being played.

use std::fmt;

use thiserror::Error;

use crate::board::{Board, BoxId, Edge};
use crate::boxes::Boxes;
use crate::position::Position;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// Who moves first.
    First,
    /// The other.
    Second,
}

impl Player {
    /// The opponent.
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Player::First => "first player",
            Player::Second => "second player",
        })
    }
}

/// Boxes taken so far, seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Score {
    /// The mover's boxes.
    pub mover: u16,
    /// The other player's boxes.
    pub other: u16,
}

impl Score {
    /// The mover's lead.
    pub const fn margin(self) -> Boxes {
        Boxes(self.mover as i16 - self.other as i16)
    }
}

/// One move of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The edge drawn.
    pub edge: Edge,
    /// Who drew it.
    pub player: Player,
    /// How many boxes it closed: 0, 1 or 2.
    pub closed: u8,
}

/// A move that cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The edge is drawn already.
    #[error("edge {0} is drawn already")]
    Drawn(Edge),
    /// The board has no such edge.
    #[error("a {board} board has edges 0 to {}, not {found}", board.edges() - 1)]
    NoSuchEdge {
        /// The board.
        board: Board,
        /// The number.
        found: usize,
    },
}

/// A game from a starting position: moves, whose turn, owners, score.
///
/// A move that closes one or two boxes keeps the turn, except the last edge of the board. With `T` turns and
/// `D` double-crosses (moves closing two boxes), every complete game from the empty board has
/// `T = d + D`, `d` the number of dots; from a start with edges drawn, `T = D + (free - boxes left) + 1`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    position: Position,
    start: Position,
    owners: Vec<Option<Player>>,
    moves: Vec<Move>,
    to_move: Player,
}

impl Game {
    /// A game from the empty board.
    pub fn new(board: Board) -> Game {
        Game::from_position(Position::empty(board))
    }

    /// A game from a position, the first player to move. Boxes closed already belong to nobody.
    pub fn from_position(start: Position) -> Game {
        Game {
            position: start,
            start,
            owners: vec![None; start.board().boxes()],
            moves: Vec::new(),
            to_move: Player::First,
        }
    }

    /// Replays a record of edge numbers from the empty board.
    ///
    /// # Errors
    /// The first move that cannot be played, with its index in the record.
    pub fn replay(board: Board, record: impl IntoIterator<Item = usize>) -> Result<Game, (usize, PlayError)> {
        let mut game = Game::new(board);
        for (i, found) in record.into_iter().enumerate() {
            let e = board.edge(found).ok_or((i, PlayError::NoSuchEdge { board, found }))?;
            game.play(e).map_err(|error| (i, error))?;
        }
        Ok(game)
    }

    /// Draws an edge for the player to move.
    ///
    /// # Errors
    /// When the edge is drawn already, or not on this board.
    pub fn play(&mut self, edge: Edge) -> Result<Move, PlayError> {
        let board = self.position.board();
        if edge.index() >= board.edges() {
            return Err(PlayError::NoSuchEdge { board, found: edge.index() });
        }
        if !self.position.is_free(edge) {
            return Err(PlayError::Drawn(edge));
        }
        let player = self.to_move;
        let closed = self.position.draw(edge) as u8;
        if closed == 0 {
            self.to_move = player.other();
        } else {
            for b in board.touching(edge).into_iter().flatten() {
                if self.position.free_sides(b) == 0 {
                    self.owners[b.index()] = Some(player);
                }
            }
        }
        let played = Move { edge, player, closed };
        self.moves.push(played);
        Ok(played)
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        for b in self.position.board().touching(last.edge).into_iter().flatten() {
            if self.position.free_sides(b) == 0 {
                self.owners[b.index()] = None;
            }
        }
        self.position.erase(last.edge);
        self.to_move = last.player;
        Some(last)
    }

    /// The position now.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Who moves, or `None` when the game is over.
    pub fn to_move(&self) -> Option<Player> {
        (!self.is_over()).then_some(self.to_move)
    }

    /// Whether every edge is drawn.
    pub fn is_over(&self) -> bool {
        self.position.free_count() == 0
    }

    /// Who closed a box, if anyone has in this game.
    pub fn owner(&self, b: BoxId) -> Option<Player> {
        self.owners[b.index()]
    }

    /// How many boxes a player has closed.
    pub fn boxes(&self, player: Player) -> u16 {
        self.owners.iter().filter(|&&o| o == Some(player)).count() as u16
    }

    /// The first player's boxes minus the second's.
    pub fn margin(&self) -> Boxes {
        Boxes(self.boxes(Player::First) as i16 - self.boxes(Player::Second) as i16)
    }

    /// How many turns have begun to be played: a move that closes nothing ends one, and so does the last
    /// edge of the board.
    pub fn turns(&self) -> usize {
        let ended = self.moves.iter().filter(|m| m.closed == 0).count();
        ended + usize::from(self.moves.last().is_some_and(|m| m.closed > 0))
    }

    /// How many double-crosses: moves that closed two boxes.
    pub fn double_crosses(&self) -> usize {
        self.moves.iter().filter(|m| m.closed == 2).count()
    }

    /// The position the game began from.
    pub const fn start(&self) -> &Position {
        &self.start
    }
}
