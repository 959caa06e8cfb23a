//! `tailroom-agent act`: ACT's tests, from its own configuration files or from a load multiple, and the load ladder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use device::ActStoragePlan;
use device::config::{self, ConfigError};
use device::plan::{ArrivalProcess, MICRO_LOADS_PER_LOAD, Model};
use wire::messages::{RunId, RunOutcome, WorkloadKind};

use crate::cli::ActArgs;
use crate::events::Event;
use crate::failure::Failure;
use crate::plan::{Plan, Rung};
use crate::prepare;
use crate::station::{Ended, Station};

/// A certification test of ACT lasts so long.
const DAY_S: u64 = 86_400;
/// ACT's limits: threshold and the share of reads that must stay below it.
const ACT_LIMITS: [(u64, f64); 3] = [(1_000_000, 0.05), (8_000_000, 0.01), (64_000_000, 0.001)];

/// Executes ACT's test.
///
/// # Errors
/// See [`Failure`].
pub fn act(args: &ActArgs) -> Result<ExitCode, Failure> {
    let plan = plan_of(args)?;
    let station = Station::open(&args.output)?;
    let result = if args.ladder {
        Ladder { args, station: &station, plan, id: RunId::new() }.climb()
    } else {
        station.run(&plan, None, args.output.result.as_deref()).map(drop)
    };
    station.show_verdicts();
    station.display.flush();
    result.map(|()| ExitCode::SUCCESS)
}

/// What was typed, as a plan.
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
        // A configuration tried on a file: the load stays that of its devices together.
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
    let plan = Plan {
        title: args.title.clone().unwrap_or_else(|| title_of(&act)),
        workload: WorkloadKind::ActStorage,
        duration_s: args.duration_s.or(config_duration_s).unwrap_or(DAY_S),
        histogram_every_s: args.histogram_every_s,
        act_storage: Some(act),
        ladder: None,
    };
    plan.complete()
}

fn read_config(path: &Path, model: Option<Model>) -> Result<(ActStoragePlan, u64), Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("cannot read the configuration {}: {error}", path.display())))?;
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
    let place = act.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let more =
        if act.further_paths.is_empty() { String::new() } else { format!(" and {} more", act.further_paths.len()) };
    format!("{test} {load} on {place}{more}").chars().take(200).collect()
}

/// Raises the load until a limit is broken, holds the last load that kept them, stresses at twice of it.
struct Ladder<'a> {
    args: &'a ActArgs,
    station: &'a Station<'a>,
    plan: Plan,
    id: RunId,
}

impl Ladder<'_> {
    fn climb(self) -> Result<(), Failure> {
        let first = self.args.load.unwrap_or(1.0);
        let (mut step, mut passed_load, mut failed_load) = (0, None, None);
        let mut doubt = "";
        for load in loads(first, self.args.step.unwrap_or(first), self.args.top) {
            step += 1;
            match self.rung(step, "raise", load, self.plan.duration_s)? {
                Verdict::Kept => passed_load = Some(load),
                Verdict::Broken { doubtful } => {
                    failed_load = Some(load);
                    if doubtful {
                        doubt = ", but with unreliable slices: that proves nothing against the drive";
                    }
                    break;
                }
                Verdict::Stopped => return Ok(()),
            }
        }
        let Some(passed_load) = passed_load else {
            let sentence = format!("the ladder found no load: {first}x already breaks a limit{doubt}");
            self.report(None, failed_load, &sentence);
            return Err(Failure::Workload(sentence));
        };
        let hold_s = self.args.hold_s.unwrap_or(self.plan.duration_s);
        for (kind, load) in [("hold", passed_load), ("stress", 2.0 * passed_load)] {
            step += 1;
            if let Verdict::Stopped = self.rung(step, kind, load, hold_s)? {
                return Ok(());
            }
        }
        let above =
            failed_load.map_or_else(|| "none broke one".to_owned(), |load| format!("{load}x breaks one{doubt}"));
        self.report(
            Some(passed_load),
            failed_load,
            &format!("ladder: {passed_load}x keeps the limits of ACT, {above}"),
        );
        Ok(())
    }

    fn report(&self, passed_load: Option<f64>, failed_load: Option<f64>, sentence: &str) {
        self.station.display.event(Event::Ladder { id: self.id, kept_load: passed_load, broken_load: failed_load });
        self.station.display.note(sentence);
    }

    fn rung(&self, step: u32, kind: &'static str, load: f64, duration_s: u64) -> Result<Verdict, Failure> {
        let mut plan = self.plan.clone();
        plan.title = format!("{} · ladder {step}: {kind} {load}x", self.args.title.as_deref().unwrap_or("ACT"));
        plan.duration_s = duration_s;
        plan.ladder = Some(Rung { id: self.id.to_string(), step, kind: kind.to_owned() });
        if let Some(act) = &mut plan.act_storage {
            act.load_multiple = Some(load);
        }
        let result = self.args.output.result.as_deref().map(|path| numbered(path, step));
        let run_id = (step == 1).then_some(self.id);
        let ended = self.station.run(&plan.complete()?, run_id, result.as_deref())?;
        let verdict = if self.station.is_stopped() { Verdict::Stopped } else { verdict_of(&ended) };
        let (kept_limits, doubtful) = (verdict == Verdict::Kept, ended.is_unreliable);
        self.station.display.event(Event::Rung { step, kind, load, kept_limits, doubtful });
        Ok(verdict)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Kept,
    Broken {
        /// The generator itself was late or busy in part of it.
        doubtful: bool,
    },
    Stopped,
}

/// Returns the loads to raise: whole millionths of a load, so that steps do not drift and the top is reached.
fn loads(first: f64, step: f64, top: f64) -> impl Iterator<Item = f64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "above 0, and what is too large ends at the largest number"
    )]
    let micro = |load: f64| (load * MICRO_LOADS_PER_LOAD as f64).round() as u64;
    let (first, step, top) = (micro(first), micro(step).max(1), micro(top));
    (0..)
        .map(move |number| first + number * step)
        .take_while(move |load| *load <= top)
        .map(|load| load as f64 / MICRO_LOADS_PER_LOAD as f64)
}

/// Returns whether the reads of a whole run met ACT's limits in response time. The page judges every hour.
fn verdict_of(ended: &Ended) -> Verdict {
    let broken = Verdict::Broken { doubtful: ended.is_unreliable };
    let Some(reads) = ended.last.get("read").filter(|_| ended.finish.outcome == RunOutcome::Completed) else {
        return broken;
    };
    let is_broken = ACT_LIMITS.iter().any(|(threshold_ns, limit)| {
        reads.over.iter().find(|(at, _)| at == threshold_ns).is_none_or(|(_, share)| share >= limit)
    });
    if is_broken { broken } else { Verdict::Kept }
}

/// `run.ndjson` becomes `run-02.ndjson`.
fn numbered(path: &Path, step: u32) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let kind = path.extension().map(|kind| format!(".{}", kind.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{name}-{step:02}{kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_do_not_drift_and_the_top_is_reached() {
        let climbed: Vec<f64> = loads(0.05, 0.05, 2.0).collect();
        assert_eq!(climbed.len(), 40);
        assert_eq!(climbed[36].to_string(), "1.85");
        assert_eq!(climbed.last().map(ToString::to_string).as_deref(), Some("2"));
        assert_eq!(loads(5.0, 1.0, 4.0).count(), 0);
    }
}
