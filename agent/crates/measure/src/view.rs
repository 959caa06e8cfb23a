//! The live view of a run: rates, lateness, quantiles of each clock and shares over limits, from whole ticks.
//!
//! Quantiles have two digits and are for people; verdicts are made from the histograms.

use crate::book::Book;
use crate::histogram::LatencyHistogram;
use crate::recorder::Cut;
use crate::series::{ClockProgress, Progress, Slice};

/// A slice whose rate is off by more than this share (and by more than two operations) is doubtful.
const LARGEST_RATE_ERROR: f64 = 0.01;
const RATE_SLACK_OPERATIONS: f64 = 2.0;
/// Lateness may take this share of the smallest threshold.
const LARGEST_LATENESS_SHARE: f64 = 0.1;
/// A measuring thread that is busier than this may be late without knowing.
const LARGEST_BUSY_RATIO: f64 = 0.7;

#[derive(Debug)]
struct OfClock {
    latencies: LatencyHistogram,
    max_ns: u64,
}

#[derive(Debug)]
struct OfOperation {
    place: usize,
    clocks: Vec<OfClock>,
    lateness: LatencyHistogram,
    count: u64,
    errors: u64,
    timeouts: u64,
    unfinished: u64,
    over: Vec<u64>,
    /// Of the slice under way.
    slice_lateness: LatencyHistogram,
    slice_busy_ns: u64,
}

/// What was seen since the start.
#[derive(Debug)]
pub(crate) struct View<'a> {
    book: &'a Book,
    operations: Vec<OfOperation>,
}

impl<'a> View<'a> {
    pub(crate) fn new(book: &'a Book) -> Self {
        let operations = book
            .shown()
            .into_iter()
            .map(|place| {
                let operation = &book.entries()[place].operation;
                let clock = || OfClock { latencies: LatencyHistogram::with_digits(2), max_ns: 0 };
                OfOperation {
                    place,
                    clocks: std::iter::repeat_with(clock).take(operation.clocks.len()).collect(),
                    lateness: LatencyHistogram::with_digits(2),
                    count: 0,
                    errors: 0,
                    timeouts: 0,
                    unfinished: 0,
                    over: vec![0; operation.pin_thresholds_ns.len()],
                    slice_lateness: LatencyHistogram::with_digits(2),
                    slice_busy_ns: 0,
                }
            })
            .collect();
        Self { book, operations }
    }

    /// Takes a whole cut; progress when it is the last tick series of an operation. Misses count as over every limit.
    pub(crate) fn add(&mut self, cut: &Cut) -> Option<Progress> {
        let place = self.book.place_of(cut.interval.series_no)?;
        let entry = &self.book.entries()[place];
        let overview = cut.overview.as_ref()?;
        let of = self.operations.iter_mut().find(|of| of.place == place)?;
        let clock = usize::from(cut.interval.series_no - entry.first_series_no) / 2;
        let interval = &cut.interval;
        let of_clock = of.clocks.get_mut(clock)?;
        of_clock.latencies.add(overview);
        of_clock.max_ns = of_clock.max_ns.max(interval.max_ns.unwrap_or(0));
        if clock == 0 {
            of.count += interval.count;
            of.errors += interval.errors;
            of.timeouts += interval.timeouts;
            of.unfinished += interval.unfinished;
            of.over.iter_mut().zip(&interval.pins).for_each(|(sum, pin)| *sum += pin);
            if let Some(lateness) = &cut.lateness {
                of.lateness.add(lateness);
                of.slice_lateness.add(lateness);
            }
            of.slice_busy_ns += cut.busy_ns;
        }
        (clock + 1 == of.clocks.len()).then(|| progress(of, entry, cut))
    }
}

impl View<'_> {
    /// The slice that a histogram on the first clock of an operation ends, after its ticks were added.
    pub(crate) fn slice(&mut self, cut: &Cut) -> Option<Slice> {
        let place = self.book.place_of(cut.interval.series_no)?;
        let entry = &self.book.entries()[place];
        if cut.interval.series_no != entry.first_series_no + 1 {
            return None;
        }
        let of = self.operations.iter_mut().find(|of| of.place == place)?;
        let lateness = std::mem::replace(&mut of.slice_lateness, LatencyHistogram::with_digits(2));
        let busy_ns = std::mem::take(&mut of.slice_busy_ns);
        let interval = &cut.interval;
        let results = (interval.count + interval.errors + interval.timeouts) as f64;
        let target = interval.target_count.filter(|target| *target > 0).map(|target| target as f64);
        let rate_ratio = target.map(|target| results / target);
        let (lateness_p99_ns, busy_ratio) =
            (lateness.value_at_quantile_ns(0.99), busy_ns as f64 / interval.duration_ns.max(1) as f64);
        let mut doubts = Vec::new();
        if let Some(target) = target
            && (results - target).abs() > (target * LARGEST_RATE_ERROR).max(RATE_SLACK_OPERATIONS)
        {
            doubts.push(format!("the rate was {:.2} % of its target", results / target * 100.0));
        }
        let smallest_ns = entry.operation.pin_thresholds_ns.first().copied().unwrap_or(u64::MAX);
        if lateness_p99_ns as f64 > smallest_ns as f64 * LARGEST_LATENESS_SHARE {
            doubts.push(format!("one operation of a hundred began {} µs late or later", lateness_p99_ns / 1_000));
        }
        if busy_ratio > LARGEST_BUSY_RATIO {
            doubts.push(format!("the measuring thread was busy for {:.0} % of the time", busy_ratio * 100.0));
        }
        let start_s = interval.start_ns as f64 / 1e9;
        let operation = entry.operation.operation.clone();
        Some(Slice { operation, start_s, rate_ratio, lateness_p99_ns, busy_ratio, doubts })
    }
}

fn progress(of: &OfOperation, entry: &crate::book::Entry, cut: &Cut) -> Progress {
    let interval = &cut.interval;
    let misses = of.errors + of.timeouts + of.unfinished;
    let total = (of.count + misses).max(1) as f64;
    let clocks: Vec<ClockProgress> = entry
        .operation
        .clocks
        .iter()
        .zip(&of.clocks)
        .map(|(&clock, seen)| ClockProgress {
            clock,
            p50_ns: seen.latencies.value_at_quantile_ns(0.5),
            p99_ns: seen.latencies.value_at_quantile_ns(0.99),
            p999_ns: seen.latencies.value_at_quantile_ns(0.999),
            max_ns: seen.max_ns,
        })
        .collect();
    Progress {
        elapsed_s: (interval.start_ns + interval.duration_ns) as f64 / 1e9,
        operation: entry.operation.operation.clone(),
        rate_per_s: interval.count as f64 / (interval.duration_ns as f64 / 1e9),
        target_rate_per_s: entry.operation.schedule.as_ref().map_or(0.0, crate::arrivals::Arrivals::rate_per_s),
        p99_ns: clocks.first().map_or(0, |clock| clock.p99_ns),
        clocks,
        over: (entry.operation.pin_thresholds_ns.iter().copied())
            .zip(of.over.iter().map(|pin| (pin + misses) as f64 / total))
            .collect(),
        lateness_p99_ns: of.lateness.value_at_quantile_ns(0.99),
        lateness_max_ns: interval.lateness_max_ns,
        errors: of.errors,
        timeouts: of.timeouts,
        in_flight: cut.in_flight,
        oldest_in_flight_ns: cut.oldest_in_flight_ns,
    }
}
