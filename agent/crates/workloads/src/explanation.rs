//! A plan spelled out: what each agent does in each phase, and what differs from the original.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::PlanError;
use crate::rate::Rate;

/// Everything that a plan means, before anything is connected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Which workload.
    pub workload: &'static str,
    /// In the order in which they run.
    pub phases: Vec<Phase>,
    /// What is loaded.
    pub dataset: Dataset,
    /// In which points requests, clocks or data differ from the original's.
    pub differs_from_original: Vec<String>,
    /// What in the plan has no effect, or is done otherwise than written; with its line where there is one.
    pub notices: Vec<String>,
}

impl Explanation {
    /// Checks that every agent has work in every phase, so that every explained plan can be run.
    ///
    /// # Errors
    /// Names the phase, and whom nothing is left for.
    pub(crate) fn checked(self) -> Result<Self, PlanError> {
        for phase in &self.phases {
            let (name, agents) = (&phase.name, phase.by_agent.len());
            if let Some(count) = phase.operations.filter(|count| *count < agents as u64) {
                let sentence =
                    format!("is {agents}; phase {name} has {count} operations, so use {count} agents at most");
                return Err(PlanError::field("agents", sentence));
            }
            let idle = phase.by_agent.iter().position(AgentPart::is_idle);
            match idle {
                None => {}
                Some(_) if phase.by_agent.iter().all(AgentPart::is_idle) => {
                    let sentence =
                        format!("{name} asks for nothing; give it a rate of 0.001 a second for each agent at least");
                    return Err(PlanError::field("phases", sentence));
                }
                Some(agent) => {
                    let sentence = format!(
                        "is {agents}; in phase {name} nothing is left for agent {}, so use fewer agents or a higher rate",
                        agent + 1
                    );
                    return Err(PlanError::field("agents", sentence));
                }
            }
        }
        Ok(self)
    }
}

/// What the phase before the measured ones is called, where a plan asks for it.
pub const WARM_UP: &str = "warm-up";

/// One phase. A closed loop has no rates: it goes as fast as the database answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Phase {
    /// Its name in the results.
    pub name: String,
    /// How long it measures; none where a number of operations ends it.
    pub duration_s: Option<f64>,
    /// Ramp before it; what happens in it is not recorded.
    pub ramp_s: f64,
    /// Operations after which it ends; none where time does.
    pub operations: Option<u64>,
    /// `open` or `closed`.
    #[serde(rename = "loop")]
    pub loop_kind: LoopKind,
    /// By operation; null in a closed loop.
    pub operations_per_s: BTreeMap<&'static str, Option<Rate>>,
    /// Share of each operation, where operations are drawn.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mix: BTreeMap<&'static str, f64>,
    /// Whole transactions; null without any.
    pub transactions_per_s: Option<Rate>,
    /// The part of each agent.
    pub by_agent: Vec<AgentPart>,
}

impl Phase {
    /// Returns a phase whose operations are drawn by `mix`, at a rate or as fast as the database answers.
    #[must_use]
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
}

impl Phase {
    /// Returns the phase that loads so many objects, at a rate or as fast as the database takes them.
    #[must_use]
    pub fn loading(name: &'static str, objects: u64, rate: Option<Rate>, connections: u64, agents: u32) -> Self {
        Self {
            duration_s: rate.map(|rate| objects as f64 / rate.per_s()),
            operations: Some(objects),
            ..Self::drawn("load", rate, &BTreeMap::from([(name, 1.0)]), connections, agents)
        }
    }

    /// Returns the same where objects are inserted behind those up to `end`, if its mix has inserts.
    #[must_use]
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

/// Who decides when the next operation begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopKind {
    /// The schedule.
    Open,
    /// The end of the previous operation: such a run proves no PASS.
    Closed,
}

/// What one agent does in a phase.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentPart {
    /// By operation; null in a closed loop.
    pub operations_per_s: BTreeMap<&'static str, Option<Rate>>,
    /// Whole transactions; null without any.
    pub transactions_per_s: Option<Rate>,
    /// Connections of this agent.
    pub connections: u64,
    /// Which keys it inserts while it measures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inserts: Option<Stripe>,
}

impl AgentPart {
    /// Returns whether nothing is left for it: a rate of 0, and no closed loop.
    fn is_idle(&self) -> bool {
        let rates = self.operations_per_s.values().copied().chain([Some(self.transactions_per_s.unwrap_or_default())]);
        rates.into_iter().all(|rate| rate == Some(Rate::default()))
    }
}

/// Every so many-th key from the first on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Stripe {
    /// Its first key number.
    pub first: u64,
    /// From one to the next.
    pub every: u64,
}

/// What is loaded before anything is measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dataset {
    /// How many.
    pub objects: u64,
    /// Bytes of one value, without key and overhead; the mean where sizes vary, null where a file says them.
    pub object_bytes: Option<f64>,
    /// Of all values.
    pub logical_bytes: Option<f64>,
    /// With the copies that the database keeps.
    pub replicated_bytes: Option<f64>,
    /// Key numbers that each agent loads, `[first, end)`.
    pub ranges: Vec<(u64, u64)>,
}

impl Dataset {
    /// `objects` keys from `first` on, loaded in contiguous parts.
    #[must_use]
    pub fn new(first: u64, objects: u64, object_bytes: Option<f64>, copies: u32, agents: u32) -> Self {
        let logical_bytes = object_bytes.map(|bytes| bytes * objects as f64);
        let edge = |agent: u32| first + part(objects, agent, agents);
        Self {
            objects,
            object_bytes,
            logical_bytes,
            replicated_bytes: logical_bytes.map(|bytes| bytes * f64::from(copies)),
            ranges: (0..agents).map(|agent| (edge(agent), edge(agent + 1))).collect(),
        }
    }
}

fn part(objects: u64, agent: u32, agents: u32) -> u64 {
    let edge = u128::from(objects) * u128::from(agent) / u128::from(agents.max(1));
    u64::try_from(edge).unwrap_or(objects)
}

/// Connections of each agent: as even as possible.
#[must_use]
pub fn split_connections(connections: u64, agents: u32) -> Vec<u64> {
    (0..agents).map(|agent| part(connections, agent + 1, agents) - part(connections, agent, agents)).collect()
}
