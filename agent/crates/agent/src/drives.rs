//! The drive ladder of a campaign: increasing loads of ACT's reads on drives that the owner of this machine listed.
//!
//! Such a plan cannot write anything: it holds only loads and times, and every drive is opened for reading. The drives are chosen
//! on this machine, never by the plan.

use std::path::{Path, PathBuf};

use device::ActStoragePlan;
use serde::Deserialize;
use serde_json::{Value, json};
use wire::messages::RunId;
use workloads::error::PlanError;

use crate::campaign_phases::Phase;
use crate::cli::RunArgs;
use crate::failure::Failure;
use crate::plan::{Plan, Rung};

/// The `workload` of a drive ladder's plan, and the capability of agents that support it.
pub const WORKLOAD: &str = "drive-ladder";
const DIFFERENCES: [&str; 2] = [
    "Reads alone: ACT also writes large blocks, so nothing here is a certification by ACT's rules.",
    "Drives are read as they are; ACT fills them first.",
];
/// Most rungs of a plan; more are probably a mistake.
const MOST_RUNGS: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "workload")]
    _workload: String,
    title: Option<String>,
    #[serde(default)]
    drive_ladder: DriveLadder,
}

/// The section `[drive_ladder]` of a plan.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DriveLadder {
    /// Title of the plan, if its file has one.
    #[serde(skip)]
    pub title: Option<String>,
    /// Loads of the phases, as multiples of ACT's load on each drive: 1 is 2,000 reads of records a second, with the reads of
    /// large blocks that belong to them.
    pub loads: Vec<f64>,
    /// Ramp before each phase, in seconds; not recorded.
    pub ramp_s: u32,
    /// Duration of each phase, in seconds.
    pub measure_s: u64,
}

impl Default for DriveLadder {
    fn default() -> Self {
        Self { title: None, loads: vec![1.0, 2.0, 4.0], ramp_s: 5, measure_s: 60 }
    }
}

impl DriveLadder {
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| PlanError::toml(text, &error).to_string())?;
        let ladder = Self { title: file.title, ..file.drive_ladder };
        if !(1..=MOST_RUNGS).contains(&ladder.loads.len()) {
            return Err(format!("loads: has {}; 1 to {MOST_RUNGS} are possible", ladder.loads.len()));
        }
        // The plan names no drives, so each load is checked on a placeholder.
        for number in 0..ladder.loads.len() {
            ladder.rung(number, &["a drive".into()], "load", None).map_err(|failure| failure.to_string())?;
        }
        Ok(ladder)
    }

    /// Returns the explanation that `explain` prints. Its rates are for each drive, since the plan does not know their number.
    pub fn explained(&self) -> Value {
        let phase = |load: &f64| {
            json!({
                "name": format!("{load}x"), "duration_s": self.measure_s, "ramp_s": self.ramp_s, "operations": null,
                "loop": "open", "operations_per_s": {}, "transactions_per_s": null, "by_agent": [],
            })
        };
        json!({
            "workload": WORKLOAD,
            "phases": self.loads.iter().map(phase).collect::<Vec<_>>(),
            "differs_from_original": DIFFERENCES,
            "notices": ["1x is 2,000 reads of 1.5 KB a second beside 23.5 reads of 128 KiB, of each drive."],
        })
    }

    /// Returns the reads a second of all drives together at the highest load.
    pub fn most_reads_per_s(&self, drives: usize) -> Result<f64, String> {
        let highest = self.loads.iter().copied().fold(0.0, f64::max);
        let plan = act(highest, &vec![PathBuf::new(); drives.max(1)]);
        let rates = device::rates::rates(&plan, 1).map_err(|error| error.to_string())?;
        Ok([rates.read, rates.large_block_read].iter().flatten().map(measure::schedule::Rate::as_per_second).sum())
    }

    /// Returns the duration of all phases and ramps, in seconds.
    pub fn all_s(&self) -> f64 {
        self.loads.len() as f64 * (self.measure_s as f64 + f64::from(self.ramp_s))
    }

    /// Returns the first load as a plan for one drive.
    pub fn of_one_drive(&self, drive: &Path, title: &str) -> Result<Plan, Failure> {
        Ok(Plan { title: title.to_owned(), ..self.rung(0, &[drive.to_owned()], title, None)? })
    }

    fn rung(&self, number: usize, drives: &[PathBuf], title: &str, ladder: Option<RunId>) -> Result<Plan, Failure> {
        let load = self.loads[number];
        let step = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let title = format!("{title} · {load}x").chars().take(200).collect();
        let act = ActStoragePlan { ramp_s: self.ramp_s, ..act(load, drives) };
        let plan = Plan {
            ladder: ladder.map(|id| Rung { id: id.to_string(), step, kind: "raise".to_owned() }),
            differs_from_original: DIFFERENCES.into(),
            ..Plan::of_act(title, self.measure_s, act)
        };
        plan.complete()
    }
}

