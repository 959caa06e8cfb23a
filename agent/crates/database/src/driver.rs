//! What a transaction needs of a database: one read at a time over one connection.

use measure::clock::TimeSource;

/// Why a read has no latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadFailure {
    /// Given up at the time-out.
    TimedOut,
    /// Refused, cut off, no such key, or a value of another length.
    Failed,
}

/// When one read was sent and answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadTimes {
    /// When the request left.
    pub submitted_ns: u64,
    /// When the answer was complete.
    pub completed_ns: u64,
}

/// One connection. After a failure it may be broken; it then connects again by itself, not more often than its back-off
/// allows, and fails every read until then.
pub trait Driver: Send {
    /// Reads one key. `number` counts the reads of the run, `earliest_ns` is when the read may begin: now, except where
    /// time is made up.
    ///
    /// # Errors
    /// When there is no right answer.
    fn read(
        &mut self,
        key: u64,
        number: u64,
        earliest_ns: u64,
        time: &dyn TimeSource,
    ) -> Result<ReadTimes, ReadFailure>;
}

/// Loaded keys and the way to them. Dropping it removes the keys.
pub trait Store: Send {
    /// A connection of its own.
    fn connect(&self) -> Box<dyn Driver>;
    /// True when latencies are made up: then a transaction counts where it was intended.
    fn is_simulated(&self) -> bool {
        false
    }
    /// Removes what was loaded; a sentence for a person when that fails.
    fn clear(&mut self) -> Option<String>;
}
