//! Quiet positions below the root, and the moves between them.

use endgame::Component;

use crate::bounds::Key;
use crate::core::{Core, GROUND, IMAGES};
use crate::heap::{HeapId, HeapView};
use crate::line::Line;
use crate::mask::Mask;

/// A quiet position: what is left of the core, and the heap. Every coin of what is left hangs together with a
/// joint; whatever loses its last joint moves to the heap at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State<M> {
    /// The strings left.
    pub(crate) free: M,
    /// `free` under the other symmetries of the core.
    images: [M; IMAGES],
    /// The coins with exactly two strings.
    pub(crate) two: M,
    /// The coins with exactly three strings.
    three: M,
    /// The coins with four.
    four: M,
    /// The strings of coins with two strings, drawn ones included: drawing one offers boxes.
    hot: M,
    /// The isolated chains and loops.
    pub(crate) heap: HeapId,
}

/// A run hanging on joints: its boxes, its strings, and the joints it ends at.
pub(crate) struct Run<M> {
    boxes: M,
    strings: M,
    ends: [u8; 2],
}

impl<M: Mask> Run<M> {
    /// How many boxes opening it hands over, if the taking does not run on through its joints.
    #[inline(always)]
    pub(crate) fn least(&self) -> i16 {
        self.boxes.count() as i16
    }

    /// A coin it runs through.
    #[inline(always)]
    pub(crate) fn coin(&self) -> u8 {
        self.boxes.lowest()
    }

    /// How many boxes the taker can leave to decline, 0 where that cannot be done.
    #[inline(always)]
    pub(crate) fn bribe(&self) -> i16 {
        if self.least() >= 3 { 2 } else { 0 }
    }
}

impl<M: Mask> State<M> {
    /// The state with these strings left; every coin has two strings or more, or none.
    pub(crate) fn new(core: &Core<M>, free: M, heap: HeapId) -> State<M> {
        let mut images = [M::EMPTY; IMAGES];
        for s in free.members() {
            for (image, &bit) in images.iter_mut().zip(&core.images[s]) {
                *image |= bit;
            }
        }
        let mut state =
            State { free, images, two: M::EMPTY, three: M::EMPTY, four: M::EMPTY, hot: M::EMPTY, heap };
        for i in 0..core.boxes {
            let (coin, strings) = (M::bit(i), core.strings[i]);
            match (strings & free).count() {
                2 => {
                    state.two |= coin;
                    state.hot |= strings;
                }
                3 => state.three |= coin,
                4 => state.four |= coin,
                _ => {}
            }
        }
        state
    }

    /// The same core with another heap.
    #[inline(always)]
    pub(crate) fn with_heap(&self, heap: HeapId) -> State<M> {
        State { heap, ..*self }
    }

    /// How many coins the core has left.
    #[inline(always)]
    pub(crate) fn boxes(&self) -> i16 {
        (self.two | self.three | self.four).count() as i16
    }

    /// What the state is known by: the smallest image of the strings left, equal for positions that are images of
    /// each other, and the heap.
    #[inline(always)]
    pub(crate) fn key(&self, core: &Core<M>) -> Key<M> {
        let strings = self.images[..core.symmetries].iter().fold(self.free, |least, &image| least.min(image));
        Key { strings, heap: self.heap }
    }

    /// The key of the state after drawing a safe string, without making that state; `None` when there are too many
    /// heaps.
    #[inline(always)]
    pub(crate) fn key_after_safe(&self, core: &Core<M>, heaps: &mut HeapView, s: u8) -> Option<Key<M>> {
        let mut left = Runs { core, free: self.free & !M::bit(s), two: self.two };
        let mut gone = core.images[s];
        let mut heap = self.heap;
        let loosened = core.coins[s] & self.three;
        if !loosened.is_empty() {
            left.two |= loosened;
            for coin in loosened.members() {
                let Some((component, run)) = left.isolated(coin) else { continue };
                left.free &= !run.strings;
                left.two &= !run.boxes;
                heap = heaps.add(heap, component)?;
                for t in run.strings.members() {
                    for (gone, &bit) in gone.iter_mut().zip(&core.images[t]) {
                        *gone |= bit;
                    }
                }
            }
        }
        let images = self.images[..core.symmetries].iter().zip(&gone);
        let strings = images.fold(left.free, |least, (&image, &gone)| least.min(image & !gone));
        Some(Key { strings, heap })
    }

