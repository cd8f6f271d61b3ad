//! The theory's claims with numbers, measured again.
//!
//! Each measurement plays or draws positions from fixed seeds, so it has the same outcome on every machine, and holds what
//! it finds against the claim. Where another program's figure is known it is printed beside ours; ours is never made
//! to fit.

use std::collections::HashMap;
use std::fmt;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use endgame::{Advice, Component, Multiset, Offer, Opened, OpenedAt, Structure, taking};
use game::{Board, Boxes, Player, Position};
use oracle::{Budget, Oracle, Question};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::matches::{Match, Terms, play_out};
use crate::style::Style;

/// One measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measurement {
    /// T = d + D in every game, and with it who takes the last turn.
    Identity,
    /// The long chain rule, where its assumption holds and where it does not.
    LongChainRule,
    /// Take all or decline: the verdict for each component and each rest.
    TakerValues,
    /// The bribe costs two boxes (four for a loop), not one (two).
    Bribe,
    /// What taking everything on offer costs.
    Greed,
    /// Players against one another.
    Matches,
    /// Chains, loops and safe edges are what they should be.
    Structure,
}

/// What a measurement came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which measurement.
    pub name: &'static str,
    /// The table, as Markdown.
    pub table: String,
    /// The claims, each with whether it held.
    pub claims: Vec<(String, bool)>,
}

impl Finding {
    /// Whether every claim held.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|&(_, held)| held)
    }
}

impl Measurement {
    /// All of them, in order.
    pub const ALL: [Measurement; 7] = [
        Measurement::Identity,
        Measurement::LongChainRule,
        Measurement::TakerValues,
        Measurement::Bribe,
        Measurement::Greed,
        Measurement::Matches,
        Measurement::Structure,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Measurement::Identity => "identity",
            Measurement::LongChainRule => "long-chain-rule",
            Measurement::TakerValues => "taker-values",
            Measurement::Bribe => "bribe",
            Measurement::Greed => "greed",
            Measurement::Matches => "matches",
            Measurement::Structure => "structure",
        }
    }

    /// Measures; `None` when it was cancelled. `scale` is in hundredths of the games the claims are made for.
    pub fn run(self, oracle: &Oracle, scale: u32, cancel: &AtomicBool) -> Option<Finding> {
        let terms = Terms { oracle, budget: Budget { nodes: Some(200_000), time: None }, cancel };
        let of = |games: u32| (u64::from(games) * u64::from(scale)).div_ceil(100).max(2) as u32;
        let finding = match self {
            Measurement::Identity => identity(of(1_000), of(120), terms)?,
            Measurement::LongChainRule => long_chain_rule(of(200), terms)?,
            Measurement::TakerValues => taker_values(),
            Measurement::Bribe => bribe(of(400), terms)?,
            Measurement::Greed => greed(of(600), terms)?,
            Measurement::Matches => matches(of(200), terms)?,
            Measurement::Structure => structure(of(400), terms)?,
        };
        (!cancel.load(Ordering::Relaxed)).then_some(Finding { name: self.name(), ..finding })
    }
}

/// A finding, its name still to be filled in.
fn finding(table: String, claims: Vec<(String, bool)>) -> Finding {
    Finding { name: "", table, claims }
}

/// A board of this size; only sizes that are boards are asked for.
fn board(rows: u32, cols: u32) -> Option<Board> {
    Board::new(rows, cols).ok()
}

/// Writes a line of a table; writing to a string cannot fail.
fn line(table: &mut String, text: fmt::Arguments<'_>) {
    let _ = writeln!(table, "{text}");
}

