//! What a position is made of: runs with their edges and ends, loops, joints, regions, safe moves.

use std::collections::{BTreeMap, BTreeSet};

use endgame::{Component, End, Run, RunState, Structure};
use facts::Random;
use game::{Board, BoxId, Edge, Position};

use crate::{board, multiset, position, random_position, safe_play};

/// A board on which only these edges are free.
fn only_free(board: Board, free: &[Edge]) -> Position {
    Position::with_drawn(board, board.all_edges().filter(|e| !free.contains(e)))
}

fn numbers(edges: &[Edge]) -> Vec<usize> {
    edges.iter().map(|e| e.index()).collect()
}

fn boxes(boxes: &[BoxId]) -> Vec<usize> {
    boxes.iter().map(|b| b.index()).collect()
}

/// A corridor of L boxes, both ends on the ground, of every length a board has room for.
#[test]
fn a_chain_of_l_boxes_has_l_plus_1_free_edges() {
    for length in 1..=32 {
        let board = board(1, length);
        let corridor: Vec<Edge> = (0..=length).map(|c| board.v(0, c)).collect();
        let structure = Structure::of(&only_free(board, &corridor));
        let [chain] = &structure.chains[..] else { panic!("{structure:?}") };
        assert_eq!(chain.edges.len(), length + 1);
        assert_eq!(numbers(&chain.edges), numbers(&corridor));
        assert_eq!(boxes(&chain.boxes), (0..length).collect::<Vec<_>>());
        assert_eq!(chain.ends, Some([End::Ground, End::Ground]));
        assert_eq!(chain.state(), RunState::Isolated);
        assert_eq!(chain.component(), Some(Component::Chain(length as u16)));
        assert_eq!(structure.decomposed(), Some(multiset(&[length as u32], &[])));
    }
}

/// A corridor that winds through all 1,024 boxes of the largest board.
#[test]
fn a_chain_through_the_largest_board() {
    let board = board(32, 32);
    let mut free = vec![board.h(0, 0)];
    for r in 0..32 {
        free.extend((1..32).map(|c| board.v(r, c)));
        free.push(board.h(r + 1, if r % 2 == 0 { 31 } else { 0 }));
    }
    let structure = Structure::of(&only_free(board, &free));
    let [chain] = &structure.chains[..] else { panic!("{} chains", structure.chains.len()) };
    assert_eq!((chain.boxes.len(), chain.edges.len()), (1024, 1025));
    assert_eq!(structure.decomposed(), Some(multiset(&[1024], &[])));
}

/// The ring of boxes inside the border of a rows x cols board: everything drawn but the edges between its boxes.
fn ring(rows: usize, cols: usize) -> Position {
    let board = board(rows, cols);
    let on_ring = |b: BoxId| {
        let (r, c) = board.place(b);
        r == 0 || c == 0 || r == rows - 1 || c == cols - 1
    };
    // Neighbours along the ring; in a two-wide ring also across its short sides, which are the same thing.
    let free: Vec<Edge> = board
        .all_edges()
        .filter(|&e| match board.touching(e) {
            [Some(x), Some(y)] => {
                let ((xr, xc), (yr, yc)) = (board.place(x), board.place(y));
                let along_rows = xr == yr && (xr == 0 || xr == rows - 1);
                let along_cols = xc == yc && (xc == 0 || xc == cols - 1);
                on_ring(x) && on_ring(y) && (along_rows || along_cols)
            }
            _ => false,
        })
        .collect();
    only_free(board, &free)
}

#[test]
fn a_loop_of_l_boxes_has_l_free_edges_and_l_is_even_and_at_least_4() {
    for rows in 2..=9 {
        for cols in 2..=9 {
            let length = 2 * (rows + cols) - 4;
            let structure = Structure::of(&ring(rows, cols));
            let [run] = &structure.loops[..] else { panic!("{rows}x{cols}: {structure:?}") };
            assert!(structure.chains.is_empty());
            assert!(run.is_loop());
            assert_eq!((run.boxes.len(), run.edges.len()), (length, length), "{rows}x{cols}");
            assert!(length % 2 == 0 && length >= 4);
            assert_eq!(run.component(), Some(Component::Loop(length as u16)));
            assert_eq!(structure.decomposed(), Some(multiset(&[], &[length as u32])));
        }
    }
}

