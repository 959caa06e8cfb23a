//! The summary of a run: rates asked and reached, latencies with bounds, misses, and whether the load generator kept its
//! schedule.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use measure::histogram::LatencyHistogram;
use measure::series::{Clock, Interval, SeriesDefinition, SeriesKind, Slice};
use serde::Serialize;
use wire::messages::{Finish, RunId, RunOutcome};

use crate::objective::{Objective, ObjectiveAnswer, ObjectiveTotals, add_histogram, quantile_bounds_ns};

/// Quantiles of a summary: name, numerator, denominator.
const QUANTILES: [(&str, u64, u64); 3] = [("p50", 50, 100), ("p99", 99, 100), ("p99.9", 999, 1_000)];
const SIGNIFICANT_FIGURES: i32 = 2;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub run_id: RunId,
    pub title: String,
    pub outcome: RunOutcome,
    pub duration_ns: u64,
    pub operations: Vec<OperationSummary>,
    pub generator: GeneratorSummary,
    /// Address of the run's page, if the run is delivered.
    pub page: Option<String>,
    /// Path of the result file, if it is complete.
    pub result: Option<String>,
}

/// Rate, latencies and misses of one kind of operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OperationSummary {
    pub operation: String,
    /// `None` in a closed loop, and for a part of other operations.
    pub rate_asked_per_s: Option<f64>,
    pub rate_reached_per_s: f64,
    pub count: u64,
    pub errors: u64,
    pub timeouts: u64,
    pub unfinished: u64,
    pub latencies: Vec<LatencySummary>,
}

/// Latencies of one operation on one clock. Misses count as longer than any latency.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LatencySummary {
    pub clock: Clock,
    pub quantiles: Vec<QuantileSummary>,
    pub max_ns: Option<u64>,
}

/// One quantile with the bounds of its bucket; the bounds are `None` if it lies among the misses, or if nothing was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuantileSummary {
    pub quantile: f64,
    #[serde(skip)]
    name: &'static str,
    pub lower_ns: Option<u64>,
    pub upper_ns: Option<u64>,
}

/// Whether the load generator kept its schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GeneratorSummary {
    pub slices: usize,
    pub unreliable_slices: usize,
    /// Reason of the first unreliable slice.
    pub reason: Option<String>,
}

/// Sums over the histogram series of a run so far.
#[derive(Debug, Default)]
pub struct Totals {
    objective: Option<ObjectiveTotals>,
    series: BTreeMap<u16, SeriesTotals>,
    /// Starts of all slices in seconds, as the bits of the number.
    slices: HashSet<u64>,
    unreliable: HashSet<u64>,
    first_unreliable: Option<Slice>,
}

#[derive(Debug)]
struct SeriesTotals {
    definition: SeriesDefinition,
    histogram: LatencyHistogram,
    errors: u64,
    timeouts: u64,
    unfinished: u64,
    max_ns: Option<u64>,
}

impl Totals {
    /// Returns empty sums of these series. If an operation has a series for each device and one of all, only the latter is shown.
    /// With an objective, its answer is computed too.
    pub fn new(series: &[SeriesDefinition], objective: Option<&Objective>) -> Self {
        let objective = objective.and_then(|objective| ObjectiveTotals::new(objective, series));
        let sums: BTreeSet<&str> =
            series.iter().filter(|series| series.device.is_none()).map(|series| &*series.operation).collect();
        let is_shown = |series: &&SeriesDefinition| {
            series.kind == SeriesKind::Histogram && (series.device.is_none() || !sums.contains(&*series.operation))
        };
        let totals = |definition: &SeriesDefinition| SeriesTotals {
            definition: definition.clone(),
            histogram: LatencyHistogram::new(),
            errors: 0,
            timeouts: 0,
            unfinished: 0,
            max_ns: None,
        };
        let series =
            series.iter().filter(is_shown).map(|definition| (definition.series_no, totals(definition))).collect();
        Self { objective, series, ..Self::default() }
    }

    pub fn add(&mut self, intervals: &[Interval]) {
        for interval in intervals {
            if let Some(objective) = &mut self.objective {
                objective.add(interval);
            }
            let Some(totals) = self.series.get_mut(&interval.series_no) else { continue };
            totals.errors += interval.errors;
            totals.timeouts += interval.timeouts;
            totals.unfinished += interval.unfinished;
            totals.max_ns = totals.max_ns.max(interval.max_ns);
            add_histogram(&mut totals.histogram, interval);
        }
    }

