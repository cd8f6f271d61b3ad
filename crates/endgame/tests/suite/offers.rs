//! The capture rule: with T boxes on offer, `value = T - b + |value(rest) + b|`, or `T + value(rest)` where
//! nothing can be left, against the enumeration of every position.

use endgame::{Bribe, MaskBoard, Offer};
use facts::{Random, Values};
use game::{Board, Position, Symmetry};

use crate::{board, position, random_position, safe_play};

/// What the rule makes of an offer and the value of what is left once it is taken.
fn by_the_rule(offer: &Offer, rest: i16) -> i16 {
    let boxes = offer.boxes as i16;
    match offer.bribe {
        None => boxes + rest,
        Some(bribe) => {
            let left = match bribe {
                Bribe::Two => 2,
                Bribe::Four => 4,
            };
            boxes - left + (rest + left).abs()
        }
    }
}

/// What an offer says of the boards before and after.
fn check_offer(p: &Position, offer: &Offer) {
    assert!(offer.rest.is_quiet(), "{p:?}");
    assert_eq!(usize::from(offer.boxes), offer.rest.closed_boxes() - p.closed_boxes(), "{p:?}");
    assert!(p.drawn().iter().all(|e| !offer.rest.is_free(e)), "{p:?}: an edge was rubbed out");
    if p.is_quiet() {
        assert_eq!((offer.boxes, offer.bribe, offer.rest), (0, None, *p), "{p:?}");
    }
}

/// Positions of a board for which `wanted` holds, each against the enumeration. Returns how many were not quiet.
fn check_board(rows: usize, cols: usize, wanted: impl Fn(u64) -> bool) -> usize {
    let board = board(rows, cols);
    let values = Values::of_board(rows, cols);
    let sides = |b| board.sides(b).into_iter().fold(0, |sides, e| sides | 1 << e.index());
    let lines = MaskBoard::new(board.all_boxes().map(sides).collect());
    let mut not_quiet = 0;
    for mask in (0..1u64 << board.edges()).filter(|&mask| wanted(mask)) {
        let p = Position::from_mask(board, mask).unwrap();
        if p.is_quiet() {
            continue;
        }
        let offer = Offer::of(&p);
        check_offer(&p, &offer);
        let masks = Offer::on(&lines, mask);
        assert_eq!(
            (masks.boxes, masks.bribe, masks.rest),
            (offer.boxes, offer.bribe, offer.rest.drawn().low_mask())
        );
        let rest = values.at(offer.rest.drawn().low_mask() as usize);
        assert_eq!(by_the_rule(&offer, rest), values.at(mask as usize), "{p:?}\n{p:#}");
        not_quiet += 1;
    }
    not_quiet
}

/// Every position that is not quiet of the small boards, in both orientations.
#[test]
fn every_position_of_the_small_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2)] {
        assert!(check_board(rows, cols, |_| true) > 0);
    }
}

/// Every position of 2x4 and of 3x3, each with one of its images.
#[test]
fn every_position_of_2x4_and_3x3_up_to_symmetry() {
    for (rows, cols, at_least) in [(2, 4, 900_000), (3, 3, 1_000_000)] {
        let images = images(board(rows, cols));
        let not_quiet = check_board(rows, cols, |mask| images.iter().all(|image| image(mask) >= mask));
        assert!(not_quiet > at_least, "{rows}x{cols}: {not_quiet}");
    }
}

/// The images of a mask of a board of up to 24 edges, by tables of its three bytes.
fn images(board: Board) -> Vec<impl Fn(u64) -> u64> {
    Symmetry::of(board)
        .map(|s| {
            let image = |byte: usize, bits: u64| -> u64 {
                let set = (0..8).filter(|i| bits >> i & 1 == 1);
                set.filter_map(|i| board.edge(8 * byte + i)).map(|e| 1 << s.edge(board, e).index()).sum()
            };
            let tables = [0, 1, 2].map(|byte| (0..256).map(|bits| image(byte, bits)).collect::<Vec<_>>());
            move |mask: u64| {
                tables[0][(mask & 255) as usize]
                    | tables[1][(mask >> 8 & 255) as usize]
                    | tables[2][(mask >> 16) as usize]
            }
        })
        .collect()
}

