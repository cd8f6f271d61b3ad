//! Parity as advice in the middle of the game.
//!
//! Whoever draws the last safe edge leaves the other player to open, and where long chains are left that decides who
//! controls them: what the long chain rule says of the end, read forwards. Before the chains are there it is a guess; it
//! measures as worth nothing.

use endgame::Structure;
use game::{Edge, Position};

/// Those of some safe edges after which, when everybody goes on with the lowest safe edge, the mover draws the last one
/// and a long chain is left; all of them when there is none.
pub(crate) fn steer(position: &Position, safe: Vec<Edge>) -> Vec<Edge> {
    let right = |&edge: &Edge| {
        let mut next = position.after(edge).0;
        let mut moves = 1;
        while let Some(&edge) = Structure::of(&next).safe_moves.first() {
            next.draw(edge);
            moves += 1;
        }
        let chains = Structure::of(&next).chains.iter().filter(|run| run.is_long_chain()).count();
        // The mover draws the first of them, so of an odd number the last one, too.
        moves % 2 == 1 && chains > 0
    };
    let good: Vec<Edge> = safe.iter().copied().filter(right).collect();
    if good.is_empty() { safe } else { good }
}