    pub fn add_slice(&mut self, slice: Slice) {
        let begin = slice.start_s.to_bits();
        self.slices.insert(begin);
        if !slice.doubts.is_empty() {
            self.unreliable.insert(begin);
            self.first_unreliable.get_or_insert(slice);
        }
    }

    /// Returns whether the load generator itself was late or busy in part of the run.
    pub fn is_unreliable(&self) -> bool {
        !self.unreliable.is_empty()
    }

    /// Returns a sentence about the unreliable slices and the first reason; `None` if all are reliable.
    pub fn unreliable_slices(&self) -> Option<String> {
        let first = self.first_unreliable.as_ref()?;
        Some(format!(
            "{} of {} slices are unreliable, the first at {:.0} s: {} ({})",
            self.unreliable.len(),
            self.slices.len(),
            first.start_s,
            first.doubts.join(", "),
            first.operation
        ))
    }

    /// Returns whether the objective fails whatever the rest of a run of this length shows.
    pub fn fails_for_certain(&self, planned_duration_ns: u64) -> bool {
        self.objective.as_ref().is_some_and(|objective| objective.fails_for_certain(planned_duration_ns))
    }

    /// Returns the answer to the objective; `None` if there is no objective, or if nothing was measured.
    pub fn objective(&self) -> Option<ObjectiveAnswer> {
        self.objective.as_ref().and_then(ObjectiveTotals::answer)
    }

    pub fn summary(&self, (run_id, title): (RunId, &str), finish: &Finish) -> Summary {
        Summary {
            run_id,
            title: title.to_owned(),
            outcome: finish.outcome,
            duration_ns: finish.duration_ns,
            operations: self.operations(finish.duration_ns),
            generator: GeneratorSummary {
                slices: self.slices.len(),
                unreliable_slices: self.unreliable.len(),
                reason: self.first_unreliable.as_ref().map(|slice| slice.doubts.join(", ")),
            },
            page: None,
            result: None,
        }
    }

    /// Returns each operation with its rate and latencies.
    pub fn operations(&self, duration_ns: u64) -> Vec<OperationSummary> {
        let mut operations: Vec<OperationSummary> = Vec::new();
        for totals in self.series.values() {
            let SeriesTotals { definition, errors, timeouts, unfinished, .. } = totals;
            let latency = totals.latencies();
            // Series of one operation are adjacent, response time first; all have the same counts.
            if let Some(last) = operations.last_mut().filter(|last| last.operation == definition.operation) {
                last.latencies.push(latency);
                continue;
            }
            let count = totals.histogram.count();
            operations.push(OperationSummary {
                operation: definition.operation.clone(),
                rate_asked_per_s: definition.target_rate_per_s,
                rate_reached_per_s: count as f64 / (duration_ns.max(1) as f64 / 1e9),
                count,
                errors: *errors,
                timeouts: *timeouts,
                unfinished: *unfinished,
                latencies: vec![latency],
            });
        }
        operations
    }
}

impl SeriesTotals {
    fn latencies(&self) -> LatencySummary {
        let misses = self.errors + self.timeouts + self.unfinished;
        let quantile = |(name, part, whole): (&'static str, u64, u64)| {
            let bounds = quantile_bounds_ns(&self.histogram, misses, (part, whole));
            QuantileSummary {
                quantile: part as f64 / whole as f64,
                name,
                lower_ns: bounds.map(|(lower_ns, _)| lower_ns),
                upper_ns: bounds.map(|(_, upper_ns)| upper_ns),
            }
        };
        let quantiles = QUANTILES.into_iter().map(quantile).collect();
        LatencySummary { clock: self.definition.clock, quantiles, max_ns: self.max_ns }
    }
}

