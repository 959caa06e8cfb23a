//! A simulated drive or server with known latencies: a function determines the latency of each operation, and nothing completes
//! during a stall. It uses a manual clock and stores every completion, to compare recorded results with.

use std::sync::{Arc, Mutex, PoisonError};

use measure::clock::{ManualTime, TimeSource};
use measure::series::WorkloadError;

use crate::session::{Completion, End, Request, Session};

pub type CompletionLog<C> = Arc<Mutex<Vec<Completion<C>>>>;

/// A session with known latencies.
pub struct Injected<C> {
    time: Arc<dyn TimeSource>,
    /// Largest number of operations under way.
    slots: usize,
    /// Returns the service time of an operation outside a stall.
    latency_ns: fn(&Request<C>) -> u64,
    stall_ns: (u64, u64),
    /// Returns how an operation ends.
    end: fn(&Request<C>) -> End,
    fresh: Vec<Request<C>>,
    under_way: Vec<Completion<C>>,
    truth: CompletionLog<C>,
}

impl<C: Copy> Injected<C> {
    /// Returns a session with `slots` slots, the latency of each command, and a stall; and the list of its completions.
    pub fn new(slots: usize, latency_ns: fn(&Request<C>) -> u64, stall_ns: (u64, u64)) -> (Self, CompletionLog<C>) {
        let truth = CompletionLog::<C>::default();
        let engine = Self {
            time: Arc::new(ManualTime::default()),
            slots,
            latency_ns,
            stall_ns,
            end: |_| End::Done,
            fresh: Vec::new(),
            under_way: Vec::new(),
            truth: truth.clone(),
        };
        (engine, truth)
    }

    /// Sets a function that determines how commands end.
    pub fn ending(mut self, end: fn(&Request<C>) -> End) -> Self {
        self.end = end;
        self
    }
}

impl<C: Copy> Session for Injected<C> {
    type Command = C;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        self.time = time;
    }

    fn free_slots_of(&self, _: usize) -> usize {
        self.slots.saturating_sub(self.in_flight())
    }

    fn begin(&mut self, request: Request<C>) {
        self.fresh.push(request);
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion<C>>) -> Result<(), WorkloadError> {
        let submitted_ns = self.time.now_ns();
        for request in self.fresh.drain(..) {
            let undisturbed_ns = submitted_ns + (self.latency_ns)(&request);
            let (from_ns, to_ns) = self.stall_ns;
            let stalled = submitted_ns < to_ns && undisturbed_ns >= from_ns;
            // An operation that would complete in the stall, or began in it, does not complete before the stall ends.
            let completed_ns = if stalled { undisturbed_ns.max(to_ns) } else { undisturbed_ns };
            self.under_way.push(Completion { request, submitted_ns, completed_ns, end: (self.end)(&request) });
        }
        let first_ns = self.under_way.iter().map(|completion| completion.completed_ns).min();
        self.time.wait_until(first_ns.map_or(until_ns, |first_ns| first_ns.min(until_ns)));
        let now_ns = self.time.now_ns();
        self.under_way.sort_by_key(|completion| completion.completed_ns);
        let done = self.under_way.partition_point(|completion| completion.completed_ns <= now_ns);
        let done: Vec<Completion<C>> = self.under_way.drain(..done).collect();
        self.truth.lock().unwrap_or_else(PoisonError::into_inner).extend(&done);
        completions.extend(done);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.fresh.len() + self.under_way.len()
    }

    fn under_way(&self, visit: &mut dyn FnMut(&Request<C>)) {
        self.under_way.iter().for_each(|completion| visit(&completion.request));
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request<C>>) {
        let late = self.under_way.extract_if(.., |completion| completion.submitted_ns < before_ns);
        given_up.extend(late.map(|completion| completion.request));
    }
}
