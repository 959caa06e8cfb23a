//! The subject of a search: everything that differs between database servers and drives.

use crate::cli::SeekArgs;
use crate::conclusion::Ended;
use crate::failure::Failure;
use crate::probe::ProbeRun;

/// First load if neither the command nor the plan names a rate, in operations a second.
const USUAL_START_PER_S: f64 = 1_000.0;

/// The subject of a search: a phase of a plan on a database server, or a drive.
pub trait Subject {
    /// Returns the name of the measured server or drive, by which the stored state is found.
    fn name(&self) -> String;
    /// Returns the load of the plan, in operations a second.
    fn planned_load_per_s(&self) -> Option<f64>;
    /// Prepares the first probe; returns `false` if it was stopped.
    fn begin(&self) -> Result<bool, Failure>;
    /// Measures one probe to its end.
    fn measure(&self, probe: ProbeRun<'_>) -> Result<Ended, Failure>;
    /// Cleans up after the last probe.
    fn end(&self) -> Result<(), Failure> {
        Ok(())
    }
    /// Returns a failure in words that fit the subject.
    fn explained(&self, failure: Failure) -> Failure {
        failure
    }
}

/// Returns the first load in operations a second: as typed, otherwise that of the plan.
pub fn start_per_s(args: &SeekArgs, planned_per_s: Option<f64>) -> f64 {
    args.start.or(planned_per_s).unwrap_or(USUAL_START_PER_S)
}
