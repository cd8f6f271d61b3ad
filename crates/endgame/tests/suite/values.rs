//! The value of a multiset: closed form, crate's own recursion and a second recursion give the same, and it is
//! what the theory says.

use endgame::{Component, Multiset, OpenedAt, best_openings, openings, value, value_by_recursion};
use facts::Random;

use crate::multiset;
use crate::reference::{self, Recursion, count_of_multisets, every_multiset, lengths, takers_best};

/// The number of multisets the default endgame table holds, from the generating function and by listing.
#[test]
fn multisets_are_counted_by_the_generating_function() {
    // By hand: {}, 1, 2 11, 3 21 111, and of four boxes the five partitions and the 4-loop.
    assert_eq!([0, 1, 2, 3, 4].map(count_of_multisets), [1, 2, 4, 7, 13]);
    assert_eq!(count_of_multisets(40), 842_368);
    let mut listed = 0;
    every_multiset(24, &mut |_| listed += 1);
    assert_eq!(listed, count_of_multisets(24));
}

/// The closed form on every multiset of up to 40 boxes: no sampling, so no corner of it is missed.
#[test]
fn closed_form_on_every_multiset_of_up_to_40_boxes() {
    let mut recursion = Recursion::default();
    let mut checked = 0;
    every_multiset(40, &mut |parts| {
        let (chains, loops) = lengths(parts);
        let set = multiset(&chains, &loops);
        assert_eq!(value(&set).get(), recursion.value(parts), "{set}");
        checked += 1;
    });
    assert_eq!(checked, 842_368);
}

/// A random multiset of up to `most` components.
fn random_multiset(random: &mut Random, most: usize) -> Multiset {
    let (mut chains, mut loops) = (Vec::new(), Vec::new());
    // Few different lengths meet each other more often, long ones test the arithmetic.
    let longest = random.pick(&[3, 5, 9, 30]).unwrap();
    let loops_in_ten = random.below(11);
    for _ in 0..random.between(0, most) {
        if random.below(10) < loops_in_ten {
            loops.push(2 * random.between(2, 2 + longest / 2) as u32);
        } else {
            chains.push(random.between(1, longest) as u32);
        }
    }
    multiset(&chains, &loops)
}

#[test]
fn closed_form_equals_the_recursion_on_100_000_random_multisets() {
    let mut random = Random::new(1);
    for _ in 0..100_000 {
        let set = random_multiset(&mut random, 8);
        assert_eq!(value(&set), value_by_recursion(&set), "{set}");
    }
}

/// The crate's recursion is the reference of the tables: check it, too.
#[test]
fn both_recursions_agree_on_every_multiset_of_up_to_20_boxes() {
    let mut recursion = Recursion::default();
    let mut checked = 0;
    every_multiset(20, &mut |parts| {
        let (chains, loops) = lengths(parts);
        let set = multiset(&chains, &loops);
        assert_eq!(value_by_recursion(&set).get(), recursion.value(parts), "{set}");
        checked += 1;
    });
    assert_eq!(checked, count_of_multisets(20));
}

/// Ways to open: each different component once, a 2-chain twice; and the best are just those that reach the
/// value.
#[test]
fn best_openings_are_those_that_reach_the_value() {
    let mut recursion = Recursion::default();
    every_multiset(18, &mut |parts| {
        let (chains, loops) = lengths(parts);
        let set = multiset(&chains, &loops);
        let (mut all, mut best) = (Vec::new(), Vec::new());
        for (i, &part) in parts.iter().enumerate() {
            if i > 0 && parts[i - 1] == part {
                continue;
            }
            let rest = [&parts[..i], &parts[i + 1..]].concat();
            let behind = recursion.value(&rest);
            for (leave, middle) in reference::openings(part) {
                all.push((part.1, part.0, middle));
                if -takers_best(part.0, leave, behind) == recursion.value(parts) {
                    best.push((part.1, part.0, middle));
                }
            }
        }
        // Chains before loops, short before long, the middle before the end.
        let order = |&(is_loop, n, middle): &(bool, u8, bool)| (is_loop, n, !middle);
        all.sort_by_key(order);
        best.sort_by_key(order);
        let plain = |ways: Vec<endgame::Opened>| -> Vec<(bool, u8, bool)> {
            ways.iter()
                .map(|o| match o.component() {
                    Component::Chain(n) => (false, n as u8, o.at() == OpenedAt::Middle),
                    Component::Loop(n) => (true, n as u8, o.at() == OpenedAt::Middle),
                })
                .collect()
        };
        assert_eq!(plain(openings(&set).collect()), all, "{set}");
        assert_eq!(plain(best_openings(&set)), best, "{set}");
        assert_eq!(best.is_empty(), set.is_empty(), "{set}");
    });
}

