//! Worker threads with `pread` and `pwrite`: works on every kernel, costs more threads and more switches.
//!
//! A worker stamps the submission and the completion itself, so the thread that runs the schedule may look later.

use std::fs::File;
use std::io::IoSlice;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use measure::clock::{MonotonicTime, TimeSource};
use measure::random;
use measure::series::WorkloadError;
use rustix::io::ReadWriteFlags;

use super::{Completion, Engine, Kind, Request, Sizes};
use crate::aligned::AlignedBytes;

/// Threads above this number cost more than they bring.
const MOST_WORKERS: u32 = 256;

/// See the module.
pub struct SyncEngine {
    file: Arc<File>,
    sizes: Sizes,
    time: Arc<dyn TimeSource>,
    workers: Vec<JoinHandle<()>>,
    workers_wanted: usize,
    requests: Option<Sender<Request>>,
    completions: Option<Receiver<Completion>>,
    in_flight: usize,
}

impl SyncEngine {
    /// An engine over `file`; the threads begin with the run.
    pub fn new(file: &File, sizes: Sizes) -> Result<Self, WorkloadError> {
        let file = file.try_clone().map_err(|error| WorkloadError(format!("cannot share the open file: {error}")))?;
        Ok(Self {
            file: Arc::new(file),
            sizes,
            time: Arc::new(MonotonicTime::start()),
            workers: Vec::new(),
            workers_wanted: sizes.reads_at_once.saturating_add(sizes.large_blocks_at_once).clamp(1, MOST_WORKERS)
                as usize,
            requests: None,
            completions: None,
            in_flight: 0,
        })
    }
}

impl Engine for SyncEngine {
    fn start(&mut self, time: Arc<dyn TimeSource>) {
        let (request_sender, requests) = crossbeam_channel::bounded(self.workers_wanted);
        let (completion_sender, completions) = crossbeam_channel::bounded(self.workers_wanted);
        for number in 0..self.workers_wanted {
            let worker = Worker { file: self.file.clone(), sizes: self.sizes, time: time.clone() };
            let (requests, completions) = (requests.clone(), completion_sender.clone());
            let builder = thread::Builder::new().name(format!("io-{number}")).stack_size(128 << 10);
            // Fewer workers than wanted are enough to go on: the room shrinks with them.
            if let Ok(handle) = builder.spawn(move || worker.serve(&requests, &completions)) {
                self.workers.push(handle);
            }
        }
        (self.requests, self.completions, self.time) = (Some(request_sender), Some(completions), time);
    }

    fn has_room(&self, _: Kind) -> bool {
        self.in_flight < self.workers.len()
    }

    fn begin(&mut self, request: Request) {
        // There is a free worker and a free place in the channel, because there was room.
        if let Some(requests) = &self.requests
            && requests.send(request).is_ok()
        {
            self.in_flight += 1;
        }
    }

    fn wait(&mut self, until_ns: u64, done: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let Some(completions) = &self.completions else {
            return Err(WorkloadError("the sync engine was not started".into()));
        };
        if self.workers.is_empty() {
            return Err(WorkloadError(
                "no worker thread can be started; raise the limit of processes (ulimit -u)".into(),
            ));
        }
        let already = done.len();
        let patience = Duration::from_nanos(until_ns.saturating_sub(self.time.now_ns()));
        match completions.recv_timeout(patience) {
            Ok(completion) => done.push(completion),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(WorkloadError("every worker thread ended early".into())),
        }
        done.extend(completions.try_iter());
        self.in_flight -= done.len() - already;
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }
}

impl Drop for SyncEngine {
    /// Lets the workers end. One that is stuck in the kernel is left behind: it holds the file, not this run.
    fn drop(&mut self) {
        self.requests = None;
        if self.in_flight == 0 {
            for worker in self.workers.drain(..) {
                let _ = worker.join();
            }
        }
    }
}

struct Worker {
    file: Arc<File>,
    sizes: Sizes,
    time: Arc<dyn TimeSource>,
}

impl Worker {
    fn serve(&self, requests: &Receiver<Request>, completions: &Sender<Completion>) {
        let mut memory = AlignedBytes::new(self.sizes.large_block_bytes.max(self.sizes.read_bytes) as usize);
        for request in requests {
            let bytes = &mut memory.as_mut_slice()[..self.sizes.bytes(request.kind) as usize];
            if request.kind == Kind::LargeBlockWrite {
                random::fill(bytes, self.sizes.seed, 10, request.number);
            }
            let submitted_ns = self.time.now_ns();
            let moved = match request.kind {
                Kind::Read | Kind::LargeBlockRead => self.file.read_at(bytes, request.offset_bytes),
                Kind::LargeBlockWrite => self.write(bytes, request.offset_bytes),
            };
            let completed_ns = self.time.now_ns();
            let succeeded = moved.is_ok_and(|moved| moved == bytes.len());
            if completions.send(Completion { request, submitted_ns, completed_ns, succeeded }).is_err() {
                return;
            }
        }
    }

    fn write(&self, bytes: &[u8], offset_bytes: u64) -> std::io::Result<usize> {
        if !self.sizes.sync_writes {
            return self.file.write_at(bytes, offset_bytes);
        }
        Ok(rustix::io::pwritev2(&*self.file, &[IoSlice::new(bytes)], offset_bytes, ReadWriteFlags::DSYNC)?)
    }
}
