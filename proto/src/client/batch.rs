//! Many queries over one stream, answered in order.
//!
//! ```text
//!   source ──► slots, at most a window of them ──► answers, in order
//!                │  ▲
//!           sent ▼  │ answered; or refused: a wait, and sent again
//!                the stream; or a new one, when it broke
//! ```
//!
//! Neither side can block the other: what is sent goes into a queue that another task empties, and which the
//! window bounds, so answers are read whether or not the server reads.

use std::collections::{BTreeSet, VecDeque};
use std::future::pending;
use std::pin::Pin;
use std::time::Duration;

use futures_util::stream::{self, Fuse};
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_stream::Stream;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Status, Streaming};

use super::retry::{self, Tries};
use super::{Client, ClientError};
use crate::v1::error::Code;
use crate::v1::evaluate_response::Answer;
use crate::v1::{EvaluateRequest, EvaluateResponse};

/// Answers in the order of their queries. Nothing is asked before the first is waited for, or after this is dropped.
pub type Answers = Pin<Box<dyn Stream<Item = Result<EvaluateResponse, ClientError>> + Send>>;

impl Client {
    /// Any number of queries, over one stream: an answer for each, in order, as soon as it is known. So many as the
    /// [window](super::ClientBuilder::window) says are under way at once.
    ///
    /// A query that breaks a rule fails alone: its answer is an [`Answer::Error`]. One the server is too busy for
    /// (`RESOURCE_EXHAUSTED`) is asked again, after waits that double, and the answers behind it wait with it; when
    /// the [policy](super::RetryPolicy) is used up, that error is the answer. When the server goes away after it has
    /// answered something, the rest is asked over a new stream, with as many attempts and waits between two answers
    /// as the policy says.
    ///
    /// # Errors
    ///
    /// An error is the last item. [`ClientError::Status`]: the stream could not be opened, or was ended by the
    /// server, or no answer came within the [deadline](super::ClientBuilder::deadline).
    /// [`ClientError::Contract`]: what came was not one answer for each query.
    pub fn evaluate(&self, queries: impl Stream<Item = EvaluateRequest> + Send + 'static) -> Answers {
        let queries: Queries = Box::pin(queries);
        let pipe = Pipe {
            client: self.clone(),
            queries: queries.fuse(),
            slots: VecDeque::new(),
            first: 0,
            sent: VecDeque::new(),
            refused: BTreeSet::new(),
            call: None,
            answered: false,
            tries: Tries::default(),
        };
        let next = |mut pipe: Pipe| async move { Ok(pipe.next().await?.map(|answer| (answer, pipe))) };
        Box::pin(stream::try_unfold(pipe, next))
    }

    /// The same, for queries that are at hand.
    ///
    /// # Errors
    ///
    /// As [`Client::evaluate`].
    pub fn evaluate_iter<I>(&self, queries: I) -> Answers
    where
        I: IntoIterator<Item = EvaluateRequest, IntoIter: Send + 'static>,
    {
        self.evaluate(tokio_stream::iter(queries))
    }
}

type Queries = Pin<Box<dyn Stream<Item = EvaluateRequest> + Send>>;

/// A batch under way.
struct Pipe {
    client: Client,
    queries: Fuse<Queries>,
    /// The queries that were read and whose answers were not yet given away, in order.
    slots: VecDeque<Slot>,
    /// The number of the first slot; queries are numbered as they are read.
    first: u64,
    /// The numbers of those the server has to answer, in the order it was, or is to be, asked.
    sent: VecDeque<u64>,
    /// The numbers of those it was too busy for, by when to ask again.
    refused: BTreeSet<(Instant, u64)>,
    call: Option<Call>,
    /// Whether the server has ever answered.
    answered: bool,
    /// The streams that broke since its last answer.
    tries: Tries,
}

struct Slot {
    query: EvaluateRequest,
    answer: Option<EvaluateResponse>,
    tries: Tries,
}

/// An open stream.
struct Call {
    /// As bounded as the window is.
    queries: mpsc::UnboundedSender<EvaluateRequest>,
    answers: Streaming<EvaluateResponse>,
}

impl Pipe {
    /// The next answer, in order.
    async fn next(&mut self) -> Result<Option<EvaluateResponse>, ClientError> {
        loop {
            // The pipe is kept full before anything is taken out of it.
            while self.has_room()
                && let Some(Some(query)) = self.queries.next().now_or_never()
            {
                self.take(query);
            }
            if let Some(answer) = self.slots.front_mut().and_then(|slot| slot.answer.take()) {
                self.slots.pop_front();
                self.first += 1;
                return Ok(Some(answer));
            }
            if self.slots.is_empty() && self.queries.is_done() {
                self.close().await;
                return Ok(None);
            }
            self.advance().await?;
        }
    }

