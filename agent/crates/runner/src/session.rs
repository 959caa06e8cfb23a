//! Sessions, which execute commands: a drive engine, or the connections of one thread to a server.
//!
//! A session starts a command immediately or reports that no slot is free. It never reorders the schedule or decides when a command
//! is intended.

use std::sync::Arc;

use measure::clock::TimeSource;
use measure::series::WorkloadError;

/// A command to execute, with the lane and unit that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<C> {
    pub command: C,
    pub lane: u16,
    /// Index of the unit under way, if units have several commands; otherwise the kind of the unit in the lane.
    pub unit: u32,
    /// Intended time by the schedule, in nanoseconds from the start.
    pub intended_ns: u64,
    /// Earliest possible start in nanoseconds from the start: the intended time, or the end of the previous command of the unit.
    pub ready_ns: u64,
}

/// Result of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Done,
    /// The server answered that there is no such item, which is no error for this command.
    Absent,
    /// Refused by the system, or connection lost, with the closest error number.
    Failed(i32),
    /// An unexpected answer: fewer bytes, a missing key that must exist, or a value of a different length.
    Wrong,
}

/// A completed command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion<C> {
    pub request: Request<C>,
    /// Time at which the command was submitted to the kernel, in nanoseconds from the start.
    pub submitted_ns: u64,
    /// Time at which the completion was seen, in nanoseconds from the start.
    pub completed_ns: u64,
    pub end: End,
}

/// Executes commands for the thread that created it.
pub trait Session {
    type Command: Copy;

    /// Sets the clock, whose offset 0 is the start of the run. Called again before each stage of a run, with nothing under way.
    fn start(&mut self, time: Arc<dyn TimeSource>);
    /// Returns whether latencies are computed instead of measured. Operations then count at their intended times.
    fn is_simulated(&self) -> bool {
        false
    }
    /// Returns whether the session busy-waits, so that the processor time of its thread does not depend on the load.
    fn is_always_busy(&self) -> bool {
        false
    }
    /// Returns the slot class of a command, 0, 1 or 2. Commands of a class share its slots.
    fn slot_class(&self, _: &Self::Command) -> usize {
        0
    }
    /// Returns how many further commands of this slot class can begin now.
    fn free_slots_of(&self, class: usize) -> usize;
    /// Returns whether the command can begin now.
    fn has_free_slot(&self, command: &Self::Command) -> bool {
        self.free_slots_of(self.slot_class(command)) > 0
    }
    /// Begins a command, which is submitted by the next call to `wait` at the latest. Must only be called if a slot is free.
    fn begin(&mut self, request: Request<Self::Command>);
    /// Submits begun commands, waits until a command completes or `until_ns` is reached, and appends the completions. Fails if
    /// the session itself cannot continue; a failed command is a completion, not an error.
    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion<Self::Command>>) -> Result<(), WorkloadError>;
    /// Returns the number of commands that have begun, have not completed and were not given up.
    fn in_flight(&self) -> usize;
    /// Calls `visit` for every command under way.
    fn under_way(&self, visit: &mut dyn FnMut(&Request<Self::Command>));
    /// Gives up commands submitted before `before_ns` and appends them to `given_up`. Their completions are not reported. A slot
    /// becomes free once no late answer can be mistaken for that of another command.
    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request<Self::Command>>);
}
