//! A game, looked at again.
//!
//! Values are worked out from the last position backwards, so that each is a position the next ones were answers to, until
//! one cannot be proven within the budget. From there on back nothing is claimed but what follows: a position is worth at
//! least what the move that was played is worth.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use endgame::{Multiset, Offer, Structure};
use game::{Boxes, Edge, Game, Player, Position};
use oracle::{Budget, Oracle, Outcome, Question, Source};
use thiserror::Error;

/// How the players stopped, as far as the record itself does not say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ending {
    /// After the last move; nobody says more.
    #[default]
    Stopped,
    /// They agreed on a draw.
    AgreedDraw,
    /// This player resigned.
    Resigned(Player),
}

/// What kind of result a game has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResultKind {
    /// Every edge is drawn, and one player has more boxes.
    FullBoard,
    /// Every edge is drawn, and both have as many boxes.
    Tie,
    /// Edges are free, but one player has more than half of all boxes.
    Majority,
    /// A draw was agreed.
    AgreedDraw,
    /// One player resigned.
    Resignation,
    /// None of these: edges are free and nobody has more than half. Also when both have half but one box.
    Unfinished,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameResult {
    /// What kind.
    pub kind: ResultKind,
    /// Who won, if anybody did.
    pub winner: Option<Player>,
    /// The boxes of the first and of the second player.
    pub boxes: [u16; 2],
}

/// Where in the game a move was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Nothing was on offer and some edge gave nothing away.
    Opening,
    /// Boxes were on offer.
    Taking,
    /// Nothing was on offer and every edge gave something away.
    Endgame,
}

/// One move of a reviewed game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewedMove {
    /// The edge.
    pub edge: Edge,
    /// Who drew it.
    pub player: Player,
    /// How many boxes it closed.
    pub closed: u8,
    /// Where in the game.
    pub phase: Phase,
    /// What the position before was worth to the player, over the rest of the game.
    pub before: Outcome,
    /// What the move left of that: the boxes it closed and what came after, to the same player.
    pub after: Outcome,
    /// How many boxes the move lost against the best, if that is proven. Always even: boxes left are so many, and what
    /// both players net of them differs from that by twice what one of them gets.
    pub lost: Option<u16>,
    /// Every best move, ascending; empty where that is not proven.
    pub best: Vec<Edge>,
    /// How many boxes were on offer.
    pub offered: u16,
    /// With boxes on offer, whether taking them all was among the best, if that is proven.
    pub greed_is_free: Option<bool>,
    /// How many boxes it put on offer to the other player.
    pub handed: u16,
}

/// What the first turning point of a game was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turning {
    /// With nothing on offer the move offered three boxes or more, of which the other player could decline some: it
    /// opened a long chain or a loop.
    OpenedChain,
    /// With a way to decline that was better the move took too much to decline any more.
    GaveUpControl,
}

/// The first move that opened a chain or gave up control, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurningPoint {
    /// Which move, from 0.
    pub at: usize,
    /// What it did.
    pub turning: Turning,
    /// Who scored right after it, if anybody did.
    pub scorer: Option<Player>,
    /// How many boxes, move after move.
    pub run: u16,
    /// The isolated chains and loops that were left to open then.
    pub left: Multiset,
    /// Whether those were all that was left.
    pub decomposed: bool,
}

/// A game, looked at again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Review {
    /// How it ended.
    pub result: GameResult,
    /// Every move.
    pub moves: Vec<ReviewedMove>,
    /// The move that lost the game: the loser's last one that turned a game not lost, with best play, into a lost one.
    /// `None` where nobody won, where the loser was not losing when the game ended, or where that is not proven.
    pub losing_move: Option<usize>,
    /// The first move that opened a chain or gave up control; `None` also where it is not proven which was.
    pub turning_point: Option<TurningPoint>,
    /// From this move on every value is proven.
    pub proven_from: usize,
    /// Who gave the values, in the order in which they did, each once.
    pub sources: Vec<Source>,
}

/// Why a record is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EndingError {
    /// It goes on to the last edge and is then said to have ended before.
    #[error("every edge is drawn, so the game did not end in a draw by agreement or in a resignation")]
    FullBoard,
}

/// A game from the empty board, and how it ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    game: Game,
    result: GameResult,
}

