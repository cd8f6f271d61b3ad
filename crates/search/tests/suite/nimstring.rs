//! Nimstring, against the rules alone, other programs and known nimbers.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use facts::Nim;
use game::Position;
use search::{Budget, NimValue, Nimstring};

use crate::{GO_ON, board, position};

fn nimstring(position: &Position) -> Nimstring {
    Nimstring::of(position, Budget::UNLIMITED, 1 << 30, &GO_ON).unwrap()
}

/// Every seventh position of some boards, of those with and without boxes on offer: the value is the heap beside which
/// the rules alone say it is lost, every move leads to what they say, and regions add up.
#[test]
fn as_the_rules_alone_have_it() {
    for (rows, cols) in [(2, 2), (1, 5), (2, 3)] {
        let board = board(rows, cols);
        let rules = Nim::of_board(rows as usize, cols as usize, 8);
        let value = |drawn: u64| match rules.nimber(drawn as usize) {
            Some(n) => NimValue::Nimber(n as u8),
            None => NimValue::Loony,
        };
        for drawn in (0..1u64 << board.edges()).step_by(7) {
            let position = Position::from_mask(board, drawn).unwrap();
            let found = nimstring(&position);
            assert_eq!(found.value, Some(value(drawn)), "{position:#}");
            assert_eq!(found.moves.len(), position.free_count());
            for m in &found.moves {
                assert_eq!(m.value, Some(value(drawn | 1 << m.edge.index())), "{} of {position:#}", m.edge);
                assert_eq!(m.again, position.closes(m.edge) > 0);
            }
            // Somebody can win exactly when there is a move that does.
            let wins = found.moves.iter().any(|m| m.wins() == Some(true));
            assert_eq!(found.value.map(NimValue::is_win), Some(wins), "{position:#}");
        }
    }
}

/// The nimbers of empty boards, either way round.
#[test]
fn empty_boards() {
    let known = [(2, 2, 0), (2, 3, 1), (2, 4, 0), (2, 5, 0), (3, 3, 2)];
    for (rows, cols, nimber) in (1..=8).map(|cols| (1, cols, 1)).chain(known) {
        for (rows, cols) in [(rows, cols), (cols, rows)] {
            let found = nimstring(&Position::empty(board(rows, cols)));
            assert_eq!(found.value, Some(NimValue::Nimber(nimber)), "{rows}x{cols}");
        }
    }
}

/// The largest board whose nimber is in the book; half a minute, so a command of its own: `just endurance`.
#[test]
#[ignore = "half a minute in a release build"]
fn the_nimber_of_3x4() {
    assert_eq!(nimstring(&Position::empty(board(3, 4))).value, Some(NimValue::Nimber(0)));
}

/// One region with a chain on offer makes the whole loony, though the budget ends before the other is known.
#[test]
fn one_loony_region_settles_it() {
    let board = board(5, 8);
    // A wall between the third column and the fourth; left of it the bottom row is a chain, opened at the wall.
    let wall = (0..5).map(|row| board.v(row, 3));
    let above = (0..3).flat_map(|col| [board.h(4, col), board.h(5, col)]);
    let position = Position::with_drawn(board, wall.chain(above));
    let found = Nimstring::of(&position, Budget { nodes: Some(100), time: None }, 1 << 20, &GO_ON).unwrap();
    assert_eq!(found.value, Some(NimValue::Loony));
    assert!(found.regions.contains(&None) && found.regions.contains(&Some(NimValue::Loony)));
}

/// What other programs and the book say of their positions: nimbers, and all the moves that win.
#[test]
fn positions_of_other_programs() {
    let (mut nimbers, mut winning) = (0, 0);
    for fact in facts::positions() {
        let found = nimstring(&position(fact.rows, fact.cols, &fact.edges));
        if let Some(nimber) = fact.nimber {
            assert_eq!(found.value, Some(NimValue::Nimber(nimber as u8)), "{}", fact.name);
            nimbers += 1;
        }
        let wins = || {
            let wins = found.moves.iter().filter(|m| m.wins() == Some(true));
            wins.map(|m| m.edge.index()).collect::<Vec<_>>()
        };
        if let Some(nim_zero) = fact.nim_zero {
            assert_eq!(wins(), nim_zero, "{}", fact.name);
            winning += 1;
        }
        if let Some(expected) = fact.winning {
            assert_eq!(wins(), expected, "{}", fact.name);
            winning += 1;
        }
    }
    assert_eq!((nimbers, winning), (4, 8));
}

/// What has come apart needs no search, however large the board.
#[test]
fn a_large_board_of_chains() {
    let board = board(32, 32);
    // Rows of 32 boxes, with nothing drawn but the lines between them.
    let rows = Position::with_drawn(board, board.all_edges().filter(|&e| board.locate(e).0));
    let found = Nimstring::of(&rows, Budget { nodes: Some(0), time: None }, 0, &GO_ON).unwrap();
    assert_eq!(found.value, Some(NimValue::Nimber(0)));
    assert_eq!(found.regions, vec![Some(NimValue::Nimber(0)); 32]);
    assert!(found.moves.iter().all(|m| m.value == Some(NimValue::Loony)));
}

/// Where the budget, the memory or the patience ends, nothing is claimed.
#[test]
fn what_is_not_known_is_not_said() {
    let empty = Position::empty(board(5, 5));
    let unknown = |budget, bytes, cancel: &AtomicBool| {
        let found = Nimstring::of(&empty, budget, bytes, cancel).unwrap();
        assert_eq!((found.value, &found.regions[..]), (None, &[None][..]));
        assert!(found.moves.iter().all(|m| m.value.is_none() && m.wins().is_none()));
        found.nodes
    };
    assert!(unknown(Budget { nodes: Some(2_000), time: None }, 1 << 30, &GO_ON) <= 2_000);
    unknown(Budget { nodes: None, time: Some(Duration::from_millis(20)) }, 1 << 30, &GO_ON);
    assert!(unknown(Budget::UNLIMITED, 1 << 16, &GO_ON) <= 1 << 16);
    assert!(unknown(Budget::UNLIMITED, 1 << 30, &AtomicBool::new(true)) <= 1);
    assert!(Nimstring::of(&Position::empty(board(8, 8)), Budget::UNLIMITED, 1 << 20, &GO_ON).is_err());
}
