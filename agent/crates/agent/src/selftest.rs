//! `tailroom-agent selftest`: measures the cost of the load generator itself on this machine, without any drive.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ::keys::chooser::{Chooser, Distribution, YCSB_THETA};
use device::{ActStoragePlan, EngineChoice};
use measure::arrivals::Arrivals;
use measure::clock::clock;
use measure::recorder::{OperationPlan, Recorder, Times};
use measure::schedule::{Rate, Schedule};
use measure::series::{Clock, Interval, IntervalSink, StopFlag, WorkloadError};
use rustix::time::ClockId;
use serde_json::json;

use crate::failure::Failure;

const OPERATIONS: u64 = 4_000_000;
const KEYS: u64 = 10_000_000;
const DRAWS: u64 = 20_000_000;
/// Simulated duration of the load on the null engine, whose clock does not wait.
const NULL_SECONDS: u64 = 10;
const NULL_OPERATIONS_PER_S: u32 = 1_000_000;

#[derive(Default)]
struct Count(AtomicU64);

impl IntervalSink for Count {
    fn intervals(&self, intervals: Vec<Interval>) {
        // The histogram series of the response clock counts each operation once.
        let counted = intervals.iter().filter(|interval| interval.series_no == 1).map(|interval| interval.count);
        self.0.fetch_add(counted.sum(), Ordering::Relaxed);
    }
}

/// Measures and prints the figures.
pub fn selftest(as_json: bool) -> Result<(), Failure> {
    let recorder_ns = recorder_and_schedule_ns()?;
    let (null_per_s, counted) = null_engine_per_s().map_err(|error| Failure::Workload(error.0))?;
    let (uniform_keys_per_s, zipfian_keys_per_s) =
        (keys_per_s(Distribution::Uniform)?, keys_per_s(Distribution::Zipfian { theta: YCSB_THETA, new_keys: 0 })?);
    let engine = device::engine::resolve(EngineChoice::Auto);
    if as_json {
        let figures = json!({
            "recorder_and_schedule_ns_per_operation": recorder_ns,
            "null_engine_operations_per_cpu_s": null_per_s,
            "null_engine_operations": counted,
            "uniform_keys_per_cpu_s": uniform_keys_per_s,
            "zipfian_keys_per_cpu_s": zipfian_keys_per_s,
            "engine": engine,
        });
        println!("{figures}");
        return Ok(());
    }
    println!("recorder and schedule, two clocks      {recorder_ns:7.1} ns an operation (goal: 150)");
    println!(
        "null engine, into histograms       {:11.2} million operations a second of one core (goal: 3)",
        null_per_s / 1e6
    );
    println!(
        "keys, uniform and zipfian        {:6.0}, {:5.0} million a second of one core (goal: 50)",
        uniform_keys_per_s / 1e6,
        zipfian_keys_per_s / 1e6
    );
    println!("engine of this machine                 {engine:?}");
    Ok(())
}

/// Returns the processor time of one operation in nanoseconds: its scheduling, and recording on two clocks.
fn recorder_and_schedule_ns() -> Result<f64, Failure> {
    let rate = Rate::new(1, 250).map_err(|error| Failure::Workload(error.to_string()))?;
    let arrivals = Arrivals::from(Schedule::new(rate, 1, 3));
    let operation = OperationPlan {
        operation: "read".into(),
        device: None,
        schedule: Some(arrivals),
        clocks: vec![Clock::Response, Clock::Service],
        pin_thresholds_ns: vec![1_000_000, 8_000_000, 64_000_000],
    };
    let (mut recorder, mut cursor, mut cuts) =
        (Recorder::new(operation, 0, 10, u64::MAX), arrivals.cursor(), Vec::new());
    let before = thread_cpu();
    for _ in 0..OPERATIONS {
        let intended_ns = cursor.next_ns();
        let latency_ns = measure::random::bits(1, 1, cursor.number()) >> 44;
        recorder.dispatched(latency_ns >> 6, latency_ns >> 6);
        recorder.completed(black_box(Times {
            intended_ns,
            submitted_ns: intended_ns + (latency_ns >> 6),
            completed_ns: intended_ns + latency_ns,
        }));
        recorder.advance(intended_ns, &mut cuts);
        cursor.advance();
    }
    black_box(&cuts);
    Ok(thread_cpu().saturating_sub(before).as_nanos() as f64 / OPERATIONS as f64)
}

/// Returns how many keys of a distribution are chosen in a second of processor time.
fn keys_per_s(distribution: Distribution) -> Result<f64, Failure> {
    let chooser = Chooser::new(distribution, 0, KEYS, 1).map_err(Failure::Workload)?;
    let before = thread_cpu();
    let mixed = (0..DRAWS).fold(0, |mixed, number| mixed ^ chooser.key(number));
    black_box(mixed);
    Ok(DRAWS as f64 / thread_cpu().saturating_sub(before).as_secs_f64())
}

/// Returns the operations per second of processor time on the whole path except input and output, and their number.
fn null_engine_per_s() -> Result<(f64, u64), WorkloadError> {
    let plan = ActStoragePlan {
        engine: EngineChoice::Null,
        threads: Some(1),
        read_requests_per_s: Some(NULL_OPERATIONS_PER_S),
        max_lag_s: 0,
        file_size_bytes: Some(1 << 30),
        ..ActStoragePlan::new("selftest".into())
    };
    let (count, stop) = (Count::default(), StopFlag::default());
    let duration = Duration::from_secs(NULL_SECONDS);
    let workload = device::prepare_simulated(&plan, duration, NULL_SECONDS)?;
    let before = process_cpu();
    workload.run(&count, &stop)?;
    let counted = count.0.into_inner();
    Ok((counted as f64 / process_cpu().saturating_sub(before).as_secs_f64(), counted))
}

fn thread_cpu() -> Duration {
    clock(ClockId::ThreadCPUTime)
}

/// Returns the processor time of this process so far.
pub fn process_cpu() -> Duration {
    clock(ClockId::ProcessCPUTime)
}
