//! The plan file: parsed with errors by file, line and field, and turned into a prepared workload.

use std::path::{Path, PathBuf};
use std::time::Duration;

use device::{ActStoragePlan, EngineChoice, PlanError, ResolveError};
use measure::clock::Start;
use measure::series::{StopFlag, Workload, WorkloadError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wire::messages::{RunId, WorkloadKind};

use crate::failure::{Failure, read_text};
use crate::objective::Objective;
use crate::probe::ProbeRun;

const LONGEST_DURATION_S: u64 = 366 * 24 * 3600;
const FRAUD_TRANSACTION_REPLACED: &str = "workload: `fraud-transaction` is not run any more; write workload = \"fraud\" with a \
     phase of its own ([[fraud.phases]]: name, reads_per_s = transactions times reads), and name the server with --target; see \
     docs/workloads.md. Runs of the old kind stay readable";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub title: String,
    pub workload: WorkloadKind,
    /// Time to measure, in seconds.
    pub duration_s: u64,
    /// Length of a slice, for which one histogram is stored, in seconds.
    #[serde(default = "default_histogram_every_s")]
    pub histogram_every_s: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act_storage: Option<ActStoragePlan>,
    /// Step of a load ladder that this run is; runs of one ladder share its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ladder: Option<Rung>,
    /// Differences from ACT, which no plan file has.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub differs_from_original: Vec<&'static str>,
}

/// One step of a load ladder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// Identifier of the ladder, which is that of its first run.
    pub id: String,
    /// Number of the step, from 1.
    pub step: u32,
    /// `raise`, `hold` or `stress`.
    pub kind: String,
}

fn default_histogram_every_s() -> u64 {
    10
}

impl Plan {
    /// Reads and checks a plan file, and fills in defaults and automatic choices.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text("the plan", path)?;
        let refuse = |line: Option<usize>, sentence: &str| {
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            Failure::Usage(format!("{}{line}: {sentence}", path.display()))
        };
        if let Some(line) = line_of(&text, "workload").filter(|_| is_fraud_transaction(&text)) {
            return Err(refuse(Some(line), FRAUD_TRANSACTION_REPLACED));
        }
        let plan: Self = toml::from_str(&text).map_err(|error| {
            let line = error.span().map(|span| line_at(&text, span.start));
            let field = line.and_then(|line| field_on(&text, line)).map(|field| format!("{field}: "));
            refuse(line, &format!("{}{}", field.unwrap_or_default(), error.message()))
        })?;
        plan.check().map_err(|(field, sentence)| refuse(line_of(&text, field), &format!("{field}: {sentence}")))?;
        plan.resolved().map_err(|error| {
            let line = match &error {
                ResolveError::Plan(PlanError { field, .. }) => line_of(&text, field),
                ResolveError::Drive(_) => None,
            };
            refuse(line, &error.to_string())
        })
    }

    fn check(&self) -> Result<(), (&'static str, String)> {
        if !(1..=200).contains(&self.title.chars().count()) {
            return Err(("title", "must have 1 to 200 characters".to_owned()));
        }
        for (field, value, most) in
            [("duration_s", self.duration_s, LONGEST_DURATION_S), ("histogram_every_s", self.histogram_every_s, 3600)]
        {
            if !(1..=most).contains(&value) {
                return Err((field, format!("is {value}; it must lie between 1 and {most}")));
            }
        }
        let is_storage = self.workload == WorkloadKind::ActStorage;
        if !is_storage || self.act_storage.is_none() {
            if self.workload == WorkloadKind::Qualify {
                return Err(("workload", "has no plan file; type tailroom-agent qualify".to_owned()));
            }
            let section = if is_storage { "[act_storage]" } else { "of its own" };
            return Err(("workload", format!("this workload needs a section {section}, which is not there")));
        }
        Ok(())
    }

    /// Returns the plan of an ACT workload that is no step of a ladder.
    pub fn of_act(title: String, duration_s: u64, act: ActStoragePlan) -> Self {
        Self {
            title,
            workload: WorkloadKind::ActStorage,
            duration_s,
            histogram_every_s: default_histogram_every_s(),
            act_storage: Some(act),
            ladder: None,
            differs_from_original: Vec::new(),
        }
    }

    /// Checks a plan that was not read from a file, and fills in defaults and automatic choices.
    pub fn complete(self) -> Result<Self, Failure> {
        self.check().map_err(|(field, sentence)| Failure::Usage(format!("{field}: {sentence}")))?;
        self.resolved().map_err(|error| Failure::Usage(error.to_string()))
    }

    pub fn paths(&self) -> Vec<PathBuf> {
        self.act_storage.iter().flat_map(|act| act.paths().into_iter().map(Path::to_owned)).collect()
    }

    fn resolved(mut self) -> Result<Self, ResolveError> {
        self.act_storage = self.act_storage.as_ref().map(device::resolve).transpose()?;
        Ok(self)
    }
}

