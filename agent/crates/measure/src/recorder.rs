//! Assignment of operations to intervals, and the end of each interval.
//!
//! An operation counts in the interval in which it completes: the measuring thread advances the recorder, and later records belong
//! to the interval that contains that time. Everything is added to ticks of one second. A histogram interval is a whole number of
//! ticks and sums their counters, so both series of an operation count the same operations by construction. The last interval stays
//! open until the run is finished, to include late completions.

use std::sync::Arc;

use crate::arrivals::{Arrivals, Cursor};
use crate::conditions::{Conditions, ConditionsCut};
use crate::histogram::{self, LatencyHistogram};
use crate::series::{Clock, Interval, SeriesDefinition, SeriesKind};

pub const TICK_NS: u64 = 1_000_000_000;

/// Description of how one operation is recorded.
#[derive(Debug, Clone)]
pub struct OperationPlan {
    /// Name of the operation: `read`, `transaction`, …
    pub operation: String,
    /// Device path or server address.
    pub device: Option<String>,
    /// Intended times; `None` if there are none, as for a read inside a transaction.
    pub schedule: Option<Arrivals>,
    /// Clocks, in the order of their series.
    pub clocks: Vec<Clock>,
    /// Ascending thresholds of the exact counters in nanoseconds, at most 16.
    pub pin_thresholds_ns: Vec<u64>,
}

impl OperationPlan {
    /// Returns the number of series: one of ticks and one of histograms per clock.
    pub fn series_count(&self) -> u16 {
        u16::try_from(self.clocks.len() * 2).unwrap_or(u16::MAX)
    }

    /// Returns the series, numbered from `first_series_no`: for each clock first the ticks, then the histograms.
    pub fn definitions(&self, first_series_no: u16, host: &str) -> Vec<SeriesDefinition> {
        let kinds = self.clocks.iter().flat_map(|&clock| [(clock, SeriesKind::Tick), (clock, SeriesKind::Histogram)]);
        (first_series_no..)
            .zip(kinds)
            .map(|(series_no, (clock, kind))| SeriesDefinition {
                series_no,
                operation: self.operation.clone(),
                clock,
                kind,
                phase: "main".into(),
                host: host.into(),
                device: self.device.clone(),
                layout: (kind == SeriesKind::Histogram).then(histogram::layout),
                pin_thresholds_ns: self.pin_thresholds_ns.clone(),
                target_rate_per_s: self.schedule.as_ref().map(Arrivals::rate_per_s),
            })
            .collect()
    }
}

/// Times of a completed operation, in nanoseconds from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Intended time, or the time of submission if there is no schedule.
    pub intended_ns: u64,
    /// Time at which the request was sent.
    pub submitted_ns: u64,
    /// Time at which the answer arrived.
    pub completed_ns: u64,
}

impl Times {
    fn latency_ns(&self, clock: Clock) -> u64 {
        match clock {
            Clock::Response => self.completed_ns.saturating_sub(self.intended_ns),
            Clock::Service => self.completed_ns.saturating_sub(self.submitted_ns),
        }
    }
}

/// A finished interval whose histogram is not serialized yet, because that must not happen on the measuring thread.
#[derive(Debug, Clone)]
pub struct Cut {
    /// The interval, complete except for `histogram`, `lateness_p99_ns` (see [`Cut::settle`]) and the temperature.
    pub interval: Interval,
    /// Latencies; `None` for ticks and for empty intervals.
    pub histogram: Option<LatencyHistogram>,
    /// Latencies of a tick to two digits, for display; `None` for histogram intervals.
    pub overview: Option<LatencyHistogram>,
    /// Lateness caused by the generator itself, to two digits, shared by all clocks. `None` if no operation began.
    pub lateness: Option<Arc<LatencyHistogram>>,
}

