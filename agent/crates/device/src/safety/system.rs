//! Types that the checks share: paths of the kernel's files about devices, the consent, and refusals.

use std::path::{Path, PathBuf};

use measure::series::WorkloadError;

/// The consent of the owner of the machine and of the person who starts a run.
#[derive(Debug, Clone)]
pub struct Consent {
    /// Serial numbers that were repeated.
    pub serials: Vec<String>,
    /// The list of devices that may be written to at all.
    pub allow_list: PathBuf,
}

/// Paths of the kernel's files about devices; other paths in tests.
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

/// Returns a refusal that names the device.
pub fn refusal(path: &Path, sentence: &str) -> WorkloadError {
    WorkloadError(format!("{}: {sentence}", path.display()))
}