    /// The strings that offer no box, one for each set of interchangeable ones.
    #[inline(always)]
    pub(crate) fn safe(&self, core: &Core<M>) -> M {
        let mut safe = self.free & !self.hot;
        for &parallel in &core.parallel {
            let same = safe & parallel;
            if !same.rest().is_empty() {
                safe = (safe & !same) | M::bit(same.highest());
            }
        }
        safe
    }

    /// The state with nothing remembered of strings already drawn, for comparing.
    #[cfg(test)]
    pub(crate) fn tidied(self) -> State<M> {
        State { hot: self.hot & self.free, ..self }
    }

    /// Removes strings from the set of those left.
    #[inline(always)]
    fn draw(&mut self, core: &Core<M>, strings: M) {
        self.free &= !strings;
        if core.symmetries > 0 {
            for s in strings.members() {
                for (image, &bit) in self.images.iter_mut().zip(&core.images[s]) {
                    *image &= !bit;
                }
            }
        }
    }

    /// One string fewer at a joint.
    #[inline(always)]
    fn loosen(&mut self, core: &Core<M>, joint: u8) {
        let coin = M::bit(joint);
        if self.four.has(joint) {
            self.four &= !coin;
            self.three |= coin;
        } else {
            self.three &= !coin;
            self.two |= coin;
            self.hot |= core.strings[joint];
        }
    }

    /// The state after drawing a safe string; `None` when there are too many heaps.
    #[inline]
    pub(crate) fn after_safe(&self, core: &Core<M>, heaps: &mut HeapView, s: u8) -> Option<State<M>> {
        let mut next = *self;
        next.draw(core, M::bit(s));
        let ends = core.ends[s];
        for end in ends {
            if end != GROUND {
                next.loosen(core, end);
            }
        }
        for end in ends {
            if end != GROUND {
                next.set_apart(core, heaps, end)?;
            }
        }
        Some(next)
    }

    /// The run through a coin with two strings.
    #[inline(always)]
    pub(crate) fn run(&self, core: &Core<M>, coin: u8) -> Run<M> {
        self.runs(core).through(coin)
    }

    #[inline(always)]
    fn runs<'a>(&self, core: &'a Core<M>) -> Runs<'a, M> {
        Runs { core, free: self.free, two: self.two }
    }

    /// Moves the run through a coin to the heap, if it is isolated.
    #[inline]
    fn set_apart(&mut self, core: &Core<M>, heaps: &mut HeapView, coin: u8) -> Option<()> {
        if let Some((component, run)) = self.runs(core).isolated(coin) {
            self.draw(core, run.strings);
            self.two &= !run.boxes;
            self.heap = heaps.add(self.heap, component)?;
        }
        Some(())
    }

    /// The runs, each of which hangs on a joint.
    #[inline(always)]
    pub(crate) fn openings(&self) -> Openings<M> {
        Openings { left: self.two }
    }

    /// Opens a run and takes everything: what was handed over, and the state left.
    ///
    /// All strings of a run are one move, except that a 2-run is opened in its middle: at its end the taker
    /// has the choice to decline besides, which can only help him. A run of one or two boxes is then handed
    /// over with no choice; three or more leave the taker a tree of two boxes with a way out, so the bribe is
    /// two. When both ends lie at the same joint and it has just one string besides, the taking goes on
    /// through it.
    pub(crate) fn after_opening(
        &self,
        core: &Core<M>,
        heaps: &mut HeapView,
        run: &Run<M>,
    ) -> Option<(Line, State<M>)> {
        let mut next = *self;
        let (mut boxes, bribe) = (run.least(), run.bribe());
        next.draw(core, run.strings);
        next.two &= !run.boxes;
        let [a, b] = run.ends;
        if a == b && a != GROUND && next.three.has(a) {
            // Both ends at one joint of three strings: its last string is taken too, and so on.
            next.three &= !M::bit(a);
            boxes += 1;
            let last = (core.strings[a] & next.free).lowest();
            next.draw(core, M::bit(last));
            let beyond = core.across(last, a);
            if beyond != GROUND && next.two.has(beyond) {
                let tail = next.runs(core).tail(beyond);
                boxes += tail.boxes.count() as i16;
                next.draw(core, tail.strings);
                next.two &= !tail.boxes;
                next.give_way(core, heaps, tail.ends[1])?;
            } else {
                next.give_way(core, heaps, beyond)?;
            }
        } else if a == b && a != GROUND {
            next.loosen(core, a);
            next.give_way(core, heaps, a)?;
        } else {
            for end in [a, b] {
                if end != GROUND {
                    next.loosen(core, end);
                }
            }
            for end in [a, b] {
                if end != GROUND {
                    next.set_apart(core, heaps, end)?;
                }
            }
        }
        Some((Line { boxes, bribe }, next))
    }

    /// One string fewer at what the taking has run into.
    fn give_way(&mut self, core: &Core<M>, heaps: &mut HeapView, joint: u8) -> Option<()> {
        if joint == GROUND {
            return Some(());
        }
        self.loosen(core, joint);
        self.set_apart(core, heaps, joint)
    }
}

