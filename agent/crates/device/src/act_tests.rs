//! Tests of the ACT workload, on a manual clock if no drive is needed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use measure::clock::{ManualTime, TimeSource};
use measure::report::with_reporter;
use measure::series::{Interval, IntervalSink, Outcome, Progress, SeriesKind, StopFlag, Workload as _};
use runner::{End, Session};

use super::*;
use crate::command::{Completion, Engine, Request};
use crate::engine;
use crate::engine::settings::EngineChoice;

const SECOND: u64 = 1_000_000_000;

#[derive(Default)]
struct Memory {
    intervals: Mutex<Vec<Interval>>,
    progress: Mutex<Vec<Progress>>,
    stop_after: Option<(StopFlag, usize)>,
}

impl IntervalSink for Memory {
    fn intervals(&self, intervals: Vec<Interval>) {
        let mut all = self.intervals.lock().expect("not poisoned");
        all.extend(intervals);
        if let Some((stop, after)) = &self.stop_after
            && all.len() >= *after
        {
            stop.stop();
        }
    }

    fn progress(&self, progress: Progress) {
        self.progress.lock().expect("not poisoned").push(progress);
    }
}

impl Memory {
    fn by_series(&self) -> BTreeMap<u16, Vec<Interval>> {
        let mut series: BTreeMap<u16, Vec<Interval>> = BTreeMap::new();
        for interval in self.intervals.lock().expect("not poisoned").iter() {
            series.entry(interval.series_no).or_default().push(interval.clone());
        }
        series
    }

    /// Returns the intervals of each series without processor times, which depend on the machine.
    fn by_series_without_busy(&self) -> BTreeMap<u16, Vec<Interval>> {
        let mut series = self.by_series();
        series.values_mut().flatten().for_each(|interval| interval.busy_ns = None);
        series
    }

    fn sum(&self, series_no: u16, of: fn(&Interval) -> u64) -> u64 {
        self.by_series()[&series_no].iter().map(of).sum()
    }
}

fn workload_of(plan: ActStoragePlan, seconds: u64) -> Prepared<Act, Drives> {
    let plan = ActStoragePlan { engine: EngineChoice::Null, file_size_bytes: Some(64 << 20), ..plan };
    Act::prepared(plan, Vec::new(), seconds * SECOND, 2).expect("usable")
}

fn workload(seconds: u64) -> Prepared<Act, Drives> {
    workload_of(ActStoragePlan::new("/no/file".into()), seconds)
}

fn measure_plan(plan: ActStoragePlan, engine: &mut Engine, seconds: u64) -> (Outcome, Memory) {
    let (memory, workload) = (Memory::default(), workload_of(plan, seconds));
    let time = Arc::new(ManualTime::default());
    let outcome = with_reporter(&workload.series_table, &memory, |reporter| {
        workload.measure(engine, time, reporter, &StopFlag::default())
    });
    (outcome.expect("reported").expect("ends"), memory)
}

fn measure_over(engine: &mut Engine, seconds: u64) -> (Outcome, Memory) {
    measure_plan(ActStoragePlan::new("/no/file".into()), engine, seconds)
}

fn measure_null(seconds: u64) -> (Outcome, Memory) {
    measure_over(engine::open(EngineChoice::Null, &[], workload(1).target.sizes).expect("usable").as_mut(), seconds)
}

#[test]
fn three_operations_on_two_clocks_are_twelve_series() {
    let series = workload(1).series("host");
    let numbers: Vec<u16> = series.iter().map(|definition| definition.series_no).collect();
    assert_eq!(numbers, (0..12).collect::<Vec<_>>());
    let rates: Vec<f64> = series
        .iter()
        .filter(|definition| definition.series_no % 4 == 0)
        .filter_map(|definition| definition.target_rate_per_s)
        .collect();
    assert!((rates[0] - 2000.0).abs() < 1e-9 && (rates[2] - 2000.0 / 85.0).abs() < 1e-9);
}