impl Cut {
    /// Adds another part of the same interval.
    pub fn add(&mut self, other: &Self) {
        let (sum, part) = (&mut self.interval, &other.interval);
        sum.add_counts(part);
        sum.duration_ns = sum.duration_ns.max(part.duration_ns);
        sum.target_count = sum.target_count.zip(part.target_count).map(|(sum, part)| sum + part);
        // Unknown unless both parts are known: a partial count of operations under way would be wrong.
        let both = |sum: Option<u64>, part: Option<u64>, of: fn(u64, u64) -> u64| {
            sum.zip(part).map(|(sum, part)| of(sum, part))
        };
        sum.in_flight = both(sum.in_flight, part.in_flight, |sum, part| sum + part);
        sum.oldest_in_flight_ns = both(sum.oldest_in_flight_ns, part.oldest_in_flight_ns, u64::max);
        // Each part reports the processor time of its own threads over the whole interval, so the maximum is the time of the
        // busiest thread, for histogram intervals as well as ticks. Nothing is summed over ticks after this point, where the
        // maximum of each tick may belong to a different thread.
        sum.busy_ns = both(sum.busy_ns, part.busy_ns, u64::max);
        let add = |sum: &mut Option<LatencyHistogram>, part: &Option<LatencyHistogram>| match (sum, part) {
            (Some(sum), Some(part)) => sum.add(part),
            (sum @ None, Some(part)) => *sum = Some(part.clone()),
            (_, None) => {}
        };
        add(&mut self.histogram, &other.histogram);
        add(&mut self.overview, &other.overview);
        match (&mut self.lateness, &other.lateness) {
            (Some(sum), Some(part)) => Arc::make_mut(sum).add(part),
            (sum @ None, part) => sum.clone_from(part),
            (_, None) => {}
        }
    }

    /// Computes the values that depend on all parts, once these are added.
    pub fn settle(&mut self) {
        // The bucket's upper bound may exceed the largest lateness, which is exact.
        let p99 = |lateness: &LatencyHistogram| lateness.upper_end_at_quantile_ns(0.99);
        let largest_ns = self.interval.lateness_max_ns;
        self.interval.lateness_p99_ns = self.lateness.as_deref().map(|lateness| p99(lateness).min(largest_ns));
    }
}

/// Counts of the current tick or histogram interval.
#[derive(Debug)]
struct OpenInterval {
    seq: u64,
    start_ns: u64,
    lateness_max_ns: u64,
    /// The interval of each clock. Counts of operations without a latency are the same in all of them.
    clocks: Vec<Interval>,
}

impl OpenInterval {
    fn new(seq: u64, start_ns: u64, plan: &OperationPlan) -> Self {
        let pins = vec![0; plan.pin_thresholds_ns.len()];
        let empty = Interval { seq, start_ns, pins, ..Interval::default() };
        Self { seq, start_ns, lateness_max_ns: 0, clocks: vec![empty; plan.clocks.len()] }
    }

    fn add(&mut self, other: &Self) {
        self.lateness_max_ns = self.lateness_max_ns.max(other.lateness_max_ns);
        self.clocks.iter_mut().zip(&other.clocks).for_each(|(sum, part)| sum.add_counts(part));
    }

    /// Returns the number of operations with a result.
    fn results(&self) -> u64 {
        self.clocks.first().map_or(0, |interval| interval.count + interval.errors + interval.timeouts)
    }
}

/// Records one operation and cuts its intervals. Owned by one thread.
#[derive(Debug)]
pub struct Recorder {
    plan: OperationPlan,
    first_series_no: u16,
    ticks_per_histogram: u64,
    end_ns: u64,
    tick: OpenInterval,
    wide: OpenInterval,
    /// Number of operations with a result in the ticks before the current tick.
    results_before: u64,
    histograms: Vec<LatencyHistogram>,
    /// Latencies of the tick to two digits, for progress output.
    overviews: Vec<LatencyHistogram>,
    conditions: Conditions,
    /// Counts intended operations; its position is the start of the current tick.
    intended: Option<Cursor>,
    intended_in_wide: u64,
}

