//! What one agent carries out of a plan: the objects that must be there, and stages one after the other.
//!
//! `explain` and `run` read the same plan: rates, durations and differences come from the explanation, only what a page has
//! no use for is added here.

use keys::chooser::Law;
use keys::name::Naming;
use serde::{Deserialize, Serialize};

use crate::explanation::{Explanation, WARM_UP};
use crate::rate::Rate;
use crate::size::Size;

/// Latencies of a load are not judged, so connections are filled.
pub(crate) const LOADING_PIPELINE: u32 = 16;

/// A plan as one agent executes it.
#[derive(Debug, Clone)]
pub struct Job {
    /// The same as `explain` prints for one agent.
    pub explanation: Explanation,
    /// What is loaded.
    pub objects: ObjectSpec,
    /// In their order; the first loads, unless the plan loads nothing.
    pub stages: Vec<Stage>,
}

/// What must be in the database before anything is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectSpec {
    /// What keys are called.
    pub naming: Naming,
    /// The first key number.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// What one looks like.
    pub shape: Shape,
    /// Seconds after which what a set has written expires, from and to; none: never.
    pub expiry_s: Option<(u32, u32)>,
    /// A read may find nothing: what it then took is recorded apart, and is no error.
    pub may_be_absent: bool,
}

/// One object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// One value.
    Value {
        /// Its size.
        bytes: Size,
    },
    /// Fields, all by one law of sizes.
    Record {
        /// How many.
        fields: u32,
        /// Size of each.
        field_bytes: Size,
        /// Names are this and a number from 0 on.
        prefix: String,
        /// A read takes all fields, or one.
        read_all: bool,
        /// An update writes all fields, or one.
        write_all: bool,
        /// A read of all fields names each of them.
        by_name: bool,
        /// Fields hold what follows from their names, and are compared with that when they are read (YCSB's `dataintegrity`).
        integrity: bool,
        /// Redis keeps an index of the keys, for scans.
        indexed: bool,
    },
}

impl Shape {
    /// Sizes of its value, or of each of its fields.
    #[must_use]
    pub fn size(&self) -> &Size {
        match self {
            Self::Value { bytes } => bytes,
            Self::Record { field_bytes, .. } => field_bytes,
        }
    }

    /// Returns the bytes of one object, without key and names; where sizes vary, on average.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let parts = if let Self::Record { fields, .. } = self { *fields } else { 1 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a size")]
        let bytes = (f64::from(parts) * self.size().mean()).round() as u64;
        bytes
    }
}

/// What a stage is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// It fills the database.
    Load,
    /// The load of the first phase, until caches hold what they will hold; recorded by itself.
    WarmUp,
    /// What the plan is about.
    Measure,
}

/// A stage of a job: one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// As in the explanation.
    pub name: String,
    /// What it is there for.
    pub purpose: Purpose,
    /// How long; none where a number of operations ends it.
    pub duration_s: Option<f64>,
    /// Operations after which it ends; none where time does.
    pub operations: Option<u64>,
    /// Ramp before it.
    pub ramp_s: f64,
    /// All of them together.
    pub connections: u64,
    /// Requests under way on each, at most.
    pub pipeline: u32,
    /// Which keys.
    pub law: Law,
    /// Which keys updates write; none: as all others.
    pub update_law: Option<Law>,
    /// Of scans, where there are any.
    pub scans: Option<ScanLength>,
    /// Of several agents, which inserts.
    pub part: Part,
    /// A load begins with this object, counted from 0.
    pub load_from: u64,
    /// What is done side by side.
    pub streams: Vec<Stream>,
}

/// How many records a scan reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ScanLength {
    /// At least.
    pub least: u64,
    /// At most.
    pub most: u64,
    /// Short ones are the most frequent, by Zipf's law; else all alike.
    pub zipfian: bool,
}

/// Which of several agents this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Counted from 0.
    pub agent: u64,
    /// How many there are.
    pub agents: u64,
}

impl Part {
    /// One agent does everything.
    pub const ALONE: Self = Self { agent: 0, agents: 1 };

    /// Returns whether one agent does everything.
    #[must_use]
    pub fn is_alone(self) -> bool {
        self.agents == 1
    }
}

