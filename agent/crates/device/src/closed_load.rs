//! A fixed number of operations under way on a file or device, with a given share of reads: the single measurements of a drive's
//! standard tests. The loop is closed, as those tests require.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use measure::clock::whole_ns;
use measure::random;
use measure::recorder::{OperationPlan, Recorder};
use measure::series::{Clock, StopFlag, Workload, WorkloadError};
use measure::series_table::SeriesTable;
use runner::{Lane, Pace, Plan, Prepared, Program, Rules};
use serde::{Deserialize, Serialize};

use crate::command::{Command, Kind};
use crate::drive::{Drive, Drives};
use crate::engine;
use crate::engine::settings::{EngineChoice, Sizes};
use crate::engine::simulated::{SharedModel, SimulatedTarget, locked};
use crate::plan::ActStoragePlan;
use crate::safety::Consent;
use crate::sync_write;

/// Time after which an operation counts as timed out.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Latencies in nanoseconds at and above which operations are counted exactly.
const LIMITS_NS: [u64; 4] = [100_000, 1_000_000, 8_000_000, 64_000_000];

/// Order of the offsets of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Uniformly random.
    Random,
    /// Consecutive blocks from a start that depends on the seed, continuing with the first block after the last.
    Sequential,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosedLoad {
    pub block_bytes: u32,
    pub read_pct: u8,
    /// Number of operations under way.
    pub depth: u32,
    pub access: Access,
    /// Time for which the drive is idle before the load, in seconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle_before_s: u64,
    /// Whether a write only completes when it is durable, by an `fdatasync` of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_durable: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

#[derive(Debug, Clone, Copy)]
struct Operations {
    load: ClosedLoad,
    blocks: u64,
    seed: u64,
}

impl Operations {
    /// Returns the block of the first operation, for sequential access.
    fn start(self) -> u64 {
        random::below(self.blocks, random::bits(self.seed, 3, 0))
    }

    fn reads(self, number: u64) -> bool {
        let read_pct = self.load.read_pct;
        read_pct == 100 || random::below(100, random::bits(self.seed, 2, number)) < u64::from(read_pct)
    }
}

impl Program for Operations {
    type Command = Command;

    fn command(&self, number: u64, _: u32) -> Command {
        let block = match self.load.access {
            Access::Random => random::below(self.blocks, random::bits(self.seed, 1, number)),
            // Without the random start, all rounds would read the same part of a large drive.
            Access::Sequential => (self.start() + number) % self.blocks,
        };
        let (bytes, kind) = (self.load.block_bytes, if self.reads(number) { Kind::Read } else { Kind::Write });
        Command { kind, device: 0, bytes, number, offset_bytes: block * u64::from(bytes) }
    }

    fn kind(&self, number: u64) -> usize {
        usize::from(self.load.read_pct > 0 && !self.reads(number))
    }
}

pub(crate) struct ClosedLoadPlan {
    operations: Operations,
    recorded: Vec<(OperationPlan, u16)>,
    threads: usize,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

impl Plan for ClosedLoadPlan {
    type Command = Command;

    fn lanes(&self, thread: usize, _: Option<u64>) -> Vec<Lane<Command>> {
        let recorders = self.recorded.iter().map(|(operation, first_series_no)| {
            Recorder::new(operation.clone(), *first_series_no, self.ticks_per_histogram, self.duration_ns)
        });
        let pace = Pace::Closed { at_once: self.operations.load.depth, pause_ns: 0 };
        let part = (thread as u64, self.threads as u64);
        vec![Lane::new(Box::new(self.operations), pace, recorders, part)]
    }
}

/// Returns the smallest number of bytes that can be read from a device.
pub fn unit_bytes(path: &Path) -> Result<u32, WorkloadError> {
    let plan = ActStoragePlan { read_only: true, reads_existing: true, ..ActStoragePlan::new(path.to_owned()) };
    Drive::prepare(&plan, path, &|_| {}, &StopFlag::default()).map(|drive| drive.unit_bytes)
}

/// Waits for `time` while the drive is idle.
fn wait(time: Duration, stop: &StopFlag) -> Result<(), WorkloadError> {
    const CHECK_EVERY: Duration = Duration::from_millis(100);
    let end = Instant::now() + time;
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        if stop.is_stopped() {
            return Err(WorkloadError("stopped while the drive was left alone".into()));
        }
        thread::sleep(left.min(CHECK_EVERY));
    }
    Ok(())
}

/// Opens the device, so that the returned workload can start immediately. Fails if the device cannot be opened, may not be
/// written to, or does not fit the load. Nothing is left behind.
pub fn prepare(
    load: ClosedLoad,
    path: &Path,
    consent: &Consent,
    (duration, seed): (Duration, u64),
    notify: &dyn Fn(&str),
    stop: &StopFlag,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let plan = ActStoragePlan {
        read_only: load.read_pct == 100,
        confirm_serials: consent.serials.clone(),
        allow_list: Some(consent.allow_list.clone()),
        large_block_bytes: load.block_bytes.max(131_072),
        ..ActStoragePlan::new(path.to_owned())
    };
    let drive = Drive::prepare(&plan, path, notify, stop)?;
    if !load.block_bytes.is_multiple_of(drive.unit_bytes) || load.depth == 0 || load.read_pct > 100 {
        return Err(WorkloadError(format!(
            "{}: {} bytes at a time: the drive reads in units of {} bytes",
            path.display(),
            load.block_bytes,
            drive.unit_bytes
        )));
    }
    wait(Duration::from_secs(load.idle_before_s), stop)?;
    let sizes = Sizes::of_blocks(load.block_bytes, load.depth, seed);
    let engine = engine::resolve(EngineChoice::Auto);
    let (device, span_bytes) = (path.display().to_string(), drive.span_bytes);
    let target = Drives { opened: vec![drive], paths: vec![path.to_owned()], engine, sizes };
    Ok(Box::new(prepared(load, target, (&device, span_bytes), (duration, seed), 1)))
}

/// Returns the same load on a simulated drive; the run uses the clock of the simulation.
pub fn prepare_simulated(
    load: ClosedLoad,
    model: &SharedModel,
    device: &str,
    (duration, seed): (Duration, u64),
) -> Box<dyn Workload> {
    let span_bytes = {
        let mut model = locked(model);
        model.idle(load.idle_before_s as f64);
        model.size_bytes()
    };
    let target = SimulatedTarget { model: SharedModel::clone(model), slots: load.depth as usize };
    let prepared = prepared(load, target, (device, span_bytes), (duration, seed), 1);
    Box::new(Prepared { without_waiting: true, ..prepared })
}

/// Returns the run of a load on a target with this name and size. Each of `threads` threads has the depth of the load.
pub(crate) fn prepared<T>(
    load: ClosedLoad,
    target: T,
    (device, span_bytes): (&str, u64),
    (duration, seed): (Duration, u64),
    threads: usize,
) -> Prepared<ClosedLoadPlan, T> {
    let (mut series_table, mut recorded) = (SeriesTable::default(), Vec::new());
    let kinds = [(Kind::Read, load.read_pct > 0), (Kind::Write, load.read_pct < 100)];
    for (kind, _) in kinds.iter().filter(|(_, is_used)| *is_used) {
        let operation = OperationPlan {
            operation: if load.is_durable { sync_write::OPERATION } else { kind.operation() }.into(),
            device: Some(device.to_owned()),
            schedule: None,
            clocks: vec![Clock::Service],
            pin_thresholds_ns: if load.is_durable { sync_write::LIMITS_NS.into() } else { LIMITS_NS.into() },
        };
        let first_series_no = series_table.add(operation.clone(), threads, None);
        recorded.push((operation, first_series_no));
    }
    let duration_ns = whole_ns(duration);
    let operations = Operations { load, blocks: span_bytes / u64::from(load.block_bytes), seed };
    Prepared {
        plan: ClosedLoadPlan {
            operations,
            recorded,
            threads,
            ticks_per_histogram: duration.as_secs().clamp(1, 10),
            duration_ns,
        },
        target,
        series_table,
        rules: Rules { largest_lateness_ns: None, timeout_ns: whole_ns(TIMEOUT), measured: "drive" },
        threads,
        duration_ns,
        ramp_ns: 0,
        without_waiting: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_operations_follow_each_other_from_a_place_of_the_seed() {
        let load = ClosedLoad {
            block_bytes: 4096,
            read_pct: 0,
            depth: 1,
            access: Access::Sequential,
            idle_before_s: 0,
            is_durable: false,
        };
        let first = |seed| {
            let operations = Operations { load, blocks: 1_000, seed };
            let blocks: Vec<_> = (0..2_000).map(|number| operations.command(number, 0).offset_bytes / 4096).collect();
            assert!(blocks.windows(2).all(|pair| pair[1] == (pair[0] + 1) % 1_000));
            blocks[0]
        };
        assert_ne!(first(1), first(2));
    }

    #[test]
    fn idle_time_ends_with_a_stop() {
        let stop = StopFlag::default();
        stop.stop();
        assert!(wait(Duration::from_secs(3_600), &stop).is_err());
    }
}
