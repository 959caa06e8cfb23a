//! Runs that may belong to a campaign or a search, and the phases of a campaign on drives of this machine.

use measure::clock::Start;
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::Value;
use wire::messages::RunId;

use crate::cli::RunArgs;
use crate::events::CampaignStep;
use crate::failure::Failure;
use crate::plan::{Measurable, RunFacts};
use crate::probe::ProbeRun;
use crate::run_context::RunContext;

pub struct Phase {
    /// Name, as in the output of `explain`.
    pub name: String,
    /// Ramp before offset 0, in seconds.
    pub ramp_s: u32,
    pub run_id: RunId,
    pub measured: Box<dyn Measurable>,
}

/// Measures the phases one after another. `explained` describes the same phases as `explain` prints them.
pub fn carry_out(args: &RunArgs, explained: Value, phases: &[Phase]) -> Result<(), Failure> {
    let context = RunContext::of_plan(args)?;
    context.conclude(measure_all(args, &context, explained, phases))
}

fn measure_all(args: &RunArgs, context: &RunContext<'_>, explained: Value, phases: &[Phase]) -> Result<(), Failure> {
    if let Some(barrier) = &context.barrier {
        // Drives need no loading, but every plan waits for this line.
        barrier.ready(explained)?;
    }
    for (number, phase) in phases.iter().enumerate() {
        let (measured, ramp_s) = (&*phase.measured, phase.ramp_s.into());
        let run = CampaignRun { measured, context, phase: number, ramp_s, probe: None };
        let ended = context.measure(&run, Some(phase.run_id), args.output.result_named(&phase.name).as_deref())?;
        if !context.continues_after(&phase.name, ended)? {
            break;
        }
    }
    Ok(())
}

/// A run that may belong to a campaign or a search: it then discloses its place there, and waits for the other agents.
pub struct CampaignRun<'a> {
    pub measured: &'a dyn Measurable,
    pub context: &'a RunContext<'a>,
    pub phase: usize,
    /// Ramp before offset 0, in seconds.
    pub ramp_s: f64,
    pub probe: Option<ProbeRun<'a>>,
}

impl Measurable for CampaignRun<'_> {
    fn facts(&self) -> RunFacts {
        let mut facts = self.measured.facts();
        if let Some(probe) = self.probe.filter(|probe| !probe.is_part) {
            facts.disclosed["ladder"] = probe.disclosed();
        }
        if let Some(barrier) = &self.context.barrier {
            facts.disclosed["campaign"] = barrier.disclosed();
        }
        facts
    }

    fn probe(&self) -> Option<&ProbeRun<'_>> {
        self.probe.as_ref()
    }

    fn prepare(&self, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError> {
        self.measured.prepare(notify, stop)
    }

    fn agreed_start(&self, run_id: RunId) -> Result<Option<Start>, WorkloadError> {
        let Some(barrier) = &self.context.barrier else { return Ok(None) };
        if let Some(ProbeRun { load_per_s, .. }) = self.probe {
            barrier.report(CampaignStep::Probe { phase: self.phase, load_per_s });
        }
        barrier.agreed_start(self.phase, run_id, self.ramp_s).map(Some)
    }
}
