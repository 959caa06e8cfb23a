//! One load of a suite as a run of its own.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use device::ActStoragePlan;
use device::qualify::cache::CacheEnd;
use device::sync_write::SyncWritePlan;
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::{Value, json};
use wire::messages::WorkloadKind;
use workloads::load_search::Verdict;

use super::state::State;
use super::subject::Subject;
use super::suite::{Load, Step, description};
use crate::act;
use crate::conclusion::Ended;
use crate::failure::Failure;
use crate::objective::Objective;
use crate::plan::{Measurable, Plan, RunFacts};
use crate::sync_write::SyncWriteRun;

/// Question that a load answers. Writes that are made durable one after another, and ACT, are judged as in their own commands.
pub enum Question {
    /// No question: the figures are the result.
    None,
    /// Whether single writes become durable fast enough.
    SyncWrites(Box<SyncWriteRun>),
    /// Whether reads keep the limits of ACT.
    Act(Box<Plan>),
}

impl Question {
    /// Returns the question of a load that is measured for `measured_s` seconds on a drive whose preparation is described.
    pub fn of(load: &Load, subject: &Subject, measured_s: u64, preparation: Option<String>) -> Result<Self, Failure> {
        let (path, consent) = (PathBuf::from(subject.name()), subject.consent());
        match load {
            Load::Closed(load) if load.is_durable => {
                let plan =
                    SyncWritePlan::new(path, load.block_bytes).map_err(|error| Failure::Usage(error.to_string()))?;
                let plan =
                    SyncWritePlan { confirm_serials: consent.serials, allow_list: Some(consent.allow_list), ..plan };
                Ok(Self::SyncWrites(Box::new(SyncWriteRun::new(plan, "", measured_s)?)))
            }
            Load::Closed(_) => Ok(Self::None),
            Load::Act { act_load } => {
                let act = ActStoragePlan {
                    load_multiple: Some(*act_load),
                    confirm_serials: consent.serials,
                    allow_list: Some(consent.allow_list),
                    preconditioning: preparation,
                    file_size_bytes: Some(subject.size_bytes().map_err(|error| Failure::Workload(error.0))?),
                    engine: subject.engine(),
                    ..ActStoragePlan::new(path)
                };
                let plan = Plan::of_act(description(load), measured_s, act);
                let plan = Plan { histogram_every_s: measured_s.clamp(1, 10), ..plan };
                Ok(Self::Act(Box::new(plan.complete()?)))
            }
        }
    }

    /// Returns the answer in one line; `None` if the run has no question.
    pub fn answer(&self, load: &Load, ended: &Ended) -> Option<String> {
        match self {
            Self::None => None,
            Self::SyncWrites(run) => Some(run.answer(ended.objective.as_ref())),
            Self::Act(_) => {
                let answer = match act::verdict_of(ended) {
                    Verdict::Pass => "keeps the limits of ACT in this run",
                    Verdict::Fail => "breaks a limit of ACT, or cannot keep up",
                    Verdict::Limited => "not decided, because this machine was too busy to measure",
                };
                Some(format!("{}: {answer}", description(load)))
            }
        }
    }
}

pub struct LoadRun<'a> {
    pub subject: &'a Subject,
    pub state: &'a State,
    pub title: String,
    pub load: Load,
    pub question: Question,
    pub step: Step,
    pub number: usize,
    pub measured_s: u64,
    /// Counters of a simulated drive before the load.
    pub before: OnceLock<Value>,
}

impl Measurable for LoadRun<'_> {
    fn facts(&self) -> RunFacts {
        let (step, state) = (self.step, self.state);
        // A step that is measured in rounds has no number of loads.
        let of = (!step.is_in_rounds()).then(|| step.loads(state.scale()).len());
        let (workload, mut disclosed) = match &self.question {
            Question::None => (
                WorkloadKind::Qualify,
                json!({
                    "workload": WorkloadKind::Qualify,
                    "duration_s": self.measured_s,
                    "phase": {"name": step, "loop": "closed"},
                }),
            ),
            Question::SyncWrites(run) => (WorkloadKind::SyncWrite, run.facts().disclosed),
            Question::Act(plan) => (plan.workload, plan.facts().disclosed),
        };
        disclosed["title"] = json!(self.title);
        disclosed["qualify"] = json!({
            "id": state.id, "step": step, "number": self.number, "device": self.subject.name(), "load": self.load,
            "steps": state.settings.steps, "of": of, "size_bytes": state.size_bytes,
            "preparation": {
                "purged": state.purged, "fill": state.settings.fill, "is_filled": state.is_filled(),
                "steady_state": state.steady_state(), "cache_end": CacheEnd::of(&state.saturation()),
            },
        });
        if let Some(settings) = self.subject.model_settings() {
            // Plans of ACT name the engine of simulated latencies in the same way.
            disclosed["qualify"]["engine"] = json!("null");
            disclosed["qualify"]["simulated_drive"] = json!(settings);
        }
        let paths: Vec<_> = self.subject.path().map(Path::to_owned).into_iter().collect();
        RunFacts {
            title: self.title.clone(),
            workload,
            duration_ns: self.measured_s * 1_000_000_000,
            disclosed,
            paths,
            is_simulated: self.subject.path().is_none(),
        }
    }

    fn objective(&self) -> Option<&Objective> {
        match &self.question {
            Question::SyncWrites(run) => run.objective(),
            Question::None | Question::Act(_) => None,
        }
    }

    fn prepare(&self, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError> {
        let workload = match (&self.question, &self.load) {
            (Question::Act(plan), _) => self.subject.prepare_act(plan, notify, stop)?,
            (Question::SyncWrites(run), _) if self.subject.path().is_some() => run.prepare(notify, stop)?,
            (_, Load::Closed(load)) => {
                let length = (Duration::from_secs(self.measured_s), self.number as u64);
                self.subject.prepare(*load, length, notify, stop)?
            }
            (_, Load::Act { .. }) => return Err(WorkloadError("ACT has a plan of its own".into())),
        };
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
                reading("armed", 0, before), reading("start", 0, before), reading("drained", self.measured_s * 1_000_000_000, &after),
            ],
            "absent": {"kernel": "a model of a drive, not one of this machine"},
        });
        Some(json!({"version": 1, "drives": [drive], "without_disk": []}))
    }
}