impl Measurable for Plan {
    fn facts(&self) -> RunFacts {
        let is_simulated = self.act_storage.as_ref().is_some_and(|act| act.engine == EngineChoice::Null);
        RunFacts {
            title: self.title.clone(),
            workload: self.workload,
            duration_ns: self.duration_s * 1_000_000_000,
            disclosed: json!(self),
            paths: self.paths(),
            is_simulated,
        }
    }

    fn prepare(&self, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError> {
        let duration = Duration::from_secs(self.duration_s);
        match &self.act_storage {
            Some(act) => device::prepare(act, duration, self.histogram_every_s, notify, stop),
            None => Err(WorkloadError("the plan has no workload".to_owned())),
        }
    }
}

/// Facts about a run that are known before it.
pub struct RunFacts {
    pub title: String,
    pub workload: WorkloadKind,
    pub duration_ns: u64,
    /// The plan as it is sent, without secrets.
    pub disclosed: Value,
    /// Paths whose file systems the inventory describes.
    pub paths: Vec<PathBuf>,
    /// Whether latencies are computed instead of measured.
    pub is_simulated: bool,
}

impl RunFacts {
    /// Returns the paths of the measured drives; none if latencies are computed.
    pub fn measured_paths(&self) -> &[PathBuf] {
        if self.is_simulated { &[] } else { &self.paths }
    }
}

/// A workload that a [`RunContext`](crate::run_context::RunContext) measures and delivers as a run.
pub trait Measurable: Sync {
    fn facts(&self) -> RunFacts;
    /// Returns the counters of a simulated drive, after the run; `None` if drives of this machine are measured.
    fn counters_of_model(&self) -> Option<Value> {
        None
    }
    fn probe(&self) -> Option<&ProbeRun<'_>> {
        None
    }
    /// Returns the objective that the run must answer, if any.
    fn objective(&self) -> Option<&Objective> {
        self.probe().map(|probe| probe.objective)
    }
    /// Prepares the workload. `notify` reports steps that take long.
    fn prepare(&self, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError>;
    /// Waits until it is time to arm for a start that was agreed, and returns it; `None` if the run starts when it is ready.
    fn agreed_start(&self, _: RunId) -> Result<Option<Start>, WorkloadError> {
        Ok(None)
    }
}

/// Returns whether a plan is of the kind `fraud-transaction`, which versions before 0.2 ran.
fn is_fraud_transaction(text: &str) -> bool {
    text.parse::<toml::Table>()
        .is_ok_and(|table| table.get("workload").and_then(toml::Value::as_str) == Some("fraud-transaction"))
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

fn field_on(text: &str, line: usize) -> Option<&str> {
    let (key, _) = text.lines().nth(line.checked_sub(1)?)?.split_once('=')?;
    let key = key.trim();
    (!key.starts_with('#')).then_some(key)
}

/// Returns the first line on which a key is set.
fn line_of(text: &str, field: &str) -> Option<usize> {
    (1..=text.lines().count()).find(|line| field_on(text, *line) == Some(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "title = \"t\"\nworkload = \"act-storage\"\nduration_s = 30\n\n[act_storage]\npath = \"a.dat\"\n\
                        engine = \"null\"\n";

    fn read(text: &str) -> Result<Plan, String> {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("plan.toml");
        std::fs::write(&path, text).expect("writable");
        Plan::read(&path).map_err(|failure| {
            let sentence = failure.to_string();
            sentence.split_once("plan.toml").map(|(_, rest)| rest.to_owned()).unwrap_or(sentence)
        })
    }

    #[test]
    fn a_plan_is_filled_with_defaults() {
        let plan = read(GOOD).expect("a good plan");
        assert_eq!(plan.histogram_every_s, 10);
        assert_eq!(plan.facts().disclosed["act_storage"]["record_bytes"], 1536);
    }

    #[test]
    fn what_is_wrong_is_named_by_line_and_field() {
        let cases = [
            (GOOD.replace("duration_s = 30", "duration_s = \"x\""), ":3: duration_s: invalid type: string"),
            (GOOD.replace("duration_s = 30", "duration_s = 0"), ":3: duration_s: is 0; it must"),
            (GOOD.replace("engine", "engin"), ":7: engin: unknown field `engin`"),
            (GOOD.replace("\"null\"", "\"fast\""), ":7: engine: unknown variant `fast`"),
            (GOOD.replace("[act_storage]", "[fraud]"), ":5: "),
            (GOOD.replace("act-storage", "fraud-transaction"), ":2: workload: `fraud-transaction` is not run any more"),
            (
                "workload = \"fraud-transaction\"\n[fraud]\naddress = \"h:1\"\n".to_owned(),
                "write workload = \"fraud\" with a phase",
            ),
            (GOOD.replace("\"t\"", "\"\""), ":1: title: must have 1 to 200"),
            (format!("{GOOD}load_multiple = 0\n"), ":8: "),
            (GOOD.replace("title = \"t\"\n", ""), ": missing field `title`"),
        ];
        for (text, expected) in cases {
            let refusal = read(&text).expect_err("a bad plan");
            assert!(refusal.contains(expected), "expected `{expected}` in `{refusal}`");
        }
    }
}
