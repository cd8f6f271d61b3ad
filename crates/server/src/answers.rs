//! A stream of requests into a stream of answers.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use proto::v1::{EvaluateRequest, EvaluateResponse, evaluate_request::Query, evaluate_response::Answer};
use tokio::task::JoinHandle;
use tokio::time::Sleep;
use tokio_stream::Stream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::Status;
use tracing::Instrument as _;

use crate::caller::Caller;
use crate::evaluator::{Begun, respond};
use crate::metrics::{Kind, Tally};
use crate::refusal::Refusal;
use crate::room::Room;
use crate::work::Work;

/// How much is answered in one go before other tasks get a turn, in endgame values: well under a
/// millisecond for those.
const TURN: u32 = 512;

/// The answers to a stream of requests, in their order.
///
/// What is cheap is answered on the spot, so that an answer costs no more than its work; a search becomes a
/// task, a few of them at a time, so that one stream does not fill the line. Requests are read ahead of the answers only up
/// to a window: past it the input is left alone, and HTTP/2 flow control holds the client back.
pub(crate) struct Answers<S> {
    room: Arc<Room>,
    input: Option<S>,
    /// What is read and not yet answered, or answered but behind something that is not.
    ahead: VecDeque<Item>,
    /// How many of those search, and how many still have to begin.
    searching: usize,
    unbegun: usize,
    terms: Terms,
    /// The error to end with, once everything read before it is answered.
    fault: Option<Status>,
    turn: u32,
    drained: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    tally: Tally,
    /// Since when there has been nothing to do, and when that is looked at next.
    quiet: Instant,
    alarm: Option<Pin<Box<Sleep>>>,
}

/// How a stream is answered.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// How many requests are read ahead.
    pub(crate) window: usize,
    /// How many of them search at once.
    pub(crate) abreast: usize,
    /// How long the client may ask nothing while there is nothing to answer.
    pub(crate) idle: Duration,
    /// Once it is cancelled a stream ends as soon as it has nothing to do.
    pub(crate) draining: CancellationToken,
    pub(crate) caller: Caller,
}

enum Item {
    Answered(EvaluateResponse),
    Unbegun(Name, Box<Work>),
    Searching(Search),
}

/// What an answer is given back with, and counted as.
struct Name {
    id: String,
    kind: Kind,
    read: Instant,
}

impl<S> Answers<S>
where
    S: Stream<Item = Result<EvaluateRequest, Status>> + Unpin,
{
    /// The answers to `input`.
    pub(crate) fn new(room: Arc<Room>, input: S, terms: Terms) -> Answers<S> {
        Answers {
            tally: room.metrics.tally(),
            room,
            input: Some(input),
            ahead: VecDeque::new(),
            searching: 0,
            unbegun: 0,
            terms,
            fault: None,
            turn: TURN,
            drained: None,
            quiet: Instant::now(),
            alarm: None,
        }
    }

    /// Begins the next request of the input; `None` when the input has ended.
    fn poll_begin(&mut self, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        let Some(input) = &mut self.input else { return Poll::Ready(None) };
        match std::task::ready!(Pin::new(input).poll_next(cx)) {
            Some(Ok(request)) => {
                self.turn = self.turn.saturating_sub(cost(&request));
                let EvaluateRequest { id, query } = request;
                let name = Name { id, kind: Kind::of(query.as_ref()), read: Instant::now() };
                self.quiet = name.read;
                Poll::Ready(Some(match self.room.begin(query, self.terms.caller) {
                    Begun::Answered(answer) => Item::Answered(self.respond(name, answer)),
                    Begun::Work(work) => {
                        self.unbegun += 1;
                        Item::Unbegun(name, work)
                    }
                }))
            }
            end => {
                self.input = None;
                self.fault = end.and_then(Result::err);
                Poll::Ready(None)
            }
        }
    }

    fn respond(&mut self, name: Name, answer: Result<Answer, Refusal>) -> EvaluateResponse {
        self.quiet = Instant::now();
        self.tally.answered(name.kind, answer.as_ref(), self.quiet.saturating_duration_since(name.read));
        respond(name.id, answer)
    }

    /// Begins the next searches, as many as may run at once.
    fn begin_searches(&mut self) {
        if self.unbegun == 0 || self.searching >= self.terms.abreast.max(1) {
            return;
        }
        for item in &mut self.ahead {
            if let Item::Unbegun(name, work) = item {
                let name = Name { id: std::mem::take(&mut name.id), ..*name };
                let search = Search::spawn(&self.room, name, Work::clone(work), self.terms.caller);
                *item = Item::Searching(search);
                self.unbegun -= 1;
                self.searching += 1;
                if self.unbegun == 0 || self.searching >= self.terms.abreast.max(1) {
                    return;
                }
            }
        }
    }

    /// Ready when the stream should end that has nothing to do: the server is draining, or it has been so for too long.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<Refusal> {
        let Terms { draining, idle, .. } = &self.terms;
        let drained = self.drained.get_or_insert_with(|| Box::pin(draining.clone().cancelled_owned()));
        if drained.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Refusal::Stopping);
        }
        let Some(until) = self.quiet.checked_add(*idle) else { return Poll::Pending };
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until.into())));
        loop {
            std::task::ready!(alarm.as_mut().poll(cx));
            // It was set when there was less quiet.
            if until <= Instant::now() {
                return Poll::Ready(Refusal::Idle);
            }
            alarm.as_mut().reset(until.into());
        }
    }

    /// The next answer; `None` when all are given.
    fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<EvaluateResponse, Status>>> {
        while self.ahead.len() < self.terms.window.max(1) {
            if self.turn == 0 {
                self.turn = TURN;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            match self.poll_begin(cx) {
                Poll::Ready(Some(Item::Answered(response))) if self.ahead.is_empty() => {
                    return Poll::Ready(Some(Ok(response)));
                }
                Poll::Ready(Some(item)) => self.ahead.push_back(item),
                Poll::Ready(None) => break,
                Poll::Pending => {
                    self.turn = TURN;
                    break;
                }
            }
        }
        self.begin_searches();
        let response = match self.ahead.pop_front() {
            Some(Item::Answered(response)) => {
                self.quiet = Instant::now();
                response
            }
            Some(Item::Searching(mut search)) => match Pin::new(&mut search).poll(cx) {
                Poll::Ready((name, answer)) => {
                    self.searching -= 1;
                    self.respond(name, answer)
                }
                Poll::Pending => {
                    self.ahead.push_front(Item::Searching(search));
                    return Poll::Pending;
                }
            },
            // The first of those ahead has begun if any has.
            Some(Item::Unbegun(name, _)) => self.respond(name, Err(Refusal::Fault)),
            None if self.input.is_none() => return Poll::Ready(self.fault.take().map(Err)),
            None => {
                let refusal = std::task::ready!(self.poll_end(cx));
                self.input = None;
                return Poll::Ready(Some(Err(refusal.into())));
            }
        };
        Poll::Ready(Some(Ok(response)))
    }
}

