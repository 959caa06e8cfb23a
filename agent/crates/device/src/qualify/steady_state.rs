//! When a drive has settled under a load, by the rule of SNIA's performance test specification: over five rounds the range of
//! the rate is at most 20 % of its mean, and the line of least squares through them rises or falls by at most 10 % of it.
//!
//! Beyond that rule, rounds in which the drive slowed itself down by heat are part of no steady window: their rate is that of
//! the cooling.

use serde::{Deserialize, Serialize};

/// Rounds of a window.
pub const WINDOW_ROUNDS: usize = 5;
/// More rounds are not measured.
pub const MOST_ROUNDS: usize = 25;
/// Largest range of a steady window, as a part of its mean.
const RANGE_RATIO: f64 = 0.2;
/// Largest rise of the fitted line over a steady window, as a part of its mean.
const EXCURSION_RATIO: f64 = 0.1;
/// What adding up may lose.
const ROUNDING: f64 = 1.0 + 1e-12;

/// One round of the load.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Operations a second.
    pub per_s: f64,
    /// Seconds in which the drive slowed itself down by heat; 0 also where it does not say.
    pub throttled_s: f64,
}

/// The figures of a window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Mean of the rates.
    pub mean_per_s: f64,
    /// Largest less smallest rate, as a part of the mean.
    pub range_ratio: f64,
    /// Rise or fall of the fitted line over the window, as a part of the mean.
    pub excursion_ratio: f64,
}

impl Window {
    /// Returns the figures of some rounds; none where nothing was done in them.
    #[must_use]
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

/// What the rounds so far say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum SteadyState {
    /// Not settled yet; another round is needed.
    Unsettled,
    /// Settled in the window that begins with this round, counted from 1.
    Steady {
        /// First round of the first steady window.
        first_round: usize,
        /// Its figures.
        window: Window,
    },
    /// Not settled after the last round, and the drive slowed itself down by heat in the last window.
    Throttled {
        /// Seconds of it in that window.
        throttled_s: f64,
    },
    /// Not settled after the last round. This is a result.
    NotSteady {
        /// Figures of the last window; none where nothing was done in it.
        window: Option<Window>,
    },
}

impl SteadyState {
    /// Returns the answer of the rounds so far.
    #[must_use]
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
