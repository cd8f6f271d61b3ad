//! A stream of requests into a stream of answers.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use proto::v1::{EvaluateRequest, EvaluateResponse, evaluate_request::Query, evaluate_response::Answer};
use tokio::task::JoinHandle;
use tokio_stream::Stream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;

use crate::evaluator::{self, Begun, respond};
use crate::refusal::Refusal;
use crate::room::Room;

/// How much is answered in one go before other tasks get a turn, in endgame values: well under a
/// millisecond for those.
const TURN: u32 = 512;

/// The answers to a stream of requests, in their order.
///
/// What is cheap is answered on the spot, so that an answer costs no more than its work; a search becomes a
/// task. Requests are read ahead of the answers only up to a window: past it the input is left alone, and
/// HTTP/2 flow control holds the client back.
pub(crate) struct Answers<S> {
    room: Arc<Room>,
    input: Option<S>,
    /// What is read and not yet answered, or answered but behind something that is not.
    ahead: VecDeque<Item>,
    window: usize,
    /// The error to end with, once everything read before it is answered.
    fault: Option<Status>,
    turn: u32,
    draining: CancellationToken,
    drained: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

enum Item {
    Answered(EvaluateResponse),
    Searching(Search),
}

impl<S> Answers<S>
where
    S: Stream<Item = Result<EvaluateRequest, Status>> + Unpin,
{
    /// Reads `input` at most `window` items ahead. Once `draining` is cancelled it ends as soon as it has
    /// nothing to do.
    pub(crate) fn new(room: Arc<Room>, input: S, window: usize, draining: CancellationToken) -> Answers<S> {
        Answers {
            room,
            input: Some(input),
            ahead: VecDeque::new(),
            window: window.max(1),
            fault: None,
            turn: TURN,
            draining,
            drained: None,
        }
    }

    /// Begins the next request of the input; `None` when the input has ended.
    fn poll_begin(&mut self, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        let Some(input) = &mut self.input else { return Poll::Ready(None) };
        match std::task::ready!(Pin::new(input).poll_next(cx)) {
            Some(Ok(request)) => {
                self.turn = self.turn.saturating_sub(cost(&request));
                Poll::Ready(Some(match self.room.evaluator().begin(request) {
                    Begun::Answered(response) => Item::Answered(response),
                    Begun::Search { id, search } => Item::Searching(Search::spawn(&self.room, id, search)),
                }))
            }
            end => {
                self.input = None;
                self.fault = end.and_then(Result::err);
                Poll::Ready(None)
            }
        }
    }

    /// Ready when the server is draining.
    fn poll_drained(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let draining = &self.draining;
        let drained = self.drained.get_or_insert_with(|| Box::pin(draining.clone().cancelled_owned()));
        drained.as_mut().poll(cx)
    }
}

impl<S> Stream for Answers<S>
where
    S: Stream<Item = Result<EvaluateRequest, Status>> + Unpin,
{
    type Item = Result<EvaluateResponse, Status>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        while this.ahead.len() < this.window {
            if this.turn == 0 {
                this.turn = TURN;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            match this.poll_begin(cx) {
                Poll::Ready(Some(Item::Answered(response))) if this.ahead.is_empty() => {
                    return Poll::Ready(Some(Ok(response)));
                }
                Poll::Ready(Some(item)) => this.ahead.push_back(item),
                Poll::Ready(None) => break,
                Poll::Pending => {
                    this.turn = TURN;
                    break;
                }
            }
        }
        let response = match this.ahead.pop_front() {
            Some(Item::Answered(response)) => response,
            Some(Item::Searching(mut search)) => match Pin::new(&mut search).poll(cx) {
                Poll::Ready(response) => response,
                Poll::Pending => {
                    this.ahead.push_front(Item::Searching(search));
                    return Poll::Pending;
                }
            },
            None if this.input.is_none() => return Poll::Ready(this.fault.take().map(Err)),
            None => {
                std::task::ready!(this.poll_drained(cx));
                this.input = None;
                return Poll::Ready(Some(Err(Refusal::Stopping.into())));
            }
        };
        Poll::Ready(Some(Ok(response)))
    }
}

/// What a request costs at least, in endgame values.
fn cost(request: &EvaluateRequest) -> u32 {
    match request.query {
        None | Some(Query::EndgameValue(_) | Query::TakerValue(_)) => 1,
        Some(_) => 16,
    }
}

/// A search under way; dropped, it is cancelled.
struct Search {
    id: String,
    task: JoinHandle<Result<Answer, Refusal>>,
}

impl Search {
    fn spawn(room: &Arc<Room>, id: String, search: evaluator::Search) -> Search {
        let room = Arc::clone(room);
        let task = tokio::spawn(async move { room.search(search).await });
        Search { id, task }
    }
}

impl Future for Search {
    type Output = EvaluateResponse;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<EvaluateResponse> {
        let done = std::task::ready!(Pin::new(&mut self.task).poll(cx));
        // A task fails only when it panics or is aborted, and only `drop` aborts it.
        let answer = done.unwrap_or(Err(Refusal::Fault));
        Poll::Ready(respond(std::mem::take(&mut self.id), answer))
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use oracle::Oracle;
    use proto::v1::{self, position::Drawing};
    use tables::Catalogue;

    use super::*;
    use crate::budgets::Budgets;
    use crate::searches::Searches;

    fn room() -> Arc<Room> {
        let oracle = Arc::new(Oracle::new(Catalogue::empty()));
        Arc::new(Room::new(oracle, Budgets::uncapped(), Searches::new(1)))
    }

    fn cheap(id: usize) -> EvaluateRequest {
        let query = v1::EndgameValueRequest { endgame: Some(v1::Endgame::default()) };
        EvaluateRequest { id: id.to_string(), query: Some(Query::EndgameValue(query)) }
    }

    /// The empty 5x5 board, for as long as it takes.
    fn endless() -> EvaluateRequest {
        let drawing = Some(Drawing::Edges("0".repeat(60)));
        let position = Some(v1::Position { rows: 5, cols: 5, drawing, score: None });
        let budget = Some(v1::Budget::default());
        let query = v1::ExactSolveRequest { position, budget, ..Default::default() };
        EvaluateRequest { id: "endless".into(), query: Some(Query::ExactSolve(query)) }
    }

    #[tokio::test]
    async fn no_more_is_read_ahead_than_the_window() {
        let mut read = 0;
        let requests = std::iter::once(endless()).chain((0..100).map(cheap));
        let input = tokio_stream::iter(requests.inspect(|_| read += 1).map(Ok));
        let mut answers = Answers::new(room(), input, 8, CancellationToken::new());
        let cx = &mut Context::from_waker(Waker::noop());
        for _ in 0..3 {
            assert!(Pin::new(&mut answers).poll_next(cx).is_pending());
        }
        drop(answers);
        assert_eq!(read, 8);
    }

    #[tokio::test]
    async fn others_get_a_turn_though_there_is_always_more_to_read() {
        struct Endless;
        impl Stream for Endless {
            type Item = Result<EvaluateRequest, Status>;
            fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
                Poll::Ready(Some(Ok(cheap(0))))
            }
        }
        let mut answers = Answers::new(room(), Endless, 8, CancellationToken::new());
        let cx = &mut Context::from_waker(Waker::noop());
        let mut ready = 0;
        while Pin::new(&mut answers).poll_next(cx).is_ready() {
            ready += 1;
        }
        assert_eq!(ready, TURN);
        // And then it goes on.
        assert!(Pin::new(&mut answers).poll_next(cx).is_ready());
    }

