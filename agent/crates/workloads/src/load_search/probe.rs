//! Probes: their loads, results, and the scatter of their late operations.

use serde::{Deserialize, Serialize};

/// Result of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// The objective held.
    Pass,
    /// The objective did not hold, and the load generator kept its schedule.
    Fail,
    /// The objective did not hold, but the load generator was late or busy, so this proves nothing about the server.
    Limited,
}

/// A measured probe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// Load of the probe.
    pub load: f64,
    /// Result of the probe.
    #[serde(rename = "word")]
    pub verdict: Verdict,
    /// Numbers of operations.
    pub counts: Counts,
    /// Ratio of the scatter of its slices to that of independent operations, at least 1; higher if late operations cluster.
    pub dispersion: f64,
}

/// Numbers of late operations and of all operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Number of operations that were late, which is at or above the limit or missed.
    pub late: u64,
    /// Number of operations that were due.
    pub all: u64,
}

impl Counts {
    /// Returns the share of late operations.
    pub fn share(self) -> f64 {
        self.late as f64 / self.all.max(1) as f64
    }

    /// Returns the sum of several counts.
    pub fn of_all(counts: &[Self]) -> Self {
        counts.iter().fold(Self::default(), |sum, more| sum.plus(*more))
    }

    /// Returns the sum of both counts.
    pub fn plus(self, other: Self) -> Self {
        Self { late: self.late + other.late, all: self.all + other.all }
    }
}

impl Probe {
    /// Returns the probe of a load with the counts of its slices; there are none if only the verdict is known.
    pub fn of_slices(load: f64, verdict: Verdict, slices: &[Counts]) -> Self {
        let counts = Counts::of_all(slices);
        let (share, number) = (counts.share(), slices.len() as f64);
        let square = |slice: &Counts| (slice.late as f64 - share * slice.all as f64).powi(2);
        let squares = slices.iter().map(square).sum::<f64>() * number / (number - 1.0).max(1.0);
        let independent = counts.late as f64 * (1.0 - share);
        let dispersion = if independent > 0.0 { (squares / independent).max(1.0) } else { 1.0 };
        Self { load, verdict, counts, dispersion }
    }
}
