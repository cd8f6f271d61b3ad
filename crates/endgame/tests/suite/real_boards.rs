//! The theory on real boards: positions that are nothing but isolated chains and loops, their multiset's value
//! against the enumeration of the board.

use std::collections::{BTreeMap, BTreeSet};

use endgame::{
    Component, Multiset, Opened, OpenedAt, Structure, best_openings, taking, value, value_by_recursion,
};
use facts::{Random, Values};
use game::{Board, Position};

use crate::{board, multiset, safe_play};

/// A position from a drawing: `+` dots, `-` and `|` drawn edges, `.` free ones, `*` boxes.
fn drawn(rows: usize, cols: usize, drawing: &str) -> Position {
    let board = board(rows, cols);
    let lines: Vec<Vec<u8>> = drawing.lines().map(|l| l.trim().bytes().collect()).collect();
    assert_eq!(lines.len(), 2 * rows + 1);
    let edges = board.all_edges().filter(|&e| {
        let (horizontal, r, c) = board.locate(e);
        let mark = if horizontal { lines[2 * r][2 * c + 1] } else { lines[2 * r + 1][2 * c] };
        assert!(b"-|.".contains(&mark), "{}", char::from(mark));
        mark != b'.'
    });
    Position::with_drawn(board, edges)
}

/// Chains of 9, 5 and 2 boxes on 4x4, worth 8 to the player who must open them.
#[test]
fn chains_of_9_5_and_2_on_4x4() {
    let p = drawn(
        4,
        4,
        "+.+-+-+-+
         |*.*.*.*|
         +-+-+-+.+
         |*.*.*.*|
         +.+-+-+-+
         .*|*.*.*.
         +-+.+-+-+
         |*.*|*.*.
         +.+-+.+-+",
    );
    let set = multiset(&[9, 5, 2], &[]);
    assert_eq!(Structure::of(&p).decomposed(), Some(set.clone()));
    assert_eq!(p.free_count(), 19);
    assert_eq!(value(&set).get(), 8);
    check(&p, &set);
}

/// What the theory says of a decomposed position, against the enumeration of everything below it.
fn check(p: &Position, set: &Multiset) {
    let board = p.board();
    let values = Values::below(board.rows(), board.cols(), &p.to_string());
    assert_eq!(value_by_recursion(set).get(), values.start(), "{set}\n{p:#}");
    assert_eq!(value(set).get(), values.start(), "{set}\n{p:#}");

    // Every way to open it is worth to the taker what the theory says, edge by edge.
    let structure = Structure::of(p);
    let mut best = BTreeSet::new();
    for run in structure.chains.iter().chain(&structure.loops) {
        let component = run.component().unwrap();
        let rest = set.without(component).unwrap();
        for (i, e) in run.edges.iter().enumerate() {
            let middle = component == Component::Chain(2) && i == 1;
            let at = if middle { OpenedAt::Middle } else { OpenedAt::End };
            let opened = Opened::new(component, at).unwrap();
            let local = values.free().iter().position(|&f| f == e.index()).unwrap();
            let after = values.at(1 << local);
            assert_eq!(taking(opened, value(&rest)).value.get(), after, "{opened} of {set} by {e}\n{p:#}");
            if -after == values.start() {
                best.insert(opened);
            }
        }
    }
    assert_eq!(best_openings(set), best.into_iter().collect::<Vec<_>>(), "{set}\n{p:#}");
}

/// Plays a few whole components away, so that short lists of long components come up, too.
fn without_some(random: &mut Random, p: &Position) -> Position {
    let structure = Structure::of(p);
    let mut q = *p;
    for run in structure.chains.iter().chain(&structure.loops) {
        if random.below(3) == 0 {
            for &e in &run.edges {
                q.draw(e);
            }
        }
    }
    q
}

/// At least 400 different decomposed positions, with 1-, 2-, 3- and longer chains and loops among them.
#[test]
fn decomposed_positions_are_worth_what_their_multisets_are() {
    let mut random = Random::new(8);
    let boards: [Board; 6] = [board(2, 3), board(3, 3), board(2, 4), board(3, 4), board(4, 4), board(3, 5)];
    // How many positions of each multiset: one met on a few boards says little new.
    let (mut seen, mut times) = (BTreeSet::new(), BTreeMap::<String, usize>::new());
    let mut with = [0; 7];
    let mut plays = 0;
    while seen.len() < 450 {
        plays += 1;
        assert!(plays < 1_000_000, "only {} decomposed positions found", seen.len());
        let board = random.pick(&boards).unwrap();
        let mut p = safe_play(&mut random, board, board.edges());
        if Structure::of(&p).decomposed().is_none() {
            continue;
        }
        if random.below(2) == 0 {
            p = without_some(&mut random, &p);
        }
        let set = Structure::of(&p).decomposed().unwrap();
        if set.is_empty() || p.free_count() > 18 || times.get(&set.to_string()).is_some_and(|&n| n >= 4) {
            continue;
        }
        if !seen.insert((board.to_string(), p.to_string())) {
            continue;
        }
        *times.entry(set.to_string()).or_default() += 1;
        check(&p, &set);
        let longest = set.chains().last().copied().unwrap_or(0);
        let kinds = [
            set.chains().contains(&1),
            set.chains().contains(&2),
            set.chains().contains(&3),
            longest > 3,
            set.loops().contains(&4),
            set.loops().iter().any(|&l| l > 4),
            !set.loops().is_empty() && !set.chains().is_empty(),
        ];
        for (count, there) in with.iter_mut().zip(kinds) {
            *count += usize::from(there);
        }
    }
    assert!(times.len() >= 150, "{} multisets", times.len());
    assert!(with.iter().all(|&n| n >= 40), "{with:?}");
}

/// A loop and chains on one board, by hand: {4} and a 4-loop are worth 4 - 4 = 0 to whoever opens them, and the
/// 1-chain turns that into -1.
#[test]
fn a_4_loop_a_4_chain_and_a_1_chain_on_3x3() {
    let p = drawn(
        3,
        3,
        "+-+-+.+
         |*.*|*.
         +.+.+-+
         |*.*|*.
         +-+-+.+
         .*.*.*|
         +-+-+-+",
    );
    let set = multiset(&[1, 4], &[4]);
    assert_eq!(Structure::of(&p).decomposed(), Some(set.clone()));
    assert_eq!(value(&set).get(), -1);
    check(&p, &set);
}
