//! Take all or decline: the numbers of both lines, the verdict, the bribe.

use endgame::{Advice, Component, Multiset, Opened, OpenedAt, Taking, opening_value, taking, value};
use game::Boxes;

use crate::multiset;
use crate::reference::{self, Recursion, every_multiset, lengths, takers_best};

fn chain(n: u16) -> Opened {
    Opened::new(Component::Chain(n), OpenedAt::End).unwrap()
}

fn ring(n: u16) -> Opened {
    Opened::new(Component::Loop(n), OpenedAt::End).unwrap()
}

fn hard_hearted() -> Opened {
    Opened::new(Component::Chain(2), OpenedAt::Middle).unwrap()
}

/// What waits behind, with what opening it is worth (by hand: -3, -5, -2, -4 and, for the taker's luck, +8).
fn rests() -> [(Multiset, i16); 6] {
    [
        (multiset(&[], &[]), 0),
        (multiset(&[3], &[]), -3),
        (multiset(&[5], &[]), -5),
        (multiset(&[3, 3], &[]), -2),
        (multiset(&[], &[4]), -4),
        (multiset(&[9, 5, 2], &[]), 8),
    ]
}

/// The verdict for every component against every rest. T takes all, D declines, E is either.
#[test]
fn the_verdict_depends_on_the_rest_and_the_bribe() {
    //                     {}  {3} {5} {3,3} (4) {9,5,2}
    let expected = [
        (chain(1), ["T", "T", "T", "T", "T", "T"]),
        (hard_hearted(), ["T", "T", "T", "T", "T", "T"]),
        (chain(2), ["T", "D", "D", "E", "D", "T"]),
        (chain(3), ["T", "D", "D", "E", "D", "T"]),
        (chain(4), ["T", "D", "D", "E", "D", "T"]),
        (chain(5), ["T", "D", "D", "E", "D", "T"]),
        (chain(8), ["T", "D", "D", "E", "D", "T"]),
        (ring(4), ["T", "T", "D", "T", "E", "T"]),
        (ring(6), ["T", "T", "D", "T", "E", "T"]),
        (ring(8), ["T", "T", "D", "T", "E", "T"]),
    ];
    for (opened, verdicts) in expected {
        for ((rest, worth), verdict) in rests().iter().zip(verdicts) {
            assert_eq!(value(rest).get(), *worth, "{rest}");
            let advice = match verdict {
                "T" => Advice::TakeAll,
                "D" => Advice::Decline,
                _ => Advice::Either,
            };
            assert_eq!(taking(opened, value(rest)).advice, advice, "{opened} with {rest} behind");
        }
    }
}

/// Both lines in boxes, by hand.
#[test]
fn both_lines_by_hand() {
    let numbers = |opened, rest: i16| {
        let Taking { value, take_all, decline, bribe, advice } = taking(opened, Boxes(rest));
        (value.get(), take_all.get(), decline.map(Boxes::get), bribe, advice)
    };
    // A 5-chain, a 5-chain behind: all five and then minus five; or three, two given away, then plus five.
    assert_eq!(numbers(chain(5), -5), (6, 0, Some(6), 2, Advice::Decline));
    // An 8-chain, {3,3} behind: 8 - 2, or 6 - 2 + 2.
    assert_eq!(numbers(chain(8), -2), (6, 6, Some(6), 2, Advice::Either));
    // A 3-chain, {9,5,2} behind: 3 + 8, or 1 - 2 - 8.
    assert_eq!(numbers(chain(3), 8), (11, 11, Some(-9), 2, Advice::TakeAll));
    // A 4-loop, a 5-chain behind: 4 - 5, or 0 - 4 + 5.
    assert_eq!(numbers(ring(4), -5), (1, -1, Some(1), 4, Advice::Decline));
    // An 8-loop, a 3-chain behind: 8 - 3, or 4 - 4 + 3.
    assert_eq!(numbers(ring(8), -3), (5, 5, Some(3), 4, Advice::TakeAll));
    // A 6-loop, a 4-loop behind: 6 - 4, or 2 - 4 + 4.
    assert_eq!(numbers(ring(6), -4), (2, 2, Some(2), 4, Advice::Either));
    // Nothing to decline with.
    assert_eq!(numbers(chain(1), -5), (-4, -4, None, 0, Advice::TakeAll));
    assert_eq!(numbers(hard_hearted(), -5), (-3, -3, None, 0, Advice::TakeAll));
    assert_eq!(numbers(chain(2), -5), (3, -3, Some(3), 2, Advice::Decline));
}

/// On every multiset of up to 18 boxes and every way to open it, against the recursion; and decline exactly when
/// the rest costs its opener more than the bribe.
#[test]
fn every_taking_of_up_to_18_boxes() {
    let mut recursion = Recursion::default();
    let mut checked = 0;
    every_multiset(18, &mut |parts| {
        for (i, &(n, is_loop)) in parts.iter().enumerate() {
            let rest = [&parts[..i], &parts[i + 1..]].concat();
            let (chains, loops) = lengths(&rest);
            let behind = value(&multiset(&chains, &loops));
            assert_eq!(behind.get(), recursion.value(&rest));
            for (leave, middle) in reference::openings((n, is_loop)) {
                let component = if is_loop { Component::Loop(n.into()) } else { Component::Chain(n.into()) };
                let at = if middle { OpenedAt::Middle } else { OpenedAt::End };
                let opened = Opened::new(component, at).unwrap();
                let found = taking(opened, behind);
                let best = takers_best(n, leave, behind.get());
                assert_eq!(found.value.get(), best, "{opened} before {parts:?}");
                assert_eq!(opening_value(opened, behind).get(), -best);
                assert_eq!(found.bribe, leave.unwrap_or(0) as u8);
                assert_eq!(found.decline.is_some(), leave.is_some());
                let advice = match leave.map(|bribe| (-behind.get()).cmp(&bribe)) {
                    Some(std::cmp::Ordering::Greater) => Advice::Decline,
                    Some(std::cmp::Ordering::Equal) => Advice::Either,
                    _ => Advice::TakeAll,
                };
                assert_eq!(found.advice, advice, "{opened}, {behind} behind");
                checked += 1;
            }
        }
    });
    assert!(checked > 10_000, "{checked}");
}
