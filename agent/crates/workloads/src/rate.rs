//! Rates in integers, so that they can be divided among agents without loss.

use serde::{Serialize, Serializer};

/// A rate in thousandths of operations per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Rate(u64);

/// Largest rate per second; higher rates are assumed to be typing errors.
const MOST_PER_S: f64 = 1e12;

impl Rate {
    /// Returns the rate rounded to a thousandth, or `None` if the number is negative, not a number, or above 10¹².
    pub fn new(per_s: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e15")]
        (0.0..=MOST_PER_S).contains(&per_s).then(|| Self((per_s * 1e3).round() as u64))
    }

    /// Returns the number of operations per second.
    pub fn per_s(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// Returns the rate multiplied by `count`.
    pub fn times(self, count: u32) -> Self {
        Self(self.0.saturating_mul(count.into()))
    }

    /// Returns the parts of each agent, which add up to the rate; the first agents get the remainder. A whole number of operations
    /// per second is split into whole numbers if there is at least one for each agent; otherwise thousandths are split, so that no
    /// part is 0 needlessly.
    pub fn split(self, agents: u32) -> Vec<Self> {
        let agents = u64::from(agents.max(1));
        let stays_whole = self.0.is_multiple_of(1_000) && self.0 / 1_000 >= agents;
        let unit = if stays_whole { 1_000 } else { 1 };
        let units = self.0 / unit;
        (0..agents).map(|agent| Self((units / agents + u64::from(agent < units % agents)) * unit)).collect()
    }
}

impl Serialize for Rate {
    /// Serializes whole rates as integers, others as floating-point numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1_000) {
            serializer.serialize_u64(self.0 / 1_000)
        } else {
            serializer.serialize_f64(self.per_s())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(per_s: f64, agents: u32) -> Vec<f64> {
        Rate::new(per_s).expect("a rate").split(agents).into_iter().map(Rate::per_s).collect()
    }

    #[test]
    fn parts_add_up_and_the_first_agents_get_the_rest() {
        assert_eq!(split(40.0, 3), [14.0, 13.0, 13.0]);
        assert_eq!(split(5_000.0, 3), [1667.0, 1667.0, 1666.0]);
        assert_eq!(split(0.4, 3), [0.134, 0.133, 0.133]);
        assert_eq!(split(2.0, 3), [0.667, 0.667, 0.666]);
        assert_eq!(split(3.0, 3), [1.0, 1.0, 1.0]);
        assert_eq!(split(0.0, 2), [0.0, 0.0]);
    }

    #[test]
    fn absurd_rates_are_none() {
        assert!([f64::NAN, -1.0, f64::INFINITY, 1e13].into_iter().all(|per_s| Rate::new(per_s).is_none()));
    }
}
