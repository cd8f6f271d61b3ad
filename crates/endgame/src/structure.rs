//! What a position is made of.
//!
//! As strings-and-coins: a box is a coin, a free edge a string, the world beyond the border the ground. A coin
//! with three or four strings is a *joint*. Coins with one or two strings line up into *runs*:
//!
//! ```text
//! ground --o--o--o-- ground      an isolated chain of three
//! ground --o--o--J               a chain attached to the joint J
//!          o--o--o-- ground      opened at the left: half-open
//!          o--o                  open at both ends: two boxes share their last edge
//! ```
//!
//! and a run that closes on itself is a *loop*.

use game::{BoxId, Edge, Position};

use crate::multiset::{Component, Multiset};

/// What lies beyond an end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The last edge leads to the ground.
    Ground,
    /// The last edge leads to this joint.
    Joint(BoxId),
    /// No edge is left at this end: the last box has three sides and can be taken.
    Open,
}

/// How a chain hangs in its surroundings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// Both ends on the ground: a chain of the endgame theory.
    Isolated,
    /// At least one end at a joint, none open.
    Attached,
    /// One end open.
    HalfOpen,
    /// Both ends open: a closed run, what is left of a loop once opened.
    Open,
}

/// A run of boxes with one or two free edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The boxes, in order.
    pub boxes: Vec<BoxId>,
    /// The free edges, in order: L + 1 for a chain of L boxes, one fewer for each open end; L for a loop.
    pub edges: Vec<Edge>,
    /// What lies beyond the first and the last box; `None` for a loop.
    pub ends: Option<[End; 2]>,
}

impl Run {
    /// Whether the run is a loop.
    pub const fn is_loop(&self) -> bool {
        self.ends.is_none()
    }

    /// Whether it is a long chain: three boxes or more, so that it can be declined wherever it is opened.
    pub const fn is_long_chain(&self) -> bool {
        !self.is_loop() && self.boxes.len() >= 3
    }

    /// How the chain hangs in its surroundings; a loop is isolated by nature.
    pub fn state(&self) -> RunState {
        let open = self.ends.iter().flatten().filter(|e| matches!(e, End::Open)).count();
        let attached = self.ends.iter().flatten().any(|e| matches!(e, End::Joint(_)));
        match (open, attached) {
            (2, _) => RunState::Open,
            (1, _) => RunState::HalfOpen,
            (_, true) => RunState::Attached,
            (_, false) => RunState::Isolated,
        }
    }

    /// The run as a component of the endgame theory, if it is an isolated chain or a loop.
    pub fn component(&self) -> Option<Component> {
        let boxes = self.boxes.len() as u16;
        match self.state() {
            RunState::Isolated if self.is_loop() => Some(Component::Loop(boxes)),
            RunState::Isolated => Some(Component::Chain(boxes)),
            _ => None,
        }
    }
}

/// A box with three or four free edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joint {
    /// The box.
    pub at: BoxId,
    /// Its free edges: 3 or 4.
    pub free: u8,
}

/// Boxes that hang together by free edges. The ground does not join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The boxes, ascending.
    pub boxes: Vec<BoxId>,
    /// The free edges, ascending.
    pub edges: Vec<Edge>,
    /// How many of the boxes are joints.
    pub joints: usize,
}

/// What a position is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    /// The regions, by their first box.
    pub regions: Vec<Region>,
    /// The chains, by their first box in board order.
    pub chains: Vec<Run>,
    /// The loops, by their first box in board order.
    pub loops: Vec<Run>,
    /// The joints, ascending.
    pub joints: Vec<Joint>,
    /// The free edges that offer no box: both sides have three or four free edges, or are ground.
    pub safe_moves: Vec<Edge>,
    /// The free edges that close a box.
    pub captures: Vec<Edge>,
}

impl Structure {
    /// Reads a position.
    pub fn of(position: &Position) -> Structure {
        let board = position.board();
        let mut reader = Reader { position, seen: vec![false; board.boxes()] };
        let mut chains = Vec::new();
        let mut loops = Vec::new();
        for b in board.all_boxes() {
            if let 1 | 2 = position.free_sides(b)
                && !reader.seen[b.index()]
            {
                let run = reader.run(b);
                if run.is_loop() { loops.push(run) } else { chains.push(run) }
            }
        }
        let joints = board
            .all_boxes()
            .map(|at| Joint { at, free: position.free_sides(at) as u8 })
            .filter(|j| j.free >= 3)
            .collect();
        let sides = |e: Edge| board.touching(e).into_iter().flatten().map(|b| position.free_sides(b));
        Structure {
            regions: Reader { position, seen: vec![false; board.boxes()] }.regions(),
            chains,
            loops,
            joints,
            safe_moves: position.free_edges().filter(|&e| sides(e).all(|n| n >= 3)).collect(),
            captures: position.free_edges().filter(|&e| sides(e).any(|n| n == 1)).collect(),
        }
    }

