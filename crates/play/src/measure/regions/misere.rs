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
    let stuck = options.peek().is_none();
    // Every option, although one that wins would do: so that what is visited does not depend on the convention.
    let won =
        options.fold(false, |won, m| !wins(moves, m.after(position), mover.other(), misere, known) | won);
    let won = if stuck { misere } else { won };
    known.insert((position, mover), won);
    won
}

/// Who wins on a board, and how many positions with a mover that took.
pub(super) fn winners(board: &Domineering, misere: bool) -> (Winners, usize) {
    let mut known = HashMap::new();
    let winners =
        [Side::Left, Side::Right].map(|mover| wins(board.moves(), board.start(), mover, misere, &mut known));
    (winners, known.len())
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
            (value, winners(&board, true).0)
        })
        .collect();
    let mut pairs = Vec::new();
    for (j, two) in shapes.iter().enumerate() {
        pairs.extend(
            shapes[..j]
                .iter()
                .enumerate()
                .filter(|&(i, _)| alone[i] == alone[j])
                .map(|(_, one)| (*one, *two)),
        );
    }
    let told_apart = pairs.iter().find_map(|&(one, two)| {
        let third = shapes
            .iter()
            .find(|&&third| winners(&above(one, third), true).0 != winners(&above(two, third), true).0)?;
        Some((one, two, *third))
    });
    report.say("\nMisère play in Domineering: who cannot move wins.\n");
    let Some((one, two, third)) = told_apart else {
        report
            .claim("two regions of the same value and misère outcome that a third tells apart".into(), false);
        return;
    };
    report.say("| board | normal play is won by | misère play is won by | positions | of its parts |");
    report.say("|---|---|---|---:|---|");
    let mut product = true;
    let mut same_visits = true;
    let (mut normal, mut misere) = (Vec::new(), Vec::new());
    for (shape, company) in [(one, 0), (two, 0), (third, 0), (one, third), (two, third)] {
        let board = above(shape, company);
        let found = Apart::of(&board, board.start(), Relation::Ever, board.squares());
        report.product(&found);
        product &= found.is_product();
        let ((by_normal, visited), (by_misere, visited_misere)) =
            (winners(&board, false), winners(&board, true));
        same_visits &= visited == visited_misere;
        normal.push(by_normal);
        misere.push(by_misere);
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
    report.say(
        "\nThe first two have the same value and the same misère outcome; beside the third their misère outcomes \
         differ. What can be reached does not depend on who wins, so the product holds all the same.",
    );
    report.claim("under misère play the product holds".into(), product && same_visits);
    report.claim(
        "under normal play equal values stay equal in company; under misère play they do not".into(),
        normal[3] == normal[4] && misere[0] == misere[1] && misere[3] != misere[4],
    );
}

/// Whether who wins on a board by the sum of its regions' values is who wins by the rules alone.
pub(super) fn sum_holds(board: &Domineering, values: &mut Values) -> bool {
    let value = Walk::new(board, Pass::Every).whole(board.open(board.start()), values);
    [Side::Left, Side::Right].map(|mover| values.wins(value, mover)) == winners(board, false).0
}
