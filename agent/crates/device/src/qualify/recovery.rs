//! How a drive comes back to its rate: after another load, and by being left alone.

use serde::{Deserialize, Serialize};

/// A rate has recovered at this share of the earlier rate.
const BACK_RATIO: f64 = 0.9;
/// Being left alone has helped from this part of the rate without on.
const HELPED_RATIO: f64 = 1.1;

/// How a rate comes back after another load.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Recovery {
    /// Mean rate before the other load.
    pub before_per_s: f64,
    /// Rate of the first round after it, as a part of that.
    pub first_ratio: f64,
    /// From which round on the rate is back for good, counted from 1; none: not within the rounds.
    pub back_from_round: Option<usize>,
}

impl Recovery {
    /// Returns how the rates after compare with those before; none without either.
    #[must_use]
    pub fn of(before_per_s: &[f64], after_per_s: &[f64]) -> Option<Self> {
        let mean = before_per_s.iter().sum::<f64>() / before_per_s.len() as f64;
        let first = after_per_s.first().filter(|_| mean.is_finite() && mean > 0.0)?;
        let is_back = |rate: &f64| *rate >= BACK_RATIO * mean;
        let too_slow = after_per_s.iter().rposition(|rate| !is_back(rate)).map_or(0, |last| last + 1);
        Some(Self {
            before_per_s: mean,
            first_ratio: first / mean,
            back_from_round: (too_slow < after_per_s.len()).then_some(too_slow + 1),
        })
    }
}

/// The rate of a burst after idle time, as a part of the rate without.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct IdleGain {
    /// How long the drive was left alone.
    pub idle_s: u64,
    /// Above 1: it was faster for it.
    pub ratio: f64,
}

/// Returns the shortest idle time that has helped; none where none did.
#[must_use]
pub fn helpful_idle(gains: &[IdleGain]) -> Option<IdleGain> {
    gains.iter().filter(|gain| gain.ratio >= HELPED_RATIO).min_by_key(|gain| gain.idle_s).copied()
}