    #[tokio::test]
    async fn an_error_of_the_input_comes_after_the_answers_before_it() {
        let input = [Ok(cheap(0)), Ok(cheap(1)), Err(Status::data_loss("torn")), Ok(cheap(2))];
        let mut answers = Answers::new(room(), tokio_stream::iter(input), 8, CancellationToken::new());
        let cx = &mut Context::from_waker(Waker::noop());
        let mut next = || Pin::new(&mut answers).poll_next(cx);
        for id in ["0", "1"] {
            let Poll::Ready(Some(Ok(response))) = next() else { panic!("no answer to {id}") };
            assert_eq!(response.id, id);
        }
        assert!(matches!(next(), Poll::Ready(Some(Err(status))) if status.message() == "torn"));
        assert!(matches!(next(), Poll::Ready(None)));
    }

    #[tokio::test]
    async fn draining_ends_a_stream_only_when_it_is_idle() {
        let draining = CancellationToken::new();
        let input = tokio_stream::iter([cheap(0), cheap(1)].map(Ok));
        let input = tokio_stream::StreamExt::chain(input, tokio_stream::pending());
        let mut answers = Answers::new(room(), input, 8, draining.clone());
        let cx = &mut Context::from_waker(Waker::noop());
        draining.cancel();
        let mut next = || Pin::new(&mut answers).poll_next(cx);
        assert!(matches!(next(), Poll::Ready(Some(Ok(_)))));
        assert!(matches!(next(), Poll::Ready(Some(Ok(_)))));
        assert!(
            matches!(next(), Poll::Ready(Some(Err(status))) if status.code() == tonic::Code::Unavailable)
        );
        assert!(matches!(next(), Poll::Ready(None)));
    }
}
