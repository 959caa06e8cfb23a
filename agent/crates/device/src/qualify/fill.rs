//! Filling of a drive before tests: in the order of one pass, or sequentially twice. The caller stores the position, so that an
//! interrupted fill can continue.

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

/// Number of bytes per write of a sequential fill.
const BLOCK_BYTES: u32 = 131_072;
/// Number of sequential passes over the whole drive.
const FILLS: u64 = 2;
const THREADS: usize = 16;
/// Number of progress reports over the whole fill.
const STEPS: u64 = 100;
const SEED: u64 = 39;

/// Method of filling a drive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Fill {
    /// Pages of 4 KiB in the order of one pass (see [`OnePass`]); `spare_ratio` is that of spare flash to the capacity of the drive.
    OnePass { spare_ratio: f64 },
    /// Blocks of 128 KiB, twice over the whole drive.
    Sequential,
}

impl Fill {
    /// Returns the size of a write in bytes, the number of writes on a drive of `size_bytes`, and a function from the number of a
    /// write to its offset in bytes.
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

/// Fills `path` from write number `from` on. Calls `keep` with the number of writes that are durable on the drive, and their
/// total. Fails if the device may not be written to, writing fails, `keep` fails, or `stop` was set.
pub fn fill(
    path: &Path,
    consent: &Consent,
    order: Fill,
    from: u64,
    keep: &mut dyn FnMut(u64, u64) -> Result<(), WorkloadError>,
    stop: &StopFlag,
) -> Result<(), WorkloadError> {
    let drive = safety::open_for_writing(path, consent, true)?;
    let (bytes, writes, offset) = order.writes(device_size_bytes(path)?);
    let share = (writes / STEPS).max(THREADS as u64);
    let mut position = from.min(writes);
    while position < writes {
        if stop.is_stopped() {
            return Err(WorkloadError("stopped; the next call goes on from here".into()));
        }
        let end = (position + share).min(writes);
        write(&drive, position..end, bytes, &*offset)
            .and_then(|()| drive.sync_data())
            .map_err(|error| WorkloadError(format!("{}: cannot be written to: {error}", path.display())))?;
        position = end;
        keep(position, writes)?;
    }
    Ok(())
}

/// Fills a simulated drive and returns the number of writes.
pub fn fill_simulated(drive: &mut SimulatedDrive, order: Fill) -> u64 {
    let (bytes, writes, offset) = order.writes(drive.size_bytes());
    let page_bytes = u64::from(PAGE_BYTES);
    for first in (0..writes).map(|number| offset(number) / page_bytes) {
        (first..first + u64::from(bytes) / page_bytes).for_each(|page| drive.write(page));
    }
    writes
}

/// Writes the given numbers at their offsets, in several threads.
fn write(
    file: &File,
    numbers: std::ops::Range<u64>,
    bytes: u32,
    offset: &(dyn Fn(u64) -> u64 + Sync),
) -> std::io::Result<()> {
    let part = |thread: usize| {
        let mut memory = AlignedBytes::new(bytes as usize);
        let content = Content::incompressible(SEED);
        for number in numbers.clone().skip(thread).step_by(THREADS) {
            content.fill_marked(memory.as_mut_slice(), 0, 0, number);
            file.write_all_at(memory.as_mut_slice(), offset(number))?;
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
