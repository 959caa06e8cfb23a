//! Writes that are made durable one by one, like those of database logs: consecutive blocks with an `fdatasync` after each, where a
//! write starts when the previous one is durable.
//!
//! The file has the size of a segment of such a log and is filled beforehand, then overwritten repeatedly, so that no write extends
//! the file or allocates blocks. Writes go through the page cache, as those of the logs do.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use measure::clock::{MonotonicTime, ProcessorTime, TimeSource, whole_ns};
use measure::recorder::{OperationPlan, Recorder, TICK_NS, Times};
use measure::report::{Reporter, with_reporter};
use measure::series::{Armed, Clock, IntervalSink, Outcome, SeriesDefinition, StopFlag, Workload, WorkloadError};
use measure::series_table::SeriesTable;
use serde::{Deserialize, Serialize};

use crate::command::Kind;
use crate::content::Content;
use crate::drive::{self, Drive, is_device};
use crate::filesystem;
use crate::plan::{ActStoragePlan, PlanError};

/// Name of the operation: a write and the `fdatasync` after it.
pub const OPERATION: &str = "sync-write";
/// Smallest block in bytes; other blocks are multiples of it.
const LEAST_BLOCK_BYTES: u32 = 512;
const LARGEST_BLOCK_BYTES: u32 = 1 << 20;
/// Size in bytes of the file, or of the overwritten part of a device: a segment of etcd's log.
const SPAN_BYTES: u64 = 64 << 20;
/// Latencies in nanoseconds at and above which writes are counted exactly.
pub(crate) const LIMITS_NS: [u64; 6] = [1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000, 100_000_000];

/// Plan of durable writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyncWritePlan {
    /// A file that does not exist yet (it is created, filled and removed), or a block device.
    pub path: PathBuf,
    pub block_bytes: u32,
    /// Size in bytes of the file, or of the overwritten part of the device, from its start.
    pub span_bytes: u64,
    pub seed: u64,
    /// Serial numbers of the block devices, as consent to the loss of their data. They never leave this machine.
    #[serde(default, skip_serializing)]
    pub confirm_serials: Vec<String>,
    /// Path of the list of devices that may be written to; the default path if `None`.
    #[serde(default, skip_serializing)]
    pub allow_list: Option<PathBuf>,
}

impl SyncWritePlan {
    /// Returns a plan for `path` with the default values. Fails if `block_bytes` is not a multiple of 512 up to 1 MiB.
    pub fn new(path: PathBuf, block_bytes: u32) -> Result<Self, PlanError> {
        let is_possible = (LEAST_BLOCK_BYTES..=LARGEST_BLOCK_BYTES).contains(&block_bytes);
        if !is_possible || !block_bytes.is_multiple_of(LEAST_BLOCK_BYTES) {
            let sentence = format!("is {block_bytes}; it must be a multiple of 512 up to 1 MiB");
            return PlanError::field("block_bytes", sentence);
        }
        Ok(Self { path, block_bytes, span_bytes: SPAN_BYTES, seed: 1, confirm_serials: Vec::new(), allow_list: None })
    }

