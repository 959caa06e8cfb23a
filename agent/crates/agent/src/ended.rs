//! A run that has ended.

use std::collections::BTreeMap;

use measure::series::Progress;
use wire::messages::Finish;

use crate::objective::ObjectiveAnswer;
use crate::summary::OperationSummary;

/// What is known at the end of a run.
#[derive(Debug, Clone)]
pub struct Ended {
    /// How it ended.
    pub finish: Finish,
    /// The last thing that each operation showed.
    pub last: BTreeMap<String, Progress>,
    /// Each operation with its rate and latencies.
    pub operations: Vec<OperationSummary>,
    /// The load generator itself was late or busy in part of it.
    pub is_unreliable: bool,
    /// The answer to what the plan asks.
    pub objective: Option<ObjectiveAnswer>,
    /// Why not everything is delivered, if so.
    pub undelivered: Option<String>,
}
