//! Types of measurements, named as in the wire contract (`docs/contracts/wire.md`), without input or output.
//!
//! A workload describes its series once, then sends intervals to a sink. Ticks and histograms of one operation on one clock are two
//! series, so that each interval is complete and can be checked on its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::clock::MonotonicTime;

/// The definition of a latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Completed − intended: the time that a user of the system waits.
    Response,
    /// Completed − submitted: the time that the device or server takes.
    Service,
}

/// Contents of a series: live ticks, or the histograms that verdicts are computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeriesKind {
    /// Intervals of one second, without histogram.
    Tick,
    /// Intervals of ten seconds by default, with histogram.
    Histogram,
}

/// Bucket layout of a histogram series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Kind of layout, currently always `hdr`.
    pub t: LayoutKind,
    pub unit_ns: u64,
    pub significant_digits: u8,
}

/// Kind of a bucket layout, as named on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LayoutKind {
    /// `HdrHistogram`, log-linear.
    Hdr,
}

/// Definition of a series: one operation, clock, kind and device of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesDefinition {
    pub series_no: u16,
    /// Name of the operation: `read`, `write`, `large-block-read`, `transaction`, …
    pub operation: String,
    pub clock: Clock,
    pub kind: SeriesKind,
    /// Phase of the run, at one target load.
    pub phase: String,
    pub host: String,
    /// Device path or server address, if it is that of a single device or server.
    pub device: Option<String>,
    /// Bucket layout; `None` for ticks.
    pub layout: Option<Layout>,
    /// Ascending thresholds of the exact counters in nanoseconds, at most 16.
    pub pin_thresholds_ns: Vec<u64>,
    /// Scheduled operations per second; `None` without a schedule.
    pub target_rate_per_s: Option<f64>,
}

/// One interval of a series. All counts are those of the interval, never running totals.
///
/// Names, units and order of the fields are those of the contract (`docs/contracts/wire.md`): spool, wire and result files
/// serialize this type. Fields that were added to the contract later are omitted if unknown and may be missing in the input, so
/// that the output of older agents stays readable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    #[serde(rename = "series")]
    pub series_no: u16,
    /// Sequence number: 0, 1, 2, … without gaps.
    pub seq: u64,
    /// Start of the interval in nanoseconds from the start of the run, on the monotonic clock.
    pub start_ns: u64,
    pub duration_ns: u64,
    /// Number of completed operations, whose latencies are recorded.
    pub count: u64,
    pub errors: u64,
    /// Number of operations that timed out.
    pub timeouts: u64,
    /// Number of operations without a result when the run ended; 0 except in the last interval.
    pub unfinished: u64,
    /// Exact sum of the latencies, in nanoseconds.
    pub sum_ns: u64,
    /// Smallest latency in nanoseconds; `None` if no operation completed.
    pub min_ns: Option<u64>,
    /// Largest latency in nanoseconds; `None` if no operation completed.
    pub max_ns: Option<u64>,
    /// Exact number of latencies at or above each threshold.
    pub pins: Vec<u64>,
    /// Number of operations that the schedule intended within the interval; `None` without a schedule.
    pub target_count: Option<u64>,
    /// Largest lateness (dispatched − intended), in nanoseconds.
    pub lateness_max_ns: u64,
    /// 99th percentile of the lateness that the generator itself caused, in nanoseconds, as the upper bound of its bucket:
    /// dispatched minus the later of the intended time and the time from which a slot was free. `None` if no operation began or if
    /// it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lateness_p99_ns: Option<u64>,
    /// Processor time of the busiest thread that measured this series, in nanoseconds; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_ns: Option<u64>,
    /// Number of operations under way at the end of a tick; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<u64>,
    /// Time since the oldest operation under way was intended, in nanoseconds, 0 if none is under way; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_in_flight_ns: Option<u64>,
    /// Temperature of the hottest device of the series at the end of a tick; `None` without a sensor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature_millicelsius: Option<i64>,
    /// `HdrHistogram` V2, deflated; `None` for ticks and for empty intervals.
    #[serde(with = "crate::histogram_bytes")]
    pub histogram: Option<Vec<u8>>,
}

impl Interval {
    /// Counts an operation with this latency.
    pub(crate) fn record(&mut self, latency_ns: u64, thresholds_ns: &[u64]) {
        self.count += 1;
        self.sum_ns = self.sum_ns.saturating_add(latency_ns);
        self.min_ns = Some(self.min_ns.map_or(latency_ns, |least| least.min(latency_ns)));
        self.max_ns = Some(self.max_ns.map_or(latency_ns, |most| most.max(latency_ns)));
        for (pin, &threshold_ns) in self.pins.iter_mut().zip(thresholds_ns) {
            if latency_ns < threshold_ns {
                break;
            }
            *pin += 1;
        }
    }

    /// Adds the operations of another interval, and takes the larger of both latenesses.
    pub(crate) fn add_counts(&mut self, other: &Self) {
        self.count += other.count;
        self.errors += other.errors;
        self.timeouts += other.timeouts;
        self.unfinished += other.unfinished;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.min_ns = [self.min_ns, other.min_ns].into_iter().flatten().min();
        self.max_ns = [self.max_ns, other.max_ns].into_iter().flatten().max();
        self.pins.iter_mut().zip(&other.pins).for_each(|(sum, part)| *sum += part);
        self.lateness_max_ns = self.lateness_max_ns.max(other.lateness_max_ns);
    }
}