/// Numbers of the literature and of hand calculation.
#[test]
fn known_values() {
    let ev = |chains: &[u32], loops: &[u32]| value(&multiset(chains, loops)).get();
    assert_eq!(ev(&[], &[]), 0);
    assert_eq!((ev(&[1], &[]), ev(&[2], &[]), ev(&[3], &[]), ev(&[], &[4])), (-1, -2, -3, -4));
    assert_eq!((ev(&[3, 3], &[]), ev(&[2, 3], &[])), (-2, 1));
    assert_eq!(ev(&[9, 5, 2], &[]), 8);
    for n in 3..100 {
        assert_eq!(ev(&[2, n], &[]), n as i16 - 2, "{{2, {n}}}");
        assert_eq!(ev(&[3, n], &[]), 1 - n as i16, "{{3, {n}}}");
    }
    // Two 4-loops: declining the first costs as much as it brings. Take four, give four.
    assert_eq!(ev(&[], &[4, 4]), 0);
    // Loops only: cv = sum (l - 8) + 8. Loops of 8, 10 and 12: 0 + 2 + 4 + 8 = 14.
    assert_eq!(ev(&[], &[8, 10, 12]), -14);
    // 3-chains beside a loop: cv = -2 + 8 + 6 = 12 for {3, 3} with a 16-loop.
    assert_eq!(ev(&[3, 3], &[16]), -12);
    // A longer chain beside a loop: cv = 1 + 2 + 4 = 7 for {5} with a 10-loop.
    assert_eq!(ev(&[5], &[10]), -7);
}

/// At the limits: 1,024 components, 4,096 boxes, by the controlled value.
#[test]
fn known_values_at_the_limits() {
    // 1,024 chains of four: cv = 0 + 4.
    assert_eq!(value(&multiset(&[4; 1024], &[])).get(), -4);
    // 1,023 3-chains and one of 1,027 boxes: cv = -1,023 + 1,023 + 4.
    let mut chains = vec![3; 1023];
    chains.push(1027);
    assert_eq!(value(&multiset(&chains, &[])).get(), -4);
    // One chain of 4,096 boxes, and a loop of as many.
    assert_eq!(value(&multiset(&[4096], &[])).get(), -4096);
    assert_eq!(value(&multiset(&[], &[4096])).get(), -4096);
    // A 2-chain turns it around: -2 + 4,094.
    assert_eq!(value(&multiset(&[4094, 2], &[])).get(), 4092);
    // 1,024 4-loops fold |4 - x| from 0: 4, 0, 4, ... and an even number of times ends at 0.
    assert_eq!(value(&multiset(&[], &[4; 1024])).get(), 0);
    assert_eq!(value(&multiset(&[], &[4; 1023])).get(), -4);
    // 1,023 1-chains come down to one.
    assert_eq!(value(&multiset(&[1; 1023], &[])).get(), -1);
}

/// Parity of the boxes, and never more than all of them.
#[test]
fn values_have_the_parity_of_the_boxes() {
    let mut random = Random::new(2);
    for _ in 0..100_000 {
        let set = random_multiset(&mut random, 40);
        let (boxes, ev) = (set.boxes() as i16, value(&set).get());
        assert_eq!(ev.rem_euclid(2), boxes.rem_euclid(2), "{set}");
        assert!(ev.abs() <= boxes, "{set} is worth {ev}");
    }
}

/// Two 1-chains cancel, and two 2-chains do. Two 3-chains do not.
#[test]
fn pairs_of_short_chains_cancel() {
    let mut random = Random::new(3);
    let mut threes_changed = 0;
    for _ in 0..20_000 {
        let set = random_multiset(&mut random, 30);
        let with_two = |n| {
            let chain = Component::Chain(n);
            value(&set.with(chain).unwrap().with(chain).unwrap())
        };
        assert_eq!(with_two(1), value(&set), "{set} and two 1-chains");
        assert_eq!(with_two(2), value(&set), "{set} and two 2-chains");
        threes_changed += usize::from(with_two(3) != value(&set));
    }
    assert!(threes_changed > 0);
}

/// A chain of three or more made longer by one box moves the value by at most one, a loop longer by two by at
/// most two, a 1-chain made a 2-chain by one. From two boxes to three it can be more.
#[test]
fn lengthening_moves_the_value_by_as_much_at_most() {
    every_multiset(22, &mut |parts| {
        let (chains, loops) = lengths(parts);
        let before = value(&multiset(&chains, &loops)).get();
        for i in (0..chains.len()).filter(|&i| chains[i] != 2) {
            let mut longer = chains.clone();
            longer[i] += 1;
            let after = value(&multiset(&longer, &loops)).get();
            assert_eq!((after - before).abs(), 1, "chains {chains:?} loops {loops:?}, chain {i} longer");
        }
        for i in 0..loops.len() {
            let mut longer = loops.clone();
            longer[i] += 2;
            let after = value(&multiset(&chains, &longer)).get();
            assert!((after - before).abs() <= 2, "chains {chains:?} loops {loops:?}, loop {i} longer");
        }
    });
    let ev = |chains: &[u32]| value(&multiset(chains, &[])).get();
    assert_eq!((ev(&[2, 3]), ev(&[3, 3])), (1, -2));
}
