//! The question left open: how often, and at what depth, positions of a real search fall apart, and what a pass costs and
//! saves.

use std::sync::atomic::Ordering;

use ::game::Position;
use endgame::Structure;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::super::{board, line};
use super::depths::{Depths, STEPS};
use super::domineering::Domineering;
use super::dots_and_boxes::DotsAndBoxes;
use super::game::{Cells, Game as _, Side, each};
use super::outcome::Search;
use super::relation::split;
use super::score::{Prover, values_apart};
use super::values::{Value, Values};
use super::walk::{Adds, Pass, Walk, Work};
use super::{Report, misere, nearest};
use crate::matches::Terms;

/// Rows and columns of a Domineering board, and how many dominoes lie on it when a search begins.
const DOMINEERING: [(usize, usize, usize); 5] = [(4, 5, 0), (5, 5, 0), (4, 5, 2), (4, 6, 4), (5, 5, 5)];

/// Rows and columns of a board of boxes, and how many edges are free when a search begins.
const BOXES: [(u32, u32, usize); 4] = [(3, 3, 24), (3, 3, 18), (2, 5, 19), (3, 4, 20)];

/// The most open cells of a first position whose value is walked for.
const WALKED: u32 = 20;

/// A position of Domineering after dominoes laid in turn at random.
fn laid(game: &Domineering, dominoes: usize, random: &mut ChaCha8Rng) -> Cells {
    let mut open = game.cells();
    let mut mover = Side::Left;
    for _ in 0..dominoes {
        let moves: Vec<Cells> =
            game.options(open).into_iter().filter(|(by, _)| by.allows(mover)).map(|(_, left)| left).collect();
        open = moves.choose(random).copied().unwrap_or(open);
        mover = mover.other();
    }
    open
}

/// The free edges of a quiet position with this many of them: safe moves at random, and when there are none any, with what
/// that offers taken.
fn drawn(game: &DotsAndBoxes, free: usize, random: &mut ChaCha8Rng) -> Option<Cells> {
    loop {
        let mut position = Position::empty(game.board());
        while position.free_count() > free {
            let safe = Structure::of(&position).safe_moves;
            match safe.choose(random) {
                Some(&edge) => position.draw(edge),
                None => {
                    let all: Vec<_> = position.free_edges().collect();
                    let closed = position.draw(*all.choose(random)?);
                    position = endgame::Offer::of(&position).rest;
                    closed
                }
            };
        }
        if position.free_count() == free {
            return Some(game.free(&position));
        }
    }
}

/// A game whose winner is searched for.
trait Searched: Adds + Sync {
    /// What is searched for where the first win ends the search, and where it does not.
    const KINDS: [&str; 2];

    /// Whether the first player wins from these open cells, and what finding out cost.
    fn wins(&self, pass: Pass, open: Cells, values: &mut Values, depths: &mut Depths) -> (bool, Work);

    /// Whether a value says that the first player wins, if it says.
    fn says(value: Value, values: &mut Values) -> Option<bool>;
}

impl Searched for Domineering {
    const KINDS: [&str; 2] = ["winner", "value"];

    fn wins(&self, pass: Pass, open: Cells, values: &mut Values, depths: &mut Depths) -> (bool, Work) {
        let mut search = Search::new(self, pass);
        let won = search.whole(open, Side::Left, values, depths);
        (won, search.work())
    }

    fn says(value: Value, values: &mut Values) -> Option<bool> {
        Some(values.wins(value, Side::Left))
    }
}

impl Searched for DotsAndBoxes {
    const KINDS: [&str; 2] = ["score", "nimber"];

    fn wins(&self, pass: Pass, open: Cells, _values: &mut Values, depths: &mut Depths) -> (bool, Work) {
        let mut prover = Prover::new(self, pass);
        let won = prover.wins(open, depths);
        (won, prover.work)
    }

    /// The nimber is another game's.
    fn says(_value: Value, _values: &mut Values) -> Option<bool> {
        None
    }
}

/// What was counted on positions of one board: the two kinds of search by each pass.
#[derive(Default)]
struct Counted {
    depths: Depths,
    by_pass: [[Work; 4]; 2],
    /// Searches whose answer another pass, or the other kind, does not agree with.
    differ: u64,
}

impl std::ops::AddAssign for Counted {
    fn add_assign(&mut self, other: Counted) {
        self.depths += other.depths;
        for (mine, others) in self.by_pass.iter_mut().flatten().zip(other.by_pass.into_iter().flatten()) {
            *mine += others;
        }
        self.differ += other.differ;
    }
}

