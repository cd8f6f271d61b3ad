//! Logs on standard error.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::commands::serve::LogFormat;
use crate::failure::Failure;

/// Starts logging. A server tells what it does, in this format; the other commands only what is wrong.
pub(crate) fn start(filter: Option<&str>, serving: Option<LogFormat>) -> Result<(), Failure> {
    let default = if serving.is_some() { "info" } else { "warn" };
    let filter = match filter.filter(|f| !f.is_empty()) {
        None => EnvFilter::new(default),
        Some(filter) => EnvFilter::try_new(filter).map_err(|e| {
            Failure::rule(
                "--log",
                format!("{filter:?} is no filter ({e}); try `info` or `server=debug,warn`"),
            )
        })?,
    };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    match serving {
        Some(LogFormat::Text) => builder.init(),
        Some(LogFormat::Json) => builder.json().flatten_event(true).init(),
        None => builder.without_time().init(),
    }
    Ok(())
}
