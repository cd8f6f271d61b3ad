//! Games looked at again.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use facts::Values;
use game::{Board, Boxes, Game, Player, Position};
use oracle::{Budget, Config, Oracle, Outcome};
use play::{
    Ending, EndingError, GameResult, Phase, Record, ResultKind, Review, Style, Terms, Turning, play_out,
};
use tables::Catalogue;

static GO_ON: AtomicBool = AtomicBool::new(false);

static ORACLE: LazyLock<Oracle> =
    LazyLock::new(|| Oracle::with_config(Catalogue::empty(), Config { threads: 1, table_bytes: 16 << 20 }));

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn replay(rows: u32, cols: u32, moves: &[usize]) -> Game {
    Game::replay(board(rows, cols), moves.iter().copied()).unwrap()
}

fn review(game: Game, ending: Ending, budget: Budget) -> Review {
    Review::of(&ORACLE, &Record::new(game, ending).unwrap(), budget, &GO_ON)
}

fn result(game: &Game, ending: Ending) -> GameResult {
    Record::new(game.clone(), ending).unwrap().result()
}

/// The games of another program, up to 3x3. Every value is proven, and the margin is the value of the board less what the
/// first player lost and more what the second did: every move is accounted for.
#[test]
fn what_the_moves_lost_makes_up_the_margin() {
    let (mut games, mut lost_at_all) = (0, 0);
    for fact in facts::games() {
        if fact.rows * fact.cols > 9 || fact.moves.is_empty() {
            continue;
        }
        let game = replay(fact.rows, fact.cols, &fact.moves);
        if !game.is_over() {
            continue;
        }
        let Boxes(margin) = game.margin();
        let moves = game.moves().to_vec();
        let found = review(game, Ending::Stopped, Budget::UNLIMITED);
        assert_eq!((found.proven_from, found.moves.len()), (0, moves.len()));
        let lost = |player: Player| {
            let lost = found.moves.iter().filter(|m| m.player == player).map(|m| m.lost.unwrap());
            lost.inspect(|lost| assert_eq!(lost % 2, 0)).sum::<u16>() as i16
        };
        let start = found.moves[0].before.exact().unwrap().get();
        assert_eq!(margin, start - lost(Player::First) + lost(Player::Second), "{:?}", fact.moves);
        // A best move is one that loses nothing.
        for m in &found.moves {
            assert_eq!(m.best.contains(&m.edge), m.lost == Some(0));
        }
        lost_at_all += u32::from(lost(Player::First) > 0);
        games += 1;
    }
    assert!(games > 50 && lost_at_all > 20, "{games} {lost_at_all}");
}

/// Why a move always loses an even number: what both net of the boxes left differs from their number by twice what one of
/// them gets, so all values of a position have its parity. On every position of 3x3, from the rules alone.
#[test]
fn every_value_has_the_parity_of_the_boxes_left() {
    let board = board(3, 3);
    let values = Values::of_board(3, 3);
    let sides: Vec<usize> =
        board.all_boxes().map(|b| board.sides(b).into_iter().map(|e| 1 << e.index()).sum()).collect();
    for drawn in 0..1usize << 24 {
        let left = sides.iter().filter(|&&sides| drawn & sides != sides).count() as i16;
        assert_eq!((values.at(drawn) - left) % 2, 0, "{drawn:024b}");
    }
}

/// Whether taking everything was free, and phases, on a game in which a 3-chain is handed over while another waits.
#[test]
fn a_game_of_two_chains() {
    let board = board(2, 3);
    // Two rows of three boxes: everything between and around the rows first, then the upper row is opened.
    let horizontals = (0..9).collect::<Vec<_>>();
    let left = |row| board.v(row, 0).index();
    let greedy = [left(0), left(0) + 1, left(0) + 2, left(0) + 3];
    let moves: Vec<usize> = horizontals.iter().copied().chain(greedy).collect();
    let found = review(replay(2, 3, &moves), Ending::Stopped, Budget::UNLIMITED);
    let opening = &found.moves[9];
    assert_eq!((opening.phase, opening.handed, opening.lost), (Phase::Endgame, 3, Some(0)));
    assert_eq!(opening.before, Outcome::Exact(Boxes(-2)));
    // The taker takes the first box, as declining does, and the second, as declining does not.
    let [first, second] = [&found.moves[10], &found.moves[11]];
    assert_eq!((first.phase, first.offered, first.greed_is_free), (Phase::Taking, 3, Some(false)));
    assert_eq!((first.lost, second.lost), (Some(0), Some(2)));
    let turning = found.turning_point.unwrap();
    assert_eq!((turning.at, turning.turning, turning.run), (9, Turning::OpenedChain, 3));
    assert_eq!((turning.left.chains(), turning.decomposed), (&[3][..], true));
    // Nobody has more than half of the boxes, so nobody lost.
    assert_eq!(found.result.kind, ResultKind::Unfinished);
    assert_eq!(found.losing_move, None);
    // Declining instead, the taker wins, and the opener had lost before.
    let declined =
        [left(0), left(0) + 1, left(0) + 3, left(0) + 2, left(1), left(1) + 1, left(1) + 2, left(1) + 3];
    let moves: Vec<usize> = horizontals.into_iter().chain(declined).collect();
    let found = review(replay(2, 3, &moves), Ending::Stopped, Budget::UNLIMITED);
    assert_eq!((found.result.kind, found.result.boxes), (ResultKind::FullBoard, [4, 2]));
    let losing = &found.moves[found.losing_move.unwrap()];
    assert_eq!(losing.player, Player::Second);
    assert!(losing.lost > Some(0) && losing.phase == Phase::Opening);
}

