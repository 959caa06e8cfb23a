//! Errors of a spool.

use std::io;
use std::path::{Path, PathBuf};

use crate::messages::EncodingError;

/// Error of an operation on a spool.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// A file or folder could not be used.
    #[error("{action} {path}: {source}", path = path.display())]
    Io {
        /// What was attempted, such as "cannot read".
        action: &'static str,
        /// Path concerned.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The limit is reached.
    #[error(
        "the spool in {path} has reached its limit of {limit_bytes} bytes; send what it holds (`tailroom-agent drain`), \
         or allow more with --spool-limit-mib",
        path = path.display()
    )]
    Full {
        /// Folder of the run.
        path: PathBuf,
        /// The limit, in bytes.
        limit_bytes: u64,
    },
    /// An earlier append failed; a later one would leave a gap.
    #[error("the spool in {path} takes nothing more since an earlier write failed", path = path.display())]
    Closed {
        /// Folder of the run.
        path: PathBuf,
    },
    /// Another process has locked this run.
    #[error("{path} is in use by another agent, which is still measuring or sending this run", path = path.display())]
    InUse {
        /// Folder of the run.
        path: PathBuf,
    },
    /// The run is already in the spool.
    #[error("{path} already exists; a run is measured once: choose another run id, or drain this run", path = path.display())]
    Exists {
        /// Folder of the run.
        path: PathBuf,
    },
    /// A file of the spool has invalid content, or is missing.
    #[error("{path} cannot be read: {reason}", path = path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An interval could not be encoded.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
}

impl SpoolError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
