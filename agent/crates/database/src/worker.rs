//! One connection's thread: takes the next transaction, waits for its intended time, reads, and records.
//!
//! Workers share one counter of transactions, so a transaction waits exactly when no worker is free, and the order in
//! which transactions begin is that of the schedule.

use std::collections::BTreeMap;
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
    /// Transactions that began and did not end: intended time by number.
    pub under_way: BTreeMap<u64, u64>,
}

impl Recorders {
    /// Moves both on.
    pub fn advance(&mut self, now_ns: u64) {
        self.transaction.advance(now_ns, &mut self.cuts);
        self.read.advance(now_ns, &mut self.cuts);
    }

    /// Tells how many transactions are under way. Of reads it is not known which of them wait for an answer just now.
    pub fn tell_under_way(&mut self, now_ns: u64) {
        let oldest_ns =
            self.under_way.first_key_value().map_or(0, |(_, intended_ns)| now_ns.saturating_sub(*intended_ns));
        self.transaction.under_way(self.under_way.len() as u64, oldest_ns);
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

    /// Moves the recorders on to where `now_ns` lies in the run: what comes after its end belongs to the last interval.
    pub fn advance(&self, recorders: &mut Recorders, now_ns: u64) {
        let now_ns = now_ns.min(self.end_ns.load(Ordering::Acquire));
        if !self.simulated && recorders.transaction.is_due(now_ns) {
            recorders.tell_under_way(now_ns);
        }
        recorders.advance(now_ns);
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

/// Carries out transactions until the run ends. Workers are numbered 0, 1, …
pub fn work(shared: &Shared, worker: usize, mut driver: Box<dyn Driver>) {
    // Where it is refused, transactions begin a little later, which the lateness shows.
    let _ = rustix::thread::set_current_timer_slack(TIMER_SLACK_NS.try_into().ok());
    let (mut reads, mut busy_before_ns, mut free_ns) = (Vec::new(), busy_ns(), 0);
    loop {
        let number = shared.next.fetch_add(1, Ordering::AcqRel);
        let intended_ns = shared.schedule.intended_ns(number);
        if !shared.wait_for(intended_ns) {
            return;
        }
        let driver = driver.as_mut();
        let (reads, busy_before_ns) = (&mut reads, &mut busy_before_ns);
        Transaction { shared, worker, driver, reads, busy_before_ns, number, intended_ns, free_ns: &mut free_ns }
            .execute();
    }
}

struct Transaction<'a> {
    shared: &'a Shared,
    worker: usize,
    driver: &'a mut dyn Driver,
    /// Not recorded yet.
    reads: &'a mut Vec<ReadTimes>,
    /// Processor time that was told already.
    busy_before_ns: &'a mut u64,
    number: u64,
    intended_ns: u64,
    /// Since when this worker waits for no answer.
    free_ns: &'a mut u64,
}

impl Transaction<'_> {
    fn execute(mut self) {
        let (shared, intended_ns) = (self.shared, self.intended_ns);
        let dispatched_ns = if shared.simulated { intended_ns } else { shared.time.now_ns() };
        // Numbers are taken in order, so one that is taken late was left because every worker waited for an answer: until
        // this worker got its last one, that was the server's doing.
        let possible_ns = intended_ns.max(*self.free_ns);
        let number = self.number;
        self.record(dispatched_ns, |recorders| {
            recorders.under_way.insert(number, intended_ns);
            if !shared.simulated {
                let late_ns = dispatched_ns.saturating_sub(intended_ns);
                recorders.transaction.dispatched(late_ns, dispatched_ns.saturating_sub(possible_ns));
            }
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
        *self.free_ns = position_ns;
        self.record(position_ns, |recorders| {
            recorders.under_way.remove(&number);
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
        let busy = busy_ns();
        let busy_ns = busy.saturating_sub(std::mem::replace(self.busy_before_ns, busy));
        let (reads, shared, worker) = (&mut *self.reads, self.shared, self.worker);
        shared.with_recorders(|recorders| {
            // What a worker does after the end belongs to no interval.
            if position_ns <= shared.end_ns.load(Ordering::Acquire) {
                recorders.transaction.busy(worker, busy_ns);
                recorders.read.busy(worker, busy_ns);
            }
            shared.advance(recorders, position_ns);
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

/// Processor time of this thread so far.
fn busy_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}
