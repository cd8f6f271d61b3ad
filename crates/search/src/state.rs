//! Quiet positions below the root, and the moves between them.

use endgame::Component;

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
            for (image, &bit) in images.iter_mut().zip(&core.images[usize::from(s)]) {
                *image |= bit;
            }
        }
        let mut state =
            State { free, images, two: M::EMPTY, three: M::EMPTY, four: M::EMPTY, hot: M::EMPTY, heap };
        for (i, &strings) in core.strings.iter().enumerate() {
            let coin = M::bit(i as u8);
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

    /// The smallest image of the strings left: equal for positions that are images of each other.
    #[inline(always)]
    pub(crate) fn key(&self, core: &Core<M>) -> M {
        self.images[..core.symmetries].iter().fold(self.free, |least, &image| least.min(image))
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
                for (image, &bit) in self.images.iter_mut().zip(&core.images[usize::from(s)]) {
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
            self.hot |= core.strings[usize::from(joint)];
        }
    }

    /// The state after drawing a safe string; `None` when there are too many heaps.
    #[inline]
    pub(crate) fn after_safe(&self, core: &Core<M>, heaps: &mut HeapView, s: u8) -> Option<State<M>> {
        let mut next = *self;
        next.draw(core, M::bit(s));
        let ends = core.ends[usize::from(s)];
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

    /// Moves the run through a coin to the heap, if it is isolated.
    #[inline]
    fn set_apart(&mut self, core: &Core<M>, heaps: &mut HeapView, coin: u8) -> Option<()> {
        if !self.two.has(coin) {
            return Some(());
        }
        let strings = core.strings[usize::from(coin)] & self.free;
        let mut run = Run { boxes: M::bit(coin), strings, ends: [GROUND; 2] };
        let component = match self.follow(core, &mut run, coin, strings.lowest()) {
            GROUND => match self.follow(core, &mut run, coin, strings.rest().lowest()) {
                GROUND => Component::Chain(run.boxes.count() as u16),
                _ => return Some(()),
            },
            end if end == coin => Component::Loop(run.boxes.count() as u16),
            _ => return Some(()),
        };
        self.draw(core, run.strings);
        self.two &= !run.boxes;
        self.heap = heaps.add(self.heap, component)?;
        Some(())
    }

    /// Follows a run from a coin over a string, collecting what it passes; where it ends: the ground, a joint, or
    /// the coin itself, if it is a loop.
    #[inline(always)]
    fn follow(&self, core: &Core<M>, run: &mut Run<M>, coin: u8, string: u8) -> u8 {
        let (mut at, mut s) = (coin, string);
        loop {
            at = Self::across(core, s, at);
            if at == GROUND || at == coin || !self.two.has(at) {
                return at;
            }
            run.boxes |= M::bit(at);
            let onward = core.strings[usize::from(at)] & self.free & !M::bit(s);
            s = onward.lowest();
            run.strings |= onward;
        }
    }

    #[inline(always)]
    fn across(core: &Core<M>, s: u8, coin: u8) -> u8 {
        let [x, y] = core.ends[usize::from(s)];
        if x == coin { y } else { x }
    }

    /// The run through a coin with two strings, which hangs on a joint.
    #[inline]
    fn run(&self, core: &Core<M>, coin: u8) -> Run<M> {
        let strings = core.strings[usize::from(coin)] & self.free;
        let mut run = Run { boxes: M::bit(coin), strings, ends: [GROUND; 2] };
        run.ends[0] = self.follow(core, &mut run, coin, strings.lowest());
        run.ends[1] = self.follow(core, &mut run, coin, strings.rest().lowest());
        run
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
            let last = (core.strings[usize::from(a)] & next.free).lowest();
            next.draw(core, M::bit(last));
            let beyond = Self::across(core, last, a);
            if beyond != GROUND && next.two.has(beyond) {
                let tail = next.tail(core, beyond);
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

    /// The run from a coin that has one string left, to its far end.
    fn tail(&self, core: &Core<M>, coin: u8) -> Run<M> {
        let mut run = Run { boxes: M::EMPTY, strings: M::EMPTY, ends: [coin, GROUND] };
        let mut at = coin;
        while at != GROUND && self.two.has(at) {
            run.boxes |= M::bit(at);
            let onward = core.strings[usize::from(at)] & self.free & !run.strings;
            if onward.is_empty() {
                break;
            }
            run.strings |= onward;
            at = Self::across(core, onward.lowest(), at);
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
