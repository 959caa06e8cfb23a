//! A search for the highest load as ordered by the backend, and its check against the policy of this machine.

use device::rates::READS_PER_S_AT_1X;
use serde::Deserialize;
use workloads::error::PlanError;
use workloads::job::Stage;
use workloads::plan::Plan;

use super::policy::Policy;
use crate::drives::DriveLadder;
use crate::probe::RecordedProbe;
use crate::target::searched_phase;

/// Settings of a search for the highest load, as for `seek`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SearchOrder {
    pub objective: String,
    pub phase: Option<String>,
    pub start_per_s: Option<f64>,
    pub top_per_s: Option<f64>,
    pub precision: f64,
    pub probes: u32,
    pub most_s: f64,
    pub probe_s: u32,
    pub warm_up_s: u32,
    #[serde(default)]
    pub measured: Vec<RecordedProbe>,
}

impl SearchOrder {
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![
            format!("--objective={}", self.objective),
            format!("--precision={}", self.precision),
            format!("--probes={}", self.probes),
            format!("--most-s={}", self.most_s),
            format!("--probe-s={}", self.probe_s),
            format!("--warm-up-s={}", self.warm_up_s),
        ];
        arguments.extend(self.phase.iter().map(|phase| format!("--phases={phase}")));
        arguments.extend(self.start_per_s.map(|per_s| format!("--start={per_s}")));
        arguments.extend(self.top_per_s.map(|per_s| format!("--top={per_s}")));
        arguments
    }

    /// Returns the longest total time of all probes, in seconds.
    pub fn longest_s(&self) -> f64 {
        // The probe under way when the time is up is measured to its own end.
        self.most_s + f64::from(self.warm_up_s) + f64::from(self.probe_s)
    }
}

/// Checks this agent's part of a search against all limits, at its highest load and for all of its time.
pub fn allowed(policy: &Policy, plan: &Plan, search: &SearchOrder, (agent, agents): (u32, u32)) -> Result<(), String> {
    has_highest_load(policy, search)?;
    let of_plan = |error: PlanError| format!("The plan: {error}");
    let phase = searched_phase(&plan.part(agent, agents).map_err(of_plan)?, search.phase.as_slice())
        .map_err(|names| format!("A search is about one phase of the plan: name one of {names}."))?;
    let per_s = search.top_per_s.or(search.start_per_s).or_else(|| plan.load_per_s(&phase)).unwrap_or(1.0);
    let highest = plan.at_load(&phase, per_s, search.probe_s).and_then(|plan| plan.part(agent, agents));
    let mut job = highest.map_err(of_plan)?;
    job.stages.retain(|stage| stage.loads() || is_it(stage, &phase));
    for stage in job.stages.iter_mut().filter(|stage| is_it(stage, &phase)) {
        (stage.duration_s, stage.ramp_s) = (Some(search.longest_s()), 0.0);
    }
    policy.allows(&job)
}

/// Returns a search of drives as a ladder of its highest load for all of its time, for the check against the policy. Fails if
/// the search is not about exactly one drive, or has no highest load although the policy limits the rate.
pub fn as_ladder(
    policy: &Policy,
    ladder: &DriveLadder,
    search: &SearchOrder,
    (drives, agents): (usize, u32),
) -> Result<DriveLadder, String> {
    if agents != 1 || drives != 1 {
        return Err(format!(
            "A search is about one drive, as drives are not added up; here are {drives} of {agents} agents. Choose one agent, \
             and name one of its drives, as in drives:/dev/disk/by-id/…."
        ));
    }
    has_highest_load(policy, search)?;
    let highest = search.top_per_s.or(search.start_per_s).map(|per_s| per_s / READS_PER_S_AT_1X);
    let loads = highest.map_or_else(|| ladder.loads[..1].to_vec(), |load| vec![load]);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most days, and not negative")]
    let measure_s = search.longest_s().ceil() as u64;
    Ok(DriveLadder { loads, ramp_s: 0, measure_s, ..ladder.clone() })
}

