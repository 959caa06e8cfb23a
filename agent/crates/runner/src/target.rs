//! What a run is made of: a plan, which is pure, and a target, which does the input and output.

use measure::series::WorkloadError;

use crate::lane::Lane;
use crate::session::Session;

/// What is measured: prepared before, taken away after.
pub trait Target: Send + Sync + 'static {
    /// The commands that its sessions carry out.
    type Command: Copy + Send + 'static;

    /// A session for measuring thread `thread`, made by that thread.
    ///
    /// # Errors
    /// A sentence that says what is in the way and what to do.
    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = Self::Command>>, WorkloadError>;

    /// Whether the failure `code` of this command means that there is nothing left to measure, in a sentence. `look`:
    /// there is time to look, which is so about once a second.
    fn lost(&self, _command: &Self::Command, _code: i32, _look: bool) -> Option<String> {
        None
    }

    /// After the run: a check of what was measured and taking away what was prepared; a sentence where something is
    /// left behind or the run was not what it seems.
    fn clear(&self) -> Option<String> {
        None
    }
}

/// What is done with it: pure, so that any thread may ask at any time.
pub trait Plan: Send + Sync + 'static {
    /// As of the target.
    type Command: Copy + Send + 'static;

    /// The lanes of measuring thread `thread`; in a ramp their arrivals rise for so long.
    fn lanes(&self, thread: usize, ramp_ns: Option<u64>) -> Vec<Lane<Self::Command>>;
}

/// When a run is given up, in part or as a whole.
#[derive(Debug, Clone)]
pub struct Rules {
    /// How late an operation may begin before the run is given up; none: as late as it likes.
    pub largest_lateness_ns: Option<u64>,
    /// How long a command may take before it is given up.
    pub timeout_ns: u64,
    /// What is measured, in one word for sentences: `drive`, `server`.
    pub measured: &'static str,
}
