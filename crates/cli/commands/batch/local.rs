//! A batch answered by this process.
//!
//! One worker per core takes a line, and its place in the output, whenever it has answered the last; so order
//! costs nothing but the places, and a slow search holds up only the writing of what follows it. With so many
//! questions, a core each is the best use of the cores: every search is by one thread.

use std::io::{BufReader, Stdin};
use std::sync::{Arc, Mutex, PoisonError};

use oracle::Config;
use proto::v1::EvaluateResponse;
use tokio::sync::mpsc;

use super::lines::{Line, Lines};
use super::order::{self, Ended, Place, Slot};
use super::output::Tally;
use crate::args::Global;
use crate::backend::Local;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// The lines, and who reads the next; `None` at the end of the input.
type Input = Mutex<Option<Lines<BufReader<Stdin>>>>;

pub(super) async fn run(global: &Global, interrupt: &Interrupt) -> Result<Tally, Failure> {
    let machine = Config::default();
    let config = Config { threads: 1, table_bytes: machine.table_bytes / machine.threads };
    let local = Local::open(global, interrupt.flag(), config);
    let input: Arc<Input> = Arc::new(Mutex::new(Some(Lines::new(BufReader::new(std::io::stdin())))));
    let (places, written) = order::places();
    for _ in 0..machine.threads {
        let (local, input, places) = (local.clone(), Arc::clone(&input), places.clone());
        std::thread::spawn(move || {
            while let Some((line, slot)) = next(&input, &places) {
                // Nobody listens once the writing has ended; then there is no next line either.
                let _ = slot.send(answer(&local, &line));
            }
        });
    }
    drop(places);
    match order::write(written, interrupt).await? {
        (tally, Ended::Finished) => Ok(tally),
        (_, Ended::Interrupted) => Err(Failure::Interrupted),
        (tally, Ended::GivenUp) => Err(Failure::no(format!("a fault of this program at {}", tally.next()))),
    }
}

/// The next line and its place in the output.
fn next(input: &Input, places: &mpsc::Sender<Place>) -> Option<(Line, Slot)> {
    // Nothing panics while it is locked; if it did, the lines would still be whole.
    let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
    let found = match input.as_mut()?.next() {
        Ok(Some(line)) => order::take(places).map(|slot| (line, slot)),
        Ok(None) => None,
        Err(e) => {
            // When nobody writes any more, nobody needs to know.
            let _ = places.blocking_send(Err(e));
            None
        }
    };
    if found.is_none() {
        *input = None;
    }
    found
}

fn answer(local: &Local, line: &Line) -> EvaluateResponse {
    line.request().map_or_else(EvaluateResponse::from, |request| local.answer(request))
}
