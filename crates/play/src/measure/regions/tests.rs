//! The parts of the measurement, each against a count by other means.

use std::collections::{HashMap, HashSet};

use ::game::{Board, Position, Symmetry};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::count::{Apart, lines, positions};
use super::depths::Depths;
use super::domineering::Domineering;
use super::dots_and_boxes::DotsAndBoxes;
use super::game::{Cells, Game, Side, each};
use super::konane::Konane;
use super::relation::{Relation, ever, flood, nearby, split};
use super::score::{Prover, normal};
use super::values::{Value, Values};
use super::walk::{Pass, Walk};

/// The sets of squares that dominoes can cover exactly, by the domino on the lowest square of the set.
fn coverable(rows: usize, cols: usize) -> Vec<bool> {
    let mut is = vec![false; 1 << (rows * cols)];
    is[0] = true;
    for set in 1..is.len() {
        let lowest = set.trailing_zeros() as usize;
        let right = (lowest % cols + 1 < cols).then_some(1 << lowest | 1 << (lowest + 1));
        let below = (lowest / cols + 1 < rows).then_some(1 << lowest | 1 << (lowest + cols));
        is[set] =
            [right, below].into_iter().flatten().any(|domino| set & domino == domino && is[set ^ domino]);
    }
    is
}

#[test]
fn positions_are_the_sets_dominoes_cover() {
    for (rows, cols, known) in [(3, 5, 3_054), (4, 4, 5_700), (4, 5, 58_830)] {
        let by_sets = coverable(rows, cols).into_iter().filter(|&is| is).count();
        assert_eq!(by_sets, known);
        assert_eq!(positions(&Domineering::new(rows, cols, 0), 0).len(), known);
    }
}

#[test]
fn lines_of_play_are_orders_of_matchings() {
    /// Counts the sets of dominoes by size, square after square.
    fn matchings(moves: &[Cells], taken: Cells, size: usize, found: &mut Vec<u64>) {
        if found.len() <= size {
            found.push(0);
        }
        found[size] += 1;
        for (i, &domino) in moves.iter().enumerate() {
            if taken & domino == 0 {
                matchings(&moves[i + 1..], taken | domino, size + 1, found);
            }
        }
    }
    let board = Domineering::new(4, 4, 0);
    let dominoes: Vec<Cells> = board.moves().iter().map(|m| m.clear).collect();
    let mut by_size = Vec::new();
    matchings(&dominoes, 0, 0, &mut by_size);
    let orders: u64 = by_size.iter().zip(0u64..).map(|(sets, size)| sets * (1..=size).product::<u64>()).sum();
    assert_eq!(orders, 6_257_129);
    assert_eq!(lines(board.moves(), 0, &mut HashMap::new()), orders);
}

#[test]
fn domineering_regions_are_its_flood() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..300 {
        let blocked = each((1 << 20) - 1).filter(|_| random.random_bool(0.4)).fold(0, |all, at| all | at);
        let board = Domineering::new(4, 5, blocked);
        let mut flooded = flood(board.cells(), |square| board.adjacent(square));
        flooded.retain(|region| region.count_ones() > 1);
        assert_eq!(split(board.moves(), board.cells()), flooded, "{}", board.picture());
    }
}

#[test]
fn dots_and_boxes_regions_are_those_of_its_structure() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let game = DotsAndBoxes::new(Board::new(3, 4).unwrap()).unwrap();
    for _ in 0..300 {
        let drawn = game.board().all_edges().filter(|_| random.random_bool(0.6));
        let position = Position::with_drawn(game.board(), drawn);
        let mut known: Vec<Cells> = endgame::Structure::of(&position)
            .regions
            .iter()
            .map(|region| region.edges.iter().fold(0, |all, e| all | 1 << e.index()))
            .collect();
        known.sort_unstable_by_key(|region| region.trailing_zeros());
        assert_eq!(split(game.moves(), game.free(&position)), known, "{position:?}");
    }
}

#[test]
fn no_game_offers_a_move_the_relation_does_not_know() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let board = Konane::new(4, 4, 0);
    for _ in 0..100 {
        let stones = each(board.cells()).filter(|_| random.random_bool(0.5)).fold(0, |all, at| all | at);
        let known = ever(&board, stones);
        // By the rules alone: every move of the board is tried in every position.
        let (mut seen, mut ahead) = (HashSet::from([stones]), vec![stones]);
        while let Some(position) = ahead.pop() {
            for m in board.moves().iter().filter(|m| m.is_offered(position)) {
                assert!(known.contains(m), "{} offers {m:?}", board.picture(stones));
                if seen.insert(m.after(position)) {
                    ahead.push(m.after(position));
                }
            }
        }
        assert!(Apart::of(&board, stones, Relation::Ever, 16).is_product(), "{}", board.picture(stones));
    }
}

/// A region that came apart is always noticed nearby, and what nothing reads any longer is dropped.
fn nearby_misses_nothing(game: &impl Game, start: Cells, random: &mut ChaCha8Rng) {
    let mut open = start;
    loop {
        let parts = split(game.moves(), open);
        let Some(&region) = parts.choose(random) else { break };
        let moves: Vec<Cells> =
            game.moves().iter().map(|m| m.turns()).filter(|turns| turns & !region == 0).collect();
        let &gone = moves.choose(random).unwrap();
        let left = region & !gone;
        let near = nearby(game.moves(), left, gone);
        let after = split(game.moves(), left);
        assert!(near.may_split || after.len() <= 1);
        assert_eq!(split(game.moves(), near.left), after);
        if !near.may_split {
            assert_eq!(after.first().copied().unwrap_or(0), near.left);
        }
        open &= !gone;
    }
}

