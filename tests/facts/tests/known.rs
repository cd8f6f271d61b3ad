//! The facts agree with each other: the enumeration with the known values of small boards and with the
//! transcribed positions small enough to enumerate.

use facts::Values;

/// The value of a board on which some borders are drawn.
fn with_borders(rows: usize, cols: usize, top_left: bool, bottom_right: bool) -> i16 {
    let horizontal = (0..=rows).flat_map(|r| vec![(r == 0 && top_left) || (r == rows && bottom_right); cols]);
    let vertical =
        (0..rows).flat_map(|_| (0..=cols).map(|c| (c == 0 && top_left) || (c == cols && bottom_right)));
    let edges: String = horizontal.chain(vertical).map(|drawn| if drawn { '1' } else { '0' }).collect();
    Values::below(rows, cols, &edges).start()
}

#[test]
fn empty_boards_have_their_known_values() {
    for cols in 1..=7 {
        assert_eq!(Values::of_board(1, cols).start(), if cols % 2 == 1 { -1 } else { 0 }, "1x{cols}");
    }
    for ((rows, cols), value) in
        [((2, 2), 2), ((2, 3), -2), ((3, 2), -2), ((2, 4), 2), ((4, 2), 2), ((3, 3), -3)]
    {
        assert_eq!(Values::of_board(rows, cols).start(), value, "{rows}x{cols}");
    }
}

#[test]
fn boards_with_borders_drawn_have_their_known_values() {
    for ((rows, cols), value) in
        [((2, 2), 2), ((2, 3), 4), ((2, 4), 4), ((2, 5), 2), ((3, 3), -1), ((3, 4), 4)]
    {
        assert_eq!(with_borders(rows, cols, true, false), value, "{rows}x{cols}, top and left drawn");
    }
    for ((rows, cols), value) in
        [((2, 2), -4), ((2, 3), 6), ((2, 4), 0), ((2, 5), 2), ((3, 3), 7), ((3, 4), 4)]
    {
        assert_eq!(with_borders(rows, cols, true, true), value, "{rows}x{cols}, all borders drawn");
    }
}

#[test]
fn transcribed_positions_agree_with_the_enumeration() {
    let mut checked = 0;
    for p in facts::positions() {
        if p.moves.len() > 20 {
            continue;
        }
        let values = Values::below(p.rows as usize, p.cols as usize, &p.edges);
        assert_eq!(values.start(), p.value, "{}", p.name);
        assert_eq!(values.free(), p.moves.iter().map(|m| m.0).collect::<Vec<_>>(), "{}", p.name);
        checked += 1;
    }
    assert_eq!(checked, 24);
}

/// The best moves are those that reach the value, and the value is reached.
#[test]
fn every_position_is_consistent() {
    for p in facts::positions() {
        let reaching: Vec<usize> = p.moves.iter().filter(|m| m.1 == p.value).map(|m| m.0).collect();
        assert_eq!(reaching, p.best, "{}", p.name);
        assert_eq!(p.moves.iter().map(|m| m.1).max(), Some(p.value), "{}", p.name);
    }
    for p in facts::puzzles() {
        let lead = p.score[p.to_move] - p.score[1 - p.to_move];
        assert_eq!(lead + p.value, p.final_margin, "puzzle {}", p.id);
    }
}
