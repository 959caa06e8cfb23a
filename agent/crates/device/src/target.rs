//! What is measured: a file that exists only for the run, or a block device whose owner agreed to lose its content.
//!
//! The file loses its name as soon as it is open. It lives on until the last handle is closed, so it is gone after every
//! end of the process, also one that no code gets to see, and no other program can come across it.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::Instant;

use measure::random;
use measure::series::{StopFlag, WorkloadError};
use rustix::fs::{FallocateFlags, OFlags};

use crate::aligned::AlignedBytes;
use crate::filesystem;
use crate::plan::ActStoragePlan;

/// Written at once while the file is filled.
const FILL_BYTES: usize = 1 << 20;
/// A person hears of the filling each time that this share of it is done.
const FILL_STEPS: u64 = 4;
/// Smallest units of drives, tried in this order.
const SECTOR_BYTES: [u32; 2] = [512, 4096];

/// An open, filled file or device.
#[derive(Debug)]
pub struct Target {
    /// Open for reading and writing.
    pub file: File,
    /// Bytes that may be used, from the start.
    pub span_bytes: u64,
    /// Bytes of one record read: the record rounded up to what the drive can read.
    pub read_bytes: u32,
}

impl Target {
    /// Opens and fills what the plan names.
    ///
    /// # Errors
    /// A sentence with the path, the cause and what to do. Nothing is left behind.
    pub fn prepare(plan: &ActStoragePlan, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Self, WorkloadError> {
        let is_device = plan.path.metadata().is_ok_and(|metadata| metadata.file_type().is_block_device());
        let (file, span_bytes) = if is_device { open_device(plan)? } else { create_file(plan)? };
        let target = Self { read_bytes: read_bytes(&file, plan)?, file, span_bytes };
        target.fill(plan, notify, stop)?;
        Ok(target)
    }

    fn fill(&self, plan: &ActStoragePlan, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<(), WorkloadError> {
        let total_mib = self.span_bytes >> 20;
        notify(&format!("filling {} with {total_mib} MiB of random data", plan.path.display()));
        let started = Instant::now();
        let mut memory = AlignedBytes::new(FILL_BYTES);
        let (mut position, mut number, mut told) = (0, 0, 1);
        while position < self.span_bytes {
            if stop.is_stopped() {
                return Err(WorkloadError(format!("stopped while {} was filled", plan.path.display())));
            }
            let length = usize::try_from(self.span_bytes - position).unwrap_or(FILL_BYTES).min(FILL_BYTES);
            let bytes = &mut memory.as_mut_slice()[..length];
            number = random::fill(bytes, plan.seed, 20, number);
            self.file.write_all_at(bytes, position).map_err(|error| about(plan, "cannot be filled", &error))?;
            position += length as u64;
            if position * FILL_STEPS >= self.span_bytes * told && position < self.span_bytes {
                notify(&format!("filled {} of {total_mib} MiB", position >> 20));
                told += 1;
            }
        }
        self.file.sync_all().map_err(|error| about(plan, "cannot be filled", &error))?;
        let seconds = started.elapsed().as_secs_f64();
        notify(&format!("filled {total_mib} MiB in {seconds:.1} s ({:.0} MiB/s)", total_mib as f64 / seconds));
        Ok(())
    }
}

fn create_file(plan: &ActStoragePlan) -> Result<(File, u64), WorkloadError> {
    let path = plan.path.as_path();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let span_bytes = plan.file_size_bytes / u64::from(plan.large_block_bytes) * u64::from(plan.large_block_bytes);
    if path.symlink_metadata().is_ok() {
        return Err(WorkloadError(format!(
            "{}: exists already; it would be overwritten, so delete it or name a new file",
            path.display()
        )));
    }
    if !folder.is_dir() {
        return Err(WorkloadError(format!(
            "{}: there is no folder {}; create it or choose another",
            path.display(),
            folder.display()
        )));
    }
    filesystem::check_room(folder, span_bytes)?;
    let file_system = filesystem::name_of(folder);
    if plan.direct_io && filesystem::is_memory(&file_system) {
        return Err(filesystem::no_direct_io(path, &file_system, "files are kept in memory"));
    }
    let file = options(plan.direct_io).create_new(true).mode(0o600).open(path).map_err(|error| {
        // The kernel creates the file before the file system refuses the flag.
        if plan.direct_io && error.raw_os_error() == Some(libc::EINVAL) {
            let _ = std::fs::remove_file(path);
            return filesystem::no_direct_io(path, &file_system, "files cannot be opened for direct input and output");
        }
        about(plan, "cannot be created", &error)
    })?;
    std::fs::remove_file(path).map_err(|error| about(plan, "cannot be unlinked", &error))?;
    match rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, span_bytes) {
        // Where a file system cannot reserve, filling finds out whether there is room.
        Ok(()) | Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => Ok((file, span_bytes)),
        Err(error) => Err(about(plan, "cannot be given its size", &error.into())),
    }
}

fn open_device(plan: &ActStoragePlan) -> Result<(File, u64), WorkloadError> {
    let path = plan.path.display();
    if plan.allow_destroy.as_deref() != Some(plan.path.as_path()) {
        return Err(WorkloadError(format!(
            "{path}: is a block device, and measuring destroys its content; name a file instead, or set allow_destroy \
             to the same path if nothing on it is needed"
        )));
    }
    // Without O_CREAT, O_EXCL on a block device means that nobody else may use it: neither a mount nor a volume manager.
    let flags = OFlags::EXCL.bits().cast_signed();
    let direct = if plan.direct_io { libc::O_DIRECT } else { 0 };
    let opened = OpenOptions::new().read(true).write(true).custom_flags(flags | direct).open(&plan.path);
    let mut file = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::EBUSY) => WorkloadError(format!(
            "{path}: is in use (mounted, swap, or part of a volume), so it is not touched; unmount it or choose another"
        )),
        _ => about(plan, "cannot be opened", &error),
    })?;
    let size_bytes = file.seek(SeekFrom::End(0)).map_err(|error| about(plan, "has no readable size", &error))?;
    let block = u64::from(plan.large_block_bytes);
    let span_bytes = plan.file_size_bytes.min(size_bytes) / block * block;
    if span_bytes < block * 8 {
        return Err(WorkloadError(format!("{path}: {size_bytes} bytes are too few for eight large blocks")));
    }
    Ok((file, span_bytes))
}

