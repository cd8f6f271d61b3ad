//! Multisets of isolated chains and loops.

use std::fmt;

use smallvec::SmallVec;
use thiserror::Error;

/// The most components a multiset may have.
pub const MAX_COMPONENTS: usize = 1024;

/// The most boxes a multiset may have.
pub const MAX_BOXES: usize = 4096;

/// An isolated chain or loop, by its number of boxes. Chains come before loops, short before long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Component {
    /// A chain of one or more boxes, both ends on the ground.
    Chain(u16),
    /// A loop of four, six, ... boxes.
    Loop(u16),
}

impl Component {
    /// How many boxes.
    pub const fn boxes(self) -> u16 {
        match self {
            Component::Chain(n) | Component::Loop(n) => n,
        }
    }

    /// The rule its length breaks, if any. No grid has a loop of odd length (it is a cycle of a bipartite
    /// graph) or one shorter than four.
    const fn broken_rule(self) -> Option<&'static str> {
        match self {
            Component::Chain(0) => Some("a chain has at least 1 box"),
            Component::Loop(n) if n < 4 => Some("a loop has at least 4 boxes"),
            Component::Loop(n) if n % 2 == 1 => Some("a loop has an even number of boxes"),
            _ => None,
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Component::Chain(n) => write!(f, "{n}-chain"),
            Component::Loop(n) => write!(f, "{n}-loop"),
        }
    }
}

/// Where a component is opened. It matters only for a 2-chain: opened in its middle (hard-hearted) it
/// cannot be declined, opened at its end (half-hearted) it can.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OpenedAt {
    /// Between its two boxes: a 2-chain only.
    Middle,
    /// Anywhere else, and every other component.
    #[default]
    End,
}

/// A component and where it is opened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opened {
    component: Component,
    at: OpenedAt,
}

impl Opened {
    /// A component opened somewhere.
    ///
    /// # Errors
    /// When the component's length is none, or [`OpenedAt::Middle`] comes with anything but a 2-chain.
    pub fn new(component: Component, at: OpenedAt) -> Result<Opened, MultisetError> {
        if let Some(rule) = component.broken_rule() {
            let field = match component {
                Component::Chain(_) => "opened.chain",
                Component::Loop(_) => "opened.loop",
            };
            return Err(MultisetError::Length { field: field.into(), found: component.boxes().into(), rule });
        }
        if usize::from(component.boxes()) > MAX_BOXES {
            let (field, rule) = match component {
                Component::Chain(_) => ("opened.chain", "a chain has at most 4096 boxes"),
                Component::Loop(_) => ("opened.loop", "a loop has at most 4096 boxes"),
            };
            return Err(MultisetError::Length { field: field.into(), found: component.boxes().into(), rule });
        }
        if at == OpenedAt::Middle && component != Component::Chain(2) {
            return Err(MultisetError::Middle { component });
        }
        Ok(Opened { component, at })
    }

    /// The component.
    pub const fn component(self) -> Component {
        self.component
    }

    /// Where it is opened.
    pub const fn at(self) -> OpenedAt {
        self.at
    }
}

impl fmt::Display for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.component.fmt(f)?;
        match (self.component, self.at) {
            (Component::Chain(2), OpenedAt::Middle) => f.write_str(" in its middle"),
            (Component::Chain(2), OpenedAt::End) => f.write_str(" at its end"),
            _ => Ok(()),
        }
    }
}

/// Isolated chains and loops, by length, ascending.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Multiset {
    chains: Lengths,
    loops: Lengths,
}

/// Most multisets are small, and need no memory of their own.
type Lengths = SmallVec<[u16; 12]>;

/// Why some numbers are no multiset, or no opened component. [`field`](MultisetError::field) names the one at
/// fault.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MultisetError {
    /// A length no chain or loop has.
    #[error("{rule}, not {found}")]
    Length {
        /// The field at fault.
        field: String,
        /// The number.
        found: u32,
        /// The rule.
        rule: &'static str,
    },
    /// More components than [`MAX_COMPONENTS`].
    #[error("at most {MAX_COMPONENTS} chains and loops, not {found}")]
    TooManyComponents {
        /// How many there are.
        found: usize,
    },
    /// More boxes than [`MAX_BOXES`].
    #[error("at most {MAX_BOXES} boxes in all, not {found}")]
    TooManyBoxes {
        /// How many there are.
        found: u64,
    },
    /// `Middle` with something other than a 2-chain.
    #[error("only a 2-chain can be opened in its middle, not a {component}")]
    Middle {
        /// What was to be opened.
        component: Component,
    },
}

impl MultisetError {
    /// The field at fault: `chains[2]`, `loops[0]`, `opened.chain`, `opened.loop`, `opened.opened_at`, or `chains` for a total.
    pub fn field(&self) -> &str {
        match self {
            MultisetError::Length { field, .. } => field,
            MultisetError::TooManyComponents { .. } | MultisetError::TooManyBoxes { .. } => "chains",
            MultisetError::Middle { .. } => "opened.opened_at",
        }
    }
}

