//! The target of a measurement: a file that exists only during the run, or a block device whose owner accepts the loss of its data.
//!
//! The file is unlinked as soon as it is open. Its storage is freed when the last handle is closed, so it is gone however the
//! process ends, and no other program can open it.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Instant;

use measure::series::{StopFlag, WorkloadError};
use runner::{Session, Target};
use rustix::fs::FallocateFlags;

use crate::aligned::AlignedBytes;
use crate::command::Command;
use crate::content::Content;
use crate::engine;
use crate::engine::settings::{EngineChoice, Sizes};
use crate::filesystem;
use crate::plan::ActStoragePlan;
use crate::safety::{self, refusal};

/// Bytes per write while the file is filled.
const FILL_BYTES: usize = 1 << 20;
/// Number of parts of the file after each of which progress is reported.
const FILL_STEPS: u64 = 4;
/// Common sector sizes in bytes, tried in this order.
const SECTOR_BYTES: [u32; 2] = [512, 4096];

/// An open and filled file or device.
#[derive(Debug)]
pub struct Drive {
    /// The file, open for reading, and for writing unless the plan is read-only.
    pub file: File,
    /// Number of usable bytes from the start.
    pub span_bytes: u64,
    /// Smallest readable number of bytes, and alignment of offsets.
    pub unit_bytes: u32,
    /// Path in sysfs that exists as long as the device does; `None` for files.
    pub presence: Option<PathBuf>,
}

pub fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.file_type().is_block_device())
}

/// Returns the size of a block device, in bytes. Fails if the device cannot be opened or its size is 0.
pub fn device_size_bytes(path: &Path) -> Result<u64, WorkloadError> {
    let size = File::open(path).and_then(|mut file| file.seek(SeekFrom::End(0)));
    let size = size.map_err(|error| refusal(path, &format!("its size cannot be read: {error}")))?;
    if size == 0 {
        return Err(refusal(path, "holds 0 bytes: there is no medium in it"));
    }
    Ok(size)
}

/// Returns an explanation if the failure `code` of an operation means that the device at `path` is gone: by the code itself, or
/// because `presence` no longer exists.
pub fn lost(path: &Path, presence: Option<&Path>, operation: &str, code: i32) -> Option<String> {
    let says_so = matches!(code, libc::ENODEV | libc::ENXIO | libc::ENOMEDIUM | libc::ESHUTDOWN);
    if !says_so && presence.is_none_or(Path::exists) {
        return None;
    }
    Some(format!("{} is gone: a {operation} failed ({})", path.display(), io::Error::from_raw_os_error(code)))
}

impl Drive {
    /// Opens `path`. Unless it is a device or `plan.as_it_is` is set, the file is created and filled. Fails if `path` cannot be
    /// opened, filled or used as the plan requires. Nothing is left behind.
    pub fn prepare(
        plan: &ActStoragePlan,
        path: &Path,
        notify: &dyn Fn(&str),
        stop: &StopFlag,
    ) -> Result<Self, WorkloadError> {
        let device = is_device(path);
        let is_there = device || plan.reads_existing;
        let (file, span_bytes) = if is_there { open_device(plan, path)? } else { create_file(plan, path)? };
        if plan.io_poll {
            // Checked before a large file is filled for nothing.
            engine::polled::check(&file)?;
        }
        let presence = device.then(|| presence_of(&file)).flatten();
        let target = Self { unit_bytes: unit_bytes(&file, plan, path)?, file, span_bytes, presence };
        if !is_there {
            target.fill(plan, path, notify, stop)?;
        }
        Ok(target)
    }

    fn fill(
        &self,
        plan: &ActStoragePlan,
        path: &Path,
        notify: &dyn Fn(&str),
        stop: &StopFlag,
    ) -> Result<(), WorkloadError> {
        let total_mib = self.span_bytes >> 20;
        notify(&format!("filling {} with {total_mib} MiB of random data", path.display()));
        let started = Instant::now();
        let content = Content { seed: plan.seed, random_pct: plan.compress_pct };
        let mut memory = AlignedBytes::new(FILL_BYTES);
        let (mut position, mut number, mut reported) = (0, 0, 1);
        while position < self.span_bytes {
            if stop.is_stopped() {
                return Err(WorkloadError(format!("stopped while {} was filled", path.display())));
            }
            let length = usize::try_from(self.span_bytes - position).unwrap_or(FILL_BYTES).min(FILL_BYTES);
            let bytes = &mut memory.as_mut_slice()[..length];
            content.fill(bytes, 20, number);
            number += (FILL_BYTES / 8) as u64;
            self.file.write_all_at(bytes, position).map_err(|error| about(path, "cannot be filled", &error))?;
            position += length as u64;
            if position * FILL_STEPS >= self.span_bytes * reported && position < self.span_bytes {
                notify(&format!("filled {} of {total_mib} MiB", position >> 20));
                reported += 1;
            }
        }
        self.file.sync_all().map_err(|error| about(path, "cannot be filled", &error))?;
        let seconds = started.elapsed().as_secs_f64();
        notify(&format!("filled {total_mib} MiB in {seconds:.1} s ({:.0} MiB/s)", total_mib as f64 / seconds));
        Ok(())
    }
}

