//! The search for the highest load at which an objective holds: results of probes in, the next probe or the result out.
//!
//! Pure: it measures nothing and remembers nothing, so a search that was cut off goes on from the list of its probes. The load
//! doubles until a probe fails, then the bracket is halved on the logarithm, then both of its ends are measured again, the lower
//! after a failure and the upper after a pass. Probes of one load count together as long as their shares of late operations differ
//! by no more than their scatter. Failure is not taken to be monotone: a load that changes its word by more than that is named,
//! and ends of the bracket that were measured before are measured again before anything rests on them.
//! Source: docs/load-search.md.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

mod result;

pub use result::{Change, EndedBy, SearchResult};

/// Of ends that are halved or doubled, so many significant digits remain.
const DIGITS: i32 = 4;
/// A start that fails is halved so often before the search gives up.
const MOST_HALVINGS: i32 = 20;
/// Both ends of the bracket are measured once more, so bisection leaves so many probes.
const PROBES_FOR_ENDS: usize = 2;
/// Of standard errors: shares of late operations that are nearer to each other, or to the limit, may be so by chance.
const SURE: f64 = 2.2;
/// Scatter is that of probes whose late share lies within this factor of the limit.
const NEAR: f64 = 4.0;

/// What a search may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The first load. The unit is that of the caller: operations a second, or multiples of a load.
    pub start: f64,
    /// Share of operations that may be late, such as 0.01 for p99.
    pub allowed_share: f64,
    /// No load is higher.
    pub top: f64,
    /// The upper end of the bracket may lie above the lower by this share of it.
    pub precision: f64,
    /// Probes after the first bracket.
    pub most_after_bracket: usize,
    /// The search ends with the probe that is under way at this time.
    pub most_s: f64,
}

impl Settings {
    /// Returns the usual settings from a first load on: 5 %, 8 probes after the bracket, half an hour.
    #[must_use]
    pub fn from_start(start: f64, allowed_share: f64) -> Self {
        Self { start, allowed_share, top: f64::INFINITY, precision: 0.05, most_after_bracket: 8, most_s: 1_800.0 }
    }
}

/// What a probe says of its load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Word {
    /// The objective held.
    Pass,
    /// It did not, and the load generator kept its schedule.
    Fail,
    /// It did not, and the load generator was late or busy itself: that says nothing about the server.
    Limited,
}

/// A probe that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// Its load.
    pub load: f64,
    /// What it says.
    pub word: Word,
    /// Its operations.
    pub counts: Counts,
    /// How much more its slices scatter than independent operations would: 1, or more where operations are late together.
    pub dispersion: f64,
}

/// Late operations, and all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// As long as the limit or longer, or missed.
    pub late: u64,
    /// All that were due.
    pub all: u64,
}

impl Counts {
    /// Returns the share of late operations.
    #[must_use]
    pub fn share(self) -> f64 {
        self.late as f64 / self.all.max(1) as f64
    }

    fn plus(self, other: Self) -> Self {
        Self { late: self.late + other.late, all: self.all + other.all }
    }
}

