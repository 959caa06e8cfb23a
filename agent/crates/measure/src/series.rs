//! The types of measurements, named as in the wire contract (`docs/contracts/wire.md`), without any input or output.
//!
//! A workload describes its series once, then emits intervals into a sink. Ticks and histograms of one operation on
//! one clock are two series: each interval is whole in itself and can be checked alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::clock::MonotonicTime;

/// Which difference of times a latency is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Completed − intended: the wait of a user of the system.
    Response,
    /// Completed − submitted: the time of the device or server.
    Service,
}

/// Whether a series carries live ticks or the histograms that verdicts are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeriesKind {
    /// Each second, without histogram.
    Tick,
    /// Each ten seconds by default, with histogram.
    Histogram,
}

/// The bucket layout of a histogram series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Always `hdr` today.
    pub t: LayoutKind,
    /// Width of one unit in nanoseconds.
    pub unit_ns: u64,
    /// Significant decimal digits.
    pub significant_digits: u8,
}

/// Name of a layout on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LayoutKind {
    /// `HdrHistogram`, log-linear.
    Hdr,
}

/// One operation × clock × kind × device inside a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesDefinition {
    /// Number inside the run.
    pub series_no: u16,
    /// `read`, `write`, `large-block-read`, `transaction`, …
    pub operation: String,
    /// Which clock.
    pub clock: Clock,
    /// Tick or histogram.
    pub kind: SeriesKind,
    /// Part of the run at one target load.
    pub phase: String,
    /// Host name.
    pub host: String,
    /// Device path or server address, where there is one.
    pub device: Option<String>,
    /// None for ticks.
    pub layout: Option<Layout>,
    /// Ascending thresholds of the exact counters, at most 16.
    pub pin_thresholds_ns: Vec<u64>,
    /// Operations per second that the schedule intends.
    pub target_rate_per_s: Option<f64>,
}

/// One interval of a series; only differences, never running totals.
///
/// Declared here once: names, units and order are those of the contract (`docs/contracts/wire.md`), and the spool, the wire
/// and result files write what this says. Later fields of the contract are left out where unknown, and
/// may be missing, so that the output of an older agent stays readable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// The series' number.
    #[serde(rename = "series")]
    pub series_no: u16,
    /// 0, 1, 2, … without gaps.
    pub seq: u64,
    /// Offset from the start of the run, monotonic clock.
    pub start_ns: u64,
    /// Length.
    pub duration_ns: u64,
    /// Completed operations, whose latencies are recorded.
    pub count: u64,
    /// Failed operations.
    pub errors: u64,
    /// Operations given up at the time-out.
    pub timeouts: u64,
    /// Operations still under way when the run ended; only in the last interval.
    pub unfinished: u64,
    /// Exact sum of the latencies.
    pub sum_ns: u64,
    /// Smallest latency; none when nothing completed.
    pub min_ns: Option<u64>,
    /// Largest latency; none when nothing completed.
    pub max_ns: Option<u64>,
    /// Latencies at or above each threshold, exact.
    pub pins: Vec<u64>,
    /// Operations that the schedule intended inside the interval.
    pub target_count: Option<u64>,
    /// Largest dispatched − intended.
    pub lateness_max_ns: u64,
    /// 99th percentile of the lateness that the generator itself caused: dispatched − the later of intended and the
    /// moment from which there was room; the upper end of its bucket. None where nothing began, or unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lateness_p99_ns: Option<u64>,
    /// Processor time of the busiest thread that measured this series; none where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_ns: Option<u64>,
    /// Operations under way at the end; of ticks, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<u64>,
    /// Age of the oldest of them since it was intended, 0 where there is none; as `in_flight`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_in_flight_ns: Option<u64>,
    /// Of the hottest device of the series at the end; of ticks, where the kernel has a sensor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature_millicelsius: Option<i64>,
    /// `HdrHistogram` V2, deflated; none for ticks and for empty intervals.
    #[serde(with = "crate::histogram_bytes")]
    pub histogram: Option<Vec<u8>>,
}

