//! What a search measures on a drive or a file: an ACT plan whose load is replaced, reads and writes in their proportion.

use device::plan::Model;
use serde_json::Value;

use super::subject::Subject;
use crate::cli::SeekArgs;
use crate::ended::Ended;
use crate::failure::Failure;
use crate::objective::Objective;
use crate::plan::{Measurable, Plan, PlanRun};
use crate::probe::ProbeOf;
use crate::station::Station;
use crate::summary::rate;

/// The operation whose rate is the load of a drive.
const READ: &str = "read";

/// A plan of one drive.
pub struct DriveSubject<'a> {
    args: &'a SeekArgs,
    station: &'a Station<'a>,
    plan: Plan,
}

impl<'a> DriveSubject<'a> {
    /// Looks at what is measured.
    ///
    /// # Errors
    /// Where the plan is of several drives, of other rates than a load multiple, or the objective of another operation.
    pub fn open(
        args: &'a SeekArgs,
        station: &'a Station<'a>,
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
        if objective.operation.as_deref() != Some(READ) {
            return Err(Failure::Usage(
                "--objective: the load of a drive is its reads; name them, as in “p99 read < 1ms”".to_owned(),
            ));
        }
        Ok(Self { args, station, plan })
    }

    fn at_load(&self, probe: &ProbeOf<'_>) -> Result<Plan, Failure> {
        let mut plan = self.plan.clone();
        plan.title =
            format!("{} · probe {}: {}", plan.title, probe.step, rate(probe.load_per_s)).chars().take(200).collect();
        (plan.duration_s, plan.histogram_every_s) = (self.args.probe_s.into(), probe.ticks_per_histogram);
        if let Some(act) = &mut plan.act_storage {
            act.load_multiple = Some(probe.load_per_s / device::rates::READS_PER_S_AT_1X);
            act.ramp_s = self.args.warm_up_s;
            // Nothing ends a probe early: what the drive does not keep up with counts as late.
            act.max_lag_s = 0;
            act.limits_ns.push(probe.objective.limit_ns);
            act.limits_ns.sort_unstable();
            act.limits_ns.dedup();
        }
        plan.complete()
    }
}

impl Subject for DriveSubject<'_> {
    fn place(&self) -> String {
        self.plan.paths().first().map(|path| path.display().to_string()).unwrap_or_default()
    }

    fn planned_load_per_s(&self) -> Option<f64> {
        let load = self.plan.act_storage.as_ref()?.load_multiple?;
        Some(load * device::rates::READS_PER_S_AT_1X)
    }

    fn measure(&self, probe: ProbeOf<'_>) -> Result<Ended, Failure> {
        let plan = self.at_load(&probe)?;
        let result = self.args.run.output.result.as_deref().map(|path| probe.result_file(path));
        let run_id = Some(probe.run_id);
        self.station.measure(&DriveProbe { plan, probe }, run_id, result.as_deref())
    }
}

/// A run of a plan as a probe of a search.
struct DriveProbe<'a> {
    plan: Plan,
    probe: ProbeOf<'a>,
}

impl PlanRun for DriveProbe<'_> {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn add_to(&self, disclosed: &mut Value) {
        disclosed["ladder"] = self.probe.place();
    }

    fn as_probe(&self) -> Option<&ProbeOf<'_>> {
        Some(&self.probe)
    }
}
