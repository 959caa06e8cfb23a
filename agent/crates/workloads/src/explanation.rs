//! Explanation of a plan: the load of each agent in each phase, and the differences from the original benchmark.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::PlanError;
use crate::rate::Rate;

/// Explanation of a plan, computed before any connection is opened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    pub workload: &'static str,
    /// Phases in the order in which they run.
    pub phases: Vec<Phase>,
    pub dataset: Dataset,
    /// Differences of requests, clocks or data from the original benchmark.
    pub differs_from_original: Vec<String>,
    /// Notices about parts of the plan that have no effect or a different effect, with their lines if known.
    pub notices: Vec<String>,
}

impl Explanation {
    /// Checks that every agent has work in every phase, so that an explained plan can be run.
    pub(crate) fn checked(self) -> Result<Self, PlanError> {
        for phase in &self.phases {
            let (name, agents) = (&phase.name, phase.by_agent.len());
            if let Some(count) = phase.operations.filter(|count| *count < agents as u64) {
                let sentence =
                    format!("is {agents}; phase {name} has {count} operations, so use {count} agents at most");
                return Err(PlanError::field("agents", sentence));
            }
            if phase.by_agent.iter().all(AgentPart::is_idle) {
                let sentence =
                    format!("{name} asks for nothing; give it a rate of 0.001 a second for each agent at least");
                return Err(PlanError::field("phases", sentence));
            }
            if let Some((agent, _)) = (1..).zip(&phase.by_agent).find(|(_, part)| part.is_idle()) {
                let sentence = format!(
                    "is {agents}; in phase {name} nothing is left for agent {agent}, so use fewer agents or a higher rate"
                );
                return Err(PlanError::field("agents", sentence));
            }
        }
        Ok(self)
    }
}

/// Name of the phase that loads the objects.
pub const LOAD: &str = "load";
/// Name of the warm-up phase.
pub const WARM_UP: &str = "warm-up";

/// One phase. A closed loop has no rates: it runs as fast as the database answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Phase {
    pub name: String,
    /// Length of the measurement in seconds; `None` if a number of operations ends it.
    pub duration_s: Option<f64>,
    /// Length of the ramp before the phase in seconds, during which nothing is recorded.
    pub ramp_s: f64,
    /// Number of operations after which the phase ends; `None` if it ends by time.
    pub operations: Option<u64>,
    #[serde(rename = "loop")]
    pub loop_kind: LoopKind,
    /// Rate of each operation; `None` in a closed loop.
    pub operations_per_s: BTreeMap<&'static str, Option<Rate>>,
    /// Share of each operation, if operations are drawn at random.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mix: BTreeMap<&'static str, f64>,
    /// Rate of whole transactions; `None` without transactions.
    pub transactions_per_s: Option<Rate>,
    pub by_agent: Vec<AgentPart>,
}

