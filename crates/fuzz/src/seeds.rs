//! Inputs that are sound: real requests, tables, and what people write.

use facts::{GameFact, Random, games, positions};
use prost::Message as _;
use proto::v1::{
    BestMoveRequest, Budget, ControllerRequest, Endgame, EndgameAdviceRequest, EndgameValueRequest,
    EvaluateBatchRequest, EvaluateRequest, ExactSolveRequest, NimstringRequest, Opened, Position,
    ReviewGameRequest, Score, StructureRequest, TakerValueRequest, evaluate_request::Query,
    opened::Component, position::Drawing,
};

use crate::notation::solver;
use crate::truth::TRUTHS;

/// Names and values of fields.
pub(crate) const REQUEST_WORDS: &str = r#"
    "id": "endgameValue": "takerValue": "exactSolve": "structure": "bestMove": "endgameAdvice": "controller":
    "nimstring": "reviewGame": "requests": "position": "rows": "cols": "edges": "drawn": "score": "mover": "other":
    "chains": "loops": "opened": "chain": "loop": "openedAt":"MIDDLE" "rest": "allMoves":true "moves":
    "principalVariation":true "budget": "maxNodes":"0" "maxMillis":0 "player": "perfect" "within:2" "chain+parity"
    "ending":"AGREED_DRAW" null {} [] , perfect random greedy within:0 hard chain:5 0 1 0000 1111 -1 1e9 AAA= \u0000
"#;