/// The progress of an operation at the terminal, once a second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// Since the start of the run.
    pub elapsed_s: f64,
    /// Which operation.
    pub operation: String,
    /// Achieved over the last second.
    pub rate_per_s: f64,
    /// Intended.
    pub target_rate_per_s: f64,
    /// 99th percentile on the first clock since the start of the run.
    pub p99_ns: u64,
    /// Quantiles of every clock since the start of the run.
    pub clocks: Vec<ClockProgress>,
    /// Threshold and share of operations at or above it since the start; misses are at or above every threshold.
    pub over: Vec<(u64, f64)>,
    /// 99th percentile of the lateness that the generator itself caused, since the start.
    pub lateness_p99_ns: u64,
    /// Largest dispatched − intended in the last second.
    pub lateness_max_ns: u64,
    /// Failed since the start.
    pub errors: u64,
    /// Given up at the time-out since the start.
    pub timeouts: u64,
    /// Operations under way at the end of the last second, where known; their latencies are not known yet.
    pub in_flight: Option<u64>,
    /// Age of the oldest of them, since it was intended.
    pub oldest_in_flight_ns: Option<u64>,
}

/// One slice of a run (a histogram interval), and what speaks against trusting it (docs/method.md section 4.4).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slice {
    /// Which operation.
    pub operation: String,
    /// Where it begins.
    pub start_s: f64,
    /// Operations with a result, over those that were intended; none where nothing was. Casts no doubt by itself: in an
    /// open loop it falls with the drive.
    pub rate_ratio: Option<f64>,
    /// 99th percentile of the lateness that the generator itself caused, where it is known.
    pub lateness_p99_ns: Option<u64>,
    /// Processor time of the busiest measuring thread over time, where it is known.
    pub busy_ratio: Option<f64>,
    /// Reasons, in words; none: nothing speaks against the generator.
    pub doubts: Vec<String>,
}

/// Quantiles of one clock, to two digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClockProgress {
    /// Which clock.
    pub clock: Clock,
    /// Median.
    pub p50_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99.9th percentile.
    pub p999_ns: u64,
    /// Exact.
    pub max_ns: u64,
}

/// Receives the intervals of a workload. Must not block for long: the caller is not on the measuring path, but its
/// delay postpones the next snapshot.
pub trait IntervalSink: Send + Sync {
    /// Takes finished intervals, in order of `seq` within each series.
    fn intervals(&self, intervals: Vec<Interval>);
    /// Takes the progress of one operation.
    fn progress(&self, progress: Progress);
    /// Takes what is known about a finished slice of one operation.
    fn slice(&self, _slice: Slice) {}
}

/// Set once to end a workload early; shared by all threads.
#[derive(Debug, Clone, Default)]
pub struct StopFlag {
    is_set: Arc<AtomicBool>,
    /// That of everything that the workload is a part of.
    of_all: Option<Arc<AtomicBool>>,
}

impl StopFlag {
    /// Returns a flag for a part: it is set with this flag, or alone.
    #[must_use]
    pub fn of_part(&self) -> Self {
        Self { is_set: Arc::default(), of_all: Some(Arc::clone(&self.is_set)) }
    }

    /// Requests the end of the workload.
    pub fn stop(&self) {
        self.is_set.store(true, Ordering::Release);
    }

    /// Returns whether it is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_set.load(Ordering::Acquire) || self.of_all.as_ref().is_some_and(|all| all.load(Ordering::Acquire))
    }
}

/// How a workload ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// False when it was stopped early.
    pub completed: bool,
    /// What a person should know about the end, if anything.
    pub reason: Option<String>,
    /// Measured time, from offset 0.
    pub duration_ns: u64,
}

/// A prepared workload: files are filled and keys loaded. It is then armed, started and drained.
pub trait Workload: Send {
    /// Returns the series this workload will emit, complete and in order of number.
    fn series(&self, host: &str) -> Vec<SeriesDefinition>;

    /// Starts threads, opens sessions and carries out the ramp, so that offset 0 can be at any moment.
    ///
    /// # Errors
    /// A sentence with what happened, where and what to do. Preparations are removed.
    fn arm(self: Box<Self>, stop: &StopFlag) -> Result<Box<dyn Armed>, WorkloadError>;

    /// Arms and starts now.
    ///
    /// # Errors
    /// As [`Workload::arm`] and [`Armed::start`].
    fn run(self: Box<Self>, sink: &dyn IntervalSink, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        self.arm(stop)?.start(MonotonicTime::start(), sink, stop)
    }
}

/// Threads that wait for offset 0. Dropping it removes the preparations.
pub trait Armed: Send {
    /// Measures from offset 0 of `at` to the end or until stopped, then drains: operations under way at the end get some
    /// seconds. Cleans up after itself in every case.
    ///
    /// # Errors
    /// A sentence with what happened, where and what to do.
    fn start(
        self: Box<Self>,
        at: MonotonicTime,
        sink: &dyn IntervalSink,
        stop: &StopFlag,
    ) -> Result<Outcome, WorkloadError>;
}

/// A workload could not be prepared or run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WorkloadError(pub String);
