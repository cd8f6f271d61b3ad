//! Answers back into the order of their lines.

use std::io;

use proto::v1::EvaluateResponse;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{mpsc, oneshot};

use super::output::{Output, Tally};
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// How many lines may be read ahead of the first answer that is not known yet.
const AHEAD: usize = 1024;

/// The place of one answer in the output, or why there is no further line.
pub(super) type Place = io::Result<oneshot::Receiver<EvaluateResponse>>;

/// Who fills a place.
pub(super) type Slot = oneshot::Sender<EvaluateResponse>;

/// Places, in the order of the lines: taken at one end, written at the other.
pub(super) fn places() -> (mpsc::Sender<Place>, mpsc::Receiver<Place>) {
    mpsc::channel(AHEAD)
}

/// Takes the next place; waits for room, and is `None` when nobody writes any more. Not for async code.
pub(super) fn take(places: &mpsc::Sender<Place>) -> Option<Slot> {
    let (slot, place) = oneshot::channel();
    places.blocking_send(Ok(place)).ok()?;
    Some(slot)
}

/// Writes the answers in order, each as soon as it and all before it are known. Ends early, in whole lines,
/// when we are asked to stop or when somebody gives a place up.
pub(super) async fn write(
    mut places: mpsc::Receiver<Place>,
    interrupt: &Interrupt,
) -> Result<(Tally, Ended), Failure> {
    let mut output = Output::new();
    let ended = loop {
        let place = match places.try_recv() {
            Ok(place) => place,
            Err(TryRecvError::Disconnected) => break Ended::Finished,
            Err(TryRecvError::Empty) => {
                output.flush()?;
                tokio::select! {
                    place = places.recv() => match place {
                        Some(place) => place,
                        None => break Ended::Finished,
                    },
                    () = interrupt.raised() => break Ended::Interrupted,
                }
            }
        };
        let mut place = place.map_err(|e| Failure::no(format!("cannot read standard input ({e})")))?;
        let response = match place.try_recv() {
            Ok(response) => Some(response),
            Err(oneshot::error::TryRecvError::Closed) => None,
            Err(oneshot::error::TryRecvError::Empty) => {
                output.flush()?;
                tokio::select! {
                    response = place => response.ok(),
                    () = interrupt.raised() => break Ended::Interrupted,
                }
            }
        };
        match response {
            Some(response) => output.write(&response)?,
            None => break Ended::GivenUp,
        }
    };
    Ok((output.finish()?, ended))
}

/// How the writing ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// Every line was answered.
    Finished,
    /// We were asked to stop.
    Interrupted,
    /// Whoever was to answer a line did not.
    GivenUp,
}
