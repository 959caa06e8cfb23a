//! The search for the highest load at which an objective holds: results of probes in, the next probe or the result out.
//!
//! Pure: it neither measures nor stores anything, so an interrupted search is resumed from the list of its probes. The load
//! doubles until a probe fails, then the bracket is halved on the logarithm, then both of its ends are measured again, the lower
//! after a failure and the upper after a pass. Probes of one load count together as long as their shares of late operations differ
//! by no more than their scatter. Failure is not taken to be monotone: a load that changes its word by more than that is named,
//! and ends of the bracket that were measured before are measured again before anything rests on them.
//! Source: docs/load-search.md.

use serde::{Deserialize, Serialize};

mod course;
mod probe;
mod result;

use course::{Course, NEAR, probes_after_bracket};
pub use probe::{Counts, Probe, Word};
pub use result::{Change, EndedBy, SearchResult};

/// Of ends that are halved or doubled, so many significant digits remain.
const DIGITS: i32 = 4;
/// A start that fails is halved so often before the search gives up.
const MOST_HALVINGS: i32 = 20;
/// Both ends of the bracket are measured once more, so bisection leaves so many probes.
const PROBES_FOR_ENDS: usize = 2;
/// Steps of a load end at whole millionths, so that they do not drift.
const PARTS_OF_A_STEP: f64 = 1e6;
/// A probe ends early after so many slices at least: fewer say too little of how late operations come together.
const FEWEST_SLICES: usize = 2;
/// What a search may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The first load. The unit is that of the caller: operations a second, or multiples of a load.
    pub start: f64,
    /// Share of operations that may be late, such as 0.01 for p99.
    pub allowed_share: f64,
    /// No load is higher; none: whatever the server takes.
    pub top: Option<f64>,
    /// How the load rises.
    pub rise: Rise,
    /// The upper end of the bracket may lie above the lower by this share of it.
    pub precision: f64,
    /// Probes after a load has held and another has not.
    pub most_after_bracket: usize,
    /// The search ends with the probe that is under way at this time.
    pub most_s: f64,
}

impl Settings {
    /// Returns the usual settings from a first load on: 5 %, 8 probes after the bracket, half an hour.
    #[must_use]
    pub fn from_start(start: f64, allowed_share: f64) -> Self {
        let rise = Rise::Doubling;
        Self { start, allowed_share, top: None, rise, precision: 0.05, most_after_bracket: 8, most_s: 1_800.0 }
    }

    /// Returns the settings of a ladder with equal steps, which ends at the first load that does not hold.
    #[must_use]
    pub fn ladder(start: f64, step: f64, top: f64) -> Self {
        let endless = Self { most_s: f64::INFINITY, ..Self::from_start(start, 0.0) };
        Self { top: Some(top), rise: Rise::Steps(step), ..endless }
    }
}

/// How the load rises until a load does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rise {
    /// It doubles, and the bracket is halved afterwards.
    Doubling,
    /// By so much each time; the bracket is one step wide.
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

/// What to do now.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Measure this load.
    Measure(f64),
    /// Nothing more.
    Done(SearchResult),
}

/// Returns what follows on these probes, in the order in which they were measured, after so many seconds.
#[must_use]
pub fn next(settings: &Settings, probes: &[Probe], elapsed_s: f64) -> Next {
    let course = Course::new(settings.allowed_share, probes);
    let (lower, upper) = (course.lower(), course.upper());
    let top = settings.top.unwrap_or(f64::INFINITY);
    let done = |ended_by| Next::Done(course.result(ended_by));
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
        (None, Some(_)) if course.lowest() <= settings.start * 0.5_f64.powi(MOST_HALVINGS) => done(EndedBy::NoPass),
        (None, _) => Next::Measure(rounded(course.lowest() / 2.0)),
        (Some(lower), Some(upper)) => {
            // An end from before the last change says what the server was then.
            if let Some(stale) = [lower, upper].into_iter().find(|load| course.is_stale(*load)) {
                return Next::Measure(stale);
            }
            let middle = rounded((lower * upper).sqrt());
            let is_wide = upper > lower * (1.0 + settings.precision) && lower < middle && middle < upper;
            if is_wide && left > PROBES_FOR_ENDS {
                return Next::Measure(middle);
            }
            match course.end_to_repeat(lower, upper) {
                Some(load) => Next::Measure(load),
                None => done(if is_wide { EndedBy::Probes } else { EndedBy::Precision }),
            }
        }
    }
}

/// Returns whether a probe fails whatever its rest brings: more operations are late already than may be of all that it is to
/// issue. A pass is certain with its last operations only, so it never ends early.
#[must_use]
pub fn fails_for_certain(allowed_share: f64, late: u64, planned_operations: f64, slices: usize) -> bool {
    slices >= FEWEST_SLICES && late as f64 > NEAR * allowed_share * planned_operations
}

/// Returns a load with four significant digits, which is what a person reads and a step of 5 % needs.
fn rounded(load: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "an order of magnitude")]
    let scale = 10_f64.powi(DIGITS - 1 - load.log10().floor().max(-300.0) as i32);
    let rounded = (load * scale).round() / scale;
    if rounded.is_finite() { rounded } else { load }
}

#[cfg(test)]
#[path = "load_search/tests.rs"]
mod tests;
