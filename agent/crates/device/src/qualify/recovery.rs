//! Recovery of a drive's rate: after a different load, and after idle time.

use serde::{Deserialize, Serialize};

/// Share of the earlier rate at which a rate counts as recovered.
const BACK_RATIO: f64 = 0.9;
/// Ratio to the rate without idle time at which idle time counts as helpful.
const HELPED_RATIO: f64 = 1.1;

/// Recovery of a rate after a different load.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Recovery {
    /// Mean rate before the other load, per second.
    pub before_per_s: f64,
    /// Rate of the first round after the other load, divided by the rate before.
    pub first_ratio: f64,
    /// First round from which on the rate is recovered for good, counted from 1; `None` if that is not within the rounds.
    pub back_from_round: Option<usize>,
}

impl Recovery {
    /// Returns the recovery of rates after the other load, or `None` if a list is empty or the mean rate before is not positive.
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

/// Effect of idle time on the rate of a burst.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct IdleGain {
    /// Idle time before the burst, in seconds.
    pub idle_s: u64,
    /// Rate divided by the rate without idle time; above 1 if the burst was faster.
    pub ratio: f64,
}

/// Returns the gain of the shortest helpful idle time, or `None` if none helped.
pub fn helpful_idle(gains: &[IdleGain]) -> Option<IdleGain> {
    gains.iter().filter(|gain| gain.ratio >= HELPED_RATIO).min_by_key(|gain| gain.idle_s).copied()
}
