//! Multisets: a table and the closed form give the same value and the same openings, and the taker the same advice.

use endgame::{Component, Multiset, Opened, OpenedAt};
use facts::Random;
use game::Boxes;
use oracle::Source;

use crate::{WITH_TABLES, WITHOUT};

fn random_multiset(random: &mut Random) -> Multiset {
    let chains: Vec<u32> = (0..random.below(6)).map(|_| random.between(1, 6) as u32).collect();
    let loops: Vec<u32> = (0..random.below(3)).map(|_| 2 * random.between(2, 4) as u32).collect();
    Multiset::new(&chains, &loops).unwrap()
}

#[test]
fn values_and_openings_agree() {
    let mut random = Random::new(42);
    let mut by_table = 0;
    for _ in 0..20_000 {
        let set = random_multiset(&mut random);
        let (table, theory) = (WITH_TABLES.endgame_value(&set), WITHOUT.endgame_value(&set));
        assert_eq!((table.value, &table.best_openings), (theory.value, &theory.best_openings), "{set}");
        assert_eq!(theory.source, Source::Endgame);
        // The table has every multiset of up to 20 boxes and no other.
        assert_eq!(table.source.table().is_some(), set.boxes() <= 20, "{set}");
        by_table += usize::from(table.source.table().is_some());
    }
    assert!((5_000..19_000).contains(&by_table), "{by_table}");
}

#[test]
fn takers_agree() {
    let mut random = Random::new(43);
    let all = [1, 2, 3, 5, 8].map(|n| (Component::Chain(n), OpenedAt::End)).into_iter();
    let all = all.chain([4, 6, 8].map(|n| (Component::Loop(n), OpenedAt::End)));
    let opened: Vec<Opened> = all
        .chain([(Component::Chain(2), OpenedAt::Middle)])
        .map(|(component, at)| Opened::new(component, at).unwrap())
        .collect();
    for _ in 0..2_000 {
        let rest = random_multiset(&mut random);
        for &o in &opened {
            let (table, theory) = (WITH_TABLES.taker_value(o, &rest), WITHOUT.taker_value(o, &rest));
            assert_eq!(table.taking, theory.taking, "{o} before {rest}");
            assert_eq!(table.source.table().is_some(), rest.boxes() <= 20);
        }
    }
}

/// Known answers through the door.
#[test]
fn known_answers() {
    let set = Multiset::new(&[9, 5, 2], &[4]).unwrap();
    // With the 4-loop there are 20 boxes: the last that the table has.
    let answer = WITH_TABLES.endgame_value(&set);
    assert_eq!(answer.source.to_string(), "table endgame-20");
    assert_eq!(answer.value, WITHOUT.endgame_value(&set).value);
    // {9,5} with a 4-loop: cv = 5 + 1 - 4 + 4 = 6; the 2-chain turns -6 into 4.
    assert_eq!(answer.value, Boxes(4));

    let empty = WITH_TABLES.endgame_value(&Multiset::default());
    assert_eq!((empty.value, empty.best_openings.len()), (Boxes(0), 0));
}
