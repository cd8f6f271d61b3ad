//! A batch answered by a running server, over one stream.

use proto::v1::EvaluateRequest;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::lines::Lines;
use super::order::{self, Ended, Place, Slot};
use super::output::Tally;
use crate::backend::Remote;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// How many requests may wait to be sent. The server's own window comes on top.
const AHEAD: usize = 64;

pub(super) async fn run(remote: &Remote, interrupt: &Interrupt) -> Result<Tally, Failure> {
    let (places, written) = order::places();
    let (requests, sent) = mpsc::channel(AHEAD);
    // As bounded as the places are.
    let (slots, waiting) = mpsc::unbounded_channel();
    std::thread::spawn(move || read(&places, &requests, &slots));
    let (asked, call) = (remote.clone(), sent);
    let answering = tokio::spawn(async move { answer(&asked, call, waiting).await });
    match order::write(written, interrupt).await? {
        (tally, Ended::Finished) => Ok(tally),
        (_, Ended::Interrupted) => Err(Failure::Interrupted),
        // A stream that fails gives the places up.
        (tally, Ended::GivenUp) => {
            let failed = answering.await.ok().and_then(Result::err);
            let why = failed.unwrap_or_else(|| remote.gone());
            Err(Failure::no(format!("{why}; there is no answer to {}", tally.next())))
        }
    }
}

/// Reads lines until there are none or nobody wants them; answers those that cannot be read.
fn read(
    places: &mpsc::Sender<Place>,
    requests: &mpsc::Sender<EvaluateRequest>,
    slots: &mpsc::UnboundedSender<Slot>,
) {
    let mut lines = Lines::new(std::io::stdin().lock());
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => return,
            Err(e) => {
                // When nobody writes any more, nobody needs to know.
                let _ = places.blocking_send(Err(e));
                return;
            }
        };
        let Some(slot) = order::take(places) else { return };
        match line.request() {
            Ok(request) => {
                if slots.send(slot).is_err() || requests.blocking_send(request).is_err() {
                    return;
                }
            }
            // As above.
            Err(unreadable) => _ = slot.send(unreadable.into()),
        }
    }
}

/// Sends the requests and puts each answer into its slot.
async fn answer(
    remote: &Remote,
    requests: mpsc::Receiver<EvaluateRequest>,
    mut slots: mpsc::UnboundedReceiver<Slot>,
) -> Result<(), Failure> {
    let call = remote.client().evaluate(ReceiverStream::new(requests)).await;
    let mut answers = call.map_err(|status| remote.failed(&status))?.into_inner();
    while let Some(slot) = slots.recv().await {
        match answers.message().await.map_err(|status| remote.failed(&status))? {
            // When nobody writes any more, nobody needs to know.
            Some(response) => _ = slot.send(response),
            None => return Err(remote.gone()),
        }
    }
    Ok(())
}
