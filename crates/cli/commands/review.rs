//! `review`: a whole game, and the move that lost it.

use std::fmt::Write as _;
use std::io::Read as _;

use clap::{Args, ValueEnum};
use proto::v1;
use proto::v1::evaluate_request::Query;
use proto::v1::evaluate_response::Answer;

use crate::args::{BudgetArgs, Global};
use crate::backend::{Backend, mismatch};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::notation::Size;
use crate::progress::Spinner;
use crate::render;

/// What happened in a game: the value before and after every move, the boxes it lost, and the move that lost the game.
///
/// Values are worked out from the last move backwards until one cannot be proven in time; before that nothing is claimed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  doublecross review 2x2 0,5,1,4,2,10,3,11,7,6,8,9
  doublecross review 5x5 --ending second-resigned 12,11,17,18,39 --json
  doublecross review 3x3 - < moves.txt               the moves from standard input

Moves are edges in the order they were drawn, from the empty board on.")]
pub(crate) struct ReviewArgs {
    /// The size of the board: rows by columns of boxes, e.g. 3x4
    #[arg(value_name = "ROWSxCOLS")]
    size: Size,

    /// The edges in the order they were drawn, with commas or blanks between them, or - for standard input
    #[arg(value_name = "MOVES", required = true)]
    moves: Vec<String>,

    /// How the players stopped, as far as the moves do not say
    #[arg(long, value_enum, default_value_t = Ending::Stopped)]
    ending: Ending,

    #[command(flatten)]
    budget: BudgetArgs,
}

/// How the players stopped.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ending {
    /// After the last move
    Stopped,
    /// They agreed on a draw
    AgreedDraw,
    /// The first player resigned
    FirstResigned,
    /// The second player resigned
    SecondResigned,
}

/// The most that is read from standard input: every record is shorter.
const MOST: u64 = 1 << 20;

pub(crate) async fn run(args: ReviewArgs, global: &Global, interrupt: Interrupt) -> Result<(), Failure> {
    use v1::review_game_request::Ending as Sent;
    let ending = match args.ending {
        Ending::Stopped => Sent::Stopped,
        Ending::AgreedDraw => Sent::AgreedDraw,
        Ending::FirstResigned => Sent::FirstResigned,
        Ending::SecondResigned => Sent::SecondResigned,
    };
    let Size { rows, cols } = args.size;
    let moves = interrupt.unless_raised(read(args.moves)).await?;
    let request =
        v1::ReviewGameRequest { rows, cols, moves, ending: ending.into(), budget: args.budget.budget() };
    let backend = Backend::open(global, &interrupt).await?;
    let spinner = Spinner::start("reviewing");
    let answer = interrupt.unless_raised(backend.ask_one(Query::ReviewGame(request))).await?;
    drop(spinner);
    let Answer::ReviewGame(answer) = answer else { return Err(mismatch()) };
    if global.json {
        return render::json(&answer);
    }
    render::text(&text(rows, cols, &answer))
}

/// The moves of the command line, or of standard input.
async fn read(arguments: Vec<String>) -> Result<Vec<u32>, Failure> {
    let text = if arguments == ["-"] {
        let read = || {
            let mut text = String::new();
            std::io::stdin().take(MOST).read_to_string(&mut text).map(|_| text)
        };
        tokio::task::spawn_blocking(read)
            .await
            .map_err(Failure::fault)?
            .map_err(|e| Failure::no(format!("cannot read standard input ({e})")))?
    } else {
        arguments.join(" ")
    };
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let number = |(i, word): (usize, &str)| {
        word.parse().map_err(|_| Failure::rule(format!("moves[{i}]"), format!("{word:?} is no edge number")))
    };
    words.enumerate().map(number).collect()
}

