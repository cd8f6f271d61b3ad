//! The isolated chains and loops of a position, as a number.
//!
//! Where an isolated component lies does not matter, so the search keeps only their multiset, and of that only
//! what counts: two 1-chains cancel in any position, and so do two 2-chains.
//!
//! **Proof.** Let G be any quiet position and s = 1 or 2; claim `v(G + s + s) = v(G)`, by induction on the edges of G.
//! A move inside G leads to the same offer with or without the pair, and the rests are equal by induction.
//! Opening one of the pair hands over s boxes without a choice and is worth `-(s + v(G + s))`; the answer in kind shows
//! `v(G + s) >= -(s + v(G))`, so it is worth at most v(G). If G is empty both sides are 0. (Opening a 2-chain at its
//! end gives the taker one choice more than in the middle, so it is never better.)
//!
//! Multisets are interned: equal ones have equal numbers on every thread, so a table key needs a few bits for
//! them and compares exactly.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use endgame::{Component, Multiset};

/// The number of a multiset.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct HeapId(pub(crate) u32);

/// What the search asks about a heap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeapInfo {
    /// What the player who must open it nets when nothing else is left.
    pub(crate) value: i16,
    /// Boxes in all.
    pub(crate) boxes: i16,
    /// The shortest short chain (1 before 2), the shortest long chain, the smallest loop: the only components
    /// worth opening while joints are left, each with the heap left behind.
    ///
    /// **Lemma.** Lengthening a run by d boxes moves the value by at most d, if it has three or more boxes
    /// before and after, or is a loop, or is an isolated chain of 1 that becomes one of 2. By induction on the strings:
    /// every move elsewhere is there in both positions, hands over the same boxes with the same bribe, and leaves
    /// rests that differ by at most d, also where the run joins another, or is taken as a part of it; and `T - b +
    /// |v + b|` moves by no more than T and v do. Opening the run itself hands over d boxes more, with the
    /// same bribe and the same rest.
    ///
    /// **So** of two loops, or two long chains, m < M, the shorter is the one to open. The taker of m gets
    /// `m - b + |v(rest with M) + b|`; by the lemma that is no more than what the taker of M gets,
    /// `M - b + |v(rest with m) + b|`. And of a 1- and a 2-chain it is the 1-chain, for the same reason:
    /// `1 + v(rest with 2) <= 2 + v(rest with 1)`. Between a 2-chain and a 3-chain nothing of the kind holds.
    pub(crate) short: Option<(i16, HeapId)>,
    pub(crate) long: Option<(i16, HeapId)>,
    pub(crate) ring: Option<(i16, HeapId)>,
}

/// The heaps of one search, shared by its threads.
#[derive(Debug)]
pub(crate) struct Heaps {
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    /// More different heaps than this are refused, and the search gives up with bounds.
    limit: usize,
    ids: HashMap<Multiset, HeapId>,
    sets: Vec<Multiset>,
}

impl Known {
    fn intern(&mut self, set: Multiset) -> Option<HeapId> {
        if let Some(&id) = self.ids.get(&set) {
            return Some(id);
        }
        if self.sets.len() >= self.limit {
            return None;
        }
        let id = HeapId(self.sets.len() as u32);
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        Some(id)
    }

    fn without(&mut self, set: &Multiset, component: Option<Component>) -> Option<Option<(i16, HeapId)>> {
        let Some((component, rest)) = component.and_then(|c| Some((c, set.without(c)?))) else {
            return Some(None);
        };
        Some(Some((component.boxes() as i16, self.intern(rest)?)))
    }
}

impl Heaps {
    /// At most so many different heaps.
    pub(crate) fn new(limit: usize) -> Heaps {
        Heaps { known: Mutex::new(Known { limit, ids: HashMap::new(), sets: Vec::new() }) }
    }

    /// The number of a multiset, after cancelling; `None` when there are too many heaps.
    pub(crate) fn id(&self, set: &Multiset) -> Option<HeapId> {
        self.known().intern(cancelled(set.clone()))
    }

