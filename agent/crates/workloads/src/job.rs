//! The job of an agent: the objects that must exist, and the stages to run one after the other.
//!
//! `explain` and `run` read the same plan. Rates, durations and differences are those of the explanation; a job adds details that
//! the explanation does not show.

use keys::chooser::Distribution;
use keys::name::Naming;
use serde::{Deserialize, Serialize};

use crate::explanation::{Explanation, LOAD, Phase, WARM_UP};
use crate::rate::Rate;
use crate::size::Size;

/// Pipeline depth of a load: latencies of a load are not judged, so connections are kept full.
const LOADING_PIPELINE: u32 = 16;

/// A plan in the form that an agent executes.
#[derive(Debug, Clone)]
pub struct Job {
    pub explanation: Explanation,
    pub objects: ObjectSpec,
    /// Stages in order; the first loads the objects, unless the plan loads none.
    pub stages: Vec<Stage>,
}

/// Objects that must be in the database before the measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectSpec {
    /// How keys are named.
    pub naming: Naming,
    pub first: u64,
    pub count: u64,
    pub shape: Shape,
    /// Range in seconds of the time after which values written by a set expire; `None` if they do not.
    pub expiry_s: Option<(u32, u32)>,
    /// Whether a read may find nothing; such reads are no errors and are also recorded separately.
    pub may_be_absent: bool,
}

/// Contents of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// A single value.
    Value { bytes: Size },
    /// A record of fields whose sizes have the same distribution.
    Record {
        fields: u32,
        field_bytes: Size,
        /// Prefix of the field names, followed by a number from 0.
        prefix: String,
        /// Whether a read returns all fields instead of one.
        read_all: bool,
        /// Whether an update writes all fields instead of one.
        write_all: bool,
        /// Whether a read of all fields lists their names.
        by_name: bool,
        /// Whether contents are derived from the names and verified on reading (YCSB's `dataintegrity`).
        integrity: bool,
        /// Whether Redis stores an index of the keys, which scans need.
        indexed: bool,
    },
}

impl Shape {
    /// Returns the size of the value or of each field.
    pub fn size(&self) -> &Size {
        match self {
            Self::Value { bytes } => bytes,
            Self::Record { field_bytes, .. } => field_bytes,
        }
    }

    /// Returns the bytes of an object without key and field names, the mean if sizes vary.
    pub fn bytes(&self) -> u64 {
        let parts = if let Self::Record { fields, .. } = self { *fields } else { 1 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size")]
        let bytes = (f64::from(parts) * self.size().mean()).round() as u64;
        bytes
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    Load,
    /// Runs the load of the first measured phase to warm up caches; recorded separately.
    WarmUp,
    #[default]
    Measure,
}

/// A stage of a job, which is a run of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stage {
    pub name: String,
    pub purpose: Purpose,
    /// Length in seconds; `None` if a number of operations ends the stage.
    pub duration_s: Option<f64>,
    /// Number of operations after which the stage ends; `None` if it ends by time.
    pub operations: Option<u64>,
    /// Length of the ramp before the stage, in seconds.
    pub ramp_s: f64,
    pub connections: u64,
    /// Largest number of requests under way on a connection.
    pub pipeline: u32,
    pub distribution: Distribution,
    /// Distribution of the keys of updates; that of the others if `None`.
    pub update_distribution: Option<Distribution>,
    /// Length of scans; `None` without scans.
    pub scans: Option<ScanLength>,
    /// The agent's part of inserts, if there are several agents.
    pub part: Part,
    /// First object of a load, counted from 0.
    pub load_from: u64,
    /// Streams of operations that run concurrently.
    pub streams: Vec<Stream>,
}

/// Number of records that a scan reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ScanLength {
    pub least: u64,
    pub most: u64,
    /// Whether lengths have a Zipf distribution with short scans most frequent; otherwise uniform.
    pub zipfian: bool,
}

/// The position of an agent among several; by default it is the only one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Index of the agent, counted from 0.
    pub agent: u64,
    pub agents: u64,
}

impl Part {
    /// Returns whether there is a single agent.
    pub fn is_alone(self) -> bool {
        self.agents == 1
    }
}

