//! `play`: what a player would play, and games between players.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use ::play::{Match, Style, Terms};
use clap::Args;
use game::{Board, Position};
use oracle::{Budget, Config, Oracle};
use proto::v1::best_move_response::Reason;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;
use proto::v1::{self, BestMoveRequest};
use serde::Serialize;

use crate::args::Global;
use crate::backend::{Backend, mismatch};
use crate::duration;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::position::PositionArgs;
use crate::progress::Spinner;
use crate::render;

/// What a player would play, or games between two.
///
/// The players: random; greedy takes every box; sensible takes, else draws a safe edge, else gives away least; chain
/// also declines, opens by the theory and is exact with up to 18 free edges (chain:N with up to N); perfect plays best
/// moves as far as they can be proven; easy, medium and hard are for front ends; within:N plays moves at most N boxes
/// worse than the best; chain+parity steers by the long chain rule.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross play 3x3                                      a best move, and the turn it begins
  doublecross play 2x3 --drawn 0,1,2,9 --player chain --seed 7
  doublecross play 4x4 --player chain --against greedy --games 200")]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,

    /// Who plays
    #[arg(long, value_name = "NAME", default_value = "perfect")]
    player: String,

    /// Where there is a choice, it is made by this
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The most time a turn may take, e.g. 500ms or 10s
    #[arg(long, value_name = "TIME", value_parser = duration::millis, conflicts_with = "against")]
    time: Option<u32>,

    /// The most search nodes for each edge
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Play games against this player, from the empty board, changing seats
    #[arg(long, value_name = "NAME")]
    against: Option<String>,

    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, requires = "against", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
}

/// What a search in a game may cost unless told otherwise: enough for everything but the opening of a large board.
const NODES: u64 = 200_000;

pub(crate) async fn run(args: PlayArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    let PlayArgs { position, player, seed, time, nodes, against, games } = args;
    let (position, message) = position.read(None)?;
    if let Some(against) = &against {
        let budget = Budget { nodes: Some(nodes.unwrap_or(NODES)), time: None };
        return play(&position, [&player, against], Games { games, seed, budget }, global, interrupt).await;
    }
    let budget = (nodes.is_some() || time.is_some()).then_some(v1::Budget {
        max_nodes: nodes,
        max_millis: time,
        until_deadline: false,
    });
    let request = BestMoveRequest { position: Some(message), player, seed, budget };
    let backend = Backend::open(global, &interrupt).await?;
    let spinner = Spinner::start("thinking");
    let answer = interrupt.unless_raised(backend.ask_one(Query::BestMove(request))).await?;
    drop(spinner);
    let Answer::BestMove(answer) = answer else { return Err(mismatch()) };
    if global.json {
        return render::json(&answer);
    }
    render::text(&format!("{position:#}\n\n{}", text(&answer)))
}

fn text(answer: &v1::BestMoveResponse) -> String {
    let Some(edge) = answer.edge else { return "edge    none: the game is over\n".into() };
    let reason = match answer.reason() {
        Reason::Unspecified => "for no reason that is known here",
        Reason::Any => "any free edge would do",
        Reason::Takes => "it closes a box",
        Reason::Declines => "it leaves the last boxes on offer, or is on the way to leaving them",
        Reason::Safe => "it offers no box",
        Reason::Sacrifices => "it gives away as little as possible",
        Reason::Opens => "the theory of chains and loops says to open here",
        Reason::Exact => "it is proven to be good enough",
    };
    let proven =
        if answer.proven { "" } else { "\nproven  no: the budget ran out, or there is too much to search" };
    format!("edge    {edge}\nturn    {}\nwhy     {reason}{proven}\n", render::numbers(&answer.turn))
}

/// What `--json` prints of a match.
#[derive(Serialize)]
struct Row {
    player: String,
    against: String,
    games: u32,
    won: u32,
    lost: u32,
    tied: u32,
    #[serde(rename = "meanMargin")]
    mean_margin: f64,
}

/// How games are played.
#[derive(Clone, Copy)]
struct Games {
    games: u32,
    seed: u64,
    budget: Budget,
}

async fn play(
    position: &Position,
    players: [&str; 2],
    terms: Games,
    global: &Global,
    interrupt: Interrupt,
) -> Result<(), Failure> {
    if global.endpoint.is_some() {
        return Err(Failure::rule("--endpoint", "games are played by this process; leave it out"));
    }
    if *position != Position::empty(position.board()) {
        return Err(Failure::rule("--against", "games begin on the empty board; leave the drawn edges out"));
    }
    let style = |field: &'static str, name: &str| {
        name.parse::<Style>().map_err(|e| Failure::rule(field, e.to_string()))
    };
    let players = [style("--player", players[0])?, style("--against", players[1])?];
    let spinner = Spinner::start("playing");
    let (board, dir, cancel) = (position.board(), global.tables().to_owned(), interrupt.flag());
    let work = move || played(board, &dir, players, terms, &cancel);
    let played = tokio::task::spawn_blocking(work).await.map_err(Failure::fault)?;
    drop(spinner);
    let played = played.ok_or(Failure::Interrupted)?;
    let Match { won, lost, tied, .. } = played;
    let games = terms.games;
    if global.json {
        let [player, against] = players.map(|style| style.to_string());
        let mean_margin = played.mean_margin();
        return render::json(&Row { player, against, games, won, lost, tied, mean_margin });
    }
    let [player, against] = players;
    render::text(&format!(
        "{board}: {player} against {against}, {games} games: won {won}, lost {lost}, tied {tied}; {:+.1} boxes a game\n",
        played.mean_margin()
    ))
}

fn played(
    board: Board,
    dir: &Path,
    players: [Style; 2],
    Games { games, seed, budget }: Games,
    cancel: &AtomicBool,
) -> Option<Match> {
    // One thread a search, so that a seed means a game; the games are what runs side by side.
    let config = Config { threads: 1, table_bytes: 16 << 20 };
    let oracle = Oracle::with_config(::tables::Catalogue::open(dir), config);
    Match::play(board, players, games, seed, Terms { oracle: &oracle, budget, cancel })
}