    /// Waits for whatever comes first.
    async fn advance(&mut self) -> Result<(), ClientError> {
        if self.call.is_none() && !self.sent.is_empty() {
            return self.open().await;
        }
        let due = self.refused.first().map(|&(due, _)| due);
        tokio::select! {
            query = self.queries.next(), if self.has_room() && !self.queries.is_done() => {
                if let Some(query) = query {
                    self.take(query);
                }
                Ok(())
            }
            answer = answer(&mut self.call), if !self.sent.is_empty() => match answer {
                Ok(Some(answer)) => self.settle(answer),
                Ok(None) => Err(ClientError::Contract("the stream ended before every query was answered")),
                Err(status) => self.broken(status).await,
            },
            () = at(due), if due.is_some() => {
                self.ask_again();
                Ok(())
            }
            () = after(self.client.deadline), if !self.sent.is_empty() => Err(self.failed(retry::passed())),
        }
    }

    fn has_room(&self) -> bool {
        self.slots.len() < self.client.window
    }

    fn slot(&mut self, number: u64) -> &mut Slot {
        &mut self.slots[(number - self.first) as usize]
    }

    /// Takes a query in, and asks it.
    fn take(&mut self, query: EvaluateRequest) {
        let number = self.first + self.slots.len() as u64;
        self.slots.push_back(Slot { query, answer: None, tries: Tries::default() });
        self.ask(number);
    }

    /// Asks a query; without a stream, it is asked when there is one.
    fn ask(&mut self, number: u64) {
        self.sent.push_back(number);
        let query = self.slot(number).query.clone();
        if let Some(call) = &self.call {
            // A stream that has broken does not take it. That it has, its answers will tell.
            let _ = call.queries.send(query);
        }
    }

    /// Asks those again whose waits are over.
    fn ask_again(&mut self) {
        let now = Instant::now();
        while let Some(&(due, number)) = self.refused.first()
            && due <= now
        {
            self.refused.pop_first();
            self.ask(number);
        }
    }

    /// Puts an answer where it belongs.
    fn settle(&mut self, answer: EvaluateResponse) -> Result<(), ClientError> {
        (self.answered, self.tries) = (true, Tries::default());
        let Some(number) = self.sent.pop_front() else {
            return Err(ClientError::Contract("there are more answers than queries"));
        };
        let policy = self.client.retry;
        let slot = self.slot(number);
        if slot.query.id != answer.id {
            return Err(ClientError::Contract("an answer has not the id of its query"));
        }
        let busy = match &answer.answer {
            Some(Answer::Error(e)) if e.code() == Code::ResourceExhausted => Some(e.retry_millis),
            _ => None,
        };
        let asked = |millis: Option<u32>| millis.map(|millis| Duration::from_millis(millis.into()));
        match busy.and_then(|millis| slot.tries.again(&policy, asked(millis), Duration::MAX)) {
            Some(wait) => _ = self.refused.insert((Instant::now() + wait, number)),
            None => slot.answer = Some(answer),
        }
        Ok(())
    }

    /// Opens a stream, with all that is to be asked.
    async fn open(&mut self) -> Result<(), ClientError> {
        let (queries, asked) = mpsc::unbounded_channel();
        for number in self.sent.clone() {
            // The other end is just below.
            let _ = queries.send(self.slot(number).query.clone());
        }
        let mut solver = self.client.solver.clone();
        let call = solver.evaluate(UnboundedReceiverStream::new(asked));
        match retry::within(self.client.deadline, call).await {
            Ok(answers) => self.call = Some(Call { queries, answers: answers.into_inner() }),
            Err(status) => self.broken(status).await?,
        }
        Ok(())
    }

    /// Waits until a new stream may be opened after one that broke, or could not be opened.
    async fn broken(&mut self, status: Status) -> Result<(), ClientError> {
        self.call = None;
        let asked = retry::asked(&status);
        // A server that was never there is not worth a wait, unless it says so.
        let worthwhile = asked.is_some() || (self.answered && retry::is_gone(&status));
        match worthwhile.then(|| self.tries.again(&self.client.retry, asked, Duration::MAX)).flatten() {
            Some(wait) => {
                sleep(wait).await;
                Ok(())
            }
            None => Err(self.failed(status)),
        }
    }

    /// Lets the server end the stream, rather than breaking it off.
    async fn close(&mut self) {
        if let Some(Call { queries, mut answers }) = self.call.take() {
            drop(queries);
            // Everything is answered; how the stream ends makes no difference.
            let _ = retry::within(self.client.deadline, answers.message()).await;
        }
    }

    fn failed(&self, status: Status) -> ClientError {
        ClientError::Status { status, attempts: self.tries.made() }
    }
}

/// The next answer of a stream, if there is one.
async fn answer(call: &mut Option<Call>) -> Result<Option<EvaluateResponse>, Status> {
    match call {
        Some(call) => call.answers.message().await,
        None => pending().await,
    }
}

async fn at(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due).await,
        None => pending().await,
    }
}

async fn after(time: Option<Duration>) {
    match time {
        Some(time) => sleep(time).await,
        None => pending().await,
    }
}