#[test]
fn what_is_nearby_misses_no_split() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let game = DotsAndBoxes::new(Board::new(4, 4).unwrap()).unwrap();
    let board = Domineering::new(6, 6, 0);
    for _ in 0..200 {
        nearby_misses_nothing(&game, game.cells(), &mut random);
        nearby_misses_nothing(&board, board.cells(), &mut random);
    }
}

#[test]
fn known_values_of_domineering() {
    let mut values = Values::new();
    let mut value = |picture: &[&str]| {
        let board = Domineering::drawn(picture);
        Walk::new(&board, Pass::Every).whole(board.cells(), &mut values)
    };
    let zero = value(&["."]);
    let one = value(&[".", "."]);
    let minus_one = value(&[".."]);
    let star = value(&["..", ".#"]);
    let switch = value(&["..", ".."]);
    let three_square = value(&["...", "...", "..."]);
    let four_square = value(&["....", "....", "....", "...."]);
    assert_eq!(zero, Value::ZERO);
    assert_eq!(values.of([vec![zero], vec![]]), one);
    assert_eq!(values.of([vec![], vec![zero]]), minus_one);
    assert_eq!(values.of([vec![zero], vec![zero]]), star);
    assert_eq!(values.of([vec![one], vec![minus_one]]), switch);
    assert_eq!(values.of([vec![one], vec![minus_one]]), three_square);
    assert_eq!(values.sum(one, minus_one), zero);
    assert_eq!(values.sum(star, star), zero);
    assert_eq!(values.sum(switch, switch), zero);
    // Who moves first wins on 4x4.
    assert!(values.wins(four_square, Side::Left) && values.wins(four_square, Side::Right));
    // A half: two of it are one.
    let half = values.of([vec![zero], vec![one]]);
    assert_eq!(values.sum(half, half), one);
    // Dominated and reversible options do not count.
    assert_eq!(values.of([vec![zero, minus_one], vec![]]), one);
    assert_eq!(values.of([vec![star], vec![star]]), zero);
}

/// The value of a position from the rules alone.
fn by_the_rules(position: &Position, known: &mut HashMap<Position, i16>) -> i16 {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let moves: Vec<_> = position.free_edges().map(|e| position.after(e)).collect();
    let value = moves.into_iter().map(|(next, closed)| match closed {
        0 => -by_the_rules(&next, known),
        closed => closed as i16 + by_the_rules(&next, known),
    });
    let value = value.max().unwrap_or(0);
    known.insert(*position, value);
    value
}

/// Whether the mover wins at Nimstring by the rules alone: who has to move and cannot loses.
fn nimstring(position: &Position, known: &mut HashMap<Position, bool>) -> bool {
    if let Some(&wins) = known.get(position) {
        return wins;
    }
    let moves: Vec<_> = position.free_edges().map(|e| position.after(e)).collect();
    let wins = moves.into_iter().any(|(next, closed)| nimstring(&next, known) == (closed > 0));
    known.insert(*position, wins);
    wins
}

#[test]
fn scores_and_nimbers_are_those_of_the_rules() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut known, mut known_nimstring) = (HashMap::new(), HashMap::new());
    let mut wins = [0; 2];
    for _ in 0..200 {
        let (rows, cols, free) = [(2, 3, 13), (3, 3, 13), (2, 4, 13)][random.random_range(0..3)];
        let game = DotsAndBoxes::new(Board::new(rows, cols).unwrap()).unwrap();
        let mut position = Position::empty(game.board());
        while position.free_count() > free || !position.is_quiet() {
            let all: Vec<_> = position.free_edges().collect();
            position.draw(*all.choose(&mut random).unwrap());
        }
        let open = game.free(&position);
        let value = by_the_rules(&position, &mut known);
        let nimstring = nimstring(&position, &mut known_nimstring);
        wins[usize::from(nimstring)] += 1;
        let mut values = Values::new();
        for pass in Pass::ALL {
            assert_eq!(Prover::new(&game, pass).value(open, &mut Depths::default()), value, "{position:?}");
            let nimber = Walk::new(&game, pass).whole(open, &mut values);
            assert_eq!(nimber != Value::ZERO, nimstring, "{position:?}");
        }
    }
    assert!(wins[0] > 0 && wins[1] > 0, "{wins:?}");
}

#[test]
fn a_normal_form_is_the_same_however_a_piece_is_turned() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let game = DotsAndBoxes::new(Board::new(4, 4).unwrap()).unwrap();
    for _ in 0..100 {
        let drawn: Vec<_> = game.board().all_edges().filter(|_| random.random_bool(0.6)).collect();
        let position = Position::with_drawn(game.board(), drawn);
        let form = normal(&game, game.free(&position));
        for symmetry in Symmetry::of(game.board()) {
            let turned = symmetry.position(&position);
            assert_eq!(normal(&game, game.free(&turned)), form, "{position:?}");
        }
    }
}

/// A piece is more than its edges: an edge to the ground and one to another box can lie alike.
#[test]
fn a_normal_form_knows_the_ground() {
    let game = DotsAndBoxes::new(Board::new(4, 4).unwrap()).unwrap();
    let board = game.board();
    let edges = |edges: &[::game::Edge]| edges.iter().fold(0, |all, e| all | 1 << e.index());
    let across = |row: usize, col: usize| edges(&[board.h(row, col), board.h(row + 1, col)]);
    // In the middle both edges lead on to another box; at the border one of them leads to the ground.
    assert_ne!(normal(&game, across(1, 1)), normal(&game, across(0, 0)));
    assert_eq!(normal(&game, across(1, 1)), normal(&game, across(2, 2)));
    assert_eq!(normal(&game, across(0, 0)), normal(&game, across(0, 3)));
    assert_eq!(normal(&game, across(0, 0)), normal(&game, across(3, 1)));
}