/// Returns a plan that reads existing data at `load` times the load of ACT.
fn act(load: f64, drives: &[PathBuf]) -> ActStoragePlan {
    ActStoragePlan {
        load_multiple: Some(load),
        read_only: true,
        reads_existing: true,
        further_paths: drives.iter().skip(1).cloned().collect(),
        ..ActStoragePlan::new(drives.first().cloned().unwrap_or_default())
    }
}

/// Returns the phases of a ladder on the drives that the arguments name.
pub fn phases(args: &RunArgs, ladder: &DriveLadder) -> Result<Vec<Phase>, Failure> {
    let drives = &args.campaign.drives;
    if drives.is_empty() {
        return Err(Failure::Usage(
            "a drive ladder of a campaign needs --drive, once for each; on this machine alone: tailroom-agent act \
             --ladder --read-only --load 1x --devices …"
                .to_owned(),
        ));
    }
    let title = args.campaign.title.as_deref().or(ladder.title.as_deref()).unwrap_or("Drive ladder");
    let id = RunId::new();
    let phase = |number: usize| {
        let plan = ladder.rung(number, drives, title, Some(id))?;
        Ok(Phase {
            name: format!("{}x", ladder.loads[number]),
            ramp_s: ladder.ramp_s,
            run_id: if number == 0 { id } else { RunId::new() },
            measured: Box::new(plan),
        })
    };
    (0..ladder.loads.len()).map(phase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(more: &str) -> Result<DriveLadder, String> {
        DriveLadder::parse(&format!("workload = \"drive-ladder\"\n[drive_ladder]\n{more}"))
    }

    #[test]
    fn a_ladder_says_loads_and_times_and_nothing_else() {
        let ladder = parsed("loads = [1, 30]\nmeasure_s = 10\nramp_s = 2").expect("a ladder");
        assert_eq!((ladder.loads.clone(), ladder.all_s()), (vec![1.0, 30.0], 24.0));
        let names: Vec<_> =
            ladder.explained()["phases"].as_array().expect("phases").iter().map(|one| one["name"].clone()).collect();
        assert_eq!(names, ["1x", "30x"]);
        // 30 times 2,000 reads of records and 2,000 / 85 reads of large blocks, on each of two drives.
        let per_s = ladder.most_reads_per_s(2).expect("a rate");
        assert!((per_s - 2.0 * 30.0 * (2_000.0 + 2_000.0 / 85.0)).abs() < 1e-6, "{per_s}");
        for (bad, reason) in [
            ("loads = []", "loads: has 0"),
            ("loads = [0]", "load_multiple"),
            ("loads = [1e9]", "load_multiple"),
            ("measure_s = 0", "duration_s"),
            ("read_only = false", "unknown field `read_only`"),
            ("path = \"/dev/sda\"", "unknown field `path`"),
        ] {
            let refusal = parsed(bad).expect_err("refused");
            assert!(refusal.contains(reason), "{bad}: {refusal}");
        }
    }

    #[test]
    fn every_rung_reads_what_is_there_and_writes_nothing() {
        let ladder = parsed("loads = [1, 2]").expect("a ladder");
        for number in 0..2 {
            let plan = ladder.rung(number, &["/a".into(), "/b".into()], "t", None).expect("a plan");
            let act = plan.act_storage.expect("of drives");
            assert!(act.read_only && act.reads_existing);
            let rates = device::rates::rates(&act, 2).expect("rates");
            assert!(rates.write.is_none() && rates.large_block_write.is_none() && rates.read.is_some());
        }
    }
}
