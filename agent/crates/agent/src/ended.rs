//! A run that has ended.

use std::collections::BTreeMap;

use measure::series::Progress;
use wire::messages::Finish;

use crate::objective::ObjectiveAnswer;
use crate::summary::OperationSummary;

#[derive(Debug, Clone)]
pub struct Ended {
    pub finish: Finish,
    pub last: BTreeMap<String, Progress>,
    /// Rate and latencies of each operation.
    pub operations: Vec<OperationSummary>,
    /// Whether the load generator itself was late or busy in part of the run.
    pub is_unreliable: bool,
    pub objective: Option<ObjectiveAnswer>,
    /// Why not everything is delivered; `None` if everything is.
    pub undelivered: Option<String>,
}
