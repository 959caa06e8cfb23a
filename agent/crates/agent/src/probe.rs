//! One probe of a search for the highest load: how it is measured, stored and printed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::messages::{Finish, RunId, RunOutcome, SearchEnd};
use workloads::load_search::{EndedBy, Next, Probe, SearchResult, Settings, next};

use crate::objective::{Objective, ObjectiveAnswer, SliceCounts};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredProbe {
    #[serde(flatten)]
    pub probe: Probe,
    pub run_id: RunId,
    /// Bounds of the quantile in nanoseconds; `None` if it lies among operations that missed.
    pub lower_ns: Option<u64>,
    pub upper_ns: Option<u64>,
    /// Slices in which the load generator was late or busy.
    pub unreliable_slices: usize,
    pub slices: usize,
}

/// A probe that agents measured before their campaign was interrupted, as stored by the backend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedProbe {
    /// Load of all agents together, in operations a second.
    pub load_per_s: f64,
    pub slices: Vec<SliceCounts>,
}

impl MeasuredProbe {
    pub fn new(load_per_s: f64, run_id: RunId, answer: &ObjectiveAnswer) -> Self {
        Self {
            probe: Probe::of_slices(load_per_s, answer.verdict, &answer.counts()),
            run_id,
            lower_ns: answer.bounds_ns.map(|(lower_ns, _)| lower_ns),
            upper_ns: answer.bounds_ns.map(|(_, upper_ns)| upper_ns),
            unreliable_slices: answer.unreliable_slices(),
            slices: answer.slices.len(),
        }
    }
}

impl RecordedProbe {
    /// Returns the probe in the form of an agent's own measurement; bounds and run ids stay with the backend.
    pub fn measured(self, objective: &Objective) -> MeasuredProbe {
        let verdict = objective.verdict(&self.slices);
        let answer = ObjectiveAnswer { verdict, bounds_ns: None, slices: self.slices };
        MeasuredProbe::new(self.load_per_s, RunId::default(), &answer)
    }
}

/// The search and step of a run that is a probe.
#[derive(Clone, Copy)]
pub struct ProbeRun<'a> {
    pub objective: &'a Objective,
    pub search_id: RunId,
    /// Number of the probe, from 1.
    pub step: usize,
    pub load_per_s: f64,
    /// Length of a slice, in seconds.
    pub ticks_per_histogram: u64,
    pub run_id: RunId,
    pub settings: &'a Settings,
    pub before: &'a [Probe],
    /// Time measured before this probe, in seconds.
    pub elapsed_s: f64,
    /// Whether other agents of a campaign measure parts of the same probe; the counts of this agent then decide nothing.
    pub is_part: bool,
}

impl ProbeRun<'_> {
    /// Returns why the search ends with this probe; `None` if another probe follows.
    pub fn search_end(&self, finish: &Finish, answer: Option<&ObjectiveAnswer>) -> Option<SearchEnd> {
        if self.is_part {
            return None;
        }
        match finish.outcome {
            RunOutcome::Completed => {}
            RunOutcome::Stopped => return Some(SearchEnd::Stopped),
            RunOutcome::Failed | RunOutcome::Interrupted => return Some(SearchEnd::Failed),
        }
        let Some(answer) = answer.filter(|answer| !answer.has_too_few()) else { return Some(SearchEnd::Failed) };
        let mut probes = self.before.to_vec();
        probes.push(Probe::of_slices(self.load_per_s, answer.verdict, &answer.counts()));
        match next(self.settings, &probes, self.elapsed_after_s(finish)) {
            Next::Measure(_) => None,
            Next::Done(result) => Some(end_of(&result)),
        }
    }

    /// Returns the time measured including this probe, in seconds.
    pub fn elapsed_after_s(&self, finish: &Finish) -> f64 {
        self.elapsed_s + finish.duration_ns as f64 / 1e9
    }

    /// Returns the fields about the search for the plan of this probe.
    pub fn disclosed(&self) -> Value {
        json!({
            "id": self.search_id.to_string(), "step": self.step, "kind": "probe",
            "load_per_s": self.load_per_s, "objective": self.objective.text,
        })
    }
}

