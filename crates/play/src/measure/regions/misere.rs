//! Under misère play, where who cannot move wins, the product holds and the sum does not.

use std::collections::HashMap;

use super::super::line;
use super::Report;
use super::count::Apart;
use super::domineering::Domineering;
use super::game::{Cells, Game, Move, Side};
use super::relation::{Relation, flood};
use super::values::Values;
use super::walk::{Pass, Walk};

/// Whether Left wins when it moves first, and whether Right does when it moves first.
type Winners = [bool; 2];

/// A position and who moves, with whether that player wins.
type Wins = HashMap<(Cells, Side), bool>;

/// Whether the mover wins; under misère play who cannot move wins.
fn wins(moves: &[Move], position: Cells, mover: Side, misere: bool, known: &mut Wins) -> bool {
    if let Some(&wins) = known.get(&(position, mover)) {
        return wins;
    }
    let mut options = moves.iter().filter(|m| m.by.allows(mover) && m.is_offered(position)).peekable();
    let won = match options.peek() {
        None => misere,
        Some(_) => options.any(|m| !wins(moves, m.after(position), mover.other(), misere, known)),
    };
    known.insert((position, mover), won);
    won
}

/// Who wins on a board.
fn winners(board: &Domineering, misere: bool) -> Winners {
    let mut known = HashMap::new();
    [Side::Left, Side::Right].map(|mover| wins(board.moves(), board.start(), mover, misere, &mut known))
}

/// A position of each of two boards and who moves, with whether that player wins.
type WinsOfTwo = HashMap<([Cells; 2], Side), bool>;

/// Whether the mover wins under misère play on the product of two boards' graphs: a position of each, a move in one.
fn wins_of_product(boards: [&Domineering; 2], at: [Cells; 2], mover: Side, known: &mut WinsOfTwo) -> bool {
    if let Some(&wins) = known.get(&(at, mover)) {
        return wins;
    }
    let mut ahead = Vec::new();
    for (i, board) in boards.into_iter().enumerate() {
        for m in board.moves().iter().filter(|m| m.by.allows(mover) && m.is_offered(at[i])) {
            let mut next = at;
            next[i] = m.after(at[i]);
            ahead.push(next);
        }
    }
    let won = ahead.is_empty()
        || ahead.into_iter().any(|next| !wins_of_product(boards, next, mover.other(), known));
    known.insert((at, mover), won);
    won
}

/// Who wins under misère play on the product of two boards' graphs.
fn winners_of_product(boards: [&Domineering; 2]) -> Winners {
    let (start, mut known) = (boards.map(Domineering::start), HashMap::new());
    [Side::Left, Side::Right].map(|mover| wins_of_product(boards, start, mover, &mut known))
}

/// The connected shapes of up to five squares within 3x3, pushed to the top left, the smaller first.
fn shapes() -> Vec<Cells> {
    let square = Domineering::new(3, 3, 0);
    let mut found: Vec<Cells> = (1..1 << 9)
        .filter(|&cells: &Cells| cells.count_ones() <= 5)
        .filter(|cells| cells & 0b111 != 0 && cells & 0b001_001_001 != 0)
        .filter(|&cells| flood(cells, |at| square.adjacent(at)).len() == 1)
        .collect();
    found.sort_by_key(|cells| cells.count_ones());
    found
}

/// The board with one shape above another, a blocked row between.
fn above(one: Cells, other: Cells) -> Domineering {
    let open = one | other << 12;
    Domineering::new(7, 3, !open & ((1 << 21) - 1))
}

/// A shape as a picture of the rows and columns it needs.
fn picture(shape: Cells) -> String {
    let rows = (0..3).filter(|r| shape >> (3 * r) & 0b111 != 0).count();
    let cols = (0..3).filter(|c| shape >> c & 0b001_001_001 != 0).count();
    let row = |r: usize| -> String {
        (0..cols).map(|c| if shape >> (3 * r + c) & 1 == 1 { '.' } else { '#' }).collect()
    };
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

fn named([left, right]: Winners) -> &'static str {
    match (left, right) {
        (true, true) => "who moves first",
        (true, false) => "Left",
        (false, true) => "Right",
        (false, false) => "who moves second",
    }
}

