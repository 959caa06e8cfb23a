//! Which operation counts in which interval, and when an interval is finished.
//!
//! An operation counts where it completes: the measuring thread moves the recorder on, and what is recorded next falls
//! into the stretch that contains that moment. Everything is added to ticks of one second; a histogram interval is a
//! whole number of ticks and gets its counters from them, so both series of one operation count the same operations by
//! construction. The last interval stays open until the run is finished, so that late completions still have a place.

use std::sync::Arc;
use std::time::Duration;

use crate::arrivals::{Arrivals, Cursor};
use crate::conditions::{Conditions, Told};
use crate::histogram::{self, LatencyHistogram};
use crate::series::{Clock, Interval, SeriesDefinition, SeriesKind, WorkloadError};
use crate::stretch::Stretch;

/// Length of a tick.
pub const TICK_NS: u64 = 1_000_000_000;

/// How many ticks a histogram interval of `every` has.
///
/// # Errors
/// When `every` is not a whole number of ticks, at least one.
pub fn ticks_per_histogram(every: Duration) -> Result<u64, WorkloadError> {
    let every_ns = every.as_nanos();
    if every_ns == 0 || !every_ns.is_multiple_of(u128::from(TICK_NS)) {
        return Err(WorkloadError(format!(
            "histogram_every_s is {} s; it must be a whole number of seconds, at least 1",
            every.as_secs_f64()
        )));
    }
    Ok(every.as_secs())
}

/// What is recorded of one operation.
#[derive(Debug, Clone)]
pub struct OperationPlan {
    /// `read`, `transaction`, …
    pub operation: String,
    /// Device path or server address.
    pub device: Option<String>,
    /// When operations are intended; none where that is not defined (a read inside a transaction).
    pub schedule: Option<Arrivals>,
    /// The clocks, in the order of their series.
    pub clocks: Vec<Clock>,
    /// Ascending thresholds of the exact counters, at most 16.
    pub pin_thresholds_ns: Vec<u64>,
}

impl OperationPlan {
    /// Number of series: ticks and histograms for each clock.
    #[must_use]
    pub fn series_count(&self) -> u16 {
        u16::try_from(self.clocks.len() * 2).unwrap_or(u16::MAX)
    }

    /// The series, numbered from `first_series_no`: for each clock first ticks, then histograms.
    #[must_use]
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

/// The times of one completed operation, as offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// By the schedule; the submission where there is no schedule.
    pub intended_ns: u64,
    /// When the request left.
    pub submitted_ns: u64,
    /// When the answer was there.
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

/// A finished interval whose histogram is not turned into bytes yet: that is done off the measuring thread.
#[derive(Debug, Clone)]
pub struct Cut {
    /// Complete but for `histogram`, `lateness_p99_ns` (see [`Cut::settle`]) and the temperature.
    pub interval: Interval,
    /// None for ticks and for empty intervals.
    pub histogram: Option<LatencyHistogram>,
    /// Of ticks: the latencies to two digits, for people.
    pub overview: Option<LatencyHistogram>,
    /// Lateness that the generator itself caused, to two digits; one for all clocks. None where nothing began.
    pub lateness: Option<Arc<LatencyHistogram>>,
}

impl Cut {
    /// Adds another part of the same stretch of time.
    pub fn add(&mut self, other: &Self) {
        let (mine, theirs) = (&mut self.interval, &other.interval);
        mine.duration_ns = mine.duration_ns.max(theirs.duration_ns);
        mine.count += theirs.count;
        mine.errors += theirs.errors;
        mine.timeouts += theirs.timeouts;
        mine.unfinished += theirs.unfinished;
        mine.sum_ns = mine.sum_ns.saturating_add(theirs.sum_ns);
        mine.min_ns = [mine.min_ns, theirs.min_ns].into_iter().flatten().min();
        mine.max_ns = [mine.max_ns, theirs.max_ns].into_iter().flatten().max();
        mine.pins.iter_mut().zip(&theirs.pins).for_each(|(mine, theirs)| *mine += theirs);
        mine.target_count = mine.target_count.zip(theirs.target_count).map(|(mine, theirs)| mine + theirs);
        mine.lateness_max_ns = mine.lateness_max_ns.max(theirs.lateness_max_ns);
        // Both are known, or the whole is not: half of what is under way would be a claim.
        let both = |mine: Option<u64>, theirs: Option<u64>, of: fn(u64, u64) -> u64| {
            mine.zip(theirs).map(|(mine, theirs)| of(mine, theirs))
        };
        mine.in_flight = both(mine.in_flight, theirs.in_flight, |mine, theirs| mine + theirs);
        mine.oldest_in_flight_ns = both(mine.oldest_in_flight_ns, theirs.oldest_in_flight_ns, u64::max);
        // Each part tells of its own threads over the whole stretch, so the largest is the busiest thread's own time, in a
        // histogram interval as well as in a tick: nothing is added up over ticks behind this point, where each tick's
        // largest may come from another thread.
        mine.busy_ns = both(mine.busy_ns, theirs.busy_ns, u64::max);
        let add = |mine: &mut Option<LatencyHistogram>, theirs: &Option<LatencyHistogram>| match (mine, theirs) {
            (Some(mine), Some(theirs)) => mine.add(theirs),
            (mine @ None, Some(theirs)) => *mine = Some(theirs.clone()),
            (_, None) => {}
        };
        add(&mut self.histogram, &other.histogram);
        add(&mut self.overview, &other.overview);
        match (&mut self.lateness, &other.lateness) {
            (Some(mine), Some(theirs)) => Arc::make_mut(mine).add(theirs),
            (mine @ None, theirs) => mine.clone_from(theirs),
            (_, None) => {}
        }
    }

