//! `tailroom-agent sync-write`: whether a drive makes small writes durable fast enough for the log of a database.

use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use device::sync_write::{self, OPERATION, SyncWritePlan};
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::{Value, json};
use wire::messages::WorkloadKind;
use workloads::load_search::Word;

use crate::cli::SyncWriteArgs;
use crate::failure::Failure;
use crate::objective::{Objective, ObjectiveAnswer};
use crate::plan::Measurable;
use crate::result_file::named;
use crate::station::Station;
use crate::summary::{bounds, rate};

/// As the built-in budget `sync-write` asks.
const OBJECTIVE: &str = "p99 sync-write < 10ms";

/// Measures each size of block as a run of its own.
///
/// # Errors
/// See [`Failure`].
pub fn sync_write(args: &SyncWriteArgs) -> Result<ExitCode, Failure> {
    let runs = args.block.iter().map(|block| SyncWriteRun::of(args, *block)).collect::<Result<Vec<_>, _>>()?;
    let station = Station::open(&args.output)?;
    let result = measure(args, &station, &runs);
    station.show_verdicts();
    station.display.flush();
    result.map(|()| ExitCode::SUCCESS)
}

fn measure(args: &SyncWriteArgs, station: &Station<'_>, runs: &[SyncWriteRun]) -> Result<(), Failure> {
    let mut undelivered = None;
    for run in runs {
        let result = args.output.result.as_deref().map(|path| match runs.len() {
            1 => path.to_owned(),
            _ => named(path, &format!("{}b", run.plan.block_bytes)),
        });
        let ended = station.measure(run, None, result.as_deref())?;
        station.display.answer(vec![run.answer(ended.objective.as_ref())]);
        if station.is_stopped() {
            break;
        }
        // What is not delivered lies in the spool; the next size does not wait for the backend.
        undelivered = undelivered.or(ended.undelivered);
    }
    undelivered.map_or(Ok(()), |sentence| Err(Failure::Undelivered(sentence)))
}

/// Writes of one size.
struct SyncWriteRun {
    plan: SyncWritePlan,
    title: String,
    duration_s: u64,
    histogram_every_s: u64,
    objective: Objective,
}

impl SyncWriteRun {
    fn of(args: &SyncWriteArgs, block_bytes: u64) -> Result<Self, Failure> {
        let path = match (&args.folder, &args.device) {
            (Some(folder), None) => folder.join(format!("tailroom-sync-write-{}.dat", std::process::id())),
            (None, Some(device)) if device.metadata().is_ok_and(|device| device.file_type().is_block_device()) => {
                device.clone()
            }
            (None, Some(device)) => {
                let sentence = "is no block device; name one of those that lsblk lists, or a --folder";
                return Err(Failure::Usage(format!("--device: {} {sentence}", device.display())));
            }
            _ => return Err(Failure::Usage("name a --folder or a --device".to_owned())),
        };
        let place = args.folder.as_deref().unwrap_or(&path).display().to_string();
        let block_bytes = u32::try_from(block_bytes).unwrap_or(u32::MAX);
        let plan =
            SyncWritePlan::new(path, block_bytes).map_err(|error| Failure::Usage(format!("--block: {error}")))?;
        let title = args.title.clone().unwrap_or_else(|| format!("Synchronous writes on {place}"));
        Ok(Self {
            title: format!("{title} · {}", size(block_bytes)).chars().take(200).collect(),
            plan: SyncWritePlan {
                confirm_serials: args.confirm_serial.clone(),
                allow_list: args.allow_list.clone(),
                ..plan
            },
            duration_s: args.duration_s,
            histogram_every_s: args.duration_s.clamp(1, 10),
            objective: Objective::parse(OBJECTIVE).map_err(Failure::Workload)?,
        })
    }

    /// Returns the answer in one line: of the writes of this run, by their buckets.
    fn answer(&self, answer: Option<&ObjectiveAnswer>) -> String {
        let size = size(self.plan.block_bytes);
        let Some(answer) = answer else { return format!("{size}: no write ended") };
        let (late, all) = answer.slices.iter().fold((0, 0), |(late, all), slice| (late + slice.late, all + slice.all));
        let word = match answer.word {
            Word::Pass => "yes, in this run",
            Word::Fail => "no, in this run",
            Word::Limited => "not decided, because this machine was too busy to measure",
        };
        let times = answer.bounds_ns.map_or_else(
            || "p99 lies among the writes that failed".to_owned(),
            |(lower_ns, upper_ns)| format!("p99 {}", bounds(lower_ns, upper_ns)),
        );
        let per_s = rate(all as f64 / self.duration_s as f64);
        format!("{size}, {OBJECTIVE}: {word}; {times}; {late} of {all} writes took 10 ms or longer; {per_s}")
    }
}

fn size(bytes: u32) -> String {
    if bytes.is_multiple_of(1024) { format!("{} KiB", bytes / 1024) } else { format!("{bytes} B") }
}

impl Measurable for SyncWriteRun {
    fn title(&self) -> &str {
        &self.title
    }

    fn workload(&self) -> WorkloadKind {
        WorkloadKind::SyncWrite
    }

    fn planned_duration_ns(&self) -> u64 {
        self.duration_s * 1_000_000_000
    }

    fn disclosed(&self) -> Value {
        json!({
            "title": self.title,
            "workload": WorkloadKind::SyncWrite,
            "duration_s": self.duration_s,
            "histogram_every_s": self.histogram_every_s,
            "phase": {"name": OPERATION, "loop": "closed"},
            "sync_write": self.plan,
        })
    }

    fn paths(&self) -> Vec<PathBuf> {
        vec![self.plan.path.clone()]
    }

    fn measured_paths(&self) -> Vec<PathBuf> {
        self.paths()
    }

    fn objective(&self) -> Option<&Objective> {
        Some(&self.objective)
    }

    fn prepare(&self, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<Box<dyn Workload>, WorkloadError> {
        let (duration, every) = (Duration::from_secs(self.duration_s), Duration::from_secs(self.histogram_every_s));
        sync_write::prepare(&self.plan, duration, every, notify, stop)
    }
}
