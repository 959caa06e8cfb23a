//! `tailroom-agent seek`: searches for the highest load at which an objective holds, with probes that are runs of their own.
//!
//! The decisions are made in `workloads::load_search`; this module measures, stores and shows the probes.

mod drives;
mod servers;
mod subject;
mod text;

use std::fmt::Display;
use std::fs;

use serde::{Deserialize, Serialize};
use serde_json::json;
use wire::messages::{RunId, RunOutcome};
use workloads::load_search::{Next, Probe, SearchResult, Settings, next};

use crate::cli::SeekArgs;
use crate::events::{CampaignStep, Event};
use crate::failure::Failure;
use crate::local_plan::LocalPlan;
use crate::objective::{FEWEST_OPERATIONS, Objective, ObjectiveAnswer};
use crate::plan::Plan;
use crate::probe::{MeasuredProbe, ProbeRun, RecordedProbe, end_of};
use crate::run::reported;
use crate::run_context::RunContext;
use crate::state_folder::{StateFile, remove_unfinished};
use crate::stop::Cause;
use crate::target;
use drives::DriveSubject;
use servers::ServerSubject;
use subject::{Subject, start_per_s};

/// Slices of a probe, each of whole seconds; fewer show too little of how late operations cluster.
const SLICES: u32 = 10;

pub fn seek(args: &SeekArgs) -> Result<(), Failure> {
    reported(&args.run.output, carry_out(args))
}

fn carry_out(args: &SeekArgs) -> Result<(), Failure> {
    let path = args.run.plan_file()?;
    let objective = Objective::parse(&args.objective).map_err(Failure::Usage)?;
    let of_server = target::plan_in(path)?;
    let context = RunContext::of_search(&args.run)?;
    let subject: Box<dyn Subject> = match (of_server, LocalPlan::in_file(path)?) {
        (Some(plan), _) => Box::new(ServerSubject::open(args, &context, plan, &objective)?),
        (None, Some(plan)) => Box::new(DriveSubject::of_campaign(args, &context, plan, &objective)?),
        (None, None) => Box::new(DriveSubject::open(args, &context, Plan::read(path)?, &objective)?),
    };
    let start_per_s = start_per_s(args, subject.planned_load_per_s());
    let settings = Settings {
        top: args.top,
        precision: args.precision,
        most_after_bracket: args.probes,
        most_s: args.most_s,
        ..Settings::from_start(start_per_s, objective.allowed_share())
    };
    // In a campaign the backend stores the probes.
    let state = match &args.run.campaign.campaign {
        Some(_) => None,
        None => Some(state_file(args, &fs::read_to_string(path).unwrap_or_default(), &subject.name(), &settings)?),
    };
    let search = Search { args, context: &context, subject: &*subject, objective: &objective, settings };
    context.end(search.all(state.as_ref()).map_err(|failure| subject.explained(failure)))
}

fn state_file(args: &SeekArgs, plan: &str, subject_name: &str, settings: &Settings) -> Result<StateFile, Failure> {
    let target = &args.run.target;
    let depends_on = json!({
        "plan": plan, "address": subject_name, "objective": args.objective, "settings": settings,
        "phases": target.phases, "seed": target.seed, "probe_s": args.probe_s, "warm_up_s": args.warm_up_s,
    });
    StateFile::of(args.state.as_deref(), "seek", &depends_on)
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct SearchState {
    id: Option<RunId>,
    /// Time measured so far, in seconds.
    elapsed_s: f64,
    probes: Vec<MeasuredProbe>,
}

struct Search<'a> {
    args: &'a SeekArgs,
    context: &'a RunContext<'a>,
    subject: &'a dyn Subject,
    objective: &'a Objective,
    settings: Settings,
}

