//! `tailroom-agent act`: ACT's tests, from its own configuration files or from a load multiple, and the load ladder.

use std::path::Path;

use device::ActStoragePlan;
use device::config::{self, ConfigError};
use device::plan::{ArrivalProcess, Model};
use measure::series::Progress;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wire::messages::{RunId, RunOutcome};
use workloads::load_search::{Next, Probe, Settings, Verdict, next};

use crate::cli::ActArgs;
use crate::conclusion::Ended;
use crate::events::Event;
use crate::failure::{Failure, read_text};
use crate::plan::{Plan, Rung};
use crate::prepare;
use crate::run_context::RunContext;
use crate::state_folder::{StateFile, remove_unfinished};

/// Duration of a certification test of ACT, in seconds.
const DAY_S: u64 = 86_400;
/// ACT's limits: a threshold in nanoseconds, and the share of reads at or above it that must not be reached.
const ACT_LIMITS: [(u64, f64); 3] = [(1_000_000, 0.05), (8_000_000, 0.01), (64_000_000, 0.001)];

/// Runs `tailroom-agent act`: one test of ACT, or a load ladder.
pub fn act(args: &ActArgs) -> Result<(), Failure> {
    let plan = plan_of(args)?;
    let context = RunContext::open(&args.output)?;
    let result = if args.ladder {
        Ladder::open(args, &context, plan).and_then(Ladder::climb)
    } else {
        context.measure(&plan, None, args.output.result.as_deref()).map(drop)
    };
    context.conclude(result)
}

fn plan_of(args: &ActArgs) -> Result<Plan, Failure> {
    let usage = |sentence: &str| Failure::Usage(sentence.to_owned());
    let model = args.index.then_some(Model::Index);
    let (mut act, config_duration_s) = if let Some(path) = &args.config {
        let (plan, duration_s) = read_config(path, model)?;
        (plan, Some(duration_s))
    } else {
        let mut paths = args.devices.iter().chain(&args.file).cloned();
        let first = paths.next().ok_or_else(|| usage("name --devices, or --file with --size, or a --config"))?;
        let load = args.load.ok_or_else(|| usage("give --load, such as --load 1x, or a --config"))?;
        let plan = ActStoragePlan {
            further_paths: paths.collect(),
            load_multiple: Some(load),
            model: model.unwrap_or_default(),
            ..ActStoragePlan::new(first)
        };
        (plan, None)
    };
    if let Some(file) = &args.file {
        // A configuration that is tried on a file keeps the combined load of its devices.
        (act.path, act.further_paths) = (file.clone(), Vec::new());
        act.load_multiple = act.effective_load();
    }
    act.file_size_bytes = args.size.or(act.file_size_bytes);
    act.confirm_serials.clone_from(&args.confirm_serial);
    act.allow_list.clone_from(&args.allow_list);
    act.read_only |= args.read_only;
    act.engine = args.engine.unwrap_or(act.engine);
    act.threads = args.threads.or(act.threads);
    act.sq_poll |= args.sq_poll;
    act.io_poll |= args.io_poll;
    act.ramp_s = args.ramp_s;
    act.over_provisioning = args.over_provisioning;
    act.preconditioning =
        args.preconditioning.clone().or_else(|| prepare::preconditioning_of(args.prepared.as_deref(), &act.paths()));
    if args.poisson {
        act.arrivals = ArrivalProcess::Poisson;
    }
    let title = args.title.clone().unwrap_or_else(|| title_of(&act));
    let plan = Plan::of_act(title, args.duration_s.or(config_duration_s).unwrap_or(DAY_S), act);
    Plan { histogram_every_s: args.histogram_every_s, ..plan }.complete()
}

fn read_config(path: &Path, model: Option<Model>) -> Result<(ActStoragePlan, u64), Failure> {
    let text = read_text("the configuration", path)?;
    let config = config::parse(&text, model).map_err(|ConfigError { line, sentence }| {
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        Failure::Usage(format!("{}{line}: {sentence}", path.display()))
    })?;
    for note in &config.notes {
        eprintln!("{}: {note}", path.display());
    }
    Ok((config.plan, config.duration_s))
}

fn title_of(act: &ActStoragePlan) -> String {
    let test = if act.model == Model::Index { "ACT index" } else { "ACT storage" };
    let load = act.effective_load().map_or_else(|| "own rates".to_owned(), |load| format!("{load}x"));
    let target = act.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let more =
        if act.further_paths.is_empty() { String::new() } else { format!(" and {} more", act.further_paths.len()) };
    format!("{test} {load} on {target}{more}").chars().take(200).collect()
}

/// A load ladder: raises the load until a limit of ACT is broken, holds the last load that kept them, stresses at twice it.
struct Ladder<'a> {
    args: &'a ActArgs,
    context: &'a RunContext<'a>,
    plan: Plan,
    file: StateFile,
    state: LadderState,
}

/// State of a ladder that later calls of the same command continue.
#[derive(Debug, Serialize, Deserialize)]
struct LadderState {
    id: RunId,
    probes: Vec<Probe>,
    /// Number of loads measured after the climb: hold and stress.
    further: usize,
}

