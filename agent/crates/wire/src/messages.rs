//! The bodies of an agent's three calls and of the answers to them, as `docs/contracts/wire.md` defines them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use measure::series::{Interval, SeriesDefinition};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// Identifier of a run, created by the agent: a `UUIDv7`, always written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RunId(Uuid);

impl RunId {
    /// Returns a new identifier. Identifiers sort by time of creation.
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

/// Error of a text that is not a `UUIDv7`; holds the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a run id: a UUID of version 7 is needed, such as 019b76da-a800-7000-8000-000000000000")]
pub struct NotARunId(String);

/// Kind of workload that a run executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkloadKind {
    /// Storage load in the style of ACT.
    ActStorage,
    /// Transactions of many reads against a database.
    FraudTransaction,
    /// One phase of the load ladder of the fraud report.
    Fraud,
    /// One phase of a key-value test.
    Keyvalue,
    /// One phase of a core workload of YCSB.
    Ycsb,
    /// Writes that are made durable one after another.
    SyncWrite,
    /// One load of the suite that qualifies a drive.
    Qualify,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentVersion {
    pub version: String,
    /// Commit that it was built from; `None` if the build did not know it.
    pub commit: Option<String>,
}

/// Body of `POST /api/v1/runs`, which announces a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Announcement {
    pub run_id: RunId,
    /// Title for people, 1–200 characters.
    pub title: String,
    pub workload: WorkloadKind,
    /// Wall clock at offset 0 of the run, in nanoseconds since the Unix epoch.
    pub started_at_unix_ns: u64,
    /// Uncertainty of `started_at_unix_ns`, in nanoseconds. Older agents do not send it, and stamp an earlier moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at_uncertainty_ns: Option<u64>,
    pub planned_duration_ns: u64,
    pub agent: AgentVersion,
    pub host: Value,
    /// The plan as executed, with every default filled in.
    pub plan: Value,
}

/// Body of `POST /api/v1/runs/{run_id}/intervals`: a batch of measured intervals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntervalBatch {
    pub series: Vec<SeriesDefinition>,
    /// The intervals, ordered by `seq` within each series.
    pub intervals: Vec<Interval>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunOutcome {
    /// The plan was measured to its end.
    Completed,
    /// A person or the backend ended the run early.
    Stopped,
    /// The workload could not continue.
    Failed,
    /// The agent ended without reporting an outcome.
    Interrupted,
}

/// Reason for which a search for the highest load ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchEnd {
    /// The bracket is as narrow as requested.
    Precision,
    /// The load generator cannot produce a higher load.
    Generator,
    /// All probes are used up.
    Probes,
    Time,
    /// The highest load allowed holds.
    Top,
    /// No load holds, not even the lowest.
    NoPass,
    /// A person or the backend stopped the last probe; the same command continues the search.
    Stopped,
    /// The last probe failed, or measured too little.
    Failed,
}

/// Body of `POST /api/v1/runs/{run_id}/finish`, the last message of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    pub outcome: RunOutcome,
    pub reason: Option<String>,
    /// Measured time from offset 0, in nanoseconds.
    pub duration_ns: u64,
    /// Last sequence number of each series; series without intervals are absent.
    #[serde(with = "crate::series_keys")]
    pub last_seq: BTreeMap<u16, u64>,
    /// Counters of the measured drives, from arming to after the drain; absent if no drive was measured, and from older agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive_counters: Option<Value>,
    /// Reason for which the search ended with this run as its last probe; absent if another probe follows, if the run is no
    /// probe, and from older agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_ended: Option<SearchEnd>,
}

/// Instruction of the backend to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Directive {
    Continue,
    Stop,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnounceAnswer {
    pub run_id: RunId,
    pub directive: Directive,
}

/// Range of sequence numbers that the backend lacks, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MissingRange {
    pub series: u16,
    pub from_seq: u64,
    pub to_seq: u64,
}

/// Answer to a batch, all of which is durable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchAnswer {
    /// Highest contiguous sequence number of each series in the batch; −1 if there is none.
    #[serde(with = "crate::series_keys")]
    pub acknowledged: BTreeMap<u16, i64>,
    /// Gaps below the highest sequence number received.
    pub missing: Vec<MissingRange>,
    pub directive: Directive,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishAnswer {
    /// Whether everything up to the last sequence numbers has arrived.
    pub complete: bool,
    /// Sequence numbers that have not arrived.
    pub missing: Vec<MissingRange>,
    pub directive: Directive,
}

/// Body of a refusal, as `application/problem+json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// URI reference that identifies the kind of problem.
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub status: u16,
    /// What is wrong, where, why, and what to do about it.
    #[serde(default)]
    pub detail: String,
    /// Stable code of the problem, for programs.
    #[serde(default)]
    pub code: String,
    /// The first 20 broken rules.
    #[serde(default)]
    pub problems: Vec<ProblemItem>,
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemItem {
    pub series: Option<i64>,
    pub seq: Option<i64>,
    pub field: Option<String>,
    /// What is wrong, and which values are allowed.
    pub reason: String,
}

/// Error of encoding or decoding a message.
#[derive(Debug, thiserror::Error)]
pub enum EncodingError {
    #[error("a message could not be written as MessagePack: {0}")]
    Write(#[from] rmp_serde::encode::Error),
    #[error("a message could not be read as MessagePack: {0}")]
    Read(#[from] rmp_serde::decode::Error),
}

/// Encodes `message` as `MessagePack` with named keys.
pub fn to_msgpack<T: Serialize>(message: &T) -> Result<Vec<u8>, EncodingError> {
    Ok(rmp_serde::to_vec_named(message)?)
}

/// Decodes a message from `MessagePack` with named keys.
pub fn from_msgpack<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, EncodingError> {
    Ok(rmp_serde::from_slice(bytes)?)
}
