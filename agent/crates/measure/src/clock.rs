//! Where the time of a run comes from: integer nanoseconds since offset 0, which never go back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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

    /// Offset 0 is this instant; until then it is 0.
    #[must_use]
    pub fn at(origin: Instant) -> Self {
        Self(origin)
    }

    /// Returns the instant of offset 0.
    #[must_use]
    pub fn origin(&self) -> Instant {
        self.0
    }
}

/// An instant that is offset 0 of a run, and when that is by the wall clock.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// Offset 0.
    pub time: MonotonicTime,
    /// The same moment by the clock of the machine, in nanoseconds since 1970.
    pub unix_ns: u64,
    /// Offset 0 lies within so much of `unix_ns`: the two clocks cannot be read at the same instant. How right the clock
    /// of the machine is, is another question.
    pub uncertainty_ns: u64,
}

impl Start {
    /// Both clocks are read so often, and the closest pair counts.
    const READINGS: usize = 9;

    /// Returns a start that is `lead` from now.
    #[must_use]
    pub fn after(lead: Duration) -> Self {
        let reading = || {
            let (before, wall, after) = (Instant::now(), SystemTime::now(), Instant::now());
            (after - before, before, wall)
        };
        let readings = std::iter::repeat_with(reading).take(Self::READINGS);
        let (apart, before, wall) = readings.min_by_key(|(apart, ..)| *apart).unwrap_or_else(reading);
        let (half, origin) = (apart.div_f64(2.0), Instant::now() + lead);
        let unix = (wall + origin.duration_since(before + half)).duration_since(UNIX_EPOCH).unwrap_or_default();
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        Self { time: MonotonicTime::at(origin), unix_ns: nanoseconds(unix), uncertainty_ns: nanoseconds(half).max(1) }
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

    /// Advances to an offset; an offset before now changes nothing.
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

/// Processor time of the thread that makes it, told piece by piece.
#[derive(Debug)]
pub struct ProcessorTime(u64);

impl ProcessorTime {
    /// Begins now; for use by this thread alone.
    #[must_use]
    pub fn begin() -> Self {
        Self(Self::of_this_thread_ns())
    }

    /// What the thread used since it was asked last, or began.
    pub fn since_last_ns(&mut self) -> u64 {
        let now_ns = Self::of_this_thread_ns();
        now_ns.saturating_sub(std::mem::replace(&mut self.0, now_ns))
    }

    fn of_this_thread_ns() -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
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
        // The two readings above are apart as well, on a loaded machine by much; but never the other way round.
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
