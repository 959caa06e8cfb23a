//! Measuring a drive: the ACT storage workload over interchangeable engines.

pub mod plan;
pub mod rates;

use std::time::Duration;

use measure::series::{StopFlag, Workload, WorkloadError};

pub use plan::{ActStoragePlan, EngineChoice};

/// The plan as it will be executed: checked, with `auto` replaced by the engine that this machine offers.
///
/// # Errors
/// A sentence that names the field or the path and what to do.
pub fn resolve(plan: &ActStoragePlan) -> Result<ActStoragePlan, WorkloadError> {
    plan.validate()?;
    Ok(plan.clone())
}

/// Creates and fills the file, so that `run` begins at once. `notify` gets sentences for a person about what takes long.
///
/// # Errors
/// A sentence that says what happened, where and what to do; also when `stop` was set. Nothing is left behind.
pub fn prepare(
    plan: &ActStoragePlan,
    duration: Duration,
    histogram_every: Duration,
    notify: &dyn Fn(&str),
    stop: &StopFlag,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let _ = (duration, histogram_every, notify, stop);
    let plan = resolve(plan)?;
    Err(WorkloadError(format!("no engine for {}", plan.path.display())))
}
