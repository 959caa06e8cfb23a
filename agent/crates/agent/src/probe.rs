//! One probe of a search for the highest load: as it is measured, remembered and printed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::messages::RunId;
use workloads::load_search::Probe;

use crate::objective::Objective;
use crate::target::named;

/// One probe, and the run that it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredProbe {
    #[serde(flatten)]
    pub probe: Probe,
    pub run_id: RunId,
    /// Bounds of the quantile; none where it lies among operations that missed.
    pub lower_ns: Option<u64>,
    pub upper_ns: Option<u64>,
    /// Slices in which the load generator was late or busy.
    pub unreliable_slices: usize,
    pub slices: usize,
}

/// What makes a run a probe of a search.
pub struct ProbeOf<'a> {
    pub objective: &'a Objective,
    pub search_id: RunId,
    /// 1, 2, …
    pub step: usize,
    pub load_per_s: f64,
    /// Length of a slice.
    pub ticks_per_histogram: u64,
    pub run_id: RunId,
}

impl ProbeOf<'_> {
    /// Returns what its plan says of the search.
    pub fn place(&self) -> Value {
        json!({
            "id": self.search_id.to_string(), "step": self.step, "kind": "probe",
            "load_per_s": self.load_per_s, "objective": self.objective.text,
        })
    }

    /// `run.ndjson` becomes `run-02.ndjson`.
    pub fn result_file(&self, path: &Path) -> PathBuf {
        named(path, &format!("{:02}", self.step))
    }
}