impl Summary {
    pub fn lines(&self) -> Vec<String> {
        let outcome = match self.outcome {
            RunOutcome::Completed => "completed",
            RunOutcome::Stopped => "stopped early",
            RunOutcome::Failed => "failed",
            RunOutcome::Interrupted => "interrupted",
        };
        let mut lines = vec![format!("{}: {outcome} after {:.1} s", self.title, self.duration_ns as f64 / 1e9)];
        let is_closed_loop = self.operations.iter().all(|operation| operation.rate_asked_per_s.is_none());
        for operation in &self.operations {
            let rate_asked = match operation.rate_asked_per_s {
                Some(per_s) => format!("asked {}, ", rate(per_s)),
                None if is_closed_loop => "closed loop, ".to_owned(),
                // Parts of other operations have no rate of their own.
                None => String::new(),
            };
            let unfinished = match operation.unfinished {
                0 => String::new(),
                unfinished => format!(", {unfinished} unfinished"),
            };
            lines.push(format!(
                "  {}: {rate_asked}reached {} ({} done, {} errors, {} time-outs{unfinished})",
                operation.operation,
                rate(operation.rate_reached_per_s),
                operation.count,
                operation.errors,
                operation.timeouts,
            ));
            lines.extend(operation.latencies.iter().filter(|_| operation.count > 0).map(LatencySummary::line));
        }
        let GeneratorSummary { slices, unreliable_slices, reason } = &self.generator;
        lines.push(match (unreliable_slices, reason) {
            (0, _) if *slices == 0 => "  load generator: not assessed: run too short".to_owned(),
            (0, _) => format!("  load generator: on schedule in all {slices} slices"),
            (_, reason) => format!(
                "  load generator: unreliable in {unreliable_slices} of {slices} slices: {}",
                reason.as_deref().unwrap_or("late")
            ),
        });
        lines.extend(self.result.iter().map(|path| format!("  result file: {path}; `tailroom judge` reads it")));
        lines.extend(self.page.iter().map(|page| format!("  run: {page}")));
        lines
    }
}

impl LatencySummary {
    fn line(&self) -> String {
        let name = if self.clock == Clock::Response { "response" } else { "service" };
        let quantiles: Vec<String> = self.quantiles.iter().map(QuantileSummary::text).collect();
        let max = self.max_ns.map(|max_ns| format!("  max {}", duration(max_ns))).unwrap_or_default();
        format!("    {name:<8}  {}{max}", quantiles.join("  "))
    }
}

impl QuantileSummary {
    fn text(&self) -> String {
        match (self.lower_ns, self.upper_ns) {
            (Some(lower_ns), Some(upper_ns)) => format!("{} {}", self.name, bounds(lower_ns, upper_ns)),
            _ => format!("{} among the misses", self.name),
        }
    }
}

/// Returns a rate as text, with one decimal below 100.
pub fn rate(per_s: f64) -> String {
    if per_s < 100.0 { format!("{per_s:.1}/s") } else { format!("{per_s:.0}/s") }
}

/// Returns a size as text, such as `4 KiB`.
pub fn size(bytes: u32) -> String {
    if bytes.is_multiple_of(1024) { format!("{} KiB", bytes / 1024) } else { format!("{bytes} B") }
}

/// Returns two bounds as text, with two significant figures, rounded outward, in the unit of the upper bound.
pub fn bounds(lower_ns: u64, upper_ns: u64) -> String {
    let (unit_ns, unit) = unit_of(upper_ns);
    let (lower, upper) = (lower_ns as f64 / unit_ns, upper_ns as f64 / unit_ns);
    let (lower, upper) = (rounded(lower, f64::floor), rounded(upper, f64::ceil));
    if lower == upper { format!("{upper} {unit}") } else { format!("{lower} to {upper} {unit}") }
}

/// Returns a number with [`SIGNIFICANT_FIGURES`] as text, without trailing zeros.
fn rounded(value: f64, round: fn(f64) -> f64) -> String {
    if value <= 0.0 {
        return "0".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "an order of magnitude")]
    let digits = SIGNIFICANT_FIGURES - 1 - value.log10().floor() as i32;
    let scale = 10_f64.powi(digits);
    // A value that is whole except for floating-point error must not be rounded to the next number.
    let scaled = value * scale;
    let near = scaled.round();
    let figure = if (scaled - near).abs() < 1e-9 * scaled { near } else { round(scaled) };
    let decimals = usize::try_from(digits).unwrap_or(0);
    let text = format!("{:.decimals$}", figure / scale);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Returns a duration as text, with up to three significant figures.
pub fn duration(ns: u64) -> String {
    let (unit_ns, unit) = unit_of(ns);
    let value = ns as f64 / unit_ns;
    let digits = if value < 9.995 && value.fract() != 0.0 { 2 } else { 0 };
    format!("{value:.digits$} {unit}")
}

fn unit_of(ns: u64) -> (f64, &'static str) {
    match ns {
        1_000_000_000.. => (1e9, "s"),
        1_000_000.. => (1e6, "ms"),
        _ => (1e3, "µs"),
    }
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