impl<S> Stream for Answers<S>
where
    S: Stream<Item = Result<EvaluateRequest, Status>> + Unpin,
{
    type Item = Result<EvaluateResponse, Status>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let next = this.poll_answer(cx);
        if next.is_pending() {
            this.tally.settle();
        }
        next
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
    name: Name,
    task: JoinHandle<Result<Answer, Refusal>>,
}

impl Search {
    fn spawn(room: &Arc<Room>, name: Name, work: Work, caller: Caller) -> Search {
        let room = Arc::clone(room);
        let task = tokio::spawn(async move { room.search(work, caller).await }.in_current_span());
        Search { name, task }
    }
}

impl Future for Search {
    type Output = (Name, Result<Answer, Refusal>);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let done = std::task::ready!(Pin::new(&mut self.task).poll(cx));
        // A task fails only when it panics or is aborted, and only `drop` aborts it.
        let answer = done.unwrap_or(Err(Refusal::Fault));
        let Name { id, kind, read } = &mut self.name;
        Poll::Ready((Name { id: std::mem::take(id), kind: *kind, read: *read }, answer))
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
    use crate::line::Line;
    use crate::metrics::Metrics;

    fn room() -> Arc<Room> {
        let oracle = Arc::new(Oracle::new(Catalogue::empty()));
        let metrics = Metrics::new().unwrap();
        Arc::new(Room::new(oracle, Budgets::uncapped(), Line::new(1, 10, 10), 1 << 20, metrics))
    }

    fn terms(draining: CancellationToken) -> Terms {
        Terms { window: 8, abreast: 2, idle: Duration::from_secs(60), draining, caller: Caller::local() }
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
        let mut answers = Answers::new(room(), input, terms(CancellationToken::new()));
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
        let mut answers = Answers::new(room(), Endless, terms(CancellationToken::new()));
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
        let mut answers = Answers::new(room(), tokio_stream::iter(input), terms(CancellationToken::new()));
        let cx = &mut Context::from_waker(Waker::noop());
        let mut next = || Pin::new(&mut answers).poll_next(cx);
        for id in ["0", "1"] {
            let Poll::Ready(Some(Ok(response))) = next() else { panic!("no answer to {id}") };
            assert_eq!(response.id, id);
        }
        assert!(matches!(next(), Poll::Ready(Some(Err(status))) if status.message() == "torn"));
        assert!(matches!(next(), Poll::Ready(None)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_asks_nothing_for_too_long_is_ended() {
        let input =
            tokio_stream::StreamExt::chain(tokio_stream::iter([Ok(cheap(0))]), tokio_stream::pending());
        let idle = Terms { idle: Duration::from_millis(20), ..terms(CancellationToken::new()) };
        let mut answers = Answers::new(room(), input, idle);
        let next = std::future::poll_fn(|cx| Pin::new(&mut answers).poll_next(cx));
        assert!(next.await.unwrap().is_ok());
        let next = std::future::poll_fn(|cx| Pin::new(&mut answers).poll_next(cx));
        let Some(Err(status)) = next.await else { panic!("it goes on") };
        assert_eq!(status.code(), tonic::Code::Cancelled);
    }

    #[tokio::test]
    async fn draining_ends_a_stream_only_when_it_is_idle() {
        let draining = CancellationToken::new();
        let input = tokio_stream::iter([cheap(0), cheap(1)].map(Ok));
        let input = tokio_stream::StreamExt::chain(input, tokio_stream::pending());
        let mut answers = Answers::new(room(), input, terms(draining.clone()));
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
