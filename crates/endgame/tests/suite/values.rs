//! The closed form against the recursion from the definition.

use endgame::{Multiset, value, value_by_recursion};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn closed_form_equals_recursion(
        chains in prop::collection::vec(1u32..9, 0..8),
        loops in prop::collection::vec((2u32..6).prop_map(|n| 2 * n), 0..5),
    ) {
        let set = Multiset::new(&chains, &loops).unwrap();
        prop_assert_eq!(value(&set), value_by_recursion(&set), "{}", set);
    }
}

/// Every multiset of up to 24 boxes: no sampling, so no corner of the closed form is missed.
#[test]
fn closed_form_equals_recursion_on_every_small_multiset() {
    fn extend(left: u32, next: u32, chains: &mut Vec<u32>, loops: &mut Vec<u32>, count: &mut u32) {
        let set = Multiset::new(chains, loops).unwrap();
        assert_eq!(value(&set), value_by_recursion(&set), "{set}");
        *count += 1;
        // Components in one order: chain n is number 2n, loop n is number 2n + 1.
        for kind in next..=2 * left + 1 {
            let n = kind / 2;
            if kind % 2 == 0 {
                chains.push(n);
                extend(left - n, kind, chains, loops, count);
                chains.pop();
            } else if n >= 4 && n % 2 == 0 {
                loops.push(n);
                extend(left - n, kind, chains, loops, count);
                loops.pop();
            }
        }
    }
    let mut count = 0;
    extend(22, 2, &mut Vec::new(), &mut Vec::new(), &mut count);
    assert!(count > 10_000, "{count}");
}
