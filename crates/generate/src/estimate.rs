//! What making a table will take.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::Board;
use tables::{Kind, Layout, TableId};

use crate::board::Filling;
use crate::error::Error;
use crate::multisets;
use crate::spec::Spec;

/// What making a table will take on this machine, on the threads of the current rayon pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// How many entries.
    pub entries: u64,
    /// Bytes of memory, at most.
    pub memory: u64,
    /// Bytes on the disk while it is made, at most. A board's table itself takes half of them.
    pub disk: u64,
    /// How long it takes, within a third or so.
    pub time: Duration,
}

/// What making a table will take, judged by making a small one.
///
/// # Errors
/// When the flag `cancel` was raised.
pub fn estimate(spec: Spec, cancel: &AtomicBool) -> Result<Estimate, Error> {
    let id = spec.id();
    let entries = id.entries();
    let (memory, disk, rate) = match id.kind() {
        Kind::Board(board) => {
            let filling = Filling::new(id, board, Path::new(""), cancel);
            (filling.memory(), filling.disk(), boards_per_second(board, cancel)?)
        }
        Kind::Endgame { boxes } => {
            let layout = Layout::of(id);
            (
                multisets::memory(id),
                entries * layout.bytes as u64,
                endgames_per_second(boxes, layout, cancel)?,
            )
        }
    };
    Ok(Estimate { entries, memory, disk, time: Duration::from_secs_f64(entries as f64 / rate) })
}

/// How many entries of a board's table are filled in a second. 2x5 takes a tenth of a second or two.
fn boards_per_second(board: Board, cancel: &AtomicBool) -> Result<f64, Error> {
    let small = Board::new(2, 5).ok().filter(|small| small.edges() < board.edges()).unwrap_or(board);
    let Some(id) = TableId::board(small) else { return Ok(f64::INFINITY) };
    let start = Instant::now();
    Filling::new(id, small, Path::new(""), cancel).fill(None, &|_| {})?;
    Ok(id.entries() as f64 / start.elapsed().as_secs_f64())
}

/// How many entries of an endgame's table are filled in a second.
fn endgames_per_second(boxes: u16, layout: Layout, cancel: &AtomicBool) -> Result<f64, Error> {
    let small = boxes.min(40);
    let start = Instant::now();
    let raw = multisets::fill(small, layout, &|_| {}, cancel).ok_or(Error::Cancelled)?;
    let rate = (raw.len() / layout.bytes) as f64 / start.elapsed().as_secs_f64();
    // An entry has more ways to be opened the more boxes it has, and each leads to a multiset of more components.
    Ok(rate * (f64::from(small) / f64::from(boxes)).powi(2))
}
