//! No server: the latency of each read is a function of seed and number alone.

use std::sync::Arc;

use measure::clock::{MonotonicTime, TimeSource};
use measure::random;
use measure::series::WorkloadError;
use runner::{End, Session, Target};

use crate::command::{Command, Completion, Request};

/// Shortest read, and how much longer an ordinary and a rare one may take.
const SHORTEST_NS: u64 = 40_000;
const ORDINARY_NS: u64 = 80_000;
const RARE_NS: u64 = 4_000_000;
/// One read in this many is rare.
const RARE_ONE_IN: u64 = 500;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub struct NullTarget {
    /// Latencies come from it.
    pub seed: u64,
}

impl Target for NullTarget {
    type Command = Command;

    fn open(&self, _: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        Ok(Box::new(NullSession { seed: self.seed, time: Arc::new(MonotonicTime::start()), taken: None }))
    }
}

/// One connection, so that made-up transactions stay in order.
struct NullSession {
    seed: u64,
    time: Arc<dyn TimeSource>,
    taken: Option<Completion>,
}

impl Session for NullSession {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        self.time = time;
    }

    fn is_simulated(&self) -> bool {
        true
    }

    fn free_places(&self, _: usize) -> usize {
        usize::from(self.taken.is_none())
    }

    fn begin(&mut self, request: Request) {
        let number = request.command.number();
        let draw = |stream, bound| random::below(bound, random::bits(self.seed, stream, number));
        let longest_ns = if draw(200, RARE_ONE_IN) == 0 { RARE_NS } else { ORDINARY_NS };
        let (submitted_ns, end) = (request.ready_ns, End::Done);
        let completed_ns = submitted_ns + SHORTEST_NS + draw(201, longest_ns);
        self.taken = Some(Completion { request, submitted_ns, completed_ns, end });
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        if self.taken.is_none() {
            self.time.wait_until(until_ns);
        }
        completions.extend(self.taken.take());
        Ok(())
    }

    fn in_flight(&self) -> usize {
        usize::from(self.taken.is_some())
    }

    fn under_way(&self, look: &mut dyn FnMut(&Request)) {
        self.taken.iter().for_each(|completion| look(&completion.request));
    }

    /// Whatever was taken has completed already.
    fn give_up(&mut self, _: u64, _: &mut Vec<Request>) {}
}
