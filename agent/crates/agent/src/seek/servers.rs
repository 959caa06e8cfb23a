//! What a search measures on a database server: one phase of a plan, whose objects stay loaded from probe to probe.

use database::drivers;
use database::store::{ServerAddress, Store};
use wire::messages::RunId;
use workloads::job::{Job, Stream};
use workloads::plan::Plan;

use super::subject::Subject;
use crate::cli::SeekArgs;
use crate::failure::Failure;
use crate::job::Runs;
use crate::objective::Objective;
use crate::probe::ProbeOf;
use crate::station::{Ended, Station};
use crate::target;

/// A phase of a plan, and the server.
pub struct ServerSubject<'a> {
    args: &'a SeekArgs,
    station: &'a Station<'a>,
    plan: Plan,
    phase: String,
    job: Job,
    server: ServerAddress,
    store: Box<dyn Store>,
    title: String,
}

impl<'a> ServerSubject<'a> {
    /// Opens what is measured.
    ///
    /// # Errors
    /// Where the plan has no such phase, the phase no such operation, or the server is not what was named.
    pub fn open(
        args: &'a SeekArgs,
        station: &'a Station<'a>,
        plan: Plan,
        objective: &Objective,
    ) -> Result<Self, Failure> {
        let path = args.run.plan_file()?;
        let usage = |sentence: String| Failure::Usage(format!("{}: {sentence}", path.display()));
        let phase = phase_of(&plan, args).map_err(usage)?;
        let job = plan.job().map_err(|error| usage(error.to_string()))?;
        check_operation(&job, &phase, objective).map_err(Failure::Usage)?;
        let server = target::server_address(&args.run.target)?;
        let store = drivers::open(&server, &job.objects, args.run.target.seed).map_err(target::usage_of)?;
        let title = args.run.campaign.title.as_deref().or_else(|| plan.title());
        let title = title.map_or_else(|| target::stem_of(path), str::to_owned);
        Ok(Self { args, station, plan, phase, job, server, store, title })
    }

    fn runs<'b>(&'b self, job: &'b Job, probe: Option<ProbeOf<'b>>) -> Runs<'b> {
        Runs {
            args: &self.args.run,
            station: self.station,
            job,
            store: &*self.store,
            server: &self.server,
            title: self.title.clone(),
            id: RunId::new(),
            barrier: None,
            probe,
        }
    }
}

impl Subject for ServerSubject<'_> {
    fn place(&self) -> String {
        self.server.address.to_string()
    }

    fn planned_load_per_s(&self) -> Option<f64> {
        self.plan.load_per_s(&self.phase)
    }

    fn begin(&self) -> Result<bool, Failure> {
        self.runs(&self.job, None).load_objects()
    }

    fn measure(&self, probe: ProbeOf<'_>) -> Result<Ended, Failure> {
        let load_per_s = probe.load_per_s;
        let mut job = self
            .plan
            .at_load(&self.phase, load_per_s, self.args.probe_s)
            .and_then(|plan| plan.job())
            .map_err(|error| Failure::Workload(format!("{load_per_s} operations a second: {error}")))?;
        let number = job.stages.iter().position(|stage| stage.measures() && stage.name == self.phase).unwrap_or(0);
        job.stages[number].ramp_s = self.args.warm_up_s.into();
        job.explanation.phases[number].ramp_s = self.args.warm_up_s.into();
        let ended = self.runs(&job, Some(probe)).measure(number, &job.stages[number], true)?;
        if job.stages[number].inserts() && !self.station.is_stopped() {
            // What a probe inserted belongs to the objects from now on.
            self.store.finish_loading().map_err(target::failed)?;
        }
        Ok(ended)
    }

    fn end(&self) -> Result<(), Failure> {
        self.runs(&self.job, None).remove_if_asked()
    }

    fn explained(&self, failure: Failure) -> Failure {
        target::if_stopped(failure, self.station, &self.server)
    }
}

/// Returns the phase whose load is sought.
fn phase_of(plan: &Plan, args: &SeekArgs) -> Result<String, String> {
    let job = plan.job().map_err(|error| error.to_string())?;
    let names: Vec<&str> = job.stages.iter().filter(|stage| stage.measures()).map(|stage| &*stage.name).collect();
    match (&*args.run.target.phases, &*names) {
        ([], [only]) => Ok((*only).to_owned()),
        ([chosen], _) if names.contains(&&**chosen) => Ok(chosen.clone()),
        _ => Err(format!("a search is about one phase: give --phases with one of {}", names.join(", "))),
    }
}

/// Checks that the phase has the operation of the objective.
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
