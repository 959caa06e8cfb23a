//! Intended times of operations: evenly spaced, random (Poisson), or accelerating (the ramp before a run).
//!
//! A cursor walks over the intended times of one lane. Two cursors of the same arrivals yield the same times, so the recorder can
//! count intended operations without asking the dispatching thread. Arrivals can be split into parts for several threads.

use crate::random::{self, Stream};
use crate::schedule::Schedule;

/// Selects the operations of one kind from a shared schedule, as a function of the operation's number alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pick {
    /// Operations whose random bits are at least `from` and below `to`; `to` = 0 means 2⁶⁴.
    Drawn { stream: Stream, from: u64, to: u64 },
    /// Positions `from..to` of a repeating cycle.
    Cycle { period: u64, from: u64, to: u64 },
}

impl Pick {
    /// Returns one selection per kind, drawn with these shares, which must add up to 1. A share of 0 selects nothing.
    pub fn drawn(seed: u64, stream: u64, shares: &[f64]) -> Vec<Self> {
        let (stream, mut below) = (Stream::new(seed, stream), 0.0);
        let mut edges = vec![0];
        for share in shares {
            below += share;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2^53")]
            let edge = (below.min(1.0) * 9_007_199_254_740_992.0).round() as u64;
            edges.push(edge << 11);
        }
        // The last kind extends to 2⁶⁴, written as 0, whatever the rounding of the shares.
        if let Some(last) = edges.last_mut() {
            *last = 0;
        }
        edges.windows(2).map(|edge| Self::Drawn { stream, from: edge[0], to: edge[1] }).collect()
    }

    /// Returns one selection per kind, where kinds alternate: `lengths[0]` operations of the first, and so on, repeated.
    pub fn cycle(lengths: &[u64]) -> Vec<Self> {
        let period = lengths.iter().sum();
        let mut to = 0;
        let mut next = |length: &u64| {
            let from = to;
            to += length;
            Self::Cycle { period, from, to }
        };
        lengths.iter().map(&mut next).collect()
    }

    /// Returns whether operation `number` is of this kind.
    #[inline]
    pub fn holds(&self, number: u64) -> bool {
        match *self {
            Self::Drawn { stream, from, to } => {
                let bits = stream.bits(number);
                from <= bits && (bits < to || to == 0)
            }
            Self::Cycle { period, from, to } => (from..to).contains(&(number % period)),
        }
    }

    /// Returns the share of operations that it selects.
    pub fn share(&self) -> f64 {
        match *self {
            Self::Drawn { from: 0, to: 0, .. } => 1.0,
            // The wrapping difference treats `to` = 0 as 2⁶⁴.
            Self::Drawn { from, to, .. } => to.wrapping_sub(from) as f64 / 18_446_744_073_709_551_616.0,
            Self::Cycle { period, from, to } => (to - from) as f64 / period as f64,
        }
    }
}

/// Intended times of the operations of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrivals {
    /// Evenly spaced: the operations `first`, `first + stride`, … of the schedule; those of one kind, if `pick` selects it.
    Constant { schedule: Schedule, first: u64, stride: u64, pick: Option<Pick> },
    /// Independent exponential gaps, as from many independent users. `stream` numbers the lanes that share the seed.
    Poisson { rate_per_s: f64, seed: u64, stream: u64 },
    /// A rate that rises linearly from 0 to `rate_per_s` at `ramp_ns`, and further after that; of it the operations `first`,
    /// `first + stride`, …
    Ramp { rate_per_s: f64, ramp_ns: u64, first: u64, stride: u64 },
}

impl From<Schedule> for Arrivals {
    fn from(schedule: Schedule) -> Self {
        Self::Constant { schedule, first: 0, stride: 1, pick: None }
    }
}

impl Arrivals {
    /// Returns the mean number of operations per second; for a ramp, the rate at its end.
    pub fn rate_per_s(&self) -> f64 {
        match self {
            Self::Constant { schedule, stride, pick, .. } => {
                schedule.rate().as_per_second() / *stride as f64 * pick.as_ref().map_or(1.0, Pick::share)
            }
            Self::Poisson { rate_per_s, .. } => *rate_per_s,
            Self::Ramp { rate_per_s, stride, .. } => rate_per_s / *stride as f64,
        }
    }

    /// Returns part `part` of `of` parts, which together are these arrivals.
    pub fn part(self, part: u64, of: u64) -> Self {
        match self {
            Self::Constant { schedule, first, stride, pick } => {
                Self::Constant { schedule, first: first + part * stride, stride: stride * of, pick }
            }
            Self::Ramp { rate_per_s, ramp_ns, first, stride } => {
                Self::Ramp { rate_per_s, ramp_ns, first: first + part * stride, stride: stride * of }
            }
            // A Poisson process split at random is that many independent Poisson processes.
            Self::Poisson { rate_per_s, seed, stream } => {
                Self::Poisson { rate_per_s: rate_per_s / of as f64, seed, stream: stream * of + part }
            }
        }
    }

    /// Returns the operations of one kind; arrivals that are not evenly spaced are returned unchanged.
    pub fn picked(self, pick: Pick) -> Self {
        match self {
            Self::Constant { schedule, first, stride, pick: None } => {
                Self::Constant { schedule, first, stride, pick: Some(pick) }
            }
            other => other,
        }
    }

