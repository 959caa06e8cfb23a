//! A search on a database server: one phase of a plan, whose objects stay loaded from probe to probe.

use workloads::error::PlanError;
use workloads::job::{Job, Stage, Stream};
use workloads::plan::Plan;

use super::subject::{Subject, start_per_s};
use crate::cli::SeekArgs;
use crate::conclusion::Ended;
use crate::failure::Failure;
use crate::job::Runs;
use crate::objective::Objective;
use crate::probe::ProbeRun;
use crate::run_context::RunContext;
use crate::target;

/// A phase of a plan on a server as the subject of a search.
pub struct ServerSubject<'a> {
    args: &'a SeekArgs,
    context: &'a RunContext<'a>,
    runs: Runs<'a>,
    plan: Plan,
    phase: String,
    /// The job that loads the objects; in a campaign with the first probe as well.
    job: Job,
}

impl<'a> ServerSubject<'a> {
    /// Checks the plan and connects to the server. Fails if the plan has no such phase, the phase no such operation, or the
    /// server is not of the named kind.
    pub fn open(
        args: &'a SeekArgs,
        context: &'a RunContext<'a>,
        plan: Plan,
        objective: &Objective,
    ) -> Result<Self, Failure> {
        let path = args.run.plan_file()?;
        let usage = |sentence: String| Failure::Usage(format!("{}: {sentence}", path.display()));
        let all_phases = plan.job().map_err(|error| usage(error.to_string()))?;
        let phase = target::searched_phase(&all_phases, &args.run.target.phases)
            .map_err(|names| usage(format!("a search is about one phase: give --phases with one of {names}")))?;
        let start_per_s = start_per_s(args, plan.load_per_s(&phase));
        let job = match &args.run.campaign.campaign {
            Some(_) => job_of_campaign(args, &plan, &phase, start_per_s),
            None => plan.job(),
        };
        let job = job.map_err(|error| usage(error.to_string()))?;
        check_operation(&job, &phase, objective).map_err(Failure::Usage)?;
        let server = target::server_address(&args.run.target)?;
        let runs = Runs::open(&args.run, context, server, &plan, &job.objects)?;
        Ok(Self { args, context, runs, plan, phase, job })
    }
}

impl Subject for ServerSubject<'_> {
    fn name(&self) -> String {
        self.runs.server.address.to_string()
    }

    fn planned_load_per_s(&self) -> Option<f64> {
        self.plan.load_per_s(&self.phase)
    }

    fn begin(&self) -> Result<bool, Failure> {
        self.runs.load_objects(&self.job)
    }

    fn measure(&self, probe: ProbeRun<'_>) -> Result<Ended, Failure> {
        let load_per_s = probe.load_per_s;
        let (job, number) = job_at_load(self.args, &self.plan, &self.phase, load_per_s)
            .map_err(|error| Failure::Workload(format!("{load_per_s} operations a second: {error}")))?;
        let ended = self.runs.measure(&job, number, true, Some(probe))?;
        if job.stages[number].inserts() && !self.context.is_stopped() {
            // Stores the number of objects, which includes those that the probe inserted.
            self.runs.store.finish_loading()?;
        }
        Ok(ended)
    }

    fn end(&self) -> Result<(), Failure> {
        self.runs.remove_if_asked()
    }

    fn explained(&self, failure: Failure) -> Failure {
        self.runs.explained(failure)
    }
}

/// Returns this agent's part of a plan with another load in a phase, and the index of that stage.
fn job_at_load(args: &SeekArgs, plan: &Plan, phase: &str, per_s: f64) -> Result<(Job, usize), PlanError> {
    let campaign = &args.run.campaign;
    let mut job = plan.at_load(phase, per_s, args.probe_s)?.part(campaign.agent, campaign.agents)?;
    let number = job.stages.iter().position(|stage| stage.measures() && stage.name == phase).unwrap_or(0);
    job.stages[number].ramp_s = args.warm_up_s.into();
    job.explanation.phases[number].ramp_s = args.warm_up_s.into();
    Ok((job, number))
}

/// Returns the job of a campaign, whose phases are the load and the first probe.
fn job_of_campaign(args: &SeekArgs, plan: &Plan, phase: &str, start_per_s: f64) -> Result<Job, PlanError> {
    let (mut job, number) = job_at_load(args, plan, phase, start_per_s)?;
    let is_first_load = job.stages.first().is_some_and(Stage::loads);
    let mut index = 0..;
    job.explanation.phases.retain(|_| index.next().is_some_and(|at| at == number || at == 0 && is_first_load));
    Ok(job)
}

fn check_operation(job: &Job, phase: &str, objective: &Objective) -> Result<(), String> {
    let Some(stage) = job.stages.iter().find(|stage| stage.name == phase) else { return Ok(()) };
    let names_of = |stream: &Stream| -> Vec<&'static str> {
        match stream {
            Stream::Operations { kinds, .. } => kinds.iter().map(|(operation, _)| operation.name()).collect(),
            Stream::Transactions { .. } => vec!["transaction"],
        }
    };
    let names: Vec<&str> = stage.streams.iter().flat_map(names_of).collect();
    match &objective.operation {
        Some(operation) if names.contains(&&**operation) => Ok(()),
        None if names.len() == 1 => Ok(()),
        _ => Err(format!(
            "--objective: the phase {phase} has the operations {}; name one of them, as in “p99 {} < 5ms”",
            names.join(", "),
            names.first().unwrap_or(&"get"),
        )),
    }
}
