//! The failures of a command, and their exit codes.

use std::process::ExitCode;

/// A sentence for a person, and the exit code that belongs to it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command or the plan is wrong; nothing was done.
    #[error("{0}")]
    Usage(String),
    /// The workload could not begin or go on.
    #[error("{0}")]
    Workload(String),
    /// Measured, but not everything is delivered.
    #[error("{0}")]
    Undelivered(String),
}

impl Failure {
    /// 2, 1 or 3.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Workload(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
            Self::Undelivered(_) => ExitCode::from(3),
        }
    }
}
