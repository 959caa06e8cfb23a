//! Which block devices may be written to. Everything has to agree, and every doubt is a refusal:
//!
//! 1. the allow-list on this machine names the device by its serial number (no server can widen it);
//! 2. whoever starts the run repeats that serial number;
//! 3. nobody uses the device: no mount, no swap, no holder (LVM, RAID, encryption), no partitions;
//! 4. nothing on it looks like data: two independent looks, our own list of signatures and util-linux's `blkid`, find
//!    no partition table, file system, LVM, RAID, swap or encryption;
//! 5. the kernel opens it exclusively, and the signatures are looked for once more through that handle.
//!
//! Reading never needs consent. Measuring afterwards changes only this device, from its start to the planned size.

mod allow_list;
#[cfg(test)]
pub(crate) mod loop_device;
mod signatures;
mod usage;

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use measure::series::WorkloadError;
use rustix::fs::OFlags;

pub use allow_list::DEFAULT_PLACE;
pub use usage::Identity;

use crate::plan::ActStoragePlan;

/// What the owner of the machine and whoever starts a run have agreed to.
#[derive(Debug, Clone)]
pub struct Consent {
    /// Serial numbers that were repeated.
    pub serials: Vec<String>,
    /// The list of devices that may be written to at all.
    pub allow_list: PathBuf,
}

impl Consent {
    /// That of a plan.
    #[must_use]
    pub fn of(plan: &ActStoragePlan) -> Self {
        Self {
            serials: plan.confirm_serials.clone(),
            allow_list: plan.allow_list.clone().unwrap_or_else(|| DEFAULT_PLACE.into()),
        }
    }
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

/// Opens a block device for writing, after every check.
///
/// # Errors
/// A sentence that says what spoke against it and what to do. Nothing was written.
pub fn open_for_writing(path: &Path, consent: &Consent, direct_io: bool) -> Result<File, WorkloadError> {
    check(path, consent, &System::default())?;
    // Without O_CREAT, O_EXCL on a block device means that nobody else may use it: neither a mount nor a volume manager.
    let direct = if direct_io { OFlags::DIRECT } else { OFlags::empty() };
    let flags = (OFlags::EXCL | direct).bits().cast_signed();
    let opened = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::EBUSY) => {
            refusal(path, "the kernel says that it is in use, so it is not touched; unmount it or choose another")
        }
        _ => refusal(path, &format!("cannot be opened for writing: {error}")),
    })?;
    // Somebody may have written to it since the first look.
    signatures::look(path, &file)?;
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

/// Every check that comes before opening.
fn check(path: &Path, consent: &Consent, system: &System) -> Result<(), WorkloadError> {
    let device = path.metadata().map_err(|error| refusal(path, &format!("cannot be looked at: {error}")))?.rdev();
    let numbers = (rustix::fs::major(device), rustix::fs::minor(device));
    let identity = usage::identity(path, numbers, system)?;
    allow_list::check(path, &identity, &consent.allow_list)?;
    if !consent.serials.iter().any(|serial| identity.is_named_by(serial)) {
        return Err(refusal(path, &identity.how_to_confirm()));
    }
    usage::check(path, numbers, system)?;
    let file = File::open(path).map_err(|error| refusal(path, &format!("cannot be read: {error}")))?;
    signatures::look(path, &file)?;
    signatures::ask_blkid(path, system)
}

fn refusal(path: &Path, sentence: &str) -> WorkloadError {
    WorkloadError(format!("{}: {sentence}", path.display()))
}

#[cfg(test)]
mod tests;
