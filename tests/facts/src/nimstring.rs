//! Who wins at nimstring, straight from the rules.

use crate::values::{Graph, closed};

/// Who wins at nimstring from every position of a board with a heap of nim beside it: whoever cannot move loses, and who
/// closes a box must move again, there or in the heap.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: Vec<Vec<bool>>,
}

impl Nim {
    /// Every position of a board of up to 24 edges, with heaps of up to so many.
    pub fn of_board(rows: usize, cols: usize, most: usize) -> Nim {
        let Graph { free, beside } =
            Graph::below(rows, cols, &"0".repeat((rows + 1) * cols + rows * (cols + 1)));
        let full = (1u32 << free.len()) - 1;
        let mut heaps: Vec<Vec<bool>> = Vec::new();
        for _ in 0..=most {
            let mut wins = vec![false; 1 << free.len()];
            for drawn in (0..=full).rev() {
                let in_the_heap = heaps.iter().any(|smaller| !smaller[drawn as usize]);
                let on_the_board = (0..free.len()).any(|i| {
                    let next = drawn | 1 << i;
                    next != drawn && wins[next as usize] == (closed(beside[i], next) > 0)
                });
                wins[drawn as usize] = in_the_heap || on_the_board;
            }
            heaps.push(wins);
        }
        Nim { heaps }
    }

    /// The heap beside which the position with these edges drawn is lost for the player to move: its nimber. `None`
    /// when it is won beside every one.
    pub fn nimber(&self, drawn: usize) -> Option<usize> {
        self.heaps.iter().position(|wins| !wins[drawn])
    }
}