    /// Says what follows from all parts, once these are added up.
    pub fn settle(&mut self) {
        // The end of a bucket may exceed the largest lateness, which is exact.
        let p99 = |lateness: &LatencyHistogram| lateness.upper_end_at_quantile_ns(0.99);
        let largest_ns = self.interval.lateness_max_ns;
        self.interval.lateness_p99_ns = self.lateness.as_deref().map(|lateness| p99(lateness).min(largest_ns));
    }
}

/// Records one operation and cuts its intervals. One thread owns it.
#[derive(Debug)]
pub struct Recorder {
    plan: OperationPlan,
    first_series_no: u16,
    ticks_per_histogram: u64,
    end_ns: u64,
    tick: Stretch,
    wide: Stretch,
    whole: Stretch,
    histograms: Vec<LatencyHistogram>,
    /// Two digits, of the tick: for the person at the terminal.
    overviews: Vec<LatencyHistogram>,
    conditions: Conditions,
    /// Counts what was intended; stands at the start of the tick, or of the histogram interval.
    intended: Option<Cursor>,
    intended_in_wide: u64,
}

impl Recorder {
    /// Begins at offset 0 a run that is to end at `end_ns`; a histogram interval has `ticks_per_histogram` ticks (at least 1).
    #[must_use]
    pub fn new(plan: OperationPlan, first_series_no: u16, ticks_per_histogram: u64, end_ns: u64) -> Self {
        let (clocks, pins) = (plan.clocks.len(), plan.pin_thresholds_ns.len());
        Self {
            first_series_no,
            ticks_per_histogram: ticks_per_histogram.max(1),
            end_ns,
            tick: Stretch::new(0, 0, clocks, pins),
            wide: Stretch::new(0, 0, clocks, pins),
            whole: Stretch::new(0, 0, clocks, pins),
            histograms: empty_histograms(clocks),
            overviews: empty_overviews(clocks),
            conditions: Conditions::new(),
            intended: plan.schedule.map(Arrivals::cursor),
            intended_in_wide: 0,
            plan,
        }
    }

    /// Name of the operation.
    #[must_use]
    pub fn operation(&self) -> &str {
        &self.plan.operation
    }

    /// Somebody took an operation this long after it was intended, and so late by the generator's own fault: later than
    /// intended although there was room for it.
    pub fn dispatched(&mut self, lateness_ns: u64, of_generator_ns: u64) {
        self.tick.misses.lateness_max_ns = self.tick.misses.lateness_max_ns.max(lateness_ns);
        self.conditions.late(of_generator_ns);
    }

    /// So many operations are under way now, the oldest of them for so long since it was intended. Told right before a
    /// tick ends; a tick without it tells nothing.
    pub fn under_way(&mut self, in_flight: u64, oldest_ns: u64) {
        self.conditions.under_way(in_flight, oldest_ns);
    }

    /// A thread that measures (0, 1, … among those that share this recorder) has used so much processor time since it told
    /// last.
    pub fn busy(&mut self, thread: usize, busy_ns: u64) {
        self.conditions.busy(thread, busy_ns);
    }

    /// Whether moving on to `now_ns` ends a tick.
    #[must_use]
    pub fn is_due(&self, now_ns: u64) -> bool {
        self.ends_tick(self.tick.start_ns, now_ns)
    }

    fn ends_tick(&self, start_ns: u64, now_ns: u64) -> bool {
        start_ns + TICK_NS <= now_ns && start_ns + TICK_NS < self.end_ns
    }

    /// An operation completed.
    pub fn completed(&mut self, times: Times) {
        for (index, &clock) in self.plan.clocks.iter().enumerate() {
            let latency_ns = times.latency_ns(clock);
            self.tick.tallies[index].record(latency_ns, &self.plan.pin_thresholds_ns);
            self.histograms[index].record(latency_ns);
            self.overviews[index].record(latency_ns);
        }
    }

    /// An operation failed.
    pub fn failed(&mut self) {
        self.tick.misses.errors += 1;
    }

    /// An operation was given up.
    pub fn timed_out(&mut self) {
        self.tick.misses.timeouts += 1;
    }

