//! Why a spool could not do what it was asked.

use std::io;
use std::path::{Path, PathBuf};

use crate::messages::EncodingError;

/// The spool could not keep or give back what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// A file or folder could not be used.
    #[error("{action} {path}: {source}", path = path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// What the system said.
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
        /// The limit.
        limit_bytes: u64,
    },
    /// An earlier append failed, so that later ones would leave a gap.
    #[error("the spool in {path} takes nothing more since an earlier write failed", path = path.display())]
    Closed {
        /// Folder of the run.
        path: PathBuf,
    },
    /// Another process works on this run.
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
    /// A file of the spool does not hold what it should.
    #[error("{path} cannot be read: {reason}", path = path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
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