/// Two boxes that share their last edge are a closed run, not a loop of two.
#[test]
fn two_boxes_that_share_their_last_edge_are_no_loop() {
    for (rows, cols) in [(1, 2), (2, 1)] {
        let board = board(rows, cols);
        let between = if rows == 1 { board.v(0, 1) } else { board.h(1, 0) };
        let structure = Structure::of(&only_free(board, &[between]));
        assert!(structure.loops.is_empty());
        let [run] = &structure.chains[..] else { panic!("{structure:?}") };
        assert_eq!((sorted(boxes(&run.boxes)), numbers(&run.edges)), (vec![0, 1], vec![between.index()]));
        assert_eq!((run.ends, run.state()), (Some([End::Open, End::Open]), RunState::Open));
        assert_eq!((run.is_loop(), run.component()), (false, None));
        assert_eq!(structure.captures, [between]);
        assert_eq!(structure.decomposed(), None);
    }
}

/// A loop with one edge drawn is a closed run of the same boxes.
#[test]
fn an_opened_loop_is_no_loop() {
    let mut position = ring(3, 3);
    let opened = position.free_edges().next().unwrap();
    position.draw(opened);
    let structure = Structure::of(&position);
    assert!(structure.loops.is_empty());
    let [run] = &structure.chains[..] else { panic!("{structure:?}") };
    assert_eq!((run.boxes.len(), run.edges.len(), run.state()), (8, 7, RunState::Open));
}

/// A chain with its left end drawn: one end open, as many edges as boxes.
#[test]
fn an_opened_chain_is_half_open() {
    let board = board(1, 3);
    let structure = Structure::of(&only_free(board, &[board.v(0, 1), board.v(0, 2), board.v(0, 3)]));
    let [run] = &structure.chains[..] else { panic!("{structure:?}") };
    assert_eq!((run.boxes.len(), run.edges.len(), run.state()), (3, 3, RunState::HalfOpen));
    let ends = run.ends.unwrap();
    assert!(ends.contains(&End::Open) && ends.contains(&End::Ground), "{ends:?}");
    assert_eq!(structure.captures, [board.v(0, 1)]);
}

/// ```text
/// +---+   +---+      the box in the middle of the top row is a joint: three runs hang on it,
/// |           |      and the ground above
/// +   +   +---+
/// |   |   |   |
/// +   +   +   +
/// ```
#[test]
fn runs_hang_on_a_joint() {
    let board = board(2, 3);
    let free = [
        board.h(0, 1),
        board.v(0, 1),
        board.v(0, 2),
        board.h(1, 0),
        board.h(2, 0),
        board.h(1, 1),
        board.h(2, 1),
        board.h(2, 2),
    ];
    let structure = Structure::of(&only_free(board, &free));
    let joint = board.box_at(0, 1);
    assert_eq!(structure.joints.len(), 1);
    assert_eq!((structure.joints[0].at, structure.joints[0].free), (joint, 4));
    let mut runs: Vec<(Vec<usize>, RunState)> =
        structure.chains.iter().map(|run| (sorted(boxes(&run.boxes)), run.state())).collect();
    runs.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        runs,
        [
            (vec![0, 3], RunState::Attached), // down the left column to the ground
            (vec![2], RunState::HalfOpen),    // the right box has three sides
            (vec![4], RunState::Attached),    // below the joint
            (vec![5], RunState::HalfOpen),    // lower right: only its bottom is free
        ]
    );
    for run in &structure.chains {
        let at_joint = run.ends.unwrap().contains(&End::Joint(joint));
        assert_eq!(at_joint, boxes(&run.boxes) != [5], "{run:?}");
    }
    // The lower right box is a region of its own.
    let regions: Vec<(Vec<usize>, usize)> =
        structure.regions.iter().map(|r| (boxes(&r.boxes), r.joints)).collect();
    assert_eq!(regions, [(vec![0, 1, 2, 3, 4], 1), (vec![5], 0)]);
    assert_eq!(structure.isolated(), multiset(&[], &[]));
    assert_eq!(structure.decomposed(), None);
}

fn sorted(mut numbers: Vec<usize>) -> Vec<usize> {
    numbers.sort_unstable();
    numbers
}

fn transcribed(name: &str) -> Position {
    let fact = facts::positions().into_iter().find(|p| p.name == name).unwrap();
    position(fact.rows as usize, fact.cols as usize, &fact.edges)
}