impl Recorder {
    /// Returns a recorder from offset 0 to `end_ns`. A histogram interval has `ticks_per_histogram` ticks (at least 1).
    pub fn new(plan: OperationPlan, first_series_no: u16, ticks_per_histogram: u64, end_ns: u64) -> Self {
        let clocks = plan.clocks.len();
        Self {
            first_series_no,
            ticks_per_histogram: ticks_per_histogram.max(1),
            end_ns,
            tick: OpenInterval::new(0, 0, &plan),
            wide: OpenInterval::new(0, 0, &plan),
            results_before: 0,
            histograms: empty_histograms(clocks),
            overviews: empty_overviews(clocks),
            conditions: Conditions::new(),
            intended: plan.schedule.map(Arrivals::cursor),
            intended_in_wide: 0,
            plan,
        }
    }

    /// Returns the name of the operation.
    pub fn operation(&self) -> &str {
        &self.plan.operation
    }

    /// Records the lateness of a dispatched operation, and the part that the generator itself caused: while a slot was free.
    pub fn dispatched(&mut self, lateness_ns: u64, of_generator_ns: u64) {
        self.tick.lateness_max_ns = self.tick.lateness_max_ns.max(lateness_ns);
        self.conditions.lateness.record(of_generator_ns);
    }

    /// Records that `in_flight` operations are under way and that the oldest was intended `oldest_ns` ago. Must be called right
    /// before a tick ends; both are unknown for a tick without a call.
    pub fn under_way(&mut self, in_flight: u64, oldest_ns: u64) {
        self.conditions.under_way = Some((in_flight, oldest_ns));
    }

    /// Adds the processor time of a measuring thread since its last report. `thread` is its index among those of this recorder.
    pub fn busy(&mut self, thread: usize, busy_ns: u64) {
        self.conditions.busy(thread, busy_ns);
    }

    /// Returns whether advancing to `now_ns` ends a tick.
    pub fn is_due(&self, now_ns: u64) -> bool {
        self.ends_tick(self.tick.start_ns, now_ns)
    }

    fn ends_tick(&self, start_ns: u64, now_ns: u64) -> bool {
        start_ns + TICK_NS <= now_ns && start_ns + TICK_NS < self.end_ns
    }

    /// Records a completed operation.
    pub fn completed(&mut self, times: Times) {
        for (index, &clock) in self.plan.clocks.iter().enumerate() {
            let latency_ns = times.latency_ns(clock);
            self.tick.clocks[index].record(latency_ns, &self.plan.pin_thresholds_ns);
            self.histograms[index].record(latency_ns);
            self.overviews[index].record(latency_ns);
        }
    }

    /// Records a failed operation.
    pub fn failed(&mut self) {
        self.tick.clocks.iter_mut().for_each(|interval| interval.errors += 1);
    }

    /// Records an operation that timed out.
    pub fn timed_out(&mut self) {
        self.tick.clocks.iter_mut().for_each(|interval| interval.timeouts += 1);
    }

    /// Advances to `now_ns` and appends ended intervals but the last ([`Self::finish`]). Returns whether a tick was cut.
    pub fn advance(&mut self, now_ns: u64, cuts: &mut Vec<Cut>) -> bool {
        let first = self.tick.seq;
        self.cut_ticks(now_ns, true, cuts);
        self.tick.seq > first
    }

    fn cut_ticks(&mut self, now_ns: u64, seen_now: bool, cuts: &mut Vec<Cut>) {
        while self.is_due(now_ns) {
            let end_ns = self.tick.start_ns + TICK_NS;
            self.cut_tick(end_ns, seen_now && !self.ends_tick(end_ns, now_ns), cuts);
            if self.tick.seq.is_multiple_of(self.ticks_per_histogram) {
                self.cut_wide(self.tick.start_ns, cuts);
            }
        }
    }

