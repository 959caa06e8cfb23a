//! Clocks of a run: integer nanoseconds since offset 0, never decreasing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::time::ClockId;

/// A clock of nanoseconds since the start of a run.
pub trait TimeSource: Send + Sync {
    /// Returns the current offset from the start, in nanoseconds.
    fn now_ns(&self) -> u64;
    /// Waits until `offset_ns`; returns immediately if it has passed.
    fn wait_until(&self, offset_ns: u64);
}

/// The monotonic clock of the machine.
#[derive(Debug, Clone, Copy)]
pub struct MonotonicTime(Instant);

impl MonotonicTime {
    /// Returns a clock whose offset 0 is now.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns a clock whose offset 0 is `origin`; it reads 0 until then.
    pub fn at(origin: Instant) -> Self {
        Self(origin)
    }

    /// Returns the instant of offset 0.
    pub fn origin(&self) -> Instant {
        self.0
    }
}

/// The start of a run: offset 0 on the monotonic clock and on the wall clock.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The clock whose offset 0 is the start.
    pub time: MonotonicTime,
    /// Wall-clock time of the start, in nanoseconds since 1970.
    pub unix_ns: u64,
    /// Largest difference in nanoseconds between offset 0 and `unix_ns`, since two clocks cannot be read at the same instant. An
    /// error of the wall clock itself is not included.
    pub uncertainty_ns: u64,
}

impl Start {
    /// Number of times that both clocks are read; the closest pair is used.
    const READINGS: usize = 9;

    /// Returns a start that is `lead` from now.
    pub fn after(lead: Duration) -> Self {
        let reading = || {
            let (before, wall, after) = (Instant::now(), SystemTime::now(), Instant::now());
            (after - before, before, wall)
        };
        let readings = std::iter::repeat_with(reading).take(Self::READINGS);
        let (apart, before, wall) = readings.min_by_key(|(apart, ..)| *apart).unwrap_or_else(reading);
        let (half, origin) = (apart.div_f64(2.0), Instant::now() + lead);
        let unix = (wall + origin.duration_since(before + half)).duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { time: MonotonicTime::at(origin), unix_ns: whole_ns(unix), uncertainty_ns: whole_ns(half).max(1) }
    }
}

impl TimeSource for MonotonicTime {
    fn now_ns(&self) -> u64 {
        whole_ns(self.0.elapsed())
    }

    fn wait_until(&self, offset_ns: u64) {
        let now_ns = self.now_ns();
        if offset_ns > now_ns {
            thread::sleep(Duration::from_nanos(offset_ns - now_ns));
        }
    }
}

/// A clock that only moves when it is advanced; clones share the time.
#[derive(Debug, Clone, Default)]
pub struct ManualTime(Arc<AtomicU64>);

impl ManualTime {
    /// Advances by `step_ns`; safe to call from several threads at once.
    pub fn advance(&self, step_ns: u64) {
        self.0.fetch_add(step_ns, Ordering::AcqRel);
    }

    /// Advances to `offset_ns`; does nothing if the clock has passed it.
    pub fn advance_to(&self, offset_ns: u64) {
        self.0.fetch_max(offset_ns, Ordering::AcqRel);
    }
}

impl TimeSource for ManualTime {
    fn now_ns(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    /// Advances instead of waiting, so that a simulated day takes no time.
    fn wait_until(&self, offset_ns: u64) {
        self.advance_to(offset_ns);
    }
}

/// Returns a duration in whole nanoseconds.
pub fn whole_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the wall-clock time since 1970.
pub fn unix_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Returns the time of a clock of the system, such as the processor time of a thread.
pub fn clock(id: ClockId) -> Duration {
    Duration::try_from(rustix::time::clock_gettime(id)).unwrap_or_default()
}

/// Processor time used by the thread that created it.
#[derive(Debug)]
pub struct ProcessorTime(u64);

impl ProcessorTime {
    /// Starts measuring; the value must only be used by the current thread.
    pub fn begin() -> Self {
        Self(Self::of_this_thread_ns())
    }

    /// Returns the processor time since the last call, or since the start, in nanoseconds.
    pub fn since_last_ns(&mut self) -> u64 {
        let now_ns = Self::of_this_thread_ns();
        now_ns.saturating_sub(std::mem::replace(&mut self.0, now_ns))
    }

    fn of_this_thread_ns() -> u64 {
        whole_ns(clock(ClockId::ThreadCPUTime))
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
    fn a_start_is_the_same_moment_on_both_clocks() {
        let start = Start::after(Duration::from_millis(30));
        assert_eq!(start.time.now_ns(), 0, "it has not come yet");
        while start.time.now_ns() == 0 {
            start.time.wait_until(1);
            thread::sleep(Duration::from_millis(1));
        }
        let (offset_ns, wall) = (start.time.now_ns(), SystemTime::now());
        let unix_ns = wall.duration_since(UNIX_EPOCH).expect("after 1970").as_nanos();
        let late_ns = i128::try_from(unix_ns).expect("small") - i128::from(start.unix_ns) - i128::from(offset_ns);
        // The two readings above are apart too, considerably on a loaded machine, but always in this order.
        assert!(late_ns >= -i128::from(start.uncertainty_ns) - 1_000_000, "{late_ns}");
        assert!(start.uncertainty_ns < 1_000_000, "{start:?}");
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
