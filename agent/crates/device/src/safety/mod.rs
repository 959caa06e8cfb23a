//! Checks before a block device may be written to. All of them must pass; anything that cannot be determined is a refusal:
//!
//! 1. The allow-list on this machine names the device by its serial number. No server can extend it.
//! 2. The person who starts the run repeats that serial number.
//! 3. The device is not in use: no mount, no swap, no holder (LVM, RAID, encryption), no partitions, and no process that holds it
//!    open (as far as this user may see processes).
//! 4. The device holds no data: two independent checks, a list of signatures and util-linux's `blkid`, find no partition table,
//!    file system, LVM, RAID, swap, encryption, or storage of a database.
//! 5. The kernel opens it exclusively, and all of the above is true for the opened handle, wherever the path leads by then.
//!
//! Reading needs no consent. The measurement then only changes this device, from its start to the planned size.

mod allow_list;
#[cfg(test)]
pub(crate) mod loop_device;
mod signatures;
mod system;
pub(crate) mod usage;

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use measure::series::WorkloadError;
use rustix::fs::OFlags;

pub use allow_list::{DEFAULT_PATH, is_protected};
pub(crate) use system::refusal;
pub use system::{Consent, System};
pub use usage::Identity;

/// Opens a block device for writing after all checks. The checks apply to the opened handle, because the path may lead to a
/// different device a moment later. Fails with the reason and a remedy if a check fails. Nothing was written then.
pub fn open_for_writing(path: &Path, consent: &Consent, direct_io: bool) -> Result<File, WorkloadError> {
    let system = System::default();
    // First opened for reading: closing a handle for writing would make udev probe the device, even after a refusal.
    let opened_for_reading = File::open(path).map_err(|error| refusal(path, &format!("cannot be read: {error}")))?;
    agreed(path, &opened_for_reading, consent, &system)?;
    drop(opened_for_reading);
    // Without O_CREAT, O_EXCL on a block device fails if a mount or a volume manager uses the device.
    let direct = if direct_io { OFlags::DIRECT } else { OFlags::empty() };
    let flags = (OFlags::EXCL | direct).bits().cast_signed();
    let opened = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::EBUSY) => {
            refusal(path, "the kernel says that it is in use, so it is not touched; unmount it or choose another")
        }
        _ => refusal(path, &format!("cannot be opened for writing: {error}")),
    })?;
    // The device may have been written to or replaced since the first check.
    agreed(path, &file, consent, &system)?;
    Ok(file)
}

/// Returns the identity of a block device. Fails if the path cannot be accessed or the kernel has no data about the device.
pub fn identity_of(path: &Path) -> Result<Identity, WorkloadError> {
    let device = path.metadata().map_err(|error| refusal(path, &format!("cannot be looked at: {error}")))?.rdev();
    usage::identity(path, (rustix::fs::major(device), rustix::fs::minor(device)), &System::default())
}

/// Runs all checks on the device behind `file`. `path` is only used in messages.
fn agreed(path: &Path, file: &File, consent: &Consent, system: &System) -> Result<(), WorkloadError> {
    let metadata = file.metadata().map_err(|error| refusal(path, &format!("cannot be looked at: {error}")))?;
    if !metadata.file_type().is_block_device() {
        return Err(refusal(path, "is no block device, so it is not touched"));
    }
    let device = metadata.rdev();
    let numbers = (rustix::fs::major(device), rustix::fs::minor(device));
    let identity = usage::identity(path, numbers, system)?;
    allow_list::check(path, &identity, &consent.allow_list)?;
    if !consent.serials.iter().any(|serial| identity.is_named_by(serial)) {
        return Err(refusal(path, &identity.how_to_confirm()));
    }
    usage::check(path, numbers, system)?;
    usage::check_processes(path, device, system)?;
    signatures::check(path, file)?;
    // A path to the same handle that a child process can open.
    let handle = system.proc.join(format!("{}/fd/{}", std::process::id(), file.as_raw_fd()));
    signatures::check_with_blkid(path, &handle, system)
}

#[cfg(test)]
mod tests;