impl Multiset {
    /// A multiset from lengths in any order.
    ///
    /// # Errors
    /// When a length is none, or the whole passes a limit.
    pub fn new(chains: &[u32], loops: &[u32]) -> Result<Multiset, MultisetError> {
        let found = chains.len().saturating_add(loops.len());
        if found > MAX_COMPONENTS {
            return Err(MultisetError::TooManyComponents { found });
        }
        let boxes: u64 = chains.iter().chain(loops).map(|&n| u64::from(n)).sum();
        let check = |lengths: &[u32], name: &str, kind: fn(u16) -> Component| {
            for (i, &found) in lengths.iter().enumerate() {
                let n = u16::try_from(found).map_err(|_| MultisetError::TooManyBoxes { found: boxes })?;
                if let Some(rule) = kind(n).broken_rule() {
                    return Err(MultisetError::Length { field: format!("{name}[{i}]"), found, rule });
                }
            }
            let mut checked: Lengths = lengths.iter().map(|&n| n as u16).collect();
            checked.sort_unstable();
            Ok(checked)
        };
        let set = Multiset {
            chains: check(chains, "chains", Component::Chain)?,
            loops: check(loops, "loops", Component::Loop)?,
        };
        if boxes > MAX_BOXES as u64 {
            return Err(MultisetError::TooManyBoxes { found: boxes });
        }
        Ok(set)
    }

    /// The chains' lengths, ascending.
    pub fn chains(&self) -> &[u16] {
        &self.chains
    }

    /// The loops' lengths, ascending.
    pub fn loops(&self) -> &[u16] {
        &self.loops
    }

    /// All boxes.
    pub fn boxes(&self) -> usize {
        self.components().map(|c| usize::from(c.boxes())).sum()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.chains.is_empty() && self.loops.is_empty()
    }

    /// The components in canonical order, repeated ones repeated.
    pub fn components(&self) -> impl Iterator<Item = Component> + '_ {
        let chains = self.chains.iter().map(|&n| Component::Chain(n));
        chains.chain(self.loops.iter().map(|&n| Component::Loop(n)))
    }

    /// The different components in canonical order.
    pub fn distinct(&self) -> impl Iterator<Item = Component> + '_ {
        let chains = self.chains.chunk_by(u16::eq).map(|same| Component::Chain(same[0]));
        chains.chain(self.loops.chunk_by(u16::eq).map(|same| Component::Loop(same[0])))
    }

    /// The multiset with one such component fewer, or `None` when it has none.
    pub fn without(&self, component: Component) -> Option<Multiset> {
        let mut rest = self.clone();
        let (lengths, n) = match component {
            Component::Chain(n) => (&mut rest.chains, n),
            Component::Loop(n) => (&mut rest.loops, n),
        };
        let at = lengths.binary_search(&n).ok()?;
        lengths.remove(at);
        Some(rest)
    }

    /// The multiset with one such component more.
    ///
    /// # Errors
    /// As [`Multiset::new`].
    pub fn with(&self, component: Component) -> Result<Multiset, MultisetError> {
        let (field, n) = match component {
            Component::Chain(n) => ("chain", n),
            Component::Loop(n) => ("loop", n),
        };
        if let Some(rule) = component.broken_rule() {
            return Err(MultisetError::Length { field: field.into(), found: n.into(), rule });
        }
        let (components, boxes) = (self.components().count() + 1, self.boxes() + usize::from(n));
        if components > MAX_COMPONENTS {
            return Err(MultisetError::TooManyComponents { found: components });
        }
        if boxes > MAX_BOXES {
            return Err(MultisetError::TooManyBoxes { found: boxes as u64 });
        }
        let mut more = self.clone();
        let lengths = if let Component::Chain(_) = component { &mut more.chains } else { &mut more.loops };
        lengths.insert(lengths.partition_point(|&m| m < n), n);
        Ok(more)
    }

    /// The multiset of components cut out of a board, whose lengths are right by construction.
    pub(crate) fn of_board(mut chains: Vec<u16>, mut loops: Vec<u16>) -> Multiset {
        chains.sort_unstable();
        loops.sort_unstable();
        Multiset { chains: chains.into(), loops: loops.into() }
    }
}

impl fmt::Display for Multiset {
    /// `chains 9, 5, 2 and loops 4`, longest first; `nothing` when empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |lengths: &[u16]| lengths.iter().rev().map(u16::to_string).collect::<Vec<_>>().join(", ");
        match (self.chains.is_empty(), self.loops.is_empty()) {
            (true, true) => f.write_str("nothing"),
            (false, true) => write!(f, "chains {}", list(&self.chains)),
            (true, false) => write!(f, "loops {}", list(&self.loops)),
            (false, false) => write!(f, "chains {} and loops {}", list(&self.chains), list(&self.loops)),
        }
    }
}

/// Every way to open a multiset, in canonical order: each different component once, and a 2-chain both in
/// its middle and at its end.
pub fn openings(set: &Multiset) -> impl Iterator<Item = Opened> + '_ {
    set.distinct().flat_map(|component| {
        let middle = (component == Component::Chain(2)).then_some(OpenedAt::Middle);
        middle.into_iter().chain([OpenedAt::End]).map(move |at| Opened { component, at })
    })
}
