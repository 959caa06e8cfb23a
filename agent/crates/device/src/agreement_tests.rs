//! Recorded latencies agree with the true ones to the width of a bucket on both clocks, and a stall affects every operation that it
//! delayed. The device is simulated with known latencies, on a manual clock.

use std::sync::{Arc, Mutex};

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use measure::clock::{ManualTime, TimeSource};
use measure::random;
use measure::report::with_reporter;
use measure::series::{Interval, IntervalSink, StopFlag};
use runner::injected::Injected;

use super::*;
use crate::command::{Completion, Request};
use crate::engine::settings::EngineChoice;

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;
const STALL: (u64, u64) = (3_217 * MS + 123, 3_317 * MS + 123);

#[derive(Default)]
struct Memory(Mutex<Vec<Interval>>);

impl IntervalSink for Memory {
    fn intervals(&self, intervals: Vec<Interval>) {
        self.0.lock().expect("not poisoned").extend(intervals);
    }
}

/// Returns a latency from 3 µs to 50 ms, over four powers of ten, as a function of the operation's number alone.
fn latency_ns(request: &Request) -> u64 {
    let bits = random::bits(99, request.command.kind as u64, request.command.number);
    let exponent = random::below(14, bits);
    3_000 + (random::below(6_000, random::bits(98, 0, request.command.number)) << exponent)
}

fn measure(
    room: usize,
    latency_ns: fn(&Request) -> u64,
    stall: (u64, u64),
) -> (Vec<Interval>, runner::injected::CompletionLog<Command>) {
    measure_over(Arc::new(ManualTime::default()), room, latency_ns, stall)
}

fn measure_over(
    time: Arc<dyn TimeSource>,
    room: usize,
    latency_ns: fn(&Request) -> u64,
    stall: (u64, u64),
) -> (Vec<Interval>, runner::injected::CompletionLog<Command>) {
    let plan = ActStoragePlan {
        engine: EngineChoice::Null,
        file_size_bytes: Some(64 << 20),
        max_lag_s: 0,
        ..ActStoragePlan::new("/no/file".into())
    };
    let workload = Act::prepared(plan, Vec::new(), 10 * SECOND, 1).expect("usable");
    let (mut engine, truth) = Injected::new(room, latency_ns, stall);
    let memory = Memory::default();
    with_reporter(&workload.series_table, &memory, |reporter| {
        workload.measure(&mut engine, time, reporter, &StopFlag::default())
    })
    .expect("reported")
    .expect("ends");
    (memory.0.into_inner().expect("not poisoned"), truth)
}

/// Compares the histograms of a series with the true latencies, rank by rank.
fn assert_agrees(intervals: &[Interval], series_no: u16, mut true_ns: Vec<u64>) {
    let mut found = Histogram::<u64>::new_with_bounds(1, 3_600_000_000, 3).expect("bounds");
    let of_series = || intervals.iter().filter(|interval| interval.series_no == series_no);
    for bytes in of_series().filter_map(|interval| interval.histogram.as_ref()) {
        let one: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).expect("readable");
        found.add(&one).expect("one layout");
    }
    true_ns.sort_unstable();
    assert_eq!(found.len(), true_ns.len() as u64);
    assert_eq!(of_series().map(|interval| interval.sum_ns).sum::<u64>(), true_ns.iter().sum::<u64>(), "exact sum");
    for (threshold_ns, pin) in [MS, 8 * MS, 64 * MS].into_iter().zip(0..) {
        let over: u64 = of_series().map(|interval| interval.pins[pin]).sum();
        assert_eq!(over, true_ns.iter().filter(|ns| **ns >= threshold_ns).count() as u64, "exact count over a limit");
    }
    let mut rank = 0;
    for bucket in found.iter_recorded() {
        let (low, high) = (found.lowest_equivalent(bucket.value_iterated_to()), bucket.value_iterated_to());
        assert!(high - low <= high / 1_000, "a bucket of {low} to {high} µs is too wide");
        for _ in 0..bucket.count_since_last_iteration() {
            let expected = true_ns[rank] / 1_000;
            assert!((low..=high).contains(&expected), "rank {rank}: {expected} µs is not between {low} and {high}");
            rank += 1;
        }
    }
}

