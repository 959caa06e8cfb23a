//! `tailroom-agent seek`: the highest load at which an objective holds, by probes that are runs of their own.
//!
//! Every decision is that of `workloads::load_search`; here probes are measured, remembered and shown.

mod state;
mod words;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use database::drivers;
use database::store::{ServerAddress, Store};
use wire::messages::{RunId, RunOutcome};
use workloads::job::{Job, Stream};
use workloads::load_search::{Next, Probe, SearchResult, Settings, Word, next};
use workloads::plan::Plan;

use crate::cli::{ProgressKind, SeekArgs};
use crate::events::Event;
use crate::failure::Failure;
use crate::job::{ProbeOf, Runs};
use crate::objective::Objective;
use crate::probe::MeasuredProbe;
use crate::station::Station;
use crate::stop::Cause;
use crate::target;
use state::{SearchState, StateFile};

/// First load where neither the command nor the plan names a rate.
const USUAL_START_PER_S: f64 = 1_000.0;
/// Slices of a probe, of whole seconds; fewer say too little of how late operations come together.
const SLICES: u32 = 10;
/// A PASS rests on at least so many operations, as for the judge.
const FEWEST_OPERATIONS: u64 = 100;

/// Searches.
///
/// # Errors
/// See [`Failure`].
pub fn seek(args: &SeekArgs) -> Result<ExitCode, Failure> {
    let result = carry_out(args);
    if let (Err(failure), ProgressKind::Json) = (&result, args.run.output.progress()) {
        println!("{}", serde_json::json!(Event::Failed { reason: failure.to_string() }));
    }
    result.map(|()| ExitCode::SUCCESS)
}

fn carry_out(args: &SeekArgs) -> Result<(), Failure> {
    let path = args.run.plan_file()?;
    let usage = |sentence: String| Failure::Usage(format!("{}: {sentence}", path.display()));
    let objective = Objective::parse(&args.objective).map_err(Failure::Usage)?;
    let plan = target::plan_in(path)?.ok_or_else(|| {
        usage("seek takes plans of databases; for drives there is tailroom-agent act --ladder".to_owned())
    })?;
    let phase = phase_of(&plan, args).map_err(usage)?;
    let job = plan.job().map_err(|error| usage(error.to_string()))?;
    check_operation(&job, &phase, &objective).map_err(Failure::Usage)?;
    let settings = Settings {
        top: args.top,
        precision: args.precision,
        most_after_bracket: args.probes,
        most_s: args.most_s,
        ..Settings::from_start(
            args.start.or_else(|| plan.load_per_s(&phase)).unwrap_or(USUAL_START_PER_S),
            objective.allowed_share(),
        )
    };
    let server = target::server_address(&args.run.target)?;
    let state = StateFile::of(args, &fs::read(path).unwrap_or_default(), &server.address.to_string(), &settings)?;
    let station = Station::open(&args.run.output)?;
    let store = drivers::open(&server, &job.objects, args.run.target.seed).map_err(target::usage_of)?;
    let search = Search {
        args,
        station: &station,
        plan: &plan,
        phase,
        job: &job,
        store: &*store,
        server: &server,
        objective,
        settings,
        title: title_of(args, &plan, path),
    };
    let result = search.all(&state).map_err(|failure| target::if_stopped(failure, &station, &server));
    station.display.flush();
    result
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

fn title_of(args: &SeekArgs, plan: &Plan, path: &Path) -> String {
    let title = args.run.campaign.title.as_deref().or_else(|| plan.title());
    title.map_or_else(|| path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), str::to_owned)
}

struct Search<'a> {
    args: &'a SeekArgs,
    station: &'a Station<'a>,
    plan: &'a Plan,
    phase: String,
    job: &'a Job,
    store: &'a dyn Store,
    server: &'a ServerAddress,
    objective: Objective,
    settings: Settings,
    title: String,
}

