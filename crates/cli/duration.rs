//! Lengths of time as people write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A length of time as it is written in settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Time(pub(crate) Duration);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
        let time = parse(text)?;
        if time.subsec_nanos() % 1_000_000 != 0 {
            return Err("a time is a whole number of milliseconds".to_owned());
        }
        Ok(Time(time))
    }
}

impl TryFrom<String> for Time {
    type Error = String;

    fn try_from(text: String) -> Result<Time, String> {
        text.parse()
    }
}

impl From<Time> for String {
    fn from(time: Time) -> String {
        time.to_string()
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            millis if millis % 1000 == 0 => write!(f, "{}s", millis / 1000),
            millis => write!(f, "{millis}ms"),
        }
    }
}

/// Reads `10s`, `500ms`, `2m`, `1.5s`; a bare number is seconds.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{unit:?} is no unit of time; use ms, s, m or h, e.g. 500ms or 10s")),
    };
    let number: f64 =
        number.parse().map_err(|_| "a time is a number and a unit, e.g. 500ms or 10s".to_owned())?;
    Duration::try_from_secs_f64(number * scale).map_err(|e| e.to_string())
}

/// Whole milliseconds, as the contract has them.
pub(crate) fn millis(text: &str) -> Result<u32, String> {
    let millis = parse(text)?.as_millis();
    u32::try_from(millis).map_err(|_| format!("at most {} ms, not {millis}", u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_settings_is_printed_as_it_is_read() {
        for text in ["500ms", "1500ms", "10s", "0s", "3600s"] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
        assert_eq!("1.5s".parse::<Time>().unwrap().to_string(), "1500ms");
        assert!("0.4ms".parse::<Time>().is_err());
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, expected) in
            [("500ms", 500), ("10s", 10_000), ("10", 10_000), ("1.5s", 1_500), ("2m", 120_000), ("0", 0)]
        {
            assert_eq!(millis(text), Ok(expected), "{text}");
        }
        for text in ["", "s", "-1s", "10 s", "1.2.3s", "5y", "2000h", "99999999999999999999999h"] {
            assert!(millis(text).is_err(), "{text}");
        }
    }
}
