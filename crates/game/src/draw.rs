//! A position as text.

use std::fmt;

use crate::position::Position;

/// Draws `+` for dots, `---` and `|` for drawn edges, and the number of every free edge in its place; a
/// closed box shows `#`.
///
/// ```text
/// +----+ 1  +
/// | #  |    8
/// +----+ 3  +
/// ```
pub(crate) fn board(p: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let board = p.board();
    // One column is as wide as the longest edge number, with a blank on each side.
    let width = (board.edges() - 1).to_string().len().max(1) + 2;
    for r in 0..=board.rows() {
        for c in 0..board.cols() {
            let e = board.h(r, c);
            if p.is_free(e) {
                write!(f, "+{:^width$}", e.index())?;
            } else {
                write!(f, "+{:-<width$}", "")?;
            }
        }
        write!(f, "+")?;
        if r == board.rows() {
            break;
        }
        writeln!(f)?;
        for c in 0..=board.cols() {
            let e = board.v(r, c);
            // A free vertical's number starts on its line and runs into the box to its right.
            let line = if p.is_free(e) { e.index().to_string() } else { "|".into() };
            if c == board.cols() {
                write!(f, "{line}")?;
                break;
            }
            let inside = if p.free_sides(board.box_at(r, c)) == 0 { "#" } else { "" };
            let room = width + 1 - line.len();
            write!(f, "{line}{inside:^room$}")?;
        }
        writeln!(f)?;
    }
    Ok(())
}
