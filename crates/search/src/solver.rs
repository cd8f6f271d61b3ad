//! Answers about whole positions.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use endgame::{Offer, Structure};
use game::{Boxes, Edge, Position};
use thiserror::Error;

use crate::bounds::{Interval, Memory};
use crate::budget::{Budget, Meter, Watch};
use crate::core::{Core, core_edges};
use crate::heap::{HeapView, Heaps};
use crate::line::Line;
use crate::mask::Mask;
use crate::prove::Prover;
use crate::state::State;

/// The most free edges a position may have outside isolated chains and loops, once the boxes on offer are taken.
pub const MAX_FREE: usize = 64;

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
    #[error("no memory for a table of {bytes} bytes")]
    NoMemory {
        /// How much was asked for.
        bytes: usize,
    },
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
        let engine: Box<dyn Engine> = match free {
            0..=64 => Box::new(Search::<u64>::new(&rest, edges)?),
            _ if free <= MAX_FREE => Box::new(Search::<u128>::new(&rest, edges)?),
            _ => return Err(SearchError::TooManyFreeEdges { free, limit: MAX_FREE }),
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

    /// What another thread can look at while this one answers.
    pub fn watch(&self) -> Arc<Watch> {
        Arc::clone(&self.watch)
    }

    /// The value of the position.
    pub fn value(&mut self, cancel: &AtomicBool) -> Outcome {
        let (root, watch) = (self.root, self.watch());
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

/// What is asked about a value.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// The value itself.
    Value,
    /// Whether it is at least this.
    Reach(i16),
    /// Whether it is at most this.
    Stay(i16),
}

impl Goal {
    /// The question to the same player after boxes were closed.
    const fn less(self, boxes: i16) -> Goal {
        match self {
            Goal::Value => Goal::Value,
            Goal::Reach(n) => Goal::Reach(n - boxes),
            Goal::Stay(n) => Goal::Stay(n - boxes),
        }
    }

    /// The question to the other player.
    const fn other_side(self) -> Goal {
        match self {
            Goal::Value => Goal::Value,
            Goal::Reach(n) => Goal::Stay(-n),
            Goal::Stay(n) => Goal::Reach(-n),
        }
    }

    /// A number the value may or may not reach, whose answer brings the goal closer; `None` when it is there.
    fn next(self, known: Interval) -> Option<i16> {
        let beta = match self {
            Goal::Reach(n) => n,
            Goal::Stay(n) => n + 1,
            // Most values are near 0: start there, then go on from the end that the last answer moved.
            Goal::Value if known.lower < 0 && known.upper >= 0 => 0,
            Goal::Value if known.lower >= 0 => known.lower + 1,
            Goal::Value => known.upper,
        };
        (!known.settles(beta)).then_some(beta)
    }
}

/// A [`Search`] of either width.
trait Engine: Send {
    /// What a position is worth that this line leads from, as far as the goal asks, reporting each step.
    fn settle(
        &mut self,
        rest: &Position,
        line: Line,
        goal: Goal,
        meter: &Meter,
        config: Config,
        report: &mut dyn FnMut(Interval),
    ) -> Interval;
}

/// The states below one root, and what is proven about them.
struct Search<M> {
    core: Core<M>,
    heaps: Heaps,
    memory: Memory,
}

/// The bounds table begins with this many bytes and grows while the work does.
const FIRST_BYTES: usize = 1 << 20;
/// Nodes after which one thread calls for help, and a table is found too small.
const FIRST_NODES: u64 = 1 << 15;
/// By how much both grow.
const GROWTH: usize = 8;

impl<M: Mask> Search<M> {
    fn new(rest: &Position, edges: Vec<Edge>) -> Result<Search<M>, SearchError> {
        let memory = Memory::new(FIRST_BYTES).map_err(|_| SearchError::NoMemory { bytes: FIRST_BYTES })?;
        Ok(Search { core: Core::new(rest, edges), heaps: Heaps::default(), memory })
    }

    /// The state of a quiet position that follows the root.
    fn state(&self, rest: &Position, heaps: &HeapView) -> Option<State<M>> {
        let structure = Structure::of(rest);
        let mut free = core_edges(&structure)
            .into_iter()
            .filter_map(|e| self.core.string(e))
            .fold(M::EMPTY, |set, s| set | M::bit(s));
        // Of interchangeable strings the search keeps the lowest.
        for &parallel in &self.core.parallel {
            let left = (free & parallel).count() as usize;
            free &= !parallel;
            free |= parallel.members().take(left).fold(M::EMPTY, |set, s| set | M::bit(s));
        }
        Some(State::new(&self.core, free, heaps.id(&structure.isolated())?))
    }

    /// Settles one question about a state, with more threads and a larger table as it turns out to be hard.
    fn ask(&mut self, state: &State<M>, beta: i16, meter: &Meter, config: Config, known: &mut Interval) {
        let (mut allowance, mut threads) = (FIRST_NODES, 1);
        while !known.settles(beta) && !meter.is_over() {
            *known = known.and(self.work(state, beta, meter, allowance, threads));
            if !known.settles(beta) && !meter.is_over() {
                threads = config.threads.max(1);
                allowance = allowance.saturating_mul(GROWTH as u64);
                self.grow(config.table_bytes);
            }
        }
    }

    /// Lets threads work on one question until one has settled it or all have visited so many nodes.
    fn work(
        &mut self,
        state: &State<M>,
        beta: i16,
        meter: &Meter,
        allowance: u64,
        threads: usize,
    ) -> Interval {
        let settled = AtomicBool::new(false);
        let (core, heaps, bounds) = (&self.core, &self.heaps, self.memory.bounds());
        let prover =
            |spread| Prover::new(core, bounds, HeapView::new(heaps), meter, &settled, allowance, spread);
        std::thread::scope(|scope| {
            let prover = &prover;
            let helpers: Vec<_> = (1..threads)
                .map(|i| scope.spawn(move || prover(i as f32 / threads as f32).settle(state, beta)))
                .collect();
            let found = prover(0.0).settle(state, beta);
            // A helper that panicked has proven nothing.
            helpers.into_iter().filter_map(|helper| helper.join().ok()).fold(found, Interval::and)
        })
    }

    /// Moves the table to more memory, as long as there is some.
    fn grow(&mut self, most: usize) {
        let bytes = self.memory.len().saturating_mul(GROWTH).min(most);
        if bytes / 2 < self.memory.len() {
            return;
        }
        if let Ok(mut larger) = Memory::new(bytes) {
            larger.bounds::<M>().copy_from(&self.memory.bounds());
            self.memory = larger;
        }
    }
}

impl<M: Mask> Engine for Search<M> {
    fn settle(
        &mut self,
        rest: &Position,
        line: Line,
        goal: Goal,
        meter: &Meter,
        config: Config,
        report: &mut dyn FnMut(Interval),
    ) -> Interval {
        let mut known = Interval::within(rest.boxes_left() as i16);
        let Some(state) = self.state(rest, &HeapView::new(&self.heaps)) else { return line.value(known) };
        if state.free.is_empty() {
            // The endgame theory knows it, whatever is asked and whatever is left of the budget.
            known = HeapView::new(&self.heaps).info(state.heap).map_or(known, |i| Interval::exactly(i.value));
        }
        while let Some(question) = goal.next(line.value(known)).and_then(|beta| line.ask(known, beta)) {
            report(line.value(known));
            self.ask(&state, question, meter, config, &mut known);
            if meter.is_over() {
                break;
            }
        }
        let value = line.value(known);
        report(value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Board;

    /// Draws random safe edges until so many are free, or none is safe.
    fn random_safe_play(board: Board, free: usize, seed: u64) -> Position {
        let mut position = Position::empty(board);
        let mut random = seed;
        while position.free_count() > free {
            let safe = Structure::of(&position).safe_moves;
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(&edge) = safe.get((random >> 33) as usize % safe.len().max(1)) else { break };
            position.draw(edge);
        }
        position
    }

    fn settle<M: Mask>(position: &Position) -> Interval {
        let rest = Offer::of(position).rest;
        let mut search = Search::<M>::new(&rest, core_edges(&Structure::of(&rest))).unwrap();
        let (cancel, watch) = (AtomicBool::new(false), Watch::default());
        let meter = Meter::new(Budget::UNLIMITED, &cancel, &watch);
        let line = Line { boxes: 0, bribe: 0 };
        let config = Config { threads: 1, table_bytes: 1 << 24 };
        search.settle(&rest, line, Goal::Value, &meter, config, &mut |_| ())
    }

    #[test]
    fn both_widths_agree() {
        for seed in 0..200 {
            let position = random_safe_play(Board::new(5, 5).unwrap(), 32, seed);
            let narrow = settle::<u64>(&position);
            assert!(narrow.is_exact());
            assert_eq!(narrow, settle::<u128>(&position), "{position}");
        }
    }

    /// Every state the search steps to is the one read off the board after the same moves: the step on strings and coins
    /// and the reading of a board share no code.
    #[test]
    fn steps_lead_to_the_states_of_the_board() {
        let board = Board::new(4, 5).unwrap();
        for seed in 0..300 {
            let position = random_safe_play(board, 30, seed);
            let rest = Offer::of(&position).rest;
            let search = Search::<u64>::new(&rest, core_edges(&Structure::of(&rest))).unwrap();
            let mut heaps = HeapView::new(&search.heaps);
            let state = search.state(&rest, &heaps).unwrap();
            for edge in rest.free_edges() {
                let Some(s) = search.core.string(edge) else { continue };
                if !state.safe(&search.core).has(s) {
                    continue;
                }
                let stepped = state.after_safe(&search.core, &mut heaps, s).unwrap();
                let read = search.state(&rest.after(edge).0, &heaps).unwrap();
                assert_eq!(stepped.tidied(), read.tidied(), "{rest} then {edge}");
            }
            for run in Structure::of(&rest).chains.iter().filter(|run| run.component().is_none()) {
                let offer = Offer::of(&rest.after(run.edges[run.edges.len() / 2]).0);
                let read = search.state(&offer.rest, &heaps).unwrap();
                let mut openings = state.openings();
                let mut found = false;
                while let Some(opened) = openings.next(&state, &search.core) {
                    let (line, next) = state.after_opening(&search.core, &mut heaps, &opened).unwrap();
                    let bribe = offer.bribe.map_or(0, endgame::Bribe::boxes);
                    found |=
                        next.tidied() == read.tidied() && line == Line { boxes: offer.boxes as i16, bribe };
                }
                assert!(found, "{rest} then a run of {}", run.boxes.len());
            }
        }
    }
}
