//! One connection's thread: takes the next transaction, waits for its intended time, reads, and records.
//!
//! Workers share one counter of transactions, so a transaction waits exactly when no worker is free, and the order in
//! which transactions begin is that of the schedule.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use measure::clock::TimeSource;
use measure::random;
use measure::recorder::{Cut, Recorder, Times};
use measure::schedule::Schedule;

use crate::driver::{Driver, ReadFailure, ReadTimes};

/// Longest wait between two looks at whether the run goes on.
const LONGEST_WAIT_NS: u64 = 100_000_000;
/// Reads are recorded together at least this often: the lock is taken rarely, and a read's tick is right to this.
const RECORD_EVERY_NS: u64 = 10_000_000;
/// The kernel may be this late with a wake-up to save power; 50 µs by default.
const TIMER_SLACK_NS: u64 = 1;

/// Both operations, and what they yielded since somebody last looked.
pub struct Recorders {
    /// Whole transactions.
    pub transaction: Recorder,
    /// Reads inside them.
    pub read: Recorder,
    /// Finished intervals that were not handed over yet.
    pub cuts: Vec<Cut>,
    /// Transactions that began and did not end.
    pub under_way: u64,
}

impl Recorders {
    /// Moves both on.
    pub fn advance(&mut self, now_ns: u64) {
        self.transaction.advance(now_ns, &mut self.cuts);
        self.read.advance(now_ns, &mut self.cuts);
    }
}

/// What all workers and the thread of the run share.
pub struct Shared {
    /// Offset 0 is the start of the run.
    pub time: Arc<dyn TimeSource>,
    /// When transactions are intended.
    pub schedule: Schedule,
    /// Transactions intended from here on do not begin.
    pub end_ns: AtomicU64,
    /// Number of the transaction that the next free worker takes.
    pub next: AtomicU64,
    /// Set when nobody waits for transactions under way any more.
    pub abandoned: AtomicBool,
    /// Taken out when the run is finished; what comes later is dropped.
    pub recorders: Mutex<Option<Recorders>>,
    /// Reads of one transaction.
    pub reads: u64,
    /// Keys to choose from.
    pub keys: u64,
    /// Source of the choice.
    pub seed: u64,
    /// Transactions count where they were intended.
    pub simulated: bool,
}

impl Shared {
    /// Does something with the recorders, unless the run is finished.
    pub fn with_recorders<R>(&self, act: impl FnOnce(&mut Recorders) -> R) -> Option<R> {
        self.recorders.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(act)
    }

    fn is_over(&self, intended_ns: u64) -> bool {
        intended_ns >= self.end_ns.load(Ordering::Acquire) || self.abandoned.load(Ordering::Acquire)
    }

    /// False when the run ended first.
    fn wait_for(&self, intended_ns: u64) -> bool {
        while !self.is_over(intended_ns) {
            let now_ns = self.time.now_ns();
            if now_ns >= intended_ns {
                return true;
            }
            self.time.wait_until(intended_ns.min(now_ns + LONGEST_WAIT_NS));
        }
        false
    }
}

/// Carries out transactions until the run ends.
pub fn work(shared: &Shared, mut driver: Box<dyn Driver>) {
    // Where it is refused, transactions begin a little later, which the lateness shows.
    let _ = rustix::thread::set_current_timer_slack(TIMER_SLACK_NS.try_into().ok());
    let mut reads = Vec::new();
    loop {
        let number = shared.next.fetch_add(1, Ordering::AcqRel);
        let intended_ns = shared.schedule.intended_ns(number);
        if !shared.wait_for(intended_ns) {
            return;
        }
        Transaction { shared, driver: driver.as_mut(), reads: &mut reads, number, intended_ns }.execute();
    }
}

struct Transaction<'a> {
    shared: &'a Shared,
    driver: &'a mut dyn Driver,
    /// Not recorded yet.
    reads: &'a mut Vec<ReadTimes>,
    number: u64,
    intended_ns: u64,
}

impl Transaction<'_> {
    fn execute(mut self) {
        let (shared, intended_ns) = (self.shared, self.intended_ns);
        let dispatched_ns = if shared.simulated { intended_ns } else { shared.time.now_ns() };
        self.record(dispatched_ns, |recorders| {
            recorders.under_way += 1;
            recorders.transaction.dispatched(dispatched_ns.saturating_sub(intended_ns));
        });
        let (mut submitted_ns, mut now_ns, mut recorded_ns) = (None, dispatched_ns, dispatched_ns);
        let mut failure = None;
        for index in 0..shared.reads {
            if shared.abandoned.load(Ordering::Acquire) {
                return;
            }
            let number = self.number * shared.reads + index;
            let key = random::below(shared.keys, random::bits(shared.seed, 1, number));
            match self.driver.read(key, number, now_ns, shared.time.as_ref()) {
                Ok(times) => {
                    submitted_ns.get_or_insert(times.submitted_ns);
                    now_ns = times.completed_ns;
                    self.reads.push(times);
                }
                Err(cause) => {
                    // The rest of the transaction cannot make it right any more.
                    failure = Some(cause);
                    break;
                }
            }
            if !shared.simulated && now_ns > recorded_ns + RECORD_EVERY_NS {
                recorded_ns = now_ns;
                self.record(now_ns, |_| {});
            }
        }
        let position_ns = match (shared.simulated, failure) {
            (true, _) => intended_ns,
            (false, None) => now_ns,
            (false, Some(_)) => shared.time.now_ns(),
        };
        self.record(position_ns, |recorders| {
            recorders.under_way -= 1;
            match failure {
                None => recorders.transaction.completed(Times {
                    intended_ns,
                    submitted_ns: submitted_ns.unwrap_or(dispatched_ns),
                    completed_ns: now_ns,
                }),
                Some(ReadFailure::Failed) => {
                    recorders.read.failed();
                    recorders.transaction.failed();
                }
                Some(ReadFailure::TimedOut) => {
                    recorders.read.timed_out();
                    recorders.transaction.timed_out();
                }
            }
        });
    }

    /// Records the reads so far and then what `more` does, in the interval that contains `position_ns`.
    fn record(&mut self, position_ns: u64, more: impl FnOnce(&mut Recorders)) {
        let reads = &mut *self.reads;
        self.shared.with_recorders(|recorders| {
            recorders.advance(position_ns);
            for read in reads.iter() {
                recorders.read.completed(Times {
                    intended_ns: read.submitted_ns,
                    submitted_ns: read.submitted_ns,
                    completed_ns: read.completed_ns,
                });
            }
            more(recorders);
        });
        reads.clear();
    }
}
