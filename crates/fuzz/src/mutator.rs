//! Inputs made from seeds.

use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::target::Target;

/// No input grows beyond this.
const LONGEST: usize = 1 << 14;

/// Numbers at the ends of something, where mistakes are.
const ENDS: [u64; 14] = [
    0,
    1,
    127,
    128,
    255,
    256,
    1 << 14,
    (1 << 16) - 1,
    1 << 16,
    (1 << 31) - 1,
    (1 << 31) + 1,
    (1 << 32) - 1,
    1 << 63,
    u64::MAX,
];

/// Changes the seeds of a target. The input of an execution depends on its number alone, on every machine.
#[derive(Clone, Debug)]
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    words: &'static [&'static str],
}

impl Mutator {
    /// A mutator of the seeds of a target.
    pub fn new(target: &Target) -> Mutator {
        Mutator { seeds: (target.seeds)(), words: target.words }
    }

    /// The input of this execution: first the seeds as they are, then changed ones.
    pub fn input(&self, execution: u64) -> Vec<u8> {
        if let Some(seed) = self.seeds.get(execution as usize) {
            return seed.clone();
        }
        let random = &mut ChaCha8Rng::seed_from_u64(execution);
        let mut input = self.seed(random).to_vec();
        // Mostly one or two changes, so that much of what was sound still is.
        loop {
            self.change(&mut input, random);
            if random.random_ratio(1, 2) {
                break;
            }
        }
        input.truncate(LONGEST);
        input
    }

    fn seed(&self, random: &mut ChaCha8Rng) -> &[u8] {
        self.seeds.choose(random).map_or(&[], Vec::as_slice)
    }

    fn change(&self, input: &mut Vec<u8>, random: &mut ChaCha8Rng) {
        let at = random.random_range(0..=input.len());
        let some = random.random_range(1..=8);
        let to = (at + some).min(input.len());
        match random.random_range(0..12) {
            0 => flip(input, at, random),
            1 => input[at..to].fill_with(|| random.random()),
            2 => drop(input.drain(at..to)),
            3 => input.truncate(at),
            4 => insert(input, at, &random.random::<[u8; 8]>()[..some]),
            // The same again, a few times: lists grow, and edges come twice.
            5 => insert(input, at, &input[at..to].repeat(random.random_range(1..=8))),
            6 => self.splice(input, at, random),
            7 => {
                let word = self.words.choose(random).map_or(&b"\0"[..], |word| word.as_bytes());
                let over = to.min(at + word.len());
                let end = if random.random() { at } else { over };
                drop(input.splice(at..end, word.iter().copied()));
            }
            8 => varint(input, at, random),
            9 => fixed(input, at, random),
            10 => decimal(input, at, random),
            _ => nudge(input, at, random),
        }
    }

    /// A part of another seed in place of a part of this one.
    fn splice(&self, input: &mut Vec<u8>, at: usize, random: &mut ChaCha8Rng) {
        let other = self.seed(random);
        let from = random.random_range(0..=other.len());
        let to = random.random_range(from..=other.len());
        let end = random.random_range(at..=input.len());
        input.splice(at..end, other[from..to].iter().copied());
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

fn flip(input: &mut [u8], at: usize, random: &mut ChaCha8Rng) {
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << random.random_range(0..8);
    }
}

/// One more or one less: of a length, a digit, a count.
fn nudge(input: &mut [u8], at: usize, random: &mut ChaCha8Rng) {
    if let Some(byte) = input.get_mut(at) {
        *byte = if random.random() { byte.wrapping_add(1) } else { byte.wrapping_sub(1) };
    }
}

fn end(random: &mut ChaCha8Rng) -> u64 {
    ENDS.choose(random).copied().unwrap_or_default()
}

/// Another number in place of the varint here, which may take more bytes or fewer; and, as a message with a longer field
/// is longer, the byte before it now and then made to count them.
fn varint(input: &mut Vec<u8>, at: usize, random: &mut ChaCha8Rng) {
    let old = input[at..].iter().position(|byte| byte & 0x80 == 0).map_or(input.len() - at, |last| last + 1);
    let mut number = if random.random() { end(random) } else { random.random_range(0..300) };
    let mut new = Vec::new();
    while number >= 0x80 {
        new.push(number as u8 | 0x80);
        number >>= 7;
    }
    new.push(number as u8);
    let grown = new.len().wrapping_sub(old) as u8;
    input.splice(at..at + old, new);
    if random.random()
        && let Some(length) = at.checked_sub(2).and_then(|before| input.get_mut(before))
    {
        *length = length.wrapping_add(grown);
    }
}

/// Another number of 2, 4 or 8 bytes, the low ones first.
fn fixed(input: &mut [u8], at: usize, random: &mut ChaCha8Rng) {
    let bytes = end(random).to_le_bytes();
    let most = 2 << random.random_range(0..3);
    input[at..].iter_mut().zip(&bytes[..most]).for_each(|(old, &new)| *old = new);
}

/// Another number in place of the digits here.
fn decimal(input: &mut Vec<u8>, at: usize, random: &mut ChaCha8Rng) {
    let Some(first) = input[at..].iter().position(u8::is_ascii_digit).map(|next| at + next) else { return };
    let last =
        input[first..].iter().position(|byte| !byte.is_ascii_digit()).map_or(input.len(), |n| first + n);
    let number = if random.random() { end(random) } else { random.random_range(0..70) };
    input.splice(first..last, number.to_string().into_bytes());
}
