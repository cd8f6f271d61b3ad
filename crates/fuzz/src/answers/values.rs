//! Answers about the value of a position, held against plain enumeration where little is left.

use facts::Values;
use game::{Edge, Position};
use play::Style;
use proto::v1::{
    BestMoveRequest, BestMoveResponse, Bounds, EndgameAdviceResponse, ExactSolveRequest, ExactSolveResponse,
    Outcome, endgame_advice_response::Verdict, exact_solve_response, move_value, outcome,
};

use super::{ascend, position, read};

/// With so many free edges every position that can follow is enumerated: a thousand.
const FEW: usize = 10;

/// What is true of a position: nothing is known but what the number of boxes says, or every value.
pub(super) struct True {
    position: Position,
    values: Option<Values>,
}

impl True {
    pub(super) fn of(position: &Position) -> True {
        let board = position.board();
        let values = (position.free_count() <= FEW)
            .then(|| Values::below(board.rows(), board.cols(), &position.to_string()));
        True { position: *position, values }
    }

    /// Whether every value is known.
    pub(super) const fn is_known(&self) -> bool {
        self.values.is_some()
    }

    /// The value of a position that follows, or of this one.
    fn value(&self, later: &Position) -> Option<i32> {
        let values = self.values.as_ref()?;
        let drawn = self.position.free_edges().enumerate();
        let mask = drawn.filter(|&(_, edge)| !later.is_free(edge)).map(|(i, _)| 1 << i).sum();
        Some(values.at(mask).into())
    }

    /// The value of a move in a position that follows, to its player.
    fn worth(&self, later: &Position, edge: Edge) -> Option<i32> {
        let (next, closed) = later.after(edge);
        let value = self.value(&next)?;
        Some(if closed > 0 { closed as i32 + value } else { -value })
    }

    /// Holds what is claimed of a position that follows against the truth.
    pub(super) fn holds(&self, later: &Position, claimed: (i32, i32)) {
        is_possible(later, claimed);
        self.contains(self.value(later), claimed);
    }

    /// Holds what is claimed of a move in a position that follows against the truth.
    pub(super) fn holds_of(&self, later: &Position, edge: Edge, claimed: (i32, i32)) {
        is_possible(later, claimed);
        self.contains(self.worth(later, edge), claimed);
    }

    fn contains(&self, value: Option<i32>, (lower, upper): (i32, i32)) {
        if let Some(value) = value {
            assert!((lower..=upper).contains(&value), "{value}, not {lower} to {upper}: {:?}", self.position);
        }
    }

    /// Holds a list of all the best moves of a position that follows, if one is given, against the truth.
    pub(super) fn best(&self, later: &Position, best: &[u32]) {
        assert!(ascend(best));
        let best: Vec<Edge> = best.iter().map(|&number| free(later, number)).collect();
        let (Some(value), false) = (self.value(later), best.is_empty()) else { return };
        let reaching = later.free_edges().filter(|&edge| self.worth(later, edge) == Some(value));
        assert_eq!(best, reaching.collect::<Vec<_>>(), "{later:?}");
    }
}

/// Bounds are in order, and nobody nets more boxes than there are; what is exact has the parity of those.
fn is_possible(position: &Position, (lower, upper): (i32, i32)) {
    let left = position.boxes_left() as i32;
    assert!(-left <= lower && lower <= upper && upper <= left, "{lower} to {upper} of {left} boxes");
    assert!(lower < upper || (lower + left) % 2 == 0, "{lower} of {left} boxes");
}

fn free(position: &Position, number: u32) -> Edge {
    let edge = position.board().edge(number as usize).filter(|&edge| position.is_free(edge));
    edge.expect("a move draws a free edge")
}

fn of_bounds(bounds: &Bounds) -> (i32, i32) {
    (bounds.lower, bounds.upper)
}

/// Bounds, which are equal when the outcome is exact.
pub(super) fn of(outcome: Option<&Outcome>) -> (i32, i32) {
    match outcome.and_then(|outcome| outcome.known.as_ref()).expect("an outcome is set") {
        outcome::Known::Value(value) => (*value, *value),
        outcome::Known::Bounds(bounds) => of_bounds(bounds),
    }
}