/// Progress of an operation for display, once a second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// Seconds since the start of the run.
    pub elapsed_s: f64,
    pub operation: String,
    /// Operations per second achieved during the last second.
    pub rate_per_s: f64,
    /// Operations per second intended by the schedule, 0 without one.
    pub target_rate_per_s: f64,
    /// 99th percentile on the first clock since the start of the run, in nanoseconds.
    pub p99_ns: u64,
    /// Quantiles of every clock since the start of the run.
    pub clocks: Vec<ClockProgress>,
    /// Thresholds in nanoseconds, each with the share of operations at or above it since the start. Misses are above all of them.
    pub over: Vec<(u64, f64)>,
    /// 99th percentile of the lateness that the generator itself caused since the start, in nanoseconds.
    pub lateness_p99_ns: u64,
    /// Largest lateness (dispatched − intended) of the last second, in nanoseconds.
    pub lateness_max_ns: u64,
    /// Number of failed operations since the start.
    pub errors: u64,
    /// Number of operations that timed out since the start.
    pub timeouts: u64,
    /// Number of operations under way at the end of the last second; `None` if unknown. Their latencies are not known yet.
    pub in_flight: Option<u64>,
    /// Time since the oldest operation under way was intended, in nanoseconds; `None` if unknown.
    pub oldest_in_flight_ns: Option<u64>,
}

/// A slice of a run (a histogram interval) and the reasons why it is unreliable (docs/method.md section 4.4).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slice {
    pub operation: String,
    /// Start of the slice in seconds from the start of the run.
    pub start_s: f64,
    /// Operations with a result divided by intended operations; `None` if none were intended. A low ratio alone does not make a
    /// slice unreliable: in an open loop it also falls if the drive is too slow.
    pub rate_ratio: Option<f64>,
    /// 99th percentile of the lateness that the generator itself caused, in nanoseconds; `None` if unknown.
    pub lateness_p99_ns: Option<u64>,
    /// Processor time of the busiest measuring thread divided by the length of the slice; `None` if unknown.
    pub busy_ratio: Option<f64>,
    /// Reasons why the slice is unreliable, for display; empty if it is reliable.
    pub doubts: Vec<String>,
}

/// Quantiles of one clock to two digits, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClockProgress {
    pub clock: Clock,
    pub p50_ns: u64,
    pub p99_ns: u64,
    pub p999_ns: u64,
    pub max_ns: u64,
}

/// Receives the intervals of a workload. Is not called on a measuring thread, but must not block for long: later reports wait.
pub trait IntervalSink: Send + Sync {
    /// Accepts finished intervals, in order of `seq` within each series.
    fn intervals(&self, intervals: Vec<Interval>);
    /// Accepts the progress of one operation.
    fn progress(&self, _progress: Progress) {}
    /// Accepts the conditions of a finished slice of one operation.
    fn slice(&self, _slice: Slice) {}
}

/// A flag that ends a workload early, shared by all threads.
#[derive(Debug, Clone, Default)]
pub struct StopFlag {
    is_set: Arc<AtomicBool>,
    /// Flag of the whole, if this flag is for a part.
    of_all: Option<Arc<AtomicBool>>,
}

impl StopFlag {
    /// Returns a flag for a part of the workload: it counts as set if either flag is set.
    pub fn of_part(&self) -> Self {
        Self { is_set: Arc::default(), of_all: Some(Arc::clone(&self.is_set)) }
    }

    /// Requests the end of the workload.
    pub fn stop(&self) {
        self.is_set.store(true, Ordering::Release);
    }

    /// Returns whether the flag is set.
    pub fn is_stopped(&self) -> bool {
        self.is_set.load(Ordering::Acquire) || self.of_all.as_ref().is_some_and(|all| all.load(Ordering::Acquire))
    }
}

/// The end of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the workload ran to its end instead of being stopped early.
    pub completed: bool,
    /// Explanation of an unusual end, for display.
    pub reason: Option<String>,
    /// Measured time from offset 0, in nanoseconds.
    pub duration_ns: u64,
}

/// A prepared workload, with files filled and keys loaded. It is then armed, started and drained.
pub trait Workload: Send {
    /// Returns all series that the workload will send, in order of their numbers.
    fn series(&self, host: &str) -> Vec<SeriesDefinition>;

    /// Starts threads, opens sessions and runs the ramp, so that the measurement can start at any moment. Fails if the workload
    /// cannot be armed, with cause, place and remedy. Preparations are removed.
    fn arm(self: Box<Self>, stop: &StopFlag) -> Result<Box<dyn Armed>, WorkloadError>;

    /// Arms the workload and starts it immediately.
    fn run(self: Box<Self>, sink: &dyn IntervalSink, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        self.arm(stop)?.start(MonotonicTime::start(), sink, stop)
    }
}

/// An armed workload, whose threads wait for the start. Dropping it removes the preparations.
pub trait Armed: Send {
    /// Measures from offset 0 of `at` until the end or until stopped, then waits some seconds for operations under way. Cleans up
    /// in every case. Fails if the workload fails, with cause, place and remedy.
    fn start(
        self: Box<Self>,
        at: MonotonicTime,
        sink: &dyn IntervalSink,
        stop: &StopFlag,
    ) -> Result<Outcome, WorkloadError>;
}

/// Error for a workload that cannot be prepared or run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WorkloadError(pub String);
