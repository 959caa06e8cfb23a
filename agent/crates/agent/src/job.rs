//! `tailroom-agent run` for plans of databases: inspects the server, loads missing objects, measures each phase as a run of its
//! own, and removes the objects on request.
//!
//! Each phase is a run because a verdict is about one load (ADR 13); the plans of these runs name the same job.

mod runs;
mod stage_run;

use std::path::Path;
use std::process::ExitCode;

use database::drivers;
use database::stage::Settings;
use database::store::StoredObjects;
use serde_json::json;
use wire::messages::{RunId, RunOutcome};
use workloads::job::{Purpose, Stage};
use workloads::plan::Plan;

use crate::barrier::Barrier;
use crate::campaign_phases::CampaignRun;
use crate::cli::RunArgs;
use crate::conclusion::Ended;
use crate::events::CampaignStep;
use crate::failure::Failure;
use crate::probe::{ProbeRun, result_file};
use crate::result_file::named;
use crate::run_context::RunContext;
use crate::summary::rate;
use crate::target::{if_stopped, server_address, stem_of};
pub use runs::Runs;
use stage_run::StageRun;

/// Distance between the random seeds of two stages.
const SEED_STEP: u64 = 1_000;
/// Distance between the random seeds of two agents.
const AGENT_STEP: u64 = 1_000_000;
/// Distance between the random seeds of two probes.
const PROBE_STEP: u64 = 1_000_000_000;

pub fn run(args: &RunArgs, path: &Path, plan: &Plan) -> Result<ExitCode, Failure> {
    let campaign = &args.campaign;
    let job = plan
        .part(campaign.agent, campaign.agents)
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    let title = campaign.title.as_deref().or(plan.title.as_deref());
    let title = title.map_or_else(|| stem_of(path), str::to_owned);
    let target = &args.target;
    for name in &target.phases {
        if !job.stages.iter().any(|stage| stage.measures() && stage.name == *name) {
            let names: Vec<&str> =
                job.stages.iter().filter(|stage| stage.measures()).map(|stage| &*stage.name).collect();
            return Err(Failure::Usage(format!("--phases: the plan has no phase {name}; it has {}", names.join(", "))));
        }
    }
    let server = server_address(target)?;
    let context = RunContext::open(&args.output)?;
    let carry_out = || {
        let store = drivers::open(&server, &job.objects, target.seed)?;
        let barrier = campaign.campaign.as_ref().map(|_| Barrier::on_standard_input(context.stop())).transpose()?;
        let (context, job, server, store) = (&context, &job, &server, &*store);
        let barrier = barrier.as_ref();
        let runs = Runs { args, context, job, store, server, title, id: RunId::new(), barrier, probe: None };
        if runs.barrier.is_some() { runs.in_campaign() } else { runs.all() }
    };
    let result = carry_out().map_err(|failure| if_stopped(failure, &context, &server));
    context.conclude(result)
}

