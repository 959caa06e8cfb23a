//! Measuring a database: transactions of many sequential reads, begun at a constant rate whatever the server does.
#![forbid(unsafe_code)]

pub mod plan;

use std::time::Duration;

use measure::series::{StopFlag, Workload, WorkloadError};

pub use plan::{DriverChoice, FraudPlan};

/// The plan as it will be executed, checked.
///
/// # Errors
/// A sentence that names the field and what is allowed.
pub fn resolve(plan: &FraudPlan) -> Result<FraudPlan, WorkloadError> {
    plan.validate()?;
    Ok(plan.clone())
}

/// Connects and loads the keys, so that `run` begins at once. `notify` gets sentences for a person about what takes long.
///
/// # Errors
/// A sentence that says what happened, where and what to do; also when `stop` was set.
pub fn prepare(
    plan: &FraudPlan,
    duration: Duration,
    histogram_every: Duration,
    notify: &dyn Fn(&str),
    stop: &StopFlag,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let _ = (duration, histogram_every, notify, stop);
    let plan = resolve(plan)?;
    Err(WorkloadError(format!("no driver for {}", plan.address)))
}
