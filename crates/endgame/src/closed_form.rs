//! The value of a multiset in closed form.
//!
//! Write v for the *controlled* side's view, v = -EV: what the player who does not have to open nets. For
//! chains of three or more and loops, the controller who declines every component but the last nets the
//! *controlled value*
//!
//! ```text
//! cv = sum over chains (c - 4) + sum over loops (l - 8) + tb
//! ```
//!
//! with the terminal bonus `tb` for the last component, which is taken whole: 0 for nothing, 8 when there are only loops, 6 with a
//! loop beside chains that are all 3-chains, else 4. Where `cv >= 2` control is worth keeping to the end and `v = cv`
//! (Buzzard & Ciere 2014, Allcock 2018). Below 2 the value depends only on the parity of `cv`, the number of
//! 3-chains and of 4-loops; the rule here has no difference to the recursion on tens of millions of
//! multisets. It is false for odd loops, which no grid has and [`Multiset`] refuses.
//!
//! A short chain is handed over with no choice for the taker, so it just turns the rest around:
//! `EV(S + 2) = -2 - EV(S)`, then `EV(S + 1) = -1 - EV(S)`.

use game::Boxes;

use crate::multiset::{Multiset, Opened, openings};
use crate::taking::opening_value;

/// What the player who must open the multiset nets, in time linear in the number of components.
///
/// ```
/// use endgame::{Multiset, value};
/// let ev = |chains: &[u32], loops: &[u32]| value(&Multiset::new(chains, loops).unwrap()).get();
/// assert_eq!(ev(&[], &[]), 0);
/// assert_eq!(ev(&[3, 3], &[]), -2);
/// assert_eq!(ev(&[2, 3], &[]), 1);
/// assert_eq!(ev(&[9, 5, 2], &[]), 8);
/// ```
pub fn value(set: &Multiset) -> Boxes {
    let short = set.chains().partition_point(|&n| n < 3);
    let ones = set.chains().partition_point(|&n| n < 2);
    let (twos, long) = (short - ones, &set.chains()[short..]);
    let mut ev = -Long::count(long, set.loops()).v();
    // Answering one short chain with its twin cancels both, so only the odd one counts.
    if twos % 2 == 1 {
        ev = -2 - ev;
    }
    if ones % 2 == 1 {
        ev = -1 - ev;
    }
    // At most 4,096 boxes.
    Boxes(ev as i16)
}

/// The ways to open that reach [`value`], in canonical order; none for the empty multiset.
pub fn best_openings(set: &Multiset) -> Vec<Opened> {
    let best = value(set);
    let reaches = |opened: &Opened| {
        set.without(opened.component()).is_some_and(|rest| opening_value(*opened, value(&rest)) == best)
    };
    openings(set).filter(reaches).collect()
}

/// What the closed form needs to know of the long part.
#[derive(Clone, Copy)]
struct Long {
    /// Sum over chains of (c - 4).
    chain_surplus: i32,
    /// Sum over loops of (l - 8).
    loop_surplus: i32,
    chains: usize,
    loops: usize,
    three_chains: usize,
    four_loops: usize,
}

impl Long {
    fn count(chains: &[u16], loops: &[u16]) -> Long {
        Long {
            chain_surplus: chains.iter().map(|&c| i32::from(c) - 4).sum(),
            loop_surplus: loops.iter().map(|&l| i32::from(l) - 8).sum(),
            chains: chains.len(),
            loops: loops.len(),
            three_chains: chains.partition_point(|&c| c == 3),
            four_loops: loops.partition_point(|&l| l == 4),
        }
    }

    fn terminal_bonus(self) -> i32 {
        match (self.chains, self.loops) {
            (0, 0) => 0,
            (0, _) => 8,
            (chains, 1..) if chains == self.three_chains => 6,
            _ => 4,
        }
    }

    fn without_four_loops(self) -> Long {
        Long {
            loop_surplus: self.loop_surplus + 4 * self.four_loops as i32,
            loops: self.loops - self.four_loops,
            four_loops: 0,
            ..self
        }
    }

    fn without_a_three_chain(self) -> Long {
        Long {
            chain_surplus: self.chain_surplus + 1,
            chains: self.chains - 1,
            three_chains: self.three_chains - 1,
            ..self
        }
    }

    /// The value of the set without its 4-loops, turned by |4 - x| once for each of them.
    fn four_loops_folded(self) -> i32 {
        let bare = self.without_four_loops().v();
        (0..self.four_loops).fold(bare, |x, _| (4 - x).abs())
    }

    /// What the player who does not have to open nets.
    fn v(self) -> i32 {
        if self.chains + self.loops == 0 {
            return 0;
        }
        let c = self.chain_surplus + self.loop_surplus + self.terminal_bonus();
        let odd = c.rem_euclid(2) == 1;
        let (t, f) = (self.three_chains, self.four_loops);
        match (odd, t) {
            _ if c >= 2 => c,
            _ if self.loops == 0 => {
                if odd {
                    1
                } else {
                    2
                }
            }
            (_, 0) if f > 0 => self.four_loops_folded(),
            (true, 0) => 3,
            (false, 0) => {
                if c.rem_euclid(4) == 2 {
                    2
                } else {
                    4
                }
            }
            // {3, 3} with one 4-loop is the one exception: 2, not 0.
            (false, _) => {
                let exception = f == 1 && self.loops == 1 && t == 2 && self.chains == 2;
                if f >= 1 && c == 0 && !exception { 0 } else { 2 }
            }
            (true, 2..) => 1,
            (true, 1) => {
                if self.without_a_three_chain().v() == 2 {
                    1
                } else if f == 0 {
                    3
                } else {
                    self.four_loops_folded()
                }
            }
        }
    }
}