/// The searches of one board.
struct Searches {
    from: String,
    kinds: [&'static str; 2],
    count: usize,
    /// Whether they began with nothing played.
    anew: bool,
    found: Counted,
}

/// Searches from each of these positions by each pass; `None` when it was cancelled.
fn search<G: Searched>(game: &G, starts: &[Cells], terms: Terms<'_>) -> Option<Counted> {
    let one = |&start: &Cells| -> Option<Counted> {
        let mut values = Values::new();
        let mut found = Counted::default();
        let mut answers: Vec<(bool, Option<Value>)> = Vec::new();
        for (i, pass) in Pass::ALL.into_iter().enumerate() {
            if terms.cancel.load(Ordering::Relaxed) {
                return None;
            }
            let mut depths = Depths::from(start);
            let (won, work) = game.wins(pass, start, &mut values, &mut depths);
            found.by_pass[0][i] += work;
            if pass == Pass::Never {
                found.depths += depths;
            }
            let value = (start.count_ones() <= WALKED).then(|| {
                let mut walk = Walk::new(game, pass);
                let value = walk.whole(start, &mut values);
                found.by_pass[1][i] += walk.work;
                value
            });
            let said = value.and_then(|value| G::says(value, &mut values));
            found.differ += u64::from(said.is_some_and(|said| said != won));
            answers.push((won, value));
        }
        found.differ += answers.iter().filter(|&&answer| answer != answers[0]).count() as u64;
        Some(found)
    };
    starts.par_iter().map(one).try_reduce(Counted::default, |mut all, found| {
        all += found;
        Some(all)
    })
}

/// The tables.
pub(super) fn measure(report: &mut Report, count: u32, terms: Terms<'_>) -> Option<()> {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut all = Vec::new();
    for (rows, cols, dominoes) in DOMINEERING {
        let game = Domineering::new(rows, cols, 0);
        let anew = dominoes == 0;
        let count = if anew { 1 } else { count };
        let starts: Vec<Cells> = (0..count).map(|_| laid(&game, dominoes, &mut random)).collect();
        all.push(Searches {
            from: format!("Domineering {rows}x{cols}, {dominoes} dominoes laid"),
            kinds: Domineering::KINDS,
            count: starts.len(),
            anew,
            found: search(&game, &starts, terms)?,
        });
    }
    for (rows, cols, free) in BOXES {
        let game = DotsAndBoxes::new(board(rows, cols)?)?;
        let anew = free == game.board().edges();
        let count = if anew { 1 } else { count };
        let starts: Vec<Cells> =
            (0..count).map(|_| drawn(&game, free, &mut random)).collect::<Option<_>>()?;
        all.push(Searches {
            from: format!("Dots and Boxes {rows}x{cols}, {free} edges free"),
            kinds: DotsAndBoxes::KINDS,
            count: starts.len(),
            anew,
            found: search(&game, &starts, terms)?,
        });
    }
    depths(report, &all);
    costs(report, &all);
    Some(())
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.0} %", 100.0 * part as f64 / whole as f64) }
}