/// Finds two regions that nothing tells apart alone, nor under normal play in any company, but that a third tells apart
/// under misère play.
pub(super) fn measure(report: &mut Report) {
    let shapes = shapes();
    let mut values = Values::new();
    let alone: Vec<_> = shapes
        .iter()
        .map(|&shape| {
            let board = above(shape, 0);
            let value = Walk::new(&board, Pass::Never).whole(shape, &mut values);
            (value, winners(&board, true))
        })
        .collect();
    let together = |i: usize, j: usize| winners(&above(shapes[i], shapes[j]), true);
    let all = || 0..shapes.len();
    let mut pairs = Vec::new();
    for two in all() {
        pairs.extend((0..two).filter(|&one| alone[one] == alone[two]).map(|one| (one, two)));
    }
    // By pairs: the first shape in whose company they differ.
    let company: Vec<Option<usize>> = pairs
        .iter()
        .map(|&(one, two)| all().find(|&third| together(one, third) != together(two, third)))
        .collect();
    let differ = company.iter().flatten().count();
    let told_apart = pairs
        .iter()
        .zip(&company)
        .find_map(|(&(one, two), &third)| third.map(|third| (shapes[one], shapes[two], shapes[third])));
    report.say("\nMisère play in Domineering: who cannot move wins.\n");
    let Some((one, two, third)) = told_apart else {
        report
            .claim("two regions of the same value and misère outcome that a third tells apart".into(), false);
        return;
    };
    report.say("| board | normal play is won by | misère play is won by | positions | of its parts |");
    report.say("|---|---|---|---:|---|");
    let mut product = true;
    let (mut normal, mut misere_winners) = (Vec::new(), Vec::new());
    for (shape, company) in [(one, 0), (two, 0), (third, 0), (one, third), (two, third)] {
        let board = above(shape, company);
        let found = Apart::of(&board, board.start(), Relation::Ever, board.squares());
        report.product(&found);
        product &= found.is_product();
        let [by_normal, by_misere] = [false, true].map(|misere| winners(&board, misere));
        product &= winners_of_product([&above(shape, 0), &above(company, 0)]) == by_misere;
        normal.push(by_normal);
        misere_winners.push(by_misere);
        let name = if company == 0 {
            format!("`{}`", picture(shape))
        } else {
            format!("`{}` and `{}`", picture(shape), picture(company))
        };
        let parts: Vec<String> = found.parts.iter().map(|part| part.positions.to_string()).collect();
        line(
            &mut report.table,
            format_args!(
                "| {name} | {} | {} | {} | {} |",
                named(by_normal),
                named(by_misere),
                found.whole.positions,
                if parts.is_empty() { "1".to_owned() } else { parts.join(" x ") }
            ),
        );
    }
    line(
        &mut report.table,
        format_args!(
            "\nThe first two have the same value and the same misère outcome; beside the third their misère outcomes \
             differ. So it is with {differ} of the {} such pairs among the shapes of up to five squares within 3x3. \
             What can be reached does not depend on who wins: misère outcomes on the product are those on the board.",
            pairs.len()
        ),
    );
    report.claim("under misère play the product holds, in positions and in who wins".into(), product);
    report.claim(
        "under normal play equal values stay equal in company; under misère play they do not".into(),
        normal[3] == normal[4]
            && misere_winners[0] == misere_winners[1]
            && misere_winners[3] != misere_winners[4],
    );
}

/// Whether who wins on a board by the sum of its regions' values is who wins by the rules alone.
pub(super) fn sum_holds(board: &Domineering, values: &mut Values) -> bool {
    let value = Walk::new(board, Pass::Every).whole(board.open(board.start()), values);
    [Side::Left, Side::Right].map(|mover| values.wins(value, mover)) == winners(board, false)
}
