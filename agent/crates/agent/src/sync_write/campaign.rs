//! Synchronous writes as the plan of a campaign: sizes and times, in a folder that the owner of each machine listed.
//!
//! The file is new, has 64 MiB and is unlinked at once; no plan names a device or an existing file.

use device::sync_write::{OPERATION, SyncWritePlan};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::messages::RunId;
use workloads::error::PlanError;

use super::size_run::{SyncWriteRun, file_in};
use crate::campaign_phases::Phase;
use crate::cli::RunArgs;
use crate::failure::Failure;
use crate::summary::size;

/// The `workload` of such a plan, and the capability of agents that support it.
pub const WORKLOAD: &str = "sync-write";
/// Most sizes of a plan; more are probably a mistake.
const MOST_SIZES: usize = 16;
const LONGEST_S: u64 = 86_400;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "workload")]
    _workload: String,
    title: Option<String>,
    #[serde(default)]
    sync_write: SyncWriteCampaign,
}

/// The section `[sync_write]` of a plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SyncWriteCampaign {
    /// Title of the plan, if its file has one.
    #[serde(skip)]
    pub title: Option<String>,
    /// Size of a write in bytes, for each phase.
    pub block_bytes: Vec<u32>,
    /// Duration of each phase, in seconds.
    pub measure_s: u64,
}

impl Default for SyncWriteCampaign {
    fn default() -> Self {
        Self { title: None, block_bytes: vec![4096, 8192], measure_s: 60 }
    }
}

impl SyncWriteCampaign {
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| PlanError::toml(text, &error).to_string())?;
        let plan = Self { title: file.title, ..file.sync_write };
        if !(1..=MOST_SIZES).contains(&plan.block_bytes.len()) {
            return Err(format!("block_bytes: has {}; 1 to {MOST_SIZES} are possible", plan.block_bytes.len()));
        }
        PlanError::within("measure_s", plan.measure_s, 1..=LONGEST_S).map_err(|error| error.to_string())?;
        for block in &plan.block_bytes {
            SyncWritePlan::new("a file".into(), *block).map_err(|error| error.to_string())?;
        }
        Ok(plan)
    }

    /// Returns the explanation that `explain` prints.
    pub fn explained(&self) -> Value {
        let phase = |block: &u32| {
            json!({
                "name": size(*block), "duration_s": self.measure_s, "ramp_s": 0, "operations": null, "loop": "closed",
                "operations_per_s": {OPERATION: null}, "transactions_per_s": null, "by_agent": [],
            })
        };
        json!({
            "workload": WORKLOAD,
            "phases": self.block_bytes.iter().map(phase).collect::<Vec<_>>(),
            "differs_from_original": [],
            "notices": ["Each agent writes one block behind the other, fdatasync after each, in a new file of 64 MiB."],
        })
    }

    /// Returns the duration of all phases, in seconds.
    pub fn all_s(&self) -> f64 {
        self.block_bytes.len() as f64 * self.measure_s as f64
    }
}

/// Returns the phases of a plan in the folder that the arguments name.
pub fn phases(args: &RunArgs, plan: &SyncWriteCampaign) -> Result<Vec<Phase>, Failure> {
    let Some(folder) = &args.campaign.folder else {
        return Err(Failure::Usage(
            "synchronous writes of a campaign need --folder; on this machine alone: tailroom-agent sync-write --folder …"
                .to_owned(),
        ));
    };
    let title = args.campaign.title.as_deref().or(plan.title.as_deref()).unwrap_or("Synchronous writes");
    let phase = |block: &u32| {
        let write = SyncWritePlan::new(file_in(folder), *block).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Phase {
            name: size(*block),
            ramp_s: 0,
            run_id: RunId::new(),
            measured: Box::new(SyncWriteRun::new(write, title, plan.measure_s)?),
        })
    };
    plan.block_bytes.iter().map(phase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(more: &str) -> Result<SyncWriteCampaign, String> {
        SyncWriteCampaign::parse(&format!("workload = \"sync-write\"\n[sync_write]\n{more}"))
    }

    #[test]
    fn a_plan_says_sizes_and_times_and_nothing_else() {
        let usual = SyncWriteCampaign::parse("workload = \"sync-write\"").expect("a plan");
        assert_eq!((usual.block_bytes.clone(), usual.all_s()), (vec![4096, 8192], 120.0));
        let plan = parsed("block_bytes = [512, 16384]\nmeasure_s = 3").expect("a plan");
        let names: Vec<_> =
            plan.explained()["phases"].as_array().expect("phases").iter().map(|phase| phase["name"].clone()).collect();
        assert_eq!(names, ["512 B", "16 KiB"]);
        for (bad, reason) in [
            ("block_bytes = []", "block_bytes: has 0"),
            ("block_bytes = [1000]", "multiple of 512"),
            ("measure_s = 0", "measure_s: is 0"),
            ("path = \"/etc/passwd\"", "unknown field `path`"),
            ("folder = \"/\"", "unknown field `folder`"),
        ] {
            let refusal = parsed(bad).expect_err("refused");
            assert!(refusal.contains(reason), "{bad}: {refusal}");
        }
    }
}
