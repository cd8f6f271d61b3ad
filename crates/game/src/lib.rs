//! Boards, positions and the rules of Dots and Boxes.
//!
//! A board of `R` rows by `C` columns of boxes has `(R+1)·C` horizontal and `R·(C+1)` vertical edges.
//! Edges are numbered as in OpenSpiel: horizontals first, row by row from the top, then verticals row
//! by row. On the 1x2 board:
//!
//! ```text
//! +-0-+-1-+
//! 4   5   6
//! +-2-+-3-+
//! ```
//!
//! The modules, one noun each:
//!
//! * [`Board`]: the shape; which edges a box has, which boxes an edge touches.
//! * [`EdgeSet`]: a set of edges of one board, a plain bit set.
//! * [`Position`]: a board and its drawn edges. That is all a *value* depends on: boxes already taken are
//!   never in it.
//! * [`Setup`]: a position somebody sent us. It becomes a [`Position`] only through checks; nothing is
//!   repaired.
//! * [`Game`]: a record being played: whose turn, owners, score, turns and double-crosses, undo.
//! * [`Symmetry`]: the four or eight ways to turn a board over.
//! * [`Boxes`]: the unit of every value.
//!
//! ```
//! use game::{Board, Game, Player};
//!
//! let board = Board::new(1, 1)?;
//! let mut game = Game::new(board);
//! for edge in board.all_edges() {
//!     game.play(edge)?;
//! }
//! // Four edges, the second player closes the only box: T = d + D = 4 + 0 turns.
//! assert_eq!(game.owner(board.box_at(0, 0)), Some(Player::Second));
//! assert_eq!(game.turns(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod boxes;
mod draw;
mod edge_set;
mod play;
mod position;
mod setup;
mod symmetry;

pub use board::{Board, BoardError, BoxId, Edge, MAX_EDGES, MAX_SIDE};
pub use boxes::Boxes;
pub use edge_set::EdgeSet;
pub use play::{Game, Move, PlayError, Player, Score};
pub use position::Position;
pub use setup::{Edges, Setup, SetupError};
pub use symmetry::Symmetry;