fn text(rows: u32, cols: u32, answer: &v1::ReviewGameResponse) -> String {
    let mut out =
        format!("{rows}x{cols}, {} moves: {}\n\n", answer.moves.len(), result(answer.result.as_ref()));
    // Writing to a string cannot fail.
    let _ = writeln!(out, "move  player  edge  closes      before       after  lost  best");
    for (i, m) in answer.moves.iter().enumerate() {
        let lost = m
            .lost
            .map_or_else(|| "?".into(), |lost| if lost == 0 { String::new() } else { lost.to_string() });
        let best = match m.best_moves.len() {
            0 => "?".into(),
            _ if m.lost == Some(0) => format!("yes, of {}", m.best_moves.len()),
            _ => render::numbers(&m.best_moves),
        };
        let _ = writeln!(
            out,
            "{:>4}  {:<6}  {:>4}  {:>6}  {:>10}  {:>10}  {lost:>4}  {best}{}",
            i + 1,
            player(m.player()).unwrap_or("nobody"),
            m.edge,
            m.closed,
            render::outcome(m.before.as_ref()),
            render::outcome(m.after.as_ref()),
            remarks(m)
        );
    }
    out.push('\n');
    match answer.proven_from as usize {
        0 => {}
        from if from == answer.moves.len() => {
            out.push_str("No value is proven; more time may help: --time\n")
        }
        from => {
            let _ = writeln!(out, "Values are proven from move {} on; more time may help: --time", from + 1);
        }
    }
    if let Some(losing) = answer.losing_move
        && let Some(m) = answer.moves.get(losing as usize)
    {
        let who = player(m.player()).unwrap_or("nobody");
        let lost = render::boxes(m.lost.unwrap_or_default());
        let handed = if m.handed > 0 {
            format!(", and handed over {}", render::boxes(m.handed))
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "The {who} player lost the game with move {}, edge {}: it cost {lost}{handed}.",
            losing + 1,
            m.edge
        );
    }
    if let Some(point) = &answer.turning_point {
        out.push_str(&turning(point));
    }
    out
}

/// What else there is to say about a move.
fn remarks(m: &v1::ReviewedMove) -> String {
    let mut remarks = String::new();
    if m.handed > 0 {
        let _ = write!(remarks, "; hands over {}", m.handed);
    }
    if m.greed_is_free == Some(false) {
        remarks.push_str("; greed costs");
    }
    remarks
}

fn turning(point: &v1::TurningPoint) -> String {
    use v1::turning_point::Kind;
    let what = match point.kind() {
        Kind::OpenedChain => "opened the first chain",
        Kind::GaveUpControl => "was the first to give up control",
        Kind::Unspecified => "turned the game",
    };
    let run = match player(point.scorer()) {
        Some(who) => format!("the {who} player scored {} in a row", render::boxes(point.run)),
        None => "nobody scored on it".into(),
    };
    let left = point.left.as_ref().map_or_else(|| "nothing".into(), render::endgame);
    let joints = if point.decomposed { "" } else { " beside what hangs together still" };
    format!("Move {} {what}: {run}. Left to open: {left}{joints}.\n", point.r#move + 1)
}

fn result(result: Option<&v1::GameResult>) -> String {
    use v1::game_result::Kind;
    let Some(result) = result else { return "no result".into() };
    let boxes = format!("{} to {}", result.first, result.second);
    let winner = player(result.winner());
    let who = winner.unwrap_or("nobody");
    match result.kind() {
        Kind::FullBoard => format!("the {who} player won, {boxes}"),
        Kind::Tie => format!("a tie, {boxes}"),
        Kind::Majority => format!("the {who} player has more than half of the boxes, {boxes}"),
        Kind::AgreedDraw => format!("a draw was agreed at {boxes}"),
        Kind::Resignation => format!("the {who} player won by resignation at {boxes}"),
        Kind::Unfinished => format!("unfinished at {boxes}"),
        Kind::Unspecified => format!("no result, {boxes}"),
    }
}

const fn player(player: v1::Player) -> Option<&'static str> {
    match player {
        v1::Player::Unspecified => None,
        v1::Player::First => Some("first"),
        v1::Player::Second => Some("second"),
    }
}
