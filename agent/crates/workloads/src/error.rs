//! Errors of plans of any workload.

use std::ops::RangeInclusive;

/// Largest number of agents; more are assumed to be a typing error.
pub const MOST_AGENTS: u32 = 10_000;

/// Error in a plan, with its place and a remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The plan cannot be parsed. Lines are counted from 1.
    #[error("{}{sentence}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Unreadable { line: Option<usize>, sentence: String },
    #[error("{field}: {sentence}")]
    Field { field: String, sentence: String },
}

impl PlanError {
    /// Returns the error of a TOML text, with its line and the field that this line sets.
    pub fn toml(text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map(|span| text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1);
        let field = line
            .and_then(|line| text.lines().nth(line - 1)?.split_once('='))
            .map_or("", |(key, _)| key.trim_matches([' ', '{']));
        let mut sentence = error.message().to_owned();
        for (kind, words) in
            [("u64", "a whole number from 0 on"), ("u32", "a whole number from 0 on"), ("f64", "a number")]
        {
            sentence = sentence.replace(&format!("expected {kind}"), &format!("expected {words}"));
        }
        if !field.is_empty() && !sentence.contains(&format!("`{field}`")) {
            sentence.insert_str(0, &format!("{field}: "));
        }
        Self::Unreadable { line, sentence }
    }

    /// Returns an error unless the value of a field lies in `range`.
    pub fn within(field: &str, value: u64, range: RangeInclusive<u64>) -> Result<(), Self> {
        let sentence = format!("is {value}; it must lie between {} and {}", range.start(), range.end());
        Self::require(range.contains(&value), field, sentence)
    }

    /// Returns an error about one field unless its value holds.
    pub fn require(holds: bool, field: &str, sentence: impl Into<String>) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(Self::field(field, sentence)) }
    }

    /// Returns an error about one field.
    pub fn field(field: &str, sentence: impl Into<String>) -> Self {
        Self::Field { field: field.to_owned(), sentence: sentence.into() }
    }
}

pub(crate) fn check_agents(agents: u32) -> Result<u32, PlanError> {
    PlanError::within("agents", agents.into(), 1..=MOST_AGENTS.into()).map(|()| agents)
}