/// Strings and coins, to follow runs in.
struct Runs<'a, M> {
    core: &'a Core<M>,
    free: M,
    two: M,
}

impl<M: Mask> Runs<'_, M> {
    /// Follows a run from a coin over a string, collecting what it passes; where it ends: the ground, a joint, or
    /// the coin itself, if it is a loop.
    #[inline(always)]
    fn follow(&self, run: &mut Run<M>, coin: u8, string: u8) -> u8 {
        let (mut at, mut s) = (coin, string);
        loop {
            at = self.core.across(s, at);
            if at == GROUND || at == coin || !self.two.has(at) {
                return at;
            }
            run.boxes |= M::bit(at);
            let onward = self.core.strings[at] & self.free & !M::bit(s);
            s = onward.lowest();
            run.strings |= onward;
        }
    }

    #[inline(always)]
    fn start(&self, coin: u8) -> Run<M> {
        let strings = self.core.strings[coin] & self.free;
        Run { boxes: M::bit(coin), strings, ends: [GROUND; 2] }
    }

    /// The run through a coin with two strings, which hangs on a joint.
    #[inline]
    fn through(&self, coin: u8) -> Run<M> {
        let mut run = self.start(coin);
        let strings = run.strings;
        run.ends[0] = self.follow(&mut run, coin, strings.lowest());
        run.ends[1] = self.follow(&mut run, coin, strings.rest().lowest());
        run
    }

    /// The run through a coin, if the coin has two strings and the run hangs on no joint.
    #[inline(always)]
    fn isolated(&self, coin: u8) -> Option<(Component, Run<M>)> {
        if !self.two.has(coin) || self.hangs(coin) {
            return None;
        }
        let run = self.through(coin);
        let boxes = run.boxes.count() as u16;
        let component = if run.ends[0] == GROUND { Component::Chain(boxes) } else { Component::Loop(boxes) };
        Some((component, run))
    }

    /// Whether the run through a coin with two strings hangs on a joint. Most do, a step or two away.
    #[inline(always)]
    fn hangs(&self, coin: u8) -> bool {
        let both = self.core.strings[coin] & self.free;
        // Often the very next coin is a joint.
        let around = self.core.coins[both.lowest()] | self.core.coins[both.rest().lowest()];
        if !(around & !self.two).is_empty() {
            return true;
        }
        for first in both.members() {
            let (mut at, mut s) = (coin, first);
            loop {
                at = self.core.across(s, at);
                if at == GROUND {
                    break;
                }
                if at == coin {
                    return false;
                }
                if !self.two.has(at) {
                    return true;
                }
                s = (self.core.strings[at] & self.free & !M::bit(s)).lowest();
            }
        }
        false
    }

    /// The run from a coin that has one string left, to its far end.
    fn tail(&self, coin: u8) -> Run<M> {
        let mut run = Run { boxes: M::EMPTY, strings: M::EMPTY, ends: [coin, GROUND] };
        let mut at = coin;
        while at != GROUND && self.two.has(at) {
            run.boxes |= M::bit(at);
            let onward = self.core.strings[at] & self.free & !run.strings;
            if onward.is_empty() {
                break;
            }
            run.strings |= onward;
            at = self.core.across(onward.lowest(), at);
        }
        run.ends[1] = at;
        run
    }
}

/// The runs of a state still to be opened.
pub(crate) struct Openings<M> {
    left: M,
}

impl<M: Mask> Openings<M> {
    /// The next run.
    #[inline]
    pub(crate) fn next(&mut self, state: &State<M>, core: &Core<M>) -> Option<Run<M>> {
        let coin = (!self.left.is_empty()).then(|| self.left.lowest())?;
        let run = state.run(core, coin);
        self.left &= !run.boxes;
        Some(run)
    }
}
