//! Boards of Domineering, whole and in their regions.

use super::super::line;
use super::count::Apart;
use super::domineering::Domineering;
use super::relation::Relation;
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

/// A board and its regions.
pub(super) fn apart(board: &Domineering) -> Apart {
    Apart::of(board, board.start(), Relation::Ever, board.squares())
}

/// The boards of the reference.
pub(super) fn reference(report: &mut Report) {
    report.say("Domineering: the whole, its parts, and whether a pass over s squares pays.\n");
    report.say(
        "| board | | whole | parts | product | sum | product - sum | s | per square | product - sum > s \
         | reference |",
    );
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
            said = format!("{said}, {known}");
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

/// Regions with a single position.
pub(super) fn scraps(report: &mut Report) {
    const SCRAPS: [(&str, &[&str]); 4] = [
        ("a corner cut off", &[".#...", "#....", ".....", "....."]),
        ("two corners cut off", &[".#.#.", "#...#", ".....", "....."]),
        ("four corners cut off", &[".#.#.", "#...#", "#...#", ".#.#."]),
        ("nothing but scraps", &[".#.#.", "#.#.#", ".#.#.", "#.#.#"]),
    ];
    report.say("\nScraps: a region with a single position adds one to the sum and nothing to the product.\n");
    report.say("| board | | product | sum | product - sum | sum without scraps | product - sum |");
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
