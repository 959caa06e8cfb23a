//! State that the threads of a run share: the clock, the end, and why it came early. The first reason counts.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use measure::clock::TimeSource;
use measure::series::StopFlag;

/// Longest wait for operations under way at the end, and after an early stop.
const GRACE_NS: u64 = 10_000_000_000;
const GRACE_AFTER_STOP_NS: u64 = 1_500_000_000;
/// All threads see an early end within this time.
const NOTICE_NS: u64 = 250_000_000;

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The stop flag was set.
    Stopped,
    /// The load could not be kept up, in a sentence.
    Overloaded(String),
    /// A device is gone, or the session cannot go on, in a sentence.
    Broken(String),
}

/// See the module.
pub struct Shared {
    pub time: Arc<dyn TimeSource>,
    pub stop: StopFlag,
    threads: usize,
    end_ns: AtomicU64,
    /// Threads that have something left to do.
    unfinished: AtomicUsize,
    /// Read in every turn, so it is an atomic beside the lock.
    is_ending: AtomicBool,
    ending: Mutex<Option<Ending>>,
}

impl Shared {
    /// Returns a run of `duration_ns` from offset 0 of `time` on.
    pub fn new(time: Arc<dyn TimeSource>, stop: &StopFlag, threads: usize, duration_ns: u64) -> Self {
        let (end_ns, unfinished) = (AtomicU64::new(duration_ns), AtomicUsize::new(threads));
        Self {
            time,
            stop: stop.clone(),
            threads,
            end_ns,
            unfinished,
            is_ending: AtomicBool::new(false),
            ending: Mutex::new(None),
        }
    }

    /// Operations intended from here on do not begin.
    pub fn end_ns(&self) -> u64 {
        self.end_ns.load(Ordering::SeqCst)
    }

    /// Notes that a thread has finished its units. The run ends with the last thread. Each thread calls this once.
    pub fn done(&self, now_ns: u64) {
        if self.unfinished.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.end_ns.fetch_min(self.soon_ns(now_ns), Ordering::SeqCst);
        }
    }

    /// Returns now, or the time at which all threads have seen the end.
    fn soon_ns(&self, now_ns: u64) -> u64 {
        now_ns + 1 + if self.threads > 1 { NOTICE_NS } else { 0 }
    }

    /// Ends the run now, or for several threads as soon as all have seen it.
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

    /// Why the run ended early, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns how long to wait for operations under way.
    pub fn grace_ns(&self) -> u64 {
        if self.ending().is_some() { GRACE_AFTER_STOP_NS } else { GRACE_NS }
    }
}
