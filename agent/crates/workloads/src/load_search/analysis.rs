//! State of a search derived from its probes: loads with their results, the bracket, and changes of the server.

use std::collections::BTreeMap;

use super::probe::{Change, Counts, EndedBy, Probe, SearchResult, Verdict};

/// Number of standard errors below which shares of late operations may differ from each other or from the limit by chance.
const SIGNIFICANT_ERRORS: f64 = 2.2;
/// Scatter is estimated from probes whose share of late operations is within this factor of the allowed share.
pub(super) const NEAR_FACTOR: f64 = 4.0;

/// The state of a search.
pub(super) struct Analysis<'a> {
    probes: &'a [Probe],
    /// Measured loads in ascending order.
    loads: Vec<Load>,
    /// Changes of a load's result, each with the number of the probe that showed it.
    changes: Vec<(usize, Change)>,
}

/// Combined result of the probes of a load since its last change.
struct Load {
    value: f64,
    verdict: Verdict,
    /// Number of probes since the last change.
    repeats: usize,
    last: usize,
    /// Distance of the share of late operations below the allowed share, in standard errors.
    margin: f64,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(allowed_share: f64, probes: &'a [Probe]) -> Self {
        // The bit patterns of positive floating-point numbers have the order of the numbers.
        let mut by_load: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (number, probe) in probes.iter().enumerate() {
            by_load.entry(probe.load.to_bits()).or_default().push(number);
        }
        let scatter = Scatter::new(allowed_share, probes);
        let (mut loads, mut changes) = (Vec::new(), Vec::new());
        for numbers in by_load.values() {
            // Probes whose shares differ are not pooled, even if their results agree.
            let (mut since, mut alike_since) = (0, 0);
            for (index, pair) in numbers.windows(2).enumerate() {
                if scatter.difference(probes[pair[0]].counts, probes[pair[1]].counts) >= SIGNIFICANT_ERRORS {
                    alike_since = index + 1;
                }
                if let Some(change) = change_between(probes, (pair[0], pair[1]), &scatter) {
                    if change.is_beyond_scatter {
                        since = index + 1;
                    }
                    changes.push((pair[1], change));
                }
            }
            loads.push(load_of(probes, (&numbers[since..], &numbers[alike_since..]), &scatter));
        }
        changes.sort_by_key(|(number, _)| *number);
        Self { probes, loads, changes }
    }

    pub(super) fn lowest(&self) -> f64 {
        self.loads.first().map_or(f64::INFINITY, |load| load.value)
    }

    /// Returns the lowest load that failed.
    fn failed(&self) -> Option<f64> {
        self.loads.iter().find(|load| load.verdict == Verdict::Fail).map(|load| load.value)
    }

    /// Returns the highest load that passed, below every load that failed.
    pub(super) fn lower(&self) -> Option<f64> {
        let failed = self.failed().unwrap_or(f64::INFINITY);
        let holds = |load: &&Load| load.verdict == Verdict::Pass && load.value < failed;
        self.loads.iter().rev().find(holds).map(|load| load.value)
    }

    /// Returns the lowest load above [`Self::lower`] that failed or that the generator could not produce.
    pub(super) fn upper(&self) -> Option<f64> {
        let lower = self.lower().unwrap_or(0.0);
        self.loads.iter().find(|load| load.verdict != Verdict::Pass && load.value > lower).map(|load| load.value)
    }

    /// Returns whether both bounds of a bracket are known.
    fn has_bracket(&self) -> bool {
        self.lower().is_some() && self.upper().is_some()
    }

    /// Returns whether a load was last measured before the server changed.
    pub(super) fn is_stale(&self, load: f64) -> bool {
        let change = self.changes.iter().rev().find(|(_, change)| change.is_beyond_scatter);
        self.at(load).zip(change).is_some_and(|(load, (number, _))| load.last < *number)
    }