    /// Moves on to `now_ns` and appends what is finished by then. The interval that ends with the run is not: see `finish`.
    /// True when a tick was cut.
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

    /// Ends the run at `end_ns` and appends the last intervals. Scheduled operations without a result are unfinished;
    /// without a schedule it is `under_way` operations.
    pub fn finish(&mut self, end_ns: u64, under_way: u64, cuts: &mut Vec<Cut>) {
        self.end_ns = end_ns.max(self.tick.start_ns + 1);
        // What was told last is true of the end.
        self.cut_ticks(self.end_ns, false, cuts);
        let results = |stretch: &Stretch| {
            stretch.tallies.first().map_or(0, |tally| tally.count) + stretch.misses.errors + stretch.misses.timeouts
        };
        let done = results(&self.tick) + results(&self.whole);
        let intended = self.intended.as_ref().map(|cursor| cursor.clone().count_before(self.end_ns));
        self.tick.misses.unfinished = intended.map_or(under_way, |intended| intended.saturating_sub(done));
        self.cut_tick(self.end_ns, true, cuts);
        self.cut_wide(self.end_ns, cuts);
    }

    fn cut_tick(&mut self, end_ns: u64, seen_now: bool, cuts: &mut Vec<Cut>) {
        let next = Stretch::new(self.tick.seq + 1, end_ns, self.plan.clocks.len(), self.plan.pin_thresholds_ns.len());
        let done = std::mem::replace(&mut self.tick, next);
        self.wide.add(&done);
        self.whole.add(&done);
        let before = self.intended.as_ref().map(Cursor::number);
        let intended = self.intended.as_mut().map(|cursor| cursor.count_before(end_ns));
        let target_count = before.zip(intended).map(|(before, through)| through - before);
        self.intended_in_wide += target_count.unwrap_or(0);
        let clocks = self.plan.clocks.len();
        let overviews = std::mem::replace(&mut self.overviews, empty_overviews(clocks));
        let told = self.conditions.cut_tick(end_ns - done.start_ns, seen_now);
        let first = cuts.len();
        let empty = std::iter::repeat_with(|| None);
        append(done, end_ns, self.first_series_no, target_count, &told, empty, cuts);
        for (cut, overview) in cuts[first..].iter_mut().zip(overviews) {
            cut.overview = Some(overview);
        }
    }

    fn cut_wide(&mut self, end_ns: u64, cuts: &mut Vec<Cut>) {
        let (clocks, pins) = (self.plan.clocks.len(), self.plan.pin_thresholds_ns.len());
        let done = std::mem::replace(&mut self.wide, Stretch::new(0, end_ns, clocks, pins));
        self.wide.seq = done.seq + 1;
        let full = std::mem::replace(&mut self.histograms, empty_histograms(clocks));
        let intended = std::mem::take(&mut self.intended_in_wide);
        let target_count = self.plan.schedule.map(|_| intended);
        let told = self.conditions.cut_wide();
        append(done, end_ns, self.first_series_no + 1, target_count, &told, full.into_iter().map(Some), cuts);
    }
}

fn append(
    done: Stretch,
    end_ns: u64,
    mut series_no: u16,
    target_count: Option<u64>,
    told: &Told,
    histograms: impl Iterator<Item = Option<LatencyHistogram>>,
    cuts: &mut Vec<Cut>,
) {
    for (tally, histogram) in done.tallies.into_iter().zip(histograms) {
        let interval = Interval {
            series_no,
            seq: done.seq,
            start_ns: done.start_ns,
            duration_ns: end_ns - done.start_ns,
            count: tally.count,
            errors: done.misses.errors,
            timeouts: done.misses.timeouts,
            unfinished: done.misses.unfinished,
            sum_ns: tally.sum_ns,
            min_ns: tally.min_ns,
            max_ns: tally.max_ns,
            pins: tally.pins,
            target_count,
            lateness_max_ns: done.misses.lateness_max_ns,
            busy_ns: told.busy_ns,
            in_flight: told.under_way.map(|(in_flight, _)| in_flight),
            oldest_in_flight_ns: told.under_way.map(|(_, oldest_ns)| oldest_ns),
            // What is known only later, and elsewhere.
            ..Interval::default()
        };
        cuts.push(Cut {
            interval,
            histogram: histogram.filter(|histogram| histogram.count() > 0),
            overview: None,
            lateness: told.lateness.clone(),
        });
        series_no += 2;
    }
}

/// Each made anew instead of cloned: fresh memory stays untouched until it is counted in.
fn empty_histograms(clocks: usize) -> Vec<LatencyHistogram> {
    std::iter::repeat_with(LatencyHistogram::new).take(clocks).collect()
}

fn empty_overviews(clocks: usize) -> Vec<LatencyHistogram> {
    std::iter::repeat_with(|| LatencyHistogram::with_digits(2)).take(clocks).collect()
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
mod tests;