/// `T = d + D`, and the last turn is the first player's exactly when T is odd.
fn identity(games: u32, of_each_board: u32, terms: Terms<'_>) -> Option<Finding> {
    let players = [Style::Random, Style::Greedy, Style::CHAIN];
    let mut table = String::from("| first | second | games | T = d + D |\n|---|---|---:|---:|\n");
    let (mut played, mut held) = (0, 0);
    for first in players {
        for second in players {
            let one = |seed: u32| -> Option<u32> {
                let start = Position::empty(board(4, 4)?);
                let game = play_out(start, [first, second], seed.into(), terms)?.game;
                Some((game.turns() == start.board().dots() + game.double_crosses()).into())
            };
            let good: u32 = (0..games).into_par_iter().map(one).try_reduce(|| 0, |a, b| Some(a + b))?;
            line(&mut table, format_args!("| {first} | {second} | {games} | {good} |"));
            (played, held) = (played + games, held + good);
        }
    }
    table.push_str("\n| board | games | last turn by the parity of T |\n|---|---:|---:|\n");
    let (mut all, mut right) = (0, 0);
    for (rows, cols) in [(2, 3), (3, 3), (3, 4), (4, 4)] {
        let start = Position::empty(board(rows, cols)?);
        let one = |seed: u32| -> Option<u32> {
            let styles = [players[seed as usize % 3], players[seed as usize / 3 % 3]];
            let game = play_out(start, styles, seed.into(), terms)?.game;
            let last = game.moves().last()?.player;
            Some(((last == Player::First) == (game.turns() % 2 == 1)).into())
        };
        let good: u32 = (0..of_each_board).into_par_iter().map(one).try_reduce(|| 0, |a, b| Some(a + b))?;
        line(&mut table, format_args!("| {rows}x{cols} | {of_each_board} | {good} |"));
        (all, right) = (all + of_each_board, right + good);
    }
    Some(finding(
        table,
        vec![
            (format!("T = d + D in {held} of {played} games"), held == played),
            (format!("the last turn has the parity of T in {right} of {all} games"), right == all),
        ],
    ))
}

/// What is read off a game the moment nothing but isolated chains and loops is left.
struct Decomposed {
    held: bool,
    predicted: bool,
    won: Option<bool>,
}