fn options(direct_io: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    if direct_io {
        options.custom_flags(libc::O_DIRECT);
    }
    options
}

/// The record, rounded up to the smallest unit that this file can be read in.
fn read_bytes(file: &File, plan: &ActStoragePlan) -> Result<u32, WorkloadError> {
    if !plan.direct_io {
        return Ok(plan.record_bytes);
    }
    let mut memory = AlignedBytes::new(SECTOR_BYTES[1] as usize);
    let mut last = io::Error::from(io::ErrorKind::InvalidInput);
    for sector in SECTOR_BYTES {
        match file.read_at(&mut memory.as_mut_slice()[..sector as usize], u64::from(sector)) {
            Ok(_) => return Ok(plan.record_bytes.next_multiple_of(sector)),
            Err(error) => last = error,
        }
    }
    Err(about(plan, "cannot be read directly in units of 512 or 4096 bytes", &last))
}

fn about(plan: &ActStoragePlan, what: &str, error: &io::Error) -> WorkloadError {
    let hint = match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => "free some room or choose a smaller file_size_bytes",
        Some(libc::EACCES | libc::EPERM | libc::EROFS) => "choose a folder that may be written to",
        Some(libc::EFBIG) => "choose a smaller file_size_bytes or raise the limit of file sizes (ulimit -f)",
        _ => "choose another folder or look at the system's log",
    };
    WorkloadError(format!("{}: {what}: {error}; {hint}", plan.path.display()))
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
