//! `tailroom-agent run` for plans of databases: inspects the server, loads missing objects, measures each phase as a run of its
//! own, and removes the objects on request.
//!
//! Each phase is a run because a verdict is about one load (ADR 13); the plans of these runs name the same job.

mod stage_run;

use std::path::Path;

use database::drivers;
use database::stage::Settings;
use database::store::{ServerAddress, Store, StoredObjects};
use serde_json::json;
use wire::messages::{RunId, RunOutcome};
use workloads::job::{Job, ObjectSpec, Purpose, Stage};
use workloads::plan::Plan;

use crate::campaign_phases::CampaignRun;
use crate::cli::RunArgs;
use crate::conclusion::Ended;
use crate::events::CampaignStep;
use crate::failure::Failure;
use crate::probe::ProbeRun;
use crate::run_context::RunContext;
use crate::summary::rate;
use crate::target::{if_stopped, phases_of, server_address};
use stage_run::StageRun;

/// Distance between the random seeds of two stages.
const SEED_STEP: u64 = 1_000;
/// Distance between the random seeds of two agents.
const AGENT_STEP: u64 = 1_000_000;
/// Distance between the random seeds of two probes.
const PROBE_STEP: u64 = 1_000_000_000;

pub fn run(args: &RunArgs, path: &Path, plan: &Plan) -> Result<(), Failure> {
    let campaign = &args.campaign;
    let job = plan
        .part(campaign.agent, campaign.agents)
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    let target = &args.target;
    let names = phases_of(&job);
    if let Some(name) = target.phases.iter().find(|name| !names.contains(&&***name)) {
        return Err(Failure::Usage(format!("--phases: the plan has no phase {name}; it has {}", names.join(", "))));
    }
    let server = server_address(target)?;
    let context = RunContext::of_plan(args)?;
    let runs = Runs::open(args, &context, server, plan, &job.objects)?;
    let result = if context.barrier.is_some() { runs.in_campaign(&job) } else { runs.all(&job) };
    context.conclude(result.map_err(|failure| runs.explained(failure)))
}

/// What all runs of a job, or all probes of a search, have in common.
pub struct Runs<'a> {
    args: &'a RunArgs,
    context: &'a RunContext<'a>,
    pub store: Box<dyn Store>,
    pub server: ServerAddress,
    title: String,
    id: RunId,
}

impl<'a> Runs<'a> {
    /// Connects to the server.
    pub fn open(
        args: &'a RunArgs,
        context: &'a RunContext<'a>,
        server: ServerAddress,
        plan: &Plan,
        objects: &ObjectSpec,
    ) -> Result<Self, Failure> {
        let store = drivers::open(&server, objects, args.target.seed)
            .map_err(|error| if_stopped(error.into(), context, &server))?;
        let file_name = args.plan_file()?.file_stem().unwrap_or_default().to_string_lossy();
        let title = args.campaign.title.as_deref().or(plan.title.as_deref()).unwrap_or(&file_name).to_owned();
        Ok(Self { args, context, store, server, title, id: RunId::new() })
    }

    /// Returns a failure in words that fit the server.
    pub fn explained(&self, failure: Failure) -> Failure {
        if_stopped(failure, self.context, &self.server)
    }

