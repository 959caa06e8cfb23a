//! `tailroom-agent qualify`: the steps of the standard for qualifying a drive, singly or as a suite that can be resumed.

mod load_run;
mod report;
mod state;
mod subject;
pub mod suite;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::ValueEnum;
use device::qualify::cache::CacheEnd;
use device::qualify::fill::Fill;
use measure::series::WorkloadError;
use serde_json::{Value, json};
use wire::messages::{RunId, RunOutcome};

use self::load_run::{LoadRun, Question};
use self::state::{MeasuredLoad, Settings, State};
use self::subject::Subject;
pub use self::suite::Step;
use self::suite::{Load, description, measured_s};
use crate::cli::{FillName, QualifyArgs, SuiteName};
use crate::failure::Failure;
use crate::inventory::sha256_hex;
use crate::run_context::RunContext;
use crate::state_folder::folder_of;
use crate::summary::OperationSummary;

/// The step that `--suite pts` leaves out because it takes hours.
const HOURS: Step = Step::Saturation;

/// Runs the chosen steps, from where an earlier call ended. A drive that does not settle is a result, not an error.
pub fn qualify(args: &QualifyArgs) -> Result<(), Failure> {
    let failed = |WorkloadError(sentence)| Failure::Workload(format!("not qualified: {sentence}"));
    let state_path = match &args.state {
        Some(state_path) => state_path.clone(),
        None => folder_of(None, "qualified", "to remember the drive in: give --state")?
            .join(format!("{}.json", sha256_hex(&Subject::identity(args).map_err(failed)?))),
    };
    let settings = settings_of(args)?;
    let before = if args.restart { None } else { State::read(&state_path).map_err(Failure::Usage)? };
    let model = before.as_ref().and_then(|state| state.model.clone());
    let subject = Subject::new(args, settings.simulated_drive, model);
    let state = match before {
        Some(state) if state.settings == settings => state,
        Some(_) => {
            return Err(Failure::Usage(format!(
                "{}: an earlier call asked for other steps or settings; repeat those to go on, or add --restart",
                state_path.display()
            )));
        }
        None => State {
            id: RunId::new().to_string(),
            settings,
            unit_bytes: subject.unit_bytes().map_err(failed)?,
            size_bytes: subject.size_bytes().map_err(failed)?,
            purged: None,
            filled: None,
            measured: Vec::new(),
            model: None,
        },
    };
    let context = RunContext::open(&args.output)?;
    let mut suite = Suite { args, context: &context, subject, state, state_path };
    let result = suite.carry_out();
    context.display.answer(report::lines(&suite.state));
    let written = args.report.as_deref().map_or(Ok(()), |path| suite.write_report(path));
    context.end(result.and(written))
}

fn settings_of(args: &QualifyArgs) -> Result<Settings, Failure> {
    let mut steps = match args.suite {
        Some(SuiteName::Full) => Step::value_variants().to_vec(),
        Some(SuiteName::Pts) => Step::value_variants().iter().copied().filter(|step| *step != HOURS).collect(),
        None => args.step.clone(),
    };
    steps.sort_unstable();
    steps.dedup();
    let fill = match args.fill {
        FillName::OnePass => Fill::OnePass { spare_ratio: args.spare },
        FillName::Sequential => Fill::Sequential,
    };
    let simulated_drive =
        args.simulated_drive.as_deref().map(subject::model_in_file).transpose().map_err(Failure::Usage)?;
    let QualifyArgs { purge, round_s, act_load, .. } = args;
    Ok(Settings { steps, purge: *purge, fill, round_s: *round_s, act_load: *act_load, simulated_drive })
}

struct Suite<'a> {
    args: &'a QualifyArgs,
    context: &'a RunContext<'a>,
    subject: Subject,
    state: State,
    state_path: PathBuf,
}

