//! A probe: its load, its word, and how its late operations scatter.

use serde::{Deserialize, Serialize};

/// The result of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Word {
    /// The objective held.
    Pass,
    /// It did not, and the load generator kept its schedule.
    Fail,
    /// It did not, but the load generator itself was late or busy, so this proves nothing about the server.
    Limited,
}

/// A probe that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// Its load.
    pub load: f64,
    /// What it says.
    pub word: Word,
    /// Its operations.
    pub counts: Counts,
    /// How much more its slices scatter than independent operations would: 1, or more where operations are late together.
    pub dispersion: f64,
}

/// Late operations, and all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// As long as the limit or longer, or missed.
    pub late: u64,
    /// All that were due.
    pub all: u64,
}

impl Counts {
    /// Returns the share of late operations.
    #[must_use]
    pub fn share(self) -> f64 {
        self.late as f64 / self.all.max(1) as f64
    }

    /// Returns the sum of several.
    #[must_use]
    pub fn of_all(counts: &[Self]) -> Self {
        counts.iter().fold(Self::default(), |sum, more| sum.plus(*more))
    }

    /// Returns both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { late: self.late + other.late, all: self.all + other.all }
    }
}

impl Probe {
    /// Returns the probe of a load from the counts of its slices.
    #[must_use]
    pub fn of_slices(load: f64, word: Word, slices: &[Counts]) -> Self {
        let counts = Counts::of_all(slices);
        let (share, number) = (counts.share(), slices.len() as f64);
        let square = |slice: &Counts| (slice.late as f64 - share * slice.all as f64).powi(2);
        let squares = slices.iter().map(square).sum::<f64>() * number / (number - 1.0).max(1.0);
        let independent = counts.late as f64 * (1.0 - share);
        let dispersion = if independent > 0.0 { (squares / independent).max(1.0) } else { 1.0 };
        Self { load, word, counts, dispersion }
    }

    /// Returns the probe of a load whose word is all that is known, as with several limits at once.
    #[must_use]
    pub fn of_word(load: f64, word: Word) -> Self {
        Self::of_slices(load, word, &[])
    }
}