impl Record {
    /// A game that stopped like this.
    ///
    /// # Errors
    /// When it cannot have.
    pub fn new(game: Game, ending: Ending) -> Result<Record, EndingError> {
        let boxes = [Player::First, Player::Second].map(|player| game.boxes(player));
        let leader = match boxes[0].cmp(&boxes[1]) {
            std::cmp::Ordering::Greater => Some(Player::First),
            std::cmp::Ordering::Less => Some(Player::Second),
            std::cmp::Ordering::Equal => None,
        };
        let half = game.position().board().boxes() / 2;
        let has_most = boxes.iter().any(|&n| usize::from(n) > half);
        let (kind, winner) = match (game.is_over(), ending) {
            (true, Ending::Stopped) if leader.is_none() => (ResultKind::Tie, None),
            (true, Ending::Stopped) => (ResultKind::FullBoard, leader),
            (true, Ending::AgreedDraw | Ending::Resigned(_)) => return Err(EndingError::FullBoard),
            (false, Ending::Resigned(player)) => (ResultKind::Resignation, Some(player.other())),
            (false, Ending::AgreedDraw) => (ResultKind::AgreedDraw, None),
            (false, Ending::Stopped) if has_most => (ResultKind::Majority, leader),
            (false, Ending::Stopped) => (ResultKind::Unfinished, None),
        };
        Ok(Record { game, result: GameResult { kind, winner, boxes } })
    }

    /// How the game ended.
    pub const fn result(&self) -> GameResult {
        self.result
    }
}

impl Review {
    /// Looks at a game again. The nodes of the budget are for each position, its time is for all of them.
    pub fn of(oracle: &Oracle, record: &Record, budget: Budget, cancel: &AtomicBool) -> Review {
        let Record { game, result } = record;
        let mut positions = vec![*game.start()];
        for m in game.moves() {
            let next = positions[positions.len() - 1].after(m.edge).0;
            positions.push(next);
        }
        let mut judge = Judge {
            oracle,
            budget,
            cancel,
            started: Instant::now(),
            rests: HashMap::new(),
            sources: Vec::new(),
        };
        let mut moves = Vec::with_capacity(game.moves().len());
        // The position after the last move, seen by whoever moves there.
        let mut next = judge.solve(&positions[game.moves().len()]);
        let end = next.outcome;
        for (m, position) in game.moves().iter().zip(&positions).rev() {
            let after = to_mover(m.closed, next.outcome);
            let known = match next.outcome {
                Outcome::Exact(_) => judge.solve(position),
                Outcome::Bounds { .. } => Judged::unknown(position),
            };
            let before = at_least(known.outcome, after);
            let lost = match (before, after) {
                (Outcome::Exact(before), Outcome::Exact(after)) => {
                    Some((before - after).get().unsigned_abs())
                }
                _ => None,
            };
            let offer = Offer::of(position);
            let phase = match (offer.boxes, Structure::of(position).safe_moves.is_empty()) {
                (1.., _) => Phase::Taking,
                (0, false) => Phase::Opening,
                (0, true) => Phase::Endgame,
            };
            let handed = if m.closed == 0 { Offer::of(&position.after(m.edge).0).boxes } else { 0 };
            let greed_is_free = judge.greed_is_free(&offer, before);
            moves.push(ReviewedMove {
                edge: m.edge,
                player: m.player,
                closed: m.closed,
                phase,
                before,
                after,
                lost,
                best: known.best,
                offered: offer.boxes,
                greed_is_free,
                handed,
            });
            next = Judged { outcome: before, best: Vec::new() };
        }
        moves.reverse();
        let proven_from = moves.iter().rposition(|m| m.before.exact().is_none()).map_or(0, |i| i + 1);
        let losing_move = result.winner.and_then(|winner| losing_move(&moves, end, winner.other()));
        let turning_point = turning_point(&moves, &positions);
        Review { result: *result, moves, losing_move, turning_point, proven_from, sources: judge.sources }
    }
}

/// What a position is worth to its mover, and its best moves, as far as that is proven.
struct Judged {
    outcome: Outcome,
    best: Vec<Edge>,
}

impl Judged {
    /// Nothing but that nobody can take more than there is.
    fn unknown(position: &Position) -> Judged {
        let most = Boxes(position.boxes_left() as i16);
        Judged { outcome: Outcome::Bounds { lower: -most, upper: most }, best: Vec::new() }
    }
}

/// Asks the oracle, within what is left of the budget.
struct Judge<'a> {
    oracle: &'a Oracle,
    budget: Budget,
    cancel: &'a AtomicBool,
    started: Instant,
    /// What is left behind the offers met so far: every position of a turn has the same.
    rests: HashMap<Position, Outcome>,
    sources: Vec<Source>,
}

impl Judge<'_> {
    fn solve(&mut self, position: &Position) -> Judged {
        if position.free_count() == 0 {
            return Judged { outcome: Outcome::Exact(Boxes::ZERO), best: Vec::new() };
        }
        let time = self.budget.time.map(|time| time.saturating_sub(self.started.elapsed()));
        // Even what needs no search takes its time on a large board.
        if time.is_some_and(|left| left.is_zero()) || self.cancel.load(Ordering::Relaxed) {
            return Judged::unknown(position);
        }
        let question = Question { budget: Budget { time, ..self.budget }, ..Question::default() };
        // Too much to search is not to be known, either.
        let Ok(solved) = self.oracle.solve(position, &question, self.cancel) else {
            return Judged::unknown(position);
        };
        if !self.sources.contains(&solved.source) {
            self.sources.push(solved.source);
        }
        Judged { outcome: solved.outcome, best: solved.best_moves }
    }

    /// Whether taking everything on offer reaches the value.
    fn greed_is_free(&mut self, offer: &Offer, value: Outcome) -> Option<bool> {
        if offer.boxes == 0 {
            return None;
        }
        if offer.bribe.is_none() {
            return Some(true);
        }
        let value = value.exact()?;
        let rest = match self.rests.get(&offer.rest) {
            Some(&rest) => rest,
            None => {
                let rest = self.solve(&offer.rest).outcome;
                self.rests.insert(offer.rest, rest);
                rest
            }
        };
        Some(offer.taking(rest.exact()?).take_all == value)
    }
}

