//! State that the threads of a run share: the clock, the end, and the reason for an early end, of which the first counts.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use measure::clock::TimeSource;
use measure::series::StopFlag;

/// Longest wait for operations under way at the end and after an early stop, in nanoseconds.
const GRACE_NS: u64 = 10_000_000_000;
const GRACE_AFTER_STOP_NS: u64 = 1_500_000_000;
/// Time in nanoseconds within which all threads notice an early end.
const NOTICE_NS: u64 = 250_000_000;

/// Reason for an early end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Stopped,
    /// The load could not be sustained, with an explanation.
    Overloaded(String),
    /// A device is gone or a session cannot continue, with an explanation.
    Broken(String),
}

/// State shared by the threads of a run.
pub struct Shared {
    pub time: Arc<dyn TimeSource>,
    pub stop: StopFlag,
    threads: usize,
    end_ns: AtomicU64,
    /// Number of threads with units left.
    unfinished: AtomicUsize,
    /// Whether `ending` is set; separate from the lock because it is read in every iteration.
    is_ending: AtomicBool,
    ending: Mutex<Option<Ending>>,
}

impl Shared {
    /// Returns the state of a run from offset 0 of `time` to `duration_ns`.
    pub fn new(time: Arc<dyn TimeSource>, stop: &StopFlag, threads: usize, duration_ns: u64) -> Self {
        Self {
            time,
            stop: stop.clone(),
            threads,
            end_ns: AtomicU64::new(duration_ns),
            unfinished: AtomicUsize::new(threads),
            is_ending: AtomicBool::new(false),
            ending: Mutex::new(None),
        }
    }

    /// Returns the end of the run. Operations intended at or after it do not begin.
    pub fn end_ns(&self) -> u64 {
        self.end_ns.load(Ordering::SeqCst)
    }

    /// Records that a thread has finished its units; to be called once per thread. The run ends with the last thread.
    pub fn done(&self, now_ns: u64) {
        if self.unfinished.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.end_ns.fetch_min(self.soon_ns(now_ns), Ordering::SeqCst);
        }
    }

    /// Returns now, or with several threads the time by which all of them notice an early end.
    fn soon_ns(&self, now_ns: u64) -> u64 {
        now_ns + 1 + if self.threads > 1 { NOTICE_NS } else { 0 }
    }

    /// Ends the run now, or with several threads as soon as all of them notice.
    pub fn end(&self, now_ns: u64, ending: Ending) {
        let mut first = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none() {
            self.end_ns.fetch_min(self.soon_ns(now_ns), Ordering::SeqCst);
            *first = Some(ending);
            self.is_ending.store(true, Ordering::SeqCst);
        }
    }

    /// Returns whether the run ends early.
    pub fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// Returns the reason for an early end, if there is one.
    pub fn ending(&self) -> Option<Ending> {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns how long to wait for operations under way, in nanoseconds.
    pub fn grace_ns(&self) -> u64 {
        if self.ending().is_some() { GRACE_AFTER_STOP_NS } else { GRACE_NS }
    }
}
