//! Domain types to messages.

use endgame::{Advice, Component, End, Multiset, Opened, OpenedAt, Run, RunState, Structure};
use game::{BoxId, Boxes, Edge, Player, Position, Score};
use oracle::{Budget, EndgameAnswer, NimValue, Nimstring, Outcome, Solution, Source, TakerAnswer};
use play::{
    Assumption, Choice, Control, EndgameAdvice, GameResult, Phase, ResultKind, Review, ReviewedMove, Side,
    Turning, TurningPoint, Verdict, Why,
};
use proto::v1::{
    self, chain, chain_end, exact_solve_response::Margin, exact_solve_response::Outcome as SolveOutcome,
    move_value::Outcome as MoveOutcome, nim_value, opened, outcome, taker_value_response,
};

/// The value of a multiset.
pub(crate) fn endgame_value(answer: EndgameAnswer) -> v1::EndgameValueResponse {
    let (source, table) = source(answer.source);
    v1::EndgameValueResponse {
        value: int(answer.value),
        best_openings: answer.best_openings.into_iter().map(opened).collect(),
        source,
        table,
    }
}

/// Both lines of a taker.
pub(crate) fn taker_value(answer: TakerAnswer) -> v1::TakerValueResponse {
    let (source, table) = source(answer.source);
    let taking = answer.taking;
    let advice = match taking.advice {
        Advice::TakeAll => taker_value_response::Advice::TakeAll,
        Advice::Decline => taker_value_response::Advice::Decline,
        Advice::Either => taker_value_response::Advice::Either,
    };
    v1::TakerValueResponse {
        value: int(taking.value),
        take_all: int(taking.take_all),
        decline: taking.decline.map(int),
        advice: advice.into(),
        bribe: taking.bribe.into(),
        source,
        table,
    }
}

/// The solution of a position, and what the final margin follows from it when the score is known. `exhausted`
/// is the budget that ran out before everything asked for was proven.
pub(crate) fn exact_solve(
    solution: Solution,
    score: Option<Score>,
    exhausted: Option<Budget>,
) -> v1::ExactSolveResponse {
    let (source, table) = source(solution.source);
    let move_value = |m: oracle::MoveValue| v1::MoveValue {
        edge: edge(m.edge),
        outcome: Some(match m.outcome {
            Outcome::Exact(value) => MoveOutcome::Value(int(value)),
            Outcome::Bounds { lower, upper } => MoveOutcome::Bounds(bounds(lower, upper)),
        }),
    };
    v1::ExactSolveResponse {
        outcome: Some(match solution.outcome {
            Outcome::Exact(value) => SolveOutcome::Value(int(value)),
            Outcome::Bounds { lower, upper } => SolveOutcome::Bounds(bounds(lower, upper)),
        }),
        best_moves: edges(&solution.best_moves),
        move_values: solution.move_values.into_iter().map(move_value).collect(),
        principal_variation: edges(&solution.principal_variation),
        source,
        table,
        stats: Some(v1::SolveStats {
            nodes: solution.stats.nodes,
            elapsed_millis: solution.stats.elapsed.as_secs_f64() * 1e3,
            budget_exhausted: exhausted.is_some(),
            budget: exhausted.map(budget),
        }),
        margin: score.map(Score::margin).map(|lead| match solution.outcome {
            Outcome::Exact(value) => Margin::FinalMargin(int(lead + value)),
            Outcome::Bounds { lower, upper } => Margin::FinalMarginBounds(bounds(lead + lower, lead + upper)),
        }),
    }
}

