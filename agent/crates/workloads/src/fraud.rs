//! The fraud report's workload: phases of reads and updates at rising rates, with reads in transactions.

use std::collections::BTreeMap;

use keys::name::Naming;
use serde::Deserialize;

use crate::error::{PlanError, check_agents};
use crate::expectation;
use crate::explanation::{AgentPart, Dataset, Explanation, LOAD, LoopKind, Phase, WARM_UP, split_connections};
use crate::job::{self, Job, ObjectSpec, Operation, Scheduling, Shape, Stage, Stream};
use crate::rate::Rate;
use crate::size::Size;

/// Name, reads per second and updates per second of the phases of the report.
const LADDER: [(&str, f64, f64); 5] = [
    ("P1", 1_000_000.0, 0.0),
    ("P2", 1_000_000.0, 250_000.0),
    ("P3", 1_000_000.0, 500_000.0),
    ("P4", 2_000_000.0, 500_000.0),
    ("P5", 3_000_000.0, 500_000.0),
];
const ASSUMED_LATENCY_S: f64 = 1e-3;
const MOST_READS: u32 = 1_000_000;
const MOST_KEYS_OF_A_BATCH: u64 = 10_000;

/// The section `[fraud]` of a plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FraudLadder {
    /// Factor by which the report's rates are multiplied.
    pub factor: f64,
    /// Phases that replace those of the report; empty for the report's.
    pub phases: Vec<Step>,
    pub reads_per_transaction: u32,
    /// Number of reads of a transaction that are under way at once.
    pub fan_out: u32,
    /// Number of keys in a request; above 1, a transaction reads by multi-gets.
    pub batch: u32,
    /// Time within which a transaction must have all its data, in milliseconds.
    pub window_ms: u64,
    /// Order of the reads of a transaction.
    pub scheduling: Scheduling,
    /// Whether reads are grouped into transactions.
    pub reads: Reads,
    /// Number of agents that share the load.
    pub agents: u32,
    /// Number of objects that are loaded first.
    pub objects: u64,
    pub object_bytes: u32,
    /// Number of replicas that the database stores.
    pub replication_factor: u32,
    /// Objects loaded per second; as fast as the database accepts them if `None`.
    pub load_per_s: Option<f64>,
    /// Length of a warm-up phase with the load of the first phase, in seconds; 0 for none.
    pub warm_up_s: f64,
    /// Length of the ramp before each phase, in seconds.
    pub ramp_s: f64,
    /// Length of the measurement of each phase, in seconds.
    pub measure_s: f64,
    /// Number of connections over all agents.
    pub connections: u64,
    /// Number of requests under way on a connection.
    pub pipeline: u32,
}

/// A phase of the plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub name: String,
    /// Reads per second, counted individually.
    pub reads_per_s: f64,
    /// Overwrites of whole objects per second.
    #[serde(default)]
    pub updates_per_s: f64,
    /// Length of the measurement in seconds; `measure_s` of the plan if `None`.
    pub measure_s: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reads {
    /// Reads are grouped into transactions, which are timed as a whole.
    Transactions,
    /// Reads are independent of each other.
    Independent,
}

impl Default for FraudLadder {
    fn default() -> Self {
        Self {
            factor: 1.0,
            phases: Vec::new(),
            reads_per_transaction: 250,
            fan_out: 1,
            batch: 1,
            window_ms: 1_000,
            scheduling: Scheduling::Sequential,
            reads: Reads::Transactions,
            agents: 1,
            objects: 2_000_000_000,
            object_bytes: 900,
            replication_factor: 2,
            load_per_s: None,
            warm_up_s: 0.0,
            ramp_s: 600.0,
            measure_s: 600.0,
            connections: 64,
            pipeline: 1,
        }
    }
}

impl FraudLadder {
    /// Returns the explanation of the plan for `agents` agents; the plan's number if `None`.
    pub fn explain(&self, agents: Option<u32>) -> Result<Explanation, PlanError> {
        let agents = check_agents(agents.unwrap_or(self.agents))?;
        self.check(agents)?;
        let connections = split_connections(self.connections, agents);
        let load_rate = self.load_per_s.map(|per_s| rate_of("load_per_s", per_s)).transpose()?;
        let load = Phase::loading("insert", self.objects, load_rate, self.connections, agents);
        let phases = self.steps().iter().map(|step| self.phase(step, &connections)).collect::<Result<Vec<_>, _>>()?;
        let warm_up = phases.first().and_then(|first| first.warm_up(self.warm_up_s));
        Ok(Explanation {
            workload: "fraud",
            phases: std::iter::once(load).chain(warm_up).chain(phases).collect(),
            dataset: Dataset::new(0, self.objects, Some(self.object_bytes.into()), self.replication_factor, agents),
            differs_from_original: self.differences(),
            notices: self.notices(),
        })
    }

