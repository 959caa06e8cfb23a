//! Tests of arming and starting a run, on a simulated target.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use measure::arrivals::Arrivals;
use measure::recorder::{OperationPlan, Recorder};
use measure::schedule::{Rate, Schedule};
use measure::series::{Clock, Interval};

use super::*;
use crate::injected::Injected;
use crate::lane::{Lane, Pace};
use crate::program::Single;

const SECOND: u64 = 1_000_000_000;

/// A plan of 100 commands per second over all threads.
struct Even(u64);

impl Even {
    fn operation() -> OperationPlan {
        let schedule = Schedule::new(Rate::new(100, u128::from(SECOND)).expect("usable"), 0, 1);
        OperationPlan {
            operation: "read".into(),
            device: None,
            schedule: Some(Arrivals::from(schedule)),
            clocks: vec![Clock::Response],
            pin_thresholds_ns: vec![],
        }
    }
}

impl Plan for Even {
    type Command = u64;

    fn lanes(&self, thread: usize, _: Option<u64>) -> Vec<Lane<u64>> {
        let part = (thread as u64, self.0);
        let arrivals = Self::operation().schedule.expect("given").part(part.0, part.1);
        let operation = OperationPlan { schedule: Some(arrivals), ..Self::operation() };
        let recorder = Recorder::new(operation, 0, 1, SECOND);
        vec![Lane::new(Box::new(Single(|number| number)), Pace::Open(arrivals.cursor()), [recorder], part)]
    }
}

/// A target that fails or panics for the given threads, and records whether it was finished.
#[derive(Default)]
struct FailingTarget {
    refuses: Option<usize>,
    panics: Option<usize>,
    finished: Arc<AtomicBool>,
}

impl Target for FailingTarget {
    type Command = u64;

    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = u64>>, WorkloadError> {
        assert_ne!(self.panics, Some(thread), "as the test wants it");
        if self.refuses == Some(thread) {
            return Err(WorkloadError("no session for this one".into()));
        }
        Ok(Box::new(Injected::new(8, |_| 1_000, (0, 0)).0))
    }

    fn finish(&self) -> Result<(), Warning> {
        self.finished.store(true, Ordering::Release);
        Ok(())
    }
}

fn prepared(target: FailingTarget, threads: usize) -> Box<Prepared<Even, FailingTarget>> {
    let mut series_table = SeriesTable::default();
    series_table.add(Even::operation(), threads, None);
    let rules = Rules { largest_lateness_ns: None, timeout_ns: SECOND, measured: "stand-in" };
    let plan = Even(threads as u64);
    Box::new(Prepared {
        plan,
        target,
        series_table,
        rules,
        threads,
        duration_ns: SECOND,
        ramp_ns: 0,
        without_waiting: false,
        stack_bytes: None,
    })
}

#[derive(Default)]
struct Memory(Mutex<Vec<Interval>>);

impl IntervalSink for Memory {
    fn intervals(&self, intervals: Vec<Interval>) {
        self.0.lock().expect("not poisoned").extend(intervals);
    }
}

#[test]
fn a_thread_that_cannot_be_started_ends_the_run_by_name_and_nobody_waits_for_it() {
    let target = FailingTarget::default();
    let finished = Arc::clone(&target.finished);
    let mut run = prepared(target, 2);
    // No machine has this much memory for a stack.
    run.stack_bytes = Some(1 << 60);
    let sentence = run.arm(&StopFlag::default()).err().expect("refused").to_string();
    assert!(sentence.contains("measuring thread 1 of 2 cannot be started"), "{sentence}");
    assert!(sentence.contains("ulimit -u"), "{sentence}");
    assert!(finished.load(Ordering::Acquire), "what was prepared is taken away");
}

#[test]
fn a_thread_without_a_session_ends_the_run_and_the_others_do_not_wait_for_it() {
    for target in [
        FailingTarget { refuses: Some(2), ..FailingTarget::default() },
        FailingTarget { panics: Some(2), ..FailingTarget::default() },
    ] {
        let expected =
            if target.refuses.is_some() { "no session for this one" } else { "measuring thread 2 ended early" };
        let sentence = prepared(target, 4).arm(&StopFlag::default()).err().expect("refused").to_string();
        assert!(sentence.contains(expected), "{sentence}");
    }
}

#[test]
fn armed_threads_begin_at_the_instant_that_is_asked_for() {
    let memory = Memory::default();
    let armed = prepared(FailingTarget::default(), 3).arm(&StopFlag::default()).expect("armed");
    let at = Instant::now() + Duration::from_millis(200);
    let outcome = armed.start(MonotonicTime::at(at), &memory, &StopFlag::default()).expect("ends");
    assert!(at.elapsed() >= Duration::from_secs(1), "it lasts from that instant on");
    assert_eq!((outcome.completed, outcome.duration_ns), (true, SECOND));
    let intervals = memory.0.into_inner().expect("not poisoned");
    let ticks = intervals.iter().filter(|interval| interval.series_no == 0);
    assert_eq!(ticks.map(|interval| interval.count + interval.unfinished).sum::<u64>(), 100);
}

#[test]
fn what_is_armed_and_never_started_is_taken_away() {
    let target = FailingTarget::default();
    let finished = Arc::clone(&target.finished);
    drop(prepared(target, 2).arm(&StopFlag::default()).expect("armed"));
    assert!(finished.load(Ordering::Acquire));
}
