//! Why a query has no answer.

use std::fmt;
use std::time::Duration;

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
    /// The tables are still being verified.
    Starting,
    /// The server is shutting down.
    Stopping,
    /// The deadline has passed.
    Late,
    /// A fault of ours.
    Fault,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Invalid(violations) => violations.iter().enumerate().try_for_each(|(i, violation)| {
                f.write_str(if i == 0 { "" } else { "; " })?;
                violation.fmt(f)
            }),
            Refusal::Starting => f.write_str("the tables are being verified; try again in a moment"),
            Refusal::Stopping => f.write_str("the server is shutting down"),
            Refusal::Late => f.write_str("the deadline passed before there was an answer"),
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
    const fn code(&self) -> Code {
        match self {
            Refusal::Invalid(_) => Code::InvalidArgument,
            Refusal::Starting | Refusal::Stopping => Code::Unavailable,
            Refusal::Late => Code::DeadlineExceeded,
            Refusal::Fault => Code::Internal,
        }
    }
}

impl From<Refusal> for Status {
    /// A status with `google.rpc` details: the violations, or when to try again.
    fn from(refusal: Refusal) -> Status {
        let (code, message) = (refusal.code(), refusal.to_string());
        let mut details = ErrorDetails::new();
        match refusal {
            Refusal::Invalid(violations) => {
                for Violation { field, description } in violations {
                    details.add_bad_request_violation(field, description);
                }
            }
            Refusal::Starting => {
                details.set_retry_info(Some(Duration::from_secs(1)));
            }
            Refusal::Stopping | Refusal::Late | Refusal::Fault => return Status::new(code, message),
        }
        Status::with_error_details(code, message, details)
    }
}

impl From<Refusal> for v1::Error {
    /// The error of one item of a stream, batch or file.
    fn from(refusal: Refusal) -> v1::Error {
        use v1::error::Code as Name;
        let code = match &refusal {
            Refusal::Invalid(_) => Name::InvalidArgument,
            Refusal::Starting | Refusal::Stopping => Name::Unavailable,
            Refusal::Late => Name::DeadlineExceeded,
            Refusal::Fault => Name::Internal,
        };
        let message = refusal.to_string();
        let violations = match refusal {
            Refusal::Invalid(violations) => violations
                .into_iter()
                .map(|Violation { field, description }| v1::FieldViolation { field, description })
                .collect(),
            _ => Vec::new(),
        };
        v1::Error { code: code.into(), message, violations }
    }
}
