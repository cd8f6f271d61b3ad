//! The line in front of the places where searches run.
//!
//! It is bounded, so that nobody waits for what will not come in time: past it a client is told at once, and when to try
//! again. And it is fair: each client has a line of its own, and a place that becomes free goes to the clients in turn, so
//! that one with a thousand searches does not keep another waiting for more than one of them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::caller::Who;
use crate::refusal::Refusal;

/// Places for searches, and the clients waiting for one.
#[derive(Debug)]
pub(crate) struct Line {
    places: usize,
    /// The most that may wait, of all clients and of one.
    most: usize,
    most_of_one: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    taken: usize,
    /// Who waits, whoever is next first.
    turns: VecDeque<Who>,
    /// What each of them waits for; never empty.
    lines: HashMap<Who, VecDeque<oneshot::Sender<Place>>>,
    /// How long a place is taken for, on average over the last few.
    takes: Duration,
    /// How many were refused.
    refused: u32,
}

/// The bounds of what a refused client is told to wait, before it is [spread](spread).
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(20));

impl Line {
    /// So many places, and so many that may wait for one, of all clients and of one.
    pub(crate) fn new(places: usize, most: usize, most_of_one: usize) -> Arc<Line> {
        Arc::new(Line { places: places.max(1), most, most_of_one, state: Mutex::default() })
    }

    /// How many run and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.state();
        (state.taken, state.waiting())
    }

    /// Waits for a place. Dropped, it waits no more.
    pub(crate) async fn place(self: &Arc<Self>, who: Who) -> Result<Place, Refusal> {
        let waiting = {
            let mut state = self.state();
            if state.taken < self.places {
                // Then nobody waits.
                state.taken += 1;
                return Ok(Place::new(self));
            }
            if state.waiting() >= self.most || state.waiting_of(who) >= self.most_of_one {
                state.forget_the_gone();
            }
            if state.waiting() >= self.most || state.waiting_of(who) >= self.most_of_one {
                state.refused = state.refused.wrapping_add(1);
                return Err(Refusal::Busy(spread(self.retry(&state), state.refused)));
            }
            let (give, given) = oneshot::channel();
            state.join(who, give);
            given
        };
        // A line is never dropped while somebody waits: each holds it.
        waiting.await.map_err(|_| Refusal::Stopping)
    }

    /// When there should be room again: a place becomes free so often, and half of those who wait should have gone.
    fn retry(&self, state: &State) -> Duration {
        let turns = state.waiting() / (2 * self.places) + 1;
        let wait = state.takes.saturating_mul(u32::try_from(turns).unwrap_or(u32::MAX));
        wait.clamp(RETRY.0, RETRY.1)
    }

    /// Nothing that can panic is done while it is locked.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same time for the n-th client, or up to half as much again, so that clients refused together do not come back together.
/// Multiples of the golden ratio fall evenly, whichever of them are looked at.
fn spread(wait: Duration, n: u32) -> Duration {
    const GOLDEN: u32 = 0x9e37_79b9;
    wait + (wait / 2).mul_f64(f64::from(n.wrapping_mul(GOLDEN)) / f64::from(u32::MAX))
}

impl State {
    fn waiting(&self) -> usize {
        self.lines.values().map(VecDeque::len).sum()
    }

    fn waiting_of(&self, who: Who) -> usize {
        self.lines.get(&who).map_or(0, VecDeque::len)
    }

    fn join(&mut self, who: Who, give: oneshot::Sender<Place>) {
        let line = self.lines.entry(who).or_default();
        if line.is_empty() {
            self.turns.push_back(who);
        }
        line.push_back(give);
    }

    /// Whoever is next: the client whose turn it is, who then goes behind all others.
    fn next(&mut self) -> Option<oneshot::Sender<Place>> {
        let who = self.turns.pop_front()?;
        let line = self.lines.get_mut(&who)?;
        let next = line.pop_front();
        if line.is_empty() {
            self.lines.remove(&who);
        } else {
            self.turns.push_back(who);
        }
        next
    }

    /// Clients that have hung up still stand in line until it is their turn, or until their places are wanted.
    fn forget_the_gone(&mut self) {
        for line in self.lines.values_mut() {
            line.retain(|give| !give.is_closed());
        }
        self.lines.retain(|_, line| !line.is_empty());
        let State { turns, lines, .. } = self;
        turns.retain(|who| lines.contains_key(who));
    }
}

