//! What can go wrong.

use std::error::Error;

use tonic::{Code, Status};
use tonic_types::{FieldViolation, StatusExt as _};

/// Why a client has no answer, or is none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address cannot be one.
    #[error("{uri:?} is no address of a server: {reason}")]
    Address {
        /// The address.
        uri: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The bearer token has bytes that a header cannot hold.
    #[error("the bearer token has characters that a header cannot hold")]
    Token,
    /// Nothing at the address takes a connection.
    #[error("there is no server at {uri}: {}", root(source))]
    Connect {
        /// The address.
        uri: String,
        /// Why there is no connection.
        source: tonic::transport::Error,
    },
    /// The server said no, the connection was lost, or the deadline passed.
    #[error("{}", sentence(status, *attempts))]
    Status {
        /// The last status there was.
        status: Status,
        /// How often it was asked.
        attempts: u32,
    },
    /// The server does not keep to the contract; it may be of another version.
    #[error("the server does not keep to the contract: {0}")]
    Contract(&'static str),
}

impl ClientError {
    /// The gRPC code, where the call got as far as having one.
    pub fn code(&self) -> Option<Code> {
        match self {
            ClientError::Status { status, .. } => Some(status.code()),
            _ => None,
        }
    }

    /// The fields at fault and the rules they break, where the code is `INVALID_ARGUMENT`.
    pub fn violations(&self) -> Vec<FieldViolation> {
        match self {
            ClientError::Status { status, .. } => {
                status.get_details_bad_request().map(|found| found.field_violations).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

/// A status as a sentence.
fn sentence(status: &Status, attempts: u32) -> String {
    let message = match status.message() {
        "" => status.code().description(),
        message => message,
    };
    match attempts {
        0 | 1 => message.to_owned(),
        _ => format!("{message} (asked {attempts} times)"),
    }
}

/// What is behind an error, the last of its causes: that one says something.
fn root(error: &dyn Error) -> &dyn Error {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause
}
