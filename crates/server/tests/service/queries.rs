//! Each query, answered.

use std::sync::atomic::AtomicBool;

use game::{Board, Edge};
use oracle::{Budget, Oracle};
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::exact_solve_response::{Margin, Outcome};
use proto::v1::taker_value_response::Advice;
use proto::v1::{self, Source, chain, chain_end, move_value};
use server::{Budgets, Config};
use tables::Catalogue;
use tonic_health::pb::health_check_response::ServingStatus;

use crate::support::*;

#[tokio::test]
async fn endgame_values() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let answer = client.endgame_value(endgame_value(&[9, 5, 2], &[])).await.unwrap().into_inner();
    assert_eq!((answer.value, answer.source()), (8, Source::Endgame));
    assert_eq!(answer.table, None);
    // Opening the 2-chain in its middle gives 2 boxes and keeps x = -2 - EV({9, 5}) = 8.
    let middle = v1::Opened { opened_at: v1::OpenedAt::Middle.into(), ..chain(2) };
    assert_eq!(answer.best_openings, [middle]);

    let answer = client.endgame_value(endgame_value(&[], &[])).await.unwrap().into_inner();
    assert_eq!((answer.value, answer.best_openings), (0, vec![]));
    let answer = client.endgame_value(endgame_value(&[3, 3], &[4])).await.unwrap().into_inner();
    assert_eq!(answer.value, -2);
}

#[tokio::test]
async fn taker_values() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut ask = async |opened, rest| {
        let answer = client.taker_value(taker_value(opened, rest)).await.unwrap().into_inner();
        (answer.value, answer.take_all, answer.decline, answer.advice(), answer.bribe)
    };
    assert_eq!(ask(chain(3), endgame(&[3], &[])).await, (2, 0, Some(2), Advice::Decline, 2));
    assert_eq!(ask(chain(3), endgame(&[], &[])).await, (3, 3, Some(-1), Advice::TakeAll, 2));
    assert_eq!(ask(chain(4), endgame(&[3, 3], &[])).await, (2, 2, Some(2), Advice::Either, 2));
    assert_eq!(ask(ring(4), endgame(&[], &[4])).await, (0, 0, Some(0), Advice::Either, 4));
    assert_eq!(ask(chain(1), endgame(&[3], &[])).await, (-2, -2, None, Advice::TakeAll, 0));
    let middle = v1::Opened { opened_at: v1::OpenedAt::Middle.into(), ..chain(2) };
    assert_eq!(ask(middle, endgame(&[3], &[])).await, (-1, -1, None, Advice::TakeAll, 0));

    let no_rest = v1::TakerValueRequest { opened: Some(chain(3)), rest: None };
    assert_eq!(client.taker_value(no_rest).await.unwrap().into_inner().value, 3);
}

#[tokio::test]
async fn exact_values_with_every_move_and_a_line() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let request =
        v1::ExactSolveRequest { all_moves: true, principal_variation: true, ..exact_solve(empty(2, 2)) };
    let answer = client.exact_solve(request).await.unwrap().into_inner();
    assert_eq!(answer.outcome, Some(Outcome::Value(2)));
    assert_eq!((answer.source(), answer.margin), (Source::Search, None));
    let moves: Vec<u32> = answer.move_values.iter().map(|m| m.edge).collect();
    assert_eq!(moves, (0..12).collect::<Vec<_>>());
    let best: Vec<u32> = answer
        .move_values
        .iter()
        .filter(|m| m.outcome == Some(move_value::Outcome::Value(2)))
        .map(|m| m.edge)
        .collect();
    assert_eq!(answer.best_moves, best);
    assert_eq!(answer.principal_variation.len(), 12);
    let stats = answer.stats.unwrap();
    assert!(stats.nodes > 0 && stats.elapsed_millis > 0.0 && !stats.budget_exhausted);
    assert_eq!(stats.budget, None);
}

