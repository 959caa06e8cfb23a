//! Rates as whole numbers, so that they divide over agents without loss.

use serde::{Serialize, Serializer};

/// Thousandths of operations a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Rate(u64);

/// Beyond this a rate is a typing error.
const MOST_PER_S: f64 = 1e12;

impl Rate {
    /// Returns the nearest thousandth; none where the number is negative, not a number, or absurd.
    #[must_use]
    pub fn new(per_s: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e15")]
        (0.0..=MOST_PER_S).contains(&per_s).then(|| Self((per_s * 1e3).round() as u64))
    }

    /// As a number.
    #[must_use]
    pub fn per_s(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// So many times as much.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        Self(self.0.saturating_mul(count.into()))
    }

    /// Parts that add up to the whole, by largest remainder: the first agents get what is left over. Whole numbers stay whole
    /// where there is one for each agent; else they are divided too, so that none is left with nothing to do.
    #[must_use]
    pub fn split(self, agents: u32) -> Vec<Self> {
        let agents = u64::from(agents.max(1));
        let stays_whole = self.0.is_multiple_of(1_000) && self.0 / 1_000 >= agents;
        let unit = if stays_whole { 1_000 } else { 1 };
        let units = self.0 / unit;
        (0..agents).map(|agent| Self((units / agents + u64::from(agent < units % agents)) * unit)).collect()
    }
}

impl Serialize for Rate {
    /// Whole rates without a decimal point.
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
