//! What can be wrong with a plan, whichever workload it is for.

/// More hosts than this are a typing error.
pub const MOST_AGENTS: u32 = 10_000;

/// What is wrong with a plan: where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Not readable at all.
    #[error("{}{sentence}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Unreadable {
        /// Counted from 1.
        line: Option<usize>,
        /// What is wrong there.
        sentence: String,
    },
    /// A field is outside of what it may be.
    #[error("{field}: {sentence}")]
    Field {
        /// As in the file.
        field: String,
        /// What it is, and what it may be.
        sentence: String,
    },
}

impl PlanError {
    /// About one field.
    pub fn field(field: &str, sentence: impl Into<String>) -> Self {
        Self::Field { field: field.to_owned(), sentence: sentence.into() }
    }
}

/// At least one agent, and no absurd number.
pub(crate) fn check_agents(agents: u32) -> Result<u32, PlanError> {
    if (1..=MOST_AGENTS).contains(&agents) {
        return Ok(agents);
    }
    Err(PlanError::field("agents", format!("is {agents}; it must lie between 1 and {MOST_AGENTS}")))
}
