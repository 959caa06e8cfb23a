//! Writes that are made durable one by one, as the logs of databases are: one block behind the other, `fdatasync` after each,
//! and the next begins when the one before is durable.
//!
//! The file is as large as a segment of such a log, is filled beforehand and written over again and again, so that a write
//! neither grows a file nor allocates blocks. Nothing goes around the page cache, because these logs do not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use measure::recorder::{OperationPlan, Recorder};
use measure::series::{Clock, StopFlag, Workload, WorkloadError};
use measure::series_table::SeriesTable;
use runner::{Lane, Pace, Plan, Prepared, Rules, Single};
use serde::{Deserialize, Serialize};

use crate::command::{Command, Kind};
use crate::content::Content;
use crate::drive::{Drive, is_device};
use crate::drives::Drives;
use crate::engine::settings::{Durability, EngineChoice, Polling, Sizes};
use crate::filesystem;
use crate::plan::{ActStoragePlan, PlanError};

/// Name of the operation: one write and the `fdatasync` after it.
pub const OPERATION: &str = "sync-write";
/// Blocks are this or a multiple of it.
const LEAST_BLOCK_BYTES: u32 = 512;
const LARGEST_BLOCK_BYTES: u32 = 1 << 20;
/// Size of the file, or of the part of a device that is written over: a segment of etcd's log.
const SPAN_BYTES: u64 = 64 << 20;
/// Writes are counted exactly at and above these latencies.
const LIMITS_NS: [u64; 6] = [1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000, 100_000_000];
/// A write that takes so long is given up and counted as a time-out.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What is written, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyncWritePlan {
    /// A file that does not exist yet (it is created, filled and removed), or a block device.
    pub path: PathBuf,
    /// Bytes of each write.
    pub block_bytes: u32,
    /// Size of the file, or of the part of the device that is written over, from its start.
    pub span_bytes: u64,
    /// Source of what is written.
    pub seed: u64,
    /// Serial numbers of the block devices, as consent that their content is destroyed. Never leaves this machine.
    #[serde(default, skip_serializing)]
    pub confirm_serials: Vec<String>,
    /// File that names the devices that may be written to; the usual place when not given.
    #[serde(default, skip_serializing)]
    pub allow_list: Option<PathBuf>,
}

impl SyncWritePlan {
    /// Returns a plan for `path` with every default.
    ///
    /// # Errors
    /// When no drive takes writes of `block_bytes`.
    pub fn new(path: PathBuf, block_bytes: u32) -> Result<Self, PlanError> {
        let is_possible = (LEAST_BLOCK_BYTES..=LARGEST_BLOCK_BYTES).contains(&block_bytes);
        if !is_possible || !block_bytes.is_multiple_of(LEAST_BLOCK_BYTES) {
            let sentence = format!("is {block_bytes}; it must be a multiple of 512 up to 1 MiB");
            return PlanError::field("block_bytes", sentence);
        }
        Ok(Self { path, block_bytes, span_bytes: SPAN_BYTES, seed: 1, confirm_serials: Vec::new(), allow_list: None })
    }

    /// How the file or device is opened and filled.
    fn place(&self) -> ActStoragePlan {
        ActStoragePlan {
            file_size_bytes: Some(self.span_bytes),
            direct_io: false,
            seed: self.seed,
            confirm_serials: self.confirm_serials.clone(),
            allow_list: self.allow_list.clone(),
            ..ActStoragePlan::new(self.path.clone())
        }
    }
}

/// One write after the other.
struct SyncWrites {
    block_bytes: u32,
    places: u64,
    operation: OperationPlan,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

impl Plan for SyncWrites {
    type Command = Command;

