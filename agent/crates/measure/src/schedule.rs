//! Schedules: a constant rate in exact rational arithmetic, so that nothing drifts over days, and intended times do not depend on
//! the system under test (open loop, docs/method.md section 4.2). `arrivals` adds other processes.

/// Operations per time, as an exact ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    operations: u128,
    per_ns: u128,
}

/// Error for a rate that is zero or too large, or whose ratio is too fine to calculate with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{operations} operations per {per_ns} ns is no usable rate; it must be above 0 and below one per nanosecond")]
pub struct RateUnusable {
    operations: u128,
    per_ns: u128,
}

/// Upper bound of a reduced numerator, so that the time of 2^50 operations at any phase fits in 128 bits.
const LARGEST_NUMERATOR: u128 = 1 << 62;

impl Rate {
    /// Returns a rate of `operations` per `per_ns` nanoseconds. Fails if a part is 0, the rate exceeds one operation per
    /// nanosecond, or the reduced ratio is too fine to calculate with.
    pub fn new(operations: u128, per_ns: u128) -> Result<Self, RateUnusable> {
        let unusable = RateUnusable { operations, per_ns };
        if operations == 0 || per_ns == 0 || operations > per_ns {
            return Err(unusable);
        }
        let divisor = greatest_common_divisor(operations, per_ns);
        let rate = Self { operations: operations / divisor, per_ns: per_ns / divisor };
        if rate.operations >= LARGEST_NUMERATOR {
            return Err(unusable);
        }
        Ok(rate)
    }

    /// Returns the rate in operations per second, rounded to a millionth. Fails if it is not finite, rounds to 0, or exceeds 10⁹.
    pub fn per_second(rate_per_s: f64) -> Result<Self, RateUnusable> {
        const MILLIONTHS: f64 = 1e6;
        let millionths = (rate_per_s * MILLIONTHS).round();
        if !(1.0..=1e15).contains(&millionths) {
            return Err(RateUnusable { operations: 0, per_ns: 1_000_000_000_000_000 });
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in 1..=10^15")]
        let operations = millionths as u128;
        Self::new(operations, 1_000_000_000_000_000)
    }

    /// Returns the approximate number of operations per second.
    pub fn as_per_second(&self) -> f64 {
        self.operations as f64 / self.per_ns as f64 * 1e9
    }
}

/// A constant rate that starts at a fraction of its period. The k-th intended time is a function of k alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    rate: Rate,
    phase: u8,
    of_period: u8,
}

impl Schedule {
    /// Returns a schedule whose first operation is intended at `phase / of_period` of a period, so that parallel schedules need not
    /// coincide. An `of_period` of 0 counts as 1.
    pub fn new(rate: Rate, phase: u8, of_period: u8) -> Self {
        Self { rate, phase, of_period: of_period.max(1) }
    }

    /// Returns the rate.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Returns the intended time of operation `number` (0, 1, …) in nanoseconds from the start, rounded down.
    pub fn intended_ns(&self, number: u64) -> u64 {
        let parts = u128::from(number) * u128::from(self.of_period) + u128::from(self.phase);
        let divisor = u128::from(self.of_period) * self.rate.operations;
        // parts × per_ns / divisor in two steps, because the product may exceed 128 bits.
        let (whole, rest) = (self.rate.per_ns / divisor, self.rate.per_ns % divisor);
        let offset = parts.saturating_mul(whole).saturating_add(parts.saturating_mul(rest) / divisor);
        u64::try_from(offset).unwrap_or(u64::MAX)
    }

    /// Returns the time that `operations` operations take: whole nanoseconds, and the numerator and divisor of the remaining
    /// fraction. Adding these up yields `intended_ns` exactly, without a division for each operation.
    pub(crate) fn step(&self, operations: u64) -> (u64, u128, u128) {
        let divisor = u128::from(self.of_period) * self.rate.operations;
        let parts = u128::from(operations) * u128::from(self.of_period);
        let (whole, rest) = (self.rate.per_ns / divisor, self.rate.per_ns % divisor);
        let (more, rest) = (parts * rest / divisor, parts * rest % divisor);
        (u64::try_from(parts.saturating_mul(whole).saturating_add(more)).unwrap_or(u64::MAX), rest, divisor)
    }

