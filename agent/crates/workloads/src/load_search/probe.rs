//! Probes, with the scatter of their late operations, and the result of a search: the bracket, its stated error, and changes that
//! limit its validity.

use serde::{Deserialize, Serialize};

/// Result of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    Pass,
    /// The objective did not hold, and the load generator kept its schedule.
    Fail,
    /// The objective did not hold, but the load generator was late or busy, so this proves nothing about the server.
    Limited,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    pub load: f64,
    #[serde(rename = "word")]
    pub verdict: Verdict,
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

/// Reason why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// The bracket is narrow enough, and both of its bounds were measured again.
    Precision,
    /// The allowed number of probes after the bracket is used up.
    Probes,
    /// The allowed time is used up.
    Time,
    /// The highest allowed load passed.
    Top,
    /// No load passed, however low.
    NoPass,
}

/// A load whose result changed when it was measured again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub load: f64,
    pub before: Verdict,
    /// Result of the probe that preceded that measurement; `None` for the first probe.
    pub before_followed: Option<Verdict>,
    pub after: Verdict,
    /// Result of the probe that preceded that measurement.
    pub after_followed: Option<Verdict>,
    /// Whether the shares of late operations differ by more than their scatter, so that the server has changed.
    pub is_beyond_scatter: bool,
}

impl Change {
    /// Returns whether the load passed after a pass and failed after a failure: the server's state depends on the previous load.
    pub fn is_hysteresis(&self) -> bool {
        let follows = |verdict: Verdict, followed: Option<Verdict>| match verdict {
            Verdict::Pass => matches!(followed, None | Some(Verdict::Pass)),
            Verdict::Fail | Verdict::Limited => followed.is_some_and(|followed| followed != Verdict::Pass),
        };
        self.is_beyond_scatter && follows(self.before, self.before_followed) && follows(self.after, self.after_followed)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// Highest load that passed, below every load that failed.
    pub passed: Option<f64>,
    /// Lowest load that failed; `None` if the load generator or the highest load ended the search.
    pub failed: Option<f64>,
    /// Load that the generator could not produce, if that rather than the server ended the search.
    pub limited: Option<f64>,
    /// Lower bound with the stated error: the highest load up to `passed` that passes by more than its scatter. `None` if there is
    /// none that was measured since the server changed.
    pub surely_passed: Option<f64>,
    /// Upper bound with the stated error: the lowest load from `failed` on that fails by more than its scatter.
    pub surely_failed: Option<f64>,
    pub ended_by: EndedBy,
    /// Whether both bounds were measured at least twice since their results last changed.
    pub is_repeated: bool,
    /// Loads whose results changed, in the order of the changes.
    pub changes: Vec<Change>,
    /// Loads above a failed load that passed, by their latest results.
    pub passes_above_failure: Vec<f64>,
}
