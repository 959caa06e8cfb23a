//! What carries out operations: one small table of functions, three engines behind it, one suite that each must pass.
//!
//! An engine starts what it is given at once or says that it has no room; it never reorders the schedule and never
//! decides when an operation is intended.

#[cfg(test)]
mod conformance;
#[cfg(test)]
pub(crate) mod injected;
mod io_uring;
mod null;
mod polled;
mod sync;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use measure::clock::TimeSource;
use measure::series::WorkloadError;

use crate::content::Content;
use crate::plan::EngineChoice;
#[cfg(doc)]
use crate::room::ROOMS;

/// Kind of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One record.
    Read,
    /// One large block.
    LargeBlockRead,
    /// One large block.
    LargeBlockWrite,
    /// One record.
    Write,
    /// One large block, one after the other.
    Sweep,
}

impl Kind {
    /// All, in the order of their series.
    pub const ALL: [Self; 5] = [Self::Read, Self::LargeBlockRead, Self::LargeBlockWrite, Self::Write, Self::Sweep];

    /// Name on the wire.
    #[must_use]
    pub fn operation(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::LargeBlockRead => "large-block-read",
            Self::LargeBlockWrite => "large-block-write",
            Self::Write => "write",
            Self::Sweep => "tomb-raider-read",
        }
    }

    /// Whether it changes the device.
    #[must_use]
    pub fn writes(self) -> bool {
        matches!(self, Self::LargeBlockWrite | Self::Write)
    }

    /// Whether it moves a large block.
    #[must_use]
    pub fn is_large(self) -> bool {
        matches!(self, Self::LargeBlockRead | Self::LargeBlockWrite | Self::Sweep)
    }
}

/// One operation to carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// What.
    pub kind: Kind,
    /// Which of the open files.
    pub device: u16,
    /// Place of its lane in the thread that asked.
    pub lane: u16,
    /// How many bytes.
    pub bytes: u32,
    /// Number among its kind and device: 0, 1, …
    pub number: u64,
    /// By the schedule.
    pub intended_ns: u64,
    /// Where in the file.
    pub offset_bytes: u64,
}

/// How an operation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All bytes were moved.
    Done,
    /// The kernel refused, with its error number.
    Failed(i32),
    /// Fewer bytes were moved than asked.
    Short,
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
    /// How it ended.
    pub end: End,
}

/// Who looks again and again instead of waiting to be told. Each way but the first keeps a processor busy for each thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Polling {
    /// Nobody.
    #[default]
    None,
    /// A thread of the kernel looks for submissions.
    Submissions,
    /// The measuring thread asks the drive for completions, which then raises no interrupts.
    Completions,
}

impl Polling {
    /// What the two keys of a plan mean together.
    ///
    /// # Errors
    /// A sentence, when both are set.
    pub fn of(sq_poll: bool, io_poll: bool) -> Result<Self, String> {
        match (sq_poll, io_poll) {
            (false, false) => Ok(Self::None),
            (true, false) => Ok(Self::Submissions),
            (false, true) => Ok(Self::Completions),
            (true, true) => Err("sq_poll and io_poll exclude each other; choose one".into()),
        }
    }

    /// The key of a plan that asks for it.
    #[must_use]
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Submissions => Some("sq_poll"),
            Self::Completions => Some("io_poll"),
        }
    }
}

/// What an engine prepares for.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Bytes of the largest record.
    pub record_bytes: u32,
    /// Bytes of one large block.
    pub large_block_bytes: u32,
    /// Operations of one record under way at once, at most.
    pub records_at_once: u32,
    /// Operations of large blocks under way at once, at most.
    pub large_blocks_at_once: u32,
    /// Whether a write completes only when it is durable.
    pub sync_writes: bool,
    /// Who looks again and again instead of waiting to be told.
    pub polling: Polling,
    /// What is written.
    pub content: Content,
    /// Source of what is made up.
    pub seed: u64,
}

/// Carries out operations. Made before the run, started with it, used by one thread.
pub trait Engine {
    /// Offset 0 of `time` is the start of the run.
    fn start(&mut self, time: Arc<dyn TimeSource>);
    /// True when latencies are made up: then an operation counts where it was intended, whatever the clock says.
    fn is_simulated(&self) -> bool {
        false
    }
    /// How many more operations of this kind can begin now.
    fn free_places(&self, kind: Kind) -> usize;
    /// True when it never sleeps while it waits, so that the processor time of its thread says nothing about the load.
    fn is_always_busy(&self) -> bool {
        false
    }
    /// Whether one more operation of this kind can begin now.
    fn has_room(&self, kind: Kind) -> bool {
        self.free_places(kind) > 0
    }
    /// The same number, below [`ROOMS`], for kinds that share their places.
    fn room_of(&self, _: Kind) -> usize {
        0
    }
    /// Takes an operation; it is submitted by the next `wait` at the latest. Only called when there is room.
    fn begin(&mut self, request: Request);
    /// Submits what was taken, waits until something completes or `until_ns` is reached, and appends what completed.
    ///
    /// # Errors
    /// When the engine itself cannot go on; a failed operation is a completion.
    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError>;
    /// Operations that were taken and did not complete yet, without those that were given up.
    fn in_flight(&self) -> usize;
    /// Shows every operation under way.
    fn under_way(&self, look: &mut dyn FnMut(&Request));
    /// Gives up what was submitted before `before_ns` and appends it. Its room comes back when the kernel is done with it;
    /// how it ends is not told any more.
    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>);
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

/// Refuses a file or device that completions cannot be polled for.
///
/// # Errors
/// A sentence that names the drive, the reason and what to do.
pub fn check_polled(file: &File) -> Result<(), WorkloadError> {
    polled::check(file, Path::new("/sys"))
}

/// Makes an engine over open files; the null engine needs none.
///
/// # Errors
/// A sentence that says what this machine lacks and what to choose instead.
pub fn open(choice: EngineChoice, files: &[&File], sizes: Sizes) -> Result<Box<dyn Engine>, WorkloadError> {
    if files.is_empty() && choice != EngineChoice::Null {
        return Err(WorkloadError("a drive engine needs an open file".into()));
    }
    let resolved = resolve(choice);
    if let (EngineChoice::Sync, Some(key)) = (resolved, sizes.polling.key()) {
        return Err(WorkloadError(format!("{key} needs io_uring, which is not used here; leave out {key}")));
    }
    if (resolved, sizes.polling) == (EngineChoice::IoUring, Polling::Completions) {
        files.iter().try_for_each(|file| check_polled(file))?;
    }
    Ok(match resolved {
        EngineChoice::Null => Box::new(null::NullEngine::new(sizes.seed)),
        EngineChoice::Sync => Box::new(sync::SyncEngine::new(files, sizes)?),
        EngineChoice::Auto | EngineChoice::IoUring => {
            let mut engine = io_uring::IoUringEngine::new(files, sizes)?;
            if sizes.polling == Polling::Completions {
                engine.try_polling()?;
            }
            Box::new(engine)
        }
    })
}