#[test]
fn a_minute_without_a_drive_has_exactly_the_operations_of_its_schedule() {
    let (outcome, memory) = measure_null(60);
    assert_eq!(outcome, Outcome { completed: true, reason: None, duration_ns: 60 * SECOND });
    for (series_no, expected) in [(0, 120_000), (4, 1_412), (8, 1_412)] {
        for kind in 0..4 {
            assert_eq!(
                memory.sum(series_no + kind, |interval| interval.count),
                expected,
                "series {series_no} + {kind}"
            );
            assert_eq!(memory.sum(series_no + kind, |interval| interval.target_count.unwrap_or(0)), expected);
        }
    }
    let series = memory.by_series();
    assert!(
        series.values().flatten().all(|interval| interval.unfinished + interval.errors + interval.lateness_max_ns == 0)
    );
    assert_eq!((series[&0].len(), series[&1].len()), (60, 30));
    assert_eq!(memory.progress.lock().expect("not poisoned").len(), 60 * 3);
}

#[test]
fn without_a_drive_two_runs_are_equal_bit_by_bit() {
    assert_eq!(measure_null(20).1.by_series_without_busy(), measure_null(20).1.by_series_without_busy());
}

#[test]
fn the_real_clock_changes_nothing_without_a_drive() {
    let memory = Memory::default();
    let outcome = Box::new(workload(1)).run(&memory, &StopFlag::default()).expect("ends");
    assert!(outcome.completed);
    assert_eq!(memory.by_series_without_busy(), measure_null(1).1.by_series_without_busy());
    assert!(memory.by_series().values().flatten().all(|interval| interval.busy_ns.is_some()));
}

#[test]
fn a_stop_ends_the_run_and_leaves_nothing_uncounted() {
    let stop = StopFlag::default();
    let memory = Memory { stop_after: Some((stop.clone(), 18)), ..Memory::default() };
    let outcome = Box::new(workload(3_600)).run(&memory, &stop).expect("ends");
    assert!(!outcome.completed);
    assert!((2 * SECOND..10 * SECOND).contains(&outcome.duration_ns), "{outcome:?}");
    for series_no in 0..12 {
        let target = memory.sum(series_no, |interval| interval.target_count.unwrap_or(0));
        assert_eq!(memory.sum(series_no, |interval| interval.count), target);
        assert_eq!(memory.sum(series_no, |interval| interval.duration_ns), outcome.duration_ns);
    }
}

/// An engine that accepts up to `room` operations and then misbehaves.
struct Bad {
    time: Arc<dyn TimeSource>,
    room: usize,
    taken: Vec<Request>,
    answers: bool,
}

impl Bad {
    fn new(room: usize, answers: bool) -> Self {
        Self { time: Arc::new(ManualTime::default()), room, taken: Vec::new(), answers }
    }
}

impl Session for Bad {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        self.time = time;
    }

    fn free_slots_of(&self, _: usize) -> usize {
        self.room.saturating_sub(self.taken.len())
    }

    fn begin(&mut self, request: Request) {
        self.taken.push(request);
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        self.time.wait_until(until_ns);
        let now_ns = self.time.now_ns();
        if self.answers {
            let end = End::Failed(libc::EIO);
            let fail = |request| Completion { request, submitted_ns: now_ns, completed_ns: now_ns, end };
            completions.extend(self.taken.drain(..).map(fail));
        }
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.taken.len()
    }

    fn under_way(&self, look: &mut dyn FnMut(&Request)) {
        self.taken.iter().for_each(look);
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>) {
        given_up.extend(self.taken.extract_if(.., |request| request.intended_ns < before_ns));
    }
}

#[test]
fn failed_operations_are_errors_and_the_run_goes_on() {
    let (outcome, memory) = measure_over(&mut Bad::new(10, true), 3);
    assert!(outcome.completed);
    assert_eq!(memory.sum(0, |interval| interval.errors), 6_000);
    assert_eq!(memory.sum(0, |interval| interval.count + interval.unfinished), 0);
}

#[test]
fn a_drive_that_does_not_answer_ends_the_run_with_the_reason() {
    let (outcome, memory) = measure_over(&mut Bad::new(10, false), 60);
    let reason = outcome.reason.expect("given");
    assert!(!outcome.completed && reason.contains("the drive cannot keep up"), "{reason}");
    assert!((10 * SECOND..11 * SECOND).contains(&outcome.duration_ns));
    let target = memory.sum(0, |interval| interval.target_count.unwrap_or(0));
    assert_eq!(memory.sum(0, |interval| interval.unfinished), target);
}

#[test]
fn a_generator_that_is_late_on_its_own_says_so() {
    let (outcome, _) = measure_over(&mut Bad::new(0, false), 60);
    let reason = outcome.reason.expect("given");
    assert!(reason.contains("this machine cannot keep up"), "{reason}");
}

