//! Games of other programs, replayed: the same mover at each step, the same owners, the same end. And what
//! OpenSpiel is known to get wrong, done right.

use facts::GameFact;
use game::{Board, Edges, Game, Player, Score, Setup};

fn board(fact: &GameFact) -> Board {
    Board::new(fact.rows, fact.cols).unwrap()
}

fn number(player: Player) -> u8 {
    match player {
        Player::First => 1,
        Player::Second => 2,
    }
}

/// All 145: 140 random games of OpenSpiel and its playthrough, two of Kaggle, two of LittleGolem.
#[test]
fn every_game_replays() {
    let games = facts::games();
    assert_eq!(games.len(), 145);
    let mut steps = 0;
    for (i, fact) in games.iter().enumerate() {
        let name = format!("{} {}, line {}", fact.source, board(fact), i + 1);
        let mut game = Game::new(board(fact));
        for (step, &e) in fact.moves.iter().enumerate() {
            if let Some(movers) = &fact.movers {
                let mover = u32::from(movers.as_bytes()[step] - b'0');
                assert_eq!(game.to_move().map(|p| u32::from(number(p))), Some(mover), "{name}, move {step}");
                steps += 1;
            }
            game.play(board(fact).edge(e).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        if let Some(owners) = &fact.owners {
            let ours: String = board(fact)
                .all_boxes()
                .map(|b| game.owner(b).map_or('-', |p| char::from(b'0' + number(p))))
                .collect();
            assert_eq!(&ours, owners, "{name}");
        }
        if let Some(margin) = fact.margin {
            assert!(game.is_over(), "{name}");
            assert_eq!(game.margin().get(), margin, "{name}");
        }
        if let Some(score) = fact.score {
            assert_eq!([game.boxes(Player::First), game.boxes(Player::Second)], score, "{name}");
        }
        if let Some(next) = fact.next {
            assert_eq!(game.to_move().map(number), Some(next), "{name}");
        }
        if let (Some(winner), true) = (fact.winner, game.is_over()) {
            let ahead = if game.margin().get() > 0 { Player::First } else { Player::Second };
            assert_eq!(number(ahead), winner, "{name}");
        }
    }
    // 140 games, ten of each size, every edge drawn; the playthrough; Kaggle's 144 and 70.
    let sizes = [4, 7, 7, 10, 12, 17, 17, 24, 27, 40, 60, 45, 67, 220];
    assert_eq!(steps, 10 * sizes.iter().sum::<usize>() + 12 + 144 + 70);
}

/// A forfeited game is unfinished by the rules, whoever was declared the winner.
#[test]
fn a_forfeit_is_no_end() {
    let games = facts::games();
    let forfeit = games.iter().find(|g| g.source.contains("forfeit")).unwrap();
    let game = Game::replay(board(forfeit), forfeit.moves.iter().copied()).unwrap();
    assert_eq!((game.moves().len(), game.position().free_count()), (70, 74));
    assert!(!game.is_over());
    assert!(game.to_move().is_some());
}

/// Every puzzle's record leads to its position, mover and score.
#[test]
fn puzzle_records_lead_to_their_positions() {
    for p in facts::puzzles() {
        let game = Game::replay(Board::new(p.rows, p.cols).unwrap(), p.moves.iter().copied()).unwrap();
        assert_eq!(game.position().to_string(), p.edges, "puzzle {}", p.id);
        let players = [Player::First, Player::Second];
        assert_eq!(game.to_move(), Some(players[p.to_move]), "puzzle {}", p.id);
        assert_eq!(players.map(|q| game.boxes(q) as i16), p.score, "puzzle {}", p.id);
    }
}

/// OpenSpiel's undo rubs out both edges of a cell: 0, 6, undo gives no edges at all.
#[test]
fn undo_rubs_out_one_edge() {
    let mut game = Game::replay(Board::new(2, 2).unwrap(), [0, 6]).unwrap();
    game.undo();
    assert_eq!(game.position().to_string(), "100000000000");
    assert_eq!(game.to_move(), Some(Player::Second));
}

/// OpenSpiel says a 3x2 game has 16 moves.
#[test]
fn a_3x2_game_has_17_moves() {
    let board = Board::new(3, 2).unwrap();
    assert_eq!(board.edges(), 17);
    let game = Game::replay(board, 0..17).unwrap();
    assert!(game.is_over());
    assert_eq!(game.moves().len(), 17);
}

/// OpenSpiel credits no box that is closed at the start. Here the score comes with the position and must add
/// up; without one the boxes belong to nobody.
#[test]
fn closed_boxes_at_the_start_can_be_credited() {
    let setup = |score| Setup { rows: 2, cols: 2, edges: Edges::Text("101000110000".into()), score };
    let (position, score) = setup(Some((0, 1))).position().unwrap();
    assert_eq!(score, Some(Score { mover: 0, other: 1 }));
    assert_eq!(score.unwrap().margin().get(), -1);
    assert_eq!((position.closed_boxes(), position.boxes_left()), (1, 3));
    assert_eq!(setup(None).position().unwrap().1, None);
    assert_eq!(Game::from_position(position).boxes(Player::First), 0);
    let error = setup(Some((0, 0))).position().unwrap_err();
    assert_eq!(error.field(), "score");
}

/// OpenSpiel takes a start of the wrong length.
#[test]
fn a_start_of_the_wrong_length_is_refused() {
    for edges in ["", "0", "00000000000", "0000000000000"] {
        let setup = Setup { rows: 2, cols: 2, edges: Edges::Text(edges.into()), score: None };
        assert_eq!(setup.position().unwrap_err().field(), "edges", "{edges:?}");
    }
}
