//! The question left open: how often, and at what depth, positions of a real search fall apart.

use std::sync::atomic::Ordering;

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::super::{board, line};
use super::depths::{Depths, STEPS};
use super::domineering::Domineering;
use super::dots_and_boxes::DotsAndBoxes;
use super::game::{Cells, Side};
use super::outcome::Search;
use super::score::Prover;
use super::starts::{drawn, laid};
use super::values::{Value, Values};
use super::walk::{Adds, Pass, Walk, Work};
use super::{Report, costs};
use crate::matches::Terms;

/// Rows and columns of a Domineering board, and how many dominoes lie on it when a search begins.
const DOMINEERING: [(usize, usize, usize); 5] = [(4, 5, 0), (5, 5, 0), (4, 5, 2), (4, 6, 4), (5, 5, 5)];

/// Rows and columns of a board of boxes, and how many edges are free when a search begins.
const BOXES: [(u32, u32, usize); 4] = [(3, 3, 24), (3, 3, 18), (2, 5, 19), (3, 4, 20)];

/// The most open cells of a first position whose value is walked for.
const WALKED: u32 = 20;

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
    const KINDS: [&str; 2] = ["winner", "nimber"];

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
pub(super) struct Counted {
    /// Of the search for the winner without a pass.
    depths: Depths,
    /// What they cost; nothing where a value was not walked for.
    pub(super) by_pass: [[Work; 4]; 2],
    /// Searches whose answer another pass, or the other kind, does not agree with.
    pub(super) differ: u64,
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
pub(super) struct Searches {
    /// The board, and what is played on it already.
    pub(super) from: String,
    /// What is searched for.
    pub(super) kinds: [&'static str; 2],
    /// How many.
    count: usize,
    /// Whether they began with nothing played.
    pub(super) anew: bool,
    /// What was counted.
    pub(super) found: Counted,
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
    costs::table(report, &all);
    Some(())
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.0} %", 100.0 * part as f64 / whole as f64) }
}

/// How often, and at what depth.
fn depths(report: &mut Report, all: &[Searches]) {
    report.say(
        "\nHow often the positions of a search for the winner, which knows nothing of regions, have several in which \
         something can still be played, by how much of what was open at first is gone; and how often none of them has \
         more than two thirds of the cells.\n",
    );
    report.say(
        "| from | searches | positions | apart | evenly | 0 to 20 % gone | 20 to 40 | 40 to 60 | 60 to 80 \
         | 80 to 100 |",
    );
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
