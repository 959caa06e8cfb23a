//! The fraud workload: which series it has, how it begins, and how it ends.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use measure::arrivals::Arrivals;
use measure::book::Book;
use measure::clock::{MonotonicTime, TimeSource};
use measure::recorder::{OperationPlan, Recorder, TICK_NS};
use measure::report::{Reporter, with_reporter};
use measure::schedule::{Rate, Schedule};
use measure::series::{Clock, IntervalSink, Outcome, SeriesDefinition, StopFlag, Workload, WorkloadError};

use crate::driver::Store;
use crate::plan::FraudPlan;
use crate::worker::{self, Recorders, Shared};

/// Limits of single reads that are counted exactly, beside the window divided by the reads.
const READ_LIMITS_NS: [u64; 3] = [1_000_000, 8_000_000, 64_000_000];
/// Parts of the window that are counted exactly for transactions: a twentieth, a tenth, a quarter, a half, all, double.
const WINDOW_PARTS: [(u64, u64); 6] = [(1, 20), (1, 10), (1, 4), (1, 2), (1, 1), (2, 1)];
/// What transactions under way at the end are waited for, and after an early stop.
const GRACE_NS: u64 = 10_000_000_000;
const GRACE_AFTER_STOP_NS: u64 = 1_500_000_000;
/// Longest wait between two looks at the stop flag, and at whether all workers ended.
const LONGEST_WAIT_NS: u64 = 100_000_000;
const DRAIN_LOOK_NS: u64 = 2_000_000;
/// Number of the first series of reads.
const FIRST_READ_SERIES: u16 = 4;

/// A prepared run.
pub struct Fraud {
    plan: FraudPlan,
    store: Box<dyn Store>,
    transaction: OperationPlan,
    read: OperationPlan,
    schedule: Schedule,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

impl Fraud {
    /// A run of a checked plan over loaded keys.
    pub fn new(
        plan: FraudPlan,
        store: Box<dyn Store>,
        duration: Duration,
        ticks_per_histogram: u64,
    ) -> Result<Self, WorkloadError> {
        let rate = Rate::per_second(plan.transactions_per_s)
            .map_err(|error| WorkloadError(format!("fraud plan: transactions_per_s: {error}")))?;
        let schedule = Schedule::new(rate, 0, 1);
        let operation = |name: &str, schedule: Option<Schedule>, clocks, pin_thresholds_ns| OperationPlan {
            operation: name.into(),
            device: Some(plan.address.clone()),
            schedule: schedule.map(Arrivals::from),
            clocks,
            pin_thresholds_ns,
        };
        let of_window = WINDOW_PARTS.map(|(part, of)| plan.window_ns * part / of);
        let share_ns = plan.window_ns / u64::from(plan.reads_per_transaction);
        let of_read = READ_LIMITS_NS.into_iter().chain([share_ns]);
        let both = vec![Clock::Response, Clock::Service];
        let transaction = operation("transaction", Some(schedule), both, ascending(of_window));
        let read = operation("read", None, vec![Clock::Service], ascending(of_read));
        let duration_ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Ok(Self { plan, store, transaction, read, schedule, ticks_per_histogram, duration_ns })
    }

    fn book(&self) -> Book {
        let mut book = Book::default();
        book.add(self.transaction.clone(), 1, None);
        book.add(self.read.clone(), 1, None);
        book
    }

    fn shared(&self, time: Arc<dyn TimeSource>) -> Shared {
        let recorder = |operation: &OperationPlan, first_series_no| {
            Recorder::new(operation.clone(), first_series_no, self.ticks_per_histogram, self.duration_ns)
        };
        let recorders = Recorders {
            transaction: recorder(&self.transaction, 0),
            read: recorder(&self.read, FIRST_READ_SERIES),
            cuts: Vec::new(),
            under_way: BTreeMap::new(),
        };
        Shared {
            time,
            schedule: self.schedule,
            end_ns: AtomicU64::new(self.duration_ns),
            next: AtomicU64::new(0),
            abandoned: AtomicBool::new(false),
            recorders: Mutex::new(Some(recorders)),
            reads: self.plan.reads_per_transaction.into(),
            keys: self.plan.keys,
            seed: self.plan.seed,
            simulated: self.store.is_simulated(),
        }
    }

