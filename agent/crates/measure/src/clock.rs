//! Where the time of a run comes from: integer nanoseconds since offset 0, which never go back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Nanoseconds since the start of a run.
pub trait TimeSource: Send + Sync {
    /// Now, as an offset from the start.
    fn now_ns(&self) -> u64;
    /// Returns once `offset_ns` is reached, at once if it is past.
    fn wait_until(&self, offset_ns: u64);
}

/// The monotonic clock of the machine; offset 0 is its creation.
#[derive(Debug, Clone, Copy)]
pub struct MonotonicTime(Instant);

impl MonotonicTime {
    /// Starts the run: offset 0 is now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl TimeSource for MonotonicTime {
    fn now_ns(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn wait_until(&self, offset_ns: u64) {
        let now_ns = self.now_ns();
        if offset_ns > now_ns {
            thread::sleep(Duration::from_nanos(offset_ns - now_ns));
        }
    }
}

/// A clock that stands until it is moved; clones show the same time.
#[derive(Debug, Clone, Default)]
pub struct ManualTime(Arc<AtomicU64>);

impl ManualTime {
    /// Moves on; a step is never lost when several threads move at once.
    pub fn advance(&self, step_ns: u64) {
        self.0.fetch_add(step_ns, Ordering::AcqRel);
    }

    /// Moves to an offset; an earlier one than now changes nothing.
    pub fn advance_to(&self, offset_ns: u64) {
        self.0.fetch_max(offset_ns, Ordering::AcqRel);
    }
}

impl TimeSource for ManualTime {
    fn now_ns(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    /// Moves on instead of waiting, so that a day passes in no time.
    fn wait_until(&self, offset_ns: u64) {
        self.advance_to(offset_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machines_clock_starts_near_zero_and_does_not_go_back() {
        let time = MonotonicTime::start();
        let first = time.now_ns();
        let second = time.now_ns();
        assert!(first <= second);
        assert!(first < 1_000_000_000);
    }

    #[test]
    fn a_manual_clock_moves_only_when_told_and_never_back() {
        let time = ManualTime::default();
        let same = time.clone();
        assert_eq!(time.now_ns(), 0);
        time.advance(5);
        same.advance_to(20);
        same.advance_to(10);
        assert_eq!(time.now_ns(), 20);
        time.wait_until(30);
        assert_eq!(same.now_ns(), 30);
    }
}
