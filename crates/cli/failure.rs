//! What can go wrong, in one sentence, and the exit status it has.

use std::io;
use std::process::ExitCode;

use proto::v1;

/// Why a command did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command was put wrong: exit status 2.
    #[error("{0}")]
    Misuse(String),
    /// The query was refused, by a server or here: exit status 2 when it breaks a rule, else 1.
    #[error("{}", .0.message)]
    Refused(v1::Error),
    /// It was put right and could not be done: exit status 1.
    #[error("{0}")]
    No(String),
    /// The answer is no and has been printed already: exit status 1.
    #[error("no")]
    Told,
    /// Ctrl-C, or a request to stop: exit status 1.
    #[error("stopped before it was done")]
    Interrupted,
    /// Standard output cannot be written.
    #[error("cannot write to standard output ({0})")]
    Output(#[from] io::Error),
}

impl Failure {
    /// The command was put wrong.
    pub(crate) fn misuse(sentence: impl Into<String>) -> Failure {
        Failure::Misuse(sentence.into())
    }

    /// It could not be done.
    pub(crate) fn no(sentence: impl Into<String>) -> Failure {
        Failure::No(sentence.into())
    }

    /// A task of ours ended before its time.
    pub(crate) fn fault(e: tokio::task::JoinError) -> Failure {
        Failure::No(format!("a fault of this program: {e}"))
    }

    /// A field breaks a rule.
    pub(crate) fn rule(field: impl std::fmt::Display, rule: impl std::fmt::Display) -> Failure {
        Failure::Misuse(format!("{field}: {rule}"))
    }

    /// Says what went wrong on standard error and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        let status = match &self {
            // Whoever read our output has had enough.
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Told => return ExitCode::from(1),
            Failure::Misuse(_) => 2,
            Failure::Refused(error) if error.code() == v1::error::Code::InvalidArgument => 2,
            Failure::Refused(_) | Failure::No(_) | Failure::Interrupted | Failure::Output(_) => 1,
        };
        // Nobody is left to tell when standard error is closed.
        let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("error: {self}\n"));
        ExitCode::from(status)
    }
}