    /// Returns the bound of the bracket to measure again, if any: the lower first after a failure, the upper after a pass.
    pub(super) fn end_to_repeat(&self, lower: f64, upper: f64) -> Option<f64> {
        let is_after_pass = self.probes.last().is_some_and(|probe| probe.verdict == Verdict::Pass);
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

/// Scatter of the share of late operations near the limit.
struct Scatter {
    allowed_share: f64,
    /// Ratio of the variance of the number of late operations to that of independent operations.
    dispersion: f64,
}

impl Scatter {
    fn new(allowed_share: f64, probes: &[Probe]) -> Self {
        let is_near =
            |probe: &&Probe| (allowed_share / NEAR_FACTOR..allowed_share * NEAR_FACTOR).contains(&probe.counts.share());
        let near: Vec<f64> = probes.iter().filter(is_near).map(|probe| probe.dispersion).collect();
        let dispersion = if near.is_empty() { 1.0 } else { near.iter().sum::<f64>() / near.len() as f64 };
        Self { allowed_share, dispersion }
    }

    /// Returns the number of late operations for a `share` of `operations`, transformed to a standard error of 1 (Anscombe's square
    /// root for Poisson counts).
    fn root(&self, share: f64, operations: u64) -> f64 {
        2.0 * (share * operations as f64 / self.dispersion + 0.375).sqrt()
    }

    /// Returns by how many standard errors fewer operations are late than allowed; negative if more are late.
    fn margin(&self, counts: Counts) -> f64 {
        self.root(self.allowed_share, counts.all) - self.root(counts.share(), counts.all)
    }

    /// Returns by how many standard errors two probes of a load differ.
    fn difference(&self, first: Counts, second: Counts) -> f64 {
        let root = |counts: Counts| self.root(counts.share(), first.all.min(second.all));
        (root(first) - root(second)).abs() / std::f64::consts::SQRT_2
    }
}

/// Returns the number of probes since the current bracket was found.
pub(super) fn probes_after_bracket(allowed_share: f64, probes: &[Probe]) -> usize {
    let has_bracket = |count: &usize| Analysis::new(allowed_share, &probes[..*count]).has_bracket();
    (1..=probes.len()).rev().take_while(has_bracket).count().saturating_sub(1)
}

/// Returns the state of a load from its probes since the last change, pooling those with similar shares.
fn load_of(probes: &[Probe], (numbers, alike): (&[usize], &[usize]), scatter: &Scatter) -> Load {
    let last = numbers[numbers.len() - 1];
    let counts = alike.iter().fold(Counts::default(), |sum, number| sum.plus(probes[*number].counts));
    let is_limited = alike.iter().any(|number| probes[*number].verdict == Verdict::Limited);
    let verdict = match probes[last].verdict {
        verdict if alike.len() == 1 => verdict,
        _ if counts.share() <= scatter.allowed_share => Verdict::Pass,
        _ if is_limited => Verdict::Limited,
        _ => Verdict::Fail,
    };
    Load { value: probes[last].load, verdict, repeats: numbers.len(), last, margin: scatter.margin(counts) }
}

/// Returns the change between two probes of a load, or `None` if their results are the same.
fn change_between(probes: &[Probe], (before, after): (usize, usize), scatter: &Scatter) -> Option<Change> {
    let followed = |number: usize| number.checked_sub(1).map(|number| probes[number].verdict);
    let [first, second] = [&probes[before], &probes[after]];
    (first.verdict != second.verdict).then(|| Change {
        load: first.load,
        before: first.verdict,
        before_followed: followed(before),
        after: second.verdict,
        after_followed: followed(after),
        is_beyond_scatter: scatter.difference(first.counts, second.counts) >= SIGNIFICANT_ERRORS,
    })
}

impl Analysis<'_> {
    pub(super) fn result(&self, ended_by: EndedBy) -> SearchResult {
        let (passed, upper) = (self.lower(), self.upper());
        let limited = upper.filter(|load| self.at(*load).is_some_and(|load| load.verdict == Verdict::Limited));
        let failed = upper.filter(|_| limited.is_none());
        let is_significant = |load: &Load, verdict| {
            load.verdict == verdict && load.margin.abs() >= SIGNIFICANT_ERRORS && !self.is_stale(load.value)
        };
        let surely_passed = passed.and_then(|passed| {
            let matches = |load: &&Load| load.value <= passed && is_significant(load, Verdict::Pass);
            self.loads.iter().rev().find(matches).map(|load| load.value)
        });
        let surely_failed = failed.and_then(|failed| {
            let matches = |load: &&Load| load.value >= failed && is_significant(load, Verdict::Fail);
            self.loads.iter().find(matches).map(|load| load.value)
        });
        let is_above = |load: &&Load| load.verdict == Verdict::Pass && failed.is_some_and(|failed| load.value > failed);
        SearchResult {
            passed,
            failed,
            limited,
            surely_passed,
            surely_failed,
            ended_by,
            is_repeated: [passed, upper].into_iter().all(|load| load.is_some_and(|load| self.is_repeated(load))),
            changes: self.changes.iter().map(|(_, change)| change.clone()).collect(),
            passes_above_failure: self.loads.iter().filter(is_above).map(|load| load.value).collect(),
        }
    }
}