    fn lanes(&self, _: usize, _: Option<u64>) -> Vec<Lane<Command>> {
        let (bytes, places) = (self.block_bytes, self.places);
        let program = Single(move |number: u64| {
            let offset_bytes = number % places * u64::from(bytes);
            Command { kind: Kind::Write, device: 0, bytes, number, offset_bytes }
        });
        let recorder = Recorder::new(self.operation.clone(), 0, self.ticks_per_histogram, self.duration_ns);
        vec![Lane::new(Box::new(program), Pace::Closed { at_once: 1, pause_ns: 0 }, recorder, (0, 1))]
    }
}

/// Creates and fills the file, or opens the device, so that `run` begins at once.
///
/// # Errors
/// A sentence that says what happened, where and what to do; also when `stop` was set. Nothing is left behind.
pub fn prepare(
    plan: &SyncWritePlan,
    duration: Duration,
    histogram_every: Duration,
    notify: &dyn Fn(&str),
    stop: &StopFlag,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let ticks_per_histogram = measure::recorder::ticks_per_histogram(histogram_every)?;
    if !is_device(&plan.path) {
        check_folder(&plan.path)?;
    }
    let drive = Drive::prepare(&plan.place(), &plan.path, notify, stop)?;
    let operation = OperationPlan {
        operation: OPERATION.into(),
        device: Some(plan.path.display().to_string()),
        schedule: None,
        clocks: vec![Clock::Service],
        pin_thresholds_ns: LIMITS_NS.to_vec(),
    };
    let mut series_table = SeriesTable::default();
    series_table.add(operation.clone(), 1, None);
    let duration_ns = crate::in_ns(duration);
    let places = drive.span_bytes / u64::from(plan.block_bytes);
    let sizes = Sizes {
        record_bytes: plan.block_bytes,
        large_block_bytes: plan.block_bytes,
        records_at_once: 1,
        large_blocks_at_once: 0,
        durability: Durability::Fdatasync,
        polling: Polling::None,
        content: Content::incompressible(plan.seed),
        seed: plan.seed,
    };
    Ok(Box::new(Prepared {
        plan: SyncWrites { block_bytes: plan.block_bytes, places, operation, ticks_per_histogram, duration_ns },
        target: Drives { opened: vec![drive], paths: vec![plan.path.clone()], engine: EngineChoice::Sync, sizes },
        series_table,
        rules: Rules { largest_lateness_ns: None, timeout_ns: crate::in_ns(TIMEOUT), measured: "drive" },
        threads: 1,
        duration_ns,
        ramp_ns: 0,
        without_waiting: false,
        stack_bytes: None,
    }))
}

/// Refuses a folder whose files never reach a drive.
fn check_folder(path: &Path) -> Result<(), WorkloadError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file_system = filesystem::name_of(folder);
    if filesystem::is_memory(&file_system) {
        return Err(WorkloadError(format!(
            "{}: {file_system} keeps files in memory, where nothing is ever durable; name a folder on a drive",
            folder.display()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use measure::series::{Interval, IntervalSink, Progress, SeriesKind};

    use super::*;

    #[derive(Default)]
    struct Intervals(Mutex<Vec<Interval>>);

    impl IntervalSink for Intervals {
        fn intervals(&self, intervals: Vec<Interval>) {
            self.0.lock().expect("a lock").extend(intervals);
        }

        fn progress(&self, _: Progress) {}
    }

    #[test]
    fn writes_follow_each_other_and_each_is_durable_before_the_next() {
        let folder = tempfile::TempDir::new_in(env!("CARGO_MANIFEST_DIR")).expect("a folder on a drive");
        let plan = SyncWritePlan {
            span_bytes: 1 << 20,
            ..SyncWritePlan::new(folder.path().join("log.dat"), 4096).expect("a plan")
        };
        let (sink, stop) = (Intervals::default(), StopFlag::default());
        let second = Duration::from_secs(1);
        let workload = prepare(&plan, 2 * second, second, &|_| {}, &stop).expect("prepared");
        let series = workload.series("here");
        assert!(series.iter().all(|series| series.clock == Clock::Service && series.target_rate_per_s.is_none()));
        let histogram = series.iter().find(|series| series.kind == SeriesKind::Histogram).expect("a histogram");
        workload.run(&sink, &stop).expect("measured");
        let intervals = sink.0.into_inner().expect("a lock");
        let slices: Vec<&Interval> =
            intervals.iter().filter(|interval| interval.series_no == histogram.series_no).collect();
        let (writes, misses) = slices.iter().fold((0, 0), |(writes, misses), slice| {
            (writes + slice.count, misses + slice.errors + slice.timeouts + slice.unfinished)
        });
        assert!(writes > 2 && misses == 0, "{writes} writes, {misses} misses");
        // One at a time: together they cannot have taken longer than the run and the last write.
        let sum_ns: u64 = slices.iter().filter_map(|slice| slice.min_ns.map(|min_ns| min_ns * slice.count)).sum();
        assert!(sum_ns < 3_000_000_000, "{sum_ns} ns");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "the file has no name any more");
    }

    #[test]
    fn what_cannot_answer_is_refused() {
        let refused = |path: &str| {
            let plan = SyncWritePlan::new(path.into(), 4096).expect("a plan");
            let second = Duration::from_secs(1);
            let result = prepare(&plan, second, second, &|_| {}, &StopFlag::default());
            result.err().expect("refused").to_string()
        };
        if filesystem::is_memory(&filesystem::name_of(Path::new("/dev/shm"))) {
            assert!(refused("/dev/shm/log.dat").contains("nothing is ever durable"));
        }
        assert!(refused("/nowhere/log.dat").contains("there is no folder"));
        assert!(SyncWritePlan::new("log.dat".into(), 1000).is_err());
        assert!(SyncWritePlan::new("log.dat".into(), 0).is_err());
    }
}
