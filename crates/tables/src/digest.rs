//! A BLAKE3 digest.

use std::fmt;
use std::str::FromStr;

/// The BLAKE3 digest of a file, as `b3sum` would print it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub(crate) [u8; Digest::LEN]);

impl Digest {
    /// Bytes in a digest.
    pub const LEN: usize = 32;

    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; Digest::LEN] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Not 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a digest is 64 lower-case hexadecimal digits")]
pub struct NotADigest;

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Digest, NotADigest> {
        let digit = |d: u8| match d {
            b'0'..=b'9' => Ok(d - b'0'),
            b'a'..=b'f' => Ok(d - b'a' + 10),
            _ => Err(NotADigest),
        };
        if text.len() != 2 * Digest::LEN {
            return Err(NotADigest);
        }
        let mut bytes = [0; Digest::LEN];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Digest(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_read_back() {
        let digest = Digest::of(b"dots and boxes");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        for wrong in ["", "00", &"g".repeat(64), &"é".repeat(32), &digest.to_string().to_uppercase()] {
            assert_eq!(wrong.parse::<Digest>(), Err(NotADigest));
        }
    }
}
