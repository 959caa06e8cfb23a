//! Choice and settings of the engine.

use serde::{Deserialize, Serialize};

use crate::content::Content;

/// Engine for input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineChoice {
    /// `io_uring` if it is usable, else `sync`.
    #[default]
    Auto,
    /// `io_uring`, with one ring per measuring thread.
    IoUring,
    /// Worker threads with `pread` and `pwrite`.
    Sync,
    /// No input or output: a latency computed from the seed for each operation, the same on every machine.
    Null,
}

/// Busy polling instead of interrupts. Each mode occupies a processor per measuring thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Polling {
    /// No polling: completions raise interrupts.
    #[default]
    None,
    /// A kernel thread polls for submissions.
    Submissions,
    /// The measuring thread polls the drive for completions, and the drive raises no interrupts.
    Completions,
}

impl Polling {
    /// Returns the polling mode for the two keys of a plan. Fails if both are set.
    pub fn of(sq_poll: bool, io_poll: bool) -> Result<Self, String> {
        match (sq_poll, io_poll) {
            (false, false) => Ok(Self::None),
            (true, false) => Ok(Self::Submissions),
            (false, true) => Ok(Self::Completions),
            (true, true) => Err("sq_poll and io_poll exclude each other; choose one".into()),
        }
    }

    /// Returns the key of a plan that selects this mode, or `None` for no polling.
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Submissions => Some("sq_poll"),
            Self::Completions => Some("io_poll"),
        }
    }
}

/// Sizes and settings that an engine is created for.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub record_bytes: u32,
    pub large_block_bytes: u32,
    /// Largest number of record operations under way.
    pub records_at_once: u32,
    /// Largest number of large-block operations under way.
    pub large_blocks_at_once: u32,
    /// Whether a write only completes when it is durable, by a flag of its own (`RWF_DSYNC`).
    pub sync_writes: bool,
    /// Busy polling instead of interrupts.
    pub polling: Polling,
    pub content: Content,
    /// Seed of computed latencies.
    pub seed: u64,
}

impl Sizes {
    /// Returns the settings for blocks of one size, with `depth` operations under way.
    pub(crate) fn of_blocks(block_bytes: u32, depth: u32, seed: u64) -> Self {
        Self {
            record_bytes: block_bytes,
            large_block_bytes: 4096,
            records_at_once: depth,
            large_blocks_at_once: 1,
            sync_writes: false,
            polling: Polling::None,
            content: Content::incompressible(seed),
            seed,
        }
    }
}