    /// Returns the plan by which the file or device is opened and filled.
    fn open_plan(&self) -> ActStoragePlan {
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

/// A workload that writes on the measuring thread itself, so that no time includes the wake-up of another thread.
struct SyncWrites {
    plan: SyncWritePlan,
    drive: Drive,
    operation: OperationPlan,
    series_table: SeriesTable,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

impl SyncWrites {
    /// Writes until the run ends. Intervals are also reported if it ends early.
    fn measure(&self, time: MonotonicTime, reporter: &Reporter, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        let mut recorder = Recorder::new(self.operation.clone(), 0, self.ticks_per_histogram, self.duration_ns);
        let (content, mut block) = (Content::incompressible(self.plan.seed), vec![0; self.plan.block_bytes as usize]);
        let (mut processor, mut cuts) = (ProcessorTime::begin(), Vec::new());
        let (mut now_ns, mut next_tick_ns) = (time.now_ns(), TICK_NS);
        let (mut number, mut lost) = (0, None);
        while now_ns < self.duration_ns && lost.is_none() && !stop.is_stopped() {
            content.fill_marked(&mut block, 0, Kind::Write as u64, number);
            let submitted_ns = time.now_ns();
            let result = self.write(&block, number);
            let completed_ns = time.now_ns();
            // A write counts in the tick in which it completes, and was under way at the end of the ticks before.
            while next_tick_ns <= completed_ns.min(self.duration_ns) {
                let age_ns = next_tick_ns.checked_sub(submitted_ns);
                recorder.under_way(u64::from(age_ns.is_some()), age_ns.unwrap_or(0));
                recorder.busy(0, processor.since_last_ns());
                recorder.advance(next_tick_ns, &mut cuts);
                reporter.cuts(std::mem::take(&mut cuts));
                next_tick_ns += TICK_NS;
            }
            // Each write is due when it starts, so it is never late.
            recorder.dispatched(0, 0);
            match result {
                Ok(()) => recorder.completed(Times { intended_ns: submitted_ns, submitted_ns, completed_ns }),
                Err(error) => {
                    recorder.failed();
                    let (code, presence) = (error.raw_os_error().unwrap_or(libc::EIO), self.drive.presence.as_deref());
                    lost = drive::lost(&self.plan.path, presence, OPERATION, code);
                }
            }
            (now_ns, number) = (completed_ns, number + 1);
        }
        let is_completed = now_ns >= self.duration_ns;
        if !is_completed {
            recorder.under_way(0, 0);
        }
        let end_ns = now_ns.min(self.duration_ns);
        recorder.busy(0, processor.since_last_ns());
        recorder.finish(end_ns, 0, &mut cuts);
        reporter.cuts(cuts);
        match lost {
            Some(sentence) => Err(WorkloadError(sentence)),
            None => Ok(Outcome {
                completed: is_completed,
                reason: (!is_completed).then(|| "stopped on request".to_owned()),
                duration_ns: end_ns,
            }),
        }
    }

    /// Writes a block and returns when it is durable.
    fn write(&self, block: &[u8], number: u64) -> io::Result<()> {
        let block_bytes = u64::from(self.plan.block_bytes);
        let blocks = self.drive.span_bytes / block_bytes;
        self.drive.file.write_all_at(block, number % blocks * block_bytes)?;
        self.drive.file.sync_data()
    }
}

impl Workload for SyncWrites {
    fn series(&self, host: &str) -> Vec<SeriesDefinition> {
        self.series_table.definitions(host)
    }

    fn arm(self: Box<Self>, _: &StopFlag) -> Result<Box<dyn Armed>, WorkloadError> {
        Ok(self)
    }
}

impl Armed for SyncWrites {
    fn start(
        self: Box<Self>,
        at: MonotonicTime,
        sink: &dyn IntervalSink,
        stop: &StopFlag,
    ) -> Result<Outcome, WorkloadError> {
        thread::sleep(at.origin().saturating_duration_since(Instant::now()));
        with_reporter(&self.series_table, sink, |reporter| self.measure(at, reporter, stop))?
    }
}

/// Creates and fills the file, or opens the device, so that the returned workload can start immediately. Fails if the file or
/// device cannot be prepared, or `stop` was set. Nothing is left behind.
pub fn prepare(
    plan: &SyncWritePlan,
    duration: Duration,
    ticks_per_histogram: u64,
    notify: &dyn Fn(&str),
    stop: &StopFlag,
) -> Result<Box<dyn Workload>, WorkloadError> {
    if !is_device(&plan.path) {
        check_folder(&plan.path)?;
    }
    let drive = Drive::prepare(&plan.open_plan(), &plan.path, notify, stop)?;
    let operation = OperationPlan {
        operation: OPERATION.into(),
        device: Some(plan.path.display().to_string()),
        schedule: None,
        clocks: vec![Clock::Service],
        pin_thresholds_ns: LIMITS_NS.to_vec(),
    };
    let mut series_table = SeriesTable::default();
    series_table.add(operation.clone(), 1, None);
    let duration_ns = whole_ns(duration);
    Ok(Box::new(SyncWrites { plan: plan.clone(), drive, operation, series_table, ticks_per_histogram, duration_ns }))
}

/// Returns an error if the folder is on a file system in memory.
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

    use measure::series::{Interval, IntervalSink, SeriesKind};

    use super::*;

    #[derive(Default)]
    struct Intervals(Mutex<Vec<Interval>>);

    impl IntervalSink for Intervals {
        fn intervals(&self, intervals: Vec<Interval>) {
            self.0.lock().expect("a lock").extend(intervals);
        }
    }

    #[test]
    fn writes_follow_each_other_and_each_is_durable_before_the_next() {
        let folder = tempfile::TempDir::new_in(env!("CARGO_MANIFEST_DIR")).expect("a folder on a drive");
        let plan = SyncWritePlan {
            span_bytes: 1 << 20,
            ..SyncWritePlan::new(folder.path().join("log.dat"), 4096).expect("a plan")
        };
        let (sink, stop) = (Intervals::default(), StopFlag::default());
        let workload = prepare(&plan, Duration::from_secs(2), 1, &|_| {}, &stop).expect("prepared");
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
        // However busy the machine is, no write is late.
        let lateness = slices.iter().map(|slice| (slice.lateness_max_ns, slice.lateness_p99_ns.unwrap_or(0)));
        assert!(lateness.clone().all(|lateness| lateness == (0, 0)), "{:?}", lateness.collect::<Vec<_>>());
        // Writes do not overlap: together they take no longer than the run and the last write.
        let sum_ns: u64 = slices.iter().filter_map(|slice| slice.min_ns.map(|min_ns| min_ns * slice.count)).sum();
        assert!(sum_ns < 3_000_000_000, "{sum_ns} ns");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "the file has no name any more");
    }

    #[test]
    fn what_cannot_answer_is_refused() {
        let refused = |path: &str| {
            let plan = SyncWritePlan::new(path.into(), 4096).expect("a plan");
            let result = prepare(&plan, Duration::from_secs(1), 1, &|_| {}, &StopFlag::default());
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
