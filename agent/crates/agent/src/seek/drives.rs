//! A search on a drive or a file: an ACT plan whose load is replaced, with reads and writes in their proportion.

use device::plan::Model;
use serde_json::json;

use super::subject::{Subject, start_per_s};
use crate::campaign_phases::CampaignRun;
use crate::cli::SeekArgs;
use crate::conclusion::Ended;
use crate::failure::Failure;
use crate::local_plan::LocalPlan;
use crate::objective::Objective;
use crate::plan::Plan;
use crate::probe::ProbeRun;
use crate::run_context::RunContext;
use crate::summary::rate;

/// Operation whose rate is the load of a drive.
const READ: &str = "read";

pub struct DriveSubject<'a> {
    args: &'a SeekArgs,
    context: &'a RunContext<'a>,
    plan: Plan,
}

impl<'a> DriveSubject<'a> {
    /// Checks the plan of a drive or file. Fails if the plan names several drives or rates other than a load multiple, or the
    /// objective another operation than reads.
    pub fn open(
        args: &'a SeekArgs,
        context: &'a RunContext<'a>,
        plan: Plan,
        objective: &Objective,
    ) -> Result<Self, Failure> {
        let path = args.run.plan_file()?;
        let usage = |sentence: &str| Err(Failure::Usage(format!("{}: {sentence}", path.display())));
        if args.run.target.target.is_some() {
            return usage("this plan names its own target; leave --target out");
        }
        let Some(act) = &plan.act_storage else { return usage("seek takes plans of databases and of act-storage") };
        if act.paths().len() != 1 || act.model != Model::Storage {
            return usage("a search is about one drive, with the storage test of ACT");
        }
        if act.read_requests_per_s.is_some() || act.write_requests_per_s.is_some() {
            return usage("a search replaces the load: write load_multiple instead of requests a second");
        }
        check_operation(objective)?;
        Ok(Self { args, context, plan })
    }

    /// Returns the drive that a campaign reads, one of those that the owner of this machine listed. Fails if there is not
    /// exactly one drive, or the plan has no rate.
    pub fn of_campaign(
        args: &'a SeekArgs,
        context: &'a RunContext<'a>,
        plan: LocalPlan,
        objective: &Objective,
    ) -> Result<Self, Failure> {
        let usage = |sentence: &str| Err(Failure::Usage(sentence.to_owned()));
        let LocalPlan::DriveLadder(ladder) = plan else {
            return usage("synchronous writes have no rate, so no load is sought with them");
        };
        let campaign = &args.run.campaign;
        let ([drive], Some(_)) = (&*campaign.drives, &campaign.campaign) else {
            return usage("a drive ladder is searched in a campaign, on one drive; here: a plan of act-storage");
        };
        check_operation(objective)?;
        let title = campaign.title.as_deref().or(ladder.title.as_deref()).unwrap_or("Drive");
        Ok(Self { args, context, plan: ladder.of_one_drive(drive, title)? })
    }

    fn at_load(&self, probe: &ProbeRun<'_>) -> Result<Plan, Failure> {
        let mut plan = self.plan.clone();
        plan.title =
            format!("{} · probe {}: {}", plan.title, probe.step, rate(probe.load_per_s)).chars().take(200).collect();
        (plan.duration_s, plan.histogram_every_s) = (self.args.probe_s.into(), probe.ticks_per_histogram);
        if let Some(act) = &mut plan.act_storage {
            act.load_multiple = Some(probe.load_per_s / device::rates::READS_PER_S_AT_1X);
            act.ramp_s = self.args.warm_up_s;
            // No probe ends early because the drive is too slow: its operations count as late instead.
            act.max_lag_s = 0;
            act.limits_ns.push(probe.objective.limit_ns);
            act.limits_ns.sort_unstable();
            act.limits_ns.dedup();
        }
        plan.complete()
    }
}

fn check_operation(objective: &Objective) -> Result<(), Failure> {
    if objective.operation.as_deref() == Some(READ) {
        return Ok(());
    }
    Err(Failure::Usage("--objective: the load of a drive is its reads; name them, as in “p99 read < 1ms”".to_owned()))
}

impl Subject for DriveSubject<'_> {
    fn name(&self) -> String {
        self.plan.paths().first().map(|path| path.display().to_string()).unwrap_or_default()
    }

    fn planned_load_per_s(&self) -> Option<f64> {
        let load = self.plan.act_storage.as_ref()?.load_multiple?;
        Some(load * device::rates::READS_PER_S_AT_1X)
    }

    fn begin(&self) -> Result<bool, Failure> {
        let Some(barrier) = &self.context.barrier else { return Ok(true) };
        let phase = json!({
            "name": "probe 1", "duration_s": self.args.probe_s, "ramp_s": self.args.warm_up_s, "loop": "open",
            "operations_per_s": {READ: start_per_s(self.args, self.planned_load_per_s())}, "by_agent": [],
        });
        // Drives need no loading, but every plan waits for this line.
        barrier.ready(json!([phase]))?;
        Ok(true)
    }

    fn measure(&self, probe: ProbeRun<'_>) -> Result<Ended, Failure> {
        let plan = self.at_load(&probe)?;
        let result = self.args.run.output.result_of_step(probe.step);
        let run = CampaignRun {
            measured: &plan,
            context: self.context,
            phase: probe.step - 1,
            ramp_s: self.args.warm_up_s.into(),
            probe: Some(probe),
        };
        self.context.measure(&run, Some(probe.run_id), result.as_deref())
    }
}
