//! How operations arrive: evenly, at random (Poisson), or ever faster (the ramp before a run).
//!
//! A cursor walks over the intended times of one lane; two cursors of the same arrivals yield the same times, so the
//! recorder can count what was intended without asking the thread that dispatches. Arrivals can be dealt out to several
//! threads: the parts together are the whole.

use crate::random;
use crate::schedule::Schedule;

/// Intended times of one operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrivals {
    /// Evenly spaced; this thread takes numbers `first`, `first + stride`, …
    Constant {
        /// All of them.
        schedule: Schedule,
        /// First number of this part.
        first: u64,
        /// Distance between numbers of this part, at least 1.
        stride: u64,
    },
    /// Independent exponential gaps: as many users who know nothing of each other.
    Poisson {
        /// Mean rate.
        rate_per_s: f64,
        /// Source of the gaps.
        seed: u64,
        /// Which of the lanes that share the seed.
        stream: u64,
    },
    /// From nothing to `rate_per_s` at `ramp_ns`, linearly; what comes later keeps getting faster.
    Ramp {
        /// Rate at the end of the ramp.
        rate_per_s: f64,
        /// Length of the ramp.
        ramp_ns: u64,
        /// First number of this part.
        first: u64,
        /// Distance between numbers of this part, at least 1.
        stride: u64,
    },
}

impl From<Schedule> for Arrivals {
    fn from(schedule: Schedule) -> Self {
        Self::Constant { schedule, first: 0, stride: 1 }
    }
}

impl Arrivals {
    /// Mean operations per second; of a ramp, those at its end.
    #[must_use]
    pub fn rate_per_s(&self) -> f64 {
        match self {
            Self::Constant { schedule, stride, .. } => schedule.rate().as_per_second() / *stride as f64,
            Self::Poisson { rate_per_s, .. } => *rate_per_s,
            Self::Ramp { rate_per_s, stride, .. } => rate_per_s / *stride as f64,
        }
    }

    /// Part `part` of `of` parts that together are this.
    #[must_use]
    pub fn part(self, part: u64, of: u64) -> Self {
        match self {
            Self::Constant { schedule, first, stride } => {
                Self::Constant { schedule, first: first + part * stride, stride: stride * of }
            }
            Self::Ramp { rate_per_s, ramp_ns, first, stride } => {
                Self::Ramp { rate_per_s, ramp_ns, first: first + part * stride, stride: stride * of }
            }
            // A Poisson process dealt out at random is as many independent ones.
            Self::Poisson { rate_per_s, seed, stream } => {
                Self::Poisson { rate_per_s: rate_per_s / of as f64, seed, stream: stream * of + part }
            }
        }
    }

    /// The ramp that ends where this begins.
    #[must_use]
    pub fn ramp(self, ramp_ns: u64) -> Self {
        let (first, stride) = match self {
            Self::Constant { first, stride, .. } => (first, stride),
            _ => (0, 1),
        };
        Self::Ramp { rate_per_s: self.rate_per_s() * stride as f64, ramp_ns, first, stride }
    }

    /// A cursor before the first intended time.
    #[must_use]
    pub fn cursor(self) -> Cursor {
        let state = match self {
            Self::Constant { schedule, first, stride } => {
                let (whole_ns, rest, divisor) = schedule.step(stride);
                State::Even { whole_ns, rest, divisor, sum: schedule.rest(first) }
            }
            Self::Poisson { rate_per_s, seed, stream } => {
                State::Random { gap_ns: 1e9 / rate_per_s, seed, stream: stream.wrapping_add(1 << 20), at_ns: 0.0 }
            }
            Self::Ramp { rate_per_s, ramp_ns, first, stride } => {
                // Operations up to t are rate · t² / (2 · ramp).
                let scale = 2.0 * ramp_ns as f64 * 1e9 / rate_per_s;
                State::Rising { scale, first: first as f64, stride: stride as f64 }
            }
        };
        let mut cursor = Cursor { number: 0, next_ns: 0, state };
        match self {
            Self::Constant { schedule, first, .. } => cursor.next_ns = schedule.intended_ns(first),
            Self::Poisson { .. } | Self::Ramp { .. } => cursor.next_ns = cursor.computed_ns(),
        }
        cursor
    }
}

#[derive(Debug, Clone)]
enum State {
    Even { whole_ns: u64, rest: u128, divisor: u128, sum: u128 },
    Random { gap_ns: f64, seed: u64, stream: u64, at_ns: f64 },
    Rising { scale: f64, first: f64, stride: f64 },
}

