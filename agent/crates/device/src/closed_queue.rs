//! A closed queue: a fixed number of random reads under way, where the next starts when one completes. Benchmarks measure
//! throughput this way. It hides the effect of a stall on waiting users, so no verdicts are computed from it.

use std::io::{Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use measure::series::{Interval, IntervalSink, StopFlag, Workload as _, WorkloadError};

use crate::closed_load::{self, Access, ClosedLoad};
use crate::drive::{self, Drive, Drives};
use crate::engine::settings::{EngineChoice, Polling, Sizes};

/// Seed of the offsets.
const SEED: u64 = 1;

/// Description of the reads.
#[derive(Debug, Clone)]
pub struct ClosedQueue {
    /// Path of the file or device, which is opened for reading only.
    pub path: PathBuf,
    pub block_bytes: u32,
    /// Number of reads under way in each thread.
    pub depth: u32,
    /// Number of threads, each with its own engine.
    pub threads: usize,
    pub duration: Duration,
    pub engine: EngineChoice,
    /// Whether to bypass the page cache.
    pub direct_io: bool,
    /// Busy polling instead of interrupts.
    pub polling: Polling,
}

/// Result of a closed queue.
#[derive(Debug, Clone, Copy)]
pub struct Done {
    pub operations: u64,
    /// Number of failed reads and time-outs.
    pub errors: u64,
    /// Time from the first submission.
    pub elapsed: Duration,
}

/// Sink that counts successful and failed reads.
#[derive(Default)]
struct Counts(Mutex<(u64, u64)>);

impl IntervalSink for Counts {
    fn intervals(&self, intervals: Vec<Interval>) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Only ticks, because histograms count the same reads.
        for interval in intervals.iter().filter(|interval| interval.series_no == 0) {
            counts.0 += interval.count;
            counts.1 += interval.errors + interval.timeouts;
        }
    }
}

impl ClosedQueue {
    /// Reads until the end of the duration. Fails if the path cannot be opened or read, or depth, threads or number of blocks is 0.
    pub fn run(&self) -> Result<Done, WorkloadError> {
        let explain = |error: std::io::Error| WorkloadError(format!("{}: {error}", self.path.display()));
        let mut file = drive::options(self.direct_io).open(&self.path).map_err(explain)?;
        let span_bytes = file.seek(SeekFrom::End(0)).map_err(explain)?;
        let has_block = (1..=span_bytes).contains(&u64::from(self.block_bytes));
        if !has_block || self.depth == 0 || self.threads == 0 {
            return Err(WorkloadError("depth, threads and at least one block are needed".into()));
        }
        let sizes = Sizes { polling: self.polling, ..Sizes::of_blocks(self.block_bytes, self.depth, SEED) };
        let drive = Drive { file, span_bytes, unit_bytes: self.block_bytes, presence: None };
        let target = Drives { opened: vec![drive], paths: vec![self.path.clone()], engine: self.engine, sizes };
        let load = ClosedLoad {
            block_bytes: self.block_bytes,
            read_pct: 100,
            depth: self.depth,
            access: Access::Random,
            idle_before_s: 0,
            is_durable: false,
        };
        let device = self.path.display().to_string();
        let prepared = closed_load::prepared(load, target, (&device, span_bytes), (self.duration, SEED), self.threads);
        let counts = Counts::default();
        let outcome = Box::new(prepared).run(&counts, &StopFlag::default())?;
        let (operations, errors) = counts.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Done { operations, errors, elapsed: Duration::from_nanos(outcome.duration_ns) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine;

    #[test]
    fn every_engine_reads_until_the_end_without_errors() {
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        file.as_file().set_len(1 << 20).expect("sized");
        let waiting = [EngineChoice::Auto, EngineChoice::Sync].map(|engine| (engine, Polling::None));
        // Without io_uring, polling is refused.
        let ring = engine::resolve(EngineChoice::Auto) == EngineChoice::IoUring;
        let polling = ring.then_some((EngineChoice::Auto, Polling::Submissions));
        for (engine, polling) in waiting.into_iter().chain(polling) {
            let read_for = |milliseconds| {
                let queue = ClosedQueue {
                    path: file.path().to_owned(),
                    block_bytes: 4096,
                    depth: 8,
                    threads: 2,
                    duration: Duration::from_millis(milliseconds),
                    engine,
                    direct_io: false,
                    polling,
                };
                let done = queue.run().expect("reads");
                assert!(done.elapsed >= queue.duration);
                done
            };
            // If other processes occupy the processors, the first sixteen reads may take all the time.
            let mut done = read_for(50);
            for milliseconds in [500, 5_000] {
                if done.operations <= 16 {
                    done = read_for(milliseconds);
                }
            }
            let (operations, errors) = (done.operations, done.errors);
            assert!(operations > 16 && errors == 0, "{engine:?} {polling:?}: {operations} reads, {errors} errors");
        }
    }
}
