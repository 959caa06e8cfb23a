//! A latency objective in one line, and its evaluation on a run with the arithmetic of the backend's judge.

use measure::BUSY_RATIO;
use measure::histogram::LatencyHistogram;
use measure::series::{Interval, SeriesDefinition, SeriesKind};
use serde::{Deserialize, Serialize};
use workloads::load_search::{Counts, Verdict, fails_for_certain};

const EXAMPLES: &str = "write it as p99 get < 10ms, 99.9% read < 1ms or p99.9 < 5ms";
/// Divisor of the limit that gives the tolerated lateness of the load generator.
const LATENESS_DIVISOR: u64 = 10;
/// Fewest operations for a PASS, as in the backend's judge.
pub const FEWEST_OPERATIONS: u64 = 100;
const MOST_DECIMALS: usize = 13;

/// A latency objective: a share of the operations of one kind must take less than a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Objective {
    /// The objective as it was typed.
    pub text: String,
    /// Name of the operation; `None` for the only kind of operation in the run.
    pub operation: Option<String>,
    /// The share as a fraction of a whole, such as 99 of 100.
    pub quantile: (u64, u64),
    /// Operations must take less than this, in nanoseconds.
    pub limit_ns: u64,
}

impl Objective {
    /// Parses an objective by the same rules as the backend (`domain/verdicts/objective_text.py`).
    pub fn parse(text: &str) -> Result<Self, String> {
        let refused = |what: &str| format!("the objective “{text}” needs {what}: {EXAMPLES}");
        let (left, right) = text.split_once(['<', '≤']).ok_or_else(|| refused("< and a time"))?;
        let is_at_most = text.contains('≤') || right.starts_with('=');
        let mut words = left.split_whitespace();
        let mut share = words.next().unwrap_or_default();
        if share.eq_ignore_ascii_case("p") {
            share = words.next().unwrap_or_default();
        }
        let number = share.trim_start_matches(['p', 'P']).trim_end_matches('%');
        let quantile = share_of(number).filter(|(part, whole)| (1..*whole).contains(part));
        let quantile = quantile.ok_or_else(|| refused("a share between 0 and 100, such as p99 or 99.9%,"))?;
        let mut words: Vec<&str> = words.collect();
        if words.first().is_some_and(|word| word.eq_ignore_ascii_case("of")) {
            words.remove(0);
        }
        let time_ns = time_ns(right.trim_start_matches('=')).filter(|time_ns| *time_ns > 0);
        let time_ns = time_ns.ok_or_else(|| refused("a time with its unit, such as 10ms or 250us,"))?;
        Ok(Self {
            text: text.trim().to_owned(),
            operation: (!words.is_empty()).then(|| words.join(" ")),
            quantile,
            limit_ns: if is_at_most { time_ns + 1 } else { time_ns },
        })
    }

    /// Returns the share of operations that may take the limit or longer.
    pub fn allowed_share(&self) -> f64 {
        let (part, whole) = self.quantile;
        (whole - part) as f64 / whole as f64
    }

    pub fn verdict(&self, slices: &[SliceCounts]) -> Verdict {
        let (part, whole) = self.quantile;
        let sum = |of: fn(&SliceCounts) -> u64| slices.iter().map(of).sum::<u64>();
        let all = sum(|slice| slice.all);
        let keeps = |late: u64| u128::from(late) * u128::from(whole) <= u128::from(whole - part) * u128::from(all);
        // A late load generator only makes latencies longer: it cannot prove a FAIL, but does not affect a PASS.
        match (keeps(sum(|slice| slice.late)), keeps(sum(SliceCounts::late_at_best))) {
            (true, _) => Verdict::Pass,
            (false, true) => Verdict::Limited,
            (false, false) => Verdict::Fail,
        }
    }
}

/// Returns a percentage as an exact fraction.
fn share_of(number: &str) -> Option<(u64, u64)> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if decimals.len() > MOST_DECIMALS || whole.is_empty() || number.ends_with('.') {
        return None;
    }
    let part = format!("{whole}{decimals}");
    let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = part.parse().ok().filter(|_| is_number)?;
    Some((parts, 100 * 10_u64.pow(u32::try_from(decimals.len()).ok()?)))
}

fn time_ns(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit_start = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at(unit_start);
    let unit_ns = match unit.trim() {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let time_ns = number.parse::<f64>().ok()? * unit_ns;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below an hour, and not negative")]
    (time_ns < 3.6e12).then_some(time_ns.round() as u64)
}

/// Returns the lateness that a question about `limit_ns` tolerates, in nanoseconds: a tenth of it, rounded down to 1, 2 or 5
/// times a power of ten, as in the backend's judge.
fn late_limit_ns(limit_ns: u64) -> u64 {
    let tenth_ns = (limit_ns / LATENESS_DIVISOR).max(1);
    let decade_ns = 10_u64.pow(tenth_ns.ilog10());
    [5, 2, 1].into_iter().map(|step| step * decade_ns).find(|step_ns| *step_ns <= tenth_ns).unwrap_or(1)
}

/// Counts of one slice, on one agent or summed over several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceCounts {
    /// Operations at or above the limit, including misses.
    pub late: u64,
    /// All operations that were due.
    pub all: u64,
    /// Operations that failed or timed out; the load generator cannot be the cause of these.
    pub failed: u64,
    /// Whether the load generator was late or busy in the slice.
    pub is_unreliable: bool,
}