impl Search<'_> {
    fn all(&self, file: &StateFile) -> Result<(), Failure> {
        let display = &self.station.display;
        let mut state = file.read(self.args.restart)?.unwrap_or_default();
        if !state.probes.is_empty() {
            display.note(format!("the search goes on after {} probes of an earlier call", state.probes.len()));
        }
        if !self.runs(self.job, None).load_objects()? {
            return Err(self.stopped(&state));
        }
        display.answer(vec![words::header(&self.objective)]);
        for (number, measured) in state.probes.iter().enumerate() {
            display.answer(vec![words::row(number + 1, measured)]);
        }
        let mut undelivered = None;
        let result = loop {
            let probes: Vec<Probe> = state.probes.iter().map(|measured| measured.probe.clone()).collect();
            let load_per_s = match next(&self.settings, &probes, state.elapsed_s) {
                Next::Measure(load_per_s) => load_per_s,
                Next::Done(result) => break result,
            };
            let Some(measured) = self.measured(&state, load_per_s, &mut undelivered)? else {
                return Err(self.stopped(&state));
            };
            state.id = state.id.or(Some(measured.run_id));
            state.elapsed_s += f64::from(self.args.probe_s + self.args.warm_up_s);
            state.probes.push(measured.clone());
            file.write(&state)?;
            display.answer(vec![words::row(state.probes.len(), &measured)]);
            display.event(Event::Probe(measured));
        };
        self.runs(self.job, None).remove_if_asked()?;
        file.remove();
        self.report(&state, result, undelivered)
    }

    fn report(&self, state: &SearchState, result: SearchResult, undelivered: Option<String>) -> Result<(), Failure> {
        self.station.display.answer(words::result(&self.objective, &result));
        let holds = result.passed.is_some();
        self.station.display.event(Event::Search { id: state.id.unwrap_or_default(), result });
        match undelivered {
            _ if !holds => Err(Failure::Workload(format!("no load holds {}", self.objective.text))),
            Some(sentence) => Err(Failure::Undelivered(sentence)),
            None => Ok(()),
        }
    }

    fn stopped(&self, state: &SearchState) -> Failure {
        let cause = match self.station.stop().cause() {
            Some(Cause::Signal(name)) => format!("stopped by {name}"),
            _ => "stopped".to_owned(),
        };
        Failure::Workload(format!("{cause}; the same command goes on after {} probes", state.probes.len()))
    }

    /// Returns a probe of a load; none where it was stopped.
    fn measured(
        &self,
        state: &SearchState,
        load_per_s: f64,
        undelivered: &mut Option<String>,
    ) -> Result<Option<MeasuredProbe>, Failure> {
        let mut job = self
            .plan
            .at_load(&self.phase, load_per_s, self.args.probe_s)
            .and_then(|plan| plan.job())
            .map_err(|error| Failure::Workload(format!("{load_per_s} operations a second: {error}")))?;
        let number = job.stages.iter().position(|stage| stage.measures() && stage.name == self.phase).unwrap_or(0);
        job.stages[number].ramp_s = self.args.warm_up_s.into();
        job.explanation.phases[number].ramp_s = self.args.warm_up_s.into();
        let run_id = if state.probes.is_empty() { self.args.run.run_id.unwrap_or_default() } else { RunId::new() };
        let probe = ProbeOf {
            objective: &self.objective,
            search_id: state.id.unwrap_or(run_id),
            step: state.probes.len() + 1,
            load_per_s,
            ticks_per_histogram: u64::from((self.args.probe_s / SLICES).max(1)),
            run_id,
        };
        let ended = self.runs(&job, Some(probe)).measure(number, &job.stages[number], true)?;
        if self.station.is_stopped() {
            return Ok(None);
        }
        if ended.finish.outcome != RunOutcome::Completed {
            let reason = ended.finish.reason.unwrap_or_default();
            return Err(Failure::Workload(format!("the probe at {load_per_s}/s ended early: {reason}")));
        }
        *undelivered = ended.undelivered.or(undelivered.take());
        if job.stages[number].inserts() {
            // What a probe inserted belongs to the objects from now on.
            self.store.finish_loading().map_err(target::failed)?;
        }
        let answer = ended.objective.ok_or_else(|| {
            Failure::Workload(format!("the probe at {load_per_s}/s measured no operation of {}", self.objective.text))
        })?;
        let measured: u64 = answer.slices.iter().map(|slice| slice.all).sum();
        if answer.word == Word::Pass && measured < FEWEST_OPERATIONS {
            return Err(Failure::Workload(format!(
                "the probe at {load_per_s}/s measured {measured} operations; a PASS needs {FEWEST_OPERATIONS}: give a longer --probe-s or a higher --start"
            )));
        }
        Ok(Some(MeasuredProbe {
            probe: Probe::of_slices(load_per_s, answer.word, &answer.slices),
            run_id,
            lower_ns: answer.bounds_ns.map(|(lower_ns, _)| lower_ns),
            upper_ns: answer.bounds_ns.map(|(_, upper_ns)| upper_ns),
            unreliable_slices: answer.unreliable_slices,
            slices: answer.slices.len(),
        }))
    }

    fn runs<'a>(&'a self, job: &'a Job, probe: Option<ProbeOf<'a>>) -> Runs<'a> {
        Runs {
            args: &self.args.run,
            station: self.station,
            job,
            store: self.store,
            server: self.server,
            title: self.title.clone(),
            id: RunId::new(),
            barrier: None,
            probe,
        }
    }
}
