//! Filling the table of a board: part by part, step by step, alone or with others.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use game::Board;
use rayon::prelude::*;
use tables::{Packed, QuietRanking, TableId};

use crate::blocks::Cutter;
use crate::error::Error;
use crate::parts::Parts;
use crate::plan::{Part, Plan, Step};
use crate::sweep::Sweep;

/// How often to see whether the others are done.
const POLL: Duration = Duration::from_millis(50);

/// So many parts are turned into blocks at a time.
const BATCH: usize = 16;

/// Bits an entry takes in a file, rounded up: 2.9 on 4x4, 2.6 on 3x4, 2.8 in a part.
const PACKED_BITS: u64 = 3;

/// Bytes an entry takes while its part is turned into blocks: in the part, as a value, as boxes won, in a block.
const UNPACKED: u64 = 4;

/// Memory for everything else: the numbering and the program.
const FIXED: u64 = 24 << 20;

/// Memory for a class besides its values: its place in the numbering, its vectors. Only 1xn has enough of them to tell.
const CLASS: u64 = 160;

/// The filling of a board's table.
pub(crate) struct Filling<'a> {
    id: TableId,
    ranking: QuietRanking,
    plan: Plan,
    dir: &'a Path,
    cancel: &'a AtomicBool,
}

/// The values of classes, by class; empty where not known yet or not needed any more.
type Values = Vec<Vec<i8>>;

impl<'a> Filling<'a> {
    pub(crate) fn new(id: TableId, board: Board, dir: &'a Path, cancel: &'a AtomicBool) -> Filling<'a> {
        let ranking = QuietRanking::new(board);
        let plan = Plan::new(&ranking);
        Filling { id, ranking, plan, dir, cancel }
    }

    /// How many bytes of memory it takes: the values a step looks at, then the compressed blocks.
    pub(crate) fn memory(&self) -> u64 {
        let blocks = self.ranking.len() * PACKED_BITS / 8;
        let classes = self.ranking.classes().len() as u64 * CLASS;
        let part = self.plan.parts().map(|part| part.entries).max().unwrap_or(0);
        let packing = blocks + BATCH as u64 * part * UNPACKED;
        self.plan.most_values(&self.ranking).max(packing) + classes + FIXED
    }

    /// How many bytes the parts take on the disk, and then the table.
    pub(crate) fn disk(&self) -> u64 {
        2 * self.ranking.len() * PACKED_BITS / 8
    }

    /// The compressed blocks of the table. `advanced` is told how many entries are filled.
    pub(crate) fn blocks(&self, advanced: &(dyn Fn(u64) + Sync)) -> Result<Vec<Packed>, Error> {
        let parts = Parts::of(self.id, self.dir, &self.ranking);
        // One part is filled faster than it can be checked for.
        let parts = (self.plan.steps().len() > 1).then_some(&parts);
        let known = self.fill(parts, advanced)?;
        match parts {
            None => self.pack(|part| Ok(known[part.classes.clone()].to_vec())),
            Some(parts) => {
                drop(known);
                let gone = |part: &Part| Error::Part { id: self.id, number: part.number };
                self.pack(|part| parts.read(part)?.ok_or_else(|| gone(part)))
            }
        }
    }

    /// Fills the table and returns the values of the last step, with all of them in it when there are no parts on
    /// the disk.
    pub(crate) fn fill(
        &self,
        parts: Option<&Parts<'_>>,
        advanced: &(dyn Fn(u64) + Sync),
    ) -> Result<Values, Error> {
        let sweep = Sweep::new(&self.ranking);
        let mut known: Values = vec![Vec::new(); self.ranking.classes().len()];
        let done = AtomicU64::new(0);
        let made = |part: &Part| advanced(done.fetch_add(part.entries, Ordering::Relaxed) + part.entries);
        for step in self.plan.steps() {
            if parts.is_some() {
                // Not `fill`, which keeps the memory of what it overwrites.
                known[step.done_with..].iter_mut().for_each(|values| *values = Vec::new());
            }
            for (part, values) in step.parts.iter().zip(self.step(step, &sweep, parts, &known, &made)?) {
                for (class, values) in part.classes.clone().zip(values) {
                    known[class] = values;
                }
            }
        }
        Ok(known)
    }

    /// The values of the parts of a step: those on the disk, those made here, those made by others meanwhile.
    fn step(
        &self,
        step: &Step,
        sweep: &Sweep<'_>,
        parts: Option<&Parts<'_>>,
        known: &Values,
        made: &(dyn Fn(&Part) + Sync),
    ) -> Result<Vec<Values>, Error> {
        let mut values: Vec<Option<Values>> = vec![None; step.parts.len()];
        loop {
            values.par_iter_mut().zip(&step.parts).with_max_len(1).try_for_each(|(values, part)| {
                if values.is_none() {
                    *values = self.part(part, sweep, parts, known)?;
                    if values.is_some() {
                        made(part);
                    }
                }
                Ok::<_, Error>(())
            })?;
            if values.iter().all(Option::is_some) {
                return Ok(values.into_iter().flatten().collect());
            }
            if self.cancel.load(Ordering::Relaxed) {
                return Err(Error::Cancelled);
            }
            std::thread::sleep(POLL);
        }
    }

    /// The values of a part, unless someone else is making it.
    fn part(
        &self,
        part: &Part,
        sweep: &Sweep<'_>,
        parts: Option<&Parts<'_>>,
        known: &Values,
    ) -> Result<Option<Values>, Error> {
        let make = || sweep.classes(part.classes.clone(), known, self.cancel).ok_or(Error::Cancelled);
        let Some(parts) = parts else { return make().map(Some) };
        if let Some(values) = parts.read(part)? {
            return Ok(Some(values));
        }
        let Some(claim) = parts.claim(part)? else { return Ok(None) };
        // Someone may have finished it before the claim was ours.
        if let Some(values) = parts.read(part)? {
            return Ok(Some(values));
        }
        let values = make()?;
        parts.write(part, claim, &values)?;
        Ok(Some(values))
    }

    /// Puts the table together from the values of its parts.
    fn pack(&self, values: impl Fn(&Part) -> Result<Values, Error> + Sync) -> Result<Vec<Packed>, Error> {
        let sweep = Sweep::new(&self.ranking);
        let mut cutter = Cutter::new(self.id);
        let all: Vec<&Part> = self.plan.parts().collect();
        for batch in all.chunks(BATCH) {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(Error::Cancelled);
            }
            let wins = |part: &&Part| -> Result<Vec<u8>, Error> {
                let classes = part.classes.clone().zip(values(part)?);
                Ok(classes.flat_map(|(class, values)| sweep.wins(class, &values)).collect())
            };
            let wins = batch.par_iter().map(wins).collect::<Result<Vec<_>, Error>>()?;
            cutter.entries(wins.into_iter().flatten()).map_err(Error::io("compress", self.dir))?;
        }
        cutter.finish().map_err(Error::io("compress", self.dir))
    }
}
