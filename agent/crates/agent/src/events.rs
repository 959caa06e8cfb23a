//! The events that `--json` prints, one a line: for programs, and for `serve`, which follows its job by them.

use measure::series::{Progress, Slice};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::messages::{RunId, RunOutcome, SearchEnd};
use workloads::load_search::SearchResult;

use crate::objective::SliceCounts;
use crate::probe::MeasuredProbe;
use crate::summary::Summary;

/// One line of `--json`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A step of preparation that takes long.
    Preparing { run_id: RunId, text: String },
    /// Offset 0 is chosen.
    Started { run_id: RunId },
    /// One second of one operation.
    Progress {
        #[serde(flatten)]
        progress: Progress,
        unsent: u64,
        temperature_c: Option<f64>,
    },
    /// A slice in which the load generator itself was late or busy.
    DoubtfulSlice(Slice),
    /// Live ticks are left out from now on.
    SpoolNearlyFull,
    /// The connection to the backend changed: it is `up`, `away`, or `held` if the backend answers but refuses this run.
    Backend { state: &'static str, reason: Option<String>, unsent: u64 },
    /// The backend refused a batch for good.
    SetAside { intervals: usize, reason: String },
    /// Rates and latencies of a run.
    Summary(Summary),
    /// The run has ended.
    Finished { outcome: RunOutcome, reason: Option<String>, delivered: bool },
    /// One step of a load ladder has ended.
    Rung { step: u32, kind: &'static str, load: f64, kept_limits: bool, doubtful: bool },
    /// A load ladder has ended.
    Ladder { id: RunId, kept_load: Option<f64>, broken_load: Option<f64> },
    /// One probe of a search for the highest load has ended.
    Probe(MeasuredProbe),
    /// A search for the highest load has ended.
    Search {
        id: RunId,
        #[serde(flatten)]
        result: SearchResult,
    },
    /// Progress of this agent in a campaign.
    Campaign(CampaignStep),
    /// The command failed.
    Failed { reason: String },
}

/// Progress of one agent in a campaign.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum CampaignStep {
    /// Waits until the objects may be inspected; the phases are those that `explain` prints.
    Ready { phases: Value },
    /// Inspects the objects, or loads them.
    Loading,
    /// The next run belongs to this phase.
    Run { phase: usize, run_id: RunId },
    /// Waits for the start of this phase.
    Armed { phase: usize },
    /// The phase is a probe of a search, at this load of all agents together.
    Probe { phase: usize, load_per_s: f64 },
    /// The probe is measured, and waits for the counts of the other agents.
    Measured { slices: Vec<SliceCounts> },
    /// The search has ended with the last probe.
    SearchEnded { ended: SearchEnd },
}

/// The events of a job that `serve` reads.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum JobEvent {
    Campaign(CampaignStep),
    Failed {
        reason: String,
    },
    #[serde(other)]
    Other,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_job_prints_is_what_serve_reads() {
        let run_id = RunId::new();
        for step in [
            CampaignStep::Ready { phases: json!([{"name": "load"}]) },
            CampaignStep::Loading,
            CampaignStep::Run { phase: 1, run_id },
            CampaignStep::Armed { phase: 1 },
            CampaignStep::Probe { phase: 1, load_per_s: 1_000.0 },
            CampaignStep::Measured { slices: vec![SliceCounts { late: 1, all: 100, failed: 0, is_unreliable: true }] },
            CampaignStep::SearchEnded { ended: SearchEnd::Precision },
        ] {
            let line = serde_json::to_string(&Event::Campaign(step.clone())).expect("JSON");
            assert_eq!(serde_json::from_str::<JobEvent>(&line).expect(&line), JobEvent::Campaign(step));
        }
        let line = serde_json::to_string(&Event::Failed { reason: "no".into() }).expect("JSON");
        assert_eq!(serde_json::from_str::<JobEvent>(&line).expect(&line), JobEvent::Failed { reason: "no".into() });
        let line = serde_json::to_string(&Event::Started { run_id }).expect("JSON");
        assert_eq!(serde_json::from_str::<JobEvent>(&line).expect(&line), JobEvent::Other);
        assert_eq!(line, format!("{{\"event\":\"started\",\"run_id\":\"{run_id}\"}}"));
    }
}
