//! What the players promise.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use game::{Board, Boxes, Game, Player, Position};
use oracle::{Budget, Config, Oracle, Question};
use play::{Chooser, Match, Style, Terms, Why, play_out};
use tables::Catalogue;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// With the tables of a few boards, and small searches beside them.
static ORACLE: LazyLock<Oracle> = LazyLock::new(|| {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("play-tables");
    std::fs::create_dir_all(&dir).unwrap();
    let specs = generate::parse(&["2x2", "2x3", "3x3", "3x4", "endgame:20"]).unwrap();
    let anew = generate::Options { force: true, ..Default::default() };
    generate::make(&specs, &dir, anew, &|_| {}, &GO_ON).unwrap();
    Oracle::with_config(Catalogue::open(&dir), Config { threads: 1, table_bytes: 1 << 22 })
});

fn terms() -> Terms<'static> {
    Terms { oracle: &ORACLE, budget: Budget { nodes: Some(2_000), time: None }, cancel: &GO_ON }
}

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

/// A complete game has every edge once and every box an owner, and T = d + D (Berlekamp).
fn is_whole(game: &Game, board: Board) {
    assert_eq!(game.moves().len(), board.edges());
    assert!(game.is_over() && board.all_boxes().all(|b| game.owner(b).is_some()));
    assert_eq!(game.turns(), board.dots() + game.double_crosses());
}

#[test]
fn every_player_plays_every_board_to_the_last_edge() {
    for rows in 1..=8 {
        for cols in 1..=8 {
            for (i, &style) in Style::ALL.iter().enumerate() {
                let other = Style::ALL[(i + rows as usize + cols as usize) % Style::ALL.len()];
                let seed = u64::from(rows * 8 + cols);
                let finished =
                    play_out(Position::empty(board(rows, cols)), [style, other], seed, terms()).unwrap();
                is_whole(&finished.game, board(rows, cols));
            }
        }
    }
}

/// A player that is exact from some number of free edges down says so when the budget does not let it be.
#[test]
fn what_a_budget_does_not_prove_is_not_called_proven() {
    let no_nodes = Budget { nodes: Some(0), time: None };
    let no_tables = Oracle::with_config(Catalogue::empty(), Config { threads: 1, table_bytes: 1 << 20 });
    // 3x3 with its upper and lower borders drawn: 18 edges are free.
    let board = board(3, 3);
    let borders = (0..3).flat_map(|col| [board.h(0, col), board.h(3, col)]);
    let position = Position::with_drawn(board, borders);
    let choose = |budget| Chooser::new(&no_tables, Style::CHAIN, 1).within(budget, &GO_ON).choose(&position);
    assert!(!choose(no_nodes).unwrap().proven);
    assert!(choose(Budget::UNLIMITED).unwrap().proven);
}

#[test]
fn a_player_is_a_pure_function() {
    for style in Style::ALL {
        let game =
            |seed| play_out(Position::empty(board(3, 4)), [style, Style::Greedy], seed, terms()).unwrap();
        assert_eq!(game(5), game(5));
        let first = |seed| game(seed).game.moves()[0].edge;
        assert!((0..20).any(|seed| first(seed) != first(20)), "{style} is not always of one mind");
    }
}

#[test]
fn perfect_against_perfect_keeps_the_value() {
    for (rows, cols, value) in [(2, 2, 2), (2, 3, -2), (3, 3, -3), (3, 4, 0)] {
        for seed in 0..5 {
            let players = [Style::Perfect; 2];
            let finished = play_out(Position::empty(board(rows, cols)), players, seed, terms()).unwrap();
            assert!(finished.proven);
            assert_eq!(finished.game.margin(), Boxes(value), "{rows}x{cols}");
        }
    }
}

/// From every opening of two moves on 3x3 that one in either seat is played out from.
#[test]
fn perfect_never_ends_below_the_value_it_started_from() {
    let empty = Position::empty(board(3, 3));
    let others = [Style::Random, Style::Greedy, Style::Sensible, Style::CHAIN, Style::Easy, Style::Hard];
    for first in board(3, 3).all_edges() {
        for second in board(3, 3).all_edges().filter(|&e| e > first) {
            let start = empty.after(first).0.after(second).0;
            let Some(Boxes(value)) =
                ORACLE.solve(&start, &Question::default(), &GO_ON).unwrap().outcome.exact()
            else {
                panic!("a table knows 3x3")
            };
            let seed = (first.index() * 100 + second.index()) as u64;
            let other = others[seed as usize % others.len()];
            let margin = |players| play_out(start, players, seed, terms()).unwrap().game.margin().0;
            assert!(margin([Style::Perfect, other]) >= value, "{start} against {other}");
            assert!(margin([other, Style::Perfect]) <= value, "{start} against {other}");
        }
    }
}

#[test]
fn within_is_never_further_than_it_says() {
    for boxes in [0, 1, 2, 5] {
        let style = Style::Within { boxes };
        for seed in 0..10 {
            let finished =
                play_out(Position::empty(board(3, 3)), [style, Style::Sensible], seed, terms()).unwrap();
            let mut position = Position::empty(board(3, 3));
            for m in finished.game.moves() {
                let value = |p: &Position| {
                    ORACLE.solve(p, &Question::default(), &GO_ON).unwrap().outcome.exact().unwrap()
                };
                let best = value(&position);
                let (next, closed) = position.after(m.edge);
                let after = if closed > 0 { value(&next) + Boxes(closed as i16) } else { -value(&next) };
                if m.player == Player::First {
                    assert!(best - after <= Boxes(boxes as i16), "{position} {:?}", m.edge);
                }
                position = next;
            }
        }
    }
}

#[test]
fn a_turn_is_the_edges_one_by_one() {
    // A chain of four boxes opened, another of five behind it: take two, and leave two.
    let board = board(2, 5);
    let walls = board.all_edges().filter(|&e| board.locate(e).0);
    let mut position = Position::with_drawn(board, walls);
    position.draw(board.v(0, 0));
    let turn = Chooser::new(&ORACLE, Style::Chain { exact: 0, parity: false }, 3).turn(&position);
    assert!(turn.iter().all(|choice| choice.why == Why::Declines), "{turn:?}");
    let edges: Vec<usize> = turn.iter().map(|choice| choice.edge.index()).collect();
    let columns = [1, 2, 3, 5].map(|c| board.v(0, c).index());
    assert_eq!(edges, columns, "three of five are taken, and the last edge leaves two");
    let exact = Chooser::new(&ORACLE, Style::Perfect, 3).turn(&position);
    assert_eq!(exact.len(), 4);
}

#[test]
fn the_chain_player_beats_the_greedy_one_and_that_the_random_one() {
    let play = |players| Match::play(board(4, 4), players, 200, 1, terms()).unwrap();
    let greedy = play([Style::Greedy, Style::Random]);
    assert!(greedy.mean_margin() >= 12.0, "{greedy:?}");
    let chain = play([Style::CHAIN, Style::Greedy]);
    assert!(chain.won >= 160, "{chain:?}");
}
