//! The two parts of a run: a plan, which is pure, and a target, which does input and output.

use measure::series::WorkloadError;

use crate::lane::Lane;
use crate::session::Session;

/// The system under test: prepared before a run, removed after it.
pub trait Target: Send + Sync + 'static {
    /// Command of the target's sessions.
    type Command: Copy + Send + 'static;

    /// Opens a session for measuring thread `thread`, on that thread. Fails with the reason and a remedy if that is impossible.
    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = Self::Command>>, WorkloadError>;

    /// Returns an explanation if the failure `code` of a command means that the target no longer exists. `is_check_due` is true about once
    /// a second, to permit a slower check.
    fn lost(&self, _command: &Self::Command, _code: i32, _look: bool) -> Option<String> {
        None
    }

    /// Checks the run and removes its preparations. Fails if preparations remain, or the result needs a remark.
    fn finish(&self) -> Result<(), Warning> {
        Ok(())
    }
}

/// The operations of a run. Pure, so that any thread may call it at any time.
pub trait Plan: Send + Sync + 'static {
    /// Command of the target's sessions.
    type Command: Copy + Send + 'static;

    /// Returns the lanes of measuring thread `thread`. With `ramp_ns`, arrivals follow a ramp of this length.
    fn lanes(&self, thread: usize, ramp_ns: Option<u64>) -> Vec<Lane<Self::Command>>;
}

/// A remark on a finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning(pub String);

/// Limits at which a command or the run is given up.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Lateness at which the run is given up, in nanoseconds; `None` for no limit.
    pub largest_lateness_ns: Option<u64>,
    /// Time after which a command is given up, in nanoseconds.
    pub timeout_ns: u64,
    /// Noun for the target in messages: `drive`, `server`.
    pub measured: &'static str,
}