    /// All heaps met, by number.
    pub(crate) fn all(&self) -> Vec<Multiset> {
        self.known().sets.clone()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one thread remembers of the [`Heaps`], so that it asks the shared store once for each thing it learns.
#[derive(Debug)]
pub(crate) struct HeapMemory {
    infos: Vec<Option<HeapInfo>>,
    additions: Vec<Addition>,
}

#[derive(Clone, Copy, Debug)]
struct Addition {
    heap: HeapId,
    component: u32,
    sum: HeapId,
}

const ADDITIONS: usize = 1 << 12;

impl Default for HeapMemory {
    fn default() -> HeapMemory {
        // Component 0 is none, so nothing matches an unused slot.
        let none = Addition { heap: HeapId(0), component: 0, sum: HeapId(0) };
        HeapMemory { infos: Vec::new(), additions: vec![none; ADDITIONS] }
    }
}

/// One thread's view of the [`Heaps`].
pub(crate) struct HeapView<'a> {
    heaps: &'a Heaps,
    memory: &'a mut HeapMemory,
}

impl<'a> HeapView<'a> {
    pub(crate) const fn new(heaps: &'a Heaps, memory: &'a mut HeapMemory) -> HeapView<'a> {
        HeapView { heaps, memory }
    }

    /// What is known of a heap; `None` when there are too many.
    #[inline]
    pub(crate) fn info(&mut self, id: HeapId) -> Option<HeapInfo> {
        match self.memory.infos.get(id.0 as usize) {
            Some(&Some(info)) => Some(info),
            _ => self.learn(id),
        }
    }

    #[cold]
    fn learn(&mut self, id: HeapId) -> Option<HeapInfo> {
        let info = {
            let known = &mut *self.heaps.known();
            let set = known.sets.get(id.0 as usize)?.clone();
            let chains = set.chains();
            let short = chains.first().filter(|&&n| n < 3).map(|&n| Component::Chain(n));
            let long = chains.iter().find(|&&n| n >= 3).map(|&n| Component::Chain(n));
            let ring = set.loops().first().map(|&n| Component::Loop(n));
            HeapInfo {
                value: endgame::value(&set).get(),
                boxes: set.boxes() as i16,
                short: known.without(&set, short)?,
                long: known.without(&set, long)?,
                ring: known.without(&set, ring)?,
            }
        };
        let at = id.0 as usize;
        let infos = &mut self.memory.infos;
        if infos.len() <= at {
            infos.resize(at + 1, None);
        }
        infos[at] = Some(info);
        Some(info)
    }

    /// The heap with one more component; `None` when there are too many heaps.
    #[inline]
    pub(crate) fn add(&mut self, heap: HeapId, component: Component) -> Option<HeapId> {
        let code = match component {
            Component::Chain(n) => 2 * u32::from(n),
            Component::Loop(n) => 2 * u32::from(n) + 1,
        };
        let slot = (heap.0.wrapping_mul(0x9E37_79B1) ^ code.wrapping_mul(0x85EB_CA6B)) as usize >> 7
            & (ADDITIONS - 1);
        let seen = self.memory.additions[slot];
        if seen.heap == heap && seen.component == code {
            return Some(seen.sum);
        }
        let sum = self.join(heap, component)?;
        self.memory.additions[slot] = Addition { heap, component: code, sum };
        Some(sum)
    }

    #[cold]
    fn join(&mut self, heap: HeapId, component: Component) -> Option<HeapId> {
        let known = &mut *self.heaps.known();
        let set = known.sets.get(heap.0 as usize)?.with(component).ok()?;
        known.intern(cancelled(set))
    }
}

/// The multiset without pairs of 1-chains and pairs of 2-chains.
fn cancelled(mut set: Multiset) -> Multiset {
    for short in [Component::Chain(1), Component::Chain(2)] {
        while let Some(rest) = set.without(short).and_then(|rest| rest.without(short)) {
            set = rest;
        }
    }
    set
}
