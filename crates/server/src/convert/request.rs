//! Messages to domain types. Nothing is repaired: what breaks a rule is a violation.

use std::time::Duration;

use endgame::{Component, Multiset, MultisetError, Opened, OpenedAt};
use game::{Board, Edges, Game, Player, Position, Score, Setup};
use oracle::Budget;
use play::{Ending, Record};
use proto::v1::{self, opened, position::Drawing};

use crate::refusal::{Refusal, Violation};

/// The position in the field `position`, and the score if there is one.
pub(crate) fn position(sent: Option<v1::Position>) -> Result<(Position, Option<Score>), Violation> {
    let sent = sent.ok_or_else(|| required("position"))?;
    let edges = match sent.drawing {
        Some(Drawing::Edges(text)) => Edges::Text(text),
        Some(Drawing::Drawn(bits)) => Edges::Bits(bits),
        None => return Err(Violation::new("position.edges", "required, unless drawn is sent")),
    };
    let score = sent.score.map(|score| (score.mover, score.other));
    let setup = Setup { rows: sent.rows, cols: sent.cols, edges, score };
    setup.position().map_err(|e| Violation::new(format!("position.{}", e.field()), e.to_string()))
}

/// The multiset in this field.
pub(crate) fn multiset(sent: &v1::Endgame, field: &str) -> Result<Multiset, Violation> {
    Multiset::new(&sent.chains, &sent.loops).map_err(|e| {
        // A total is the fault of the whole message, not of one list in it.
        let path = match e {
            MultisetError::TooManyComponents { .. } | MultisetError::TooManyBoxes { .. } => field.to_owned(),
            _ => format!("{field}.{}", e.field()),
        };
        Violation::new(path, e.to_string())
    })
}

/// The multiset in the field `endgame`, which must be there.
pub(crate) fn endgame(sent: Option<v1::Endgame>) -> Result<Multiset, Violation> {
    multiset(&sent.ok_or_else(|| required("endgame"))?, "endgame")
}

/// The component in the field `opened`, and how it was opened.
pub(crate) fn opened(sent: Option<v1::Opened>) -> Result<Opened, Violation> {
    let sent = sent.ok_or_else(|| required("opened"))?;
    let at = match v1::OpenedAt::try_from(sent.opened_at) {
        Ok(v1::OpenedAt::End) => OpenedAt::End,
        Ok(v1::OpenedAt::Middle) => OpenedAt::Middle,
        Err(_) => {
            let description = format!("must be END (0) or MIDDLE (1), not {}", sent.opened_at);
            return Err(Violation::new("opened.opened_at", description));
        }
    };
    let (field, kind, sent): (_, fn(u16) -> Component, _) = match sent.component {
        Some(opened::Component::Chain(n)) => ("opened.chain", Component::Chain, n),
        Some(opened::Component::Loop(n)) => ("opened.loop", Component::Loop, n),
        None => return Err(Violation::new("opened.chain", "required, unless loop is sent")),
    };
    let too_long = |_| MultisetError::TooManyBoxes { found: sent.into() };
    u16::try_from(sent).map_err(too_long).and_then(|n| Opened::new(kind(n), at)).map_err(|e| {
        let field = if matches!(e, MultisetError::TooManyBoxes { .. }) { field } else { e.field() };
        Violation::new(field, e.to_string())
    })
}

/// The taker's question: what was opened, and the rest. Says everything that is wrong with both.
pub(crate) fn taker(sent: v1::TakerValueRequest) -> Result<(Opened, Multiset), Refusal> {
    match (opened(sent.opened), multiset(&sent.rest.unwrap_or_default(), "rest")) {
        (Ok(opened), Ok(rest)) => Ok((opened, rest)),
        (Err(opened), Err(rest)) => Err(Refusal::Invalid(vec![opened, rest])),
        (Err(violation), _) | (_, Err(violation)) => Err(violation.into()),
    }
}

/// The game of a record, and how it ended.
pub(crate) fn record(sent: &v1::ReviewGameRequest) -> Result<Record, Violation> {
    use v1::review_game_request::Ending as Sent;
    let board = Board::new(sent.rows, sent.cols).map_err(|e| Violation::new(e.side, e.to_string()))?;
    let ending = match Sent::try_from(sent.ending) {
        Ok(Sent::Stopped) => Ending::Stopped,
        Ok(Sent::AgreedDraw) => Ending::AgreedDraw,
        Ok(Sent::FirstResigned) => Ending::Resigned(Player::First),
        Ok(Sent::SecondResigned) => Ending::Resigned(Player::Second),
        Err(_) => {
            let description = format!(
                "must be STOPPED (0), AGREED_DRAW (1), FIRST_RESIGNED (2) or SECOND_RESIGNED (3), not {}",
                sent.ending
            );
            return Err(Violation::new("ending", description));
        }
    };
    let moves = sent.moves.iter().map(|&edge| edge as usize);
    let game =
        Game::replay(board, moves).map_err(|(i, e)| Violation::new(format!("moves[{i}]"), e.to_string()))?;
    Record::new(game, ending).map_err(|e| Violation::new("ending", e.to_string()))
}

/// The budget asked for; what it leaves open is no limit.
pub(crate) fn budget(sent: v1::Budget) -> Budget {
    Budget { nodes: sent.max_nodes, time: sent.max_millis.map(|ms| Duration::from_millis(ms.into())) }
}

fn required(field: &str) -> Violation {
    Violation::new(field, "required")
}