#[test]
fn what_is_under_way_at_the_end_is_unfinished() {
    let (outcome, memory) = measure_over(&mut Bad::new(usize::MAX, false), 2);
    assert!(outcome.completed);
    let series = memory.by_series();
    let unfinished: Vec<u64> = series[&0].iter().map(|interval| interval.unfinished).collect();
    assert_eq!(unfinished, [0, 4_000]);
    assert_eq!(series[&1].last().map(|interval| interval.unfinished), Some(4_000));
}

#[test]
fn real_engines_measure_a_real_file_and_keep_its_series() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for engine in [EngineChoice::Sync, EngineChoice::Auto] {
        let plan = ActStoragePlan {
            engine,
            direct_io: false,
            sync_writes: false,
            load_multiple: Some(0.1),
            file_size_bytes: Some(4 << 20),
            ..ActStoragePlan::new(folder.path().join("act.dat"))
        };
        let stop = StopFlag::default();
        let workload = crate::prepare(&plan, Duration::from_secs(1), 1, &|_| {}, &stop).expect("prepared");
        let series = workload.series("host");
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0, "the file has no name");
        let memory = Memory::default();
        let outcome = workload.run(&memory, &stop).expect("ends");
        assert!(outcome.completed);
        for definition in series {
            let number = definition.series_no;
            let target = memory.sum(number, |interval| interval.target_count.unwrap_or(0));
            let results = memory.sum(number, |interval| interval.count + interval.errors + interval.unfinished);
            assert_eq!(results, target, "{definition:?}");
            assert_eq!(memory.sum(number, |interval| interval.errors), 0, "{definition:?}");
            let bytes = memory.by_series()[&number].iter().any(|interval| interval.histogram.is_some());
            assert_eq!(bytes, definition.kind == SeriesKind::Histogram);
        }
    }
}

#[test]
fn several_devices_have_their_own_series_and_a_total() {
    let plan = ActStoragePlan { further_paths: vec!["/no/other".into()], ..ActStoragePlan::new("/no/file".into()) };
    let mut engine = engine::open(EngineChoice::Null, &[], workload(1).target.sizes).expect("usable");
    let (outcome, memory) = measure_plan(plan.clone(), engine.as_mut(), 10);
    assert!(outcome.completed);
    let series = workload_of(plan, 10).series("host");
    assert_eq!(series.len(), 36);
    let named: Vec<_> = series
        .iter()
        .filter(|one| one.series_no % 4 == 0)
        .map(|one| (&*one.operation, one.device.as_deref()))
        .collect();
    let of = |operation| [(operation, None), (operation, Some("/no/file")), (operation, Some("/no/other"))];
    assert_eq!(named, [of("read"), of("large-block-read"), of("large-block-write")].concat());
    let sums: Vec<u64> = [0, 4, 8].map(|series_no| memory.sum(series_no, |interval| interval.count)).into();
    assert_eq!(sums, [40_000, 20_000, 20_000]);
    let targets: Vec<u64> =
        [1, 5, 9].map(|series_no| memory.sum(series_no, |interval| interval.target_count.unwrap_or(0))).into();
    assert_eq!(targets, [40_000, 20_000, 20_000]);
    assert!(memory.by_series()[&1].iter().all(|interval| interval.histogram.is_some()));
    let shown: std::collections::BTreeSet<String> =
        memory.progress.lock().expect("not poisoned").iter().map(|progress| progress.operation.clone()).collect();
    assert_eq!(shown.len(), 3, "the total stands for its devices");
}

#[test]
fn several_threads_measure_what_one_does() {
    let plan = ActStoragePlan { threads: Some(3), ..ActStoragePlan::new("/no/file".into()) };
    let memory = Memory::default();
    let outcome = Box::new(workload_of(plan, 1)).run(&memory, &StopFlag::default()).expect("ends");
    assert!(outcome.completed);
    let (one, three) = (measure_null(1).1.by_series(), memory.by_series());
    for (series_no, intervals) in one {
        let pick = |interval: &Interval| {
            (interval.seq, interval.count, interval.target_count, interval.sum_ns, interval.pins.clone())
        };
        let found: Vec<_> = three[&series_no].iter().map(pick).collect();
        assert_eq!(found, intervals.iter().map(pick).collect::<Vec<_>>(), "series {series_no}");
    }
}