pub(super) fn solve(sent: ExactSolveRequest, found: &ExactSolveResponse) {
    use exact_solve_response::{Margin, Outcome};
    let (position, score) = read(sent.position).expect("what was answered is a position");
    let truth = True::of(&position);
    let (outcome, exact) = match found.outcome.as_ref().expect("an outcome is set") {
        Outcome::Value(value) => ((*value, *value), true),
        Outcome::Bounds(bounds) => (of_bounds(bounds), false),
    };
    truth.holds(&position, outcome);
    let margin = found.margin.as_ref().map(|margin| match margin {
        Margin::FinalMargin(value) => (*value, *value),
        Margin::FinalMarginBounds(bounds) => of_bounds(bounds),
    });
    let lead = score.map(|score| i32::from(score.margin().get()));
    assert_eq!(margin, lead.map(|lead| (lead + outcome.0, lead + outcome.1)));

    truth.best(&position, &found.best_moves);
    let edges: Vec<u32> = found.move_values.iter().map(|m| m.edge).collect();
    let all = position.free_edges().map(|edge| edge.index() as u32);
    assert_eq!(edges, all.filter(|_| sent.all_moves).collect::<Vec<_>>());
    let mut exact_moves = true;
    for m in &found.move_values {
        let worth = match m.outcome.as_ref().expect("an outcome is set") {
            move_value::Outcome::Value(value) => (*value, *value),
            move_value::Outcome::Bounds(bounds) => {
                exact_moves = false;
                of_bounds(bounds)
            }
        };
        truth.holds_of(&position, free(&position, m.edge), worth);
    }

    let mut line = (position, outcome.0);
    assert!(found.principal_variation.is_empty() || sent.principal_variation && exact);
    for &number in &found.principal_variation {
        let (now, value) = line;
        let edge = free(&now, number);
        truth.holds_of(&now, edge, (value, value));
        let (next, closed) = now.after(edge);
        line = (next, if closed > 0 { value - closed as i32 } else { -value });
    }
    let over = position.free_count() == 0;
    let whole_line = !sent.principal_variation || line.0.free_count() == 0;
    let complete = exact && exact_moves && (over || !found.best_moves.is_empty()) && whole_line;
    let stats = found.stats.as_ref().expect("a solve says what it cost");
    assert_eq!(stats.budget_exhausted, !complete);
    assert_eq!(stats.budget.is_some(), stats.budget_exhausted);
}

pub(super) fn best_move(sent: BestMoveRequest, found: &BestMoveResponse) {
    let start = position(sent.position);
    let style: Style = sent.player.parse().expect("what was answered is a player");
    assert_eq!(found.edge, found.turn.first().copied());
    let truth = True::of(&start);
    let mut position = start;
    let mut closed = 1;
    for &number in &found.turn {
        assert!(closed > 0, "a turn ends with the edge that closes nothing");
        let edge = free(&position, number);
        if let (true, Some(value), Some(worth)) =
            (found.proven, truth.value(&position), truth.worth(&position, edge))
        {
            match style {
                Style::Perfect => assert_eq!(worth, value, "{position:?}"),
                Style::Within { boxes } => assert!(value - worth <= i32::from(boxes), "{position:?}"),
                _ => {}
            }
        }
        closed = position.draw(edge);
    }
    assert!(closed == 0 || position.free_count() == 0, "a turn is whole");
}

pub(super) fn advice(position: &Position, found: &EndgameAdviceResponse) {
    let truth = True::of(position);
    let over = position.free_count() == 0;
    let offers = found.offered > 0;
    assert!(!found.sentence.is_empty());
    assert_eq!(offers, !position.is_quiet());
    assert!(found.offered as usize <= position.boxes_left());
    assert!([0, 2, 4].contains(&found.bribe) && found.bribe <= found.offered);
    assert_eq!((found.take_move.is_some(), found.decline_move.is_some()), (offers, found.bribe > 0));
    assert_eq!(found.verdict() == Verdict::Over, over);
    if matches!(found.verdict(), Verdict::Open | Verdict::Wait | Verdict::Over) {
        assert!(!offers);
    }
    for number in [found.take_move, found.decline_move, found.open_move].into_iter().flatten() {
        free(position, number);
    }
    if let Some(value) = found.value {
        truth.holds(position, (value, value));
        match found.verdict() {
            Verdict::TakeAll => assert_eq!(Some(value), found.take_all),
            Verdict::Decline => assert_eq!(Some(value), found.decline),
            Verdict::Either => assert_eq!(found.take_all, found.decline),
            _ => {}
        }
    }
    // What a verdict tells to draw is worth what it says.
    let told: &[Option<u32>] = match found.verdict() {
        Verdict::TakeAll => &[found.take_move],
        Verdict::Decline => &[found.decline_move],
        Verdict::Either => &[found.take_move, found.decline_move],
        Verdict::Open => &[found.open_move],
        _ => &[],
    };
    for number in told {
        let edge = free(position, number.expect("a verdict names its move"));
        assert_eq!(truth.worth(position, edge), truth.value(position), "{position:?} {:?}", found.verdict());
    }
}
