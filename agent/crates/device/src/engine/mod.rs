//! What carries out operations: one small table of functions, three engines behind it, one suite that each must pass.
//!
//! An engine starts what it is given at once or says that it has no room; it never reorders the schedule and never
//! decides when an operation is intended.

#[cfg(test)]
mod conformance;
mod io_uring;
mod null;
mod sync;

use std::fs::File;
use std::sync::Arc;

use measure::clock::TimeSource;
use measure::series::WorkloadError;

use crate::plan::EngineChoice;

/// Kind of an operation; also its place in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One record.
    Read,
    /// One large block.
    LargeBlockRead,
    /// One large block.
    LargeBlockWrite,
}

impl Kind {
    /// All, in the order of their series.
    pub const ALL: [Self; 3] = [Self::Read, Self::LargeBlockRead, Self::LargeBlockWrite];

    /// Name on the wire.
    #[must_use]
    pub fn operation(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::LargeBlockRead => "large-block-read",
            Self::LargeBlockWrite => "large-block-write",
        }
    }
}

/// One operation to carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// What.
    pub kind: Kind,
    /// Number among its kind: 0, 1, …
    pub number: u64,
    /// By the schedule.
    pub intended_ns: u64,
    /// Where in the file.
    pub offset_bytes: u64,
}

/// One operation that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// As it was given.
    pub request: Request,
    /// When it was handed to the kernel.
    pub submitted_ns: u64,
    /// When its end was seen.
    pub completed_ns: u64,
    /// False when it failed or moved fewer bytes than asked.
    pub succeeded: bool,
}

/// Sizes that an engine prepares for.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Bytes of one record read.
    pub read_bytes: u32,
    /// Bytes of one large block.
    pub large_block_bytes: u32,
    /// Operations of one record under way at once, at most.
    pub reads_at_once: u32,
    /// Operations of large blocks under way at once, at most.
    pub large_blocks_at_once: u32,
    /// Whether a write completes only when it is durable.
    pub sync_writes: bool,
    /// Source of what is written.
    pub seed: u64,
}

impl Sizes {
    /// Bytes of one operation.
    #[must_use]
    pub fn bytes(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Read => self.read_bytes,
            Kind::LargeBlockRead | Kind::LargeBlockWrite => self.large_block_bytes,
        }
    }
}

/// Carries out operations. Made before the run, started with it, used by one thread.
pub trait Engine {
    /// Offset 0 of `time` is the start of the run.
    fn start(&mut self, time: Arc<dyn TimeSource>);
    /// True when latencies are made up: then an operation counts where it was intended, whatever the clock says.
    fn is_simulated(&self) -> bool {
        false
    }
    /// Whether one more operation of this kind can begin now.
    fn has_room(&self, kind: Kind) -> bool;
    /// Takes an operation; it is submitted by the next `wait` at the latest. Only called when there is room.
    fn begin(&mut self, request: Request);
    /// Submits what was taken, waits until something completes or `until_ns` is reached, and appends what completed.
    ///
    /// # Errors
    /// When the engine itself cannot go on; a failed operation is a completion.
    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError>;
    /// Operations that were taken and did not complete yet.
    fn in_flight(&self) -> usize;
}

/// The engine that `choice` means on this machine.
#[must_use]
pub fn resolve(choice: EngineChoice) -> EngineChoice {
    match choice {
        EngineChoice::Auto if io_uring::is_usable() => EngineChoice::IoUring,
        EngineChoice::Auto => EngineChoice::Sync,
        chosen => chosen,
    }
}

/// Makes an engine over an open file; the null engine needs none.
///
/// # Errors
/// A sentence that says what this machine lacks and what to choose instead.
pub fn open(choice: EngineChoice, file: Option<&File>, sizes: Sizes) -> Result<Box<dyn Engine>, WorkloadError> {
    let missing = || WorkloadError("a drive engine needs an open file".into());
    Ok(match resolve(choice) {
        EngineChoice::Null => Box::new(null::NullEngine::new(sizes.seed)),
        EngineChoice::Sync => Box::new(sync::SyncEngine::new(file.ok_or_else(missing)?, sizes)?),
        EngineChoice::Auto | EngineChoice::IoUring => {
            Box::new(io_uring::IoUringEngine::new(file.ok_or_else(missing)?, sizes)?)
        }
    })
}