    /// Returns the job of a single agent.
    pub fn job(&self) -> Result<Job, PlanError> {
        let explanation = self.explain(Some(1))?;
        let stage = |phase: &Phase| -> Stage {
            let per_s = |operation: &str| phase.operations_per_s[operation].map_or(0.0, Rate::per_s);
            let mut streams = Vec::new();
            let mut operations = |per_s: f64, operation| {
                if per_s > 0.0 {
                    let kinds = vec![(operation, 1.0)];
                    streams.push(Stream::Operations { per_s: Some(per_s), kinds, cycle: None });
                }
            };
            operations(per_s("update"), Operation::Update("update"));
            match phase.transactions_per_s {
                Some(rate) if rate > Rate::default() => streams.push(Stream::Transactions {
                    per_s: rate.per_s(),
                    reads: self.reads_per_transaction,
                    batch: self.batch,
                    scheduling: self.scheduling,
                    fan_out: self.fan_out,
                    window_ns: self.window_ms * 1_000_000,
                }),
                Some(_) => {}
                None => operations(per_s("read"), Operation::Read("read")),
            }
            Stage { streams, ..Stage::of_phase(phase, self.connections, self.pipeline) }
        };
        let load = job::loading(&explanation.phases[0], "insert", self.connections);
        Ok(Job {
            objects: ObjectSpec {
                naming: Naming::Fraud,
                first: 0,
                count: self.objects,
                shape: Shape::Value { bytes: Size::Constant(self.object_bytes) },
                expiry_s: None,
                may_be_absent: false,
            },
            stages: std::iter::once(load).chain(explanation.phases[1..].iter().map(stage)).collect(),
            explanation,
        })
    }

    /// Returns the plan with `phase` alone, at `per_s` reads and updates per second.
    pub(crate) fn at_load(&self, phase: &str, per_s: f64, measure_s: f64) -> Result<Self, PlanError> {
        let step = self.steps().into_iter().find(|step| step.name == phase);
        let step = step.ok_or_else(|| PlanError::field("phases", format!("has no phase {phase}")))?;
        let times = per_s / (step.reads_per_s + step.updates_per_s);
        let step = Step {
            reads_per_s: step.reads_per_s * times,
            updates_per_s: step.updates_per_s * times,
            measure_s: Some(measure_s),
            ..step
        };
        Ok(Self { phases: vec![step], ..self.clone() })
    }

    fn steps(&self) -> Vec<Step> {
        if !self.phases.is_empty() {
            return self.phases.clone();
        }
        let step = |(name, reads, updates): (&str, f64, f64)| Step {
            name: name.into(),
            reads_per_s: reads * self.factor,
            updates_per_s: updates * self.factor,
            measure_s: None,
        };
        LADDER.into_iter().map(step).collect()
    }

    fn phase(&self, step: &Step, connections: &[u64]) -> Result<Phase, PlanError> {
        let agents = u32::try_from(connections.len()).unwrap_or(u32::MAX);
        let updates = rate_of("updates_per_s", step.updates_per_s)?;
        // Transactions are divided first and reads derived from them, so that each agent runs whole transactions.
        let transactions = match self.reads {
            Reads::Transactions => {
                Some(rate_of("reads_per_s", step.reads_per_s / f64::from(self.reads_per_transaction))?)
            }
            Reads::Independent => None,
        };
        let alone = rate_of("reads_per_s", step.reads_per_s)?;
        let reads_of = |transactions: Rate| transactions.times(self.reads_per_transaction);
        let transaction_parts = transactions.map(|rate| rate.split(agents));
        let read_parts = match &transaction_parts {
            Some(parts) => parts.iter().map(|&rate| reads_of(rate)).collect(),
            None => alone.split(agents),
        };
        let update_parts = updates.split(agents);
        let operations = |reads, updates| BTreeMap::from([("read", Some(reads)), ("update", Some(updates))]);
        let measure_s = step.measure_s.unwrap_or(self.measure_s);
        positive("measure_s", measure_s)?;
        Ok(Phase {
            name: step.name.clone(),
            duration_s: Some(measure_s),
            ramp_s: self.ramp_s,
            operations: None,
            loop_kind: LoopKind::Open,
            operations_per_s: operations(transactions.map_or(alone, reads_of), updates),
            mix: BTreeMap::new(),
            transactions_per_s: transactions,
            by_agent: connections
                .iter()
                .enumerate()
                .map(|(agent, &connections)| AgentPart {
                    operations_per_s: operations(read_parts[agent], update_parts[agent]),
                    transactions_per_s: transaction_parts.as_ref().map(|parts| parts[agent]),
                    connections,
                    inserts: None,
                })
                .collect(),
        })
    }