/// A place to run a search; dropped, it goes to whoever is next.
#[derive(Debug)]
pub(crate) struct Place {
    /// `None` once it has been handed on.
    line: Option<Arc<Line>>,
    since: Instant,
}

impl Place {
    fn new(line: &Arc<Line>) -> Place {
        Place { line: Some(Arc::clone(line)), since: Instant::now() }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(line) = self.line.take() else { return };
        let mut state = line.state();
        state.takes = (state.takes * 7 + self.since.elapsed()) / 8;
        loop {
            let Some(give) = state.next() else {
                state.taken -= 1;
                return;
            };
            // Sent under the lock: whoever has gone gives the place back here, and it must not be dropped as one.
            match give.send(Place::new(&line)) {
                Ok(()) => return,
                Err(mut place) => place.line = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn who(n: u8) -> Who {
        Who::Address(Ipv4Addr::new(127, 0, 0, n).into())
    }

    /// Polls once.
    fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
        std::pin::Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let line = Line::new(1, 100, 100);
        let first = line.place(who(1)).await.unwrap();
        let mut many: Vec<_> = (0..3).map(|_| Box::pin(line.place(who(1)))).collect();
        assert!(many.iter_mut().all(|place| poll(place).is_pending()));
        let mut other = Box::pin(line.place(who(2)));
        assert!(poll(&mut other).is_pending());
        drop(first);
        let Poll::Ready(Ok(place)) = poll(&mut many[0]) else { panic!("it was first in line") };
        drop(place);
        assert!(poll(&mut many[1]).is_pending(), "the other client is next, though it came last");
        let Poll::Ready(Ok(place)) = poll(&mut other) else { panic!("its turn") };
        drop(place);
        assert!(poll(&mut many[1]).is_ready());
    }

    #[tokio::test]
    async fn the_line_is_bounded_for_all_and_for_one() {
        let line = Line::new(1, 3, 2);
        let place = line.place(who(1)).await.unwrap();
        let mut waiting: Vec<_> = [1, 1, 2].map(|n| Box::pin(line.place(who(n)))).into();
        assert!(waiting.iter_mut().all(|place| poll(place).is_pending()));
        let refused =
            |n| matches!(poll(&mut Box::pin(line.place(who(n)))), Poll::Ready(Err(Refusal::Busy(_))));
        assert!(refused(1) && refused(3));
        assert_eq!(line.load(), (1, 3));
        // Who hangs up makes room.
        drop(waiting.remove(0));
        assert!(poll(&mut Box::pin(line.place(who(3)))).is_pending());
        drop(waiting);
        drop(place);
        assert_eq!(line.load(), (0, 0));
    }

    #[tokio::test]
    async fn a_place_given_to_somebody_who_hangs_up_goes_on_to_the_next() {
        let line = Line::new(1, 10, 10);
        let place = line.place(who(1)).await.unwrap();
        let mut gone = Box::pin(line.place(who(2)));
        let mut next = Box::pin(line.place(who(3)));
        assert!(poll(&mut gone).is_pending() && poll(&mut next).is_pending());
        drop(place);
        // It has been given to the first, who never looks.
        drop(gone);
        assert!(poll(&mut next).is_ready());
        assert_eq!(line.load(), (0, 0));
    }

    #[test]
    fn a_refused_client_is_told_when_to_try_again() {
        let line = Line::new(2, 10, 10);
        let state = |takes: u64, waiting: usize| {
            let mut state = State { takes: Duration::from_secs(takes), ..State::default() };
            for _ in 0..waiting {
                state.join(who(1), oneshot::channel().0);
            }
            state
        };
        assert_eq!(line.retry(&state(0, 8)), RETRY.0);
        assert_eq!(line.retry(&state(2, 8)), Duration::from_secs(6));
        assert_eq!(line.retry(&state(1_000, 8)), RETRY.1);
    }

    #[test]
    fn clients_refused_together_are_told_to_come_back_one_after_another() {
        let wait = Duration::from_secs(1);
        let mut times: Vec<Duration> = (1..=100).map(|n| spread(wait, n)).collect();
        times.sort_unstable();
        assert!(times[0] >= wait && times[99] <= wait * 3 / 2);
        // Evenly they would be 5 ms apart.
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] < Duration::from_millis(15)));
    }
}
