//! The subject of a search: everything that differs between database servers and drives.

use crate::failure::Failure;
use crate::probe::ProbeOf;
use crate::station::Ended;

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
    /// Does what comes after the last probe.
    fn end(&self) -> Result<(), Failure> {
        Ok(())
    }
    /// Returns a failure as a person is told of it.
    fn explained(&self, failure: Failure) -> Failure {
        failure
    }
}
