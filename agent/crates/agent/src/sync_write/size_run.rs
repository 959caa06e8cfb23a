//! Synchronous writes of one size as a run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use device::sync_write::{self, OPERATION, SyncWritePlan};
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::json;
use wire::messages::WorkloadKind;
use workloads::load_search::Verdict;

use crate::failure::Failure;
use crate::objective::{Objective, ObjectiveAnswer};
use crate::plan::{Measurable, RunFacts};
use crate::summary::{bounds, rate, size};

/// The objective of the built-in budget `sync-write`.
const OBJECTIVE: &str = "p99 sync-write < 10ms";

pub struct SyncWriteRun {
    pub plan: SyncWritePlan,
    title: String,
    duration_s: u64,
    histogram_every_s: u64,
    objective: Objective,
}

impl SyncWriteRun {
    /// Returns the run of a plan; `duration_s` is the time to measure.
    pub fn new(plan: SyncWritePlan, title: &str, duration_s: u64) -> Result<Self, Failure> {
        Ok(Self {
            title: format!("{title} · {}", size(plan.block_bytes)).chars().take(200).collect(),
            plan,
            duration_s,
            histogram_every_s: duration_s.clamp(1, 10),
            objective: Objective::parse(OBJECTIVE).map_err(Failure::Workload)?,
        })
    }

    /// Returns the answer of this run in one line.
    pub fn answer(&self, answer: Option<&ObjectiveAnswer>) -> String {
        let size = size(self.plan.block_bytes);
        let Some(answer) = answer else { return format!("{size}: no write ended") };
        let (late, all) = answer.slices.iter().fold((0, 0), |(late, all), slice| (late + slice.late, all + slice.all));
        let verdict = match answer.verdict {
            Verdict::Pass => "yes, in this run",
            Verdict::Fail => "no, in this run",
            Verdict::Limited => "not decided, because this machine was too busy to measure",
        };
        let times = answer.bounds_ns.map_or_else(
            || "p99 lies among the writes that failed".to_owned(),
            |(lower_ns, upper_ns)| format!("p99 {}", bounds(lower_ns, upper_ns)),
        );
        let per_s = rate(all as f64 / self.duration_s as f64);
        format!("{size}, {OBJECTIVE}: {verdict}; {times}; {late} of {all} writes took 10 ms or longer; {per_s}")
    }
}

pub fn file_in(folder: &Path) -> PathBuf {
    folder.join(format!("tailroom-sync-write-{}.dat", std::process::id()))
}

impl Measurable for SyncWriteRun {
    fn facts(&self) -> RunFacts {
        RunFacts {
            title: self.title.clone(),
            workload: WorkloadKind::SyncWrite,
            duration_ns: self.duration_s * 1_000_000_000,
            disclosed: json!({
                "title": self.title,
                "workload": WorkloadKind::SyncWrite,
                "duration_s": self.duration_s,
                "histogram_every_s": self.histogram_every_s,
                "phase": {"name": OPERATION, "loop": "closed"},
                "sync_write": self.plan,
            }),
            paths: vec![self.plan.path.clone()],
            is_simulated: false,
        }
    }

    fn objective(&self) -> Option<&Objective> {
        Some(&self.objective)
    }

    fn prepare(&self, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError> {
        let duration = Duration::from_secs(self.duration_s);
        sync_write::prepare(&self.plan, duration, self.histogram_every_s, notify, stop)
    }
}
