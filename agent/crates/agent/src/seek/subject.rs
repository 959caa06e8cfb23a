//! The subject of a search: everything that differs between database servers and drives.

use crate::barrier::Barrier;
use crate::cli::SeekArgs;
use crate::ended::Ended;
use crate::failure::Failure;
use crate::probe::ProbeOf;

/// First load where neither the command nor the plan names a rate.
const USUAL_START_PER_S: f64 = 1_000.0;
/// A phase of a plan on a database server, or a drive.
pub trait Subject {
    /// Names it, for the state of the search.
    fn place(&self) -> String;
    /// The load of the plan.
    fn planned_load_per_s(&self) -> Option<f64>;
    /// Does what comes before the first probe; false where it was stopped.
    fn begin(&self) -> Result<bool, Failure> {
        Ok(true)
    }
    /// Measures one probe to its end.
    fn measure(&self, probe: ProbeOf<'_>) -> Result<Ended, Failure>;
    /// Where probes wait for the other agents of a campaign.
    fn barrier(&self) -> Option<&Barrier> {
        None
    }
    /// Does what comes after the last probe.
    fn end(&self) -> Result<(), Failure> {
        Ok(())
    }
    /// Returns a failure with the sentence for a person.
    fn explained(&self, failure: Failure) -> Failure {
        failure
    }
}

/// Returns the first load: as it was typed, else that of the plan.
pub fn start_per_s(args: &SeekArgs, planned_per_s: Option<f64>) -> f64 {
    args.start.or(planned_per_s).unwrap_or(USUAL_START_PER_S)
}