impl Search<'_> {
    fn all(&self, file: Option<&StateFile>) -> Result<(), Failure> {
        let display = &self.context.display;
        let mut state = match file {
            Some(file) => file.read(self.args.restart)?.unwrap_or_default(),
            None => self.of_campaign()?,
        };
        if file.is_some() && !state.probes.is_empty() {
            display.note(format!("the search goes on after {} probes of an earlier call", state.probes.len()));
            if let Some(path) = self.args.run.output.result_of_step(state.probes.len() + 1) {
                remove_unfinished(&path, state.id.unwrap_or_default());
            }
        }
        if !self.subject.begin()? {
            return Err(self.stopped(&state));
        }
        display.answer(vec![text::header(self.objective)]);
        for (number, measured) in state.probes.iter().enumerate().filter(|_| file.is_some()) {
            display.answer(vec![text::row(number + 1, measured)]);
        }
        let result = loop {
            let probes: Vec<Probe> = state.probes.iter().map(|measured| measured.probe.clone()).collect();
            let load_per_s = match next(&self.settings, &probes, state.elapsed_s) {
                Next::Measure(load_per_s) => load_per_s,
                Next::Done(result) => break result,
            };
            let Some((measured, elapsed_s)) = self.measured(&state, &probes, load_per_s)? else {
                return Err(self.stopped(&state));
            };
            state.id = state.id.or(Some(measured.run_id));
            state.elapsed_s = elapsed_s;
            state.probes.push(measured.clone());
            if let Some(file) = file {
                file.write(&state)?;
            }
            display.answer(vec![text::row(state.probes.len(), &measured)]);
            display.event(Event::Probe(measured));
        };
        if let Some(barrier) = &self.context.barrier {
            barrier.report(CampaignStep::SearchEnded { ended: end_of(&result) });
        }
        self.subject.end()?;
        if let Some(file) = file {
            file.remove();
        }
        self.report(&state, result)
    }

    fn report(&self, state: &SearchState, result: SearchResult) -> Result<(), Failure> {
        self.context.display.answer(text::result(self.objective, &result));
        let holds = result.passed.is_some();
        self.context.display.event(Event::Search { id: state.id.unwrap_or_default(), result });
        // In a campaign it is a valid answer that no load holds.
        if holds || self.context.barrier.is_some() {
            return Ok(());
        }
        Err(Failure::Workload(format!("no load holds {}", self.objective.text)))
    }

    fn stopped(&self, state: &SearchState) -> Failure {
        let cause = match self.context.stop().cause() {
            Some(Cause::Signal(name)) => format!("stopped by {name}"),
            _ => "stopped".to_owned(),
        };
        Failure::Workload(format!("{cause}; the same command goes on after {} probes", state.probes.len()))
    }

    /// Measures a probe at a load and returns it with the total time measured, in seconds; `None` if it was stopped.
    fn measured(
        &self,
        state: &SearchState,
        before: &[Probe],
        load_per_s: f64,
    ) -> Result<Option<(MeasuredProbe, f64)>, Failure> {
        let run_id = if state.probes.is_empty() { self.args.run.run_id.unwrap_or_default() } else { RunId::new() };
        let probe = ProbeRun {
            objective: self.objective,
            search_id: state.id.unwrap_or(run_id),
            step: state.probes.len() + 1,
            load_per_s,
            ticks_per_histogram: self.slice_s(),
            run_id,
            settings: &self.settings,
            before,
            elapsed_s: state.elapsed_s + f64::from(self.args.warm_up_s),
            is_part: self.args.run.campaign.agents > 1,
        };
        let ended = self.subject.measure(probe)?;
        if self.context.is_stopped() {
            return Ok(None);
        }
        if ended.finish.outcome != RunOutcome::Completed {
            let reason = ended.finish.reason.unwrap_or_default();
            return Err(Failure::Workload(format!("the probe at {load_per_s}/s ended early: {reason}")));
        }
        let answer = ended.objective.ok_or_else(|| {
            Failure::Workload(format!("the probe at {load_per_s}/s measured no operation of {}", self.objective.text))
        })?;
        let answer = self.of_all(answer)?;
        if answer.has_too_few() {
            return Err(Failure::Workload(format!(
                "the probe at {load_per_s}/s measured {} operations; a PASS needs {FEWEST_OPERATIONS}: take longer probes (--probe-s) or a higher first load (--start)",
                answer.measured()
            )));
        }
        let measured = MeasuredProbe::new(load_per_s, run_id, &answer);
        // All agents of a campaign must decide alike, so the planned time counts, not each agent's measured time.
        let elapsed_s = if probe.is_part {
            probe.elapsed_s + f64::from(self.args.probe_s)
        } else {
            probe.elapsed_after_s(&ended.finish)
        };
        Ok(Some((measured, elapsed_s)))
    }

    /// Returns the answer of a probe by the counts of all agents that measure it.
    fn of_all(&self, answer: ObjectiveAnswer) -> Result<ObjectiveAnswer, Failure> {
        let Some(barrier) = &self.context.barrier else { return Ok(answer) };
        let slices = barrier.slices_of_all(answer.slices)?;
        Ok(ObjectiveAnswer { verdict: self.objective.verdict(&slices), slices, ..answer })
    }

    /// Returns the search of a campaign, which has the campaign's id, with the probes from before an interruption.
    fn of_campaign(&self) -> Result<SearchState, Failure> {
        let id = self.args.run.campaign.campaign.as_deref().and_then(|id| id.parse().ok());
        let Some(path) = &self.args.on_record else { return Ok(SearchState { id, ..SearchState::default() }) };
        let unreadable = |error: &dyn Display| Failure::Workload(format!("{}: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| unreadable(&error))?;
        let on_record: Vec<RecordedProbe> = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        let probes: Vec<_> = on_record.into_iter().map(|probe| probe.measured(self.objective)).collect();
        // A probe that ended early has fewer slices; the last slice of a complete probe may be shorter.
        let length_s = |probe: &MeasuredProbe| (self.slice_s() * probe.slices as u64).min(self.args.probe_s.into());
        let elapsed_s = probes.iter().map(|probe| length_s(probe) + u64::from(self.args.warm_up_s)).sum::<u64>();
        Ok(SearchState { id, elapsed_s: elapsed_s as f64, probes })
    }

    fn slice_s(&self) -> u64 {
        u64::from((self.args.probe_s / SLICES).max(1))
    }
}
