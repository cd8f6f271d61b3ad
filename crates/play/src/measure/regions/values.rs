//! Values of games under normal play: what adds where positions fall apart.
//!
//! A value is a game in canonical form: no option dominated, none reversible. Equal games have the same form, so a form
//! is known by a number. Nimbers are among them.

use std::collections::HashMap;

use super::game::Side;

/// A game in canonical form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Value(u32);

impl Value {
    /// The game without moves.
    pub(super) const ZERO: Value = Value(0);
}

/// The options of Left and of Right.
type Options = [Vec<Value>; 2];

/// Values that are known, and how they compare and add. Forms on the way to a canonical one are kept beside it.
pub(super) struct Values {
    forms: Vec<Options>,
    numbers: HashMap<Options, Value>,
    canonical: HashMap<Value, Value>,
    at_most: HashMap<(Value, Value), bool>,
    sums: HashMap<(Value, Value), Value>,
}

impl Values {
    /// Nothing but zero.
    pub(super) fn new() -> Values {
        let zero: Options = [Vec::new(), Vec::new()];
        Values {
            forms: vec![zero.clone()],
            numbers: HashMap::from([(zero, Value::ZERO)]),
            canonical: HashMap::from([(Value::ZERO, Value::ZERO)]),
            at_most: HashMap::new(),
            sums: HashMap::new(),
        }
    }

    fn options(&self, of: Value, side: usize) -> Vec<Value> {
        self.forms[of.0 as usize][side].clone()
    }

    fn form(&mut self, mut options: Options) -> Value {
        for side in &mut options {
            side.sort_unstable();
            side.dedup();
        }
        let next = Value(self.forms.len() as u32);
        let forms = &mut self.forms;
        *self.numbers.entry(options).or_insert_with_key(|options| {
            forms.push(options.clone());
            next
        })
    }

    /// Whether `a <= b`: Left has no move in `a` to something at least `b`, nor Right one in `b` to something at most
    /// `a`.
    pub(super) fn at_most(&mut self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        if let Some(&known) = self.at_most.get(&(a, b)) {
            return known;
        }
        let holds = !self.options(a, 0).into_iter().any(|left| self.at_most(b, left))
            && !self.options(b, 1).into_iter().any(|right| self.at_most(right, a));
        self.at_most.insert((a, b), holds);
        holds
    }

    /// The value of the game with these options, themselves values.
    pub(super) fn of(&mut self, options: Options) -> Value {
        let raw = self.form(options);
        if let Some(&known) = self.canonical.get(&raw) {
            return known;
        }
        let [left, right] = [0, 1].map(|side| {
            let options = self.bypassed(raw, side);
            self.undominated(options, side)
        });
        let value = self.form([left, right]);
        self.canonical.insert(raw, value);
        self.canonical.insert(value, value);
        value
    }

    /// Whether `a` is at least as good as `b` for a side.
    fn as_good(&mut self, a: Value, b: Value, side: usize) -> bool {
        if side == 0 { self.at_most(b, a) } else { self.at_most(a, b) }
    }

    /// The options of a side, each one that the other side can answer with something no worse for it than the game
    /// replaced by what the side then has, until none is left. Options are canonical, so what replaces one is smaller.
    fn bypassed(&mut self, game: Value, side: usize) -> Vec<Value> {
        let mut ahead = self.options(game, side);
        let mut kept = Vec::new();
        while let Some(option) = ahead.pop() {
            let answers = self.options(option, 1 - side);
            match answers.into_iter().find(|&answer| self.as_good(answer, game, 1 - side)) {
                Some(answer) => ahead.extend(self.options(answer, side)),
                None => kept.push(option),
            }
        }
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    /// The options of a side that no other is as good as; they are different values, so not as good as one another both
    /// ways.
    fn undominated(&mut self, options: Vec<Value>, side: usize) -> Vec<Value> {
        let mut kept: Vec<Value> = Vec::new();
        for option in options {
            if kept.iter().any(|&k| self.as_good(k, option, side)) {
                continue;
            }
            kept.retain(|&k| !self.as_good(option, k, side));
            kept.push(option);
        }
        kept
    }

    /// The sum of two values.
    pub(super) fn sum(&mut self, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::ZERO, other) | (other, Value::ZERO) => return other,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.sums.get(&key) {
            return known;
        }
        let options = [0, 1].map(|side| {
            let mut options = Vec::new();
            for option in self.options(a, side) {
                options.push(self.sum(option, b));
            }
            for option in self.options(b, side) {
                options.push(self.sum(a, option));
            }
            options
        });
        let sum = self.of(options);
        self.sums.insert(key, sum);
        sum
    }

    /// Whether a side that moves first, and loses when it cannot move, wins.
    pub(super) fn wins(&mut self, value: Value, mover: Side) -> bool {
        match mover {
            Side::Right => !self.at_most(Value::ZERO, value),
            Side::Left | Side::Either => !self.at_most(value, Value::ZERO),
        }
    }
}
