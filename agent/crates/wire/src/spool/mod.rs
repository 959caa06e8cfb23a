//! Storage of intervals on disk until the backend has acknowledged them.
//!
//! One folder per run:
//!
//! ```text
//! <spool>/<run id>/announcement.json         description of the run
//!                  series.json               definitions of its series
//!                  000001.segment …          histograms, appended (see `record`); ticks as well from older agents
//!                  000002-ticks.segment …    live ticks, numbered together with the others
//!                  settled.json              what the backend has; written before a segment is deleted
//!                  left-out.json             ticks removed to make room; written before their segment is deleted
//!                  finish.json               outcome of the run, once it has ended
//!                  drive-counters.json       counters of the drives so far
//!                  held                      marks a run measured without a backend: only `drain` sends it
//!                  set-aside/                batches that the backend refused for good, each with the reason
//!                  lock                      locked by the process that works on the run
//! ```
//!
//! **Order.** An interval is on disk before it is sent, and is deleted only after the backend has it.
//! **Durability.** Every append ends with `fdatasync`. One append is one tick, so a power failure loses at most one second. A
//! killed process loses nothing that was appended: an incomplete record is recognised and cut off.
//! **Bound.** From three quarters of the limit on, the oldest ticks that were never offered to the backend are removed. Each is
//! counted, and wire numbers have no gaps (see `omitted`). If a spool reaches its limit nevertheless, or its disk is full, it
//! refuses further intervals with an error, and the run ends as failed with that reason. Histograms are never removed, nothing is
//! dropped without a count, and nothing is overwritten.

mod append;
mod files;
pub mod ledger;
pub mod omitted;
mod reader;
pub mod record;
mod run;
mod writer;

use std::path::Path;

use crate::messages::RunId;

pub use files::{SpoolError, write_json};
pub use reader::{Batch, BatchLimit, Reader};
pub use run::{Recovery, RunSpool, Totals};

/// Returns whether a run was measured without a backend; such a run is sent only on request.
pub fn is_held(spool: &Path, run_id: RunId) -> bool {
    spool.join(run_id.to_string()).join(files::HELD_FILE).exists()
}

/// Returns the runs in a spool, oldest first; a folder that does not exist holds none.
pub fn runs(spool: &Path) -> Result<Vec<RunId>, SpoolError> {
    let mut runs: Vec<RunId> = files::names_in(spool)?.iter().filter_map(|name| name.parse().ok()).collect();
    runs.sort();
    Ok(runs)
}
