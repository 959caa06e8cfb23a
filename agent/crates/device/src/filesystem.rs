//! Facts about the folder of a file: its file system, free space, and whether direct I/O is possible.

use std::fs;
use std::path::{Path, PathBuf};

use measure::series::WorkloadError;

use crate::safety::refusal;

/// Number of bytes left free besides the file, so that a run never fills a file system completely.
const RESERVE_BYTES: u64 = 64 << 20;

/// Returns the kernel's name of the type of the file system that holds `folder`; `unknown` if it cannot be determined.
pub fn name_of(folder: &Path) -> String {
    Mount::of(folder).map_or_else(|| "unknown".into(), |mount| mount.kind)
}

/// A mounted file system.
#[derive(Debug)]
pub struct Mount {
    pub point: PathBuf,
    /// The kernel's name of its type.
    pub kind: String,
    /// What is mounted, usually a device.
    pub source: String,
    /// Options, separated by commas.
    pub options: String,
}

impl Mount {
    /// Returns the mount that holds `path`; `None` if it cannot be determined.
    pub fn of(path: &Path) -> Option<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        Self::find(&mounts, &path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }

    /// Returns the deepest mount that contains `path`; of two at the same point the later one, which hides the earlier.
    fn find(mounts: &str, path: &Path) -> Option<Self> {
        mounts
            .lines()
            .filter_map(|line| {
                let (before, after) = line.split_once(" - ")?;
                let (mut before, mut after) = (before.split(' ').skip(4), after.split(' '));
                Some(Self {
                    point: PathBuf::from(unescape(before.next()?)),
                    options: before.next()?.to_owned(),
                    kind: after.next()?.to_owned(),
                    source: after.next()?.to_owned(),
                })
            })
            .filter(|mount| path.starts_with(&mount.point))
            .max_by_key(|mount| mount.point.components().count())
    }
}

/// Decodes the octal escapes of mount points for space, tab, line feed and backslash.
fn unescape(point: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .iter()
        .fold(point.to_owned(), |point, (escape, character)| point.replace(escape, character))
}

/// Returns whether a file system is in memory only. Such file systems may accept direct I/O, but no drive is involved.
pub fn is_memory(file_system: &str) -> bool {
    matches!(file_system, "tmpfs" | "ramfs" | "devtmpfs" | "hugetlbfs" | "rootfs")
}

/// Returns the error that direct I/O is not possible at `path`, for the reason `what`.
pub fn no_direct_io(path: &Path, file_system: &str, what: &str) -> WorkloadError {
    WorkloadError(format!(
        "{}: {what} on file system {file_system}, so the drive cannot be measured around the page cache (O_DIRECT); \
         choose a folder on a local drive (ext4, xfs), or set direct_io = false, which measures memory too and is \
         recorded with the run",
        path.display()
    ))
}

/// Checks that a file of `size_bytes` fits on the file system of `folder`. Fails if it does not fit, with the free and needed
/// sizes, or if the free size cannot be read.
pub fn check_capacity(folder: &Path, size_bytes: u64) -> Result<(), WorkloadError> {
    let statistics = rustix::fs::statvfs(folder).map_err(|error| {
        refusal(folder, &format!("cannot read how much room is left: {error}; choose another folder"))
    })?;
    let free_bytes = statistics.f_bavail.saturating_mul(statistics.f_frsize);
    let needed_bytes = size_bytes.saturating_add(RESERVE_BYTES);
    if free_bytes >= needed_bytes {
        return Ok(());
    }
    Err(WorkloadError(format!(
        "{}: {} MiB are free, {} MiB are needed; free some room, choose another folder or a smaller file_size_bytes",
        folder.display(),
        free_bytes >> 20,
        needed_bytes >> 20
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "22 1 254:0 / / rw shared:1 - ext4 /dev/root rw\n\
        30 22 0:25 / /tmp rw - tmpfs tmpfs rw\n\
        31 22 0:26 / /mnt/a\\040b rw - xfs /dev/sdb rw\n\
        32 22 0:27 / /data rw,nosuid - xfs /dev/nvme0n1 rw\n\
        33 22 0:28 / /data rw - tmpfs none rw\n";

    #[test]
    fn the_deepest_and_latest_mount_decides() {
        let kind = |path: &str| Mount::find(MOUNTS, Path::new(path)).map(|mount| mount.kind);
        assert_eq!(kind("/home/x").as_deref(), Some("ext4"));
        assert_eq!(kind("/tmp/x").as_deref(), Some("tmpfs"));
        assert_eq!(kind("/tmpx").as_deref(), Some("ext4"), "a prefix of a name is no parent");
        assert_eq!(kind("/mnt/a b/c").as_deref(), Some("xfs"));
        assert_eq!(kind("/data/act.dat").as_deref(), Some("tmpfs"), "the later one hides the earlier");
        assert!(Mount::find("", Path::new("/")).is_none());
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused_with_figures() {
        let folder = tempfile::tempdir().expect("temporary folder");
        assert!(check_capacity(folder.path(), 4096).is_ok());
        let refusal = check_capacity(folder.path(), 1 << 60).expect_err("an exbibyte is not free").to_string();
        assert!(refusal.contains("MiB are free, 1099511627840 MiB are needed"), "{refusal}");
    }
}