impl Suite<'_> {
    fn carry_out(&mut self) -> Result<(), Failure> {
        let failed = |WorkloadError(sentence)| Failure::Workload(format!("not qualified: {sentence}"));
        if self.state.settings.steps.contains(&Step::Purge) && self.state.purged.is_none() {
            let purge = self.state.settings.purge;
            self.subject.purge(purge, &self.context.stop().flag).map_err(failed)?;
            self.state.purged = Some(purge);
            self.remember()?;
            self.context.display.note("the drive is purged");
        }
        // Saturation measures the drive as the purge left it, so it comes before filling.
        self.measure_while(|step| step == Step::Saturation)?;
        if self.state.settings.steps.contains(&Step::Prepare) && !self.state.is_filled() {
            let (fill, from) = (self.state.settings.fill, self.state.filled.map_or(0, |(done, _)| done));
            let (state, state_path, context) = (&mut self.state, &self.state_path, self.context);
            let subject = &self.subject;
            let mut keep = |done, all| {
                state.filled = Some((done, all));
                state.model = subject.model();
                context.display.note(format!("filled {} %", done * 100 / all.max(1)));
                state.write(state_path).map_err(WorkloadError)
            };
            subject.fill(fill, from, &mut keep, &context.stop().flag).map_err(failed)?;
        }
        self.measure_while(|_| true)
    }

    /// Measures the next loads as long as `is_meant` holds for their step.
    fn measure_while(&mut self, is_meant: impl Fn(Step) -> bool) -> Result<(), Failure> {
        while let Some((step, load)) = self.state.next().filter(|(step, _)| is_meant(*step)) {
            self.measure(step, load)?;
        }
        Ok(())
    }

    fn measure(&mut self, step: Step, load: Load) -> Result<(), Failure> {
        let number = self.state.of(step).len() + 1;
        let measured_s = measured_s(&load, self.state.settings.round_s);
        let title = format!("Qualify {} · {} {number}: {}", self.subject.name(), step.name(), description(&load));
        let run = LoadRun {
            subject: &self.subject,
            state: &self.state,
            title,
            load,
            question: Question::of(&load, &self.subject, measured_s, self.preparation())?,
            step,
            number,
            measured_s,
            before: OnceLock::new(),
        };
        let run_id = RunId::new();
        // The run id keeps the file apart from that of an interrupted call for the same load.
        let result = self.args.output.result_named(&format!("{}-{number:02}-{run_id}", step.name()));
        let ended = self.context.measure(&run, Some(run_id), result.as_deref())?;
        // For ACT, a drive that cannot keep up is an answer.
        let is_over = step == Step::Act && !self.context.is_stopped();
        if ended.finish.outcome != RunOutcome::Completed && !is_over {
            let reason = ended.finish.reason.unwrap_or_else(|| "it was stopped".to_owned());
            return Err(Failure::Workload(format!("{}: {reason}; the same command goes on from here", run.title)));
        }
        let measured = MeasuredLoad {
            step,
            load,
            run_id: run_id.to_string(),
            per_s: rate_per_s(step, &ended.operations),
            answer: run.question.answer(&load, &ended),
            throttled_s: ended.finish.drive_counters.as_ref().map_or(0.0, throttled_s),
            operations: json!(ended.operations),
        };
        self.state.measured.push(measured);
        self.remember()
    }

    /// Returns how the drive was prepared, as a sentence; `None` if it was not filled.
    fn preparation(&self) -> Option<String> {
        let state = &self.state;
        let is_settled = state.settings.steps.contains(&Step::Settle);
        let settled = is_settled.then(|| report::answer(&state.steady_state()));
        let words = report::preparation(state).into_iter().chain(settled).collect::<Vec<_>>();
        state.is_filled().then(|| words.join("; "))
    }

    fn remember(&mut self) -> Result<(), Failure> {
        self.state.model = self.subject.model();
        self.state.write(&self.state_path).map_err(Failure::Workload)
    }

    fn write_report(&self, path: &Path) -> Result<(), Failure> {
        let report = json!({
            "tailroom_qualification": 1,
            "device": self.subject.name(),
            "simulated_drive": self.subject.model_facts(),
            "suite": State { model: None, ..self.state.clone() },
            "steady_state": self.state.steady_state(),
            "cache_end": CacheEnd::of(&self.state.saturation()),
            "recovery": self.state.recovery(),
            "idle_gains": self.state.idle_gains(),
            "is_complete": self.state.next().is_none(),
        });
        fs::write(path, format!("{report:#}\n"))
            .map_err(|error| Failure::Workload(format!("{}: {error}", path.display())))
    }
}

/// Returns the rate of a load: of its reads for ACT, otherwise of all operations.
fn rate_per_s(step: Step, operations: &[OperationSummary]) -> f64 {
    let counts = |operation: &&OperationSummary| step != Step::Act || operation.operation == "read";
    operations.iter().filter(counts).map(|operation| operation.rate_reached_per_s).sum()
}

/// Returns for how many seconds the drive throttled itself by heat between first and last reading; 0 if it does not report that.
fn throttled_s(counters: &Value) -> f64 {
    let seconds = |reading: &Value| {
        ["smart.thermal_management_1_s", "smart.thermal_management_2_s"]
            .iter()
            .filter_map(|name| reading["values"][name].as_f64())
            .sum::<f64>()
    };
    let of_drive = |drive: &Value| {
        let readings = drive["readings"].as_array()?;
        Some((seconds(readings.last()?) - seconds(readings.first()?)).max(0.0))
    };
    counters["drives"].as_array().into_iter().flatten().filter_map(of_drive).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_is_what_the_counters_rose_by() {
        let reading = |first: u64, second: u64| json!({"values": {"smart.thermal_management_1_s": first, "smart.thermal_management_2_s": second}});
        let drives = json!({"drives": [
            {"readings": [reading(5, 1), reading(6, 1), reading(9, 2)]}, {"readings": []}, {"readings": [{"values": {}}]},
        ]});
        assert!((throttled_s(&drives) - 5.0).abs() < 1e-9);
        assert!(throttled_s(&Value::Null).abs() < 1e-9);
    }
}
