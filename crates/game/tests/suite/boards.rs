//! Boards: their sizes, their edge numbers, which edges a box has and which boxes an edge touches.

use game::{Board, BoardError, MAX_EDGES, MAX_SIDE};

fn every_board() -> impl Iterator<Item = Board> {
    (1..=MAX_SIDE).flat_map(|rows| (1..=MAX_SIDE).map(move |cols| Board::new(rows, cols).unwrap()))
}

#[test]
fn edges_are_boxes_plus_dots_minus_one() {
    for board in every_board() {
        let (r, c) = (board.rows(), board.cols());
        assert_eq!(board.edges(), (r + 1) * c + r * (c + 1), "{board}");
        assert_eq!(board.edges(), board.boxes() + board.dots() - 1, "{board}");
        assert_eq!((board.boxes(), board.dots()), (r * c, (r + 1) * (c + 1)), "{board}");
        assert_eq!(board.all_edges().len(), board.edges());
        assert_eq!(board.all_boxes().len(), board.boxes());
    }
    assert_eq!(Board::new(32, 32).unwrap().edges(), MAX_EDGES);
}

/// Horizontals row by row, then verticals row by row, on every board there is.
#[test]
fn edges_are_numbered_in_reading_order() {
    for board in every_board() {
        let (rows, cols) = (board.rows(), board.cols());
        let mut number = 0;
        for r in 0..=rows {
            for c in 0..cols {
                assert_eq!(board.h(r, c).index(), number, "{board} h({r}, {c})");
                assert_eq!(board.locate(board.h(r, c)), (true, r, c));
                let above = (r > 0).then(|| board.box_at(r.saturating_sub(1), c));
                let below = (r < rows).then(|| board.box_at(r.min(rows - 1), c));
                assert_eq!(board.touching(board.h(r, c)), [above, below], "{board} h({r}, {c})");
                number += 1;
            }
        }
        for r in 0..rows {
            for c in 0..=cols {
                assert_eq!(board.v(r, c).index(), number, "{board} v({r}, {c})");
                assert_eq!(board.locate(board.v(r, c)), (false, r, c));
                let left = (c > 0).then(|| board.box_at(r, c.saturating_sub(1)));
                let right = (c < cols).then(|| board.box_at(r, c.min(cols - 1)));
                assert_eq!(board.touching(board.v(r, c)), [left, right], "{board} v({r}, {c})");
                number += 1;
            }
        }
        assert_eq!(board.edge(number - 1).map(|e| e.index()), Some(number - 1));
        assert_eq!(board.edge(number), None, "{board} has {number} edges");
        assert_eq!(board.edge(usize::MAX), None);
    }
}

/// The twelve action names of OpenSpiel's 2x2 playthrough, in order of their action numbers.
#[test]
fn edge_numbers_are_open_spiels_actions() {
    let names = "h,0,0 h,0,1 h,1,0 h,1,1 h,2,0 h,2,1 v,0,0 v,0,1 v,0,2 v,1,0 v,1,1 v,1,2".split_whitespace();
    let board = Board::new(2, 2).unwrap();
    for (action, name) in names.enumerate() {
        let [orientation, row, col] = name.split(',').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let (row, col) = (row.parse().unwrap(), col.parse().unwrap());
        let edge = if orientation == "h" { board.h(row, col) } else { board.v(row, col) };
        assert_eq!(edge.index(), action, "{name}");
    }
}

/// A box has an edge exactly when the edge touches the box.
#[test]
fn sides_and_touching_are_one_relation() {
    for board in every_board() {
        let mut from_boxes: Vec<(usize, usize)> = Vec::new();
        for b in board.all_boxes() {
            let (r, c) = board.place(b);
            assert_eq!((board.box_at(r, c), b.index()), (b, r * board.cols() + c));
            assert_eq!(board.sides(b), [board.h(r, c), board.h(r + 1, c), board.v(r, c), board.v(r, c + 1)]);
            from_boxes.extend(board.sides(b).map(|e| (e.index(), b.index())));
        }
        let mut from_edges: Vec<(usize, usize)> = Vec::new();
        for e in board.all_edges() {
            let boxes = board.touching(e).into_iter().flatten();
            from_edges.extend(boxes.map(|b| (e.index(), b.index())));
        }
        from_boxes.sort_unstable();
        from_edges.sort_unstable();
        assert_eq!(from_boxes, from_edges, "{board}");
    }
}

#[test]
fn sides_outside_1_to_32_are_no_board() {
    for bad in [0, 33, 34, 1000, u32::MAX] {
        assert_eq!(Board::new(bad, 3), Err(BoardError { side: "rows", found: bad }));
        assert_eq!(Board::new(3, bad), Err(BoardError { side: "cols", found: bad }));
    }
    assert_eq!(Board::new(0, 5).unwrap_err().to_string(), "rows must be 1 to 32 boxes, not 0");
    assert_eq!(Board::new(5, 33).unwrap_err().to_string(), "cols must be 1 to 32 boxes, not 33");
}

#[test]
fn a_board_is_written_rows_by_columns() {
    let board = Board::new(3, 12).unwrap();
    assert_eq!(board.to_string(), "3x12");
    assert_eq!(board.transposed().to_string(), "12x3");
}
