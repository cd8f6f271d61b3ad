//! Chains, loops, and the exact values of their multisets.
//!
//! Late in the game a board falls apart into *runs* of boxes with two free edges each. A run whose two ends
//! lie on the ground is an isolated *chain*; one that bites its own tail is a *loop*. Whoever must move then
//! opens one of them for the other player, the *taker*, who has a choice that decides games: take it all and
//! open the next one, or *decline* - leave the last two boxes of a chain (four of a loop) as a *bribe* and
//! make the opener open again.
//!
//! ```text
//! +---+---+---+      a chain of three, opened at its left end: the taker
//!                    draws the next edge and the next, or declines with
//! +---+---+---+      the last one and leaves two boxes behind
//! ```
//!
//! * [`Structure`]: what a position is made of: regions, runs with their ends, joints, safe moves.
//! * [`Multiset`]: chains and loops by length, validated.
//! * [`value`], [`best_openings`]: what opening a multiset is worth, in closed form.
//! * [`value_by_recursion`]: the same from the definition, as the reference.
//! * [`taking`]: take all or decline, with the numbers for both.
//! * [`Offer`]: the boxes on offer in *any* position and what is left once they are taken.
//! * [`MaskBoard`]: a small board, whose positions are masks.
//!
//! ```
//! use endgame::{Component, Multiset, Opened, OpenedAt, value, taking, Advice};
//! let heap = Multiset::new(&[9, 5, 2], &[])?;
//! assert_eq!(value(&heap).get(), 8);
//! // A 3-chain is handed over while another waits: leave two boxes, keep control.
//! let opened = Opened::new(Component::Chain(3), OpenedAt::End)?;
//! let choice = taking(opened, value(&Multiset::new(&[3], &[])?));
//! assert_eq!(choice.advice, Advice::Decline);
//! # Ok::<(), endgame::MultisetError>(())
//! ```

mod closed_form;
mod mask_board;
mod multiset;
mod offer;
mod recursion;
mod structure;
mod taking;

pub use closed_form::{best_openings, value};
pub use mask_board::MaskBoard;
pub use multiset::{
    Component, MAX_BOXES, MAX_COMPONENTS, Multiset, MultisetError, Opened, OpenedAt, openings,
};
pub use offer::{Bribe, Offer};
pub use recursion::value_by_recursion;
pub use structure::{End, Joint, Region, Run, RunState, Structure};
pub use taking::{Advice, Taking, opening_value, taking};