impl Phase {
    /// Returns a phase whose operations are drawn by `mix`, at a rate or, if it is `None`, as fast as the database answers.
    pub fn drawn(
        name: &str,
        rate: Option<Rate>,
        mix: &BTreeMap<&'static str, f64>,
        connections: u64,
        agents: u32,
    ) -> Self {
        let by_operation = |rate: Option<Rate>| -> BTreeMap<&'static str, Option<Rate>> {
            let part = |share: f64| rate.and_then(|rate| Rate::new(rate.per_s() * share));
            mix.iter().map(|(&operation, &share)| (operation, part(share))).collect()
        };
        let parts = rate.map(|rate| rate.split(agents));
        let part_of = |(agent, connections)| AgentPart {
            operations_per_s: by_operation(parts.as_ref().map(|parts: &Vec<Rate>| parts[agent])),
            transactions_per_s: None,
            connections,
            inserts: None,
        };
        Self {
            name: name.to_owned(),
            duration_s: None,
            ramp_s: 0.0,
            operations: None,
            loop_kind: if rate.is_some() { LoopKind::Open } else { LoopKind::Closed },
            operations_per_s: by_operation(rate),
            mix: mix.clone(),
            transactions_per_s: None,
            by_agent: split_connections(connections, agents).into_iter().enumerate().map(part_of).collect(),
        }
    }

    /// Returns the phase that loads `objects` objects, at a rate or, if it is `None`, as fast as the database answers.
    pub fn loading(name: &'static str, objects: u64, rate: Option<Rate>, connections: u64, agents: u32) -> Self {
        Self {
            duration_s: rate.map(|rate| objects as f64 / rate.per_s()),
            operations: Some(objects),
            ..Self::drawn(LOAD, rate, &BTreeMap::from([(name, 1.0)]), connections, agents)
        }
    }

    /// Returns a warm-up phase of length `duration_s` with the same load; none if that is 0.
    pub(crate) fn warm_up(&self, duration_s: f64) -> Option<Self> {
        (duration_s > 0.0).then(|| Self {
            name: WARM_UP.to_owned(),
            duration_s: Some(duration_s),
            ramp_s: 0.0,
            operations: None,
            ..self.clone()
        })
    }

    /// Returns the phase with inserts from key `end` on, split among the agents, if its mix has inserts.
    pub fn inserting_from(mut self, end: u64) -> Self {
        if self.mix.contains_key("insert") {
            let every = self.by_agent.len() as u64;
            for (first, part) in (end..).zip(&mut self.by_agent) {
                part.inserts = Some(Stripe { first, every });
            }
        }
        self
    }
}

/// Kind of loop: the event that starts the next operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopKind {
    /// The schedule starts operations.
    Open,
    /// The end of the previous operation starts the next. Such a run cannot prove a PASS.
    Closed,
}

/// Load of one agent in a phase.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentPart {
    /// Rate of each operation; `None` in a closed loop.
    pub operations_per_s: BTreeMap<&'static str, Option<Rate>>,
    /// Rate of whole transactions; `None` without transactions.
    pub transactions_per_s: Option<Rate>,
    pub connections: u64,
    /// Keys that the agent inserts while it measures; `None` without inserts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inserts: Option<Stripe>,
}

impl AgentPart {
    /// Returns whether the agent has no work: its rates are 0 and the loop is open.
    fn is_idle(&self) -> bool {
        let rates = self.operations_per_s.values().copied().chain([Some(self.transactions_per_s.unwrap_or_default())]);
        rates.into_iter().all(|rate| rate == Some(Rate::default()))
    }
}

/// Every `every`-th key number from `first` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Stripe {
    pub first: u64,
    /// Distance between key numbers.
    pub every: u64,
}

/// Data that is loaded before the measurement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dataset {
    pub objects: u64,
    /// Bytes of a value without key and overhead, the mean if sizes vary; `None` if a file determines them.
    pub object_bytes: Option<f64>,
    pub logical_bytes: Option<f64>,
    /// Bytes of all values including replicas.
    pub replicated_bytes: Option<f64>,
    /// Range of key numbers `[first, end)` that each agent loads.
    pub ranges: Vec<(u64, u64)>,
}

impl Dataset {
    /// Returns the data of `objects` keys from `first` on, loaded in contiguous ranges.
    pub fn new(first: u64, objects: u64, object_bytes: Option<f64>, copies: u32, agents: u32) -> Self {
        let logical_bytes = object_bytes.map(|bytes| bytes * objects as f64);
        let edge = |agent: u32| first + self::edge(objects, agent, agents);
        Self {
            objects,
            object_bytes,
            logical_bytes,
            replicated_bytes: logical_bytes.map(|bytes| bytes * f64::from(copies)),
            ranges: (0..agents).map(|agent| (edge(agent), edge(agent + 1))).collect(),
        }
    }
}

/// Returns the number of objects of the agents before `agent`.
pub(crate) fn edge(objects: u64, agent: u32, agents: u32) -> u64 {
    let edge = u128::from(objects) * u128::from(agent) / u128::from(agents.max(1));
    u64::try_from(edge).unwrap_or(objects)
}

/// Returns the number of connections of each agent, split as evenly as possible.
pub fn split_connections(connections: u64, agents: u32) -> Vec<u64> {
    (0..agents).map(|agent| edge(connections, agent + 1, agents) - edge(connections, agent, agents)).collect()
}