/// What a move is worth to its player that closed so many boxes and led to a position of this worth.
fn to_mover(closed: u8, next: Outcome) -> Outcome {
    let to_mover = |value: Boxes| if closed > 0 { Boxes(closed.into()) + value } else { -value };
    match next {
        Outcome::Exact(value) => Outcome::Exact(to_mover(value)),
        Outcome::Bounds { lower, upper } => {
            let (a, b) = (to_mover(lower), to_mover(upper));
            Outcome::Bounds { lower: a.min(b), upper: a.max(b) }
        }
    }
}

/// What is known of a position in which a move of this worth was played: it is worth that at least.
fn at_least(known: Outcome, played: Outcome) -> Outcome {
    let least = match played {
        Outcome::Exact(value) => value,
        Outcome::Bounds { lower, .. } => lower,
    };
    match known {
        Outcome::Exact(value) => Outcome::Exact(value),
        Outcome::Bounds { lower, upper } if lower.max(least) == upper => Outcome::Exact(upper),
        Outcome::Bounds { lower, upper } => Outcome::Bounds { lower: lower.max(least), upper },
    }
}

/// The last move of the loser after which the game was lost with best play, and before which it was not; none when the
/// game was not lost any more when it ended, as when a player resigns who is not losing.
fn losing_move(moves: &[ReviewedMove], end: Outcome, loser: Player) -> Option<usize> {
    // The loser's lead before each move.
    let mut lead = Boxes::ZERO;
    let mut found = None;
    for (i, m) in moves.iter().enumerate() {
        let to_loser =
            |outcome: Outcome| outcome.exact().map(|v| if m.player == loser { lead + v } else { lead - v });
        if to_loser(m.before).is_none_or(|margin| margin >= Boxes::ZERO) {
            found = None;
            let lost = to_loser(m.after).is_some_and(|margin| margin < Boxes::ZERO);
            if m.player == loser && m.before.exact().is_some() && lost {
                found = Some(i);
            }
        }
        let closed = Boxes(m.closed.into());
        lead = if m.player == loser { lead + closed } else { lead - closed };
    }
    let last = moves.last()?;
    // Who moves in the last position: whoever drew the last edge, if it closed a box.
    let mover = if last.closed > 0 { last.player } else { last.player.other() };
    let end = end.exact()?;
    let margin = if mover == loser { lead + end } else { lead - end };
    found.filter(|_| margin < Boxes::ZERO)
}

/// The first move that opened a chain or gave up control. None as soon as it is not proven whether an earlier one did.
fn turning_point(moves: &[ReviewedMove], positions: &[Position]) -> Option<TurningPoint> {
    // Whether a move turned the game, and how; `Err` where that is not proven, and nothing after it can be the first.
    let turned = |i: usize, m: &ReviewedMove| -> Result<Option<Turning>, ()> {
        let bribe = |position: &Position| Offer::of(position).bribe;
        match m.phase {
            Phase::Taking if m.closed > 0 && bribe(&positions[i]).is_some() => match m.lost {
                None => Err(()),
                Some(0) => Ok(None),
                Some(_) => Ok(Some(Turning::GaveUpControl)),
            },
            Phase::Opening | Phase::Endgame if m.handed >= 3 && bribe(&positions[i + 1]).is_some() => {
                Ok(Some(Turning::OpenedChain))
            }
            _ => Ok(None),
        }
    };
    let found = moves.iter().enumerate().find_map(|(i, m)| match turned(i, m) {
        Ok(turning) => Some(Ok((i, turning?))),
        Err(()) => Some(Err(())),
    });
    let (at, turning) = found?.ok()?;
    let scorer = moves.get(at + 1).filter(|m| m.closed > 0).map(|m| m.player);
    let scored: Vec<u16> = moves[at + 1..]
        .iter()
        .take_while(|m| m.closed > 0 && Some(m.player) == scorer)
        .map(|m| m.closed.into())
        .collect();
    let structure = Structure::of(&Offer::of(&positions[at + 1 + scored.len()]).rest);
    let (left, decomposed) = (structure.isolated(), structure.decomposed().is_some());
    Some(TurningPoint { at, turning, scorer, run: scored.iter().sum(), left, decomposed })
}
