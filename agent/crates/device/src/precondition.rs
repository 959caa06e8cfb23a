//! Preparing a device before its first test, as ACT's `act_prep` does: zeros over all of it, so that the drive's own
//! bookkeeping covers every block, then random data, so that nothing can be compressed or left out.
//!
//! How far it is lies with the caller, who keeps it; a device that was cut off goes on where it was.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use measure::series::{StopFlag, WorkloadError};
use serde::{Deserialize, Serialize};

use crate::aligned::AlignedBytes;
use crate::content::Content;
use crate::safety::{self, Consent};
use crate::target::device_size_bytes;

/// Written at once.
const STEP_BYTES: usize = 4 << 20;
/// The caller hears of it each time that this share is done.
const STEPS: u64 = 100;

/// What is done to a device, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The drive is told that nothing on it is needed.
    Trim,
    /// Zeros.
    Zero,
    /// Random data.
    Salt,
    /// Everything is done.
    Done,
}

/// How far a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// Bytes of that phase that are done.
    pub position_bytes: u64,
    /// Bytes of the device.
    pub size_bytes: u64,
}

/// Prepares `path` from `from` on (or from the start), and tells `keep` each per cent; what it has kept is on the device.
///
/// # Errors
/// A sentence that says what spoke against it, or what happened; also when `stop` was set.
pub fn prepare(
    path: &Path,
    consent: &Consent,
    trim: bool,
    from: Option<Progress>,
    keep: &mut dyn FnMut(Progress) -> Result<(), WorkloadError>,
    stop: &StopFlag,
) -> Result<(), WorkloadError> {
    let file = safety::open_for_writing(path, consent, true)?;
    let size_bytes = device_size_bytes(path)?;
    let first = if trim { Phase::Trim } else { Phase::Zero };
    let start = Progress { phase: first, position_bytes: 0, size_bytes };
    let mut at = from.filter(|from| from.size_bytes == size_bytes).unwrap_or(start);
    let failed = |what: &str, error: std::io::Error| WorkloadError(format!("{}: {what}: {error}", path.display()));
    if at.phase == Phase::Trim {
        crate::smart::discard(&file, size_bytes).map_err(|error| failed("cannot be trimmed", error))?;
        at = Progress { phase: Phase::Zero, position_bytes: 0, size_bytes };
        keep(at)?;
    }
    for (phase, next) in [(Phase::Zero, Phase::Salt), (Phase::Salt, Phase::Done)] {
        if at.phase == phase {
            write_over(&file, &mut at, keep, stop).map_err(|error| failed("cannot be written to", error))??;
            file.sync_all().map_err(|error| failed("cannot be written to", error))?;
            at = Progress { phase: next, position_bytes: 0, size_bytes };
            keep(at)?;
        }
    }
    Ok(())
}

fn write_over(
    file: &File,
    at: &mut Progress,
    keep: &mut dyn FnMut(Progress) -> Result<(), WorkloadError>,
    stop: &StopFlag,
) -> std::io::Result<Result<(), WorkloadError>> {
    let mut memory = AlignedBytes::new(STEP_BYTES);
    // Whole pages only: what is left at the very end is less than any drive reads at once.
    let end_bytes = at.size_bytes / 4096 * 4096;
    let share = (end_bytes / STEPS).max(1);
    let mut told = at.position_bytes / share;
    while at.position_bytes < end_bytes {
        let length = usize::try_from(end_bytes - at.position_bytes).unwrap_or(STEP_BYTES).min(STEP_BYTES);
        let bytes = &mut memory.as_mut_slice()[..length];
        if at.phase == Phase::Salt {
            Content::incompressible(u64::from(std::process::id())).fill(bytes, 30, at.position_bytes);
        }
        file.write_all_at(bytes, at.position_bytes)?;
        at.position_bytes += length as u64;
        if at.position_bytes / share > told || stop.is_stopped() {
            told = at.position_bytes / share;
            file.sync_data()?;
            if let Err(error) = keep(*at) {
                return Ok(Err(error));
            }
        }
        if stop.is_stopped() {
            return Ok(Err(WorkloadError("stopped; the next call goes on from here".into())));
        }
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_was_cut_off_goes_on_where_it_was() {
        let file = tempfile::tempfile().expect("temporary file");
        let size_bytes = 40 << 20;
        file.write_all_at(&vec![9; 40 << 20], 0).expect("written");
        let (stop, mut kept) = (StopFlag::default(), Vec::new());
        let mut at = Progress { phase: Phase::Zero, position_bytes: 0, size_bytes };
        let stopping = stop.clone();
        let mut keep = |progress: Progress| {
            kept.push(progress);
            if progress.position_bytes >= 16 << 20 {
                stopping.stop();
            }
            Ok(())
        };
        let cut = write_over(&file, &mut at, &mut keep, &stop).expect("written").expect_err("stopped");
        assert!(cut.0.contains("goes on from here"));
        let last = *kept.last().expect("kept");
        assert_eq!(last, at);
        let mut content = vec![0; 40 << 20];
        file.read_exact_at(&mut content, 0).expect("readable");
        let done = usize::try_from(last.position_bytes).expect("small");
        assert!(content[..done].iter().all(|byte| *byte == 0) && content[done..].iter().all(|byte| *byte == 9));
        let mut quiet = |_: Progress| Ok(());
        write_over(&file, &mut at, &mut quiet, &StopFlag::default()).expect("written").expect("done");
        let mut salt = Progress { phase: Phase::Salt, position_bytes: 0, size_bytes };
        file.read_exact_at(&mut content, 0).expect("readable");
        assert!(content.iter().all(|byte| *byte == 0));
        write_over(&file, &mut salt, &mut quiet, &StopFlag::default()).expect("written").expect("done");
        file.read_exact_at(&mut content, 0).expect("readable");
        let mut pages: Vec<&[u8]> = content.chunks(4096).collect();
        pages.sort_unstable();
        pages.dedup();
        assert_eq!(pages.len(), 40 * 256, "no page is zeros, none occurs twice");
    }
}