impl Probe {
    /// Returns the probe of a load from the counts of its slices.
    #[must_use]
    pub fn of_slices(load: f64, word: Word, slices: &[Counts]) -> Self {
        let counts = slices.iter().fold(Counts::default(), |sum, slice| sum.plus(*slice));
        let (share, number) = (counts.share(), slices.len() as f64);
        let square = |slice: &Counts| (slice.late as f64 - share * slice.all as f64).powi(2);
        let squares = slices.iter().map(square).sum::<f64>() * number / (number - 1.0).max(1.0);
        let independent = counts.late as f64 * (1.0 - share);
        let dispersion = if independent > 0.0 { (squares / independent).max(1.0) } else { 1.0 };
        Self { load, word, counts, dispersion }
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
    let course = Course::new(settings, probes);
    let (lower, upper) = (course.lower(), course.upper());
    let done = |ended_by| Next::Done(course.result(ended_by));
    if probes.is_empty() {
        return Next::Measure(settings.start.min(settings.top));
    }
    if elapsed_s >= settings.most_s {
        return done(EndedBy::Time);
    }
    let after_bracket = course.probes_after_bracket();
    let left = settings.most_after_bracket.saturating_sub(after_bracket);
    match (lower, upper) {
        (_, _) if left == 0 => done(EndedBy::Probes),
        (Some(lower), None) if lower >= settings.top => done(EndedBy::Top),
        (Some(lower), None) => Next::Measure(rounded(lower * 2.0).min(settings.top)),
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

/// A search so far.
struct Course<'a> {
    probes: &'a [Probe],
    /// From the lowest on.
    loads: Vec<Load>,
    /// Loads that changed their word.
    changes: Vec<(usize, Change)>,
}

/// What the probes of a load say since its last change.
struct Load {
    value: f64,
    word: Word,
    /// How many they are.
    repeats: usize,
    /// The number of the last of them.
    last: usize,
    /// In standard errors: how far their share of late operations lies below the share that may be late.
    margin: f64,
}

impl<'a> Course<'a> {
    fn new(settings: &Settings, probes: &'a [Probe]) -> Self {
        // The bits of positive numbers are in the order of the numbers.
        let mut by_load: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (number, probe) in probes.iter().enumerate() {
            by_load.entry(probe.load.to_bits()).or_default().push(number);
        }
        let scatter = Scatter::new(settings.allowed_share, probes);
        let (mut loads, mut changes) = (Vec::new(), Vec::new());
        for numbers in by_load.values() {
            let mut since = 0;
            for (place, pair) in numbers.windows(2).enumerate() {
                if let Some(change) = change_between(probes, (pair[0], pair[1]), &scatter) {
                    if change.is_beyond_scatter {
                        since = place + 1;
                    }
                    changes.push((pair[1], change));
                }
            }
            loads.push(load_of(probes, &numbers[since..], &scatter));
        }
        changes.sort_by_key(|(number, _)| *number);
        Self { probes, loads, changes }
    }

    fn lowest(&self) -> f64 {
        self.loads.first().map_or(f64::INFINITY, |load| load.value)
    }

    /// Returns the lowest load that does not hold.
    fn failed(&self) -> Option<f64> {
        self.loads.iter().find(|load| load.word == Word::Fail).map(|load| load.value)
    }

    /// Returns the highest load that holds, below every load that does not.
    fn lower(&self) -> Option<f64> {
        let failed = self.failed().unwrap_or(f64::INFINITY);
        let holds = |load: &&Load| load.word == Word::Pass && load.value < failed;
        self.loads.iter().rev().find(holds).map(|load| load.value)
    }

    /// Returns the lowest load above [`Self::lower`] that does not hold, or that the generator could not make.
    fn upper(&self) -> Option<f64> {
        let lower = self.lower().unwrap_or(0.0);
        self.loads.iter().find(|load| load.word != Word::Pass && load.value > lower).map(|load| load.value)
    }

    /// Returns the probes that were measured after a load had held and another had not.
    fn probes_after_bracket(&self) -> usize {
        let first = |holds: bool| self.probes.iter().position(|probe| (probe.word == Word::Pass) == holds);
        first(true).zip(first(false)).map_or(0, |(pass, other)| self.probes.len() - 1 - pass.max(other))
    }

    /// Returns whether a load was last measured before the server changed.
    fn is_stale(&self, load: f64) -> bool {
        let change = self.changes.iter().rev().find(|(_, change)| change.is_beyond_scatter);
        self.at(load).zip(change).is_some_and(|(load, (number, _))| load.last < *number)
    }

    /// Returns the end of the bracket that is measured next: the lower after a failure, the upper after a pass.
    fn end_to_repeat(&self, lower: f64, upper: f64) -> Option<f64> {
        let is_after_pass = self.probes.last().is_some_and(|probe| probe.word == Word::Pass);
        let ends = if is_after_pass { [upper, lower] } else { [lower, upper] };
        ends.into_iter().find(|load| !self.is_repeated(*load))
    }

    fn is_repeated(&self, load: f64) -> bool {
        self.at(load).is_some_and(|load| load.repeats > 1)
    }

    fn at(&self, load: f64) -> Option<&Load> {
        self.loads.iter().find(|at| at.value.to_bits() == load.to_bits())
    }
}

/// How much the share of late operations near the limit scatters.
struct Scatter {
    allowed_share: f64,
    /// Operations that are late together count as this many times fewer that are late by themselves.
    dispersion: f64,
}

impl Scatter {
    fn new(allowed_share: f64, probes: &[Probe]) -> Self {
        let is_near = |probe: &&Probe| (allowed_share / NEAR..allowed_share * NEAR).contains(&probe.counts.share());
        let near: Vec<f64> = probes.iter().filter(is_near).map(|probe| probe.dispersion).collect();
        let dispersion = if near.is_empty() { 1.0 } else { near.iter().sum::<f64>() / near.len() as f64 };
        Self { allowed_share, dispersion }
    }

    /// Returns how many late operations of `counts`, at the share that may be late, on a scale with a standard error of 1
    /// (Anscombe's root for counts that follow Poisson's law).
    fn root(&self, share: f64, operations: u64) -> f64 {
        2.0 * (share * operations as f64 / self.dispersion + 0.375).sqrt()
    }

    /// Returns how many standard errors fewer are late than may be; negative: more.
    fn margin(&self, counts: Counts) -> f64 {
        self.root(self.allowed_share, counts.all) - self.root(counts.share(), counts.all)
    }

    /// Returns by how many standard errors two probes of a load differ.
    fn difference(&self, first: Counts, second: Counts) -> f64 {
        let root = |counts: Counts| self.root(counts.share(), first.all.min(second.all));
        (root(first) - root(second)).abs() / std::f64::consts::SQRT_2
    }
}

/// Returns what these probes of a load say together.
fn load_of(probes: &[Probe], numbers: &[usize], scatter: &Scatter) -> Load {
    let last = numbers[numbers.len() - 1];
    let counts = numbers.iter().fold(Counts::default(), |sum, number| sum.plus(probes[*number].counts));
    let is_limited = numbers.iter().any(|number| probes[*number].word == Word::Limited);
    let word = match probes[last].word {
        word if numbers.len() == 1 => word,
        _ if counts.share() <= scatter.allowed_share => Word::Pass,
        _ if is_limited => Word::Limited,
        _ => Word::Fail,
    };
    Load { value: probes[last].load, word, repeats: numbers.len(), last, margin: scatter.margin(counts) }
}

/// Returns the change between two probes of a load; none where their words are the same.
fn change_between(probes: &[Probe], (before, after): (usize, usize), scatter: &Scatter) -> Option<Change> {
    let followed = |number: usize| number.checked_sub(1).map(|number| probes[number].word);
    let [first, second] = [&probes[before], &probes[after]];
    (first.word != second.word).then(|| Change {
        load: first.load,
        before: first.word,
        before_followed: followed(before),
        after: second.word,
        after_followed: followed(after),
        is_beyond_scatter: scatter.difference(first.counts, second.counts) >= SURE,
    })
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