/// The anatomy of a position, with the free edges a search would have to deal with.
pub(crate) fn structure(
    position: &Position,
    found: &Structure,
    search_edges: usize,
) -> v1::StructureResponse {
    let mut regions: Vec<v1::Region> = found
        .regions
        .iter()
        .map(|region| v1::Region {
            boxes: region.boxes.iter().copied().map(box_id).collect(),
            edges: edges(&region.edges),
            ..Default::default()
        })
        .collect();
    let mut region_of = vec![0; position.board().boxes()];
    for (i, region) in found.regions.iter().enumerate() {
        for b in &region.boxes {
            region_of[b.index()] = i;
        }
    }
    // A run or joint lies in the region of any of its boxes, and every open box lies in a region.
    for (i, run) in found.chains.iter().enumerate() {
        regions[region_of[run.boxes[0].index()]].chains.push(i as u32);
    }
    for (i, run) in found.loops.iter().enumerate() {
        regions[region_of[run.boxes[0].index()]].loops.push(i as u32);
    }
    for (i, joint) in found.joints.iter().enumerate() {
        regions[region_of[joint.at.index()]].joints.push(i as u32);
    }
    let free_sides = |b: BoxId| {
        let mut sides: Vec<u32> =
            position.board().sides(b).into_iter().filter(|&e| position.is_free(e)).map(edge).collect();
        sides.sort_unstable();
        sides
    };
    v1::StructureResponse {
        regions,
        chains: found.chains.iter().map(chain).collect(),
        loops: found.loops.iter().map(ring).collect(),
        joints: found
            .joints
            .iter()
            .map(|joint| v1::Joint { r#box: box_id(joint.at), edges: free_sides(joint.at) })
            .collect(),
        safe_moves: edges(&found.safe_moves),
        capture_moves: edges(&found.captures),
        endgame: Some(endgame(&found.isolated())),
        decomposed: found.decomposed().is_some(),
        free_edges: position.free_count() as u32,
        search_edges: search_edges as u32,
        boxes_left: position.boxes_left() as u32,
    }
}

fn chain(run: &Run) -> v1::Chain {
    let state = match run.state() {
        RunState::Isolated => chain::State::Isolated,
        RunState::Attached => chain::State::Attached,
        RunState::HalfOpen => chain::State::HalfOpen,
        RunState::Open => chain::State::Open,
    };
    let end = |end: End| {
        let (kind, joint) = match end {
            End::Ground => (chain_end::Kind::Ground, None),
            End::Joint(at) => (chain_end::Kind::Joint, Some(box_id(at))),
            End::Open => (chain_end::Kind::Opened, None),
        };
        v1::ChainEnd { kind: kind.into(), joint }
    };
    let [first, last] = run.ends.map_or([None, None], |ends| ends.map(|e| Some(end(e))));
    v1::Chain {
        length: run.boxes.len() as u32,
        boxes: run.boxes.iter().copied().map(box_id).collect(),
        edges: edges(&run.edges),
        state: state.into(),
        first,
        last,
    }
}

fn ring(run: &Run) -> v1::Loop {
    v1::Loop {
        length: run.boxes.len() as u32,
        boxes: run.boxes.iter().copied().map(box_id).collect(),
        edges: edges(&run.edges),
    }
}

fn endgame(set: &Multiset) -> v1::Endgame {
    let lengths = |lengths: &[u16]| lengths.iter().copied().map(u32::from).collect();
    v1::Endgame { chains: lengths(set.chains()), loops: lengths(set.loops()) }
}

fn opened(opened: Opened) -> v1::Opened {
    let component = match opened.component() {
        Component::Chain(n) => opened::Component::Chain(n.into()),
        Component::Loop(n) => opened::Component::Loop(n.into()),
    };
    let at = match opened.at() {
        OpenedAt::End => v1::OpenedAt::End,
        OpenedAt::Middle => v1::OpenedAt::Middle,
    };
    v1::Opened { component: Some(component), opened_at: at.into() }
}

/// The source as an enum value, and the table's id.
fn source(source: Source) -> (i32, Option<String>) {
    match source {
        Source::Table(id) => (v1::Source::Table.into(), Some(id.name())),
        Source::Endgame => (v1::Source::Endgame.into(), None),
        Source::Search => (v1::Source::Search.into(), None),
    }
}

pub(crate) fn budget(budget: Budget) -> v1::Budget {
    let millis = |time: std::time::Duration| u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
    v1::Budget { max_nodes: budget.nodes, max_millis: budget.time.map(millis), until_deadline: false }
}

fn bounds(lower: Boxes, upper: Boxes) -> v1::Bounds {
    v1::Bounds { lower: int(lower), upper: int(upper) }
}

fn int(boxes: Boxes) -> i32 {
    boxes.get().into()
}

fn edge(edge: Edge) -> u32 {
    edge.index() as u32
}

fn edges(edges: &[Edge]) -> Vec<u32> {
    edges.iter().copied().map(edge).collect()
}

fn box_id(b: BoxId) -> u32 {
    b.index() as u32
}

/// A turn.
pub(crate) fn best_move(turn: &[Choice]) -> v1::BestMoveResponse {
    let edge = |choice: &Choice| choice.edge.index() as u32;
    let reason = turn.first().map_or(v1::best_move_response::Reason::Unspecified, |first| reason(first.why));
    v1::BestMoveResponse {
        edge: turn.first().map(edge),
        turn: turn.iter().map(edge).collect(),
        proven: turn.iter().all(|choice| choice.proven),
        reason: reason.into(),
    }
}

fn reason(why: Why) -> v1::best_move_response::Reason {
    use v1::best_move_response::Reason;
    match why {
        Why::Any => Reason::Any,
        Why::Takes => Reason::Takes,
        Why::Declines => Reason::Declines,
        Why::Safe => Reason::Safe,
        Why::Sacrifices => Reason::Sacrifices,
        Why::Opens => Reason::Opens,
        Why::Exact => Reason::Exact,
    }
}

/// Advice.
pub(crate) fn endgame_advice(advice: &EndgameAdvice) -> v1::EndgameAdviceResponse {
    use v1::endgame_advice_response::Verdict as Sent;
    let verdict = match advice.verdict {
        Verdict::TakeAll => Sent::TakeAll,
        Verdict::Decline => Sent::Decline,
        Verdict::Either => Sent::Either,
        Verdict::Open => Sent::Open,
        Verdict::Wait => Sent::Wait,
        Verdict::Over => Sent::Over,
        Verdict::Unproven => Sent::Unproven,
    };
    let (source, table) = advice.source.map_or((v1::Source::Unspecified.into(), None), source);
    v1::EndgameAdviceResponse {
        verdict: verdict.into(),
        sentence: advice.to_string(),
        offered: advice.offered.into(),
        bribe: advice.bribe.map_or(0, |bribe| bribe.boxes() as u32),
        take_all: advice.take_all.map(int),
        decline: advice.decline.map(int),
        value: advice.value().map(int),
        rest: advice.rest.map(outcome),
        take_move: advice.take_move.map(edge),
        decline_move: advice.decline_move.map(edge),
        open_move: advice.open_move.map(edge),
        left: advice.left.as_ref().map(endgame),
        source,
        table,
    }
}

/// The long chain rule.
pub(crate) fn controller(control: &Control) -> v1::ControllerResponse {
    use v1::controller_response::{Assumption as Sent, Side as Which};
    let side = |side: Side| match side {
        Side::Mover => Which::Mover,
        Side::Other => Which::Other,
    };
    let assumption = match control.assumption {
        Assumption::Holds => Sent::Holds,
        Assumption::Fails => Sent::Fails,
        Assumption::Either => Sent::Either,
        Assumption::Unsettled => Sent::Unsettled,
    };
    v1::ControllerResponse {
        dots: control.dots as u32,
        free_edges: control.free as u32,
        boxes_left: control.boxes_left as u32,
        long_chains: control.long_chains as u32,
        loops: control.loops as u32,
        assumed_double_crosses: control.assumed as u32,
        turns_left: control.turns_left as u32,
        last_turn: side(control.last_turn).into(),
        favoured: control.favoured().map_or(Which::Unspecified, side).into(),
        assumption: assumption.into(),
        least_double_crosses: control.double_crosses.map(|(least, _)| least as u32),
        most_double_crosses: control.double_crosses.map(|(_, most)| most as u32),
        sentence: control.to_string(),
    }
}

/// A position at nimstring.
pub(crate) fn nimstring(position: &Position, found: &Nimstring) -> v1::NimstringResponse {
    let value = |value: NimValue| v1::NimValue {
        worth: Some(match value {
            NimValue::Nimber(n) => nim_value::Worth::Nimber(n.into()),
            NimValue::Loony => nim_value::Worth::Loony(true),
        }),
    };
    let regions = Structure::of(position).regions.into_iter().zip(&found.regions);
    v1::NimstringResponse {
        value: found.value.map(value),
        regions: regions
            .map(|(region, worth)| v1::NimRegion {
                boxes: region.boxes.into_iter().map(box_id).collect(),
                value: worth.map(value),
            })
            .collect(),
        moves: found
            .moves
            .iter()
            .map(|m| v1::NimMove { edge: edge(m.edge), value: m.value.map(value), again: m.again })
            .collect(),
        winning_moves: found.moves.iter().filter(|m| m.wins() == Some(true)).map(|m| edge(m.edge)).collect(),
        nodes: found.nodes,
    }
}

/// A reviewed game.
pub(crate) fn review_game(review: &Review) -> v1::ReviewGameResponse {
    v1::ReviewGameResponse {
        moves: review.moves.iter().map(reviewed_move).collect(),
        result: Some(game_result(&review.result)),
        losing_move: review.losing_move.map(|i| i as u32),
        turning_point: review.turning_point.as_ref().map(turning_point),
        proven_from: review.proven_from as u32,
        sources: review.sources.iter().map(|&s| source(s).0).collect(),
    }
}

fn reviewed_move(m: &ReviewedMove) -> v1::ReviewedMove {
    use v1::reviewed_move::Phase as Sent;
    let phase = match m.phase {
        Phase::Opening => Sent::Opening,
        Phase::Taking => Sent::Taking,
        Phase::Endgame => Sent::Endgame,
    };
    v1::ReviewedMove {
        edge: edge(m.edge),
        player: player(Some(m.player)),
        closed: m.closed.into(),
        phase: phase.into(),
        before: Some(outcome(m.before)),
        after: Some(outcome(m.after)),
        lost: m.lost.map(u32::from),
        best_moves: edges(&m.best),
        offered: m.offered.into(),
        greed_is_free: m.greed_is_free,
        handed: m.handed.into(),
    }
}

fn game_result(result: &GameResult) -> v1::GameResult {
    use v1::game_result::Kind;
    let kind = match result.kind {
        ResultKind::FullBoard => Kind::FullBoard,
        ResultKind::Tie => Kind::Tie,
        ResultKind::Majority => Kind::Majority,
        ResultKind::AgreedDraw => Kind::AgreedDraw,
        ResultKind::Resignation => Kind::Resignation,
        ResultKind::Unfinished => Kind::Unfinished,
    };
    let [first, second] = result.boxes.map(u32::from);
    v1::GameResult { kind: kind.into(), winner: player(result.winner), first, second }
}

fn turning_point(turning: &TurningPoint) -> v1::TurningPoint {
    use v1::turning_point::Kind;
    let kind = match turning.turning {
        Turning::OpenedChain => Kind::OpenedChain,
        Turning::GaveUpControl => Kind::GaveUpControl,
    };
    v1::TurningPoint {
        r#move: turning.at as u32,
        kind: kind.into(),
        scorer: player(turning.scorer),
        run: turning.run.into(),
        left: Some(endgame(&turning.left)),
        decomposed: turning.decomposed,
    }
}

fn player(player: Option<Player>) -> i32 {
    let sent = match player {
        None => v1::Player::Unspecified,
        Some(Player::First) => v1::Player::First,
        Some(Player::Second) => v1::Player::Second,
    };
    sent.into()
}

fn outcome(outcome: Outcome) -> v1::Outcome {
    v1::Outcome {
        known: Some(match outcome {
            Outcome::Exact(value) => outcome::Known::Value(int(value)),
            Outcome::Bounds { lower, upper } => outcome::Known::Bounds(bounds(lower, upper)),
        }),
    }
}
