//! Filling a drive before it is tested: in the order of one pass, or sequentially twice. The caller stores the position, so that
//! an interrupted fill continues where it ended.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread;

use measure::series::{StopFlag, WorkloadError};
use serde::{Deserialize, Serialize};

use super::one_pass::OnePass;
use crate::aligned::AlignedBytes;
use crate::content::Content;
use crate::drive::device_size_bytes;
use crate::qualify::simulated_drive::{PAGE_BYTES, SimulatedDrive};
use crate::safety::{self, Consent};

/// Written at once by sequential fills.
const BLOCK_BYTES: u32 = 131_072;
/// Sequential fills of the whole drive.
const FILLS: u64 = 2;
/// Writes under way.
const THREADS: usize = 16;
/// The caller stores the position each time that this share is done.
const STEPS: u64 = 100;
/// Source of the order and of what is written.
const SEED: u64 = 39;

/// How a drive is filled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Fill {
    /// Pages of 4 KiB in the order of one pass, for a drive with so much spare flash.
    OnePass {
        /// As a part of what the drive offers.
        spare_ratio: f64,
    },
    /// Blocks of 128 KiB, twice over the whole drive.
    Sequential,
}

impl Fill {
    /// Returns the size of a write, how many there are on a drive of this size, and the place of each in bytes.
    fn writes(self, size_bytes: u64) -> (u32, u64, Box<dyn Fn(u64) -> u64 + Sync>) {
        match self {
            Self::OnePass { spare_ratio } => {
                let order = OnePass::new(size_bytes / u64::from(PAGE_BYTES), spare_ratio, SEED);
                (PAGE_BYTES, order.writes(), Box::new(move |number| order.page(number) * u64::from(PAGE_BYTES)))
            }
            Self::Sequential => {
                let blocks = size_bytes / u64::from(BLOCK_BYTES);
                (BLOCK_BYTES, FILLS * blocks, Box::new(move |number| number % blocks * u64::from(BLOCK_BYTES)))
            }
        }
    }
}

/// Fills `path` from write `from` on. `keep` gets the number of writes that are on the drive, and how many there will be.
///
/// # Errors
/// A sentence that says what spoke against it, or what happened; also when `stop` was set.
pub fn fill(
    path: &Path,
    consent: &Consent,
    order: Fill,
    from: u64,
    keep: &mut dyn FnMut(u64, u64) -> Result<(), WorkloadError>,
    stop: &StopFlag,
) -> Result<(), WorkloadError> {
    let drive = safety::open_for_writing(path, consent, true)?;
    let (bytes, writes, place) = order.writes(device_size_bytes(path)?);
    let share = (writes / STEPS).max(THREADS as u64);
    let mut position = from.min(writes);
    while position < writes {
        if stop.is_stopped() {
            return Err(WorkloadError("stopped; the next call goes on from here".into()));
        }
        let end = (position + share).min(writes);
        write(&drive, position..end, bytes, &*place)
            .and_then(|()| drive.sync_data())
            .map_err(|error| WorkloadError(format!("{}: cannot be written to: {error}", path.display())))?;
        position = end;
        keep(position, writes)?;
    }
    Ok(())
}

/// Fills a model of a drive; returns the number of writes.
pub fn fill_simulated(drive: &mut SimulatedDrive, order: Fill) -> u64 {
    let (bytes, writes, place) = order.writes(drive.size_bytes());
    let page_bytes = u64::from(PAGE_BYTES);
    for first in (0..writes).map(|number| place(number) / page_bytes) {
        (first..first + u64::from(bytes) / page_bytes).for_each(|page| drive.write(page));
    }
    writes
}

/// Writes some numbers, each at its place, by several threads.
fn write(
    file: &File,
    numbers: std::ops::Range<u64>,
    bytes: u32,
    place: &(dyn Fn(u64) -> u64 + Sync),
) -> std::io::Result<()> {
    let part = |thread: usize| {
        let mut memory = AlignedBytes::new(bytes as usize);
        let content = Content::incompressible(SEED);
        for number in numbers.clone().skip(thread).step_by(THREADS) {
            content.fill_marked(memory.as_mut_slice(), 0, 0, number);
            file.write_all_at(memory.as_mut_slice(), place(number))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || part(thread))).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(std::io::Error::other("a thread that writes ended early")))
        })
    })
}
