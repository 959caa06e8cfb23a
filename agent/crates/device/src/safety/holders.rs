//! Which process holds a device open. A database that writes to a raw device asks the kernel for nothing exclusive, so
//! neither a mount nor `O_EXCL` shows it.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::thread;
use std::time::Duration;

use measure::series::WorkloadError;

use super::system::{System, refusal};

/// udev and the like open a device for a moment whenever something about it changes.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

/// Refuses a device that another process has open, as far as this user may see that; `device` is its number.
pub fn check(path: &Path, device: u64, system: &System) -> Result<(), WorkloadError> {
    for look in 1..=LOOKS {
        let Some((pid, name)) = holder(device, system) else { return Ok(()) };
        if look == LOOKS {
            return Err(refusal(
                path,
                &format!(
                    "is held open by process {pid} ({name}), so it is not touched; end that process or choose another \
                     device"
                ),
            ));
        }
        thread::sleep(BETWEEN_LOOKS);
    }
    Ok(())
}

/// Returns the first other process that has the device open.
fn holder(device: u64, system: &System) -> Option<(u32, String)> {
    let processes = fs::read_dir(&system.proc).ok()?.flatten();
    let numbered = processes.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())));
    numbered.filter(|(pid, _): &(u32, _)| *pid != std::process::id()).find_map(|(pid, folder)| {
        // Of another user's processes this is not told.
        let mut handles = fs::read_dir(folder.join("fd")).ok()?.flatten();
        handles.find(|handle| {
            let of = fs::metadata(handle.path());
            of.is_ok_and(|metadata| metadata.file_type().is_block_device() && metadata.rdev() == device)
        })?;
        let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
        Some((pid, name.trim().to_owned()))
    })
}