    fn check(&self, agents: u32) -> Result<(), PlanError> {
        positive("factor", self.factor)?;
        positive("measure_s", self.measure_s)?;
        for (field, seconds) in [("ramp_s", self.ramp_s), ("warm_up_s", self.warm_up_s)] {
            let is_time = seconds.is_finite() && seconds >= 0.0;
            PlanError::require(is_time, field, format!("is {seconds}; it must be 0 or more"))?;
        }
        if let Some(per_s) = self.load_per_s {
            positive("load_per_s", per_s)?;
        }
        let mut names = vec![LOAD, WARM_UP];
        for Step { name, .. } in &self.phases {
            if names.contains(&name.as_str()) {
                let sentence = format!("`{name}` comes twice; each phase needs a name of its own");
                return Err(PlanError::field("phases", sentence));
            }
            names.push(name);
        }
        PlanError::within("reads_per_transaction", self.reads_per_transaction.into(), 1..=MOST_READS.into())?;
        PlanError::within("fan_out", self.fan_out.into(), 1..=self.reads_per_transaction.into())?;
        PlanError::within(
            "batch",
            self.batch.into(),
            1..=u64::from(self.reads_per_transaction).min(MOST_KEYS_OF_A_BATCH),
        )?;
        PlanError::within("window_ms", self.window_ms, 1..=3_600_000)?;
        PlanError::within("pipeline", self.pipeline.into(), 1..=1_024)?;
        PlanError::within("objects", self.objects, 1..=u64::MAX / 2)?;
        PlanError::within("object_bytes", self.object_bytes.into(), 1..=64 << 20)?;
        PlanError::within("replication_factor", self.replication_factor.into(), 1..=16)?;
        PlanError::within("connections", self.connections, agents.into()..=1 << 20)?;
        let sentence = format!(
            "is {}, but sequential reads are one at a time; choose scheduling = \"barrier\" or \"pool\"",
            self.fan_out
        );
        PlanError::require(self.scheduling != Scheduling::Sequential || self.fan_out == 1, "fan_out", sentence)
    }

    /// Returns notices about consequences of the plan's numbers.
    fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        if self.reads == Reads::Transactions && self.reads_per_transaction > 1 {
            let (different, all) = expectation::distinct(self.objects, self.reads_per_transaction);
            notices.push(format!(
                "Keys of a transaction are drawn with replacement, as in the original: of {} reads {different:.2} keys are \
                 different on average, and all of them in {:.2} % of transactions.",
                self.reads_per_transaction,
                all * 100.0
            ));
        }
        let all = |step: &Step| {
            let reads = if self.reads == Reads::Transactions { f64::from(self.batch) } else { 1.0 };
            step.reads_per_s / reads + step.updates_per_s
        };
        let most_per_s = self.steps().iter().map(all).fold(0.0, f64::max);
        // Little's law.
        let under_way = most_per_s * ASSUMED_LATENCY_S;
        let slots = self.connections.saturating_mul(self.pipeline.into());
        if under_way > slots as f64 {
            notices.push(format!(
                "If a request took 1 ms, the fastest phase would have {under_way:.0} under way; {} connections with pipeline \
                 {} carry {slots}. With pipeline {} they would carry them.",
                self.connections,
                self.pipeline,
                expectation::least_pipeline(under_way, self.connections)
            ));
        }
        notices
    }

    fn differences(&self) -> Vec<String> {
        let mut differences = vec![
            "Reads and updates are two schedules of their own; the original draws each operation, in whole per cent.".into(),
            "Open loop: operations keep their intended time when the database stalls; the original sleeps to the end of the \
             second."
                .into(),
            "Values differ from object to object; the original writes one fixed byte string to all objects.".into(),
        ];
        match self.reads {
            Reads::Transactions => differences.push(
                "A failed or timed-out read makes its transaction a miss; the original counts it silently as done."
                    .into(),
            ),
            Reads::Independent => {
                differences
                    .push("Reads come one by one, without transactions: the report does not say which it did.".into());
            }
        }
        if self.reads == Reads::Transactions && self.scheduling != Scheduling::Sequential {
            let how = if self.scheduling == Scheduling::Barrier { "in waves of" } else { "through a pool of" };
            differences
                .push(format!("A transaction reads {how} {}; the original reads one after the other.", self.fan_out));
        }
        if self.reads == Reads::Transactions && self.batch > 1 {
            differences.push(format!("Reads come as multi-gets of up to {} keys, recorded as such.", self.batch));
        }
        if !self.phases.is_empty() {
            differences.push("The phases are the plan's own, not the report's.".into());
        } else if (self.factor - 1.0).abs() > f64::EPSILON {
            differences.push(format!("Rates are the report's times {}.", self.factor));
        }
        let size = (self.objects, self.object_bytes);
        if size != (2_000_000_000, 900) {
            differences.push(format!("{} objects of {} B; the report has 2000000000 of 900 B.", size.0, size.1));
        }
        differences
    }
}

fn rate_of(field: &str, per_s: f64) -> Result<Rate, PlanError> {
    Rate::new(per_s)
        .ok_or_else(|| PlanError::field(field, format!("is {per_s}; it must be 0 or more, and at most 1e12 a second")))
}

fn positive(field: &str, value: f64) -> Result<(), PlanError> {
    PlanError::require(value.is_finite() && value > 0.0, field, format!("is {value}; it must be above 0"))
}
