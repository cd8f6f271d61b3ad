//! The players by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How a player plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Style {
    /// Any free edge.
    Random,
    /// Takes every box, else any free edge.
    Greedy,
    /// Takes every box, else a safe edge, else what gives away least.
    Sensible,
    /// Declines where that is better as far as it can tell, opens what the theory says, and is exact with up to so
    /// many free edges.
    Chain {
        /// The most free edges at which it is exact; 18 unless told otherwise.
        exact: u16,
        /// Whether it steers for the last safe edge, as the long chain rule would have it. Off unless told otherwise:
        /// it measures as worth nothing.
        parity: bool,
    },
    /// The oracle; where that cannot prove a move, the chain player, unproven.
    Perfect,
    /// Sensible.
    Easy,
    /// Sensible, and exact with up to 10 free edges.
    Medium,
    /// Sensible, declines, and exact with up to 16 free edges.
    Hard,
    /// Any move at most so many boxes worse than the best, as far as that can be proven.
    Within {
        /// How many boxes.
        boxes: u16,
    },
}

impl Style {
    /// The chain player as it is unless told otherwise.
    pub const CHAIN: Style = Style::Chain { exact: 18, parity: false };

    /// One of each, as they are unless told otherwise.
    pub const ALL: [Style; 9] = [
        Style::Random,
        Style::Greedy,
        Style::Sensible,
        Style::CHAIN,
        Style::Perfect,
        Style::Easy,
        Style::Medium,
        Style::Hard,
        Style::Within { boxes: 2 },
    ];

    /// The most free edges at which it is exact.
    pub(crate) const fn exact(self) -> usize {
        match self {
            Style::Chain { exact, .. } => exact as usize,
            Style::Medium => 10,
            Style::Hard => 16,
            Style::Perfect | Style::Within { .. } => usize::MAX,
            Style::Random | Style::Greedy | Style::Sensible | Style::Easy => 0,
        }
    }

    /// Whether it ever leaves boxes that it could take, without knowing the value.
    pub(crate) const fn declines(self) -> bool {
        matches!(self, Style::Chain { .. } | Style::Hard | Style::Perfect | Style::Within { .. })
    }

    /// Whether it opens what the theory of chains and loops says, where nothing else is left.
    pub(crate) const fn opens(self) -> bool {
        matches!(self, Style::Chain { .. } | Style::Perfect | Style::Within { .. })
    }

    /// Whether it tells safe edges and small sacrifices from others.
    pub(crate) const fn is_sensible(self) -> bool {
        !matches!(self, Style::Random | Style::Greedy)
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Style::Random => f.pad("random"),
            Style::Greedy => f.pad("greedy"),
            Style::Sensible => f.pad("sensible"),
            Style::CHAIN => f.pad("chain"),
            Style::Chain { exact: 18, parity: true } => f.pad("chain+parity"),
            Style::Chain { exact, parity } => {
                f.pad(&format!("chain{}:{exact}", if parity { "+parity" } else { "" }))
            }
            Style::Perfect => f.pad("perfect"),
            Style::Easy => f.pad("easy"),
            Style::Medium => f.pad("medium"),
            Style::Hard => f.pad("hard"),
            Style::Within { boxes } => f.pad(&format!("within:{boxes}")),
        }
    }
}

/// A name no player has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "there is no player {0:?}; say random, greedy, sensible, chain, chain+parity, perfect, easy, medium, hard, chain:N (exact with up to N free edges) or within:N (at most N boxes worse than best)"
)]
pub struct UnknownStyle(pub String);

impl FromStr for Style {
    type Err = UnknownStyle;

    /// Reads exactly what [`Display`](fmt::Display) writes, and `chain:18`, `chain+parity:18`.
    fn from_str(name: &str) -> Result<Style, UnknownStyle> {
        let unknown = || UnknownStyle(name.into());
        let (base, number) = match name.split_once(':') {
            Some((base, number)) if number.bytes().all(|b| b.is_ascii_digit()) => {
                (base, Some(number.parse::<u16>().map_err(|_| unknown())?))
            }
            Some(_) => return Err(unknown()),
            None => (name, None),
        };
        Ok(match (base, number) {
            ("random", None) => Style::Random,
            ("greedy", None) => Style::Greedy,
            ("sensible", None) => Style::Sensible,
            ("chain", exact) => Style::Chain { exact: exact.unwrap_or(18), parity: false },
            ("chain+parity", exact) => Style::Chain { exact: exact.unwrap_or(18), parity: true },
            ("perfect", None) => Style::Perfect,
            ("easy", None) => Style::Easy,
            ("medium", None) => Style::Medium,
            ("hard", None) => Style::Hard,
            ("within", Some(boxes)) => Style::Within { boxes },
            _ => return Err(unknown()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_nothing_else() {
        let more = [Style::Chain { exact: 7, parity: true }, Style::Chain { exact: 0, parity: false }];
        for style in Style::ALL.into_iter().chain(more) {
            assert_eq!(style.to_string().parse(), Ok(style));
        }
        assert_eq!("chain:18".parse(), Ok(Style::CHAIN));
        for wrong in
            ["", "Random", "chain:", "chain:-1", "chain:70000", "within", "hard:3", "perfect ", "chain:+1"]
        {
            assert_eq!(wrong.parse::<Style>(), Err(UnknownStyle(wrong.into())));
        }
    }
}
