//! The version of this agent.

use wire::messages::AgentVersion;

/// Returns the released version, and the commit if the build knows it (`TAILROOM_COMMIT`).
pub fn agent_version() -> AgentVersion {
    AgentVersion {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("TAILROOM_COMMIT").filter(|commit| !commit.is_empty()).map(str::to_owned),
    }
}