/// A board that is nothing but isolated chains and a loop, from the tests of KSquares; classified by hand.
///
/// ```text
/// +   +---+---+   +
///   1 | 4   4 | 8 |      a 1-chain in the corner, a 4-loop, a chain of three down the left
/// +---+   +   +   +      side, and a chain of eight from the top to the lower right
///   3 | 4   4 | 8 |
/// +   +---+---+   +
/// | 3 | 8   8   8 |
/// +   +   +---+---+
///   3 | 8   8   8
/// +---+---+---+---+
/// ```
#[test]
fn a_board_of_three_chains_and_a_loop() {
    let p = transcribed("ksquares-4x4-classify");
    let structure = Structure::of(&p);
    let mut chains: Vec<Vec<usize>> = structure.chains.iter().map(|run| sorted(boxes(&run.boxes))).collect();
    chains.sort();
    assert_eq!(chains, [vec![0], vec![3, 7, 9, 10, 11, 13, 14, 15], vec![4, 8, 12]]);
    let loops: Vec<Vec<usize>> = structure.loops.iter().map(|run| sorted(boxes(&run.boxes))).collect();
    assert_eq!(loops, [[1, 2, 5, 6]]);
    assert_eq!(structure.regions.len(), 4);
    assert_eq!(structure.decomposed(), Some(multiset(&[1, 3, 8], &[4])));
}

/// The position of Barker and Korf with boxes on offer; classified by hand.
///
/// ```text
/// +---+   +---+---+---+---+
/// | a | b | c   c   c   c |      a: six boxes, open at the top left, to the joint
/// +   +   +---+---+---+   +      b: five boxes from the ground to the joint
/// | a | b   b   b   b | c |      c: six boxes, open at both ends
/// +   +---+---+---+   +   +      J: the joint, with a way to the ground
/// | a   a   a   a   J | c |
/// +---+---+---+---+   +---+
/// ```
#[test]
fn a_board_of_every_kind_of_run() {
    let p = transcribed("ksquares-6x3-barker-korf");
    let structure = Structure::of(&p);
    let joint = p.board().box_at(2, 4);
    assert_eq!(structure.joints.iter().map(|j| (j.at, j.free)).collect::<Vec<_>>(), [(joint, 3)]);
    let mut runs: Vec<_> = structure
        .chains
        .iter()
        .map(|run| (sorted(boxes(&run.boxes)), run.edges.len(), run.state(), run.ends.unwrap()))
        .collect();
    runs.sort_by(|a, b| a.0.cmp(&b.0));
    // Either end may come first.
    for run in &mut runs {
        run.3.sort_by_key(|end| format!("{end:?}"));
    }
    let at_joint = End::Joint(joint);
    assert_eq!(
        runs,
        [
            (vec![0, 6, 12, 13, 14, 15], 6, RunState::HalfOpen, [at_joint, End::Open]),
            (vec![1, 7, 8, 9, 10], 6, RunState::Attached, [End::Ground, at_joint]),
            (vec![2, 3, 4, 5, 11, 17], 5, RunState::Open, [End::Open, End::Open]),
        ]
    );
    assert!(structure.loops.is_empty());
    assert_eq!(structure.regions.len(), 2);
    assert_eq!(structure.isolated(), multiset(&[], &[]));
}

/// A run that leaves a joint and comes back to it is attached at both ends; it is no loop.
#[test]
fn a_run_from_a_joint_to_itself_is_no_loop() {
    let mut free: Vec<Edge> = ring(2, 2).free_edges().collect();
    let board = board(2, 2);
    free.push(board.h(0, 0));
    let structure = Structure::of(&only_free(board, &free));
    assert!(structure.loops.is_empty());
    let [run] = &structure.chains[..] else { panic!("{structure:?}") };
    let joint = End::Joint(board.box_at(0, 0));
    assert_eq!((run.ends, run.state()), (Some([joint, joint]), RunState::Attached));
    assert_eq!((run.boxes.len(), run.edges.len()), (3, 4));
}

#[test]
fn the_empty_board_is_all_joints() {
    let structure = Structure::of(&Position::empty(board(3, 4)));
    assert_eq!((structure.joints.len(), structure.chains.len(), structure.loops.len()), (12, 0, 0));
    assert_eq!(structure.regions.len(), 1);
    assert_eq!(structure.safe_moves.len(), 31);
    assert!(structure.captures.is_empty());
}

#[test]
fn the_full_board_is_nothing() {
    let structure = Structure::of(&position(2, 2, "111111111111"));
    assert_eq!(structure.regions.len() + structure.joints.len(), 0);
    assert_eq!(structure.chains.len() + structure.loops.len(), 0);
    assert_eq!(structure.decomposed(), Some(multiset(&[], &[])));
}

