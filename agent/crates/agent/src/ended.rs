//! A run that has ended.

use std::collections::BTreeMap;

use measure::series::Progress;
use wire::messages::Finish;

use crate::objective::ObjectiveAnswer;
use crate::summary::OperationSummary;

/// Result of a run.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Finish message of the run.
    pub finish: Finish,
    /// Last progress of each operation.
    pub last: BTreeMap<String, Progress>,
    /// Rate and latencies of each operation.
    pub operations: Vec<OperationSummary>,
    /// Whether the load generator itself was late or busy in part of the run.
    pub is_unreliable: bool,
    /// Answer to the objective of the plan, if it has one.
    pub objective: Option<ObjectiveAnswer>,
    /// Why not everything is delivered; `None` if everything is.
    pub undelivered: Option<String>,
}
