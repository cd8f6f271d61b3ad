//! Answers as text.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use endgame::Multiset;
use proto::v1::{self, Source};

use crate::failure::Failure;

/// Prints a message of the contract as proto3 JSON on one line.
pub(crate) fn json(message: &impl serde::Serialize) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, message).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Prints some lines, each with its end.
pub(crate) fn text(lines: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(lines.as_bytes())?;
    Ok(out.flush()?)
}

/// A net number of boxes, with its sign: `+2`, `0`, `-3`.
pub(crate) struct Net(pub(crate) i32);

impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.pad("0") } else { f.pad(&format!("{:+}", self.0)) }
    }
}

/// Bounds, both ends included: `-2 to +4`.
pub(crate) fn between(bounds: &v1::Bounds) -> String {
    format!("{} to {}", Net(bounds.lower), Net(bounds.upper))
}

/// How well something is known: `+2`, or `-2 to +4`.
pub(crate) fn outcome(outcome: Option<&v1::Outcome>) -> String {
    match outcome.and_then(|o| o.known.as_ref()) {
        Some(v1::outcome::Known::Value(value)) => Net(*value).to_string(),
        Some(v1::outcome::Known::Bounds(bounds)) => between(bounds),
        None => "unknown".into(),
    }
}

/// `chains 5, 3 and loops 4`, longest first; `nothing` when empty.
pub(crate) fn endgame(endgame: &v1::Endgame) -> String {
    let set = Multiset::new(&endgame.chains, &endgame.loops);
    set.map_or_else(|e| format!("no set of chains and loops ({e})"), |set| set.to_string())
}

/// Numbers with blanks between them, or `none`.
pub(crate) fn numbers(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return "none".into();
    }
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// `1 box`, `2 boxes`.
pub(crate) fn boxes(n: u32) -> String {
    if n == 1 { "1 box".into() } else { format!("{n} boxes") }
}

/// Where an answer comes from.
pub(crate) fn source(source: Source, table: Option<&str>) -> String {
    match source {
        Source::Table => format!("table {}", table.unwrap_or("without a name")),
        Source::Endgame => "endgame theory".into(),
        Source::Search => "search".into(),
        Source::Unspecified => "unknown".into(),
    }
}

/// A time for people: `0.4 ms`, `35 ms`, `1.27 s`.
pub(crate) fn millis(millis: f64) -> String {
    match millis {
        m if m < 10.0 => format!("{m:.1} ms"),
        m if m < 1000.0 => format!("{m:.0} ms"),
        m => format!("{:.2} s", m / 1000.0),
    }
}

/// The same for a duration.
pub(crate) fn time(duration: Duration) -> String {
    millis(duration.as_secs_f64() * 1000.0)
}

/// A number with its thousands apart: `1,234,567`.
pub(crate) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(format!("{} {} {}", Net(2), Net(0), Net(-3)), "+2 0 -3");
        assert_eq!(format!("[{:>4}]", Net(12)), "[ +12]");
        assert_eq!(millis(0.04), "0.0 ms");
        assert_eq!(millis(1270.0), "1.27 s");
    }
}
