//! Engine over a simulated drive: operations take the simulated time, and the clock of the run advances with it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use measure::clock::{ManualTime, TimeSource};
use measure::series::WorkloadError;
use runner::{End, Session, Target};

use crate::command::{Command, Completion, Request};
use crate::qualify::simulated_drive::{PAGE_BYTES, SimulatedDrive};

/// A simulated drive that is shared by successive runs.
pub type SharedModel = Arc<Mutex<SimulatedDrive>>;

/// Locks the simulated drive, also if a thread panicked while holding the lock.
pub fn locked(model: &SharedModel) -> MutexGuard<'_, SimulatedDrive> {
    model.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A simulated drive as the runner's target.
pub struct SimulatedTarget {
    pub model: SharedModel,
    /// Largest number of operations under way.
    pub slots: usize,
}

impl Target for SimulatedTarget {
    type Command = Command;

    fn open(&self, _: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        Ok(Box::new(SimulatedEngine {
            model: Arc::clone(&self.model),
            slots: self.slots,
            time: Arc::new(ManualTime::default()),
            origin_s: 0.0,
            under_way: VecDeque::new(),
        }))
    }
}

/// The engine. The drive processes operations one after the other, so they complete in the order in which they began.
struct SimulatedEngine {
    model: SharedModel,
    slots: usize,
    time: Arc<dyn TimeSource>,
    /// Time of the drive's clock at offset 0 of the run, in seconds.
    origin_s: f64,
    under_way: VecDeque<Completion>,
}

impl Session for SimulatedEngine {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        self.origin_s = locked(&self.model).elapsed_s;
        self.time = time;
    }

    fn free_slots_of(&self, _: usize) -> usize {
        self.slots - self.under_way.len()
    }

    fn begin(&mut self, request: Request) {
        let submitted_ns = self.time.now_ns();
        let mut model = locked(&self.model);
        let idle_s = submitted_ns as f64 / 1e9 - (model.elapsed_s - self.origin_s);
        if idle_s > 1e-6 {
            model.idle(idle_s);
        }
        let first = request.command.offset_bytes / u64::from(PAGE_BYTES);
        for page in first..first + u64::from(request.command.bytes.div_ceil(PAGE_BYTES)) {
            if request.command.kind.writes() {
                model.write(page);
            } else {
                model.read();
            }
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the clock does not go back")]
        let ended_ns = ((model.elapsed_s - self.origin_s) * 1e9) as u64;
        let completed_ns = ended_ns.max(submitted_ns + 1);
        self.under_way.push_back(Completion { request, submitted_ns, completed_ns, end: End::Done });
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let next_ns = self.under_way.front().map_or(until_ns, |completion| completion.completed_ns);
        self.time.wait_until(next_ns.min(until_ns));
        let now_ns = self.time.now_ns();
        let ended = self.under_way.partition_point(|completion| completion.completed_ns <= now_ns);
        completions.extend(self.under_way.drain(..ended));
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.under_way.len()
    }

    fn under_way(&self, visit: &mut dyn FnMut(&Request)) {
        self.under_way.iter().for_each(|completion| visit(&completion.request));
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>) {
        let late = self.under_way.partition_point(|completion| completion.submitted_ns < before_ns);
        given_up.extend(self.under_way.drain(..late).map(|completion| completion.request));
    }
}