impl<'a> Ladder<'a> {
    /// Opens a ladder, at the point where an earlier call of the same command was interrupted, if there is one.
    fn open(args: &'a ActArgs, context: &'a RunContext<'a>, plan: Plan) -> Result<Self, Failure> {
        let depends_on = json!({
            "plan": plan, "folder": std::env::current_dir().unwrap_or_default(), "load": args.load, "step": args.step,
            "top": args.top, "hold_s": args.hold_s,
        });
        let file = StateFile::of(args.state.as_deref(), "ladder", &depends_on)?;
        let state = file.read(args.restart)?;
        let state = state.unwrap_or_else(|| LadderState { id: RunId::new(), probes: Vec::new(), further: 0 });
        let ladder = Self { args, context, plan, file, state };
        let measured = ladder.state.probes.len() + ladder.state.further;
        if measured > 0 {
            context.display.note(format!("the ladder goes on after {measured} loads of an earlier call"));
            if let Some(path) = args.output.result_of_step(measured + 1) {
                remove_unfinished(&path, ladder.state.id);
            }
        }
        Ok(ladder)
    }

    fn climb(mut self) -> Result<(), Failure> {
        let first = self.args.load.unwrap_or(1.0);
        let settings = Settings::ladder(first, self.args.step.unwrap_or(first), self.args.top);
        let result = loop {
            let load = match next(&settings, &self.state.probes, 0.0) {
                Next::Measure(load) => load,
                Next::Done(result) => break result,
            };
            let number = self.state.probes.len() + 1;
            let Some(verdict) = self.rung(number, "raise", load, self.plan.duration_s)? else { return Ok(()) };
            self.state.probes.push(Probe::of_slices(load, verdict, &[]));
            self.file.write(&self.state)?;
        };
        let failed_load = result.failed.or(result.limited);
        let doubt = match result.limited {
            Some(_) => ", but with unreliable slices: that proves nothing against the drive",
            None => "",
        };
        let Some(passed_load) = result.passed else {
            let lowest = failed_load.unwrap_or(first);
            let sentence = format!("the ladder found no load: {lowest}x already breaks a limit{doubt}");
            self.file.remove();
            self.report(None, failed_load);
            return Err(Failure::Workload(sentence));
        };
        let hold_s = self.args.hold_s.unwrap_or(self.plan.duration_s);
        for (kind, load) in [("hold", passed_load), ("stress", 2.0 * passed_load)].into_iter().skip(self.state.further)
        {
            if self.rung(self.state.probes.len() + 1 + self.state.further, kind, load, hold_s)?.is_none() {
                return Ok(());
            }
            self.state.further += 1;
            self.file.write(&self.state)?;
        }
        self.file.remove();
        let above =
            failed_load.map_or_else(|| "none broke one".to_owned(), |load| format!("{load}x breaks one{doubt}"));
        self.context.display.answer(vec![format!("ladder: {passed_load}x keeps the limits of ACT, {above}")]);
        self.report(Some(passed_load), failed_load);
        Ok(())
    }

    fn report(&self, passed_load: Option<f64>, failed_load: Option<f64>) {
        self.context.display.event(Event::Ladder {
            id: self.state.id,
            kept_load: passed_load,
            broken_load: failed_load,
        });
    }

    /// Measures one load and returns its verdict, or `None` if it was stopped.
    fn rung(
        &mut self,
        number: usize,
        kind: &'static str,
        load: f64,
        duration_s: u64,
    ) -> Result<Option<Verdict>, Failure> {
        let step = u32::try_from(number).unwrap_or(u32::MAX);
        let mut plan = self.plan.clone();
        plan.title = format!("{} · ladder {step}: {kind} {load}x", self.args.title.as_deref().unwrap_or("ACT"));
        plan.duration_s = duration_s;
        plan.ladder = Some(Rung { id: self.state.id.to_string(), step, kind: kind.to_owned() });
        if let Some(act) = &mut plan.act_storage {
            act.load_multiple = Some(load);
        }
        let result = self.args.output.result_of_step(number);
        let run_id = (step == 1).then_some(self.state.id);
        let ended = self.context.measure(&plan.complete()?, run_id, result.as_deref())?;
        let verdict = (!self.context.is_stopped()).then(|| verdict_of(&ended));
        let (kept_limits, doubtful) = (verdict == Some(Verdict::Pass), ended.is_unreliable);
        self.context.display.event(Event::Rung { step, kind, load, kept_limits, doubtful });
        Ok(verdict)
    }
}

/// Returns the verdict on the reads of a whole run by ACT's limits on response time. The page of the run judges every hour.
pub fn verdict_of(ended: &Ended) -> Verdict {
    let reads = ended.last.get("read").filter(|_| ended.finish.outcome == RunOutcome::Completed);
    let keeps = |reads: &Progress| {
        ACT_LIMITS.iter().all(|(threshold_ns, limit)| {
            reads.over.iter().find(|(at, _)| at == threshold_ns).is_some_and(|(_, share)| share < limit)
        })
    };
    match reads.is_some_and(keeps) {
        true => Verdict::Pass,
        false if ended.is_unreliable => Verdict::Limited,
        false => Verdict::Fail,
    }
}
