//! Answers about whole positions.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use endgame::{Offer, Structure};
use game::{Boxes, Edge, Position};
use thiserror::Error;

use crate::budget::{Budget, Meter, Watch};
use crate::checkpoint::CheckpointError;
use crate::core::core_edges;
use crate::engine::{Engine, Goal, Search};
use crate::interval::Interval;
use crate::line::Line;
use crate::packed::Packed;
use crate::wide::Wide;

/// The most free edges a position may have outside isolated chains and loops, once the boxes on offer are taken.
pub const MAX_FREE: usize = 128;

/// The free edges outside isolated chains and loops once the boxes on offer are taken: what is left to search.
pub fn search_edges(position: &Position) -> usize {
    core_edges(&Structure::of(&Offer::of(position).rest)).len()
}

/// How much of the machine a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Threads; 1 visits the same nodes on every run.
    pub threads: usize,
    /// Bytes of the bounds table at most. A smaller table only makes a search slower.
    pub table_bytes: usize,
}

impl Default for Config {
    /// All cores and 1 GiB.
    fn default() -> Config {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Config { threads, table_bytes: 1 << 30 }
    }
}

/// What is proven of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The value.
    Exact(Boxes),
    /// The budget ran out: the value lies between these, both included.
    Bounds {
        /// At least this.
        lower: Boxes,
        /// At most this.
        upper: Boxes,
    },
}

impl Outcome {
    /// The value, if it is proven.
    pub const fn exact(self) -> Option<Boxes> {
        match self {
            Outcome::Exact(value) => Some(value),
            Outcome::Bounds { .. } => None,
        }
    }
}

impl From<Interval> for Outcome {
    fn from(interval: Interval) -> Outcome {
        if interval.is_exact() {
            Outcome::Exact(Boxes(interval.lower))
        } else {
            Outcome::Bounds { lower: Boxes(interval.lower), upper: Boxes(interval.upper) }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Exact(value) => value.fmt(f),
            Outcome::Bounds { lower, upper } => write!(f, "{lower} to {upper}"),
        }
    }
}

/// A move and what it is worth to the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue {
    /// The edge.
    pub edge: Edge,
    /// Net boxes for the mover from before the move, the ones it closes included.
    pub outcome: Outcome,
}

/// A position that cannot be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// Too much of it is left.
    #[error(
        "at most {limit} free edges can be searched outside isolated chains and loops once the boxes on offer are taken, not {free}"
    )]
    TooManyFreeEdges {
        /// How many there are.
        free: usize,
        /// [`MAX_FREE`].
        limit: usize,
    },
    /// The system has no memory for the table.
    #[error("the system has no memory for a search")]
    NoMemory,
}

/// What a search has cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Quiet positions visited, those answered by the bounds table or by the endgame theory left out.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
}

/// A position to be searched, and everything proven about what can follow it: each question to one solver
/// profits from those before.
///
/// ```
/// use game::{Board, Position};
/// use search::{Budget, Config, Outcome, Solver};
/// use std::sync::atomic::AtomicBool;
///
/// let empty = Position::empty(Board::new(2, 3)?);
/// let mut solver = Solver::new(&empty, Config::default())?;
/// solver.start(Budget::default());
/// assert_eq!(solver.value(&AtomicBool::new(false)), Outcome::Exact(game::Boxes(-2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    root: Position,
    engine: Box<dyn Engine>,
    config: Config,
    deadline: Option<Instant>,
    nodes_left: Option<u64>,
    started: Instant,
    nodes: u64,
    watch: Arc<Watch>,
}

impl Solver {
    /// Makes ready to search a position and what follows it.
    ///
    /// # Errors
    /// When it has too many free edges.
    pub fn new(position: &Position, config: Config) -> Result<Solver, SearchError> {
        let rest = Offer::of(position).rest;
        let edges = core_edges(&Structure::of(&rest));
        let free = edges.len();
        let no_memory = |_| SearchError::NoMemory;
        if free > MAX_FREE {
            return Err(SearchError::TooManyFreeEdges { free, limit: MAX_FREE });
        }
        let engine: Box<dyn Engine> = match Packed::new(free, rest.boxes_left()) {
            Some(packed) => Box::new(Search::<u64, _>::new(&rest, edges, packed).map_err(no_memory)?),
            None if free <= 64 => Box::new(Search::<u64, _>::new(&rest, edges, Wide).map_err(no_memory)?),
            None => Box::new(Search::<u128, _>::new(&rest, edges, Wide).map_err(no_memory)?),
        };
        let started = Instant::now();
        let mut solver = Solver {
            root: *position,
            engine,
            config,
            deadline: None,
            nodes_left: None,
            started,
            nodes: 0,
            watch: Arc::default(),
        };
        solver.start(Budget::default());
        Ok(solver)
    }

    /// Begins to spend a new budget.
    pub fn start(&mut self, budget: Budget) {
        self.started = Instant::now();
        self.deadline = budget.time.and_then(|time| self.started.checked_add(time));
        self.nodes_left = budget.nodes;
        self.nodes = 0;
    }

    /// What has been spent of the budget.
    pub fn stats(&self) -> Stats {
        Stats { nodes: self.nodes, elapsed: self.started.elapsed() }
    }