#[track_caller]
fn assert_offer(p: &Position, boxes: u16, bribe: Option<Bribe>, value: i16) {
    let offer = Offer::of(p);
    assert_eq!((offer.boxes, offer.bribe), (boxes, bribe), "\n{p:#}");
    let (rows, cols) = (p.board().rows(), p.board().cols());
    let rest = Values::below(rows, cols, &offer.rest.to_string()).start();
    assert_eq!(by_the_rule(&offer, rest), value, "\n{p:#}");
    assert_eq!(Values::below(rows, cols, &p.to_string()).start(), value, "\n{p:#}");
}

/// A capture closes a joint and so lengthens a run: read off the runs as they stand, this is 0.
#[test]
fn a_capture_can_close_a_joint() {
    let p = position(2, 3, "11110111110010000");
    // Three boxes, and a 3-chain left: 3 - 3 to take them all, 1 - 2 + 3 to leave two.
    assert_offer(&p, 3, Some(Bribe::Two), 2);
}

/// A joint closed by single boxes around it leaves nothing to decline with.
#[test]
fn a_star_of_single_boxes_cannot_be_declined() {
    let p = position(3, 3, "111101010111100101101001");
    assert_offer(&p, 4, None, -1);
}

/// A closed run of four has a bribe of four; one of three, two or one boxes has none.
#[test]
fn closed_runs() {
    // An opened 4-loop and nothing else.
    assert_offer(&position(2, 2, "111011101101"), 4, Some(Bribe::Four), 4);
    for (length, bribe) in [(2, None), (3, None), (4, Some(Bribe::Four)), (5, Some(Bribe::Four))] {
        let board = board(1, length);
        let free: Vec<_> = (1..length).map(|c| board.v(0, c)).collect();
        let p = Position::with_drawn(board, board.all_edges().filter(|e| !free.contains(e)));
        assert_offer(&p, length as u16, bribe, length as i16);
    }
}

/// Random positions of larger boards with little left, each against its own enumeration.
#[test]
fn positions_of_larger_boards_with_little_left() {
    let mut random = Random::new(7);
    let (mut checked, mut declined) = (0, [0; 2]);
    while checked < 4_000 {
        let board =
            random.pick(&[board(3, 4), board(4, 4), board(3, 5), board(5, 5), board(2, 7), board(6, 4)]);
        let board = board.unwrap();
        // Half from random edges, half from safe play with a few edges more: those have runs to decline with.
        let mut p = if random.below(2) == 0 {
            let percent = random.between(60, 90);
            random_position(&mut random, board, percent)
        } else {
            safe_play(&mut random, board, board.edges())
        };
        let mut free: Vec<_> = p.free_edges().collect();
        random.shuffle(&mut free);
        let most = random.between(4, 13);
        for &e in free.iter().skip(most) {
            p.draw(e);
        }
        if p.is_quiet() {
            continue;
        }
        let offer = Offer::of(&p);
        check_offer(&p, &offer);
        let values = Values::below(board.rows(), board.cols(), &p.to_string());
        let taken = |i: usize| !offer.rest.is_free(board.edge(values.free()[i]).unwrap());
        let rest = (0..values.free().len()).filter(|&i| taken(i)).map(|i| 1 << i).sum();
        assert_eq!(by_the_rule(&offer, values.at(rest)), values.start(), "{p:?}\n{p:#}");
        checked += 1;
        match offer.bribe {
            Some(Bribe::Two) => declined[0] += 1,
            Some(Bribe::Four) => declined[1] += 1,
            None => {}
        }
    }
    assert!(declined[0] > 1_000 && declined[1] > 20, "{declined:?}");
}