    /// Ends the run at `end_ns` and appends the last intervals. The number of unfinished operations is that of intended operations
    /// without a result, or `under_way` if there is no schedule.
    pub fn finish(&mut self, end_ns: u64, under_way: u64, cuts: &mut Vec<Cut>) {
        self.end_ns = end_ns.max(self.tick.start_ns + 1);
        // The last reported operations under way belong to the end of the run.
        self.cut_ticks(self.end_ns, false, cuts);
        let done = self.results_before + self.tick.results();
        let intended = self.intended.as_ref().map(|cursor| cursor.clone().count_before(self.end_ns));
        let unfinished = intended.map_or(under_way, |intended| intended.saturating_sub(done));
        self.tick.clocks.iter_mut().for_each(|interval| interval.unfinished = unfinished);
        self.cut_tick(self.end_ns, true, cuts);
        self.cut_wide(self.end_ns, cuts);
    }

    fn cut_tick(&mut self, end_ns: u64, seen_now: bool, cuts: &mut Vec<Cut>) {
        let next = OpenInterval::new(self.tick.seq + 1, end_ns, &self.plan);
        let done = std::mem::replace(&mut self.tick, next);
        self.wide.add(&done);
        self.results_before += done.results();
        let before = self.intended.as_ref().map(Cursor::number);
        let intended = self.intended.as_mut().map(|cursor| cursor.count_before(end_ns));
        let target_count = before.zip(intended).map(|(before, through)| through - before);
        self.intended_in_wide += target_count.unwrap_or(0);
        let overviews = std::mem::replace(&mut self.overviews, empty_overviews(self.plan.clocks.len()));
        let conditions = self.conditions.cut_tick(end_ns - done.start_ns, seen_now);
        for (mut cut, overview) in finished(done, end_ns, self.first_series_no, target_count, conditions).zip(overviews)
        {
            cut.overview = Some(overview);
            cuts.push(cut);
        }
    }

    fn cut_wide(&mut self, end_ns: u64, cuts: &mut Vec<Cut>) {
        let next = OpenInterval::new(self.wide.seq + 1, end_ns, &self.plan);
        let done = std::mem::replace(&mut self.wide, next);
        let full = std::mem::replace(&mut self.histograms, empty_histograms(self.plan.clocks.len()));
        let intended = std::mem::take(&mut self.intended_in_wide);
        let target_count = self.plan.schedule.map(|_| intended);
        let conditions = self.conditions.cut_wide();
        for (mut cut, histogram) in finished(done, end_ns, self.first_series_no + 1, target_count, conditions).zip(full)
        {
            cut.histogram = Some(histogram).filter(|histogram| histogram.count() > 0);
            cuts.push(cut);
        }
    }
}

/// Returns the interval of each clock without latencies, for the series `series_no`, `series_no + 2`, …
fn finished(
    done: OpenInterval,
    end_ns: u64,
    series_no: u16,
    target_count: Option<u64>,
    ConditionsCut { lateness, busy_ns, under_way }: ConditionsCut,
) -> impl Iterator<Item = Cut> {
    let (in_flight, oldest_in_flight_ns) = under_way.unzip();
    let OpenInterval { start_ns, lateness_max_ns, clocks, .. } = done;
    (series_no..).step_by(2).zip(clocks).map(move |(series_no, counts)| Cut {
        interval: Interval {
            series_no,
            duration_ns: end_ns - start_ns,
            target_count,
            lateness_max_ns,
            busy_ns,
            in_flight,
            oldest_in_flight_ns,
            ..counts
        },
        histogram: None,
        overview: None,
        lateness: lateness.clone(),
    })
}

/// Returns new histograms rather than clones, because the memory of a new histogram is only touched by counting.
fn empty_histograms(clocks: usize) -> Vec<LatencyHistogram> {
    std::iter::repeat_with(LatencyHistogram::new).take(clocks).collect()
}

fn empty_overviews(clocks: usize) -> Vec<LatencyHistogram> {
    std::iter::repeat_with(|| LatencyHistogram::with_digits(2)).take(clocks).collect()
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
