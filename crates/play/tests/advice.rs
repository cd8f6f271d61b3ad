//! Advice, against the rules alone.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::sync::atomic::AtomicBool;

use facts::Values;
use game::{Board, Boxes, Edge, Position};
use oracle::{Budget, Config, Oracle};
use play::{EndgameAdvice, Verdict};
use tables::Catalogue;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn oracle() -> Oracle {
    Oracle::with_config(Catalogue::empty(), Config { threads: 1, table_bytes: 1 << 20 })
}

/// On every position of some boards: the numbers are those of the rules alone, and each edge that is named keeps what
/// its line is worth.
#[test]
fn verdicts_and_edges_are_those_of_the_rules_alone() {
    let oracle = oracle();
    let mut met = [0; 6];
    for (rows, cols) in [(2, 2), (1, 5), (2, 3)] {
        let board = Board::new(rows, cols).unwrap();
        let values = Values::of_board(rows as usize, cols as usize);
        for drawn in (0..1usize << board.edges()).step_by(3) {
            let position = Position::from_mask(board, drawn as u64).unwrap();
            let value = Boxes(values.at(drawn));
            let kept = |edge: Edge| {
                let (_, closed) = position.after(edge);
                let rest = Boxes(values.at(drawn | 1 << edge.index()));
                if closed > 0 { Boxes(closed as i16) + rest } else { -rest }
            };
            let advice = EndgameAdvice::on(&oracle, &position, Budget::UNLIMITED, &GO_ON).unwrap();
            assert_eq!(position.is_quiet(), advice.offered == 0);
            // A number of a line is at most the value, and the best line reaches it.
            for (edge, worth) in [(advice.take_move, advice.take_all), (advice.decline_move, advice.decline)]
            {
                assert_eq!(edge.is_some(), worth.is_some(), "{position:#}");
                if let (Some(edge), Some(worth)) = (edge, worth) {
                    assert!(worth <= value && worth <= kept(edge), "{position:#}");
                }
            }
            let (take, decline) = (advice.take_move.map(kept), advice.decline_move.map(kept));
            let kind = match advice.verdict {
                Verdict::TakeAll => {
                    assert_eq!((take, advice.take_all), (Some(value), Some(value)), "{position:#}");
                    assert!(advice.decline < Some(value));
                    0
                }
                Verdict::Decline => {
                    assert_eq!((decline, advice.decline), (Some(value), Some(value)), "{position:#}");
                    assert!(advice.take_all < Some(value));
                    1
                }
                Verdict::Either => {
                    assert_eq!((take, decline), (Some(value), Some(value)), "{position:#}");
                    2
                }
                Verdict::Open => {
                    assert_eq!(advice.open_move.map(kept), Some(value), "{position:#}");
                    3
                }
                Verdict::Wait => {
                    assert!(advice.safe > 0 && advice.offered == 0);
                    4
                }
                Verdict::Over => {
                    assert_eq!(position.free_count(), 0);
                    5
                }
                Verdict::Unproven => unreachable!("{position:#}"),
            };
            if advice.verdict != Verdict::Wait {
                assert_eq!(advice.value(), Some(value), "{position:#}");
            }
            assert!(!advice.to_string().is_empty());
            met[kind] += 1;
        }
    }
    assert!(met[..5].iter().all(|&times| times > 50), "{met:?}");
}

/// Where the rest is not proven the advice says so, or rests on bounds that suffice.
#[test]
fn without_a_budget_nothing_is_guessed() {
    let oracle = oracle();
    let none = Budget { nodes: Some(0), time: None };
    // An empty 5x5 board but for its corner box, which is on offer.
    let board = Board::new(5, 5).unwrap();
    let mut position = Position::empty(board);
    for edge in [board.h(0, 0), board.v(0, 0), board.h(1, 0)] {
        position.draw(edge);
    }
    let advice = EndgameAdvice::on(&oracle, &position, none, &GO_ON).unwrap();
    // A single box cannot be declined, so the verdict needs no number, and there is none.
    assert_eq!((advice.verdict, advice.take_all, advice.value()), (Verdict::TakeAll, None, None));
    // Two boxes in the corner can be.
    let two = [board.h(0, 0), board.h(0, 1), board.h(1, 0), board.h(1, 1), board.v(0, 0)];
    let position = Position::with_drawn(board, two);
    let advice = EndgameAdvice::on(&oracle, &position, none, &GO_ON).unwrap();
    assert_eq!((advice.verdict, advice.offered), (Verdict::Unproven, 2));
    assert_eq!((advice.take_all, advice.decline, advice.value()), (None, None, None));
    assert!(advice.take_move.is_some() && advice.decline_move.is_some());
}
