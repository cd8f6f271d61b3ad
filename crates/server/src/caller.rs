//! Who calls, and until when.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use http::Extensions;

use crate::door::Peer;

/// A client, as far as fairness goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Who {
    /// Whoever has this token, by its number in the list.
    Token(u32),
    /// Whoever is at this address.
    Address(IpAddr),
}

/// When a call ends, put into its extensions by the layer that ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(pub(crate) Instant);

/// Who calls, and until when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) who: Who,
    pub(crate) deadline: Option<Instant>,
}

/// What an answer at the deadline is given to reach the client: as much of the time left as this, and at most
/// [`MARGIN`]. A search looks at the clock every few milliseconds.
const SHARE: u32 = 4;
const MARGIN: Duration = Duration::from_millis(50);

impl Caller {
    /// The caller of a request, by what the layers above left in its extensions.
    pub(crate) fn of(extensions: &Extensions) -> Caller {
        let address =
            || extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        Caller {
            who: extensions.get::<Who>().copied().unwrap_or_else(|| Who::Address(address())),
            deadline: extensions.get::<Deadline>().map(|deadline| deadline.0),
        }
    }

    /// Somebody without a deadline on this machine.
    pub(crate) const fn local() -> Caller {
        Caller { who: Who::Address(IpAddr::V4(Ipv4Addr::LOCALHOST)), deadline: None }
    }

    /// When to stop proving, so that the answer is there at the deadline.
    pub(crate) fn until(&self) -> Option<Instant> {
        let deadline = self.deadline?;
        let left = deadline.saturating_duration_since(Instant::now());
        deadline.checked_sub(MARGIN.min(left / SHARE))
    }
}