    /// Returns the ramp that ends at the rate of these arrivals.
    pub fn ramp(self, ramp_ns: u64) -> Self {
        let (first, stride) = match self {
            Self::Constant { first, stride, .. } => (first, stride),
            _ => (0, 1),
        };
        Self::Ramp { rate_per_s: self.rate_per_s() * stride as f64, ramp_ns, first, stride }
    }

    /// Returns a cursor before the first intended time.
    pub fn cursor(self) -> Cursor {
        let state = match self {
            Self::Constant { schedule, first, stride, pick } => match (Even::new(schedule, first, stride), pick) {
                (even, None) => State::Even(even),
                (even, Some(pick)) => State::Picked { even, at: first, stride, pick },
            },
            Self::Poisson { rate_per_s, seed, stream } => {
                State::Random { gap_ns: 1e9 / rate_per_s, seed, stream: stream.wrapping_add(1 << 20), at_ns: 0.0 }
            }
            Self::Ramp { rate_per_s, ramp_ns, first, stride } => {
                // The expected number of operations until t is rate · t² / (2 · ramp).
                let scale = 2.0 * ramp_ns as f64 * 1e9 / rate_per_s;
                State::Rising { scale, first: first as f64, stride: stride as f64 }
            }
        };
        let mut cursor = Cursor { number: 0, next_ns: 0, state };
        match self {
            Self::Constant { schedule, first, .. } => {
                cursor.next_ns = schedule.intended_ns(first);
                cursor.find_picked();
            }
            Self::Poisson { .. } | Self::Ramp { .. } => cursor.next_ns = cursor.computed_ns(),
        }
        cursor
    }
}

/// Exact integer arithmetic from one operation of an evenly spaced part to the next.
#[derive(Debug, Clone)]
struct Even {
    whole_ns: u64,
    rest: u128,
    divisor: u128,
    sum: u128,
}

impl Even {
    fn new(schedule: Schedule, first: u64, stride: u64) -> Self {
        let (whole_ns, rest, divisor) = schedule.step(stride);
        Self { whole_ns, rest, divisor, sum: schedule.rest(first) }
    }

    fn step_ns(&mut self) -> u64 {
        self.sum += self.rest;
        let carry = u64::from(self.sum >= self.divisor);
        if carry == 1 {
            self.sum -= self.divisor;
        }
        self.whole_ns + carry
    }
}

#[derive(Debug, Clone)]
enum State {
    Even(Even),
    // `at` is the number of the next operation in the shared schedule.
    Picked { even: Even, at: u64, stride: u64, pick: Pick },
    Random { gap_ns: f64, seed: u64, stream: u64, at_ns: f64 },
    Rising { scale: f64, first: f64, stride: f64 },
}

/// Walks over intended times in ascending order.
#[derive(Debug, Clone)]
pub struct Cursor {
    number: u64,
    next_ns: u64,
    state: State,
}

impl Cursor {
    /// Returns the number of the next operation, counted from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the intended time of the next operation, in nanoseconds from the start.
    pub fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// Advances past the next operation.
    pub fn advance(&mut self) {
        self.number += 1;
        match &mut self.state {
            State::Even(even) => self.next_ns = self.next_ns.saturating_add(even.step_ns()),
            State::Picked { even, at, stride, .. } => {
                self.next_ns = self.next_ns.saturating_add(even.step_ns());
                *at = at.saturating_add(*stride);
                self.find_picked();
            }
            State::Random { .. } | State::Rising { .. } => self.next_ns = self.computed_ns(),
        }
    }

    /// Advances to the next operation of the kind, staying put if the current operation is of it.
    fn find_picked(&mut self) {
        let State::Picked { even, at, stride, pick } = &mut self.state else { return };
        // A kind with share 0 is never found; the search then ends at the largest time.
        while !pick.holds(*at) && self.next_ns < u64::MAX {
            self.next_ns = self.next_ns.saturating_add(even.step_ns());
            *at = at.saturating_add(*stride);
        }
    }

    /// Advances past all operations intended before `offset_ns` and returns their number since offset 0.
    pub fn count_before(&mut self, offset_ns: u64) -> u64 {
        while self.next_ns < offset_ns {
            self.advance();
        }
        self.number
    }

    fn computed_ns(&mut self) -> u64 {
        let at_ns = match &mut self.state {
            State::Even(_) | State::Picked { .. } => return self.next_ns,
            State::Random { gap_ns, seed, stream, at_ns } => {
                // 53 bits in (0, 1], so that the logarithm is finite.
                let unit = ((random::bits(*seed, *stream, self.number) >> 11) + 1) as f64 / 9_007_199_254_740_992.0;
                *at_ns -= unit.ln() * *gap_ns;
                *at_ns
            }
            State::Rising { scale, first, stride } => ((*first + self.number as f64 * *stride + 0.5) * *scale).sqrt(),
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "never negative; saturates")]
        let at_ns = at_ns as u64;
        at_ns
    }
}

#[cfg(test)]
#[path = "arrivals_tests.rs"]
mod tests;
