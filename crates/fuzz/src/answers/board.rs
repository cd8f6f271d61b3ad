//! Answers about what is on the board, held against the rules.

use std::cell::RefCell;
use std::collections::HashMap;

use facts::Nim;
use game::{Edge, Position};
use proto::v1::{
    ControllerResponse, NimValue, NimstringResponse, StructureResponse, controller_response::Side, nim_value,
};

use super::values::True;
use super::{ascend, multiset};

pub(super) fn structure(position: &Position, found: &StructureResponse) {
    let board = position.board();
    let numbers = |edges: &mut dyn Iterator<Item = Edge>| edges.map(|e| e.index() as u32).collect::<Vec<_>>();
    assert_eq!(found.free_edges as usize, position.free_count());
    assert_eq!(found.boxes_left as usize, position.boxes_left());
    // Every free edge and every open box is in one region.
    let mut edges: Vec<u32> = found.regions.iter().flat_map(|region| region.edges.clone()).collect();
    let mut boxes: Vec<u32> = found.regions.iter().flat_map(|region| region.boxes.clone()).collect();
    edges.sort_unstable();
    boxes.sort_unstable();
    assert_eq!(edges, numbers(&mut position.free_edges()));
    let open = board.all_boxes().filter(|&b| position.free_sides(b) > 0).map(|b| b.index() as u32);
    assert_eq!(boxes, open.collect::<Vec<_>>());
    // Every open box is in one chain or loop, or is a joint.
    let runs = found.chains.iter().map(|c| &c.boxes).chain(found.loops.iter().map(|l| &l.boxes));
    let mut boxes_again: Vec<u32> = runs.flatten().copied().collect();
    boxes_again.extend(found.joints.iter().map(|joint| joint.r#box));
    boxes_again.sort_unstable();
    assert_eq!(boxes_again, boxes);

    let captures = numbers(&mut position.free_edges().filter(|&edge| position.closes(edge) > 0));
    assert_eq!(found.capture_moves, captures);
    let leaves_two =
        |&edge: &Edge| board.touching(edge).into_iter().flatten().all(|b| position.free_sides(b) > 2);
    assert_eq!(found.safe_moves, numbers(&mut position.free_edges().filter(leaves_two)));

    let set = found.endgame.as_ref().and_then(multiset).expect("the isolated part is a multiset");
    assert!(set.boxes() <= position.boxes_left() && found.search_edges <= found.free_edges);
    if found.decomposed {
        assert_eq!(set.boxes(), position.boxes_left());
        let value = i32::from(endgame::value(&set).get());
        True::of(position).holds(position, (value, value));
    }
}

pub(super) fn controller(position: &Position, found: &ControllerResponse) {
    let (free, left) = (position.free_count() as u32, position.boxes_left() as u32);
    assert_eq!((found.free_edges, found.boxes_left), (free, left));
    assert_eq!(found.dots as usize, position.board().dots());
    assert!(!found.sentence.is_empty());
    let turns = if free == 0 { 0 } else { free + 1 + found.assumed_double_crosses - left };
    assert_eq!(found.turns_left, turns);
    assert_eq!(found.last_turn(), if turns % 2 == 1 { Side::Mover } else { Side::Other });
    assert_eq!(found.least_double_crosses.is_some(), found.most_double_crosses.is_some());
    assert!(found.least_double_crosses <= found.most_double_crosses);
    assert!(found.most_double_crosses.is_none_or(|most| 2 * most <= left), "each closes two boxes");
}

/// The most edges of a board whose nimbers are all worked out.
const FEW: usize = 12;

/// Heaps up to so many: none of these boards has a larger nimber.
const HEAPS: usize = 7;

thread_local! {
    static NIMBERS: RefCell<HashMap<(usize, usize), Nim>> = RefCell::default();
}

/// Holds the nimber of a position against the truth: `None` when it is loony.
fn is_worth(position: &Position, claimed: Option<&NimValue>) {
    let board = position.board();
    let Some(claimed) = claimed.filter(|_| board.edges() <= FEW) else { return };
    let nimber = match claimed.worth.as_ref().expect("a nimber or loony") {
        nim_value::Worth::Nimber(nimber) => Some(*nimber as usize),
        nim_value::Worth::Loony(loony) => {
            assert!(loony);
            None
        }
    };
    let size = (board.rows(), board.cols());
    NIMBERS.with_borrow_mut(|all| {
        let nim = all.entry(size).or_insert_with(|| Nim::of_board(size.0, size.1, HEAPS));
        assert_eq!(nim.nimber(position.drawn().low_mask() as usize), nimber, "{position:?}");
    });
}

pub(super) fn nimstring(position: &Position, found: &NimstringResponse) {
    is_worth(position, found.value.as_ref());
    let edges: Vec<Edge> = position.free_edges().collect();
    assert_eq!(found.moves.len(), edges.len());
    for (m, &edge) in found.moves.iter().zip(&edges) {
        let (next, closed) = position.after(edge);
        assert_eq!((m.edge as usize, m.again), (edge.index(), closed > 0));
        is_worth(&next, m.value.as_ref());
    }
    assert!(ascend(&found.winning_moves));
    let is_win = |value: &NimValue| value.worth != Some(nim_value::Worth::Nimber(0));
    let wins = |edge: u32| {
        found.moves.iter().any(|m| m.edge == edge && m.value.as_ref().map(is_win) == Some(m.again))
    };
    assert!(found.winning_moves.iter().all(|&edge| wins(edge)));
    let all_known = found.moves.iter().all(|m| m.value.is_some());
    if let (Some(value), true) = (&found.value, all_known) {
        assert_eq!(is_win(value), !found.winning_moves.is_empty());
    }
    // Nimbers of regions add.
    let mut sum = Some(0);
    for region in &found.regions {
        match region.value.as_ref().and_then(|value| value.worth.as_ref()) {
            Some(nim_value::Worth::Nimber(nimber)) => sum = sum.map(|sum| sum ^ nimber),
            _ => sum = None,
        }
    }
    if let (Some(sum), Some(value)) = (sum, &found.value) {
        assert_eq!(value.worth, Some(nim_value::Worth::Nimber(sum)));
    }
}
