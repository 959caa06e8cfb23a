//! Runs that may belong to a campaign or a search, and the phases of a campaign on drives of this machine.

use std::process::ExitCode;

use measure::clock::Start;
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::{Value, json};
use wire::messages::{RunId, RunOutcome};

use crate::barrier::Barrier;
use crate::cli::{CampaignArgs, RunArgs};
use crate::events::{CampaignStep, Event};
use crate::failure::Failure;
use crate::plan::{Measurable, RunFacts};
use crate::probe::ProbeRun;
use crate::result_file::named;
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
pub fn carry_out(args: &RunArgs, explained: Value, phases: &[Phase]) -> Result<ExitCode, Failure> {
    let context = RunContext::open(&args.output)?;
    let barrier = args.campaign.campaign.as_ref().map(|_| Barrier::on_standard_input(context.stop())).transpose()?;
    let result = measure_all(args, &context, barrier.as_ref(), explained, phases);
    context.display.flush();
    result.map(|()| ExitCode::SUCCESS)
}

fn measure_all(
    args: &RunArgs,
    context: &RunContext<'_>,
    barrier: Option<&Barrier>,
    explained: Value,
    phases: &[Phase],
) -> Result<(), Failure> {
    if let Some(barrier) = barrier {
        context.display.event(Event::Campaign(CampaignStep::Ready { phases: explained }));
        // Drives need no loading, but every plan waits for this line.
        barrier.objects()?;
    }
    let mut undelivered = None;
    for (number, phase) in phases.iter().enumerate() {
        let result = args.output.result.as_deref().map(|path| named(path, &phase.name));
        let (measured, campaign, ramp_s) = (&*phase.measured, &args.campaign, phase.ramp_s.into());
        let run = CampaignRun { measured, context, campaign, barrier, phase: number, ramp_s, probe: None };
        match context.run(&run, Some(phase.run_id), result.as_deref()) {
            Ok(ended) if ended.finish.outcome == RunOutcome::Completed => {}
            Ok(_) if context.is_stopped() => return Ok(()),
            Ok(ended) => {
                let reason = ended.finish.reason.unwrap_or_default();
                return Err(Failure::Workload(format!("phase {} ended early: {reason}", phase.name)));
            }
            // The run is measured and still in the spool, so the next phase does not wait for the backend.
            Err(Failure::Undelivered(sentence)) if !context.is_stopped() => undelivered = Some(sentence),
            Err(failure) => return Err(failure),
        }
    }
    undelivered.map_or(Ok(()), |sentence| Err(Failure::Undelivered(sentence)))
}

/// A run that may belong to a campaign or a search: it then discloses its place there, and waits for the other agents.
pub struct CampaignRun<'a> {
    pub measured: &'a dyn Measurable,
    pub context: &'a RunContext<'a>,
    pub campaign: &'a CampaignArgs,
    pub barrier: Option<&'a Barrier>,
    pub phase: usize,
    /// Ramp before offset 0, in seconds.
    pub ramp_s: f64,
    pub probe: Option<ProbeRun<'a>>,
}

impl Measurable for CampaignRun<'_> {
    fn facts(&self) -> RunFacts {
        let (mut facts, campaign) = (self.measured.facts(), self.campaign);
        if let Some(probe) = self.probe.filter(|probe| !probe.is_part) {
            facts.disclosed["ladder"] = probe.disclosed();
        }
        if let Some(id) = &campaign.campaign {
            facts.disclosed["campaign"] = json!({"id": id, "agent": campaign.agent + 1, "agents": campaign.agents});
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
        let Some(barrier) = self.barrier else { return Ok(None) };
        let report = |step| self.context.display.event(Event::Campaign(step));
        if let Some(ProbeRun { load_per_s, .. }) = self.probe {
            report(CampaignStep::Probe { phase: self.phase, load_per_s });
        }
        barrier.agreed_start(&report, (self.phase, run_id), self.ramp_s).map(Some)
    }
}
