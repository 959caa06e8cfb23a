//! The failures of a command, and their exit codes.

use std::process::ExitCode;

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

impl Failure {
    /// Returns the exit code: 2 for usage, 1 for the workload, 3 for delivery.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Workload(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
            Self::Undelivered(_) => ExitCode::from(3),
        }
    }
}
