//! Positions that a symmetry takes into one another.

use std::collections::HashMap;

use super::super::line;
use super::Report;
use super::count::{lines, positions, up_to};
use super::domineering::Domineering;
use super::game::Game as _;

/// Positions and lines of play of whole boards, and what it saves to take symmetric positions for one.
pub(super) fn measure(report: &mut Report) {
    report.say(
        "\nIdentification: four symmetries of a board at most keep the dominoes' directions, and with them whose \
         they are.\n",
    );
    report.say(
        "| board | lines of play | positions | up to these | saves | up to all of the square's | saves |",
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
    }
    report.say(
        "\nIn a line of play either player moves at any time. The reference has 5,700 positions and 6,257,129 nodes \
         on 4x4, and that identification saves at most four: read as above, a bound that no board exceeds. A square \
         board can have its rows and columns exchanged, too; that exchanges the players and negates the value, and \
         saves up to eight.",
    );
    report.claim("identification saves at most four".into(), within);
}