    /// The isolated chains and the loops, as a multiset.
    pub fn isolated(&self) -> Multiset {
        let lengths = |runs: &[Run]| -> Vec<u16> {
            runs.iter().filter_map(Run::component).map(Component::boxes).collect()
        };
        Multiset::of_board(lengths(&self.chains), lengths(&self.loops))
    }

    /// Every run as if it were isolated: no more than a guess where there are joints.
    pub fn as_if_isolated(&self) -> Multiset {
        let lengths = |runs: &[Run]| -> Vec<u16> { runs.iter().map(|run| run.boxes.len() as u16).collect() };
        Multiset::of_board(lengths(&self.chains), lengths(&self.loops))
    }

    /// The whole position as a multiset, when isolated chains and loops are all there is.
    pub fn decomposed(&self) -> Option<Multiset> {
        let all = self.joints.is_empty() && self.chains.iter().all(|c| c.component().is_some());
        all.then(|| self.isolated())
    }
}

struct Reader<'a> {
    position: &'a Position,
    seen: Vec<bool>,
}

impl Reader<'_> {
    fn free_sides_of(&self, b: BoxId) -> impl Iterator<Item = Edge> + '_ {
        self.position.board().sides(b).into_iter().filter(|&e| self.position.is_free(e))
    }

    fn across(&self, e: Edge, b: BoxId) -> Option<BoxId> {
        let [x, y] = self.position.board().touching(e);
        if x == Some(b) { y } else { x }
    }

    /// The run through box `b`, which has one or two free edges.
    fn run(&mut self, b: BoxId) -> Run {
        self.seen[b.index()] = true;
        let mut edges = self.free_sides_of(b).collect::<Vec<_>>().into_iter();
        let (first, second) = (edges.next(), edges.next());
        let (ahead_boxes, ahead_edges, ahead_end) = self.walk(b, second);
        if let Some(end) = ahead_end {
            let (mut boxes, mut edges, back_end) = self.walk(b, first);
            boxes.reverse();
            edges.reverse();
            boxes.push(b);
            boxes.extend(ahead_boxes);
            edges.extend(ahead_edges);
            // The way ahead did not come back to `b`, so neither can the way back.
            let ends = back_end.map(|back| [back, end]);
            return Run { boxes, edges, ends };
        }
        let mut boxes = vec![b];
        boxes.extend(ahead_boxes);
        Run { boxes, edges: ahead_edges, ends: None }
    }

    /// Walks from `b` over `edge` to the end of the run: the boxes and edges met, and what lies beyond; `None`
    /// when the walk comes back to `b`.
    fn walk(&mut self, b: BoxId, edge: Option<Edge>) -> (Vec<BoxId>, Vec<Edge>, Option<End>) {
        let (mut boxes, mut edges, mut at) = (Vec::new(), Vec::new(), b);
        let mut next = edge;
        while let Some(e) = next {
            edges.push(e);
            let Some(to) = self.across(e, at) else { return (boxes, edges, Some(End::Ground)) };
            if to == b {
                return (boxes, edges, None);
            }
            if self.position.free_sides(to) > 2 {
                return (boxes, edges, Some(End::Joint(to)));
            }
            self.seen[to.index()] = true;
            boxes.push(to);
            at = to;
            next = self.free_sides_of(to).find(|&other| other != e);
        }
        (boxes, edges, Some(End::Open))
    }

    fn regions(mut self) -> Vec<Region> {
        let mut regions = Vec::new();
        for root in self.position.board().all_boxes() {
            if self.seen[root.index()] || self.position.free_sides(root) == 0 {
                continue;
            }
            self.seen[root.index()] = true;
            let mut boxes = vec![root];
            let mut edges = Vec::new();
            let mut i = 0;
            while i < boxes.len() {
                let b = boxes[i];
                for e in self.free_sides_of(b).collect::<Vec<_>>() {
                    edges.push(e);
                    if let Some(to) = self.across(e, b)
                        && !self.seen[to.index()]
                    {
                        self.seen[to.index()] = true;
                        boxes.push(to);
                    }
                }
                i += 1;
            }
            boxes.sort_unstable();
            edges.sort_unstable();
            edges.dedup();
            let joints = boxes.iter().filter(|&&b| self.position.free_sides(b) >= 3).count();
            regions.push(Region { boxes, edges, joints });
        }
        regions
    }
}
