//! The search for the highest load at which an objective holds: computes the next probe or the result from the probes so far.
//!
//! Pure: it neither measures nor stores anything, so an interrupted search is resumed from the list of its probes. The load doubles
//! until a probe fails. The bracket is then bisected on a logarithmic scale, and finally both of its bounds are measured again,
//! first the lower bound after a failure or the upper bound after a pass. Probes of the same load are pooled as long as their
//! shares of late operations differ by no more than their scatter. Failure is not assumed to be monotone: a load whose result
//! changes by more than its scatter is reported, and bounds of the bracket that were measured before the change are measured again.
//! Source: docs/load-search.md.

use serde::{Deserialize, Serialize};

mod analysis;
mod probe;

use analysis::{Analysis, NEAR_FACTOR, probes_after_bracket};
pub use probe::{Change, Counts, EndedBy, Probe, SearchResult, Verdict};

/// Number of significant digits of loads that are doubled or halved.
const DIGITS: i32 = 4;
/// Number of times that a failing first load is halved before the search gives up.
const MOST_HALVINGS: i32 = 20;
/// Number of probes that bisection leaves, to measure both bounds of the bracket once more.
const PROBES_FOR_ENDS: usize = 2;
/// Loads of a ladder are rounded to multiples of one over this, so that they do not drift.
const PARTS_OF_A_STEP: f64 = 1e6;
/// Smallest number of slices before a probe can end early; fewer show too little of how late operations cluster.
const FEWEST_SLICES: usize = 2;
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// First load, in the caller's unit: operations per second, or multiples of a load.
    pub start: f64,
    /// Allowed share of late operations, such as 0.01 for p99.
    pub allowed_share: f64,
    /// Largest load; `None` for no limit.
    pub top: Option<f64>,
    pub rise: Rise,
    /// Relative width of the bracket at which the search ends.
    pub precision: f64,
    /// Largest number of probes after the bracket was found.
    pub most_after_bracket: usize,
    /// Time after which no further probe begins, in seconds.
    pub most_s: f64,
}

impl Settings {
    /// Returns the default settings for a first load: a precision of 5 %, 8 probes after the bracket, half an hour.
    pub fn from_start(start: f64, allowed_share: f64) -> Self {
        let rise = Rise::Doubling;
        Self { start, allowed_share, top: None, rise, precision: 0.05, most_after_bracket: 8, most_s: 1_800.0 }
    }

    /// Returns the settings of a ladder with equal steps, which ends at the first load that fails.
    pub fn ladder(start: f64, step: f64, top: f64) -> Self {
        let endless = Self { most_s: f64::INFINITY, ..Self::from_start(start, 0.0) };
        Self { top: Some(top), rise: Rise::Steps(step), ..endless }
    }
}

/// How the load rises until a load fails.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rise {
    /// The load doubles, and the bracket is bisected afterwards.
    Doubling,
    /// The load rises by this step; the bracket is one step wide.
    Steps(f64),
}

impl Rise {
    fn above(self, load: f64) -> f64 {
        match self {
            Self::Doubling => rounded(load * 2.0),
            Self::Steps(step) => ((load + step.max(1.0 / PARTS_OF_A_STEP)) * PARTS_OF_A_STEP).round() / PARTS_OF_A_STEP,
        }
    }
}

/// Next action of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    Measure(f64),
    Done(SearchResult),
}

/// Returns the next action after `probes`, in the order in which they were measured, and `elapsed_s` seconds.
pub fn next(settings: &Settings, probes: &[Probe], elapsed_s: f64) -> Next {
    let analysis = Analysis::new(settings.allowed_share, probes);
    let (lower, upper) = (analysis.lower(), analysis.upper());
    let top = settings.top.unwrap_or(f64::INFINITY);
    let done = |ended_by| Next::Done(analysis.result(ended_by));
    if probes.is_empty() {
        return Next::Measure(settings.start.min(top));
    }
    if elapsed_s >= settings.most_s {
        return done(EndedBy::Time);
    }
    let after_bracket = probes_after_bracket(settings.allowed_share, probes);
    let left = settings.most_after_bracket.saturating_sub(after_bracket);
    match (lower, upper) {
        (_, _) if left == 0 => done(EndedBy::Probes),
        (Some(lower), None) if lower >= top => done(EndedBy::Top),
        (Some(lower), None) => Next::Measure(settings.rise.above(lower).min(top)),
        (Some(_), Some(_)) if settings.rise != Rise::Doubling => done(EndedBy::Precision),
        (None, Some(_)) if settings.rise != Rise::Doubling => done(EndedBy::NoPass),
        (None, Some(_)) if analysis.lowest() <= settings.start * 0.5_f64.powi(MOST_HALVINGS) => done(EndedBy::NoPass),
        (None, _) => Next::Measure(rounded(analysis.lowest() / 2.0)),
        (Some(lower), Some(upper)) => {
            // A bound measured before the last change no longer describes the server.
            if let Some(stale) = [lower, upper].into_iter().find(|load| analysis.is_stale(*load)) {
                return Next::Measure(stale);
            }
            let middle = rounded((lower * upper).sqrt());
            let is_wide = upper > lower * (1.0 + settings.precision) && lower < middle && middle < upper;
            if is_wide && left > PROBES_FOR_ENDS {
                return Next::Measure(middle);
            }
            match analysis.end_to_repeat(lower, upper) {
                Some(load) => Next::Measure(load),
                None => done(if is_wide { EndedBy::Probes } else { EndedBy::Precision }),
            }
        }
    }
}

/// Returns whether a running probe is certain to fail: more than four times as many operations are late already as are allowed
/// over the whole probe. A pass is only certain with the last operations, so a passing probe never ends early.
pub fn fails_for_certain(allowed_share: f64, late: u64, planned_operations: f64, slices: usize) -> bool {
    slices >= FEWEST_SLICES && late as f64 > NEAR_FACTOR * allowed_share * planned_operations
}

/// Returns the load rounded to four significant digits, which suit display and resolve steps of 5 %.
fn rounded(load: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "an order of magnitude")]
    let scale = 10_f64.powi(DIGITS - 1 - load.log10().floor().max(-300.0) as i32);
    let rounded = (load * scale).round() / scale;
    if rounded.is_finite() { rounded } else { load }
}

#[cfg(test)]
#[path = "load_search/tests.rs"]
mod tests;
