//! What people write, and what is written to be read again.

use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use endgame::Multiset;
use facts::GameFact;
use game::{Board, Edges, Game, Player, Position, Setup};
use generate::Spec;
use play::{Ending, Record, Style};
use search::{Budget, Config, Solver};
use tables::{Digest, Manifest, TableId};

use crate::cli::duration;
use crate::cli::notation::{ScoreArg, Size};

/// Every decoder of text gets the whole of it; most say no at once. What one reads it prints, and reads the same again.
///
/// # Panics
/// When that is not so.
pub fn notation(bytes: &[u8]) {
    checkpoint(bytes);
    let Ok(text) = str::from_utf8(bytes) else { return };
    same_again::<TableId>(text);
    same_again::<Spec>(text);
    same_again::<Style>(text);
    same_again::<Digest>(text);
    specs(text);
    file_name(text);
    time(text);
    score(text);
    position(text);
    multiset(text);
    manifest(text);
    text.lines().for_each(record);
}

/// What is read prints, and is read the same again.
fn same_again<T>(text: &str)
where
    T: FromStr + Display + PartialEq + Debug,
    T::Err: Display,
{
    match text.parse::<T>() {
        Ok(read) => assert_eq!(read.to_string().parse().ok(), Some(read)),
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}

/// Names of tables to make, each table once.
fn specs(text: &str) {
    let names: Vec<&str> = text.split_whitespace().collect();
    if let Ok(specs) = generate::parse(&names) {
        assert!(specs.iter().enumerate().all(|(i, spec)| !specs[..i].contains(spec)), "{specs:?}");
        let printed: Vec<String> = specs.iter().map(Spec::to_string).collect();
        assert_eq!(generate::parse(&printed), Ok(specs));
    }
}

fn file_name(text: &str) {
    if let Some(id) = TableId::of_file_name(text) {
        assert_eq!(id.file_name(), text);
    }
}

/// Whole milliseconds are read as they are written; and so is every time, to a nanosecond.
fn time(text: &str) {
    if let Ok(millis) = duration::millis(text) {
        assert_eq!(duration::millis(&format!("{millis}ms")), Ok(millis));
        assert!(duration::parse(text).is_ok_and(|time| time.as_millis() == u128::from(millis)));
    }
}

fn score(text: &str) {
    if let Ok(ScoreArg { mover, other }) = text.parse() {
        let printed = format!("{mover}-{other}").parse::<ScoreArg>();
        assert!(printed.is_ok_and(|again| (again.mover, again.other) == (mover, other)));
    }
}

fn size(text: &str) -> Option<Size> {
    let Size { rows, cols } = text.parse().ok()?;
    let printed = format!("{rows}x{cols}").parse::<Size>();
    assert!(printed.is_ok_and(|again| (again.rows, again.cols) == (rows, cols)));
    Some(Size { rows, cols })
}

/// Numbers with commas between them.
fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',').filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

/// A size and drawn edges: as text, as numbers, and packed into bits, which come to the same.
fn position(text: &str) {
    let (size_text, edges) = text.split_once(' ').unwrap_or((text, ""));
    let Some(Size { rows, cols }) = size(size_text) else { return };
    let setup = |edges| Setup { rows, cols, edges, score: None }.position();
    let board = Board::new(rows, cols);
    assert_eq!(board.is_ok(), setup(Edges::Numbers(Vec::new())).is_ok());
    let ways = [Some(Edges::Text(edges.into())), numbers(edges).map(Edges::Numbers)];
    for edges in ways.into_iter().flatten() {
        match setup(edges) {
            Ok((position, _)) => {
                assert_eq!(Ok(position.board()), board);
                the_same_in_every_way(position, setup);
            }
            Err(refused) => assert!(["rows", "cols", "edges", "drawn"].contains(&refused.field())),
        }
    }
}

fn the_same_in_every_way<E: Debug>(
    position: Position,
    setup: impl Fn(Edges) -> Result<(Position, Option<game::Score>), E>,
) {
    let drawn: Vec<u32> = position.drawn().iter().map(|edge| edge.index() as u32).collect();
    let mut bits = vec![0; position.board().edges().div_ceil(8)];
    drawn.iter().for_each(|&edge| bits[edge as usize / 8] |= 1 << (edge % 8));
    for edges in [Edges::Text(position.to_string()), Edges::Numbers(drawn), Edges::Bits(bits)] {
        let (again, score) = setup(edges).expect("a position is read again");
        assert_eq!((again, score), (position, None));
    }
}

