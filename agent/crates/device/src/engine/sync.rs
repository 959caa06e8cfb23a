//! An engine of worker threads with `pread` and `pwrite`. It works on every kernel, at the cost of more threads and context
//! switches.
//!
//! A worker records submission and completion times itself, so they are exact even if the measuring thread reads results later.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, IoSlice};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use measure::clock::{MonotonicTime, TimeSource};
use measure::series::WorkloadError;
use runner::{End, Session};
use rustix::io::ReadWriteFlags;

use super::settings::Sizes;
use crate::aligned::AlignedBytes;
use crate::command::{Command, Completion, Request};

/// Largest number of worker threads; more of them cost more than they gain.
const MOST_WORKERS: u32 = 256;

/// An operation for a worker, with its number.
struct Ticket {
    number: u64,
    request: Request,
}

/// The engine of worker threads.
pub struct SyncEngine {
    files: Arc<Vec<File>>,
    sizes: Sizes,
    time: Arc<dyn TimeSource>,
    workers: Vec<JoinHandle<()>>,
    workers_wanted: usize,
    requests: Option<Sender<Ticket>>,
    completions: Option<Receiver<(u64, Completion)>>,
    next_ticket: u64,
    /// Requests under way with the times at which they began; `None` for requests that were given up.
    begun: HashMap<u64, Option<(Request, u64)>>,
    in_flight: usize,
}

impl SyncEngine {
    /// Returns an engine over `files`; its threads are started with the run.
    pub fn new(files: &[&File], sizes: Sizes) -> Result<Self, WorkloadError> {
        let files: io::Result<Vec<File>> = files.iter().map(|file| file.try_clone()).collect();
        let files = files.map_err(|error| WorkloadError(format!("cannot share the open file: {error}")))?;
        Ok(Self {
            files: Arc::new(files),
            sizes,
            time: Arc::new(MonotonicTime::start()),
            workers: Vec::new(),
            workers_wanted: sizes.records_at_once.saturating_add(sizes.large_blocks_at_once).clamp(1, MOST_WORKERS)
                as usize,
            requests: None,
            completions: None,
            next_ticket: 0,
            begun: HashMap::new(),
            in_flight: 0,
        })
    }

    fn arrived(&mut self, (ticket, completion): (u64, Completion), done: &mut Vec<Completion>) {
        if let Some(Some(_)) = self.begun.remove(&ticket) {
            self.in_flight -= 1;
            done.push(completion);
        }
    }
}

impl Session for SyncEngine {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        if !self.workers.is_empty() {
            // The engine was started before: workers keep the old clock, so they are replaced.
            self.requests = None;
            self.workers.drain(..).for_each(|worker| drop(worker.join()));
        }
        let (request_sender, requests) = crossbeam_channel::bounded(self.workers_wanted);
        let (completion_sender, completions) = crossbeam_channel::bounded(self.workers_wanted);
        for number in 0..self.workers_wanted {
            let worker = Worker { files: self.files.clone(), sizes: self.sizes, time: time.clone() };
            let (requests, completions) = (requests.clone(), completion_sender.clone());
            let builder = thread::Builder::new().name(format!("io-{number}")).stack_size(128 << 10);
            // Fewer workers than planned are enough; the number of free slots is reduced accordingly.
            if let Ok(handle) = builder.spawn(move || worker.serve(&requests, &completions)) {
                self.workers.push(handle);
            }
        }
        (self.requests, self.completions, self.time) = (Some(request_sender), Some(completions), time);
    }

    fn free_slots_of(&self, _: usize) -> usize {
        self.workers.len().saturating_sub(self.begun.len())
    }

    fn begin(&mut self, request: Request) {
        let number = self.next_ticket;
        // A worker is free, because there was a free slot.
        if let Some(requests) = &self.requests
            && requests.send(Ticket { number, request }).is_ok()
        {
            self.next_ticket += 1;
            self.begun.insert(number, Some((request, self.time.now_ns())));
            self.in_flight += 1;
        }
    }

    fn wait(&mut self, until_ns: u64, done: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let Some(completions) = self.completions.clone() else {
            return Err(WorkloadError("the sync engine was not started".into()));
        };
        if self.workers.is_empty() {
            return Err(WorkloadError(
                "no worker thread can be started; raise the limit of processes (ulimit -u)".into(),
            ));
        }
        let patience = Duration::from_nanos(until_ns.saturating_sub(self.time.now_ns()));
        match completions.recv_timeout(patience) {
            Ok(completion) => self.arrived(completion, done),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(WorkloadError("every worker thread ended early".into())),
        }
        completions.try_iter().for_each(|completion| self.arrived(completion, done));
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }

    fn under_way(&self, visit: &mut dyn FnMut(&Request)) {
        self.begun.values().flatten().for_each(|(request, _)| visit(request));
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>) {
        for begun in self.begun.values_mut() {
            if let Some((request, _)) = begun.take_if(|(_, begun_ns)| *begun_ns < before_ns) {
                given_up.push(request);
                self.in_flight -= 1;
            }
        }
    }
}

impl Drop for SyncEngine {
    /// Lets the workers end. If requests are under way, does not wait: a worker stuck in the kernel must not block this run.
    fn drop(&mut self) {
        self.requests = None;
        if self.begun.is_empty() {
            for worker in self.workers.drain(..) {
                let _ = worker.join();
            }
        }
    }
}

struct Worker {
    files: Arc<Vec<File>>,
    sizes: Sizes,
    time: Arc<dyn TimeSource>,
}

impl Worker {
    fn serve(&self, requests: &Receiver<Ticket>, completions: &Sender<(u64, Completion)>) {
        let mut memory = AlignedBytes::new(self.sizes.large_block_bytes.max(self.sizes.record_bytes) as usize);
        for Ticket { number, request } in requests {
            let command = request.command;
            let bytes = &mut memory.as_mut_slice()[..command.bytes as usize];
            if command.kind.writes() {
                let kind = command.kind as u64;
                self.sizes.content.fill_marked(bytes, command.device, kind, command.number);
            }
            let submitted_ns = self.time.now_ns();
            let moved = match self.files.get(usize::from(command.device)) {
                Some(file) if command.kind.writes() => self.write(file, bytes, command.offset_bytes),
                Some(file) => file.read_at(bytes, command.offset_bytes),
                None => Err(io::Error::from_raw_os_error(libc::EBADF)),
            };
            let completed_ns = self.time.now_ns();
            let end = match moved {
                Ok(moved) if moved == bytes.len() => End::Done,
                Ok(_) => End::Wrong,
                Err(error) => End::Failed(error.raw_os_error().unwrap_or(libc::EIO)),
            };
            if completions.send((number, Completion { request, submitted_ns, completed_ns, end })).is_err() {
                return;
            }
        }
    }

    fn write(&self, file: &File, bytes: &[u8], offset_bytes: u64) -> io::Result<usize> {
        if !self.sizes.sync_writes {
            return file.write_at(bytes, offset_bytes);
        }
        Ok(rustix::io::pwritev2(file, &[IoSlice::new(bytes)], offset_bytes, ReadWriteFlags::DSYNC)?)
    }
}
