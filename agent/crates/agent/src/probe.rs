//! One probe of a search for the highest load, as it is remembered and printed.

use serde::{Deserialize, Serialize};
use wire::messages::RunId;
use workloads::load_search::Probe;

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