    fn measure(&self, reporter: &Reporter, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        let drivers: Vec<_> = (0..self.plan.connections).map(|_| self.store.connect()).collect();
        let shared = Arc::new(self.shared(Arc::new(MonotonicTime::start())));
        let mut workers = Vec::with_capacity(drivers.len());
        for (number, driver) in drivers.into_iter().enumerate() {
            let of_worker = shared.clone();
            let builder = thread::Builder::new().name(format!("connection-{number}")).stack_size(256 << 10);
            match builder.spawn(move || worker::work(&of_worker, number, driver)) {
                Ok(worker) => workers.push(worker),
                Err(error) => {
                    shared.abandoned.store(true, Ordering::Release);
                    return Err(WorkloadError(format!(
                        "connection {number} gets no thread: {error}; choose fewer connections or raise ulimit -u"
                    )));
                }
            }
        }
        let reason = watch(&shared, reporter, stop);
        let grace_ns = if reason.is_some() { GRACE_AFTER_STOP_NS } else { GRACE_NS };
        let duration_ns = conclude(&shared, workers, grace_ns, reporter);
        Ok(Outcome { completed: reason.is_none(), reason, duration_ns })
    }
}

impl Workload for Fraud {
    fn series(&self, host: &str) -> Vec<SeriesDefinition> {
        self.book().definitions(host)
    }

    fn run(mut self: Box<Self>, sink: &dyn IntervalSink, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        let mut outcome = with_reporter(&self.book(), sink, |reporter| self.measure(reporter, stop))?;
        if let Some(left_behind) = self.store.clear() {
            let reasons = outcome.reason.take().into_iter().chain([left_behind]);
            outcome.reason = Some(reasons.collect::<Vec<_>>().join("; "));
        }
        Ok(outcome)
    }
}

/// Hands over what is finished until the run ends; a reason when that was early.
fn watch(shared: &Shared, reporter: &Reporter, stop: &StopFlag) -> Option<String> {
    let end_ns = shared.end_ns.load(Ordering::Acquire);
    loop {
        let now_ns = shared.time.now_ns();
        hand_over(shared, reporter, now_ns);
        if now_ns >= end_ns {
            see_the_end(shared, now_ns);
            return None;
        }
        if stop.is_stopped() {
            shared.end_ns.store(now_ns + 1, Ordering::Release);
            see_the_end(shared, now_ns);
            return Some("stopped on request".into());
        }
        let next_tick_ns = (now_ns / TICK_NS + 1) * TICK_NS;
        shared.time.wait_until(next_tick_ns.min(end_ns).min(now_ns + LONGEST_WAIT_NS));
    }
}

/// What is under way now counts for the last interval, not what is still under way when nobody waits any longer.
fn see_the_end(shared: &Shared, now_ns: u64) {
    if !shared.simulated {
        shared.with_recorders(|recorders| {
            shared.advance(recorders, now_ns);
            recorders.tell_under_way(now_ns);
        });
    }
}

/// Waits for transactions under way, then closes the books. Returns when the run ended.
fn conclude(shared: &Shared, workers: Vec<JoinHandle<()>>, grace_ns: u64, reporter: &Reporter) -> u64 {
    let deadline_ns = shared.time.now_ns().saturating_add(grace_ns);
    while !workers.iter().all(JoinHandle::is_finished) && shared.time.now_ns() < deadline_ns {
        shared.time.wait_until(shared.time.now_ns() + DRAIN_LOOK_NS);
        hand_over(shared, reporter, shared.time.now_ns());
    }
    let end_ns = shared.end_ns.load(Ordering::Acquire);
    let taken = shared.recorders.lock().unwrap_or_else(PoisonError::into_inner).take();
    shared.abandoned.store(true, Ordering::Release);
    if let Some(mut recorders) = taken {
        recorders.transaction.finish(end_ns, 0, &mut recorders.cuts);
        recorders.read.finish(end_ns, recorders.under_way.len() as u64, &mut recorders.cuts);
        reporter.cuts(recorders.cuts);
    }
    // A worker that still waits for an answer ends by itself at its time-out; it records nothing any more.
    drop(workers);
    end_ns
}

fn hand_over(shared: &Shared, reporter: &Reporter, now_ns: u64) {
    let simulated = shared.simulated;
    let cuts = shared.with_recorders(|recorders| {
        if !simulated {
            shared.advance(recorders, now_ns);
        }
        std::mem::take(&mut recorders.cuts)
    });
    reporter.cuts(cuts.unwrap_or_default());
}

fn ascending(thresholds_ns: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut thresholds_ns: Vec<u64> = thresholds_ns.into_iter().filter(|&threshold_ns| threshold_ns > 0).collect();
    thresholds_ns.sort_unstable();
    thresholds_ns.dedup();
    thresholds_ns
}

#[cfg(test)]
#[path = "fraud_tests.rs"]
pub(crate) mod tests;
