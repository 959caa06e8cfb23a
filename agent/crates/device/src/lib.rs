//! Measuring a drive: the ACT storage workload over interchangeable engines.
//!
//! `resolve` says what will be executed on this machine, `prepare` creates and fills the file, and the workload that it
//! returns reads records at random beside reads and writes of large blocks, each at its own constant rate (open loop).

mod act;
mod aligned;
pub mod engine;
mod filesystem;
pub mod plan;
pub mod rates;
mod target;

use std::time::Duration;

use measure::series::{StopFlag, Workload, WorkloadError};

pub use plan::{ActStoragePlan, EngineChoice};

/// The plan as it will be executed: checked, with `auto` replaced by the engine that this machine offers.
///
/// # Errors
/// A sentence that names the field or the path and what to do.
pub fn resolve(plan: &ActStoragePlan) -> Result<ActStoragePlan, WorkloadError> {
    plan.validate()?;
    rates::schedules(plan)?;
    Ok(ActStoragePlan { engine: engine::resolve(plan.engine), ..plan.clone() })
}

/// Creates and fills the file, so that `run` begins at once. `notify` gets sentences for a person about what takes long.
/// `histogram_every` is a whole number of seconds, because a histogram interval is a sum of ticks.
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
    let plan = resolve(plan)?;
    if duration.is_zero() {
        return Err(WorkloadError("the duration is 0; give at least one second".into()));
    }
    let ticks_per_histogram = measure::recorder::ticks_per_histogram(histogram_every)?;
    let target = match plan.engine {
        EngineChoice::Null => None,
        _ => Some(target::Target::prepare(&plan, notify, stop)?),
    };
    Ok(Box::new(act::ActStorage::new(plan, target, duration, ticks_per_histogram)?))
}