/// Walks over intended times.
#[derive(Debug, Clone)]
pub struct Cursor {
    number: u64,
    next_ns: u64,
    state: State,
}

impl Cursor {
    /// How many operations lie behind; the number of the next one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Intended time of the next operation.
    #[must_use]
    pub fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// Steps behind the next operation.
    pub fn advance(&mut self) {
        self.number += 1;
        if let State::Even { whole_ns, rest, divisor, sum } = &mut self.state {
            *sum += *rest;
            let carry = u64::from(*sum >= *divisor);
            if carry == 1 {
                *sum -= *divisor;
            }
            self.next_ns = self.next_ns.saturating_add(*whole_ns + carry);
            return;
        }
        self.next_ns = self.computed_ns();
    }

    /// Steps behind everything that is intended before `offset_ns` and tells how many operations lie behind.
    pub fn count_before(&mut self, offset_ns: u64) -> u64 {
        while self.next_ns < offset_ns {
            self.advance();
        }
        self.number
    }

    fn computed_ns(&mut self) -> u64 {
        let at_ns = match &mut self.state {
            State::Even { .. } => return self.next_ns,
            State::Random { gap_ns, seed, stream, at_ns } => {
                // 53 bits in (0, 1]: the logarithm is finite.
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
mod tests {
    use super::*;
    use crate::schedule::Rate;
    use proptest::prelude::*;

    const SECOND: u64 = 1_000_000_000;

    fn even(operations: u128, per_ns: u128) -> Schedule {
        Schedule::new(Rate::new(operations, per_ns).expect("usable"), 1, 3)
    }

    proptest! {
        #[test]
        fn a_cursor_walks_over_the_times_of_the_formula(
            operations in 1_u128..3_000_000, per_s in 1_u128..100, part in 0_u64..4, of in 4_u64..9,
        ) {
            let schedule = even(operations, per_s * 1_000_000_000);
            let mut cursor = Arrivals::from(schedule).part(part, of).cursor();
            for number in 0..200 {
                prop_assert_eq!(cursor.next_ns(), schedule.intended_ns(part + number * of));
                cursor.advance();
            }
        }

        #[test]
        fn parts_together_are_the_whole(operations in 1_u128..100_000, of in 1_u64..9, until in 1_u64..3_000_000_000) {
            let schedule = even(operations, 1_000_000_000);
            let parts: u64 =
                (0..of).map(|part| Arrivals::from(schedule).part(part, of).cursor().count_before(until)).sum();
            prop_assert_eq!(parts, schedule.count_before(until));
        }
    }

    #[test]
    fn random_arrivals_have_the_mean_and_the_spread_of_a_poisson_process() {
        let arrivals = Arrivals::Poisson { rate_per_s: 1_000.0, seed: 3, stream: 0 };
        let mut cursor = arrivals.cursor();
        let counts: Vec<f64> = (1..=400)
            .scan(0, |before, tenth| {
                let through = cursor.count_before(tenth * SECOND / 10);
                let count = through - std::mem::replace(before, through);
                Some(count as f64)
            })
            .collect();
        let mean = counts.iter().sum::<f64>() / 400.0;
        let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / 399.0;
        // Standard errors: 0.5 of the mean, 7.1 of the variance; five of them.
        assert!((mean - 100.0).abs() < 2.5, "{mean}");
        assert!((variance - 100.0).abs() < 36.0, "{variance}");
        let (mut one, mut two) = (arrivals.cursor(), arrivals.part(1, 2).cursor());
        assert_eq!(arrivals.cursor().count_before(SECOND), one.count_before(SECOND), "repeatable");
        assert_ne!(two.next_ns(), arrivals.part(0, 2).cursor().next_ns());
        assert!((400..600).contains(&two.count_before(SECOND)));
    }

    #[test]
    fn a_ramp_has_half_the_operations_and_ends_at_the_rate() {
        let ramp = Arrivals::from(even(2_000, 1_000_000_000)).ramp(10 * SECOND);
        assert_eq!(ramp.cursor().count_before(10 * SECOND), 10_000);
        let mut cursor = ramp.cursor();
        let (before, all) = (cursor.count_before(9_900_000_000), cursor.count_before(10 * SECOND));
        assert!((198..=200).contains(&(all - before)));
        let halves: u64 = (0..2).map(|part| ramp.part(part, 2).cursor().count_before(10 * SECOND)).sum();
        assert_eq!(halves, 10_000);
    }
}
