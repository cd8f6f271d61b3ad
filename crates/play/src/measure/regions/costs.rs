//! What a pass costs and saves.

use super::super::line;
use super::searches::Searches;
use super::walk::{Pass, Work};
use super::{Report, nearest};

/// What a pass costs and saves.
pub(super) fn table(report: &mut Report, all: &[Searches]) {
    report.say(
        "\nWhat a pass costs and saves. Nodes are positions gone into, or regions of them. A partition stays valid \
         below, so after a move only the region moved in is passed over. Cells are those the passes visit; with the \
         last kind of pass also those near a move that are looked at to tell whether it could have split the board.\n\n\
         The values of Domineering and the nimbers of Nimstring add, so each region is walked through once. A search \
         for Domineering's winner stops at the first move that wins, but once the board is apart it needs the \
         regions' values, which stop at nothing. The scores of Dots and Boxes do not add: there a pass lets a position \
         be known again by its regions, each of them turned over or moved, where without one the whole is.\n",
    );
    report.say(
        "| search for | from | pass | nodes | saved | passes | cells visited | nodes saved per 1000 cells |",
    );
    report.say("|---|---|---|---:|---:|---:|---:|---:|");
    let (mut same_nodes, mut fewer_passes, mut fewer_cells, mut root, mut least) =
        (true, true, true, true, 1.0_f64);
    // Of the passes at the root of walks, what those on empty boards save, and what the others save and visit.
    let (mut saved_anew, mut saved_at_root, mut visited_at_root, mut below_pays) = (0, 0, 0, false);
    let mut saves = true;
    for kind in [0, 1] {
        for Searches { from, kinds, found, anew, .. } in all {
            let by_pass = found.by_pass[kind];
            let [never, at_root, every, after_cut] = by_pass;
            if never.nodes == 0 {
                continue;
            }
            let saved = |work: Work| never.nodes as i64 - work.nodes as i64;
            for (pass, work) in Pass::ALL.into_iter().zip(by_pass) {
                let per_cells = match work.visited {
                    0 => "-".to_owned(),
                    visited => nearest(1000 * saved(work), visited).to_string(),
                };
                line(
                    &mut report.table,
                    format_args!(
                        "| {} | {from} | {} | {} | {} % | {} | {} | {per_cells} |",
                        kinds[kind],
                        pass.name(),
                        work.nodes,
                        nearest(100 * saved(work), never.nodes),
                        work.passes,
                        work.visited
                    ),
                );
            }
            same_nodes &= every.nodes == after_cut.nodes;
            fewer_passes &= 2 * after_cut.passes < every.passes;
            fewer_cells &= after_cut.visited < every.visited;
            saves &= saved(every) > 0;
            below_pays |= [every, after_cut].into_iter().any(|work| saved(work) > work.visited as i64);
            if kind == 1 {
                if *anew {
                    saved_anew += saved(at_root);
                } else {
                    saved_at_root += saved(at_root);
                    visited_at_root += at_root.visited as i64;
                }
                root &= at_root.nodes <= never.nodes;
                least = least.min(saved(every) as f64 / never.nodes as f64);
            }
        }
    }
    report.say(
        "\nAt the root alone a pass finds what the first position shows: nothing on an empty board, and a search for \
         Domineering's winner loses by it, since it gives up stopping early for regions that are still large. In Dots \
         and Boxes it can lose a little, too: what comes apart later is known again only together with what shared its \
         first region. Below the root a pass saves nodes in every search, most where values add. The look near a move \
         makes most passes needless, but on boards as small as these a region is little larger than a move's \
         neighbourhood: fewer passes are not as many fewer cells.\n\n\
         By the verdict above, a node saved for a cell visited, the pass at the root pays for walks from positions \
         that can be apart already, and no pass below it does: there a node has to cost more than a look at as \
         many cells as 1000 divided by the last column.",
    );
    let differ: u64 = all.iter().map(|searches| searches.found.differ).sum();
    report.claim(format!("answers that depend on the pass: {differ}"), differ == 0);
    report.claim("a pass after a move that could have split misses no split".into(), same_nodes);
    report.claim("it is made less than half as often as one at every node".into(), fewer_passes);
    report.claim("and visits fewer cells, the look near the move included".into(), fewer_cells);
    report.claim(
        format!(
            "passes at the root of walks save {saved_at_root} nodes for {visited_at_root} cells, on empty boards none"
        ),
        saved_at_root > visited_at_root && saved_anew == 0,
    );
    report.claim("no pass below the root saves a node for each cell visited".into(), !below_pays);
    report.claim("a pass at every node saves nodes in every search".into(), saves);
    report.claim("a pass at the root never costs the walk for a value a node".into(), root);
    report.claim(
        format!(
            "at every node a pass saves a walk {:.0} % of its nodes or more (at least a third)",
            100.0 * least
        ),
        least >= 1.0 / 3.0,
    );
}
