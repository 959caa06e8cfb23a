//! Which engine, and what it prepares for.

use serde::{Deserialize, Serialize};

use crate::content::Content;

/// Which engine carries out the input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineChoice {
    /// `io_uring` where the kernel offers it, else `sync`.
    #[default]
    Auto,
    /// One ring for each measuring thread.
    IoUring,
    /// Worker threads with `pread` and `pwrite`.
    Sync,
    /// No input or output: a seeded latency for each operation, the same on every machine.
    Null,
}

/// Busy polling instead of interrupts. Each kind of it keeps a processor busy for each thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Polling {
    /// None: completions raise interrupts.
    #[default]
    None,
    /// A thread of the kernel looks for submissions.
    Submissions,
    /// The measuring thread asks the drive for completions, which then raises no interrupts.
    Completions,
}

impl Polling {
    /// Returns the polling for the two keys of a plan.
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

    /// Returns the key of a plan that selects it.
    #[must_use]
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Submissions => Some("sq_poll"),
            Self::Completions => Some("io_poll"),
        }
    }
}

/// When a write counts as completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// When the kernel has taken it.
    Taken,
    /// When it is durable, by a flag of the write itself (`RWF_DSYNC`).
    Dsync,
}

impl Durability {
    /// Returns what the key `sync_writes` of a plan means.
    #[must_use]
    pub fn of(sync_writes: bool) -> Self {
        if sync_writes { Self::Dsync } else { Self::Taken }
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
    /// When a write is complete.
    pub durability: Durability,
    /// Busy polling instead of interrupts.
    pub polling: Polling,
    /// What is written.
    pub content: Content,
    /// Source of what is made up.
    pub seed: u64,
}
