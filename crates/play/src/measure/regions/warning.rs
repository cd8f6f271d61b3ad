//! Relations that split wrongly: by adjacency, by the moves offered now, by the cells turned over alone.

use std::sync::atomic::Ordering;

use ::game::Position;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::super::{board, line};
use super::Report;
use super::count::{Apart, Graph};
use super::domineering::Domineering;
use super::dots_and_boxes::DotsAndBoxes;
use super::game::{Cells, Game as _, each};
use super::konane::Konane;
use super::relation::{Regions, Relation, flood};
use crate::matches::Terms;

/// The regions that adjacency makes of a Konane board, and the graph of each on its own: stones that stand together,
/// without the others.
fn by_stones(board: &Konane, stones: Cells) -> Vec<Graph> {
    let groups = flood(stones, |square| board.adjacent(square));
    groups.into_iter().map(|group| Graph::of(board, group)).collect()
}

/// Free squares that lie together, the other free squares taken for walls.
fn by_free_squares(board: &Konane, stones: Cells) -> Vec<Graph> {
    let free = board.free(stones);
    let groups = flood(free, |square| board.adjacent(square));
    groups.into_iter().map(|group| Graph::of(&board.without(free & !group), stones)).collect()
}

fn product(parts: &[Graph]) -> Graph {
    parts.iter().fold(Graph::ONE, |all, &part| all.times(part))
}

/// Boards of one row: three on which a wrong relation splits what belongs together, one on which none does.
pub(super) fn konane(report: &mut Report) {
    report.say(
        "\nKonane, the warning: a move reads three squares in a line, and a square it clears can be filled again.\n",
    );
    report.say(
        "| board | whole | regions by its moves | by the moves offered now | by adjacent stones \
         | by adjacent free squares |",
    );
    report.say("|---|---:|---|---|---|---|");
    // The squares with a stone.
    let boards: [(usize, Cells); 4] = [(5, 0b11011), (6, 0b110011), (4, 0b0110), (9, 0b1_1000_0011)];
    let mut wrong = [false; 3];
    let mut right = true;
    let shown = |parts: &[Graph]| {
        let counts: Vec<String> = parts.iter().map(|part| part.positions.to_string()).collect();
        if counts.is_empty() { "1".to_owned() } else { counts.join(" x ") }
    };
    for (cols, stones) in boards {
        let board = Konane::new(1, cols, 0);
        let found = Apart::of(&board, stones, Relation::Ever, cols as u64);
        report.product(&found);
        let others = [
            Apart::of(&board, stones, Relation::Now, cols as u64).parts,
            by_stones(&board, stones),
            by_free_squares(&board, stones),
        ];
        right &= found.is_product();
        let cells: Vec<String> = others
            .iter()
            .map(|parts| {
                let product = product(parts);
                let verdict = if product == found.whole { "" } else { ", wrong" };
                format!("{} = {}{verdict}", shown(parts), product.positions)
            })
            .collect();
        for (wrong, parts) in wrong.iter_mut().zip(&others) {
            *wrong |= product(parts) != found.whole;
        }
        line(
            &mut report.table,
            format_args!(
                "| `{}` | {} | {} = {} | {} |",
                board.picture(stones),
                found.whole.positions,
                shown(&found.parts),
                found.product().positions,
                cells.join(" | ")
            ),
        );
    }
    report.say(
        "\n`BW..BW` offers two jumps, one at each end, that read no square in common; after both, either stone in the \
         middle can take the other. So the relation must range over every move the game could ever offer.",
    );
    report.claim("Konane's boards are the products of the regions by their moves".into(), right);
    report.claim("regions by the moves offered now are wrong on one of Konane's boards".into(), wrong[0]);
    report.claim(
        "regions by adjacency are wrong on Konane's boards, of stones and of free squares".into(),
        wrong[1] && wrong[2],
    );
}

/// How often a relation splits random positions, and how often rightly.
#[derive(Default)]
struct Tally {
    positions: u64,
    split: u64,
    right: u64,
}

impl Tally {
    fn add(&mut self, whole: Graph, parts: &[Graph]) {
        self.positions += 1;
        if parts.len() > 1 {
            self.split += 1;
            self.right += u64::from(product(parts) == whole);
        }
    }

