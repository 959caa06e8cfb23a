//! Measurements of drives: the ACT workloads over interchangeable engines.
//!
//! `resolve` completes a plan for this machine. `prepare` opens the devices (or creates and fills files) and returns a workload of
//! random record reads beside reads and writes of large blocks, each at its own rate (open loop). Block devices are only written to
//! after the checks of `safety`.

mod act;
mod aligned;
pub mod closed_load;
pub mod closed_queue;
pub mod command;
pub mod config;
mod content;
pub mod counters;
mod drive;
pub mod engine;
mod extents;
pub mod filesystem;
mod nvme;
pub mod plan;
pub mod precondition;
pub mod qualify;
pub mod rates;
pub mod safety;
pub mod smart;
pub mod sync_write;

use std::time::Duration;

use measure::clock::whole_ns;
use measure::series::{StopFlag, Workload, WorkloadError};

pub use drive::device_size_bytes;
pub use engine::settings::EngineChoice;
pub use plan::{ActStoragePlan, PlanError};

/// Reason why a plan cannot be executed on this machine.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A drive of the plan cannot be used.
    #[error(transparent)]
    Drive(#[from] WorkloadError),
}

impl From<ResolveError> for WorkloadError {
    fn from(error: ResolveError) -> Self {
        Self(error.to_string())
    }
}

/// Returns the plan as it will be executed: checked, with `auto` replaced by an engine of this machine, and with the load and size
/// that follow from its other fields.
pub fn resolve(plan: &ActStoragePlan) -> Result<ActStoragePlan, ResolveError> {
    plan.validate()?;
    rates::rates(plan, plan.device_count())?;
    let mut plan = ActStoragePlan { engine: engine::resolve(plan.engine), ..plan.clone() };
    plan.load_multiple = plan.effective_load();
    if plan.file_size_bytes.is_none() {
        let devices = plan.paths().into_iter().filter(|path| drive::is_device(path));
        let sizes: Result<Vec<u64>, _> = devices.map(drive::device_size_bytes).collect();
        plan.file_size_bytes = Some(sizes?.into_iter().min().unwrap_or(plan.size_bytes()));
    }
    Ok(plan)
}

/// Opens devices, creates and fills files, and returns a workload that can start immediately. `notify` receives messages about long
/// steps. A histogram interval is a sum of ticks, at least one. Fails if the plan is invalid, a device or file cannot be prepared, or `stop` was set. Nothing is left behind.
pub fn prepare(
    plan: &ActStoragePlan,
    duration: Duration,
    ticks_per_histogram: u64,
    notify: &dyn Fn(&str),
    stop: &StopFlag,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let plan = resolve(plan)?;
    let paths = if plan.engine == EngineChoice::Null { Vec::new() } else { plan.paths() };
    let drives = paths.iter().map(|path| drive::Drive::prepare(&plan, path, notify, stop));
    let drives = drives.collect::<Result<Vec<_>, _>>()?;
    Ok(Box::new(act::Act::prepared(plan, drives, whole_ns(duration), ticks_per_histogram)?))
}

/// Returns a run over the null engine with a clock that does not wait, to measure the speed of the generator itself.
pub fn prepare_simulated(
    plan: &ActStoragePlan,
    duration: Duration,
    ticks_per_histogram: u64,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let plan = ActStoragePlan { engine: EngineChoice::Null, ..plan.clone() };
    plan.validate()?;
    let prepared = act::Act::prepared(plan, Vec::new(), whole_ns(duration), ticks_per_histogram)?;
    Ok(Box::new(runner::Prepared { without_waiting: true, ..prepared }))
}

/// Returns a run of ACT on a simulated drive, with the drive's clock.
pub fn prepare_on_model(
    plan: &ActStoragePlan,
    model: &engine::simulated::SharedModel,
    duration: Duration,
    ticks_per_histogram: u64,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let size_bytes = engine::simulated::locked(model).size_bytes();
    let plan = ActStoragePlan {
        engine: EngineChoice::Null,
        threads: Some(1),
        file_size_bytes: Some(size_bytes),
        ..plan.clone()
    };
    let plan = resolve(&plan)?;
    let (act, series_table) = act::Act::new(plan, &[], whole_ns(duration), ticks_per_histogram)?;
    let sizes = act.sizes();
    let slots = (sizes.records_at_once + sizes.large_blocks_at_once) as usize;
    let target = engine::simulated::SimulatedTarget { model: std::sync::Arc::clone(model), slots };
    Ok(Box::new(runner::Prepared { without_waiting: true, ..act.on(target, series_table) }))
}