/// Everything a structure says, checked against the position itself. Returns how many runs there are.
fn check(p: &Position) -> usize {
    let board = p.board();
    let structure = Structure::of(p);
    let free_of =
        |b: BoxId| -> BTreeSet<Edge> { board.sides(b).into_iter().filter(|&e| p.is_free(e)).collect() };

    // Runs and joints partition the boxes that are not closed.
    let mut place = BTreeMap::new();
    for run in structure.chains.iter().chain(&structure.loops) {
        for &b in &run.boxes {
            assert!(matches!(p.free_sides(b), 1 | 2), "{p:?}");
            assert_eq!(place.insert(b, ()), None, "{p:?}: box {b:?} is in two runs");
        }
    }
    for joint in &structure.joints {
        assert_eq!(usize::from(joint.free), p.free_sides(joint.at));
        assert!(joint.free >= 3);
        assert_eq!(place.insert(joint.at, ()), None);
    }
    let open: Vec<BoxId> = board.all_boxes().filter(|&b| p.free_sides(b) > 0).collect();
    assert!(place.keys().eq(&open), "{p:?}");

    for run in &structure.chains {
        check_chain(p, run, &free_of);
    }
    for run in &structure.loops {
        let length = run.boxes.len();
        assert!(run.is_loop() && length >= 4 && length % 2 == 0, "{p:?}: {run:?}");
        assert_eq!(run.edges.len(), length, "{p:?}: {run:?}");
        // Each box's two free edges are two neighbours on the ring of edges.
        for i in 0..length {
            let joined: BTreeSet<BoxId> = board.touching(run.edges[i]).into_iter().flatten().collect();
            assert_eq!(joined, BTreeSet::from([run.boxes[i], run.boxes[(i + 1) % length]]), "{p:?}: {run:?}");
        }
    }
    for runs in [&structure.chains, &structure.loops] {
        assert!(runs.is_sorted_by_key(|run| run.boxes.iter().min().copied()), "{p:?}");
    }

    // No free edge is in two runs; those in none touch only joints and the ground.
    let mut in_runs = BTreeSet::new();
    for e in structure.chains.iter().chain(&structure.loops).flat_map(|run| &run.edges) {
        assert!(in_runs.insert(*e), "{p:?}: edge {e} is in two runs");
    }
    for e in p.free_edges().filter(|e| !in_runs.contains(e)) {
        assert!(board.touching(e).into_iter().flatten().all(|b| p.free_sides(b) >= 3), "{p:?}: edge {e}");
    }

    // Regions: the classes of the relation "a free edge lies between".
    let mut class: BTreeMap<BoxId, BoxId> = open.iter().map(|&b| (b, b)).collect();
    loop {
        let before = class.clone();
        for e in p.free_edges() {
            if let [Some(x), Some(y)] = board.touching(e) {
                let least = class[&x].min(class[&y]);
                class.insert(x, least);
                class.insert(y, least);
            }
        }
        if class == before {
            break;
        }
    }
    let mut expected: BTreeMap<BoxId, (Vec<BoxId>, BTreeSet<Edge>, usize)> = BTreeMap::new();
    for (&b, &least) in &class {
        let region = expected.entry(least).or_default();
        region.0.push(b);
        region.1.extend(free_of(b));
        region.2 += usize::from(p.free_sides(b) >= 3);
    }
    let found: Vec<_> = structure
        .regions
        .iter()
        .map(|r| (r.boxes.clone(), r.edges.iter().copied().collect::<BTreeSet<_>>(), r.joints))
        .collect();
    assert_eq!(found, expected.into_values().collect::<Vec<_>>(), "{p:?}");
    // Every free edge belongs to exactly one region.
    let edges: Vec<Edge> = structure.regions.iter().flat_map(|r| r.edges.iter().copied()).collect();
    let mut ascending = edges.clone();
    ascending.sort_unstable();
    assert!(ascending.iter().copied().eq(p.free_edges()), "{p:?}");

    // Captures close a box. Any other move offers a box unless it is safe, and a safe one never does.
    let offered =
        |q: &Position| -> Vec<BoxId> { board.all_boxes().filter(|&b| q.free_sides(b) == 1).collect() };
    let (mut captures, mut safe) = (Vec::new(), Vec::new());
    for e in p.free_edges() {
        let (next, closed) = p.after(e);
        if closed > 0 {
            captures.push(e);
        } else if offered(&next) == offered(p) {
            safe.push(e);
        }
    }
    assert_eq!((&structure.captures, &structure.safe_moves), (&captures, &safe), "{p:?}");

    // The multiset of what is isolated, and whether that is all.
    let lengths = |loops: bool| -> Vec<u32> {
        let runs = if loops { &structure.loops } else { &structure.chains };
        let isolated = runs.iter().filter(|r| r.ends.is_none_or(|ends| ends == [End::Ground; 2]));
        isolated.map(|r| r.boxes.len() as u32).collect()
    };
    let isolated = multiset(&lengths(false), &lengths(true));
    assert_eq!(structure.isolated(), isolated, "{p:?}");
    let all = isolated.boxes() == open.len();
    assert_eq!(structure.decomposed(), all.then_some(isolated), "{p:?}");

    structure.chains.len() + structure.loops.len()
}

