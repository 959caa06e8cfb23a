//! Live view of a run: rates, lateness, quantiles of each clock and shares above limits, updated with each tick.
//!
//! Its quantiles have two digits and are for display only; verdicts are computed from the histograms.

use std::collections::BTreeMap;

use crate::arrivals::Arrivals;
use crate::recorder::{Cut, OperationPlan};
use crate::series::{Clock, ClockProgress, Interval, Progress, Slice};
use crate::series_table::{Entry, SeriesTable};

/// Relative error of the rate above which it is reported in addition to other reasons, if it also exceeds two operations.
const LARGEST_RATE_ERROR: f64 = 0.01;
const RATE_SLACK_OPERATIONS: f64 = 2.0;
/// A slice is unreliable if its lateness exceeds the smallest threshold divided by this.
const LATENESS_DIVISOR: f64 = 10.0;
/// Ratio of processor time to time above which a measuring thread may be late without noticing.
pub const BUSY_RATIO: f64 = 0.7;

/// Totals of each operation since the start.
#[derive(Debug)]
pub(crate) struct View<'a> {
    series_table: &'a SeriesTable,
    /// The sum of the ticks so far of each series of ticks that is shown.
    ticks: BTreeMap<u16, Cut>,
}

impl<'a> View<'a> {
    pub(crate) fn new(series_table: &'a SeriesTable) -> Self {
        Self { series_table, ticks: BTreeMap::new() }
    }

    /// Adds an interval, and returns its operation's progress if it is the tick of the last clock. Misses are above every limit.
    pub(crate) fn add(&mut self, cut: &Cut) -> Option<Progress> {
        let series_no = cut.interval.series_no;
        let entry = self.series_table.entry_of(series_no)?;
        if cut.overview.is_none() || entry.total.is_some() {
            return None;
        }
        self.ticks.entry(series_no).and_modify(|sum| sum.add(cut)).or_insert_with(|| cut.clone());
        let tick_series = || (entry.first_series_no..).step_by(2).take(entry.operation.clocks.len());
        if tick_series().last() != Some(series_no) {
            return None;
        }
        let sums = tick_series().map(|series_no| self.ticks.get(&series_no)).collect::<Option<Vec<_>>>()?;
        progress(&sums, entry, &cut.interval)
    }

    /// Returns the slice that ends with `cut`, or `None` unless it is a histogram interval on the first clock of an operation.
    pub(crate) fn slice(&self, cut: &Cut) -> Option<Slice> {
        let entry = self.series_table.entry_of(cut.interval.series_no)?;
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

/// Returns the progress after `tick`, given the sum of the ticks so far on each clock.
fn progress(sums: &[&Cut], entry: &Entry, tick: &Interval) -> Option<Progress> {
    let total = &sums.first()?.interval;
    let misses = total.errors + total.timeouts + total.unfinished;
    let operations = (total.count + misses).max(1) as f64;
    let quantile_ns = |sum: &Cut, quantile| sum.overview.as_ref().map_or(0, |all| all.value_at_quantile_ns(quantile));
    let of_clock = |(&clock, sum): (&Clock, &&Cut)| ClockProgress {
        clock,
        p50_ns: quantile_ns(sum, 0.5),
        p99_ns: quantile_ns(sum, 0.99),
        p999_ns: quantile_ns(sum, 0.999),
        max_ns: sum.interval.max_ns.unwrap_or(0),
    };
    let OperationPlan { operation, clocks, schedule, pin_thresholds_ns, .. } = &entry.operation;
    let clocks: Vec<_> = clocks.iter().zip(sums).map(of_clock).collect();
    Some(Progress {
        elapsed_s: (tick.start_ns + tick.duration_ns) as f64 / 1e9,
        operation: operation.clone(),
        rate_per_s: tick.count as f64 / (tick.duration_ns as f64 / 1e9),
        target_rate_per_s: schedule.as_ref().map_or(0.0, Arrivals::rate_per_s),
        p99_ns: clocks.first()?.p99_ns,
        clocks,
        over: (pin_thresholds_ns.iter().copied())
            .zip(total.pins.iter().map(|pin| (pin + misses) as f64 / operations))
            .collect(),
        lateness_p99_ns: sums[0].lateness.as_ref().map_or(0, |lateness| lateness.upper_end_at_quantile_ns(0.99)),
        lateness_max_ns: tick.lateness_max_ns,
        errors: total.errors,
        timeouts: total.timeouts,
        in_flight: tick.in_flight,
        oldest_in_flight_ns: tick.oldest_in_flight_ns,
    })
}
