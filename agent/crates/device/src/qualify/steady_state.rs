//! Detection of steady state by the rule of SNIA's performance test specification: over five rounds, the range of the rate is at
//! most 20 % of its mean, and their least-squares line rises or falls by at most 10 % of the mean.
//!
//! In addition to that rule, a steady window contains no rounds in which the drive throttled because of heat, since their rate
//! depends on the cooling.

use serde::{Deserialize, Serialize};

pub const WINDOW_ROUNDS: usize = 5;
/// Largest number of rounds that are measured.
pub const MOST_ROUNDS: usize = 25;
/// Largest range of a steady window, relative to its mean.
const RANGE_RATIO: f64 = 0.2;
/// Largest rise or fall of the fitted line over a steady window, relative to its mean.
const EXCURSION_RATIO: f64 = 0.1;
/// Tolerance for rounding errors of sums.
const ROUNDING: f64 = 1.0 + 1e-12;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Round {
    pub per_s: f64,
    /// Time during which the drive throttled because of heat, in seconds; also 0 if the drive does not report it.
    pub throttled_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Window {
    pub mean_per_s: f64,
    /// Difference between the largest and the smallest rate, relative to the mean.
    pub range_ratio: f64,
    /// Absolute rise or fall of the fitted line over the window, relative to the mean.
    pub excursion_ratio: f64,
}

impl Window {
    /// Returns the statistics of `rounds`, or `None` if there are fewer than two or no operations.
    pub fn of(rounds: &[Round]) -> Option<Self> {
        let count = rounds.len() as f64;
        let mean_per_s = rounds.iter().map(|round| round.per_s).sum::<f64>() / count;
        if rounds.len() < 2 || !mean_per_s.is_finite() || mean_per_s <= 0.0 {
            return None;
        }
        let (lowest, highest) = rounds
            .iter()
            .fold((f64::MAX, f64::MIN), |(lowest, highest), round| (lowest.min(round.per_s), highest.max(round.per_s)));
        let position = |number: usize| number as f64 - (count - 1.0) / 2.0;
        let (products, squares) = rounds.iter().enumerate().fold((0.0, 0.0), |(products, squares), (number, round)| {
            let position = position(number);
            (products + position * (round.per_s - mean_per_s), squares + position * position)
        });
        Some(Self {
            mean_per_s,
            range_ratio: (highest - lowest) / mean_per_s,
            excursion_ratio: (products / squares).abs() * (count - 1.0) / mean_per_s,
        })
    }

    fn is_steady(&self) -> bool {
        self.range_ratio <= RANGE_RATIO * ROUNDING && self.excursion_ratio <= EXCURSION_RATIO * ROUNDING
    }
}

/// Conclusion from the rounds so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum SteadyState {
    /// Not steady yet; another round is needed.
    Unsettled,
    /// Steady in this window, which is the first; its first round is counted from 1.
    Steady { first_round: usize, window: Window },
    /// Not steady after the last round, and the drive throttled because of heat in the last window, for so many seconds.
    Throttled { throttled_s: f64 },
    /// Not steady after the last round, with the statistics of the last window (`None` without operations in it). This is a valid
    /// result.
    NotSteady { window: Option<Window> },
}

impl SteadyState {
    /// Returns the conclusion from the rounds so far.
    pub fn of(rounds: &[Round]) -> Self {
        let rounds = &rounds[..rounds.len().min(MOST_ROUNDS)];
        for (first, window) in rounds.windows(WINDOW_ROUNDS).enumerate() {
            let is_cool = window.iter().all(|round| round.throttled_s <= 0.0);
            if let Some(window) = Window::of(window).filter(|window| is_cool && window.is_steady()) {
                return Self::Steady { first_round: first + 1, window };
            }
        }
        if rounds.len() < MOST_ROUNDS {
            return Self::Unsettled;
        }
        let last = &rounds[MOST_ROUNDS - WINDOW_ROUNDS..];
        let throttled_s: f64 = last.iter().map(|round| round.throttled_s).sum();
        if throttled_s > 0.0 { Self::Throttled { throttled_s } } else { Self::NotSteady { window: Window::of(last) } }
    }
}
