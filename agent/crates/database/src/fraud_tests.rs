//! Tests of the workload without a server.

use std::collections::BTreeMap;

use measure::series::{Interval, Progress, SeriesKind};

use super::*;
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
    assert_eq!(first.by_series(), second.by_series());
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
