//! Take all or decline, for each component and each rest.

use std::collections::HashMap;
use std::fmt::Write as _;

use endgame::{Advice, Component, Multiset, Opened, OpenedAt, taking};
use game::Boxes;

use super::{Finding, finding, line};

/// The verdict for every component and every rest.
pub(super) fn measure() -> Finding {
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
                row.push_str(" ? |");
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
    let worth = Multiset::new(&[9, 5, 2], &[]).map_or(Boxes::ZERO, |set| endgame::value(&set));
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
        (format!("opening {{9,5,2}} nets {worth} (+8)"), worth == Boxes(8)),
        (
            "the length in hand never changes the verdict".into(),
            (0..rests.len()).all(|rest| {
                let alike = |of: &[Component]| {
                    of.iter().all(|c| verdicts.get(&(*c, rest)) == verdicts.get(&(of[0], rest)))
                };
                alike(&[3, 4, 5, 8].map(Component::Chain)) && alike(&[4, 6, 8].map(Component::Loop))
            }),
        ),
        ("a loop with loop {4} behind: either".into(), loops(4, Advice::Either)),
        ("a loop's bribe is not worth one 3-chain".into(), loops(1, Advice::TakeAll)),
        ("a loop's bribe is worth one 5-chain".into(), loops(2, Advice::Decline)),
    ];
    finding(table, claims)
}
