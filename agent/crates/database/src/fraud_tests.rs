//! Tests of the workload without a server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use measure::clock::{ManualTime, TimeSource};
use measure::report::with_reporter;
use measure::series::{Interval, IntervalSink, Outcome, Progress, SeriesKind, StopFlag};
use runner::injected::Injected;

use super::*;
use crate::command::Request;
use crate::null::NullTarget;
use crate::plan::DriverChoice;

const SECOND: u64 = 1_000_000_000;

#[derive(Default)]
pub(crate) struct Memory {
    intervals: Mutex<Vec<Interval>>,
    progress: Mutex<Vec<Progress>>,
}

impl IntervalSink for Memory {
    fn intervals(&self, intervals: Vec<Interval>) {
        self.intervals.lock().expect("not poisoned").extend(intervals);
    }

    fn progress(&self, progress: Progress) {
        self.progress.lock().expect("not poisoned").push(progress);
    }
}

impl Memory {
    pub(crate) fn by_series(&self) -> BTreeMap<u16, Vec<Interval>> {
        let mut series: BTreeMap<u16, Vec<Interval>> = BTreeMap::new();
        for interval in self.intervals.lock().expect("not poisoned").iter() {
            series.entry(interval.series_no).or_default().push(interval.clone());
        }
        series
    }

    /// Without what depends on the machine.
    fn by_series_without_busy(&self) -> BTreeMap<u16, Vec<Interval>> {
        let mut series = self.by_series();
        series.values_mut().flatten().for_each(|interval| interval.busy_ns = None);
        series
    }

    pub(crate) fn sum(&self, series_no: u16, of: fn(&Interval) -> u64) -> u64 {
        self.by_series()[&series_no].iter().map(of).sum()
    }
}

fn null_plan() -> FraudPlan {
    FraudPlan { driver: DriverChoice::Null, ..FraudPlan::new("nowhere:1".into()) }
}

fn run_null(plan: &FraudPlan, seconds: u64) -> (Outcome, Memory) {
    let (memory, stop) = (Memory::default(), StopFlag::default());
    let each = Duration::from_secs(1);
    let workload = crate::prepare(plan, Duration::from_secs(seconds), each, &|_| {}, &stop).expect("prepared");
    (workload.run(&memory, &stop).expect("ends"), memory)
}

#[test]
fn transactions_have_two_clocks_and_reads_one() {
    let workload =
        crate::prepare(&null_plan(), Duration::from_secs(1), Duration::from_secs(1), &|_| {}, &StopFlag::default());
    let series = workload.expect("prepared").series("host");
    let seen: Vec<_> =
        series.iter().map(|series| (series.series_no, series.operation.as_str(), series.clock, series.kind)).collect();
    let (tick, histogram) = (SeriesKind::Tick, SeriesKind::Histogram);
    assert_eq!(
        seen,
        [
            (0, "transaction", Clock::Response, tick),
            (1, "transaction", Clock::Response, histogram),
            (2, "transaction", Clock::Service, tick),
            (3, "transaction", Clock::Service, histogram),
            (4, "read", Clock::Service, tick),
            (5, "read", Clock::Service, histogram),
        ]
    );
    assert!(series[0].pin_thresholds_ns.contains(&SECOND));
    assert_eq!(series[4].pin_thresholds_ns, [1_000_000, 4_000_000, 8_000_000, 64_000_000]);
    assert_eq!((series[0].target_rate_per_s, series[4].target_rate_per_s), (Some(105.0), None));
}

#[test]
fn without_a_server_two_runs_are_equal_bit_by_bit() {
    let ((outcome, first), (_, second)) = (run_null(&null_plan(), 1), run_null(&null_plan(), 1));
    assert_eq!(outcome, Outcome { completed: true, reason: None, duration_ns: SECOND });
    assert_eq!(first.by_series_without_busy(), second.by_series_without_busy());
    assert!(first.by_series().values().flatten().all(|interval| interval.busy_ns.is_some()));
    assert_eq!(first.sum(0, |interval| interval.count), 105);
    assert_eq!(first.sum(4, |interval| interval.count), 105 * 250);
    assert_eq!(first.by_series()[&4][0].target_count, None);
    let response_ns = first.sum(0, |interval| interval.sum_ns);
    assert_eq!(response_ns, first.sum(4, |interval| interval.sum_ns), "a transaction is the sum of its reads");
}

#[test]
fn a_stop_ends_the_run_early() {
    let (memory, stop) = (Memory::default(), StopFlag::default());
    let hour = Duration::from_secs(3_600);
    let workload = crate::prepare(&null_plan(), hour, Duration::from_secs(10), &|_| {}, &stop).expect("prepared");
    stop.stop();
    let outcome = workload.run(&memory, &stop).expect("ends");
    assert!(!outcome.completed && outcome.duration_ns < 60 * SECOND, "{outcome:?}");
    let target = memory.sum(0, |interval| interval.target_count.unwrap_or(0));
    assert_eq!(memory.sum(0, |interval| interval.count + interval.unfinished), target);
}

