//! When to ask again, and how long to wait before.

use std::error::Error;
use std::time::Duration;

use tonic::{Code, Status, TimeoutExpired};
use tonic_types::StatusExt as _;

/// The longest wait before the second attempt, where the server does not say how long. It doubles from one to the next.
const FIRST: Duration = Duration::from_millis(100);

/// Where it stops doubling.
const LONGEST: Duration = Duration::from_secs(5);

/// How often, and for how long, to ask again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetryPolicy {
    /// How often to ask in all. With 1, or 0, nothing is asked again.
    pub max_attempts: u32,
    /// How long the waits between may be in all.
    pub max_wait: Duration,
}

impl RetryPolicy {
    /// Everything is asked once.
    pub const NEVER: RetryPolicy = RetryPolicy { max_attempts: 1, max_wait: Duration::ZERO };
}

impl Default for RetryPolicy {
    /// Ten attempts, thirty seconds.
    fn default() -> RetryPolicy {
        RetryPolicy { max_attempts: 10, max_wait: Duration::from_secs(30) }
    }
}

/// The attempts at one thing that have failed.
#[derive(Clone, Copy, Default)]
pub(super) struct Tries {
    retries: u32,
    waited: Duration,
}

impl Tries {
    /// How often it was attempted, the first time included.
    pub(super) fn made(&self) -> u32 {
        self.retries + 1
    }

    /// How long to wait before the next attempt, if there may be one and time is `left` for it: a little more than
    /// the server asked for, or what seems right when it did not say.
    pub(super) fn again(
        &mut self,
        policy: &RetryPolicy,
        asked: Option<Duration>,
        left: Duration,
    ) -> Option<Duration> {
        if self.made() >= policy.max_attempts {
            return None;
        }
        let wait = match asked {
            Some(delay) => delay.saturating_add(delay.min(LONGEST).mul_f64(rand::random_range(0.0..0.1))),
            None => {
                let most = FIRST.saturating_mul(2u32.saturating_pow(self.retries)).min(LONGEST);
                most.mul_f64(rand::random_range(0.5..1.0))
            }
        };
        let waited = self.waited.saturating_add(wait);
        if waited > policy.max_wait || wait >= left {
            return None;
        }
        *self = Tries { retries: self.retries + 1, waited };
        Some(wait)
    }
}

/// How long the server asks to wait before another attempt. Without such a request there is none.
pub(super) fn asked(status: &Status) -> Option<Duration> {
    match status.code() {
        Code::ResourceExhausted | Code::Unavailable => status.get_details_retry_info()?.retry_delay,
        _ => None,
    }
}

/// Whether a stream ended because the server went away, rather than by its decision. A connection that breaks in the
/// middle of a call is of unknown code to tonic, with the transport's error as its source.
pub(super) fn is_gone(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable => true,
        Code::Unknown => status.source().is_some(),
        _ => false,
    }
}

/// A call, for so long at most.
pub(super) async fn within<T>(
    limit: Option<Duration>,
    call: impl Future<Output = Result<T, Status>>,
) -> Result<T, Status> {
    let answer = match limit {
        Some(limit) => tokio::time::timeout(limit, call).await.unwrap_or_else(|_| Err(passed())),
        None => call.await,
    };
    answer.map_err(|status| if timed_out(&status) { passed() } else { status })
}

/// A deadline has passed.
pub(super) fn passed() -> Status {
    Status::deadline_exceeded("the deadline passed before the server answered")
}

/// Whether the channel gave up by the same deadline, a moment before us: it calls that "cancelled".
fn timed_out(status: &Status) -> bool {
    let mut cause = status.source();
    while let Some(error) = cause {
        if error.is::<TimeoutExpired>() {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: RetryPolicy = RetryPolicy { max_attempts: 12, max_wait: Duration::from_secs(20) };

    #[test]
    fn waits_double_up_to_the_longest_and_end_with_the_policy() {
        let policy = RetryPolicy { max_wait: Duration::MAX, ..POLICY };
        let mut tries = Tries::default();
        let waits: Vec<_> = std::iter::from_fn(|| tries.again(&policy, None, Duration::MAX)).collect();
        assert_eq!(waits.len(), 11);
        for (n, &wait) in waits.iter().enumerate() {
            let most = LONGEST.min(FIRST * 2u32.pow(n as u32));
            assert!(most / 2 <= wait && wait <= most, "{n}: {wait:?}");
        }
        assert_eq!(tries.made(), 12);
    }

    #[test]
    fn never_less_than_asked_and_never_more_in_all_than_allowed() {
        let asked = Duration::from_secs(4);
        let mut tries = Tries::default();
        let waits: Vec<_> = std::iter::from_fn(|| tries.again(&POLICY, Some(asked), Duration::MAX)).collect();
        assert!(waits.iter().all(|&wait| asked <= wait && wait <= asked * 11 / 10), "{waits:?}");
        assert!(waits.iter().sum::<Duration>() <= POLICY.max_wait);
        for (policy, asked, left) in [
            (POLICY, Duration::MAX, Duration::MAX),
            (POLICY, asked, asked),
            (RetryPolicy::NEVER, Duration::ZERO, Duration::MAX),
        ] {
            let mut tries = Tries::default();
            assert_eq!(tries.again(&policy, Some(asked), left), None);
            assert_eq!(tries.made(), 1);
        }
    }
}