/// Lengths of chains, and after a slash those of loops.
fn multiset(text: &str) {
    let (chains, loops) = text.split_once('/').unwrap_or((text, ""));
    let (Some(chains), Some(loops)) = (numbers(chains), numbers(loops)) else { return };
    let Ok(set) = Multiset::new(&chains, &loops) else { return };
    let sum: u32 = chains.iter().chain(&loops).sum();
    assert_eq!((set.boxes(), set.components().count()), (sum as usize, chains.len() + loops.len()));
    let lengths = |lengths: &[u16]| lengths.iter().copied().map(u32::from).collect::<Vec<_>>();
    assert_eq!(Multiset::new(&lengths(set.chains()), &lengths(set.loops())), Ok(set.clone()));
    // Printed longest first, in words.
    let printed = set.to_string();
    let (printed_chains, printed_loops) = match printed.split_once("loops ") {
        Some((chains, loops)) => (chains, loops),
        None => (&*printed, ""),
    };
    let words = |text: &str| numbers(&text.replace(|c: char| !c.is_ascii_digit() && c != ',', ""));
    let again = words(printed_chains).zip(words(printed_loops));
    assert_eq!(again.map(|(chains, loops)| Multiset::new(&chains, &loops)), Some(Ok(set)));
}

fn manifest(text: &str) {
    match Manifest::parse(text) {
        Ok(manifest) => assert_eq!(Manifest::parse(&manifest.to_string()), Ok(manifest)),
        Err(refused) => assert!(!refused.is_empty()),
    }
}

/// The record of a game: it replays, or the first move that cannot be played is named; and what replays obeys the laws
/// of the game, and is taken back to where it began.
fn record(line: &str) {
    let Ok(fact) = serde_json::from_str::<GameFact>(line) else { return };
    let Ok(board) = Board::new(fact.rows, fact.cols) else { return };
    let mut game = match Game::replay(board, fact.moves.iter().copied()) {
        Ok(game) => game,
        Err((at, refused)) => {
            assert!(Game::replay(board, fact.moves[..at].iter().copied()).is_ok(), "{refused}");
            return;
        }
    };
    let printed: Vec<usize> = game.moves().iter().map(|m| m.edge.index()).collect();
    assert_eq!(printed, fact.moves);
    let closed: u16 = game.moves().iter().map(|m| u16::from(m.closed)).sum();
    assert_eq!(usize::from(closed), game.position().closed_boxes());
    assert_eq!(game.boxes(Player::First) + game.boxes(Player::Second), closed);
    if game.is_over() {
        assert_eq!(game.turns(), board.dots() + game.double_crosses());
    }
    for ending in [Ending::Stopped, Ending::AgreedDraw, Ending::Resigned(Player::First)] {
        match Record::new(game.clone(), ending) {
            Ok(record) => assert_eq!(record.result().boxes.iter().sum::<u16>(), closed),
            Err(_) => assert!(game.is_over() && ending != Ending::Stopped),
        }
    }
    while game.undo().is_some() {}
    assert_eq!(game, Game::new(board));
}

/// The position whose checkpoints are read.
pub(crate) fn searched() -> Position {
    Position::empty(Board::new(2, 2).expect("2x2 is a board"))
}

/// A solver of it, with a table as small as can be.
pub(crate) fn solver() -> Solver {
    Solver::new(&searched(), Config { threads: 1, table_bytes: 1 << 16 }).expect("2x2 can be searched")
}

/// A checkpoint that is gone on from is written back as it was, and does not change the value.
fn checkpoint(bytes: &[u8]) {
    // To make a solver takes longer than all the rest.
    static MAGIC: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut bytes = Vec::new();
        solver().save(&mut bytes).expect("memory takes what is written");
        bytes.truncate(8);
        bytes
    });
    if !bytes.starts_with(&MAGIC) {
        return;
    }
    let mut solver = solver();
    if solver.resume(&mut &*bytes).is_ok() {
        let mut again = Vec::new();
        solver.save(&mut again).expect("memory takes what is written");
        assert!(again == bytes, "a checkpoint is written as it was read");
        solver.start(Budget::UNLIMITED);
        assert_eq!(solver.value(&AtomicBool::new(false)).exact(), Some(game::Boxes(2)));
    }
}