fn of_kind(truth: &[Completion], kind: Kind) -> Vec<Completion> {
    truth.iter().filter(|one| one.request.command.kind == kind).copied().collect()
}

#[test]
fn both_clocks_equal_the_truth_whether_there_is_room_or_not() {
    for (room, stall) in [(100_000, (0, 0)), (100_000, STALL), (24, STALL)] {
        let (intervals, truth) = measure(room, latency_ns, stall);
        let truth = truth.lock().expect("not poisoned");
        for (kind, response) in [(Kind::Read, 1), (Kind::LargeBlockRead, 5), (Kind::LargeBlockWrite, 9)] {
            let of_kind = of_kind(&truth, kind);
            let since = |from: fn(&Completion) -> u64| of_kind.iter().map(|one| one.completed_ns - from(one)).collect();
            assert_agrees(&intervals, response, since(|one| one.request.intended_ns));
            assert_agrees(&intervals, response + 2, since(|one| one.submitted_ns));
        }
    }
}

#[test]
fn a_stall_shows_in_the_response_time_of_every_operation_that_it_delayed() {
    let short = |_: &Request| 100_000;
    for room in [100_000, 4] {
        let (intervals, truth) = measure(room, short, STALL);
        let truth = truth.lock().expect("not poisoned");
        let reads = of_kind(&truth, Kind::Read);
        assert_eq!(reads.len(), 20_000, "the schedule did not wait");
        let due = |one: &&Completion| (STALL.0..STALL.1).contains(&one.request.intended_ns);
        let delayed: Vec<&Completion> = reads.iter().filter(due).collect();
        assert_eq!(delayed.len(), 200, "100 ms at 2,000 reads a second");
        assert!(delayed.iter().all(|one| one.completed_ns >= STALL.1));
        // Of 200 reads due evenly in 100 ms, those of the first 36 ms waited 64 ms or more.
        let over_64_ms: u64 = intervals.iter().filter(|one| one.series_no == 0).map(|interval| interval.pins[2]).sum();
        let expected = reads.iter().filter(|one| one.completed_ns - one.request.intended_ns >= 64 * MS).count() as u64;
        assert_eq!(over_64_ms, expected);
        // With few slots, the reads after the stall also wait for each other.
        let most = if room == 4 { 90 } else { 74 };
        assert!((71..=most).contains(&over_64_ms), "{over_64_ms}");
        let over_service: u64 =
            intervals.iter().filter(|one| one.series_no == 2).map(|interval| interval.pins[0]).sum();
        if room == 4 {
            assert!(over_service <= 8, "a closed loop would have seen {over_service} slow reads instead of 200");
        }
    }
    assert!(STALL.1 < 10 * SECOND);
}

/// A clock of a machine that wakes its thread up too late.
struct LateToWakeUp(ManualTime);

const LATE_NS: u64 = 200_000;

impl TimeSource for LateToWakeUp {
    fn now_ns(&self) -> u64 {
        self.0.now_ns()
    }

    fn wait_until(&self, offset_ns: u64) {
        if offset_ns > self.now_ns() {
            self.0.advance_to(offset_ns + LATE_NS);
        }
    }
}

/// Returns the read intervals of one second: ticks and histograms of both clocks, whose lateness must be the same.
fn reads_in(intervals: &[Interval], second: u64) -> [&Interval; 4] {
    let found = [0, 1, 2, 3].map(|series_no| {
        intervals.iter().find(|one| (one.series_no, one.seq) == (series_no, second)).expect("one a second")
    });
    assert!(found.iter().all(|one| one.lateness_p99_ns == found[0].lateness_p99_ns && one.busy_ns == found[0].busy_ns));
    found
}

#[test]
fn operations_that_wait_for_the_drive_are_not_late_by_the_generators_fault() {
    for latency in [|_: &Request| 100_000, latency_ns] {
        let (intervals, _) = measure(4, latency, STALL);
        let stalled = reads_in(&intervals, 3)[1];
        assert!(stalled.lateness_max_ns > 90 * MS, "{stalled:?}");
        // Simulated time does not pass between a completion and the next dispatch, so only the width of a bucket is left.
        assert_eq!(stalled.lateness_p99_ns, Some(999));
    }
}

