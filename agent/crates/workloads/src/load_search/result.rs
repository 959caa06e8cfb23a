//! Result of a search: the bracket, its stated error, and changes that limit its validity.

use serde::{Deserialize, Serialize};

use super::probe::Verdict;

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
    /// Load whose result changed.
    pub load: f64,
    /// Result before the change.
    pub before: Verdict,
    /// Result of the probe that preceded that measurement; `None` for the first probe.
    pub before_followed: Option<Verdict>,
    /// Result after the change.
    pub after: Verdict,
    /// Result of the probe that preceded that measurement.
    pub after_followed: Option<Verdict>,
    /// Whether the shares of late operations differ by more than their scatter, so that the server has changed.
    pub is_beyond_scatter: bool,
}

impl Change {
    /// Returns whether the load passed after a pass and failed after a failure, in either order: the server's state depends on the
    /// previous load.
    pub fn is_hysteresis(&self) -> bool {
        let follows = |verdict: Verdict, followed: Option<Verdict>| match verdict {
            Verdict::Pass => matches!(followed, None | Some(Verdict::Pass)),
            Verdict::Fail | Verdict::Limited => followed.is_some_and(|followed| followed != Verdict::Pass),
        };
        self.is_beyond_scatter && follows(self.before, self.before_followed) && follows(self.after, self.after_followed)
    }
}

/// Result of a search.
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
    /// Reason why the search ended.
    pub ended_by: EndedBy,
    /// Whether both bounds were measured at least twice since their results last changed.
    pub is_repeated: bool,
    /// Loads whose results changed, in the order of the changes.
    pub changes: Vec<Change>,
    /// Loads above a failed load that passed, by their latest results.
    pub passes_above_failure: Vec<f64>,
}