impl Runs<'_> {
    /// Runs the part of one of several agents. The first agent works as in [`Self::all`]: it checks the objects and writes the
    /// marker that they are being loaded. Each agent loads its part.
    fn in_campaign(&self) -> Result<(), Failure> {
        self.objects_may_be_looked_at()?;
        if self.args.campaign.agent == 0 {
            return self.all();
        }
        let is_loaded = self.is_part_loaded()?;
        let mut undelivered = None;
        let is_due = |(_, stage): &(usize, &Stage)| !(is_loaded && stage.loads());
        for (number, stage) in self.job.stages.iter().enumerate().filter(is_due) {
            if !self.stage(number, stage, is_loaded, &mut undelivered)? {
                return Ok(());
            }
        }
        undelivered.map_or(Ok(()), |sentence| Err(Failure::Undelivered(sentence)))
    }

    /// Returns whether the objects are loaded already; for agents other than the first of their campaign.
    fn is_part_loaded(&self) -> Result<bool, Failure> {
        if !self.job.stages.iter().any(Stage::loads) {
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
    fn objects_may_be_looked_at(&self) -> Result<(), Failure> {
        let Some(barrier) = self.barrier else { return Ok(()) };
        self.campaign(CampaignStep::Ready { phases: json!(self.job.explanation.phases) });
        barrier.objects()?;
        self.campaign(CampaignStep::Loading);
        Ok(())
    }

    fn all(&self) -> Result<(), Failure> {
        let is_loaded = self.is_loaded()?;
        let chosen = &self.args.target.phases;
        let (mut is_first, mut is_uneven, mut undelivered) = (true, false, None);
        for (number, stage) in self.job.stages.iter().enumerate() {
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
            is_uneven |= self.job.objects.expiry_s.is_some() && !stage.loads() && stage.updates();
            if is_uneven {
                self.store.begin_inserting()?;
            }
            if !self.stage(number, stage, is_loaded, &mut undelivered)? {
                return Ok(());
            }
            if stage.loads() {
                self.objects_may_be_looked_at()?;
                self.store.check()?;
            }
            if !is_uneven && (is_loaded || self.job.stages[0].loads()) {
                // Stores the number of objects, which includes those that the stage inserted.
                self.store.finish_loading()?;
            }
        }
        self.remove_if_asked()?;
        undelivered.map_or(Ok(()), |sentence| Err(Failure::Undelivered(sentence)))
    }

    /// Returns the number of a probe among the phases of a campaign: probes follow the load phases.
    fn probe_phase(&self, probe: &ProbeRun<'_>) -> usize {
        self.job.stages.iter().filter(|stage| stage.loads()).count() + probe.step - 1
    }

    pub fn remove_if_asked(&self) -> Result<(), Failure> {
        if self.args.target.remove {
            let removed = self.store.remove()?;
            self.context.display.note(format!("{removed} objects taken away from {}", self.server.address));
        }
        Ok(())
    }

    /// Loads missing objects, for stages that are measured separately. Returns `false` if it was stopped.
    pub fn load_objects(&self) -> Result<bool, Failure> {
        self.objects_may_be_looked_at()?;
        let load = self.job.stages.first().filter(|stage| stage.loads());
        if self.args.campaign.agent > 0 {
            return match load {
                Some(load) if !self.is_part_loaded()? => {
                    Ok(self.measure(0, load, false)?.finish.outcome == RunOutcome::Completed)
                }
                _ => Ok(true),
            };
        }
        if !self.is_loaded()? {
            self.store.begin_loading()?;
            if let Some(load) = load {
                if self.measure(0, load, false)?.finish.outcome != RunOutcome::Completed {
                    return Ok(false);
                }
                self.objects_may_be_looked_at()?;
                self.store.check()?;
                self.store.finish_loading()?;
            }
        }
        if self.job.objects.expiry_s.is_some() && self.job.stages.iter().any(|stage| !stage.loads() && stage.updates())
        {
            self.store.begin_inserting()?;
        }
        Ok(true)
    }

    /// Returns whether objects exist and are used again. Removes those that `--reload` replaces or another campaign left uneven.
    fn is_loaded(&self) -> Result<bool, Failure> {
        let state = self.store.inspect()?;
        if self.args.target.reload && state != StoredObjects::Absent {
            let removed = self.store.remove()?;
            self.context.display.note(format!("{removed} objects of an earlier run taken away"));
        } else {
            match &state {
                StoredObjects::Complete => {
                    self.store.check()?;
                    let count = self.job.objects.count;
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
                    let why = match self.job.objects.expiry_s {
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
    fn stage(
        &self,
        number: usize,
        stage: &Stage,
        is_reused: bool,
        undelivered: &mut Option<String>,
    ) -> Result<bool, Failure> {
        let ended = self.measure(number, stage, is_reused)?;
        if let Some(sentence) = ended.undelivered {
            if self.context.is_stopped() {
                return Err(Failure::Undelivered(sentence));
            }
            // The run is measured and still in the spool, so the next phase does not wait for the backend.
            *undelivered = Some(sentence);
            return Ok(true);
        }
        if ended.finish.outcome == RunOutcome::Completed {
            return Ok(true);
        }
        if self.context.is_stopped() {
            return Ok(false);
        }
        let reason = ended.finish.reason.unwrap_or_default();
        Err(Failure::Workload(format!("phase {} ended early: {reason}", stage.name)))
    }

    /// Measures one stage as a run of its own. Undelivered results are no error here.
    pub fn measure(&self, number: usize, stage: &Stage, is_reused: bool) -> Result<Ended, Failure> {
        let measured: Vec<&Stage> = self.job.stages.iter().filter(|stage| stage.measures()).collect();
        let is_alone = measured.len() == 1 && stage.measures();
        let (target, probe) = (&self.args.target, self.probe.as_ref());
        let step = probe.map_or(0, |probe| probe.step as u64 * PROBE_STEP);
        let run = StageRun {
            runs: self,
            stage,
            phase: &self.job.explanation.phases[number],
            number,
            title: match probe {
                Some(probe) => format!("{} · probe {}: {}", self.title, probe.step, rate(probe.load_per_s)),
                None => format!("{} · {}", self.title, stage.name),
            }
            .chars()
            .take(200)
            .collect(),
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
        let result = self.args.output.result.as_deref().map(|path| match probe {
            Some(probe) => result_file(path, probe.step),
            None if is_alone => path.to_owned(),
            None => named(path, &stage.name),
        });
        let run_id = probe.map(|probe| probe.run_id).or_else(|| self.args.run_id.filter(|_| is_alone));
        let run = CampaignRun {
            measured: &run,
            context: self.context,
            campaign: &self.args.campaign,
            barrier: self.barrier,
            phase: probe.map_or(number, |probe| self.probe_phase(probe)),
            ramp_s: stage.ramp_s,
            probe: self.probe,
        };
        self.context.measure(&run, run_id, result.as_deref())
    }
}
