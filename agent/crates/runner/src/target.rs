//! The two parts of a run: a plan, which is pure, and a target, which does the input and output.

use measure::series::WorkloadError;

use crate::lane::Lane;
use crate::session::Session;

/// The system under test: prepared before a run, removed after it.
pub trait Target: Send + Sync + 'static {
    /// The commands that its sessions carry out.
    type Command: Copy + Send + 'static;

    /// Returns a session for measuring thread `thread`, made by that thread.
    ///
    /// # Errors
    /// A sentence that says what is in the way and what to do.
    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = Self::Command>>, WorkloadError>;

    /// Returns a sentence where the failure `code` of this command means that there is nothing left to measure. `look`
    /// is true about once a second, when there is time for a closer check.
    fn lost(&self, _command: &Self::Command, _code: i32, _look: bool) -> Option<String> {
        None
    }

    /// Checks the run and removes its preparations.
    ///
    /// # Errors
    /// Where files are left behind, or the result needs a remark.
    fn finish(&self) -> Result<(), Warning> {
        Ok(())
    }
}

/// The operations of a run: pure, so that any thread may call it at any time.
pub trait Plan: Send + Sync + 'static {
    /// As of the target.
    type Command: Copy + Send + 'static;

    /// Returns the lanes of measuring thread `thread`; in a ramp their arrivals rise for so long.
    fn lanes(&self, thread: usize, ramp_ns: Option<u64>) -> Vec<Lane<Self::Command>>;
}

/// A remark on a run that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning(pub String);

/// When a run is given up, in part or as a whole.
#[derive(Debug, Clone)]
pub struct Rules {
    /// How late an operation may begin before the run is given up; none: without limit.
    pub largest_lateness_ns: Option<u64>,
    /// How long a command may take before it is given up.
    pub timeout_ns: u64,
    /// The word for the target in sentences: `drive`, `server`.
    pub measured: &'static str,
}