    /// Returns the fraction of a nanosecond that `intended_ns` rounds off, as a numerator over the divisor of [`Self::step`].
    pub(crate) fn rest(&self, number: u64) -> u128 {
        let parts = u128::from(number) * u128::from(self.of_period) + u128::from(self.phase);
        let divisor = u128::from(self.of_period) * self.rate.operations;
        parts * (self.rate.per_ns % divisor) % divisor
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Schedule {
        /// Returns the number of operations intended before `offset_ns` (exclusive).
        pub(crate) fn count_before(&self, offset_ns: u64) -> u64 {
            if offset_ns == 0 {
                return 0;
            }
            let (mut low, mut high) = self.guess(offset_ns);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.intended_ns(middle) < offset_ns {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        }

        /// Returns bounds on `count_before`, computed in floating point with a relative error of 2⁻⁵⁰.
        fn guess(&self, offset_ns: u64) -> (u64, u64) {
            let about = offset_ns as f64 * (self.rate.operations as f64 / self.rate.per_ns as f64);
            let slack = about * 1e-14 + 4.0 + f64::from(self.phase) / f64::from(self.of_period);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating is what is wanted")]
            let bounds = ((about - slack).max(0.0) as u64, (about + slack) as u64);
            bounds
        }
    }

    fn schedule(operations: u128, per_ns: u128) -> Schedule {
        Schedule::new(Rate::new(operations, per_ns).expect("usable"), 0, 1)
    }

    #[test]
    fn a_third_of_a_second_does_not_drift_over_ten_years() {
        let thirds = schedule(3, 1_000_000_000);
        assert_eq!(thirds.intended_ns(1), 333_333_333);
        assert_eq!(thirds.intended_ns(2), 666_666_666);
        let ten_years_s = 10 * 365 * 86_400;
        assert_eq!(thirds.intended_ns(3 * ten_years_s), ten_years_s * 1_000_000_000);
    }

    #[test]
    fn a_phase_shifts_every_operation_by_the_same_part_of_the_period() {
        let shifted = Schedule::new(Rate::new(2_000, 1_000_000_000).expect("usable"), 1, 4);
        assert_eq!(shifted.intended_ns(0), 125_000);
        assert_eq!(shifted.intended_ns(4), 2_125_000);
        assert_eq!(shifted.count_before(125_000), 0);
        assert_eq!(shifted.count_before(125_001), 1);
    }

    #[test]
    fn rates_per_second_keep_a_millionth() {
        assert_eq!(Rate::per_second(105.0), Rate::new(105, 1_000_000_000));
        assert_eq!(Rate::per_second(0.1), Rate::new(1, 10_000_000_000));
        assert!(Rate::per_second(f64::NAN).is_err());
        assert!(Rate::per_second(0.0).is_err());
        assert!(Rate::new(2, 1).is_err());
    }

    proptest! {
        #[test]
        fn counting_is_the_inverse_of_intending(
            operations in 1_u128..2_000_000_000_000, per_s in 1_u128..1_000_000, phase in 0_u8..7, number in 0_u64..1 << 40,
        ) {
            let per_ns = per_s * 1_000_000_000;
            prop_assume!(operations <= per_ns / 2);
            let schedule = Schedule::new(Rate::new(operations, per_ns).expect("usable"), phase, 7);
            let intended = schedule.intended_ns(number);
            prop_assume!(intended < u64::MAX / 2);
            prop_assert_eq!(schedule.count_before(intended), number);
            prop_assert_eq!(schedule.count_before(intended + 1), number + 1);
        }

        #[test]
        fn adjoining_stretches_add_up(operations in 1_u128..5_000_000, cuts in proptest::collection::vec(0_u64..1 << 44, 2..20)) {
            let schedule = schedule(operations, 1_000_000_000);
            let mut cuts = cuts;
            cuts.sort_unstable();
            let sum: u64 = cuts.windows(2).map(|pair| schedule.count_before(pair[1]) - schedule.count_before(pair[0])).sum();
            prop_assert_eq!(sum, schedule.count_before(cuts[cuts.len() - 1]) - schedule.count_before(cuts[0]));
        }

        #[test]
        fn the_rate_is_kept_to_one_operation_over_any_time(operations in 1_u64..5_000_000, seconds in 1_u64..100_000) {
            let schedule = schedule(u128::from(operations), 1_000_000_000);
            prop_assert_eq!(schedule.count_before(seconds * 1_000_000_000), operations * seconds);
        }
    }
}