impl Default for Part {
    fn default() -> Self {
        Self { agent: 0, agents: 1 }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Stream {
    Operations {
        /// Operations per second over all kinds; a closed loop if `None`.
        per_s: Option<f64>,
        /// Kinds of operations with their shares, which add up to 1.
        kinds: Vec<(Operation, f64)>,
        /// Number of operations of each kind in a repeated cycle; kinds are drawn at random if `None`.
        cycle: Option<Vec<u64>>,
    },
    /// Transactions of several reads.
    Transactions {
        per_s: f64,
        reads: u32,
        /// Number of keys in a request; 1 for single reads.
        batch: u32,
        /// Order of the requests of a transaction.
        scheduling: Scheduling,
        /// Number of requests of a transaction that are under way at once.
        fan_out: u32,
        /// Time within which a transaction must have all its data, in nanoseconds.
        window_ns: u64,
    },
}

/// Order of the reads of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheduling {
    /// One after the other, as in the original.
    Sequential,
    /// In groups: a group begins when the previous group is complete.
    Barrier,
    /// Up to `fan_out` at once: a read begins when another ends.
    Pool,
}

/// A kind of operation with its name in results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Reads a whole object or one field.
    Read(&'static str),
    /// Overwrites an existing object or one of its fields.
    Update(&'static str),
    /// Writes the next new object.
    Insert(&'static str),
    /// Reads several objects in key order from a key on.
    Scan(&'static str),
    /// Reads an object and then updates it.
    ReadModifyWrite(&'static str),
}

impl Operation {
    /// Returns the name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read(name)
            | Self::Update(name)
            | Self::Insert(name)
            | Self::Scan(name)
            | Self::ReadModifyWrite(name) => name,
        }
    }
}

impl Stage {
    /// Returns whether the stage loads the objects.
    pub fn loads(&self) -> bool {
        self.purpose == Purpose::Load
    }

    /// Returns the stage of an explained phase for all connections, without its operations.
    pub(crate) fn of_phase(phase: &Phase, connections: u64, pipeline: u32) -> Self {
        let purpose = match phase.name.as_str() {
            LOAD => Purpose::Load,
            WARM_UP => Purpose::WarmUp,
            _ => Purpose::Measure,
        };
        Self {
            name: phase.name.clone(),
            purpose,
            duration_s: phase.duration_s,
            operations: phase.operations,
            ramp_s: phase.ramp_s,
            connections,
            pipeline,
            ..Self::default()
        }
    }

    /// Returns whether the stage adds objects while it measures.
    pub fn inserts(&self) -> bool {
        !self.loads() && self.kinds().any(|operation| matches!(operation, Operation::Insert(_)))
    }

    /// Returns whether the stage overwrites objects.
    pub fn updates(&self) -> bool {
        self.kinds().any(|operation| matches!(operation, Operation::Update(_)))
    }

    fn kinds(&self) -> impl Iterator<Item = Operation> {
        self.streams
            .iter()
            .flat_map(|stream| match stream {
                Stream::Operations { kinds, .. } => kinds.as_slice(),
                Stream::Transactions { .. } => &[],
            })
            .map(|(operation, _)| *operation)
    }

    /// Returns whether the stage is a measurement.
    pub fn measures(&self) -> bool {
        self.purpose == Purpose::Measure
    }
}

/// Returns the rate of loading, or `None` for as fast as the database accepts objects.
pub(crate) fn load_rate(per_s: Option<f64>) -> Result<Option<Rate>, String> {
    let rate = |per_s: f64| Rate::new(per_s).filter(|rate| *rate > Rate::default());
    let refused = |per_s: f64| format!("is {per_s}; it must be above 0, and at most 1e12 a second");
    per_s.map(|per_s| rate(per_s).ok_or_else(|| refused(per_s))).transpose()
}

/// Returns the stage of a load phase, which writes every object once with inserts named `insert`.
pub(crate) fn loading(phase: &Phase, insert: &'static str, connections: u64) -> Stage {
    let per_s = phase.operations_per_s[insert].map(Rate::per_s);
    Stage {
        distribution: Distribution::Sequential,
        streams: vec![Stream::Operations { per_s, kinds: vec![(Operation::Insert(insert), 1.0)], cycle: None }],
        ..Stage::of_phase(phase, connections, LOADING_PIPELINE)
    }
}
