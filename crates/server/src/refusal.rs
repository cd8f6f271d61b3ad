//! Why a query has no answer.

use std::fmt;
use std::time::Duration;

use game::Board;
use proto::v1;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// A field of a request that breaks a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The path of the field, e.g. `endgame.chains[2]`.
    pub field: String,
    /// The rule.
    pub description: String,
}

impl Violation {
    pub(crate) fn new(field: impl Into<String>, description: impl Into<String>) -> Violation {
        Violation { field: field.into(), description: description.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.description)
    }
}

/// Why a query has no answer. [`Display`](fmt::Display) is the sentence clients and the command line both show.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The request breaks rules, at least one.
    Invalid(Vec<Violation>),
    /// Too much of the position is left to search, and there is no table of its board.
    Beyond {
        /// The board.
        board: Board,
        /// The rule it breaks.
        rule: String,
    },
    /// Too much is going on already. Try again after this long.
    Busy(Duration),
    /// The call carries no token the server knows.
    Unknown,
    /// The tables are still being verified.
    Starting,
    /// The server is shutting down.
    Stopping,
    /// The deadline has passed.
    Late,
    /// Nothing was asked on a stream for longer than the server waits.
    Idle,
    /// A fault of ours.
    Fault,
}

/// Who states the reasons in `google.rpc.ErrorInfo`.
const DOMAIN: &str = "doublecross";

/// How long a client should wait for tables that are being verified.
const STARTING: Duration = Duration::from_secs(1);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Invalid(violations) => violations.iter().enumerate().try_for_each(|(i, violation)| {
                f.write_str(if i == 0 { "" } else { "; " })?;
                violation.fmt(f)
            }),
            Refusal::Beyond { rule, .. } => write!(f, "position: {rule}"),
            Refusal::Busy(after) => {
                write!(
                    f,
                    "the server has as much to do as it takes on; try again in {} ms",
                    after.as_millis()
                )
            }
            Refusal::Unknown => {
                f.write_str("this server wants a token: send the metadata `authorization: Bearer TOKEN`")
            }
            Refusal::Starting => f.write_str("the tables are being verified; try again in a moment"),
            Refusal::Stopping => f.write_str("the server is shutting down"),
            Refusal::Late => f.write_str("the deadline passed before there was an answer"),
            Refusal::Idle => f.write_str("the stream was idle for longer than the server waits"),
            Refusal::Fault => f.write_str("a fault of the server; its log says more"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Violation> for Refusal {
    fn from(violation: Violation) -> Refusal {
        Refusal::Invalid(vec![violation])
    }
}

impl Refusal {
    pub(crate) const fn code(&self) -> Code {
        match self {
            Refusal::Invalid(_) | Refusal::Beyond { .. } => Code::InvalidArgument,
            Refusal::Busy(_) => Code::ResourceExhausted,
            Refusal::Unknown => Code::Unauthenticated,
            Refusal::Starting | Refusal::Stopping => Code::Unavailable,
            Refusal::Late => Code::DeadlineExceeded,
            Refusal::Idle => Code::Cancelled,
            Refusal::Fault => Code::Internal,
        }
    }

    /// A name for programs; it never changes.
    pub const fn reason(&self) -> &'static str {
        match self {
            Refusal::Invalid(_) => "INVALID_REQUEST",
            Refusal::Beyond { .. } => "BEYOND_SEARCH",
            Refusal::Busy(_) => "BUSY",
            Refusal::Unknown => "UNKNOWN_TOKEN",
            Refusal::Starting => "STARTING",
            Refusal::Stopping => "STOPPING",
            Refusal::Late => "DEADLINE_PASSED",
            Refusal::Idle => "IDLE",
            Refusal::Fault => "FAULT",
        }
    }

    /// When to try again, if that may help.
    const fn retry(&self) -> Option<Duration> {
        match self {
            Refusal::Busy(after) => Some(*after),
            Refusal::Starting => Some(STARTING),
            _ => None,
        }
    }

    /// The fields at fault.
    fn violations(self) -> Vec<Violation> {
        match self {
            Refusal::Invalid(violations) => violations,
            Refusal::Beyond { rule, .. } => vec![Violation::new("position", rule)],
            _ => Vec::new(),
        }
    }
}

impl From<Refusal> for Status {
    /// A status with `google.rpc` details: the reason, the violations, when to try again, the table that is not there.
    fn from(refusal: Refusal) -> Status {
        let (code, message) = (refusal.code(), refusal.to_string());
        let mut details = ErrorDetails::new();
        details.set_error_info(refusal.reason(), DOMAIN, std::collections::HashMap::new());
        if let Some(after) = refusal.retry() {
            details.set_retry_info(Some(after));
        }
        if let Refusal::Beyond { board, .. } = &refusal {
            let missing = format!("there is no table of {board}");
            details.set_resource_info("doublecross.table", format!("board-{board}"), "", missing);
        }
        for Violation { field, description } in refusal.violations() {
            details.add_bad_request_violation(field, description);
        }
        Status::with_error_details(code, message, details)
    }
}

impl From<Refusal> for v1::Error {
    /// The error of one item of a stream, batch or file.
    fn from(refusal: Refusal) -> v1::Error {
        use v1::error::Code as Name;
        let code = match refusal.code() {
            Code::InvalidArgument => Name::InvalidArgument,
            Code::ResourceExhausted => Name::ResourceExhausted,
            Code::Unavailable => Name::Unavailable,
            Code::DeadlineExceeded => Name::DeadlineExceeded,
            Code::Cancelled => Name::Cancelled,
            _ => Name::Internal,
        };
        let millis = |after: Duration| u32::try_from(after.as_millis()).unwrap_or(u32::MAX);
        v1::Error {
            code: code.into(),
            message: refusal.to_string(),
            reason: refusal.reason().to_owned(),
            retry_millis: refusal.retry().map(millis),
            violations: refusal
                .violations()
                .into_iter()
                .map(|Violation { field, description }| v1::FieldViolation { field, description })
                .collect(),
        }
    }
}