/// Words of every notation.
pub(crate) const NOTATION_WORDS: &str = r#"
    x X , / : - + . 0 1 00 11 32 33 4096 65535 4294967295 ms s m min h 1e9 board- endgame- endgame: .table default
    strong chain +parity within: perfect " \u0001 \n \" ' é made=" values={ bytes= entries= digest=" [board-2x3]
    "rows": "cols": "moves":[ null
"#;

/// Boards on which little is left, and much; drawn edges as text and as bits, with a score and without.
fn boards() -> Vec<Position> {
    let random = &mut Random::new(1);
    let mut boards = Vec::new();
    for (rows, cols, least) in [
        (1, 1, 0),
        (1, 2, 0),
        (2, 2, 0),
        (1, 4, 4),
        (3, 2, 8),
        (3, 3, 15),
        (3, 4, 23),
        (4, 4, 24),
        (5, 5, 50),
    ] {
        let board = game::Board::new(rows, cols).expect("a board");
        for with_bits in [false, true] {
            let edges = board.edges();
            let mut numbers: Vec<_> = board.all_edges().collect();
            random.shuffle(&mut numbers);
            numbers.truncate(random.between(least, edges));
            let position = game::Position::with_drawn(board, numbers);
            let mut bits = vec![0; edges.div_ceil(8)];
            position.drawn().iter().for_each(|e| bits[e.index() / 8] |= 1 << (e.index() % 8));
            let drawing = if with_bits { Drawing::Drawn(bits) } else { Drawing::Edges(position.to_string()) };
            let score = with_bits.then(|| Score { mover: position.closed_boxes() as u32, other: 0 });
            boards.push(Position { rows, cols, drawing: Some(drawing), score });
        }
    }
    boards.extend(positions().into_iter().step_by(6).map(|fact| Position {
        rows: fact.rows,
        cols: fact.cols,
        drawing: Some(Drawing::Edges(fact.edges)),
        score: None,
    }));
    boards
}

/// Every kind of query.
fn queries() -> Vec<Query> {
    let mut queries = Vec::new();
    let players =
        ["random", "greedy", "sensible", "chain", "chain:5", "perfect", "hard", "within:2", "chain+parity"];
    for (i, board) in boards().into_iter().enumerate() {
        let position = Some(board);
        let nodes = Budget { max_nodes: Some(100), ..Budget::default() };
        let millis = Budget { max_millis: Some(50), ..Budget::default() };
        let budget = [Some(nodes), Some(millis), None][i % 3];
        let player = players[i % players.len()].into();
        queries.extend([
            Query::ExactSolve(ExactSolveRequest {
                position: position.clone(),
                all_moves: i % 2 == 0,
                principal_variation: i % 3 == 0,
                budget,
            }),
            Query::BestMove(BestMoveRequest { position: position.clone(), player, seed: i as u64, budget }),
            Query::EndgameAdvice(EndgameAdviceRequest { position: position.clone(), budget }),
            Query::Nimstring(NimstringRequest { position: position.clone(), budget }),
            Query::Structure(StructureRequest { position: position.clone() }),
            Query::Controller(ControllerRequest { position }),
        ]);
    }
    let sets: [(&[u32], &[u32]); 6] = [
        (&[], &[]),
        (&[9, 5, 2], &[]),
        (&[3], &[4, 4, 6]),
        (&[1, 1, 2, 2], &[8]),
        (&[3, 3, 3, 4], &[]),
        (&[200], &[300]),
    ];
    for (i, (chains, loops)) in sets.into_iter().enumerate() {
        let endgame = Some(Endgame { chains: chains.into(), loops: loops.into() });
        let component =
            if i % 2 == 0 { Component::Chain(2 + i as u32) } else { Component::Loop(3 + i as u32) };
        let opened = Some(Opened { component: Some(component), opened_at: i32::from(i == 0) });
        queries.push(Query::TakerValue(TakerValueRequest { opened, rest: endgame.clone() }));
        queries.push(Query::EndgameValue(EndgameValueRequest { endgame }));
    }
    queries.extend(games().into_iter().filter(|game| game.rows * game.cols <= 12).step_by(5).map(review));
    queries
}

fn review(fact: GameFact) -> Query {
    let moves = fact.moves.into_iter().map(|edge| edge as u32).collect();
    let budget = Some(Budget { max_nodes: Some(50), ..Budget::default() });
    Query::ReviewGame(ReviewGameRequest { rows: fact.rows, cols: fact.cols, moves, ending: 0, budget })
}

/// Requests, as protobuf and as JSON, alone and in a batch.
pub(crate) fn requests() -> Vec<Vec<u8>> {
    let requests: Vec<EvaluateRequest> = queries()
        .into_iter()
        .enumerate()
        .map(|(i, query)| EvaluateRequest { id: i.to_string(), query: Some(query) })
        .collect();
    let json = |request| serde_json::to_vec(request).expect("a request has JSON");
    let batches = requests.chunks(3).map(|some| EvaluateBatchRequest { requests: some.into() });
    let mut seeds: Vec<Vec<u8>> = requests.iter().map(prost::Message::encode_to_vec).collect();
    seeds.extend(requests.iter().map(json));
    for (i, batch) in batches.step_by(8).enumerate() {
        seeds.push(if i % 2 == 0 {
            batch.encode_to_vec()
        } else {
            serde_json::to_vec(&batch).expect("a batch has JSON")
        });
    }
    seeds
}

/// Whole tables.
pub(crate) fn tables() -> Vec<Vec<u8>> {
    TRUTHS.iter().map(|truth| truth.file.clone()).collect()
}

/// One of everything that is written.
pub(crate) fn notations() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        "2x2",
        "3x4 ",
        "1x2 0100110",
        "2X2 0,3,7",
        "32x32 0,2111",
        "9,5,2",
        "3,3/4,6,4",
        "/8",
        "3-2",
        "500ms",
        "10s",
        "1.5s",
        "2m",
        "2min",
        "1h",
        "4294967.295s",
        "board-2x3",
        "endgame-40",
        "board-4x4.table",
        "endgame:12",
        "3x2",
        "default",
        "strong 2x2",
        "board-2x3 endgame-12 3x3",
        "random",
        "greedy",
        "sensible",
        "chain",
        "chain:7",
        "chain+parity",
        "chain+parity:9",
        "perfect",
        "easy",
        "medium",
        "hard",
        "within:2",
        "d69bb51040fbcb0c2ec89f3614256d52f8b7b134e445098e92e4f1f69281fc07",
    ]
    .map(Vec::from)
    .into();
    seeds.push(include_bytes!("../../../tables/manifest.toml").to_vec());
    let digest = "0".repeat(64);
    for made in ["", "made = \"in 3 s on two cores\"\n"] {
        let numbers = "bytes = 90\nentries = 12";
        let values = "values = { -2 = 3, 0 = 1, 2 = 8 }";
        seeds.push(format!("[board-1x2]\n{numbers}\ndigest = \"{digest}\"\n{values}\n{made}").into());
    }
    let lines = include_str!("../../../tests/data/games.jsonl").lines();
    seeds.extend(lines.filter(|line| line.len() < 500).step_by(8).map(Vec::from));
    let mut checkpoint = Vec::new();
    solver().save(&mut checkpoint).expect("memory takes what is written");
    seeds.push(checkpoint);
    seeds
}