fn has_highest_load(policy: &Policy, search: &SearchOrder) -> Result<(), String> {
    match (policy.most_operations_per_s, search.top_per_s) {
        (Some(most), None) => Err(format!(
            "The policy of this machine allows {most} operations a second; the search has no highest load. Give it one."
        )),
        _ => Ok(()),
    }
}

fn is_it(stage: &Stage, phase: &str) -> bool {
    stage.measures() && stage.name == phase
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const PLAN: &str =
        "workload = \"keyvalue\"\n[keyvalue]\nload = false\nconnections = 8\nmeasure_s = 3_600\nramp_s = 0\n";

    fn policy(text: &str) -> Policy {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("campaigns.toml");
        fs::write(&path, text).expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permitted");
        Policy::read(&path).expect("a policy")
    }

    fn order(top_per_s: Option<f64>) -> SearchOrder {
        SearchOrder {
            objective: "p99 get < 5ms".to_owned(),
            phase: None,
            start_per_s: Some(100.0),
            top_per_s,
            precision: 0.05,
            probes: 8,
            most_s: 600.0,
            probe_s: 20,
            warm_up_s: 3,
            measured: Vec::new(),
        }
    }

    #[test]
    fn the_highest_load_and_the_longest_time_of_a_search_are_held_against_the_policy() {
        let plan = Plan::parse(PLAN).expect("a plan");
        let of = |text: &str, order: &SearchOrder, agents| allowed(&policy(text), &plan, order, (0, agents));
        assert_eq!(of("", &order(None), 1), Ok(()));
        assert_eq!(of("most_operations_per_s = 1000", &order(Some(1_000.0)), 1), Ok(()));
        assert_eq!(of("most_operations_per_s = 1000", &order(Some(2_000.0)), 2), Ok(()), "each has its part");
        let refused = |text: &str, order: &SearchOrder| of(text, order, 1).expect_err("refused");
        assert!(refused("most_operations_per_s = 1000", &order(Some(1_100.0))).contains("asks for 1100.0"));
        assert!(refused("most_operations_per_s = 1000", &order(None)).contains("no highest load"));
        assert_eq!(of("longest_s = 623", &order(None), 1), Ok(()), "the length of the plan's phase is not measured");
        assert!(refused("longest_s = 622", &order(None)).contains("take 623 s"));
        assert!(refused("most_connections = 7", &order(None)).contains("needs 8"));
        let other = SearchOrder { phase: Some("P2".to_owned()), ..order(None) };
        assert!(refused("", &other).contains("name one of run"));
    }

    #[test]
    fn a_search_of_drives_is_about_one_and_held_against_the_policy_at_its_highest_load() {
        let ladder = DriveLadder::default();
        let of = |text: &str, top, (drives, agents)| {
            let policy = policy(text);
            let read = as_ladder(&policy, &ladder, &order(top), (drives, agents))?;
            policy.allows_ladder(&read, drives)
        };
        assert_eq!(of("", None, (1, 1)), Ok(()));
        for several in [(2, 1), (1, 2), (0, 1)] {
            assert!(of("", None, several).expect_err("refused").contains("one drive"), "{several:?}");
        }
        let most = "most_operations_per_s = 4100";
        assert_eq!(of(most, Some(4_000.0), (1, 1)), Ok(()), "with the reads of large blocks");
        assert!(of(most, Some(4_090.0), (1, 1)).expect_err("refused").contains("4100"));
        assert!(of(most, None, (1, 1)).expect_err("refused").contains("no highest load"));
        assert_eq!(of("longest_s = 623", None, (1, 1)), Ok(()));
        assert!(of("longest_s = 622", None, (1, 1)).expect_err("refused").contains("623"));
    }

    #[test]
    fn an_order_becomes_what_is_typed() {
        let arguments = SearchOrder { phase: Some("run".to_owned()), ..order(Some(9_000.0)) }.arguments();
        for argument in ["--objective=p99 get < 5ms", "--phases=run", "--start=100", "--top=9000", "--probe-s=20"] {
            assert!(arguments.iter().any(|command| command == argument), "{argument}: {arguments:?}");
        }
    }
}