#[test]
fn histogram_intervals_are_whole_seconds() {
    let prepared =
        |every| crate::prepare(&null_plan(), Duration::from_secs(1), every, &|_| {}, &StopFlag::default()).map(|_| ());
    assert!(prepared(Duration::from_millis(1_500)).is_err());
    assert!(prepared(Duration::ZERO).is_err());
    assert!(prepared(Duration::from_secs(3)).is_ok());
}

/// A machine on which every look at the clock takes so long.
struct SlowMachine(ManualTime, u64);

impl TimeSource for SlowMachine {
    fn now_ns(&self) -> u64 {
        self.0.advance(self.1);
        self.0.now_ns()
    }

    fn wait_until(&self, offset_ns: u64) {
        self.0.advance_to(offset_ns);
    }
}

fn number(request: &Request) -> u64 {
    request.command.number()
}

/// One connection, one read a transaction, 100 transactions a second for three seconds.
fn run_injected(latency_ns: fn(&Request) -> u64, look_ns: u64) -> Memory {
    let plan = FraudPlan {
        connections: 1,
        reads_per_transaction: 1,
        transactions_per_s: 100.0,
        ..FraudPlan::new("nowhere:1".into())
    };
    run_plan(&plan, latency_ns, look_ns, 1)
}

fn run_plan(plan: &FraudPlan, latency_ns: fn(&Request) -> u64, look_ns: u64, places: usize) -> Memory {
    let fraud = Fraud::prepared(plan, NullTarget { seed: 1 }, 1, 3 * SECOND, 1).expect("usable");
    let (mut session, _) = Injected::new(places, latency_ns, (0, 0));
    let (memory, time) = (Memory::default(), SlowMachine(ManualTime::default(), look_ns));
    with_reporter(&fraud.book, &memory, |reporter| {
        fraud.measure(&mut session, Arc::new(time), reporter, &StopFlag::default())
    })
    .expect("reported")
    .expect("ends");
    memory
}

#[test]
fn a_transaction_is_as_long_as_its_reads_and_holds_its_connection() {
    // Two connections, ten reads of 3 ms each: 60 transactions a second are served, 50 are asked for.
    let plan = FraudPlan {
        connections: 2,
        reads_per_transaction: 10,
        transactions_per_s: 50.0,
        ..FraudPlan::new("nowhere:1".into())
    };
    let memory = run_plan(&plan, |_| 3_000_000, 0, 2);
    assert_eq!(memory.sum(0, |interval| interval.count), 150);
    assert_eq!(memory.sum(4, |interval| interval.count), 1_500);
    let service_ns = memory.sum(2, |interval| interval.sum_ns);
    assert_eq!(service_ns, 150 * 30_000_000, "a transaction takes a connection when it begins and keeps it");
    assert_eq!(memory.sum(4, |interval| interval.sum_ns), service_ns);
    assert_eq!(memory.sum(0, |interval| interval.errors + interval.timeouts + interval.unfinished), 0);
}

#[test]
fn a_transaction_that_waits_for_a_free_worker_is_not_late_by_the_generators_fault() {
    let stalls: fn(&Request) -> u64 = |read| if number(read) == 130 { 500_000_000 } else { 100_000 };
    let slow: fn(&Request) -> u64 = |_| 12_000_000;
    for (latency_ns, least_ns) in [(stalls, 480_000_000), (slow, 300_000_000)] {
        let memory = run_injected(latency_ns, 0);
        for series_no in 0..4 {
            let second = &memory.by_series()[&series_no][1];
            assert!(second.lateness_max_ns > least_ns, "{second:?}");
            assert_eq!(second.lateness_p99_ns, Some(999), "no more than the width of a bucket: {second:?}");
            assert!(second.busy_ns.is_some());
        }
        assert!(
            memory.by_series()[&4].iter().all(|interval| interval.lateness_p99_ns.is_none()),
            "reads have no schedule"
        );
    }
}

#[test]
fn a_generator_that_is_slow_says_so_whether_workers_are_free_or_not() {
    for latency_ns in [|_: &Request| 100_000, |_: &Request| 12_000_000] {
        let memory = run_injected(latency_ns, 200_000);
        let second = &memory.by_series()[&1][1];
        // Between an answer and the next transaction it looks at the clock two or three times.
        let late_ns = second.lateness_p99_ns.expect("told");
        assert!((200_000..1_000_000).contains(&late_ns), "{second:?}");
    }
}

#[test]
fn transactions_without_an_answer_are_under_way_at_the_end_of_a_second() {
    let memory = run_injected(|read| if number(read) == 150 { 1_000_000_000 } else { 1_000_000 }, 0);
    let ticks = &memory.by_series()[&0];
    assert_eq!((ticks[1].in_flight, ticks[1].oldest_in_flight_ns), (Some(1), Some(500_000_000)), "{:?}", ticks[1]);
    assert_eq!((ticks[2].in_flight, ticks[2].oldest_in_flight_ns), (Some(0), Some(0)), "{:?}", ticks[2]);
    assert!(memory.by_series()[&1].iter().all(|interval| interval.in_flight.is_none()));
}