fn create_file(plan: &ActStoragePlan, path: &Path) -> Result<(File, u64), WorkloadError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let span_bytes = plan.size_bytes() / u64::from(plan.large_block_bytes) * u64::from(plan.large_block_bytes);
    if let Ok(metadata) = path.symlink_metadata() {
        let kind = metadata.file_type();
        return Err(if kind.is_file() || kind.is_symlink() {
            refusal(path, "exists already; it would be overwritten, so delete it or name a new file")
        } else {
            refusal(path, "is neither a block device nor a file; name a device that lsblk lists, or a new file")
        });
    }
    if path.starts_with("/dev") && !path.starts_with("/dev/shm") {
        return Err(WorkloadError(format!(
            "{}: there is no such device; a file of that name would lie in memory, so look at the spelling (lsblk)",
            path.display()
        )));
    }
    if !folder.is_dir() {
        let sentence = format!("there is no folder {}; create it or choose another", folder.display());
        return Err(refusal(path, &sentence));
    }
    safety::usage::check_folder(path, folder)?;
    filesystem::check_capacity(folder, span_bytes)?;
    let file_system = filesystem::name_of(folder);
    if plan.direct_io && filesystem::is_memory(&file_system) {
        return Err(filesystem::no_direct_io(path, &file_system, "files are kept in memory"));
    }
    let file = options(plan.direct_io).write(true).create_new(true).mode(0o600).open(path).map_err(|error| {
        // The kernel creates the file before the file system refuses the flag.
        if plan.direct_io && error.raw_os_error() == Some(libc::EINVAL) {
            let _ = std::fs::remove_file(path);
            return filesystem::no_direct_io(path, &file_system, "files cannot be opened for direct input and output");
        }
        about(path, "cannot be created", &error)
    })?;
    std::fs::remove_file(path).map_err(|error| about(path, "cannot be unlinked", &error))?;
    match rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, span_bytes) {
        // If the file system cannot reserve space, a lack of it shows while the file is filled.
        Ok(()) | Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => Ok((file, span_bytes)),
        Err(error) => Err(about(path, "cannot be given its size", &error.into())),
    }
}

fn open_device(plan: &ActStoragePlan, path: &Path) -> Result<(File, u64), WorkloadError> {
    let mut file = if plan.read_only {
        options(plan.direct_io).open(path).map_err(|error| about(path, "cannot be opened", &error))?
    } else {
        safety::open_for_writing(path, &plan.consent(), plan.direct_io)?
    };
    let size_bytes = file.seek(SeekFrom::End(0)).map_err(|error| about(path, "has no readable size", &error))?;
    let block = u64::from(plan.large_block_bytes);
    let span_bytes = plan.file_size_bytes.unwrap_or(size_bytes).min(size_bytes) / block * block;
    if span_bytes < block * 8 {
        return Err(refusal(path, &format!("{size_bytes} bytes are too few for eight large blocks")));
    }
    Ok((file, span_bytes))
}

/// Returns the path in sysfs that disappears with the device.
fn presence_of(file: &File) -> Option<PathBuf> {
    let device = file.metadata().ok()?.rdev();
    let numbers = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
    let link = Path::new("/sys/dev/block").join(numbers);
    link.exists().then_some(link)
}

/// Returns the options of a file that is read, past the page cache if `direct_io` is set.
pub fn options(direct_io: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(if direct_io { libc::O_DIRECT } else { 0 });
    options
}

/// Returns the smallest unit in bytes that can be read from the file, determined as ACT does.
fn unit_bytes(file: &File, plan: &ActStoragePlan, path: &Path) -> Result<u32, WorkloadError> {
    if !plan.direct_io {
        return Ok(SECTOR_BYTES[0]);
    }
    let mut memory = AlignedBytes::new(SECTOR_BYTES[1] as usize);
    let mut last = io::Error::from(io::ErrorKind::InvalidInput);
    for sector in SECTOR_BYTES {
        match file.read_at(&mut memory.as_mut_slice()[..sector as usize], u64::from(sector)) {
            Ok(_) => return Ok(sector),
            Err(error) => last = error,
        }
    }
    Err(about(path, "cannot be read directly in units of 512 or 4096 bytes", &last))
}

fn about(path: &Path, what: &str, error: &io::Error) -> WorkloadError {
    let hint = match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => "free some room or choose a smaller file_size_bytes",
        Some(libc::EACCES | libc::EPERM | libc::EROFS) => "choose a place that may be written to, or become its owner",
        Some(libc::EFBIG) => "choose a smaller file_size_bytes or raise the limit of file sizes (ulimit -f)",
        _ => "choose another place or look at the system's log",
    };
    WorkloadError(format!("{}: {what}: {error}; {hint}", path.display()))
}

/// The drives of a run as the runner's target: a session over all of them for each thread, and detection of lost drives.
pub struct Drives {
    /// Opened drives; empty for the null engine.
    pub opened: Vec<Drive>,
    pub paths: Vec<PathBuf>,
    pub engine: EngineChoice,
    pub sizes: Sizes,
}

impl Target for Drives {
    type Command = Command;

    fn open(&self, _: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        let files: Vec<&File> = self.opened.iter().map(|drive| &drive.file).collect();
        engine::open(self.engine, &files, self.sizes)
    }

    fn lost(&self, command: &Command, code: i32, is_check_due: bool) -> Option<String> {
        let index = usize::from(command.device);
        let presence = self.opened.get(index).and_then(|drive| drive.presence.as_deref()).filter(|_| is_check_due);
        lost(self.paths.get(index)?, presence, command.kind.operation(), code)
    }
}

#[cfg(test)]
#[path = "drive_tests.rs"]
mod tests;
