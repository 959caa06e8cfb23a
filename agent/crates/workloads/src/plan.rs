//! Parsing of plans: TOML files of this project, or unchanged property files of YCSB.

use serde::Deserialize;

use crate::error::{PlanError, check_agents};
use crate::explanation::Explanation;
use crate::fraud::FraudLadder;
use crate::job::Job;
use crate::keyvalue::KeyValue;
use crate::part::part_of;
use crate::rate::Rate;
use crate::ycsb;

/// A plan file. An enum tagged by the workload would lose the lines of errors.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    workload: Workload,
    title: Option<String>,
    fraud: Option<FraudLadder>,
    keyvalue: Option<KeyValue>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Workload {
    Fraud,
    Keyvalue,
}

/// A parsed plan of any workload.
#[derive(Debug)]
pub struct Plan {
    /// Title, if the file of the plan states one.
    pub title: Option<String>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Fraud(FraudLadder),
    KeyValue(KeyValue),
    Ycsb(Box<ycsb::Workload>),
}

impl Plan {
    /// Returns whether `text` is a plan of a database workload.
    pub fn is_database_plan(text: &str) -> bool {
        let is_toml_plan = |text: &str| {
            let table: Result<toml::Table, _> = text.parse();
            table.is_ok_and(|table| {
                matches!(table.get("workload").and_then(toml::Value::as_str), Some("fraud" | "keyvalue"))
            })
        };
        ycsb::is_property_file(text) || is_toml_plan(text)
    }

    /// Parses the contents of a plan file. Fails if the text cannot be parsed or a field is invalid, with line or field.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        if ycsb::is_property_file(text) {
            return Ok(Self { title: None, kind: Kind::Ycsb(Box::new(ycsb::Workload::parse(text)?)) });
        }
        let file: File = toml::from_str(text).map_err(|error| PlanError::toml(text, &error))?;
        let kind = match (file.workload, file.fraud, file.keyvalue) {
            (Workload::Fraud, fraud, None) => Kind::Fraud(fraud.unwrap_or_default()),
            (Workload::Keyvalue, None, keyvalue) => Kind::KeyValue(keyvalue.unwrap_or_default()),
            (Workload::Fraud, _, Some(_)) => return Err(PlanError::field("keyvalue", "the workload is fraud")),
            (Workload::Keyvalue, Some(_), _) => return Err(PlanError::field("fraud", "the workload is keyvalue")),
        };
        Ok(Self { title: file.title, kind })
    }

    /// Returns the explanation of the plan for `agents` agents; the plan's number or 1 if `None`. [`Self::part`] returns the same
    /// errors for the same plans. Fails if a field is invalid or an agent would have no work.
    pub fn explain(&self, agents: Option<u32>) -> Result<Explanation, PlanError> {
        if let Some(agents) = agents {
            check_agents(agents)?;
        }
        match &self.kind {
            Kind::Fraud(fraud) => fraud.explain(agents),
            Kind::KeyValue(keyvalue) => keyvalue.explain(agents),
            Kind::Ycsb(workload) => workload.explain(agents.unwrap_or(1)),
        }?
        .checked()
    }

    /// Returns the job of a single agent.
    pub fn job(&self) -> Result<Job, PlanError> {
        match &self.kind {
            Kind::Fraud(fraud) => fraud.job(),
            Kind::KeyValue(keyvalue) => keyvalue.job(),
            Kind::Ycsb(workload) => workload.job(),
        }
    }

    /// Returns the operations per second of a phase, or `None` if the loop is closed or there is no such phase.
    pub fn load_per_s(&self, phase: &str) -> Option<f64> {
        let explanation = self.explain(Some(1)).ok()?;
        let phase = explanation.phases.iter().find(|explained| explained.name == phase)?;
        phase.operations_per_s.values().copied().map(|rate| rate.map(Rate::per_s)).sum()
    }

    /// Returns the plan with a rate of `per_s` in `phase`, measured for `measure_s` seconds, with the same mix of operations.
    /// Fails if there is no such phase or the rate is invalid.
    pub fn at_load(&self, phase: &str, per_s: f64, measure_s: u32) -> Result<Self, PlanError> {
        let kind = match &self.kind {
            Kind::Fraud(fraud) => Kind::Fraud(fraud.at_load(phase, per_s, measure_s.into())?),
            Kind::KeyValue(keyvalue) => Kind::KeyValue(KeyValue {
                rate_per_s: Some(per_s),
                rate_limiting: None,
                measure_s: measure_s.into(),
                ..keyvalue.clone()
            }),
            Kind::Ycsb(workload) => {
                let target = Rate::new(per_s).ok_or_else(|| PlanError::field("target", format!("is {per_s}")))?;
                let mut workload = workload.clone();
                (workload.target, workload.operation_count) = (Some(target), 0);
                workload.longest_s = measure_s.into();
                Kind::Ycsb(workload)
            }
        };
        Ok(Self { title: self.title.clone(), kind })
    }

    /// Returns the part of agent number `agent` (from 0) of `agents` agents.
    pub fn part(&self, agent: u32, agents: u32) -> Result<Job, PlanError> {
        let explanation = self.explain(Some(agents))?;
        let job = self.job()?;
        if agents == 1 { Ok(job) } else { part_of(job, explanation, agent, agents) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_load_keeps_the_mix_of_the_phase() {
        for (text, phase, own, rates) in [
            (
                "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\n",
                "run",
                None,
                vec![("get", 640.0), ("set", 160.0)],
            ),
            (
                "workload = \"fraud\"\n[fraud]\n[[fraud.phases]]\nname = \"A\"\nreads_per_s = 500\n[[fraud.phases]]\n\
                 name = \"B\"\nreads_per_s = 300\nupdates_per_s = 100\n",
                "B",
                Some(400.0),
                vec![("read", 600.0), ("update", 200.0)],
            ),
            (
                "recordcount=10\noperationcount=10\ntarget=50\nreadproportion=0.5\nupdateproportion=0.5\nthreadcount=2\n",
                "run",
                Some(50.0),
                vec![("read", 400.0), ("update", 400.0)],
            ),
        ] {
            let plan = Plan::parse(text).expect("a plan");
            assert_eq!(plan.load_per_s(phase), own, "{text}");
            let probe = plan.at_load(phase, 800.0, 7).expect("a probe");
            let explanation = probe.explain(Some(1)).expect("explained");
            let explained = explanation.phases.iter().find(|explained| explained.name == phase).expect("the phase");
            let of = |(name, rate): (&&'static str, &Option<Rate>)| (*name, rate.map_or(0.0, Rate::per_s));
            assert_eq!(explained.operations_per_s.iter().map(of).collect::<Vec<_>>(), rates, "{text}");
            assert_eq!(explained.duration_s, Some(7.0));
            assert_eq!(probe.load_per_s(phase), Some(800.0));
        }
    }
}
