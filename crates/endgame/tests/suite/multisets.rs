//! Multisets and opened components: what is refused, with which field and rule, and the canonical form.

use endgame::{Component, MAX_BOXES, MAX_COMPONENTS, Multiset, Opened, OpenedAt};

#[track_caller]
fn assert_refused(chains: &[u32], loops: &[u32], field: &str, rule: &str) {
    let error = Multiset::new(chains, loops).unwrap_err();
    assert_eq!((error.field(), error.to_string().as_str()), (field, rule));
}

#[test]
fn lengths_no_component_has() {
    assert_refused(&[3, 0], &[], "chains[1]", "a chain has at least 1 box, not 0");
    assert_refused(&[], &[0], "loops[0]", "a loop has at least 4 boxes, not 0");
    assert_refused(&[], &[4, 3], "loops[1]", "a loop has at least 4 boxes, not 3");
    assert_refused(&[1], &[4, 6, 2], "loops[2]", "a loop has at least 4 boxes, not 2");
    assert_refused(&[], &[5], "loops[0]", "a loop has an even number of boxes, not 5");
    assert_refused(&[], &[4, 4095], "loops[1]", "a loop has an even number of boxes, not 4095");
}

/// The field is the index as sent, not the index in canonical order.
#[test]
fn the_field_is_the_one_that_was_sent() {
    assert_refused(&[9, 5, 0, 2], &[], "chains[2]", "a chain has at least 1 box, not 0");
    assert_refused(&[1], &[8, 7, 4], "loops[1]", "a loop has an even number of boxes, not 7");
}

#[test]
fn totals_past_the_limits() {
    assert_eq!((MAX_COMPONENTS, MAX_BOXES), (1024, 4096));
    assert!(Multiset::new(&[4; 1024], &[]).is_ok());
    assert_refused(&[1; 1025], &[], "chains", "at most 1024 chains and loops, not 1025");
    assert_refused(&[1; 1000], &[4; 25], "chains", "at most 1024 chains and loops, not 1025");
    assert!(Multiset::new(&[4096], &[]).is_ok());
    assert!(Multiset::new(&[], &[4096]).is_ok());
    assert_refused(&[4097], &[], "chains", "at most 4096 boxes in all, not 4097");
    assert_refused(&[4000], &[98], "chains", "at most 4096 boxes in all, not 4098");
    assert_refused(&[65_537], &[], "chains", "at most 4096 boxes in all, not 65537");
    let most = u32::MAX;
    assert_refused(&[most; 3], &[most - 1], "chains", "at most 4096 boxes in all, not 17179869179");
}

#[test]
fn opened_components_that_do_not_exist() {
    let refused = |component, at| {
        let error = Opened::new(component, at).unwrap_err();
        (error.field().to_owned(), error.to_string())
    };
    let expect = |field: &str, rule: &str| (field.to_owned(), rule.to_owned());
    let end = OpenedAt::End;
    assert_eq!(
        refused(Component::Chain(0), end),
        expect("opened.chain", "a chain has at least 1 box, not 0")
    );
    assert_eq!(refused(Component::Loop(2), end), expect("opened.loop", "a loop has at least 4 boxes, not 2"));
    assert_eq!(
        refused(Component::Loop(5), end),
        expect("opened.loop", "a loop has an even number of boxes, not 5")
    );
    assert_eq!(
        refused(Component::Chain(4097), end),
        expect("opened.chain", "a chain has at most 4096 boxes, not 4097")
    );
    assert_eq!(
        refused(Component::Loop(4098), end),
        expect("opened.loop", "a loop has at most 4096 boxes, not 4098")
    );
    for (component, name) in
        [(Component::Chain(1), "1-chain"), (Component::Chain(3), "3-chain"), (Component::Loop(4), "4-loop")]
    {
        assert_eq!(
            refused(component, OpenedAt::Middle),
            ("opened.opened_at".into(), format!("only a 2-chain can be opened in its middle, not a {name}"))
        );
    }
}

/// The order things are sent in does not matter.
#[test]
fn canonical_form() {
    let set = Multiset::new(&[9, 2, 5, 2], &[6, 4]).unwrap();
    assert_eq!(set, Multiset::new(&[2, 2, 5, 9], &[4, 6]).unwrap());
    assert_eq!((set.chains(), set.loops(), set.boxes()), (&[2, 2, 5, 9][..], &[4, 6][..], 28));
    assert_eq!(set.to_string(), "chains 9, 5, 2, 2 and loops 6, 4");
    let (chain, ring) = (Component::Chain, Component::Loop);
    assert_eq!(set.distinct().collect::<Vec<_>>(), [chain(2), chain(5), chain(9), ring(4), ring(6)]);
    assert_eq!(
        set.components().collect::<Vec<_>>(),
        [chain(2), chain(2), chain(5), chain(9), ring(4), ring(6)]
    );
    assert_eq!(set.without(chain(2)), Multiset::new(&[9, 2, 5], &[6, 4]).ok());
    assert_eq!(set.without(ring(6)), Multiset::new(&[9, 2, 5, 2], &[4]).ok());
    assert_eq!((set.without(chain(4)), set.without(ring(9))), (None, None));
    assert_eq!(set.with(ring(4)), Multiset::new(&[9, 2, 5, 2], &[6, 4, 4]));
    assert_eq!(set.with(chain(3)), Multiset::new(&[9, 2, 5, 2, 3], &[6, 4]));
}

#[test]
fn the_empty_multiset() {
    let empty = Multiset::new(&[], &[]).unwrap();
    assert_eq!(empty, Multiset::default());
    assert!(empty.is_empty());
    assert_eq!((empty.boxes(), empty.to_string().as_str()), (0, "nothing"));
    assert_eq!(empty.without(Component::Chain(1)), None);
}

#[test]
fn names() {
    let set = |chains: &[u32], loops: &[u32]| Multiset::new(chains, loops).unwrap().to_string();
    assert_eq!(set(&[3], &[]), "chains 3");
    assert_eq!(set(&[], &[4, 10]), "loops 10, 4");
    let opened = |component, at| Opened::new(component, at).unwrap().to_string();
    assert_eq!(opened(Component::Chain(3), OpenedAt::End), "3-chain");
    assert_eq!(opened(Component::Chain(2), OpenedAt::End), "2-chain at its end");
    assert_eq!(opened(Component::Chain(2), OpenedAt::Middle), "2-chain in its middle");
    assert_eq!(opened(Component::Loop(4), OpenedAt::End), "4-loop");
}
