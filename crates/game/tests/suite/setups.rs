//! Setups: every hostile input is refused with the field at fault and the rule, and nothing is repaired.

use game::{Edges, Setup};
use proptest::prelude::*;

use crate::cases;

fn refused(rows: u32, cols: u32, edges: Edges, score: Option<(u32, u32)>) -> (&'static str, String) {
    let error = Setup { rows, cols, edges, score }.position().unwrap_err();
    (error.field(), error.to_string())
}

fn text(edges: &str) -> Edges {
    Edges::Text(edges.into())
}

#[track_caller]
fn assert_refused(refused: (&'static str, String), field: &str, rule: &str) {
    assert_eq!((refused.0, refused.1.as_str()), (field, rule));
}

#[test]
fn sizes_outside_1_to_32() {
    assert_refused(refused(0, 3, text(""), None), "rows", "rows must be 1 to 32 boxes, not 0");
    assert_refused(refused(33, 3, text(""), None), "rows", "rows must be 1 to 32 boxes, not 33");
    assert_refused(refused(3, 0, text(""), None), "cols", "cols must be 1 to 32 boxes, not 0");
    let huge = refused(2, u32::MAX, text("0"), None);
    assert_refused(huge, "cols", "cols must be 1 to 32 boxes, not 4294967295");
}

#[test]
fn text_of_the_wrong_length() {
    let rule =
        |found| format!("a 2x2 board has 12 edges, so edges must have as many characters, not {found}");
    for found in [0, 1, 11, 13, 1_000_000] {
        let long = text(&"0".repeat(found));
        assert_refused(refused(2, 2, long, None), "edges", &rule(found));
    }
}

#[test]
fn text_with_other_characters() {
    for (edges, at, found) in [
        ("00000000000 ", 11, "' '"),
        ("2000", 0, "'2'"),
        ("0x00", 1, "'x'"),
        ("00\n0", 2, "'\\n'"),
        ("000é", 3, "'é'"),
        ("0\u{0661}00", 1, "'\u{661}'"), // a digit one, but Arabic
        ("0\x0000", 1, "'\\0'"),
    ] {
        let (rows, cols) = if edges.len() > 6 { (2, 2) } else { (1, 1) };
        let rule = format!("edges may hold only '0' and '1'; character {at} is {found}");
        assert_refused(refused(rows, cols, text(edges), None), "edges", &rule);
    }
}

#[test]
fn bits_of_the_wrong_length() {
    for found in [0, 1, 3, 100] {
        let rule = format!("a 2x2 board has 12 edges, so drawn must have 2 bytes, not {found}");
        assert_refused(refused(2, 2, Edges::Bits(vec![0; found]), None), "drawn", &rule);
    }
}

#[test]
fn every_padding_bit() {
    for bit in 12..16 {
        let bytes = vec![0xff, 1 << (bit - 8)];
        let rule = format!("a 2x2 board has 12 edges, so bit {bit} of drawn must be 0");
        assert_refused(refused(2, 2, Edges::Bits(bytes), None), "drawn", &rule);
    }
    // 3x3 fills its three bytes: there is no padding, and every bit may be set.
    let full = Setup { rows: 3, cols: 3, edges: Edges::Bits(vec![0xff; 3]), score: None };
    assert_eq!(full.position().unwrap().0.free_count(), 0);
}

#[test]
fn numbers_that_are_no_edges_or_come_twice() {
    let numbers = |n: &[u32]| Edges::Numbers(n.to_vec());
    assert_refused(refused(2, 2, numbers(&[0, 12]), None), "edges", "a 2x2 board has edges 0 to 11, not 12");
    let huge = refused(2, 2, numbers(&[u32::MAX]), None);
    assert_refused(huge, "edges", "a 2x2 board has edges 0 to 11, not 4294967295");
    assert_refused(refused(2, 2, numbers(&[3, 5, 3]), None), "edges", "edge 3 is listed twice");
}

#[test]
fn scores_that_do_not_add_up() {
    let one_closed = || text("101000110000");
    let rule = |score| format!("the score {score} must add up to the closed boxes, 1");
    assert_refused(refused(2, 2, one_closed(), Some((0, 0))), "score", &rule("0-0"));
    assert_refused(refused(2, 2, one_closed(), Some((1, 1))), "score", &rule("1-1"));
    assert_refused(refused(2, 2, one_closed(), Some((2, 0))), "score", &rule("2-0"));
    let most = u32::MAX;
    assert_refused(refused(2, 2, one_closed(), Some((most, most))), "score", &rule("4294967295-4294967295"));
    // Sums to 1 only where the addition wraps around.
    assert_refused(refused(2, 2, one_closed(), Some((most, 2))), "score", &rule("4294967295-2"));
    // And 65536 must not be cut down to 0.
    assert_refused(refused(2, 2, one_closed(), Some((65536, 1))), "score", &rule("65536-1"));
}

/// The first fault in the order size, edges, score is the one reported.
#[test]
fn the_first_fault_is_reported() {
    assert_eq!(refused(0, 0, text("x"), Some((9, 9))).0, "rows");
    assert_eq!(refused(1, 1, text("x000"), Some((9, 9))).0, "edges");
    assert_eq!(refused(1, 1, text("0000"), Some((9, 9))).0, "score");
}

fn any_edges() -> impl Strategy<Value = Edges> {
    prop_oneof![
        ".{0,40}".prop_map(Edges::Text),
        "[01]{0,40}".prop_map(Edges::Text),
        prop::collection::vec(any::<u8>(), 0..8).prop_map(Edges::Bits),
        prop::collection::vec(0u32..30, 0..12).prop_map(Edges::Numbers),
        prop::collection::vec(any::<u32>(), 0..4).prop_map(Edges::Numbers),
    ]
}

proptest! {
    #![proptest_config(cases(4000))]

    /// Whatever is sent is either exactly the position it says or refused with a field of the message.
    #[test]
    fn anything_is_a_position_or_refused(
        (rows, cols) in prop_oneof![8 => (0u32..5, 0u32..5), 1 => any::<(u32, u32)>()],
        edges in any_edges(),
        score in prop::option::of((0u32..4, 0u32..4)),
    ) {
        let setup = Setup { rows, cols, edges, score };
        match setup.position() {
            Ok((position, taken)) => {
                prop_assert_eq!((position.board().rows() as u32, position.board().cols() as u32), (rows, cols));
                match &setup.edges {
                    Edges::Text(text) => prop_assert_eq!(&position.to_string(), text),
                    Edges::Bits(bytes) => {
                        let ones: u32 = bytes.iter().map(|b| b.count_ones()).sum();
                        prop_assert_eq!(position.drawn().len() as u32, ones);
                    }
                    Edges::Numbers(numbers) => {
                        let mut sorted = numbers.clone();
                        sorted.sort_unstable();
                        let drawn: Vec<u32> = position.drawn().iter().map(|e| e.index() as u32).collect();
                        prop_assert_eq!(drawn, sorted);
                    }
                }
                let said = taken.map(|s| (u32::from(s.mover), u32::from(s.other)));
                prop_assert_eq!(said, score);
                if let Some((mover, other)) = score {
                    prop_assert_eq!((mover + other) as usize, position.closed_boxes());
                }
            }
            Err(error) => {
                prop_assert!(["rows", "cols", "edges", "drawn", "score"].contains(&error.field()));
                prop_assert!(error.to_string().contains(error.field()) || error.field() == "edges", "{}", error);
            }
        }
    }
}
