//! The long chain rule as advice in the middle of the game.
//!
//! Whoever plays the last turn of the opening phase leaves the other player to open. The rule reads off who that will be: with
//! `d` dots and `c` long chains, the first player wants `d + c` even (if loops do not intervene), the second odd. As
//! advice before the chains are there it is a guess; it measures as worth nothing.

use endgame::Structure;
use game::{Edge, Position};

/// Those of some safe edges after which the long chains come out right for the mover when everybody goes on with the
/// lowest safe edge; all of them when none does, or when it is not known who moved first.
pub(crate) fn steer(position: &Position, safe: Vec<Edge>) -> Vec<Edge> {
    let right = |&edge: &Edge| {
        let mut next = position.after(edge).0;
        let mut moves = 1;
        while let Some(&edge) = Structure::of(&next).safe_moves.first() {
            next.draw(edge);
            moves += 1;
        }
        let long = |run: &&endgame::Run| run.boxes.len() >= 3;
        let chains = Structure::of(&next).chains.iter().filter(long).count();
        // The mover wants the other player to be the one who must open: an odd number of safe moves from here. Each
        // long chain but the last is declined once, and none of that changes who opens the next.
        moves % 2 == 1 && chains > 0
    };
    let good: Vec<Edge> = safe.iter().copied().filter(right).collect();
    if good.is_empty() { safe } else { good }
}
