//! Inputs made from seeds.

use std::ops::Range;

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
    words: Vec<&'static str>,
}

impl Mutator {
    /// A mutator of the seeds of a target.
    pub fn new(target: &Target) -> Mutator {
        Mutator { seeds: (target.seeds)(), words: target.words.split_whitespace().collect() }
    }

    /// The input of this execution: first the seeds as they are, then changed ones.
    pub fn input(&self, execution: u64) -> Vec<u8> {
        if let Some(seed) = self.seeds.get(execution as usize) {
            return seed.clone();
        }
        let random = &mut ChaCha8Rng::seed_from_u64(execution);
        let mut input = self.seed(random).to_vec();
        // Mostly one or two changes, so that much of what was sound still is.
        // A target that has words reads text, where most changes leave nothing to be read.
        let tame = !self.words.is_empty() && random.random_ratio(3, 4);
        loop {
            if tame {
                another_digit(&mut input, random);
            } else {
                self.change(&mut input, random);
            }
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

    /// Any change. Mostly the messages around it are made to have their right lengths again.
    fn change(&self, input: &mut Vec<u8>, random: &mut ChaCha8Rng) {
        let at = random.random_range(0..=input.len());
        let some = random.random_range(1..=8);
        let to = (at + some).min(input.len());
        let (frames, before) = (frames(input, at), input.len());
        match random.random_range(0..16) {
            0 => flip(input, at, random),
            1 | 2 => nudge(input, at, random),
            3..=6 => copy(input, at..to, random),
            7 => input[at..to].fill_with(|| random.random()),
            8 => drop(input.drain(at..to)),
            9 => input.truncate(at),
            10 => insert(input, at, &random.random::<[u8; 8]>()[..some]),
            // The same again, a few times: lists grow, and edges come twice.
            11 => insert(input, at, &input[at..to].repeat(random.random_range(1..=8))),
            12 => self.splice(input, at, random),
            13 => {
                let word = self.words.choose(random).map_or(&b"\0"[..], |word| word.as_bytes());
                let over = to.min(at + word.len());
                let end = if random.random() { at } else { over };
                drop(input.splice(at..end, word.iter().copied()));
            }
            14 => number(input, at, random),
            _ => decimal(input, at, random),
        }
        if random.random_ratio(7, 8) {
            mend(input, &frames, input.len() as isize - before as isize);
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

/// A small change where a digit is, so that what can be read still can: in the edges of a board, in a number.
fn another_digit(input: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    let digits: Vec<usize> = (0..input.len()).filter(|&at| input[at].is_ascii_digit()).collect();
    let Some((&at, &other)) = digits.choose(random).zip(digits.choose(random)) else {
        let at = random.random_range(0..=input.len());
        return if random.random() { nudge(input, at, random) } else { number(input, at, random) };
    };
    match random.random_range(0..4) {
        0 => nudge(input, at, random),
        1 => decimal(input, at, random),
        _ => input[at] = input[other],
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

/// Bytes from elsewhere in place of these: what is an edge there is one here.
fn copy(input: &mut [u8], to: Range<usize>, random: &mut ChaCha8Rng) {
    let from = random.random_range(0..=input.len() - to.len());
    input.copy_within(from..from + to.len(), to.start);
}

/// Another number here: a varint, which may take more bytes or fewer, or one of 2, 4 or 8 bytes, the low ones first.
fn number(input: &mut Vec<u8>, at: usize, random: &mut ChaCha8Rng) {
    let number = if random.random() { end(random) } else { random.random_range(0..300) };
    if random.random() {
        let old = varint(&input[at..]).map_or(0, |(_, bytes)| bytes);
        input.splice(at..at + old, varint_of(number));
    } else {
        let most = 2 << random.random_range(0..3);
        input[at..].iter_mut().zip(&number.to_le_bytes()[..most]).for_each(|(old, &new)| *old = new);
    }
}

/// The varint these bytes begin with, and how many of them it takes.
fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let length = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)? + 1;
    let number = bytes[..length].iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f));
    Some((number, length))
}

fn varint_of(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Where the length of a message is that has another message around it.
struct Frame {
    at: usize,
    bytes: usize,
    length: u64,
}

/// The messages, as protobuf, that a place lies in, from the outermost in.
fn frames(input: &[u8], place: usize) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut at = 0;
    while let Some((key, bytes)) = input.get(at..place).and_then(varint) {
        at += bytes;
        let Some((length, bytes)) = varint(&input[at..]) else { break };
        match key & 7 {
            0 => at += bytes,
            1 => at += 8,
            5 => at += 4,
            2 => {
                let end = (at + bytes).saturating_add(length as usize);
                if end > input.len() {
                    break;
                }
                if place < at + bytes || place > end {
                    at = end;
                } else {
                    frames.push(Frame { at, bytes, length });
                    at += bytes;
                }
            }
            _ => break,
        }
    }
    frames
}

/// Writes the lengths of messages anew, the innermost of which has grown.
fn mend(input: &mut Vec<u8>, frames: &[Frame], mut grown: isize) {
    for &Frame { at, bytes, length } in frames.iter().rev() {
        let length = varint_of(length.saturating_add_signed(grown as i64));
        if grown == 0 || at + bytes > input.len() {
            return;
        }
        grown += length.len() as isize - bytes as isize;
        input.splice(at..at + bytes, length);
    }
}

/// Another number in place of the digits here.
fn decimal(input: &mut Vec<u8>, at: usize, random: &mut ChaCha8Rng) {
    let Some(first) = input[at..].iter().position(u8::is_ascii_digit).map(|next| at + next) else { return };
    let last =
        input[first..].iter().position(|byte| !byte.is_ascii_digit()).map_or(input.len(), |n| first + n);
    let number = if random.random() { end(random) } else { random.random_range(0..70) };
    input.splice(first..last, number.to_string().into_bytes());
}