    fn row(&self, report: &mut Report, game: &str, relation: &str) {
        let Tally { positions, split, right } = self;
        line(
            &mut report.table,
            format_args!("| {game} | {relation} | {positions} | {split} | {right} | {} |", split - right),
        );
    }
}

/// Cells at random, each with this probability.
fn some(cells: Cells, probability: f64, random: &mut ChaCha8Rng) -> Cells {
    each(cells).filter(|_| random.random_bool(probability)).fold(0, |all, at| all | at)
}

/// Random positions of the three games, by the right relation and by wrong ones.
pub(super) fn random(report: &mut Report, count: u32, terms: Terms<'_>) -> Option<()> {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    report.say(
        "\nRandom positions, and whether the product of their regions' graphs is theirs, positions and arcs.\n",
    );
    report.say("| game | relation | positions | split | product right | wrong |");
    report.say("|---|---|---:|---:|---:|---:|");
    random_domineering(report, count, &mut random);
    random_boxes(report, count, &mut random, terms)?;
    random_konane(report, count, &mut random, terms)
}

fn random_domineering(report: &mut Report, count: u32, random: &mut ChaCha8Rng) {
    let mut by_moves = Tally::default();
    for _ in 0..count {
        let blocked = some((1 << 20) - 1, 0.3, random);
        let found = Apart::of(&Domineering::new(4, 5, blocked), blocked, Relation::Ever, 20);
        report.product(&found);
        by_moves.add(found.whole, &found.parts);
    }
    by_moves.row(report, "Domineering 4x5", "every move ever");
}

fn random_boxes(report: &mut Report, count: u32, random: &mut ChaCha8Rng, terms: Terms<'_>) -> Option<()> {
    let game = DotsAndBoxes::new(board(3, 3)?)?;
    let edges = game.board().edges() as u64;
    let (mut by_moves, mut by_edges) = (Tally::default(), Tally::default());
    for _ in 0..count {
        if terms.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let mut position = Position::empty(game.board());
        while position.free_count() > 12 {
            let free: Vec<_> = position.free_edges().collect();
            position.draw(*free.choose(random)?);
        }
        let drawn = game.cells() & !game.free(&position);
        let found = Apart::of(&game, drawn, Relation::Ever, edges);
        report.product(&found);
        by_moves.add(found.whole, &found.parts);
        by_edges.add(found.whole, &Apart::of(&game, drawn, Relation::TurnedOver, edges).parts);
    }
    by_moves.row(report, "Dots and Boxes 3x3", "every move ever");
    by_edges.row(report, "Dots and Boxes 3x3", "the edge alone, not the boxes it could close");
    report.claim(
        "by the edges alone the boxes come out wrong: the relation must read what the score reads".into(),
        by_edges.right < by_edges.split,
    );
    Some(())
}

fn random_konane(report: &mut Report, count: u32, random: &mut ChaCha8Rng, terms: Terms<'_>) -> Option<()> {
    let [mut by_moves, mut by_now, mut together, mut free_together] = [(); 4].map(|()| Tally::default());
    let mut finer = true;
    for _ in 0..count {
        if terms.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let board = Konane::new(4, 5, some((1 << 20) - 1, 0.2, random));
        let stones = some(board.cells(), 0.35, random);
        let found = Apart::of(&board, stones, Relation::Ever, 20);
        report.product(&found);
        by_moves.add(found.whole, &found.parts);
        by_now.add(found.whole, &Apart::of(&board, stones, Relation::Now, 20).parts);
        together.add(found.whole, &by_stones(&board, stones));
        free_together.add(found.whole, &by_free_squares(&board, stones));
        // Regions only get finer: every region after a move lies within one before it.
        let before = Regions::of(&board, stones, Relation::Ever).parts;
        for m in board.moves().iter().filter(|m| m.is_offered(stones)) {
            let after = Regions::of(&board, m.after(stones), Relation::Ever).parts;
            finer &= after.iter().all(|a| before.iter().any(|b| a & !b == 0));
        }
    }
    by_moves.row(report, "Konane 4x5", "every move ever");
    by_now.row(report, "Konane 4x5", "the moves offered now");
    together.row(report, "Konane 4x5", "stones that stand together");
    free_together.row(report, "Konane 4x5", "free squares that lie together");
    report.claim("in Konane, too, a partition found once stays valid below".into(), finer);
    Some(())
}