/// With c long chains when the board comes apart and D = c - 1 double-crosses in the game, T = d + c - 1 says who takes the
/// last turn.
fn long_chain_rule(games: u32, terms: Terms<'_>) -> Option<Finding> {
    let mut table = String::from(
        "| board | games with a long chain | D = c - 1 held | then: last turn, winner | it failed | then: last turn, winner |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    let (mut held_all, mut held_right, mut failed_all, mut failed_right) = (0u32, 0u32, 0u32, 0u32);
    for (rows, cols) in [(3, 3), (4, 4), (5, 5), (6, 6)] {
        let start = Position::empty(board(rows, cols)?);
        let one = |seed: u32| -> Option<Option<Decomposed>> {
            let style = Style::Chain { exact: 12, parity: false };
            let game = play_out(start, [style; 2], seed.into(), terms)?.game;
            let mut position = start;
            let mut chains = None;
            for m in game.moves() {
                position.draw(m.edge);
                if let Some(set) = Structure::of(&position).decomposed().filter(|_| position.is_quiet()) {
                    chains = Some(set.chains().iter().filter(|&&chain| chain >= 3).count());
                    break;
                }
            }
            let Some(c) = chains.filter(|&c| c > 0) else { return Some(None) };
            let turns = start.board().dots() + c - 1;
            let controller = if turns % 2 == 1 { Player::First } else { Player::Second };
            let Boxes(margin) = game.margin();
            Some(Some(Decomposed {
                held: game.double_crosses() == c - 1,
                predicted: game.moves().last()?.player == controller,
                won: (margin != 0).then_some((margin > 0) == (controller == Player::First)),
            }))
        };
        let all: Vec<Option<Decomposed>> = (0..games).into_par_iter().map(one).collect::<Option<_>>()?;
        let all: Vec<Decomposed> = all.into_iter().flatten().collect();
        let count = |held: bool, what: &dyn Fn(&Decomposed) -> bool| {
            all.iter().filter(|d| d.held == held && what(d)).count() as u32
        };
        let (yes, no) = (count(true, &|_| true), count(false, &|_| true));
        let (yes_right, no_right) = (count(true, &|d| d.predicted), count(false, &|d| d.predicted));
        let share =
            |part: u32, whole: u32| format!("{:.0} %", 100.0 * f64::from(part) / f64::from(whole.max(1)));
        let winner = |held| {
            let decided = count(held, &|d| d.won.is_some());
            share(count(held, &|d| d.won == Some(true)), decided)
        };
        line(
            &mut table,
            format_args!(
                "| {rows}x{cols} | {} | {yes} | {}, {} | {no} | {}, {} |",
                all.len(),
                share(yes_right, yes),
                winner(true),
                share(no_right, no),
                winner(false)
            ),
        );
        held_all += yes;
        held_right += yes_right;
        failed_all += no;
        failed_right += no_right;
    }
    let percent = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
    let (held, failed) = (percent(held_right, held_all), percent(failed_right, failed_all));
    line(
        &mut table,
        format_args!(
            "\nWhere it failed the rule was right in {failed:.0} % (another program's games: 29 %)."
        ),
    );
    Some(finding(
        table,
        vec![(
            format!(
                "where D = c - 1 held, the rule names who takes the last turn in {held:.1} % (at least 99)"
            ),
            held >= 99.0,
        )],
    ))
}

/// The verdict for every component and every rest.
fn taker_values() -> Finding {
    let rests: [(&[u32], &[u32]); 6] =
        [(&[], &[]), (&[3], &[]), (&[5], &[]), (&[3, 3], &[]), (&[], &[4]), (&[9, 5, 2], &[])];
    let opened: Vec<Component> =
        [1, 2, 3, 4, 5, 8].map(Component::Chain).into_iter().chain([4, 6, 8].map(Component::Loop)).collect();
    let mut table = String::from(
        "| opened | nothing | {3} | {5} | {3,3} | loop {4} | {9,5,2} |\n|---|---|---|---|---|---|---|\n",
    );
    let mut verdicts: HashMap<(Component, usize), Advice> = HashMap::new();
    for &component in &opened {
        let mut row = format!("| {component} |");
        for (i, (chains, loops)) in rests.iter().enumerate() {
            let (Ok(rest), Ok(opened)) =
                (Multiset::new(chains, loops), Opened::new(component, OpenedAt::End))
            else {
                continue;
            };
            let taken = taking(opened, endgame::value(&rest));
            verdicts.insert((component, i), taken.advice);
            let decline = taken.decline.map_or("-".to_owned(), |value| value.to_string());
            let verdict = match taken.advice {
                Advice::TakeAll => "take",
                Advice::Decline => "decline",
                Advice::Either => "either",
            };
            let _ = write!(row, " {} / {decline}: {verdict} |", taken.take_all);
        }
        line(&mut table, format_args!("{row}"));
    }
    let long = |c: &&Component| matches!(c, Component::Chain(3..));
    let all = |rest: usize, advice: Advice| {
        opened.iter().filter(long).all(|&c| verdicts.get(&(c, rest)) == Some(&advice))
    };
    let loops = |rest: usize, advice: Advice| {
        [4, 6, 8].iter().all(|&l| verdicts.get(&(Component::Loop(l), rest)) == Some(&advice))
    };
    let claims = vec![
        (
            "with nothing behind, take everything".into(),
            opened.iter().all(|&c| verdicts.get(&(c, 0)) == Some(&Advice::TakeAll)),
        ),
        (
            "with {3} or {5} behind, decline from a 3-chain up".into(),
            all(1, Advice::Decline) && all(2, Advice::Decline),
        ),
        ("with {3,3} behind, either".into(), all(3, Advice::Either)),
        ("with {9,5,2} behind, take".into(), all(5, Advice::TakeAll)),
        ("a loop with loop {4} behind: either".into(), loops(4, Advice::Either)),
        ("a loop's bribe is not worth one 3-chain".into(), loops(1, Advice::TakeAll)),
        ("a loop's bribe is worth one 5-chain".into(), loops(2, Advice::Decline)),
    ];
    finding(table, claims)
}

/// The value of a position from the rules alone.
fn exhaustive(position: &Position, known: &mut HashMap<Position, i16>) -> i16 {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let moves: Vec<_> = position.free_edges().map(|e| position.after(e)).collect();
    let value = moves.into_iter().map(|(next, closed)| match closed {
        0 => -exhaustive(&next, known),
        closed => closed as i16 + exhaustive(&next, known),
    });
    let value = value.max().unwrap_or(0);
    known.insert(*position, value);
    value
}

/// The value of a multiset when declining leaves this many boxes of a chain, and of a loop.
fn value_with(
    chains: &mut Vec<u16>,
    loops: &mut Vec<u16>,
    bribes: [i16; 2],
    known: &mut HashMap<(Vec<u16>, Vec<u16>), i16>,
) -> i16 {
    if chains.is_empty() && loops.is_empty() {
        return 0;
    }
    if let Some(&value) = known.get(&(chains.clone(), loops.clone())) {
        return value;
    }
    let mut best = i16::MIN;
    for is_loop in [false, true] {
        for i in 0..if is_loop { loops.len() } else { chains.len() } {
            let size = if is_loop { loops.remove(i) } else { chains.remove(i) };
            let rest = value_with(chains, loops, bribes, known);
            if is_loop {
                loops.insert(i, size)
            } else {
                chains.insert(i, size)
            }
            let size = size as i16;
            let bribe = bribes[usize::from(is_loop)];
            // A chain of one or two boxes is opened so that there is no choice.
            let all = size + rest;
            let taken = if !is_loop && size < 3 { all } else { all.max(size - 2 * bribe - rest) };
            best = best.max(-taken);
        }
    }
    known.insert((chains.clone(), loops.clone()), best);
    best
}

/// Quiet positions with nothing but isolated chains and loops, few enough edges for the rules alone.
fn decomposed_positions(count: u32) -> Option<Vec<(Position, Multiset)>> {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut found = Vec::new();
    let boards = [board(3, 3)?, board(3, 4)?, board(4, 4)?];
    while (found.len() as u32) < count {
        let &board = boards.choose(&mut random)?;
        let mut position = Position::empty(board);
        while let Some(&edge) = Structure::of(&position).safe_moves.choose(&mut random) {
            position.draw(edge);
        }
        // Anything goes until it has come apart.
        while Structure::of(&position).decomposed().is_none() {
            let free: Vec<_> = position.free_edges().collect();
            position.draw(*free.choose(&mut random)?);
            position = Offer::of(&position).rest;
        }
        let set = Structure::of(&position).decomposed()?;
        if (4..=16).contains(&position.free_count()) && set.chains().len() + set.loops().len() >= 2 {
            found.push((position, set));
        }
    }
    Some(found)
}

/// The theory against the rules alone, with the bribe at its price and at half of it.
fn bribe(count: u32, terms: Terms<'_>) -> Option<Finding> {
    let positions = decomposed_positions(count)?;
    let one = |(position, set): &(Position, Multiset)| -> Option<[u32; 2]> {
        if terms.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let truth = exhaustive(position, &mut HashMap::new());
        let with = |bribes| {
            let (mut chains, mut loops) = (set.chains().to_vec(), set.loops().to_vec());
            value_with(&mut chains, &mut loops, bribes, &mut HashMap::new())
        };
        let agrees = with([2, 4]) == truth && endgame::value(set) == Boxes(truth);
        Some([agrees.into(), (with([1, 2]) != truth).into()])
    };
    let [agree, differ] =
        positions.par_iter().map(one).try_reduce(|| [0; 2], |a, b| Some([a[0] + b[0], a[1] + b[1]]))?;
    let table = format!(
        "| bribe | positions | as the rules alone have it |\n|---|---:|---:|\n| 2 and 4 | {count} | {agree} |\n| 1 and 2 | {count} | {} |\n\n\
         Half the price is wrong on {differ} (another program's positions: 265 of 400).\n",
        count - differ
    );
    Some(finding(
        table,
        vec![(format!("theory and exhaustive search agree on {agree} of {count}"), agree == count)],
    ))
}

/// What taking everything costs, on positions with a box on offer.
fn greed(count: u32, terms: Terms<'_>) -> Option<Finding> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let boards = [board(3, 3)?, board(3, 4)?, board(4, 4)?, board(5, 5)?];
    let mut positions = Vec::new();
    while (positions.len() as u32) < count {
        let &board = boards.choose(&mut random)?;
        let mut position = Position::empty(board);
        while let Some(&edge) = Structure::of(&position).safe_moves.choose(&mut random) {
            position.draw(edge);
        }
        for _ in 0..random.random_range(1..4) {
            position = Offer::of(&position).rest;
            let free: Vec<_> = position.free_edges().collect();
            match free.choose(&mut random) {
                Some(&edge) => position.draw(edge),
                None => break,
            };
        }
        if Offer::of(&position).boxes > 0 {
            positions.push(position);
        }
    }
    let one = |position: &Position| -> Option<i16> {
        let value = |p: &Position| {
            let solved = terms.oracle.solve(p, &Question::default(), terms.cancel).ok()?;
            solved.outcome.exact()
        };
        let offer = Offer::of(position);
        let Boxes(cost) = value(position)? - (Boxes(offer.boxes as i16) + value(&offer.rest)?);
        Some(cost)
    };
    let costs: Vec<i16> = positions.par_iter().map(one).collect::<Option<_>>()?;
    let mut by_cost: Vec<(i16, usize)> = Vec::new();
    let worst = costs.iter().copied().max().unwrap_or(0);
    let mut table = String::from("| taking everything costs | positions |\n|---:|---:|\n");
    for cost in 0..=worst {
        let times = costs.iter().filter(|&&c| c == cost).count();
        if times > 0 {
            by_cost.push((cost, times));
            line(&mut table, format_args!("| {cost} | {times} |"));
        }
    }
    let free = by_cost.first().map_or(0, |&(_, times)| times);
    line(
        &mut table,
        format_args!(
            "\nFree in {:.0} % (another program's positions: 68 %); at worst {worst} boxes (22).",
            100.0 * free as f64 / f64::from(count)
        ),
    );
    let even = costs.iter().all(|cost| cost % 2 == 0 && *cost >= 0);
    Some(finding(table, vec![("every cost is even, and none below nothing".into(), even)]))
}

/// Every pairing, each player first in half the games.
fn matches(games: u32, terms: Terms<'_>) -> Option<Finding> {
    let mut table =
        String::from("| 4x4 | against | won | lost | tied | boxes a game |\n|---|---|---:|---:|---:|---:|\n");
    let board = board(4, 4)?;
    let mut play = |players: [Style; 2]| {
        let played = Match::play(board, players, games, 6, terms)?;
        let Match { won, lost, tied, .. } = played;
        let [one, other] = players;
        line(
            &mut table,
            format_args!("| {one} | {other} | {won} | {lost} | {tied} | {:+.1} |", played.mean_margin()),
        );
        Some(played)
    };
    let greedy = play([Style::Greedy, Style::Random])?;
    play([Style::Sensible, Style::Greedy])?;
    let chain = play([Style::CHAIN, Style::Greedy])?;
    play([Style::CHAIN, Style::Sensible])?;
    play([Style::Hard, Style::Medium])?;
    play([Style::Medium, Style::Easy])?;
    play([Style::Chain { exact: 18, parity: true }, Style::CHAIN])?;
    let enough = games * 4 / 5;
    table.push_str("\nAnother program: chain beats greedy in 176 of 200 by about six boxes, greedy random by about fourteen.\n");
    Some(finding(
        table,
        vec![
            (
                format!("greedy beats random by {:.1} boxes (at least 12)", greedy.mean_margin()),
                greedy.mean_margin() >= 12.0,
            ),
            (
                format!("chain beats greedy in {} of {games} (at least {enough})", chain.won),
                chain.won >= enough,
            ),
        ],
    ))
}

/// Components and safe edges of positions of games.
fn structure(games: u32, terms: Terms<'_>) -> Option<Finding> {
    let start = [board(4, 4)?, board(5, 5)?, board(6, 6)?];
    let one = |seed: u32| -> Option<[u64; 3]> {
        let board = start[seed as usize % 3];
        let styles =
            [[Style::Random, Style::Sensible], [Style::Sensible, Style::Sensible]][seed as usize / 3 % 2];
        let game = play_out(Position::empty(board), styles, seed.into(), terms)?.game;
        let mut position = Position::empty(board);
        let [mut components, mut odd, mut broken] = [0u64; 3];
        for m in game.moves() {
            position.draw(m.edge);
            let found = Structure::of(&position);
            components += (found.chains.len() + found.loops.len() + found.joints.len()) as u64;
            odd += found.loops.iter().filter(|run| run.boxes.len() < 4 || run.boxes.len() % 2 == 1).count()
                as u64;
            if position.is_quiet() {
                let offers = |e| Offer::of(&position.after(e).0).boxes > 0;
                broken += position.free_edges().filter(|e| found.safe_moves.contains(e) == offers(*e)).count()
                    as u64;
            }
        }
        Some([components, odd, broken])
    };
    let add = |a: [u64; 3], b: [u64; 3]| Some([a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
    let [components, odd, broken] = (0..games).into_par_iter().map(one).try_reduce(|| [0; 3], add)?;
    let table = format!(
        "| chains, loops and joints classified | loops odd or under 4 | edges that break the promise of safety |\n|---:|---:|---:|\n| {components} | {odd} | {broken} |\n"
    );
    let enough = 43_480 * u64::from(games) / 400;
    Some(finding(
        table,
        vec![
            (format!("{components} components classified (at least {enough})"), components >= enough),
            ("no loop is odd or under four boxes".into(), odd == 0),
            ("in quiet positions a safe edge offers no box, and every other one does".into(), broken == 0),
        ],
    ))
}
