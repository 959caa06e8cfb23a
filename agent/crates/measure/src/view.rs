//! Live view of a run: rates, lateness, quantiles of each clock and shares above limits, updated with each tick.
//!
//! Its quantiles have two digits and are for display only; verdicts are computed from the histograms.

use crate::histogram::LatencyHistogram;
use crate::recorder::Cut;
use crate::series::{ClockProgress, Progress, Slice};
use crate::series_table::SeriesTable;

/// Relative error of the rate above which it is reported in addition to other reasons, if it also exceeds two operations.
const LARGEST_RATE_ERROR: f64 = 0.01;
const RATE_SLACK_OPERATIONS: f64 = 2.0;
/// A slice is unreliable if its lateness exceeds the smallest threshold divided by this.
const LATENESS_DIVISOR: f64 = 10.0;
/// Ratio of processor time to time above which a measuring thread may be late without noticing.
pub const BUSY_RATIO: f64 = 0.7;

#[derive(Debug)]
struct ClockTotals {
    latencies: LatencyHistogram,
    max_ns: u64,
}

#[derive(Debug)]
struct OperationTotals {
    index: usize,
    clocks: Vec<ClockTotals>,
    lateness: LatencyHistogram,
    count: u64,
    errors: u64,
    timeouts: u64,
    unfinished: u64,
    over: Vec<u64>,
}

/// Totals of each operation since the start.
#[derive(Debug)]
pub(crate) struct View<'a> {
    series_table: &'a SeriesTable,
    operations: Vec<OperationTotals>,
}

impl<'a> View<'a> {
    pub(crate) fn new(series_table: &'a SeriesTable) -> Self {
        let operations = series_table
            .shown()
            .into_iter()
            .map(|index| {
                let operation = &series_table.entries[index].operation;
                let clock = || ClockTotals { latencies: LatencyHistogram::with_digits(2), max_ns: 0 };
                OperationTotals {
                    index,
                    clocks: std::iter::repeat_with(clock).take(operation.clocks.len()).collect(),
                    lateness: LatencyHistogram::with_digits(2),
                    count: 0,
                    errors: 0,
                    timeouts: 0,
                    unfinished: 0,
                    over: vec![0; operation.pin_thresholds_ns.len()],
                }
            })
            .collect();
        Self { series_table, operations }
    }

    /// Adds an interval, and returns its operation's progress if it is the tick of the last clock. Misses are above every limit.
    pub(crate) fn add(&mut self, cut: &Cut) -> Option<Progress> {
        let index = self.series_table.entry_index(cut.interval.series_no)?;
        let entry = &self.series_table.entries[index];
        let overview = cut.overview.as_ref()?;
        let of = self.operations.iter_mut().find(|of| of.index == index)?;
        let clock = usize::from(cut.interval.series_no - entry.first_series_no) / 2;
        let interval = &cut.interval;
        let totals = of.clocks.get_mut(clock)?;
        totals.latencies.add(overview);
        totals.max_ns = totals.max_ns.max(interval.max_ns.unwrap_or(0));
        if clock == 0 {
            of.count += interval.count;
            of.errors += interval.errors;
            of.timeouts += interval.timeouts;
            of.unfinished += interval.unfinished;
            of.over.iter_mut().zip(&interval.pins).for_each(|(sum, pin)| *sum += pin);
            if let Some(lateness) = &cut.lateness {
                of.lateness.add(lateness);
            }
        }
        (clock + 1 == of.clocks.len()).then(|| progress(of, entry, cut))
    }

    /// Returns the slice that ends with `cut`, or `None` unless it is a histogram interval on the first clock of an operation.
    pub(crate) fn slice(&self, cut: &Cut) -> Option<Slice> {
        let entry = &self.series_table.entries[self.series_table.entry_index(cut.interval.series_no)?];
        // Report each operation once, not for every clock or device.
        if cut.interval.series_no != entry.first_series_no + 1 || entry.total.is_some() {
            return None;
        }
        let interval = &cut.interval;
        let results = (interval.count + interval.errors + interval.timeouts) as f64;
        let target = interval.target_count.filter(|target| *target > 0).map(|target| target as f64);
        let busy_ratio = interval.busy_ns.map(|busy_ns| busy_ns as f64 / interval.duration_ns.max(1) as f64);
        let mut doubts = Vec::new();
        let smallest_ns = entry.operation.pin_thresholds_ns.first().copied().unwrap_or(u64::MAX);
        let largest_ns = smallest_ns as f64 / LATENESS_DIVISOR;
        if let Some(late_ns) = interval.lateness_p99_ns.filter(|late_ns| *late_ns as f64 > largest_ns) {
            doubts.push(format!("load generator late: p99 {} µs", late_ns / 1_000));
        }
        if let Some(busy) = busy_ratio.filter(|busy| *busy > BUSY_RATIO) {
            doubts.push(format!("the measuring thread was busy for {:.0} % of the time", busy * 100.0));
        }
        // Not a reason on its own: operations that wait for the drive complete later, which is measured.
        if let Some(target) = target.filter(|_| !doubts.is_empty())
            && (results - target).abs() > (target * LARGEST_RATE_ERROR).max(RATE_SLACK_OPERATIONS)
        {
            doubts.push(format!("the rate was {:.2} % of its target", results / target * 100.0));
        }
        Some(Slice {
            operation: entry.operation.operation.clone(),
            start_s: interval.start_ns as f64 / 1e9,
            rate_ratio: target.map(|target| results / target),
            lateness_p99_ns: interval.lateness_p99_ns,
            busy_ratio,
            doubts,
        })
    }
}

fn progress(of: &OperationTotals, entry: &crate::series_table::Entry, cut: &Cut) -> Progress {
    let interval = &cut.interval;
    let misses = of.errors + of.timeouts + of.unfinished;
    let total = (of.count + misses).max(1) as f64;
    let clocks: Vec<ClockProgress> = entry
        .operation
        .clocks
        .iter()
        .zip(&of.clocks)
        .map(|(&clock, totals)| ClockProgress {
            clock,
            p50_ns: totals.latencies.value_at_quantile_ns(0.5),
            p99_ns: totals.latencies.value_at_quantile_ns(0.99),
            p999_ns: totals.latencies.value_at_quantile_ns(0.999),
            max_ns: totals.max_ns,
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
        lateness_p99_ns: of.lateness.upper_end_at_quantile_ns(0.99),
        lateness_max_ns: interval.lateness_max_ns,
        errors: of.errors,
        timeouts: of.timeouts,
        in_flight: interval.in_flight,
        oldest_in_flight_ns: interval.oldest_in_flight_ns,
    }
}
