//! What the checks share: where the kernel tells about devices, what was agreed to, and how a refusal reads.

use std::path::{Path, PathBuf};

use measure::series::WorkloadError;

/// What the owner of the machine and whoever starts a run have agreed to.
#[derive(Debug, Clone)]
pub struct Consent {
    /// Serial numbers that were repeated.
    pub serials: Vec<String>,
    /// The list of devices that may be written to at all.
    pub allow_list: PathBuf,
}

/// Where the kernel tells about devices; other places in tests.
#[derive(Debug, Clone)]
pub struct System {
    /// `/sys`.
    pub sys: PathBuf,
    /// `/proc`.
    pub proc: PathBuf,
    /// Places of util-linux's `blkid`.
    pub blkid: Vec<PathBuf>,
}

impl Default for System {
    fn default() -> Self {
        let places = ["/usr/sbin/blkid", "/sbin/blkid", "/usr/bin/blkid"];
        Self { sys: "/sys".into(), proc: "/proc".into(), blkid: places.map(PathBuf::from).into() }
    }
}

/// A refusal that names the device.
pub fn refusal(path: &Path, sentence: &str) -> WorkloadError {
    WorkloadError(format!("{}: {sentence}", path.display()))
}
