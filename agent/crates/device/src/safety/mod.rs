//! Which block devices may be written to. Everything has to agree, and every doubt is a refusal:
//!
//! 1. the allow-list on this machine names the device by its serial number (no server can widen it);
//! 2. the person who starts the run repeats that serial number;
//! 3. the device is not in use: no mount, no swap, no holder (LVM, RAID, encryption), no partitions, no process that
//!    holds it open (as far as this user may see processes);
//! 4. nothing on it looks like data: two independent looks, our own list of signatures and util-linux's `blkid`, find
//!    no partition table, file system, LVM, RAID, swap, encryption, or storage of a database;
//! 5. the kernel opens it exclusively, and all of this is true of the opened handle, whatever the path leads to by then.
//!
//! Reading never needs consent. Measuring afterwards changes only this device, from its start to the planned size.

mod allow_list;
pub(crate) mod folders;
mod holders;
#[cfg(test)]
pub(crate) mod loop_device;
mod signatures;
mod system;
mod usage;

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use measure::series::WorkloadError;
use rustix::fs::OFlags;

pub use allow_list::DEFAULT_PLACE;
use system::refusal;
pub use system::{Consent, System};
pub use usage::Identity;

/// Opens a block device for writing, after every check. The opened handle is checked: a path may lead elsewhere a moment
/// later.
///
/// # Errors
/// A sentence with the objection and what to do. Nothing was written.
pub fn open_for_writing(path: &Path, consent: &Consent, direct_io: bool) -> Result<File, WorkloadError> {
    let system = System::default();
    // Opened for reading first: closing a handle for writing makes udev look at the device, which a refusal should not.
    let opened_for_reading = File::open(path).map_err(|error| refusal(path, &format!("cannot be read: {error}")))?;
    agreed(path, &opened_for_reading, consent, &system)?;
    drop(opened_for_reading);
    // Without O_CREAT, O_EXCL on a block device excludes every other use: by a mount or a volume manager.
    let direct = if direct_io { OFlags::DIRECT } else { OFlags::empty() };
    let flags = (OFlags::EXCL | direct).bits().cast_signed();
    let opened = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::EBUSY) => {
            refusal(path, "the kernel says that it is in use, so it is not touched; unmount it or choose another")
        }
        _ => refusal(path, &format!("cannot be opened for writing: {error}")),
    })?;
    // It may have been written to, or replaced by another device, since the first check.
    agreed(path, &file, consent, &system)?;
    Ok(file)
}

/// What a block device is called.
///
/// # Errors
/// A sentence that says why the kernel does not tell.
pub fn identity_of(path: &Path) -> Result<Identity, WorkloadError> {
    let device = path.metadata().map_err(|error| refusal(path, &format!("cannot be looked at: {error}")))?.rdev();
    usage::identity(path, (rustix::fs::major(device), rustix::fs::minor(device)), &System::default())
}

/// Every check, of the device that `file` is. The path is for sentences only.
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
    holders::check(path, device, system)?;
    signatures::look(path, file)?;
    // The same handle again, under a name that a child can open.
    let handle = system.proc.join(format!("{}/fd/{}", std::process::id(), file.as_raw_fd()));
    signatures::ask_blkid(path, &handle, system)
}

#[cfg(test)]
mod tests;