#[tokio::test]
async fn a_score_gives_the_final_margin() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut margin = async |position: v1::Position, mover, other| {
        let position = v1::Position { score: Some(v1::Score { mover, other }), ..position };
        let answer = client.exact_solve(exact_solve(position)).await.unwrap().into_inner();
        (answer.outcome.unwrap(), answer.margin.unwrap())
    };
    // The left box of 1x2 is closed, the right has three free edges: the mover draws the last of them.
    let half = text(1, 2, "1010110");
    assert_eq!(margin(half.clone(), 0, 1).await, (Outcome::Value(1), Margin::FinalMargin(0)));
    assert_eq!(margin(half, 1, 0).await, (Outcome::Value(1), Margin::FinalMargin(2)));
    assert_eq!(margin(text(1, 1, "1111"), 0, 1).await, (Outcome::Value(0), Margin::FinalMargin(-1)));
}

#[tokio::test]
async fn drawn_bits_say_the_same_as_text() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let drawing = v1::position::Drawing::Drawn(vec![0b0011_0101]);
    let position = v1::Position { rows: 1, cols: 2, drawing: Some(drawing), score: None };
    let bits = client.exact_solve(exact_solve(position)).await.unwrap().into_inner();
    let text = client.exact_solve(exact_solve(text(1, 2, "1010110"))).await.unwrap().into_inner();
    assert_eq!((bits.outcome, bits.best_moves), (text.outcome, text.best_moves));
}

#[tokio::test]
async fn a_spent_budget_gives_bounds_and_says_so() {
    let max = Budget { nodes: Some(2_000), time: None };
    let config = Config { budgets: Budgets { max, ..Default::default() }, ..Default::default() };
    let running = Running::ready(config).await;
    let mut client = running.client().await;
    for (asked, applied) in [(Some(0), 0), (Some(u64::MAX), 2_000), (None, 2_000)] {
        let position = v1::Position { score: Some(v1::Score::default()), ..empty(4, 4) };
        let budget = Some(v1::Budget { max_nodes: asked, max_millis: None, ..Default::default() });
        let request = v1::ExactSolveRequest { budget, all_moves: true, ..exact_solve(position) };
        let answer = client.exact_solve(request).await.unwrap().into_inner();
        let Some(Outcome::Bounds(bounds)) = answer.outcome else { panic!("{answer:?}") };
        assert!(-16 <= bounds.lower && bounds.lower < bounds.upper && bounds.upper <= 16, "{bounds:?}");
        assert_eq!(answer.margin, Some(Margin::FinalMarginBounds(bounds)));
        assert_eq!(answer.best_moves, [0u32; 0]);
        assert_eq!(answer.move_values.len(), 40);
        let stats = answer.stats.unwrap();
        assert!(stats.budget_exhausted);
        assert_eq!(stats.budget.unwrap().max_nodes, Some(applied));
    }
}

#[tokio::test]
async fn a_board_that_is_chains_goes_through_all_three_queries() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let request = v1::StructureRequest { position: Some(nine_five_two()) };
    let structure = client.structure(request).await.unwrap().into_inner();
    let mut lengths: Vec<u32> = structure.chains.iter().map(|c| c.length).collect();
    lengths.sort_unstable();
    assert_eq!(lengths, [2, 5, 9]);
    assert_eq!((structure.regions.len(), structure.loops.len(), structure.joints.len()), (3, 0, 0));
    for (i, c) in structure.chains.iter().enumerate() {
        assert_eq!((c.boxes.len(), c.edges.len()), (c.length as usize, c.length as usize + 1));
        assert_eq!(c.state(), chain::State::Isolated);
        let ends = [c.first.unwrap(), c.last.unwrap()];
        assert!(ends.iter().all(|end| end.kind() == chain_end::Kind::Ground && end.joint.is_none()));
        let region: Vec<_> = structure.regions.iter().filter(|r| r.chains.contains(&(i as u32))).collect();
        assert_eq!(region.len(), 1);
        assert!(c.boxes.iter().all(|b| region[0].boxes.contains(b)));
    }
    assert!(structure.decomposed);
    assert_eq!((structure.free_edges, structure.search_edges, structure.boxes_left), (19, 0, 16));
    assert_eq!((structure.safe_moves, structure.capture_moves), (vec![], vec![]));

    let request = v1::EndgameValueRequest { endgame: structure.endgame };
    assert_eq!(client.endgame_value(request).await.unwrap().into_inner().value, 8);
    let solved = client.exact_solve(exact_solve(nine_five_two())).await.unwrap().into_inner();
    assert_eq!((solved.outcome, solved.source()), (Some(Outcome::Value(8)), Source::Endgame));
}

