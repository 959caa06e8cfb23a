//! Reading a plan: a TOML file of ours, or a property file of YCSB as it is.

use serde::Deserialize;

use crate::error::{PlanError, check_agents};
use crate::explanation::Explanation;
use crate::fraud::FraudLadder;
use crate::job::Job;
use crate::keyvalue::KeyValue;
use crate::part::part_of;
use crate::ycsb;

#[derive(Debug, Deserialize)]
#[serde(tag = "workload", rename_all = "kebab-case", deny_unknown_fields)]
enum File {
    Fraud {
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        fraud: FraudLadder,
    },
    Keyvalue {
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        keyvalue: KeyValue,
    },
}

/// A plan that was read, whatever its form.
#[derive(Debug)]
pub struct Plan {
    title: Option<String>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Fraud(FraudLadder),
    KeyValue(KeyValue),
    Ycsb(Box<ycsb::Workload>),
}

impl Plan {
    /// Returns whether a text is a plan of ours or YCSB's, and not one of another workload.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        let of_ours = |text: &str| {
            let table: Result<toml::Table, _> = text.parse();
            table.is_ok_and(|table| {
                matches!(table.get("workload").and_then(toml::Value::as_str), Some("fraud" | "keyvalue"))
            })
        };
        ycsb::is_property_file(text) || of_ours(text)
    }

    /// Reads a plan file's content.
    ///
    /// # Errors
    /// Names line or field.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        if ycsb::is_property_file(text) {
            return Ok(Self { title: None, kind: Kind::Ycsb(Box::new(ycsb::Workload::parse(text)?)) });
        }
        let file: File = toml::from_str(text).map_err(|error| PlanError::Unreadable {
            line: error
                .span()
                .map(|span| text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1)
                .or_else(|| line_of(text, error.message())),
            sentence: error.message().to_owned(),
        })?;
        Ok(match file {
            File::Fraud { title, fraud } => Self { title, kind: Kind::Fraud(fraud) },
            File::Keyvalue { title, keyvalue } => Self { title, kind: Kind::KeyValue(keyvalue) },
        })
    }

    /// Returns the title of the plan, where its file has one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the explanation of the plan for a number of agents (`None`: that of the plan, else one). [`Self::part`]
    /// refuses the same plans with the same errors.
    ///
    /// # Errors
    /// Names the field.
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

    /// What one agent carries out.
    ///
    /// # Errors
    /// Names what is explained and cannot be run yet.
    pub fn job(&self) -> Result<Job, PlanError> {
        match &self.kind {
            Kind::Fraud(fraud) => fraud.job(),
            Kind::KeyValue(keyvalue) => keyvalue.job(),
            Kind::Ycsb(workload) => workload.job(),
        }
    }

    /// Returns the part of `agent`, counted from 0, when so many carry the plan out together.
    ///
    /// # Errors
    /// As [`Self::explain`] and [`Self::job`].
    pub fn part(&self, agent: u32, agents: u32) -> Result<Job, PlanError> {
        let explanation = self.explain(Some(agents))?;
        let job = self.job()?;
        if agents == 1 { Ok(job) } else { part_of(job, explanation, agent, agents) }
    }
}

/// Returns the line of the setting that a message names first: the reader of a tagged enum reports no lines.
fn line_of(text: &str, message: &str) -> Option<usize> {
    let name = message.split('`').nth(1)?;
    let sets_it =
        |line: &str| line.trim_start().strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='));
    text.lines().position(sets_it).map(|place| place + 1)
}

/// Explains the content of a plan file, for so many agents (none: as the plan says, or one).
///
/// # Errors
/// Names line or field.
pub fn explain(text: &str, agents: Option<u32>) -> Result<Explanation, PlanError> {
    Plan::parse(text)?.explain(agents)
}