    /// Runs the part of one of several agents. The first agent works as in [`Self::all`]: it checks the objects and writes the
    /// marker that they are being loaded. Each agent loads its part.
    fn in_campaign(&self, job: &Job) -> Result<(), Failure> {
        self.objects_may_be_looked_at(job)?;
        if self.args.campaign.agent == 0 {
            return self.all(job);
        }
        let is_loaded = self.is_part_loaded(job)?;
        for (number, stage) in job.stages.iter().enumerate() {
            let is_due = !(is_loaded && stage.loads());
            if is_due && !self.stage(job, number, is_loaded)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns whether the objects are loaded already; for agents other than the first of their campaign.
    fn is_part_loaded(&self, job: &Job) -> Result<bool, Failure> {
        if !job.stages.iter().any(Stage::loads) {
            return Ok(true);
        }
        match self.store.inspect()? {
            StoredObjects::Complete | StoredObjects::Uneven => self.store.check().map(|()| true).map_err(Failure::from),
            StoredObjects::Incomplete => Ok(false),
            stored => Err(Failure::Workload(format!(
                "not measured: database server {}: the first agent has not begun to load these objects ({stored:?})",
                self.server.address
            ))),
        }
    }

    /// Waits for permission to inspect the objects, in a campaign. The first agent gets it at once, the others after it has
    /// written its marker, and the first agent again after all parts of a load.
    fn objects_may_be_looked_at(&self, job: &Job) -> Result<(), Failure> {
        if let Some(barrier) = &self.context.barrier {
            barrier.ready(json!(job.explanation.phases))?;
            barrier.report(CampaignStep::Loading);
        }
        Ok(())
    }

    fn all(&self, job: &Job) -> Result<(), Failure> {
        let is_loaded = self.is_loaded(&job.objects)?;
        let chosen = &self.args.target.phases;
        let (mut is_first, mut is_uneven) = (true, false);
        for (number, stage) in job.stages.iter().enumerate() {
            let is_selected = match stage.purpose {
                Purpose::Load => !is_loaded,
                Purpose::WarmUp => true,
                Purpose::Measure => chosen.is_empty() || chosen.contains(&stage.name),
            };
            if !is_selected {
                continue;
            }
            if stage.loads() || is_first && !is_loaded {
                self.store.begin_loading()?;
            }
            is_first = false;
            is_uneven |= stage.inserts() && !stage.part.is_alone();
            // Objects that are set from now on expire.
            is_uneven |= job.objects.expiry_s.is_some() && !stage.loads() && stage.updates();
            if is_uneven {
                self.store.begin_inserting()?;
            }
            if !self.stage(job, number, is_loaded)? {
                return Ok(());
            }
            if stage.loads() {
                self.objects_may_be_looked_at(job)?;
                self.store.check()?;
            }
            if !is_uneven && (is_loaded || job.stages[0].loads()) {
                // Stores the number of objects, which includes those that the stage inserted.
                self.store.finish_loading()?;
            }
        }
        self.remove_if_asked()
    }

    pub fn remove_if_asked(&self) -> Result<(), Failure> {
        if self.args.target.remove {
            let removed = self.store.remove()?;
            self.context.display.note(format!("{removed} objects taken away from {}", self.server.address));
        }
        Ok(())
    }

    /// Loads missing objects, for stages that are measured separately. Returns `false` if it was stopped.
    pub fn load_objects(&self, job: &Job) -> Result<bool, Failure> {
        self.objects_may_be_looked_at(job)?;
        let has_load = job.stages.first().is_some_and(Stage::loads);
        let load = || Ok(self.measure(job, 0, false, None)?.finish.outcome == RunOutcome::Completed);
        if self.args.campaign.agent > 0 {
            return if has_load && !self.is_part_loaded(job)? { load() } else { Ok(true) };
        }
        if !self.is_loaded(&job.objects)? {
            self.store.begin_loading()?;
            if has_load {
                if !load()? {
                    return Ok(false);
                }
                self.objects_may_be_looked_at(job)?;
                self.store.check()?;
                self.store.finish_loading()?;
            }
        }
        if job.objects.expiry_s.is_some() && job.stages.iter().any(|stage| !stage.loads() && stage.updates()) {
            self.store.begin_inserting()?;
        }
        Ok(true)
    }

    /// Returns whether objects exist and are used again. Removes those that `--reload` replaces or another campaign left uneven.
    fn is_loaded(&self, objects: &ObjectSpec) -> Result<bool, Failure> {
        let state = self.store.inspect()?;
        if self.args.target.reload && state != StoredObjects::Absent {
            let removed = self.store.remove()?;
            self.context.display.note(format!("{removed} objects of an earlier run taken away"));
        } else {
            match &state {
                StoredObjects::Complete => {
                    self.store.check()?;
                    let count = objects.count;
                    self.context.display.note(format!("{count} objects of an earlier run are used again"));
                    return Ok(true);
                }
                StoredObjects::OfOtherPlan(what) => {
                    return Err(Failure::Workload(format!(
                        "not measured: database server {}: another plan loaded {what} under these keys; name \
                         another database, or replace them: `tailroom-agent run` with this plan and --reload",
                        self.server.address
                    )));
                }
                StoredObjects::Uneven => {
                    let removed = self.store.remove()?;
                    let why = match objects.expiry_s {
                        Some(_) => "sets of it let them expire",
                        None => "several agents inserted behind them",
                    };
                    self.context.display.note(format!("{removed} objects of an earlier run taken away: {why}"));
                }
                StoredObjects::Absent | StoredObjects::Incomplete => {}
            }
        }
        self.store.check_capacity(&state)?;
        Ok(false)
    }

    /// Measures one stage as a run of its own; returns `false` if it was stopped.
    fn stage(&self, job: &Job, number: usize, is_reused: bool) -> Result<bool, Failure> {
        let ended = self.measure(job, number, is_reused, None)?;
        self.context.continues_after(&job.stages[number].name, ended)
    }

    /// Measures one stage as a run of its own, which may be a probe of a search.
    pub fn measure(
        &self,
        job: &Job,
        number: usize,
        is_reused: bool,
        probe: Option<ProbeRun<'_>>,
    ) -> Result<Ended, Failure> {
        let stage = &job.stages[number];
        let is_alone = stage.measures() && phases_of(job).len() == 1;
        let (target, output) = (&self.args.target, &self.args.output);
        let step = probe.map_or(0, |probe| probe.step as u64 * PROBE_STEP);
        let run = StageRun {
            server: &self.server,
            store: &*self.store,
            job,
            number,
            id: if probe.is_some() { RunId::new() } else { self.id },
            title: match probe {
                Some(probe) => format!("{} · probe {}: {}", self.title, probe.step, rate(probe.load_per_s)),
                None => format!("{} · {}", self.title, stage.name),
            }
            .chars()
            .take(200)
            .collect(),
            seed: target.seed,
            settings: Settings {
                seed: target
                    .seed
                    .wrapping_add(SEED_STEP * (number as u64 + 1))
                    .wrapping_add(AGENT_STEP * u64::from(self.args.campaign.agent))
                    .wrapping_add(step),
                timeout_ns: target.timeout_ms * 1_000_000,
                ticks_per_histogram: probe.map_or(target.histogram_every_s, |probe| probe.ticks_per_histogram),
                address: self.server.address.to_string(),
                limits_ns: probe.iter().map(|probe| probe.objective.limit_ns).collect(),
            },
            is_reused,
        };
        let result = match probe {
            Some(probe) => output.result_of_step(probe.step),
            None if is_alone => output.result.clone(),
            None => output.result_named(&stage.name),
        };
        let run_id = probe.map(|probe| probe.run_id).or_else(|| self.args.run_id.filter(|_| is_alone));
        // Among the phases of a campaign, probes follow the load phases.
        let load_phases = job.stages.iter().filter(|stage| stage.loads()).count();
        let phase = probe.map_or(number, |probe| load_phases + probe.step - 1);
        let run = CampaignRun { measured: &run, context: self.context, phase, ramp_s: stage.ramp_s, probe };
        self.context.measure(&run, run_id, result.as_deref())
    }
}