/// A chain: its boxes and edges alternate, and its ends lie where it says.
fn check_chain(p: &Position, run: &Run, free_of: &impl Fn(BoxId) -> BTreeSet<Edge>) {
    let board = p.board();
    let ends = run.ends.unwrap();
    let open_at = |i: usize| usize::from(ends[i] == End::Open);
    assert_eq!(run.edges.len() + open_at(0) + open_at(1), run.boxes.len() + 1, "{p:?}: {run:?}");
    // The edges before and after the i-th box, where it has one.
    for (i, &b) in run.boxes.iter().enumerate() {
        let before = (i + 1).checked_sub(1 + open_at(0)).and_then(|at| run.edges.get(at));
        let after = run.edges.get(i + 1 - open_at(0));
        let around: BTreeSet<Edge> = before.into_iter().chain(after).copied().collect();
        assert_eq!(around, free_of(b), "{p:?}: box {i} of {run:?}");
    }
    for (end, edge, last) in
        [(ends[0], run.edges.first(), run.boxes.first()), (ends[1], run.edges.last(), run.boxes.last())]
    {
        let last = *last.unwrap();
        let beyond = board.touching(*edge.unwrap()).into_iter().find(|&b| b != Some(last)).unwrap();
        match end {
            End::Ground => assert_eq!(beyond, None, "{p:?}: {run:?}"),
            End::Joint(joint) => {
                assert_eq!(beyond, Some(joint), "{p:?}: {run:?}");
                assert!(p.free_sides(joint) >= 3);
            }
            End::Open => assert_eq!(p.free_sides(last), 1, "{p:?}: {run:?}"),
        }
    }
    let state = match ends {
        [End::Open, End::Open] => RunState::Open,
        [End::Open, _] | [_, End::Open] => RunState::HalfOpen,
        [End::Ground, End::Ground] => RunState::Isolated,
        _ => RunState::Attached,
    };
    assert_eq!(run.state(), state, "{p:?}: {run:?}");
    let isolated = state == RunState::Isolated;
    assert_eq!(run.component(), isolated.then_some(Component::Chain(run.boxes.len() as u16)));
}

/// Every position of 2x2 and 1x4.
#[test]
fn every_position_of_two_small_boards() {
    for (rows, cols) in [(1, 1), (1, 4), (4, 1), (2, 2)] {
        let board = board(rows, cols);
        for mask in 0..1u64 << board.edges() {
            check(&Position::from_mask(board, mask).unwrap());
        }
    }
}

/// Random positions of all densities and shapes: 43,480 components and more, and no loop odd or under 4.
#[test]
fn random_positions_of_every_density() {
    let mut random = Random::new(4);
    let mut classified = 0;
    for _ in 0..7_000 {
        let board = board(random.between(1, 8), random.between(1, 8));
        let percent = random.between(20, 90);
        classified += check(&random_position(&mut random, board, percent));
    }
    assert!(classified >= 43_480, "{classified}");
}

/// Positions after safe play: quiet, so that drawing an unsafe edge offers a box at once.
#[test]
fn positions_after_safe_play() {
    let mut random = Random::new(5);
    let mut classified = 0;
    for _ in 0..2_000 {
        let board = board(random.between(1, 7), random.between(1, 7));
        let moves = random.pick(&[board.edges() / 3, board.edges() / 2, board.edges()]).unwrap();
        let p = safe_play(&mut random, board, moves);
        assert!(p.is_quiet());
        classified += check(&p);
        let safe = Structure::of(&p).safe_moves;
        for e in p.free_edges() {
            assert_eq!(p.after(e).0.is_quiet(), safe.contains(&e), "{p:?}: edge {e}");
        }
    }
    assert!(classified > 5_000, "{classified}");
}

/// The largest board, too.
#[test]
fn random_positions_of_the_largest_board() {
    let mut random = Random::new(6);
    for percent in [30, 50, 60, 70, 90] {
        check(&random_position(&mut random, board(32, 32), percent));
    }
}
