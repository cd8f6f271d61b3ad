//! Taking what is on offer, edge by edge.

use endgame::Offer;
use game::{Edge, Position};

/// What to do with the boxes on offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Take them all, and move again.
    TakeAll,
    /// Take all but the bribe, two boxes or four, and leave those with one edge: the double-dealing move.
    Decline,
}

/// The next edge of one of the two ways to deal with what is on offer; `None` when nothing is, or when there is no way to
/// decline.
///
/// Declining takes a box only as long as the choice stays: the same bribe, and everything else still to be had. When no
/// capture leaves it, some edge hands over the bribe, and what is left after that is what would be left after taking all.
pub fn capture(position: &Position, way: Way) -> Option<Edge> {
    let offer = Offer::of(position);
    let mut captures = position.free_edges().filter(|&e| position.closes(e) > 0);
    let Way::Decline = way else { return captures.next() };
    let bribe = offer.bribe?;
    let keeps_the_choice = |&e: &Edge| {
        let (next, closed) = position.after(e);
        let left = Offer::of(&next);
        left.bribe == offer.bribe && usize::from(left.boxes) + closed == usize::from(offer.boxes)
    };
    captures.find(keeps_the_choice).or_else(|| {
        position.free_edges().filter(|&e| position.closes(e) == 0).find(|&e| {
            let left = Offer::of(&position.after(e).0);
            left.boxes as i16 == bribe.boxes() && left.rest == offer.rest
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use endgame::Bribe;
    use game::Board;

    /// On every position of some boards, whichever way is chosen ends as the theory says: with everything taken, or with
    /// everything but the bribe, which is then all that is on offer.
    #[test]
    fn both_ways_end_as_they_should_on_every_position() {
        for (rows, cols) in [(1, 4), (2, 2), (2, 3), (1, 5)] {
            let board = Board::new(rows, cols).unwrap();
            for mask in 0..1 << board.edges() {
                let start = Position::from_mask(board, mask).unwrap();
                let offer = Offer::of(&start);
                for way in [Way::TakeAll, Way::Decline] {
                    let (mut position, mut taken) = (start, 0);
                    let mut passed = false;
                    while let Some(edge) = capture(&position, way) {
                        let closed = position.draw(edge);
                        taken += closed as u16;
                        if closed == 0 {
                            passed = true;
                            break;
                        }
                    }
                    let left = Offer::of(&position);
                    match (way, offer.bribe) {
                        (Way::TakeAll, _) => {
                            assert_eq!(
                                (taken, passed, position),
                                (offer.boxes, false, offer.rest),
                                "{start}"
                            );
                        }
                        (Way::Decline, None) => assert_eq!((taken, passed), (0, false), "{start}"),
                        (Way::Decline, Some(bribe)) => {
                            let bribe = if bribe == Bribe::Two { 2 } else { 4 };
                            assert_eq!((taken, passed), (offer.boxes - bribe, true), "{start}");
                            assert_eq!((left.boxes, left.rest), (bribe, offer.rest), "{start}");
                        }
                    }
                }
            }
        }
    }
}