/// Returns why a search ended, in the terms of the wire contract.
pub fn end_of(result: &SearchResult) -> SearchEnd {
    match result.ended_by {
        EndedBy::Precision | EndedBy::NoPass if result.limited.is_some() => SearchEnd::Generator,
        EndedBy::Precision => SearchEnd::Precision,
        EndedBy::Probes => SearchEnd::Probes,
        EndedBy::Time => SearchEnd::Time,
        EndedBy::Top => SearchEnd::Top,
        EndedBy::NoPass => SearchEnd::NoPass,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use workloads::load_search::Verdict;

    use super::*;

    fn answer(verdict: Verdict, all: u64) -> ObjectiveAnswer {
        let late = if verdict == Verdict::Pass { 0 } else { all };
        ObjectiveAnswer {
            verdict,
            bounds_ns: None,
            slices: vec![SliceCounts { late, all, ..SliceCounts::default() }; 10],
        }
    }

    fn finish(outcome: RunOutcome) -> Finish {
        Finish {
            outcome,
            reason: None,
            duration_ns: 1,
            last_seq: BTreeMap::new(),
            drive_counters: None,
            search_ended: None,
        }
    }

    /// Returns the end of a search after probes of these loads, the last of which is the current one.
    fn end(words: &[(f64, Verdict)], settings: &Settings, elapsed_s: f64, outcome: RunOutcome) -> Option<SearchEnd> {
        let ((load_per_s, verdict), before) = words.split_last().expect("a probe");
        let probe_of =
            |(load, verdict): &(f64, Verdict)| Probe::of_slices(*load, *verdict, &answer(*verdict, 1_000).counts());
        let before: Vec<Probe> = before.iter().map(probe_of).collect();
        let objective = Objective::parse("p99 get < 5ms").expect("read");
        let probe = ProbeRun {
            objective: &objective,
            search_id: RunId::new(),
            step: words.len(),
            load_per_s: *load_per_s,
            ticks_per_histogram: 1,
            run_id: RunId::new(),
            settings,
            before: &before,
            elapsed_s,
            is_part: false,
        };
        probe.search_end(&finish(outcome), Some(&answer(*verdict, 1_000)))
    }

    #[test]
    fn the_last_probe_says_why_the_search_has_ended() {
        use RunOutcome::{Completed, Failed, Stopped};
        use Verdict::{Fail, Limited, Pass};
        let usual = Settings::from_start(1_000.0, 0.01);
        let narrow = [(1_000.0, Pass), (1_040.0, Fail), (1_000.0, Pass), (1_040.0, Fail)];
        assert_eq!(end(&narrow, &usual, 1.0, Completed), Some(SearchEnd::Precision));
        assert_eq!(end(&narrow[..2], &usual, 1.0, Completed), None);
        assert_eq!(end(&narrow[..2], &usual, 1.0, Stopped), Some(SearchEnd::Stopped));
        assert_eq!(end(&narrow[..2], &usual, 1.0, Failed), Some(SearchEnd::Failed));
        assert_eq!(end(&narrow[..2], &usual, 1_800.0, Completed), Some(SearchEnd::Time));
        assert_eq!(end(&narrow[..2], &usual, 1_799.0, Completed), None, "it ends with its own nanosecond");
        let limited = [(1_000.0, Pass), (1_040.0, Limited), (1_000.0, Pass), (1_040.0, Limited)];
        assert_eq!(end(&limited, &usual, 1.0, Completed), Some(SearchEnd::Generator));
        let few = Settings { most_after_bracket: 1, ..usual.clone() };
        assert_eq!(
            end(&[(1_000.0, Pass), (2_000.0, Fail), (1_414.0, Pass)], &few, 1.0, Completed),
            Some(SearchEnd::Probes)
        );
        let capped = Settings { top: Some(2_000.0), ..usual.clone() };
        assert_eq!(end(&[(1_000.0, Pass), (2_000.0, Pass)], &capped, 1.0, Completed), Some(SearchEnd::Top));
        assert_eq!(end(&[(0.0001, Fail)], &usual, 1.0, Completed), Some(SearchEnd::NoPass));
    }
}