/// One flow of operations.
#[derive(Debug, Clone, PartialEq)]
pub enum Stream {
    /// Operations by themselves.
    Operations {
        /// All kinds together; none: a closed loop.
        per_s: Option<f64>,
        /// Kinds with their shares, which together are 1.
        kinds: Vec<(Operation, f64)>,
        /// Operations of each kind one after the other, round and round, instead of a draw for each.
        cycle: Option<Vec<u64>>,
    },
    /// Transactions of many reads.
    Transactions {
        /// Whole transactions.
        per_s: f64,
        /// Reads of each.
        reads: u32,
        /// Keys of one request: 1 are single reads.
        batch: u32,
        /// How requests of one transaction follow each other.
        scheduling: Scheduling,
        /// Requests of one transaction under way at once.
        fan_out: u32,
        /// In which it must have all its data.
        window_ns: u64,
    },
}

/// How the reads of one transaction follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheduling {
    /// One after the other, as in the original.
    Sequential,
    /// Waves: the next one begins when the last is complete.
    Barrier,
    /// A read begins when a place is free.
    Pool,
}

/// One operation, and what results call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// The whole object, or one field.
    Read(&'static str),
    /// Writes an object that is there, or one field of it.
    Update(&'static str),
    /// The next object.
    Insert(&'static str),
    /// Objects in the order of their keys, from one on.
    Scan(&'static str),
    /// A read and an update of the same object, one after the other.
    ReadModifyWrite(&'static str),
}

impl Operation {
    /// What results call it.
    #[must_use]
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
    /// Returns whether it fills the database.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.purpose == Purpose::Load
    }

    /// Returns the same load for so long, to warm the server up.
    #[must_use]
    pub(crate) fn as_warm_up(&self, duration_s: f64) -> Self {
        Self {
            name: WARM_UP.to_owned(),
            purpose: Purpose::WarmUp,
            duration_s: Some(duration_s),
            operations: None,
            ramp_s: 0.0,
            ..self.clone()
        }
    }

    /// Returns whether it adds objects while it measures.
    #[must_use]
    pub fn inserts(&self) -> bool {
        let is_insert = |(operation, _): &(Operation, f64)| matches!(operation, Operation::Insert(_));
        let inserts =
            |stream: &Stream| matches!(stream, Stream::Operations { kinds, .. } if kinds.iter().any(is_insert));
        !self.loads() && self.streams.iter().any(inserts)
    }

    /// Returns whether it overwrites objects.
    #[must_use]
    pub fn updates(&self) -> bool {
        let is_update = |(operation, _): &(Operation, f64)| matches!(operation, Operation::Update(_));
        self.streams
            .iter()
            .any(|stream| matches!(stream, Stream::Operations { kinds, .. } if kinds.iter().any(is_update)))
    }

    /// Returns whether it is what the plan is about.
    #[must_use]
    pub fn measures(&self) -> bool {
        self.purpose == Purpose::Measure
    }
}

/// Returns how many objects are loaded a second; none: as fast as the database takes them.
pub(crate) fn load_rate(per_s: Option<f64>) -> Result<Option<Rate>, String> {
    let rate = |per_s: f64| Rate::new(per_s).filter(|rate| *rate > Rate::default());
    let refused = |per_s: f64| format!("is {per_s}; it must be above 0, and at most 1e12 a second");
    per_s.map(|per_s| rate(per_s).ok_or_else(|| refused(per_s))).transpose()
}

/// Returns the stage that loads: every object once, as fast as the database takes them or at a rate.
pub(crate) fn loading(
    count: u64,
    name: &'static str,
    per_s: Option<f64>,
    (connections, pipeline): (u64, u32),
) -> Stage {
    Stage {
        name: "load".to_owned(),
        purpose: Purpose::Load,
        duration_s: per_s.map(|per_s| count as f64 / per_s),
        operations: Some(count),
        ramp_s: 0.0,
        connections,
        pipeline,
        law: Law::Sequential,
        update_law: None,
        scans: None,
        part: Part::ALONE,
        load_from: 0,
        streams: vec![Stream::Operations { per_s, kinds: vec![(Operation::Insert(name), 1.0)], cycle: None }],
    }
}