#[test]
fn ends_are_told_apart() {
    let one = replay(1, 1, &[0, 1, 2, 3]);
    assert_eq!(
        result(&one, Ending::Stopped),
        GameResult { kind: ResultKind::FullBoard, winner: Some(Player::Second), boxes: [0, 1] }
    );
    for ending in [Ending::AgreedDraw, Ending::Resigned(Player::First)] {
        assert_eq!(Record::new(one.clone(), ending).unwrap_err(), EndingError::FullBoard);
    }
    let begun = replay(2, 2, &[0, 1]);
    let kinds = [
        (Ending::Stopped, ResultKind::Unfinished, None),
        (Ending::AgreedDraw, ResultKind::AgreedDraw, None),
        (Ending::Resigned(Player::First), ResultKind::Resignation, Some(Player::Second)),
        (Ending::Resigned(Player::Second), ResultKind::Resignation, Some(Player::First)),
    ];
    for (ending, kind, winner) in kinds {
        assert_eq!(result(&begun, ending), GameResult { kind, winner, boxes: [0, 0] });
    }
}

/// Of random games on 4x4 and 5x5, every prefix: the kind of result follows from the boxes alone. Ties, and
/// 12 to 12 with a box open, are among them.
#[test]
fn an_open_box_is_no_tie() {
    let terms = Terms { oracle: &ORACLE, budget: Budget { nodes: Some(1_000), time: None }, cancel: &GO_ON };
    let (mut ties, mut half) = (0, 0);
    for seed in 0..2_000 {
        let side = 4 + seed as u32 % 2;
        let start = Position::empty(board(side, side));
        let finished = play_out(start, [Style::Random; 2], seed, terms).unwrap().game;
        let boxes = side as u16 * side as u16;
        let mut game = Game::new(board(side, side));
        for m in finished.moves() {
            game.play(m.edge).unwrap();
            let found = result(&game, Ending::Stopped);
            let [first, second] = found.boxes;
            let kind = match (first + second == boxes, first.max(second) * 2 > boxes) {
                (true, _) if first == second => ResultKind::Tie,
                (true, _) => ResultKind::FullBoard,
                (false, true) => ResultKind::Majority,
                (false, false) => ResultKind::Unfinished,
            };
            assert_eq!(found.kind, kind);
            assert_eq!(found.winner.is_some(), matches!(kind, ResultKind::FullBoard | ResultKind::Majority));
            ties += u32::from(kind == ResultKind::Tie);
            half += u32::from((first, second) == (12, 12) && kind == ResultKind::Unfinished);
        }
    }
    assert!(ties > 0 && half > 0, "{ties} {half}");
}

/// Without a budget nothing is claimed before the end, and every interval holds the value.
#[test]
fn what_is_not_proven_is_not_claimed() {
    let terms = Terms { oracle: &ORACLE, budget: Budget { nodes: Some(1_000), time: None }, cancel: &GO_ON };
    let game = play_out(Position::empty(board(3, 3)), [Style::Random, Style::Greedy], 5, terms).unwrap().game;
    let known = review(game.clone(), Ending::Stopped, Budget::UNLIMITED);
    let some = review(game.clone(), Ending::Stopped, Budget { nodes: Some(30), time: None });
    assert!(some.proven_from > 0 && some.proven_from < game.moves().len(), "{}", some.proven_from);
    for (known, some) in known.moves.iter().zip(&some.moves) {
        let Outcome::Exact(value) = known.before else { unreachable!("there was no limit") };
        match some.before {
            Outcome::Exact(found) => assert_eq!(found, value),
            Outcome::Bounds { lower, upper } => {
                assert!(lower <= value && value <= upper);
                assert_eq!((some.lost, &some.best[..]), (None, &[][..]));
            }
        }
    }
}

/// A game in which move 14 gave up control, and one after it opened a chain. With no node to spend the former is not proven,
/// so the latter must not be called the first.
#[test]
fn a_turning_point_is_the_first_or_not_named() {
    let moves = [4, 22, 20, 5, 12, 0, 15, 18, 16, 11, 9, 10, 1, 19, 8, 23, 13, 3, 14, 2, 6, 21, 7, 17];
    let turning = |nodes| {
        let found = review(replay(3, 3, &moves), Ending::Stopped, Budget { nodes, time: None });
        found.turning_point.map(|point| (point.at, point.turning))
    };
    assert_eq!(turning(None), Some((14, Turning::GaveUpControl)));
    assert_eq!(turning(Some(0)), None);
}

/// A player who resigns while winning has no move to blame.
#[test]
fn who_resigns_a_won_game_has_no_losing_move() {
    let moves = [1, 0, 8, 9, 4, 7, 3];
    let found = review(replay(2, 2, &moves), Ending::Resigned(Player::First), Budget::UNLIMITED);
    assert_eq!(found.losing_move, None);
}

/// A budget of no time, or a review that is cancelled, claims nothing but the end of the game.
#[test]
fn no_time_is_no_claim() {
    let terms = Terms { oracle: &ORACLE, budget: Budget { nodes: Some(1_000), time: None }, cancel: &GO_ON };
    let game = play_out(Position::empty(board(3, 3)), [Style::Greedy; 2], 5, terms).unwrap().game;
    let none = review(game.clone(), Ending::Stopped, Budget { nodes: None, time: Some(Duration::ZERO) });
    assert!(none.sources.is_empty() && none.proven_from > 20, "{}", none.proven_from);
    let record = Record::new(game, Ending::Stopped).unwrap();
    let cancelled = Review::of(&ORACLE, &record, Budget::UNLIMITED, &AtomicBool::new(true));
    assert_eq!(cancelled, none);
}
