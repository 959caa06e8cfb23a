//! A closed queue: a fixed number of random reads under way, the next begins when one ends. This is how benchmarks
//! measure throughput; it hides what a stall does to whoever waits, so nothing is judged by it.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use measure::clock::{MonotonicTime, TimeSource};
use measure::histogram::LatencyHistogram;
use measure::random;
use measure::series::WorkloadError;

use crate::content::Content;
use crate::engine::{self, End, Kind, Polling, Request, Sizes};
use crate::plan::EngineChoice;

/// What is read, and how.
#[derive(Debug, Clone)]
pub struct ClosedQueue {
    /// File or device; opened for reading only.
    pub path: PathBuf,
    /// Bytes of each read.
    pub block_bytes: u32,
    /// Reads under way at once, for each thread.
    pub depth: u32,
    /// Threads, each with an engine of its own.
    pub threads: usize,
    /// How long.
    pub duration: Duration,
    /// Which engine.
    pub engine: EngineChoice,
    /// Around the page cache.
    pub direct_io: bool,
    /// Who looks again and again instead of waiting to be told.
    pub polling: Polling,
}

/// What was done.
#[derive(Debug, Clone)]
pub struct Done {
    /// Reads that ended well.
    pub operations: u64,
    /// Reads that did not.
    pub errors: u64,
    /// From the first submission to the last completion of the slowest thread.
    pub elapsed: Duration,
    /// Service times.
    pub latencies: LatencyHistogram,
}

impl ClosedQueue {
    /// Reads to the end.
    ///
    /// # Errors
    /// A sentence that says what is in the way.
    pub fn run(&self) -> Result<Done, WorkloadError> {
        let explain = |error: std::io::Error| WorkloadError(format!("{}: {error}", self.path.display()));
        let flags = if self.direct_io { libc::O_DIRECT } else { 0 };
        let mut file = OpenOptions::new().read(true).custom_flags(flags).open(&self.path).map_err(explain)?;
        let size_bytes = file.seek(SeekFrom::End(0)).map_err(explain)?;
        let places = size_bytes / u64::from(self.block_bytes.max(1));
        if places == 0 || self.depth == 0 || self.threads == 0 {
            return Err(WorkloadError("depth, threads and at least one block are needed".into()));
        }
        let results: Vec<Result<Done, WorkloadError>> = thread::scope(|scope| {
            let file = &file;
            let threads: Vec<_> =
                (0..self.threads).map(|number| scope.spawn(move || self.read(file, number as u64, places))).collect();
            let lost = || Err(WorkloadError("a thread ended early".into()));
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
        });
        let mut sum = Done { operations: 0, errors: 0, elapsed: Duration::ZERO, latencies: LatencyHistogram::new() };
        for done in results {
            let done = done?;
            sum.operations += done.operations;
            sum.errors += done.errors;
            sum.elapsed = sum.elapsed.max(done.elapsed);
            sum.latencies.add(&done.latencies);
        }
        Ok(sum)
    }

    fn read(&self, file: &File, thread: u64, places: u64) -> Result<Done, WorkloadError> {
        let sizes = Sizes {
            record_bytes: self.block_bytes,
            large_block_bytes: 4096,
            records_at_once: self.depth,
            large_blocks_at_once: 1,
            sync_writes: false,
            polling: self.polling,
            content: Content::incompressible(1),
            seed: 1,
        };
        let mut engine = engine::open(self.engine, &[file], sizes)?;
        let begun = Instant::now();
        let time: Arc<dyn TimeSource> = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let (mut number, mut completions) = (0, Vec::with_capacity(64));
        let end_ns = u64::try_from(self.duration.as_nanos()).unwrap_or(u64::MAX);
        let mut done = Done { operations: 0, errors: 0, elapsed: Duration::ZERO, latencies: LatencyHistogram::new() };
        let mut left = self.depth;
        loop {
            while left > 0 && engine.has_room(Kind::Read) {
                let place = random::below(places, random::bits(1, thread, number));
                engine.begin(Request {
                    kind: Kind::Read,
                    device: 0,
                    lane: 0,
                    bytes: self.block_bytes,
                    number,
                    intended_ns: 0,
                    offset_bytes: place * u64::from(self.block_bytes),
                });
                number += 1;
                left -= 1;
            }
            if engine.in_flight() == 0 {
                break;
            }
            engine.wait(u64::MAX, &mut completions)?;
            let over = completions.last().is_some_and(|completion| completion.completed_ns >= end_ns);
            for completion in completions.drain(..) {
                if completion.end == End::Done {
                    done.operations += 1;
                    done.latencies.record(completion.completed_ns.saturating_sub(completion.submitted_ns));
                } else {
                    done.errors += 1;
                }
                left += u32::from(!over);
            }
            if over {
                left = 0;
            }
        }
        done.elapsed = begun.elapsed();
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_reads_until_the_end_without_errors() {
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        file.as_file().set_len(1 << 20).expect("sized");
        let waiting = [EngineChoice::Auto, EngineChoice::Sync].map(|engine| (engine, Polling::None));
        // Where there is no io_uring, polling is refused.
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
            // Where others keep the processors, the first sixteen may take all the time.
            let mut done = read_for(50);
            for milliseconds in [500, 5_000] {
                if done.operations <= 16 {
                    done = read_for(milliseconds);
                }
            }
            let (operations, errors) = (done.operations, done.errors);
            assert!(operations > 16 && errors == 0, "{engine:?} {polling:?}: {operations} reads, {errors} errors");
            assert_eq!(done.latencies.count(), done.operations);
        }
    }
}
