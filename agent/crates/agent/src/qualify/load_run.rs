//! One load of a suite as a run of its own.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use device::closed_load::ClosedLoad;
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::{Value, json};
use wire::messages::WorkloadKind;

use super::subject::Subject;
use super::suite::Step;
use crate::plan::Measurable;

/// One load.
pub struct LoadRun {
    pub title: String,
    pub subject: Subject,
    pub load: ClosedLoad,
    pub step: Step,
    pub number: usize,
    pub suite_id: String,
    pub measured_s: u64,
    pub size_bytes: u64,
    pub preparation: Value,
    /// Every step that was asked for.
    pub steps: Vec<Step>,
    /// Loads of this step; none of rounds.
    pub of: Option<usize>,
    /// Counters of a model before the load.
    pub before: OnceLock<Value>,
}

impl Measurable for LoadRun {
    fn title(&self) -> &str {
        &self.title
    }

    fn workload(&self) -> WorkloadKind {
        WorkloadKind::Qualify
    }

    fn planned_duration_ns(&self) -> u64 {
        self.measured_s * 1_000_000_000
    }

    fn disclosed(&self) -> Value {
        let mut disclosed = json!({
            "title": self.title,
            "workload": WorkloadKind::Qualify,
            "duration_s": self.measured_s,
            "phase": {"name": self.step, "loop": "closed"},
            "qualify": {
                "id": self.suite_id, "step": self.step, "number": self.number, "device": self.subject.name(),
                "load": self.load, "preparation": self.preparation, "steps": self.steps, "of": self.of,
                "size_bytes": self.size_bytes,
            },
        });
        if let Some(settings) = self.subject.model_settings() {
            // As plans of ACT name the engine that makes latencies up.
            disclosed["qualify"]["engine"] = json!("null");
            disclosed["qualify"]["simulated_drive"] = json!(settings);
        }
        disclosed
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.subject.path().map(Path::to_owned).into_iter().collect()
    }

    fn measured_paths(&self) -> Vec<PathBuf> {
        self.paths()
    }

    fn prepare(&self, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError> {
        let length = (Duration::from_secs(self.measured_s), self.number as u64);
        let workload = self.subject.prepare(self.load, length, notify, stop)?;
        if let Some(before) = self.subject.counters_of_model() {
            let _ = self.before.set(before);
        }
        Ok(workload)
    }

    fn counters_of_model(&self) -> Option<Value> {
        let (before, after) = (self.before.get()?, self.subject.counters_of_model()?);
        let reading = |moment: &str, at_ns: u64, values: &Value| json!({"moment": moment, "at_ns": at_ns, "took_ns": 0, "values": values});
        let drive = json!({
            "devices": [self.subject.name()],
            "disk": self.subject.name(),
            "readings": [
                reading("armed", 0, before), reading("start", 0, before), reading("drained", self.planned_duration_ns(), &after),
            ],
            "absent": {"kernel": "a model of a drive, not one of this machine"},
        });
        Some(json!({"version": 1, "drives": [drive], "without_disk": []}))
    }
}
