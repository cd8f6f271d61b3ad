//! Boards of Domineering, whole and in their regions.

use std::collections::{BTreeMap, HashMap};

use super::super::line;
use super::count::{Apart, Graph, lines, positions, up_to};
use super::domineering::Domineering;
use super::game::{Cells, Game as _};
use super::relation::{Relation, flood};
use super::{Report, nearest};

/// A board with what its reference says of it: positions of the whole and of the parts together.
type Known = (&'static str, &'static [&'static str], Option<(u64, u64)>);

/// The boards of the reference, and the same boards one row down.
const BOARDS: [Known; 12] = [
    ("4x5 empty", &[".....", ".....", ".....", "....."], Some((58_830, 58_830))),
    ("centre blocked", &[".....", "..#..", ".....", "....."], Some((24_864, 24_864))),
    ("staircase", &[".#...", "..#..", "..#..", "..#.."], Some((2_187, 108))),
    ("middle column", &["..#..", "..#..", "..#..", "..#.."], Some((2_916, 108))),
    ("row", &[".....", "#####", ".....", "....."], Some((1_296, 170))),
    ("four regions", &["..#..", "#####", "..#..", "..#.."], Some((144, 16))),
    ("3x5 empty", &[".....", ".....", "....."], Some((3_054, 3_054))),
    ("centre blocked", &[".....", "..#..", "....."], None),
    ("staircase", &[".#...", "..#..", "..#.."], None),
    ("middle column", &["..#..", "..#..", "..#.."], None),
    ("row", &[".....", "#####", "....."], None),
    ("four regions", &["..#..", "#####", "..#.."], None),
];

/// What the reference saves per square visited on the four boards that split.
const SAVED: [(&str, i64); 4] =
    [("staircase", 104), ("middle column", 140), ("row", 56), ("four regions", 6)];

fn apart(board: &Domineering) -> Apart {
    Apart::of(board, board.start(), Relation::Ever, board.squares())
}

/// The boards of the reference.
pub(super) fn reference(report: &mut Report) {
    report.say("Domineering: the whole, its parts, and whether a pass over s squares pays.\n");
    report.say("| board | | whole | parts | product | sum | product - sum | s | per square | product - sum > s | reference |");
    report.say("|---|---|---:|---|---:|---:|---:|---:|---:|---|---|");
    let (mut same, mut savings) = (0, 0);
    for (i, (name, picture, reference)) in BOARDS.into_iter().enumerate() {
        let board = Domineering::drawn(picture);
        let found = apart(&board);
        report.product(&found);
        let (whole, sum, saved) = (found.whole.positions, found.sum(), found.saved());
        let per_square = nearest(saved, found.visited);
        let known = SAVED.iter().find(|(of, _)| *of == name && i < 6);
        let mut said = reference.map_or("-".to_owned(), |(whole, sum)| {
            if whole == sum { whole.to_string() } else { format!("{whole}, {sum}") }
        });
        if let Some((_, known)) = known {
            said.push_str(&format!(", {known}"));
            savings += usize::from(*known == per_square);
        }
        same += usize::from(reference == Some((whole, sum)));
        line(
            &mut report.table,
            format_args!(
                "| {name} | `{}` | {whole} | {} | {} | {sum} | {saved} | {} | {per_square} | {} | {said} |",
                board.picture(),
                parts(&found),
                found.product().positions,
                found.visited,
                if saved > found.visited as i64 { "yes" } else { "no" },
            ),
        );
    }
    report.claim(format!("{same} of 7 boards have the reference's positions, whole and in parts"), same == 7);
    report.claim(format!("{savings} of 4 boards save what the reference saves per square"), savings == 4);
}

fn parts(found: &Apart) -> String {
    let counts: Vec<String> = found.parts.iter().map(|part| part.positions.to_string()).collect();
    counts.join(" + ")
}

/// The walls of four and five squares that split the 4x5 board in two and have no square to spare, by how evenly they do.
pub(super) fn evenness(report: &mut Report) {
    report.say("\nEvenness: every wall of four or five squares on 4x5 that splits it in two and has no square to spare.\n");
    report.say("| wall | split | walls | product | sum | product - sum | product over sum | pays |");
    report.say("|---:|---|---:|---:|---:|---:|---:|---:|");
    let board = Domineering::new(4, 5, 0);
    let all: Cells = board.cells();
    let regions = |blocked: Cells| flood(all & !blocked, |square| board.adjacent(square));
    let mut by_split: BTreeMap<(u32, u32), Vec<Apart>> = BTreeMap::new();
    for blocked in (0..=all).filter(|b| matches!(b.count_ones(), 4 | 5)) {
        let found = regions(blocked);
        let [one, other] = found[..] else { continue };
        if super::game::each(blocked).all(|square| regions(blocked & !square).len() == 1) {
            let smaller = one.count_ones().min(other.count_ones());
            let board = Domineering::new(4, 5, blocked);
            let found = apart(&board);
            report.product(&found);
            by_split.entry((blocked.count_ones(), smaller)).or_default().push(found);
        }
    }
    let (mut last, mut rises, mut falls) = ((0, 0.0, i64::MAX), true, true);
    for (&(wall, smaller), walls) in &by_split {
        let range = |of: &dyn Fn(&Apart) -> i64| {
            let all = walls.iter().map(of);
            (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
        };
        let shown = |(least, most): (i64, i64)| {
            if least == most { least.to_string() } else { format!("{least} to {most}") }
        };
        let product = range(&|found| found.product().positions as i64);
        let sum = range(&|found| found.sum() as i64);
        let best = walls
            .iter()
            .map(|found| found.product().positions as f64 / found.sum() as f64)
            .fold(0.0, f64::max);
        let pays = walls.iter().filter(|found| found.saved() > found.visited as i64).count();
        line(
            &mut report.table,
            format_args!(
                "| {wall} | {smaller} + {} | {} | {} | {} | {} | up to {best:.1} | {pays} |",
                20 - wall - smaller,
                walls.len(),
                shown(product),
                shown(sum),
                shown(range(&Apart::saved)),
            ),
        );
        if last.0 == wall {
            rises &= best > last.1;
            falls &= sum.0 < last.2;
        }
        last = (wall, best, sum.0);
    }
    report.say(
        "\nThe sum falls as the split gets more even; the product follows the shape of the parts and does not, so \
         product - sum alone is no measure of evenness.",
    );
    report.claim("the least sum falls with every step towards an even split".into(), falls);
    report.claim("the best product over sum rises with every step towards an even split".into(), rises);
}

/// Regions with a single position.
pub(super) fn scraps(report: &mut Report) {
    const SCRAPS: [(&str, &[&str]); 4] = [
        ("a corner cut off", &[".#...", "#....", ".....", "....."]),
        ("two corners cut off", &[".#.#.", "#...#", ".....", "....."]),
        ("four corners cut off", &[".#.#.", "#...#", "#...#", ".#.#."]),
        ("nothing but scraps", &[".#.#.", "#.#.#", ".#.#.", "#.#.#"]),
    ];
    report.say("\nScraps: a region with a single position adds one to the sum and nothing to the product.\n");
    report.say(
        "| board | | product | sum, scraps counted | product - sum | sum, scraps dropped | product - sum |",
    );
    report.say("|---|---|---:|---:|---:|---:|---:|");
    let mut negative = true;
    for (name, picture) in SCRAPS {
        let board = Domineering::drawn(picture);
        let found = apart(&board);
        report.product(&found);
        let dropped = (found.sum() - found.scraps).max(1);
        negative &= found.scraps > 0 && found.saved() < 0;
        line(
            &mut report.table,
            format_args!(
                "| {name} | `{}` | {} | {} | {} | {dropped} | {} |",
                board.picture(),
                found.product().positions,
                found.sum(),
                found.saved(),
                found.product().positions as i64 - dropped as i64,
            ),
        );
    }
    report.claim("next to scraps alone product - sum is negative".into(), negative);
}

/// Positions and lines of play of whole boards, and what it saves to take symmetric positions for one.
pub(super) fn identification(report: &mut Report) {
    report
        .say("\nIdentification: a board's symmetries that keep the dominoes' directions are four at most.\n");
    report.say(
        "| board | lines of play | positions | up to symmetry | saves | directions exchanged, too | saves |",
    );
    report.say("|---|---:|---:|---:|---:|---:|---:|");
    let flip = |(upside_down, mirrored): (bool, bool)| [upside_down, mirrored, false];
    let keeping = [(false, false), (false, true), (true, false), (true, true)].map(flip);
    let mut within = true;
    for (rows, cols) in [(3, 3), (3, 5), (4, 4), (4, 5)] {
        let board = Domineering::new(rows, cols, 0);
        let all = positions(&board, 0);
        let tree = lines(board.moves(), 0, &mut HashMap::new());
        let turn = |by: [bool; 3]| {
            let board = &board;
            move |position| board.turned(position, by)
        };
        let classes = up_to(&all, &keeping.map(turn));
        let times = |classes: u64| all.len() as f64 / classes.max(1) as f64;
        within &= times(classes) <= 4.0;
        let exchanged = if rows == cols {
            let exchanging = keeping.map(|[u, m, _]| [u, m, true]);
            let classes =
                up_to(&all, &[keeping, exchanging].concat().into_iter().map(turn).collect::<Vec<_>>());
            format!("{classes} | {:.2}", times(classes))
        } else {
            "- | -".to_owned()
        };
        line(
            &mut report.table,
            format_args!(
                "| {rows}x{cols} | {tree} | {} | {classes} | {:.2} | {exchanged} |",
                all.len(),
                times(classes)
            ),
        );
        if (rows, cols) == (4, 4) {
            let same = (all.len(), tree) == (5_700, 6_257_129);
            report.claim(
                format!("4x4 has {} positions and {tree} lines of play (5700 and 6257129)", all.len()),
                same,
            );
        }
        // Not asserted by Apart: an empty board is one region.
        report.claim_quietly("the positions listed are the positions counted", {
            Graph::of(&board, 0).positions == all.len() as u64
        });
    }
    report.say(
        "\nThe reference has 5,700 positions and 6,257,129 nodes on 4x4, and that identification saves at most four. Lines of play: \
         either player moves at any time. Read as above, four is a bound no board exceeds. Where rows and columns can be exchanged the two players are exchanged with \
         them: then the values are negated, and a square board saves up to eight.",
    );
    report.claim("identification saves at most four".into(), within);
}