#[test]
fn a_sweep_reads_one_block_after_the_other_with_its_pause() {
    let plan = ActStoragePlan {
        tomb_raider: true,
        tomb_raider_sleep_us: 900,
        read_requests_per_s: Some(10),
        ..ActStoragePlan::new("/no/file".into())
    };
    let (mut engine, truth) = runner::injected::Injected::new(64, |_| 100_000, (0, 0));
    let (_, memory) = measure_plan(plan, &mut engine, 2);
    let truth = truth.lock().expect("not poisoned");
    let sweep: Vec<&Completion> = truth.iter().filter(|one| one.request.command.kind == Kind::Sweep).collect();
    assert_eq!(sweep.len(), 2_000);
    for (number, one) in (0..).zip(&sweep) {
        assert_eq!(one.request.command.offset_bytes, number % 512 * 131_072, "around and around");
        assert_eq!(one.submitted_ns, number * 1_000_000);
    }
    assert_eq!(memory.sum(4, |interval| interval.count), 2_000);
    assert!(memory.by_series()[&4].iter().all(|interval| interval.target_count.is_none()));
}

#[test]
fn an_operation_without_an_answer_is_a_timeout_and_the_run_goes_on() {
    let plan = ActStoragePlan {
        io_timeout_s: 2,
        max_lag_s: 0,
        read_requests_per_s: Some(10),
        ..ActStoragePlan::new("/no/file".into())
    };
    let never = |request: &Request| if request.command.number == 5 { 1 << 50 } else { 100_000 };
    let (mut engine, _) = runner::injected::Injected::new(64, never, (0, 0));
    let (outcome, memory) = measure_plan(plan, &mut engine, 10);
    assert!(outcome.completed);
    let timeouts: Vec<u64> = memory.by_series()[&0].iter().map(|interval| interval.timeouts).collect();
    assert_eq!(timeouts, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(memory.sum(0, |interval| interval.count), 99);
    assert_eq!(memory.sum(0, |interval| interval.unfinished), 0);
    let progress = memory.progress.lock().expect("not poisoned");
    let second = &progress[1];
    assert_eq!(
        (second.in_flight, second.oldest_in_flight_ns),
        (Some(1), Some(1_500_000_000)),
        "its age is known before its end"
    );
}

#[test]
fn a_device_that_is_gone_ends_the_run_with_the_reason_and_keeps_what_was_measured() {
    let (engine, _) = runner::injected::Injected::new(64, |_: &Request| 100_000, (0, 0));
    let mut engine =
        engine.ending(|request| if request.command.number < 3_000 { End::Done } else { End::Failed(libc::ENODEV) });
    let (memory, workload) = (Memory::default(), workload(10));
    let error = with_reporter(&workload.series_table, &memory, |reporter| {
        workload.measure(&mut engine, Arc::new(ManualTime::default()), reporter, &StopFlag::default())
    });
    let sentence = error.expect("reported").expect_err("nothing is left to measure").to_string();
    assert!(sentence.contains("/no/file is gone: a read failed (No such device"), "{sentence}");
    assert_eq!(memory.sum(0, |interval| interval.count), 3_000);
    assert!(memory.sum(0, |interval| interval.errors) >= 1);
}

#[test]
fn reading_only_leaves_out_whatever_writes() {
    let plan = ActStoragePlan { read_only: true, commit_to_device: true, ..ActStoragePlan::new("/no/file".into()) };
    let names: Vec<String> =
        workload_of(plan, 1).series_table.entries.iter().map(|one| one.operation.operation.clone()).collect();
    assert_eq!(names, ["read", "large-block-read"]);
}

#[test]
fn poisson_arrivals_count_their_own_target() {
    let plan = ActStoragePlan { arrivals: ArrivalProcess::Poisson, ..ActStoragePlan::new("/no/file".into()) };
    let mut engine = engine::open(EngineChoice::Null, &[], workload(1).target.sizes).expect("usable");
    let (_, memory) = measure_plan(plan, engine.as_mut(), 20);
    let count = memory.sum(0, |interval| interval.count);
    assert_eq!(count, memory.sum(0, |interval| interval.target_count.unwrap_or(0)));
    // Five times the standard deviation of 200 around the mean of 40,000.
    assert!((39_000..=41_000).contains(&count) && count != 40_000, "{count}");
}