#[tokio::test]
async fn structure_tells_joints_loops_and_open_ends_apart() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut ask = async |position| {
        let request = v1::StructureRequest { position: Some(position) };
        client.structure(request).await.unwrap().into_inner()
    };
    // The four boxes of 2x2 in a ring.
    let board = Board::new(2, 2).unwrap();
    let ring = ask(free(board, &[board.h(1, 0), board.h(1, 1), board.v(0, 1), board.v(1, 1)])).await;
    assert_eq!((ring.chains.len(), ring.loops.len()), (0, 1));
    assert_eq!(ring.loops[0].boxes, [0, 1, 3, 2]);
    assert_eq!(ring.loops[0].edges.len(), 4);
    assert_eq!(ring.endgame, Some(endgame(&[], &[4])));

    // One row of five: a joint in the middle with a pair on either side, the right pair opened.
    let board = Board::new(1, 5).unwrap();
    let edges = [board.v(0, 0), board.v(0, 1), board.v(0, 2), board.h(0, 2), board.v(0, 3), board.v(0, 4)];
    let row = ask(free(board, &edges)).await;
    assert_eq!(row.joints, [v1::Joint { r#box: 2, edges: vec![2, 12, 13] }]);
    let [left, right] = &row.chains[..] else { panic!("{row:?}") };
    assert_eq!((left.state(), left.edges.as_slice()), (chain::State::Attached, &[10, 11, 12][..]));
    assert_eq!(left.first.unwrap().kind(), chain_end::Kind::Ground);
    assert_eq!(left.last, Some(v1::ChainEnd { kind: chain_end::Kind::Joint.into(), joint: Some(2) }));
    assert_eq!((right.state(), right.length, right.edges.len()), (chain::State::HalfOpen, 2, 2));
    assert_eq!(row.capture_moves, [14]);
    assert!(!row.decomposed);
    // Taking the right pair closes the joint into the left chain: three boxes, all isolated.
    assert_eq!(row.search_edges, 0);
}

#[tokio::test]
async fn a_large_board_of_chains_is_answered_without_search() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let board = Board::new(32, 32).unwrap();
    // Every column a chain of 32 boxes.
    let columns: Vec<_> =
        (0..=32).flat_map(|r| (0..32).map(move |c| (r, c))).map(|(r, c)| board.h(r, c)).collect();
    let solved = client.exact_solve(exact_solve(free(board, &columns))).await.unwrap().into_inner();
    // cv = 32 chains of 32 - 4 each, + 4.
    assert_eq!((solved.outcome, solved.source()), (Some(Outcome::Value(-(32 * 28 + 4))), Source::Endgame));
    assert_eq!(solved.best_moves.len(), columns.len());
    assert_eq!(solved.stats.unwrap().nodes, 0);
}

#[tokio::test]
async fn with_tables_the_source_is_a_table_and_the_answers_stay() {
    let dir = tempfile::tempdir().unwrap();
    let specs = generate::parse(&["2x2", "endgame:12"]).unwrap();
    generate::make(&specs, dir.path(), Default::default(), &|_| (), &AtomicBool::new(false)).unwrap();
    let path = dir.path().to_owned();
    let running = Running::start(move || Oracle::new(Catalogue::open(&path)), Config::default()).await;
    running.until(ServingStatus::Serving).await;
    let mut tabled = running.client().await;
    let bare = Running::ready(Config::default()).await;
    let mut bare = bare.client().await;

    let request = v1::ExactSolveRequest { all_moves: true, ..exact_solve(empty(2, 2)) };
    let solved = tabled.exact_solve(request.clone()).await.unwrap().into_inner();
    assert_eq!((solved.source(), solved.table.as_deref()), (Source::Table, Some("board-2x2")));
    let searched = bare.exact_solve(request).await.unwrap().into_inner();
    assert_eq!((solved.outcome, solved.best_moves), (searched.outcome, searched.best_moves));
    assert_eq!(solved.move_values, searched.move_values);

    let request = endgame_value(&[3, 2], &[4]);
    let read = tabled.endgame_value(request.clone()).await.unwrap().into_inner();
    assert_eq!((read.source(), read.table.as_deref()), (Source::Table, Some("endgame-12")));
    let computed = bare.endgame_value(request).await.unwrap().into_inner();
    assert_eq!((read.value, read.best_openings), (computed.value, computed.best_openings));

    let request = taker_value(chain(3), endgame(&[3], &[]));
    let taken = tabled.taker_value(request).await.unwrap().into_inner();
    assert_eq!((taken.source(), taken.table.as_deref()), (Source::Table, Some("endgame-12")));
    assert_eq!(taken.advice(), Advice::Decline);
}

/// Answered in the order of the blocks they are in, returned in the order they came.
#[tokio::test]
async fn a_batch_comes_back_in_its_order() {
    let dir = tempfile::tempdir().unwrap();
    let specs = generate::parse(&["2x2", "1x7"]).unwrap();
    generate::make(&specs, dir.path(), Default::default(), &|_| (), &AtomicBool::new(false)).unwrap();
    let path = dir.path().to_owned();
    let running = Running::start(move || Oracle::new(Catalogue::open(&path)), Config::default()).await;
    running.until(ServingStatus::Serving).await;
    let mut client = running.client().await;
    let board = |rows, cols| Board::new(rows, cols).unwrap();
    let requests: Vec<v1::EvaluateRequest> = (0..300usize)
        .map(|i| {
            let board = [board(7, 1), board(2, 2), board(1, 7), board(2, 3)][i % 4];
            // Every edge but a few, which are others each time.
            let few: Vec<Edge> = (0..3).filter_map(|k| board.edge((i * 7 + k * 5) % board.edges())).collect();
            let query = match i % 9 {
                0 => Query::EndgameValue(endgame_value(&[1 + i as u32 % 30], &[])),
                1 => Query::ExactSolve(v1::ExactSolveRequest::default()),
                _ => Query::ExactSolve(exact_solve(free(board, &few))),
            };
            item(i.to_string(), query)
        })
        .collect();
    let batch = v1::EvaluateBatchRequest { requests: requests.clone() };
    let responses = client.evaluate_batch(batch).await.unwrap().into_inner().responses;
    assert_eq!(responses.len(), requests.len());
    for (request, mut together) in requests.into_iter().zip(responses) {
        assert_eq!(request.id, together.id);
        let batch = v1::EvaluateBatchRequest { requests: vec![request] };
        let mut alone = client.evaluate_batch(batch).await.unwrap().into_inner().responses;
        for response in alone.iter_mut().chain([&mut together]) {
            if let Some(Answer::ExactSolve(solved)) = &mut response.answer {
                solved.stats = None;
            }
        }
        assert_eq!(alone, [together]);
    }
}

#[tokio::test]
async fn best_moves_of_every_player() {
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut ask = async |position: v1::Position, player: &str| {
        let request = v1::BestMoveRequest {
            position: Some(position),
            player: player.into(),
            seed: 3,
            budget: Some(v1::Budget { max_nodes: Some(10_000), max_millis: None, ..Default::default() }),
        };
        client.best_move(request).await.unwrap().into_inner()
    };
    // A column of three boxes open to both ends, walls drawn, its first edge drawn: two are left, or all are taken.
    let board = Board::new(1, 4).unwrap();
    let opened: Vec<Edge> = (1..5).map(|c| board.v(0, c)).collect();
    for (player, reason) in
        [("greedy", "TAKES"), ("perfect", "EXACT"), ("within:0", "EXACT"), ("chain:0", "TAKES")]
    {
        let answer = ask(free(board, &opened), player).await;
        // Nothing lies behind the chain, so all of it is taken, by the only edges there are.
        assert_eq!(answer.reason().as_str_name(), reason, "{player}");
        assert_eq!(answer.edge, answer.turn.first().copied());
        assert_eq!((answer.turn.len(), answer.proven), (4, true), "{player} {answer:?}");
    }
    let over = ask(free(board, &[]), "random").await;
    assert_eq!((over.edge, over.turn.len(), over.proven), (None, 0, true));
    // Nobody proves a best move of the empty 8x8 board; a player who promises one says so.
    for (player, proven) in [("perfect", false), ("within:9", false), ("sensible", true), ("hard", true)] {
        let answer = ask(empty(8, 8), player).await;
        assert_eq!((answer.turn.len(), answer.proven), (1, proven), "{player}");
        assert_eq!(answer, ask(empty(8, 8), player).await);
    }
}

/// Two rows of three boxes, the upper one opened: 2x3 with all horizontals and one vertical drawn.
fn handed_over() -> v1::Position {
    text(2, 3, "11111111110000000")
}

#[tokio::test]
async fn advice_with_the_numbers_for_both() {
    use v1::endgame_advice_response::Verdict;
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut ask = async |position| {
        let request = v1::EndgameAdviceRequest { position: Some(position), budget: None };
        client.endgame_advice(request).await.unwrap().into_inner()
    };
    // {3} in hand, {3} behind: take all 3 - 3, decline 3 - 2 - 2 + 3.
    let advice = ask(handed_over()).await;
    assert_eq!((advice.verdict(), advice.take_all, advice.decline), (Verdict::Decline, Some(0), Some(2)));
    assert_eq!((advice.value, advice.offered, advice.bribe), (Some(2), 3, 2));
    assert_eq!((advice.take_move, advice.decline_move, advice.open_move), (Some(10), Some(10), None));
    assert_eq!(advice.left, Some(endgame(&[3], &[])));
    assert!(
        advice.sentence.contains("decline") && advice.sentence.contains("bribe of 2"),
        "{}",
        advice.sentence
    );
    // One box further, the edge that leaves the bribe is the last one, by which the other two are taken.
    let advice = ask(text(2, 3, "11111111111000000")).await;
    assert_eq!((advice.take_move, advice.decline_move), (Some(11), Some(12)));
    let advice = ask(text(2, 3, "11111111100000000")).await;
    assert_eq!((advice.verdict(), advice.value, advice.open_move), (Verdict::Open, Some(-2), Some(9)));
    let advice = ask(empty(9, 9)).await;
    assert_eq!((advice.verdict(), advice.value, advice.rest), (Verdict::Wait, None, None));
    assert_eq!(ask(text(1, 1, "1111")).await.verdict(), Verdict::Over);
}

#[tokio::test]
async fn the_long_chain_rule_and_its_assumption() {
    use v1::controller_response::{Assumption, Side};
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut ask = async |position| {
        let request = v1::ControllerRequest { position: Some(position) };
        client.controller(request).await.unwrap().into_inner()
    };
    // Two chains, one opened: seven edges, six boxes, one double-cross: take, leave two; take two, open; take three.
    let control = ask(handed_over()).await;
    assert_eq!((control.dots, control.free_edges, control.boxes_left), (12, 7, 6));
    assert_eq!((control.long_chains, control.loops, control.assumed_double_crosses), (2, 0, 1));
    assert_eq!((control.turns_left, control.last_turn(), control.favoured()), (3, Side::Mover, Side::Mover));
    assert_eq!(control.assumption(), Assumption::Holds);
    let control = ask(empty(3, 3)).await;
    assert_eq!((control.dots, control.long_chains, control.turns_left), (16, 0, 16));
    assert_eq!((control.favoured(), control.assumption()), (Side::Unspecified, Assumption::Unsettled));
    assert_eq!((control.least_double_crosses, control.most_double_crosses), (None, None));
}

#[tokio::test]
async fn nimbers_of_a_position_its_regions_and_its_moves() {
    use v1::nim_value::Worth;
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    let mut ask = async |position, max_nodes| {
        let budget = Some(v1::Budget { max_nodes, max_millis: None, ..Default::default() });
        let request = v1::NimstringRequest { position: Some(position), budget };
        client.nimstring(request).await.unwrap().into_inner()
    };
    let worth = |value: &Option<v1::NimValue>| value.as_ref().and_then(|v| v.worth);
    // The empty 3x3 board is *2, as other programs have it.
    let board = ask(empty(3, 3), None).await;
    assert_eq!(worth(&board.value), Some(Worth::Nimber(2)));
    assert_eq!((board.moves.len(), board.regions.len()), (24, 1));
    let zero: Vec<u32> =
        board.moves.iter().filter(|m| worth(&m.value) == Some(Worth::Nimber(0))).map(|m| m.edge).collect();
    assert_eq!((&board.winning_moves, zero.is_empty()), (&zero, false));
    let opened = ask(handed_over(), None).await;
    assert_eq!(worth(&opened.value), Some(Worth::Loony(true)));
    let regions: Vec<_> = opened.regions.iter().map(|region| worth(&region.value)).collect();
    assert_eq!(regions, [Some(Worth::Loony(true)), Some(Worth::Nimber(0))]);
    let unknown = ask(empty(7, 7), Some(1_000)).await;
    assert_eq!((unknown.value, unknown.winning_moves.len()), (None, 0));
    assert!(unknown.moves.iter().all(|m| m.value.is_none()) && unknown.nodes <= 1_000);
}

#[tokio::test]
async fn a_game_is_reviewed() {
    use v1::review_game_request::Ending;
    let running = Running::ready(Config::default()).await;
    let mut client = running.client().await;
    // Of a puzzle on 2x2 the moves, the score and every best move, from another program.
    for fact in facts::puzzles().into_iter().filter(|fact| fact.rows == 2 && !fact.moves.is_empty()) {
        let request = v1::ReviewGameRequest {
            rows: fact.rows,
            cols: fact.cols,
            moves: fact.moves.iter().map(|&e| e as u32).chain([fact.best[0] as u32]).collect(),
            ending: Ending::FirstResigned.into(),
            budget: None,
        };
        let review = client.review_game(request).await.unwrap().into_inner();
        let last = review.moves.last().unwrap();
        let mover = if fact.to_move == 0 { v1::Player::First } else { v1::Player::Second };
        assert_eq!((last.player(), last.lost, review.proven_from), (mover, Some(0), 0));
        let best: Vec<usize> = last.best_moves.iter().map(|&e| e as usize).collect();
        assert_eq!(best, fact.best);
        let known = last.before.as_ref().and_then(|o| o.known);
        assert_eq!(known, Some(v1::outcome::Known::Value(fact.value.into())));
        let result = review.result.unwrap();
        assert_eq!(
            (result.kind(), result.winner()),
            (v1::game_result::Kind::Resignation, v1::Player::Second)
        );
    }
    let nothing = v1::ReviewGameRequest { rows: 2, cols: 2, ..Default::default() };
    let review = client.review_game(nothing).await.unwrap().into_inner();
    assert_eq!((review.moves.len(), review.losing_move, review.proven_from), (0, None, 0));
}
