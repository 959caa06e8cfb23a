//! Identity and use of a device, as reported by the kernel: sysfs, mounts, swap, and processes that hold it open; and data folders of
//! databases.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use measure::series::WorkloadError;

use super::system::{System, refusal};

/// Identity of a device for its confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    name: String,
    pub size_bytes: u64,
    /// Serial number or world-wide name; `None` if the device reports neither.
    serial: Option<String>,
}

impl Identity {
    /// Returns whether `text` names the device: by its serial number, or by name and size if it has none.
    pub fn is_named_by(&self, text: &str) -> bool {
        self.text() == text.trim()
    }

    pub(super) fn how_to_confirm(&self) -> String {
        if self.serial.is_some() {
            return "measuring destroys everything on it; if that is meant, repeat its serial number with \
                    --confirm-serial (`lsblk -o NAME,MODEL,SERIAL,SIZE` shows it)"
                .into();
        }
        format!(
            "measuring destroys everything on it; it reports no serial number, so if that is meant, repeat its name and \
             size: --confirm-serial {}",
            self.text()
        )
    }

    /// Returns the text that identifies the device: its serial number, or name and size.
    pub fn text(&self) -> String {
        self.serial.clone().unwrap_or_else(|| format!("{}:{}", self.name, self.size_bytes))
    }
}

/// Returns the sysfs folder of a device, with links resolved.
fn folder(path: &Path, (major, minor): (u32, u32), system: &System) -> Result<PathBuf, WorkloadError> {
    let link = system.sys.join(format!("dev/block/{major}:{minor}"));
    link.canonicalize()
        .map_err(|error| refusal(path, &format!("the kernel does not report what it is ({}: {error})", link.display())))
}

/// Returns the identity of a device; a partition has the serial number of its drive.
pub fn identity(path: &Path, numbers: (u32, u32), system: &System) -> Result<Identity, WorkloadError> {
    let folder = folder(path, numbers, system)?;
    let read = |path: PathBuf| {
        let text = fs::read_to_string(path).ok()?;
        let text = text.trim_matches(['\0', '\n', ' ']).to_owned();
        (!text.is_empty()).then_some(text)
    };
    let sectors = read(folder.join("size")).and_then(|text| text.parse::<u64>().ok());
    let drive = if folder.join("partition").exists() { folder.parent().unwrap_or(&folder) } else { &folder };
    let places = ["device/serial", "serial", "device/wwid", "wwid"];
    let serial = places.iter().find_map(|place| read(drive.join(place)));
    Ok(Identity {
        name: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        size_bytes: sectors.unwrap_or(0) * 512,
        serial,
    })
}

/// Returns an error if the device is in use or read-only.
pub fn check(path: &Path, numbers: (u32, u32), system: &System) -> Result<(), WorkloadError> {
    let folder = folder(path, numbers, system)?;
    let in_use = |what: String| Err(refusal(path, &format!("{what}, so it is not touched; choose another device")));
    if let Some(by) = first_name(&folder.join("holders")) {
        return in_use(format!("is part of {by} (LVM, RAID, encryption or the like)"));
    }
    let partitions: Vec<PathBuf> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|entry| entry.join("partition").exists())
        .collect();
    if let Some(partition) = partitions.first() {
        let name = partition.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return in_use(format!("has partitions ({name})"));
    }
    if fs::read_to_string(folder.join("ro")).is_ok_and(|text| text.trim() == "1") {
        return Err(refusal(path, "the kernel says that it is read-only"));
    }
    let mounts = fs::read_to_string(system.proc.join("self/mountinfo"))
        .map_err(|error| refusal(path, &format!("it cannot be found out what is mounted ({error})")))?;
    let number = format!("{}:{}", numbers.0, numbers.1);
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    for line in mounts.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let source = line.split_once(" - ").and_then(|(_, rest)| rest.split(' ').nth(1)).unwrap_or_default();
        if fields.get(2) == Some(&number.as_str()) || is_same(source, &canonical) || is_numbered(source, numbers) {
            return in_use(format!("is mounted at {}", fields.get(4).unwrap_or(&"?")));
        }
    }
    let swaps = fs::read_to_string(system.proc.join("swaps")).unwrap_or_default();
    let is_it = |source: &str| is_same(source, &canonical) || is_numbered(source, numbers);
    if swaps.lines().skip(1).any(|line| is_it(line.split_whitespace().next().unwrap_or_default())) {
        return in_use("is swap".into());
    }
    Ok(())
}

/// Returns whether `source`, a path in a kernel table, is this device after resolving links.
fn is_same(source: &str, canonical: &Path) -> bool {
    source.starts_with('/') && Path::new(source).canonicalize().is_ok_and(|source| source == canonical)
}

/// Returns whether `source` is a block device with these numbers.
fn is_numbered(source: &str, (major, minor): (u32, u32)) -> bool {
    let metadata = source.starts_with('/').then(|| fs::metadata(source).ok()).flatten();
    metadata.is_some_and(|metadata| {
        let device = metadata.rdev();
        metadata.file_type().is_block_device()
            && (rustix::fs::major(device), rustix::fs::minor(device)) == (major, minor)
    })
}

fn first_name(folder: &Path) -> Option<String> {
    let mut names: Vec<_> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    names.first().map(|name| name.to_string_lossy().into_owned())
}

/// Number of checks before a refusal, because udev and similar programs briefly open a device whenever it changes.
const CHECKS: u32 = 4;
const CHECK_EVERY: Duration = Duration::from_millis(250);

/// Returns an error if another process has the device number `device` open, as far as this user may see that. A database that uses
/// a raw device does not open it exclusively, so neither the mounts nor `O_EXCL` reveal it.
pub fn check_processes(path: &Path, device: u64, system: &System) -> Result<(), WorkloadError> {
    for attempt in 1..=CHECKS {
        let Some((pid, name)) = holder(device, system) else { return Ok(()) };
        if attempt == CHECKS {
            let by = format!("process {pid} ({name})");
            let sentence =
                format!("is held open by {by}, so it is not touched; end that process or choose another device");
            return Err(refusal(path, &sentence));
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

/// Names of databases, each with files that together identify its data folder.
const DATABASES: &[(&str, &[&str])] = &[
    ("PostgreSQL", &["PG_VERSION", "base"]),
    ("MySQL or MariaDB", &["ibdata1"]),
    ("MySQL", &["mysql.ibd"]),
    ("RocksDB", &["CURRENT", "IDENTITY"]),
    ("MongoDB", &["WiredTiger", "WiredTiger.wt"]),
    ("Ceph", &["ceph_fsid", "whoami"]),
];

/// Returns an error if `folder` is in the data folder of a database, at any depth: a file for a measurement would use its space and
/// look like a file of its own.
pub fn check_folder(path: &Path, folder: &Path) -> Result<(), WorkloadError> {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    for ancestor in real.ancestors() {
        let database = DATABASES.iter().find(|(_, names)| names.iter().all(|name| ancestor.join(name).exists()));
        if let Some((database, _)) = database {
            let why = format!("lies in {}, which holds the data of {database}", ancestor.display());
            return Err(refusal(path, &format!("{why}, so nothing is created there; choose another folder")));
        }
    }
    Ok(())
}