    /// Writes down everything proven so far.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.engine.save(&self.name(), out)
    }

    /// Goes on from what a solver of the same position wrote down.
    ///
    /// # Errors
    /// When it cannot be read, is of another position, or damaged. Then nothing has changed.
    pub fn resume(&mut self, from: &mut dyn Read) -> Result<(), CheckpointError> {
        let name = self.name();
        self.engine.load(&name, from, self.config)
    }

    fn name(&self) -> String {
        format!("{} {}", self.root.board(), self.root)
    }

    /// Lets another thread watch this one while it answers.
    pub fn watched_by(&mut self, watch: Arc<Watch>) {
        self.watch = watch;
    }

    /// The value of the position.
    pub fn value(&mut self, cancel: &AtomicBool) -> Outcome {
        let (root, watch) = (self.root, Arc::clone(&self.watch));
        self.settle_and(&root, Goal::Value, cancel, &mut |value| watch.report(value)).into()
    }

    /// The value of every move, ascending.
    pub fn move_values(&mut self, cancel: &AtomicBool) -> Vec<MoveValue> {
        let root = self.root;
        root.free_edges()
            .map(|edge| MoveValue {
                edge,
                outcome: self.settle_move(&root, edge, Goal::Value, cancel).into(),
            })
            .collect()
    }

    /// Every move that reaches `value`, the value of the position, ascending; `None` when the budget ends before all are
    /// settled.
    pub fn best_moves(&mut self, value: Boxes, cancel: &AtomicBool) -> Option<Vec<Edge>> {
        let root = self.root;
        let mut best = Vec::new();
        for edge in root.free_edges() {
            let found = self.settle_move(&root, edge, Goal::Reach(value.get()), cancel);
            if found.lower >= value.get() {
                best.push(edge);
            } else if found.upper >= value.get() {
                return None;
            }
        }
        Some(best)
    }

    /// One line of best play for both sides from the position, worth `value`, to the last edge, or as far
    /// as the budget goes.
    pub fn principal_variation(&mut self, value: Boxes, cancel: &AtomicBool) -> Vec<Edge> {
        let root = self.root;
        best_line(&root, value, |position, edge, value| {
            self.settle_move(position, edge, Goal::Reach(value.get()), cancel).lower >= value.get()
        })
    }

    /// What a move is worth to its player.
    fn settle_move(&mut self, position: &Position, edge: Edge, goal: Goal, cancel: &AtomicBool) -> Interval {
        let (next, closed) = position.after(edge);
        if closed > 0 {
            let closed = closed as i16;
            let found = self.settle(&next, goal.less(closed), cancel);
            Interval { lower: found.lower + closed, upper: found.upper + closed }
        } else {
            -self.settle(&next, goal.other_side(), cancel)
        }
    }

    /// What a position on the way from the root is worth, as far as the goal asks.
    fn settle(&mut self, position: &Position, goal: Goal, cancel: &AtomicBool) -> Interval {
        self.settle_and(position, goal, cancel, &mut |_| ())
    }

    /// The same, reporting each step.
    fn settle_and(
        &mut self,
        position: &Position,
        goal: Goal,
        cancel: &AtomicBool,
        report: &mut dyn FnMut(Interval),
    ) -> Interval {
        let now = Instant::now();
        let budget = Budget {
            nodes: self.nodes_left,
            time: self.deadline.map(|end| end.saturating_duration_since(now)),
        };
        let meter = Meter::new(budget, cancel, &self.watch);
        let offer = Offer::of(position);
        let line = Line { boxes: offer.boxes as i16, bribe: offer.bribe.map_or(0, endgame::Bribe::boxes) };
        let found = self.engine.settle(&offer.rest, line, goal, &meter, self.config, report);
        let spent = meter.spent();
        self.nodes += spent;
        self.nodes_left = self.nodes_left.map(|left| left.saturating_sub(spent));
        found
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("root", &self.root)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

/// One line of best play for both sides from a position worth `value`, to the last edge or to where no move is
/// found. `reaches` answers whether a move is proven worth at least so much to the player who makes it.
pub fn best_line(
    position: &Position,
    value: Boxes,
    mut reaches: impl FnMut(&Position, Edge, Boxes) -> bool,
) -> Vec<Edge> {
    let mut line = Vec::new();
    let (mut position, mut value) = (*position, value);
    while let Some(edge) = likely_first(&position).into_iter().find(|&edge| reaches(&position, edge, value)) {
        let (next, closed) = position.after(edge);
        value = if closed > 0 { value - Boxes(closed as i16) } else { -value };
        position = next;
        line.push(edge);
    }
    line
}

/// The free edges, those first that are likely best: captures, safe edges, then openings by length.
fn likely_first(position: &Position) -> Vec<Edge> {
    let structure = Structure::of(position);
    let mut order = structure.captures.clone();
    order.extend(&structure.safe_moves);
    let mut runs: Vec<_> = structure.chains.iter().chain(&structure.loops).collect();
    runs.sort_by_key(|run| run.boxes.len());
    // The middle of a 2-chain comes before its ends.
    for run in runs {
        let middle = run.edges.len() / 2;
        order.extend(run.edges[middle..].iter().chain(&run.edges[..middle]));
    }
    let mut seen = game::EdgeSet::EMPTY;
    order.retain(|&e| seen.insert(e));
    order.extend(position.free_edges().filter(|&e| !seen.contains(e)));
    order
}
