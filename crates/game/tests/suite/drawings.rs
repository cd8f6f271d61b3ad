//! Drawings, as they are printed.

use game::{Board, Edges, Position, Setup};

#[track_caller]
fn assert_drawn(rows: u32, cols: u32, edges: &str, drawing: &str) {
    let setup = Setup { rows, cols, edges: Edges::Text(edges.into()), score: None };
    let position = setup.position().unwrap().0;
    assert_eq!(format!("{position:#}"), drawing, "\n{position:#}\n");
}

#[test]
fn one_box_at_every_stage() {
    assert_drawn(
        1,
        1,
        "0000",
        "\
+ 0 +
2   3
+ 1 +",
    );
    assert_drawn(
        1,
        1,
        "1010",
        "\
+---+
|   3
+ 1 +",
    );
    assert_drawn(
        1,
        1,
        "1111",
        "\
+---+
| # |
+---+",
    );
}

/// Two digits make every column wider; a closed box shows, an open one does not.
#[test]
fn a_2x2_board_with_a_closed_box() {
    assert_drawn(
        2,
        2,
        "101000110000",
        "\
+----+ 1  +
| #  |    8
+----+ 3  +
9    10   11
+ 4  + 5  +",
    );
}

/// A single row.
#[test]
fn a_1x3_board() {
    assert_drawn(
        1,
        3,
        "1100100001",
        "\
+---+---+ 2 +
6   7   8   |
+ 3 +---+ 5 +",
    );
}

/// Every drawing has two lines a row and one more, and names every free edge once.
#[test]
fn large_boards_name_every_free_edge_once() {
    for (rows, cols) in [(32, 32), (1, 32), (32, 1), (7, 5)] {
        let board = Board::new(rows, cols).unwrap();
        let position = Position::with_drawn(board, board.all_edges().filter(|e| e.index() % 3 == 0));
        let drawing = format!("{position:#}");
        assert_eq!(drawing.lines().count(), 2 * rows as usize + 1);
        let mut numbers: Vec<usize> =
            drawing.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
        numbers.sort_unstable();
        let free: Vec<usize> = position.free_edges().map(|e| e.index()).collect();
        assert_eq!(numbers, free, "{board}");
    }
}

#[test]
fn values_are_written_with_their_sign() {
    let text = |n| game::Boxes(n).to_string();
    assert_eq!([text(2), text(0), text(-3)], ["+2", "0", "-3"]);
    assert_eq!(format!("[{:>4}]", game::Boxes(8)), "[  +8]");
}
