//! The failures of a command, and their exit codes.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use measure::series::WorkloadError;

/// Exit code of a command whose results are measured, but not all delivered.
pub const NOT_DELIVERED: u8 = 3;

/// A failure of a command: a sentence for people, with an exit code by variant.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command or the plan is wrong; nothing was done.
    #[error("{0}")]
    Usage(String),
    /// The workload could not begin or continue.
    #[error("{0}")]
    Workload(String),
    /// The run is measured, but not everything is delivered.
    #[error("{0}")]
    Undelivered(String),
}

impl From<WorkloadError> for Failure {
    fn from(WorkloadError(sentence): WorkloadError) -> Self {
        Self::Workload(format!("not measured: {sentence}"))
    }
}

/// Returns the text of a file; `what` names it in the failure.
pub fn read_text(what: &str, path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::Usage(format!("cannot read {what} {}: {error}", path.display())))
}

impl Failure {
    pub fn no_thread(error: &io::Error) -> Self {
        Self::Workload(format!("the system has no thread left: {error}"))
    }

    /// Returns the exit code: 2 for usage, 1 for the workload, 3 for delivery.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Workload(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
            Self::Undelivered(_) => ExitCode::from(NOT_DELIVERED),
        }
    }
}
