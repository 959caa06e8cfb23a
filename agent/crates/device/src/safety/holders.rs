//! Processes that hold a device open. A database that uses a raw device does not open it exclusively, so neither the mounts nor
//! `O_EXCL` reveal it.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::thread;
use std::time::Duration;

use measure::series::WorkloadError;

use super::system::{System, refusal};

/// Number of checks before a refusal, because udev and similar programs briefly open a device whenever it changes.
const CHECKS: u32 = 4;
const CHECK_EVERY: Duration = Duration::from_millis(250);

/// Returns an error if another process has the device number `device` open, as far as this user may see that.
pub fn check(path: &Path, device: u64, system: &System) -> Result<(), WorkloadError> {
    for attempt in 1..=CHECKS {
        let Some((pid, name)) = holder(device, system) else { return Ok(()) };
        if attempt == CHECKS {
            return Err(refusal(
                path,
                &format!(
                    "is held open by process {pid} ({name}), so it is not touched; end that process or choose another \
                     device"
                ),
            ));
        }
        thread::sleep(CHECK_EVERY);
    }
    Ok(())
}

/// Returns id and name of the first other process that has the device open.
fn holder(device: u64, system: &System) -> Option<(u32, String)> {
    let processes = fs::read_dir(&system.proc).ok()?.flatten();
    let numbered = processes.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())));
    numbered.filter(|(pid, _): &(u32, _)| *pid != std::process::id()).find_map(|(pid, folder)| {
        // Unreadable for processes of other users.
        let mut handles = fs::read_dir(folder.join("fd")).ok()?.flatten();
        handles.find(|handle| {
            let of = fs::metadata(handle.path());
            of.is_ok_and(|metadata| metadata.file_type().is_block_device() && metadata.rdev() == device)
        })?;
        let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
        Some((pid, name.trim().to_owned()))
    })
}
