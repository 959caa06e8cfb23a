//! Types shared by the checks: kernel paths, the consent, and refusals.

use std::path::{Path, PathBuf};

use measure::series::WorkloadError;

/// Consent of the owner of the machine and of the person who starts a run.
#[derive(Debug, Clone)]
pub struct Consent {
    /// Serial numbers as repeated by the person who starts the run.
    pub serials: Vec<String>,
    /// Path of the list of devices that may be written to.
    pub allow_list: PathBuf,
}

/// Paths of kernel files and tools; replaced in tests.
#[derive(Debug, Clone)]
pub struct System {
    /// Usually `/sys`.
    pub sys: PathBuf,
    /// Usually `/proc`.
    pub proc: PathBuf,
    /// Possible paths of util-linux's `blkid`.
    pub blkid: Vec<PathBuf>,
}

impl Default for System {
    fn default() -> Self {
        let places = ["/usr/sbin/blkid", "/sbin/blkid", "/usr/bin/blkid"];
        Self { sys: "/sys".into(), proc: "/proc".into(), blkid: places.map(PathBuf::from).into() }
    }
}

/// Returns an error that names the device and the reason.
pub fn refusal(path: &Path, sentence: &str) -> WorkloadError {
    WorkloadError(format!("{}: {sentence}", path.display()))
}