/// How often, and at what depth.
fn depths(report: &mut Report, all: &[Searches]) {
    report.say(
        "\nHow often the positions of a search for the winner have several regions in which something can still be played, by \
         how much of what was open at first is gone; and how often none of the regions has more than two thirds of it. The \
         search knows nothing of regions.\n",
    );
    report.say("| from | searches | positions | apart | evenly | 0 to 20 % gone | 20 to 40 | 40 to 60 | 60 to 80 | 80 to 100 |");
    report.say("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut rises, mut least) = (true, 1.0_f64);
    for Searches { from, count, anew, found: Counted { depths, .. }, .. } in all {
        let [nodes, apart, evenly] =
            [depths.nodes, depths.apart, depths.evenly].map(|of| of.iter().sum::<u64>());
        let steps: Vec<String> = (0..STEPS).map(|i| percent(depths.apart[i], depths.nodes[i])).collect();
        line(
            &mut report.table,
            format_args!(
                "| {from} | {count} | {nodes} | {} | {} | {} |",
                percent(apart, nodes),
                percent(evenly, nodes),
                steps.join(" | ")
            ),
        );
        // By cross-multiplication: the share of each fifth but the last is above that of the one before.
        let above = |i: usize| depths.apart[i] * depths.nodes[i - 1] > depths.apart[i - 1] * depths.nodes[i];
        rises &= !anew || (1..STEPS - 1).all(above);
        least = least.min(apart as f64 / nodes.max(1) as f64);
    }
    report.claim("from an empty board the share apart rises with every fifth but the last".into(), rises);
    report.claim(
        format!("of every board's positions {:.0} % or more are apart (at least a third)", 100.0 * least),
        least >= 1.0 / 3.0,
    );
}

/// What a pass costs and saves.
fn costs(report: &mut Report, all: &[Searches]) {
    report.say(
        "\nWhat a pass costs and saves. Nodes are positions gone into, or regions of positions. A partition stays valid below, so a pass goes over the region \
         moved in only; cells are what the passes visit, \
         and with the last kind what is looked at near a move to tell whether it could have split the board. The values of \
         Domineering and the nimbers of Nimstring add: each region is walked through once. Whoever searches for \
         Domineering's winner stops at the first move that wins, but where the board is apart it needs the regions' values. \
         The scores of Dots and Boxes do not add: there a pass only lets a position be known again by its regions, turned over \
         or moved, as the whole is known without one.\n",
    );
    report.say(
        "| search for | from | pass | nodes | saved | passes | cells visited | nodes saved per 1000 cells |",
    );
    report.say("|---|---|---|---:|---:|---:|---:|---:|");
    let (mut same_nodes, mut fewer_passes, mut fewer_cells, mut root, mut least) =
        (true, true, true, true, 1.0_f64);
    for kind in [0, 1] {
        for Searches { from, kinds, found, .. } in all {
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
            if kind == 1 {
                root &= at_root.nodes <= never.nodes;
                least = least.min(saved(every) as f64 / never.nodes as f64);
            }
        }
    }
    report.say(
        "\nAt the root alone a pass finds only what the first position shows: nothing on an empty board, and for the winner of \
         Domineering it costs more than it saves, because a value knows no first move that wins. Below the root it pays \
         wherever values add. What is looked at near a move makes most passes needless; on boards as small as these a region \
         is little larger than a move's neighbourhood, so fewer passes are not as many fewer cells.",
    );
    let differ: u64 = all.iter().map(|searches| searches.found.differ).sum();
    report.claim(format!("answers that depend on the pass: {differ}"), differ == 0);
    report.claim("a pass after a move that could have split misses no split".into(), same_nodes);
    report.claim("it is made less than half as often as one at every node".into(), fewer_passes);
    report.claim("and visits fewer cells, the look near the move included".into(), fewer_cells);
    report.claim("a pass at the root never costs the walk for a value a node".into(), root);
    report.claim(
        format!(
            "a pass at every node saves the walk for a value {:.0} % of its nodes or more (at least a third)",
            100.0 * least
        ),
        least >= 1.0 / 3.0,
    );
}

/// Where values add and where they do not.
pub(super) fn sums(report: &mut Report, count: u32, terms: Terms<'_>) -> Option<()> {
    let mut random = ChaCha8Rng::seed_from_u64(10);
    report.say("\nWhat adds, on random positions of several regions.\n");
    report.say("| game | positions | the sum of the regions' values is right |");
    report.say("|---|---:|---:|");
    let mut values = Values::new();
    let (mut held, mut asked) = (0, 0);
    while asked < count {
        let blocked = each((1 << 20) - 1).filter(|_| random.random_bool(0.3)).fold(0, |all, at| all | at);
        let game = Domineering::new(4, 5, blocked);
        if split(game.moves(), game.cells()).len() < 2 {
            continue;
        }
        asked += 1;
        held += u32::from(misere::sum_holds(&game, &mut values));
    }
    line(&mut report.table, format_args!("| Domineering 4x5, normal play, by who wins | {asked} | {held} |"));
    report.claim(format!("Domineering's regions add under normal play: {held} of {asked}"), held == asked);

    let (mut nimbers, mut scores, mut asked) = (0, 0, 0);
    let game = DotsAndBoxes::new(board(3, 4)?)?;
    while asked < count {
        if terms.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let open = drawn(&game, 14, &mut random)?;
        if split(game.moves(), open).len() < 2 {
            continue;
        }
        asked += 1;
        let whole = Walk::new(&game, Pass::Never).whole(open, &mut values);
        let apart = Walk::new(&game, Pass::Root).whole(open, &mut values);
        nimbers += u32::from(whole == apart);
        let whole = Prover::new(&game, Pass::Never).value(open, &mut Depths::default());
        scores += u32::from(whole == values_apart(&game, open).into_iter().sum::<i16>());
    }
    line(&mut report.table, format_args!("| Nimstring 3x4, by the nimber | {asked} | {nimbers} |"));
    line(&mut report.table, format_args!("| Dots and Boxes 3x4, by the score | {asked} | {scores} |"));
    report.claim(format!("Nimstring's nimbers add: {nimbers} of {asked}"), nimbers == asked);
    report.claim("scores of Dots and Boxes do not add".into(), scores < asked);
    Some(())
}