#[test]
fn a_generator_that_comes_late_by_itself_says_so_whether_there_is_room_or_not() {
    let late = || Arc::new(LateToWakeUp(ManualTime::default()));
    let short = |_: &Request| 100_000;
    for (room, stall) in [(100_000, (0, 0)), (100_000, STALL), (4, STALL)] {
        let (intervals, _) = measure_over(late(), room, short, stall);
        let one = reads_in(&intervals, 3)[1];
        let late_ns = one.lateness_p99_ns.expect("told");
        assert!((LATE_NS..3 * LATE_NS).contains(&late_ns), "room for {room}: {one:?}");
        assert!(one.lateness_max_ns >= if room == 4 { 90 * MS } else { LATE_NS }, "{one:?}");
    }
    // An overloaded drive: every operation waits for a slot, and then for the thread to wake up.
    let (intervals, _) = measure_over(late(), 4, |_| 2_500_000, (0, 0));
    let one = reads_in(&intervals, 3)[1];
    let late_ns = one.lateness_p99_ns.expect("told");
    assert!((LATE_NS * 9 / 10..LATE_NS * 11 / 10).contains(&late_ns) && one.lateness_max_ns > 500 * MS, "{one:?}");
}

/// A clock of a thread that is not run from 3.5 s to 3.9 s.
struct Stopped(ManualTime);

impl TimeSource for Stopped {
    fn now_ns(&self) -> u64 {
        self.0.now_ns()
    }

    fn wait_until(&self, offset_ns: u64) {
        let is_stopped = (3_500 * MS..3_900 * MS).contains(&offset_ns);
        self.0.advance_to(if is_stopped { 3_900 * MS } else { offset_ns });
    }
}

#[test]
fn operations_that_a_stopped_generator_holds_up_are_late_whether_there_is_room_or_not() {
    for room in [100_000, 4] {
        let (intervals, _) = measure_over(Arc::new(Stopped(ManualTime::default())), room, |_| 100_000, (0, 0));
        let seconds = [2, 3, 4].map(|second| reads_in(&intervals, second)[1].lateness_p99_ns.expect("known"));
        assert!(seconds[1] > 350 * MS, "room for {room}: {seconds:?}");
        assert!(seconds[0].max(seconds[2]) <= 999, "room for {room}: {seconds:?}");
    }
}

#[test]
fn what_a_stall_holds_up_is_under_way_at_the_end_of_its_second() {
    let (intervals, truth) = measure(100_000, |_| 100_000, (3_900 * MS + 1, 4_300 * MS));
    let truth = truth.lock().expect("not poisoned");
    for second in 0..10 {
        let end_ns = (second + 1) * SECOND;
        let under_way = |one: &&Completion| one.submitted_ns < end_ns && one.completed_ns >= end_ns;
        let reads = of_kind(&truth, Kind::Read);
        let of_reads: Vec<&Completion> = reads.iter().filter(under_way).collect();
        let oldest_ns = of_reads.iter().map(|one| end_ns - one.request.intended_ns).max();
        let [tick, histogram, ..] = reads_in(&intervals, second);
        assert_eq!((histogram.in_flight, histogram.oldest_in_flight_ns), (None, None));
        assert!(tick.busy_ns.is_some());
        let (reported, told_ns) = (tick.in_flight.expect("told"), tick.oldest_in_flight_ns.expect("told"));
        // Reported at the first completion or submission after the end of the second.
        assert!(
            reported.abs_diff(of_reads.len() as u64) <= 1,
            "second {second}: {reported} instead of {}",
            of_reads.len()
        );
        assert!(
            told_ns.abs_diff(oldest_ns.unwrap_or(0)) < 2 * MS,
            "second {second}: {told_ns} instead of {oldest_ns:?}"
        );
    }
    let stalled = reads_in(&intervals, 3)[0];
    assert!(stalled.in_flight >= Some(200) && stalled.oldest_in_flight_ns >= Some(99 * MS), "{stalled:?}");
}

#[test]
fn what_ended_but_is_recorded_later_is_under_way_until_then() {
    let time = Arc::new(LateToWakeUp(ManualTime::default()));
    let (intervals, _) = measure_over(time, 100_000, |_| 100_000, (3_900 * MS, 5_000 * MS + 1));
    let tick = reads_in(&intervals, 4)[0];
    assert!(tick.in_flight >= Some(2_000) && tick.oldest_in_flight_ns >= Some(1_090 * MS), "{tick:?}");
}
