//! The bodies of the three calls of an agent and the answers to them, exactly as `docs/contracts/wire.md` names them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use measure::series::SeriesDefinition;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::interval::WireInterval;

/// Identity of a run, made by the agent: a `UUIDv7`, always written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RunId(Uuid);

impl RunId {
    /// Returns a new identity that sorts by the time of its making.
    #[must_use]
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }
}

impl Default for RunId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(formatter)
    }
}

impl From<RunId> for String {
    fn from(run_id: RunId) -> Self {
        run_id.to_string()
    }
}

impl TryFrom<String> for RunId {
    type Error = NotARunId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl FromStr for RunId {
    type Err = NotARunId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match Uuid::try_parse(text) {
            Ok(uuid) if uuid.get_version_num() == 7 => Ok(Self(uuid)),
            _ => Err(NotARunId(text.to_owned())),
        }
    }
}

/// The text is no `UUIDv7`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a run id: a UUID of version 7 is needed, such as 019b76da-a800-7000-8000-000000000000")]
pub struct NotARunId(String);

/// What was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkloadKind {
    /// ACT-style storage load.
    ActStorage,
    /// Transactions of many reads against a database.
    FraudTransaction,
    /// One phase of the ladder of the fraud report.
    Fraud,
    /// One phase of a key-value test.
    Keyvalue,
    /// One phase of YCSB's core workload.
    Ycsb,
    /// Writes that are made durable one by one.
    SyncWrite,
    /// One load of the suite that qualifies a drive.
    Qualify,
}

/// Which agent measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentVersion {
    /// Released version.
    pub version: String,
    /// Commit it was built from, where the build knew it.
    pub commit: Option<String>,
}

/// `POST /api/v1/runs`: a run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    /// Identity of the run.
    pub run_id: RunId,
    /// What a person calls this run, 1–200 characters.
    pub title: String,
    /// What was executed.
    pub workload: WorkloadKind,
    /// Wall clock at offset 0 of the run.
    pub started_at_unix_ns: u64,
    /// Offset 0 lies within so much of it; older agents did not tell, and stamped an earlier moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at_uncertainty_ns: Option<u64>,
    /// How long the plan measures.
    pub planned_duration_ns: u64,
    /// Which agent measured.
    pub agent: AgentVersion,
    /// Inventory of the host.
    pub host: Value,
    /// The plan as executed, every default filled in.
    pub plan: Value,
}

/// `POST /api/v1/runs/{run_id}/intervals`: measured intervals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntervalBatch {
    /// Definitions of the series that the intervals belong to.
    pub series: Vec<SeriesDefinition>,
    /// What was measured, in order of `seq` within each series.
    pub intervals: Vec<WireInterval>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunOutcome {
    /// The plan was measured to its end.
    Completed,
    /// A person or the backend ended it early.
    Stopped,
    /// The workload could not go on.
    Failed,
    /// The agent ended without saying how.
    Interrupted,
}

/// Why a search for the highest load has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchEnd {
    /// The bracket is as narrow as was asked.
    Precision,
    /// The load generator makes no more.
    Generator,
    /// All probes are used up.
    Probes,
    /// The time is used up.
    Time,
    /// The highest load that may be tried holds.
    Top,
    /// No load holds, however low.
    NoPass,
    /// A person or the backend stopped the last probe; the same command continues the search.
    Stopped,
    /// The last probe failed, or measured too little.
    Failed,
}

/// `POST /api/v1/runs/{run_id}/finish`: nothing more will come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// How the run ended.
    pub outcome: RunOutcome,
    /// What a person should know about the end.
    pub reason: Option<String>,
    /// Measured time from offset 0.
    pub duration_ns: u64,
    /// Last sequence number of every series that has any.
    #[serde(with = "crate::series_keys")]
    pub last_seq: BTreeMap<u16, u64>,
    /// What the measured drives counted, from arming to after the drain; absent where nothing was measured on a drive, and
    /// from older agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_counters: Option<Value>,
    /// Why the search that the run was a probe of has ended with it; absent where another probe follows, of runs outside a
    /// search, and from older agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_ended: Option<SearchEnd>,
}

/// What the backend wants of the agent from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Directive {
    /// Go on.
    Continue,
    /// End the workload.
    Stop,
}

/// Answer to an announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnounceAnswer {
    /// The run that was announced.
    pub run_id: RunId,
    /// What the backend wants.
    pub directive: Directive,
}

/// Sequence numbers that the backend does not have, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MissingRange {
    /// The series' number.
    pub series: u16,
    /// First missing.
    pub from_seq: u64,
    /// Last missing.
    pub to_seq: u64,
}

impl MissingRange {
    /// Returns whether this interval is meant.
    #[must_use]
    pub fn contains(&self, series_no: u16, seq: u64) -> bool {
        self.series == series_no && (self.from_seq..=self.to_seq).contains(&seq)
    }
}

/// Answer to a batch: all of it is durable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchAnswer {
    /// Highest contiguous sequence number of every series that the batch named, −1 for none.
    #[serde(with = "crate::series_keys")]
    pub acknowledged: BTreeMap<u16, i64>,
    /// Gaps below the highest received.
    pub missing: Vec<MissingRange>,
    /// What the backend wants.
    pub directive: Directive,
}

/// Answer to a finish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishAnswer {
    /// Whether everything up to the last sequence numbers has arrived.
    pub complete: bool,
    /// What has not.
    pub missing: Vec<MissingRange>,
    /// What the backend wants.
    pub directive: Directive,
}

/// `application/problem+json`: why a body was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Identity of the kind of problem, a URI reference.
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    /// Kind of problem in words.
    #[serde(default)]
    pub title: String,
    /// HTTP status.
    #[serde(default)]
    pub status: u16,
    /// What, where, why and what to do.
    #[serde(default)]
    pub detail: String,
    /// Stable name.
    #[serde(default)]
    pub code: String,
    /// Each broken rule, the first 20.
    #[serde(default)]
    pub problems: Vec<ProblemItem>,
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemItem {
    /// In which series, where it is about one.
    pub series: Option<i64>,
    /// At which sequence number, where it is about one.
    pub seq: Option<i64>,
    /// Which field.
    pub field: Option<String>,
    /// What is wrong and what is allowed.
    pub reason: String,
}

/// A body could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum EncodingError {
    /// A message could not be written.
    #[error("a message could not be written as MessagePack: {0}")]
    Write(#[from] rmp_serde::encode::Error),
    /// A message could not be read.
    #[error("a message could not be read as MessagePack: {0}")]
    Read(#[from] rmp_serde::decode::Error),
}

/// Writes a message as `MessagePack` with named keys.
///
/// # Errors
/// When a value has no such form, which no message of this module has.
pub fn to_msgpack<T: Serialize>(message: &T) -> Result<Vec<u8>, EncodingError> {
    Ok(rmp_serde::to_vec_named(message)?)
}

/// Reads a message from `MessagePack` with named keys.
///
/// # Errors
/// When the bytes are no such message.
pub fn from_msgpack<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, EncodingError> {
    Ok(rmp_serde::from_slice(bytes)?)
}