impl SliceCounts {
    /// Returns the late operations if those of an unreliable slice count as fast.
    fn late_at_best(&self) -> u64 {
        if self.is_unreliable { self.failed } else { self.late }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ObjectiveAnswer {
    pub verdict: Verdict,
    /// Bounds of the quantile in nanoseconds; `None` if it lies among operations that missed.
    pub bounds_ns: Option<(u64, u64)>,
    pub slices: Vec<SliceCounts>,
}

impl ObjectiveAnswer {
    /// Returns how many operations were measured, including misses.
    pub fn measured(&self) -> u64 {
        self.slices.iter().map(|slice| slice.all).sum()
    }

    pub fn counts(&self) -> Vec<Counts> {
        self.slices.iter().map(|slice| Counts { late: slice.late, all: slice.all }).collect()
    }

    pub fn unreliable_slices(&self) -> usize {
        self.slices.iter().filter(|slice| slice.is_unreliable).count()
    }

    /// Returns whether the verdict is a PASS on too few operations.
    pub fn has_too_few(&self) -> bool {
        self.verdict == Verdict::Pass && self.measured() < FEWEST_OPERATIONS
    }
}

/// Totals of a run for an objective, from exact counts at the limit by slice, as in the backend's judge
/// (`domain/verdicts/judge_budget.py`).
#[derive(Debug)]
pub struct ObjectiveTotals {
    objective: Objective,
    /// Number of the histogram series of the operation. Its clock is the first defined, response time if there is a schedule.
    series_no: u16,
    /// Operations a second that the schedule intends.
    target_rate_per_s: Option<f64>,
    /// Index of the limit among the exact counts of an interval.
    pin: usize,
    histogram: LatencyHistogram,
    misses: u64,
    slices: Vec<SliceCounts>,
}

impl ObjectiveTotals {
    /// Returns empty totals; `None` if no series counts the operation exactly at the limit.
    pub fn new(objective: &Objective, series: &[SeriesDefinition]) -> Option<Self> {
        let is_asked = |series: &&SeriesDefinition| {
            series.kind == SeriesKind::Histogram
                && objective.operation.as_ref().is_none_or(|operation| *operation == series.operation)
        };
        let series = series.iter().find(is_asked)?;
        Some(Self {
            objective: objective.clone(),
            series_no: series.series_no,
            target_rate_per_s: series.target_rate_per_s,
            pin: series.pin_thresholds_ns.iter().position(|limit_ns| *limit_ns == objective.limit_ns)?,
            histogram: LatencyHistogram::new(),
            misses: 0,
            slices: Vec::new(),
        })
    }

    pub fn add(&mut self, interval: &Interval) {
        if interval.series_no != self.series_no {
            return;
        }
        add_histogram(&mut self.histogram, interval);
        let misses = interval.errors + interval.timeouts + interval.unfinished;
        let late = interval.pins.get(self.pin).copied().unwrap_or(0) + misses;
        let is_late = interval.lateness_p99_ns.is_some_and(|late_ns| late_ns > late_limit_ns(self.objective.limit_ns));
        let busy_ratio = |busy_ns: u64| busy_ns as f64 / interval.duration_ns.max(1) as f64;
        let is_unreliable = is_late || interval.busy_ns.is_some_and(|busy_ns| busy_ratio(busy_ns) > BUSY_RATIO);
        self.misses += misses;
        let failed = interval.errors + interval.timeouts;
        self.slices.push(SliceCounts { late, all: interval.count + misses, failed, is_unreliable });
    }

    /// Returns whether a run of this length fails whatever the rest of it shows, and not because of the load generator.
    pub fn fails_for_certain(&self, planned_duration_ns: u64) -> bool {
        self.target_rate_per_s.is_some_and(|per_s| {
            let planned_operations = per_s * planned_duration_ns as f64 / 1e9;
            let late_at_best = self.slices.iter().map(SliceCounts::late_at_best).sum();
            fails_for_certain(self.objective.allowed_share(), late_at_best, planned_operations, self.slices.len())
        })
    }

    /// Returns the answer; `None` if nothing was measured.
    pub fn answer(&self) -> Option<ObjectiveAnswer> {
        self.slices.iter().any(|slice| slice.all > 0).then(|| ObjectiveAnswer {
            verdict: self.objective.verdict(&self.slices),
            bounds_ns: quantile_bounds_ns(&self.histogram, self.misses, self.objective.quantile),
            slices: self.slices.clone(),
        })
    }
}

/// Returns the bounds of a quantile in nanoseconds, among the latencies and `misses` operations that count as longer than any
/// latency. The quantile is `part / whole`. Returns `None` if it lies among the misses.
pub fn quantile_bounds_ns(histogram: &LatencyHistogram, misses: u64, (part, whole): (u64, u64)) -> Option<(u64, u64)> {
    let all = u128::from(histogram.count() + misses);
    let rank = (all * u128::from(part)).div_ceil(u128::from(whole)).max(1);
    u64::try_from(rank).ok().and_then(|rank| histogram.bounds_at_rank_ns(rank))
}

pub fn add_histogram(histogram: &mut LatencyHistogram, interval: &Interval) {
    if let Some(bytes) = &interval.histogram
        && let Err(error) = histogram.add_encoded(bytes)
    {
        unreachable!("an interval of this process holds {error}");
    }
}

#[cfg(test)]
#[path = "objective_tests.rs"]
mod tests;
