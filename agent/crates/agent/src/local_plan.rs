//! Plans that measure drives of this machine. The drives or the folder are chosen on this machine, never by the plan.

use std::path::Path;

use serde_json::Value;

use crate::campaign_phases;
use crate::cli::RunArgs;
use crate::drives::{self, DriveLadder};
use crate::failure::{Failure, read_text};
use crate::sync_write::{self, SyncWriteCampaign};

/// The `workload` of each such plan, which is also a capability of this agent.
pub const WORKLOADS: [&str; 2] = [drives::WORKLOAD, sync_write::WORKLOAD];

/// A plan that measures drives of this machine.
#[derive(Debug, Clone, PartialEq)]
pub enum LocalPlan {
    /// Reads of drives at increasing loads.
    DriveLadder(DriveLadder),
    /// Writes that are made durable one after another.
    SyncWrite(SyncWriteCampaign),
}

impl LocalPlan {
    /// Parses the text of a plan; returns `None` if its workload is of another kind.
    pub fn in_text(text: &str) -> Option<Result<Self, String>> {
        let table: toml::Table = text.parse().ok()?;
        match table.get("workload")?.as_str()? {
            drives::WORKLOAD => Some(DriveLadder::parse(text).map(Self::DriveLadder)),
            sync_write::WORKLOAD => Some(SyncWriteCampaign::parse(text).map(Self::SyncWrite)),
            _ => None,
        }
    }

    /// Reads a plan file; returns `None` if its workload is of another kind.
    pub fn in_file(path: &Path) -> Result<Option<Self>, Failure> {
        let text = read_text("the plan", path)?;
        let plan = Self::in_text(&text).transpose();
        plan.map_err(|sentence| Failure::Usage(format!("{}: {sentence}", path.display())))
    }

    /// Returns the explanation that `explain` prints.
    pub fn explained(&self) -> Value {
        match self {
            Self::DriveLadder(ladder) => ladder.explained(),
            Self::SyncWrite(plan) => plan.explained(),
        }
    }

    pub fn run(&self, args: &RunArgs) -> Result<(), Failure> {
        let phases = match self {
            Self::DriveLadder(ladder) => drives::phases(args, ladder)?,
            Self::SyncWrite(plan) => sync_write::phases(args, plan)?,
        };
        campaign_phases::carry_out(args, self.explained()["phases"].take(), &phases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_of_databases_are_others() {
        assert!(LocalPlan::in_text("workload = \"fraud\"").is_none());
        assert!(LocalPlan::in_text("recordcount=10").is_none());
        for workload in WORKLOADS {
            assert!(LocalPlan::in_text(&format!("workload = \"{workload}\"")).expect("a plan").is_ok(), "{workload}");
        }
    }
}
