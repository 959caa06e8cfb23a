//! Sessions carry out commands: a drive engine, or the connections of one thread to a server.
//!
//! A session starts a command at once or reports that no slot is free; it never reorders the schedule and never
//! decides when a command is intended.

use std::sync::Arc;

use measure::clock::TimeSource;
use measure::series::WorkloadError;

/// One command to carry out, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<C> {
    /// Command of the driver.
    pub command: C,
    /// Index of its lane in the thread.
    pub lane: u16,
    /// Index of its unit among those under way, where a unit has several commands; else its kind in the lane.
    pub unit: u32,
    /// By the schedule.
    pub intended_ns: u64,
    /// From when on it could begin: its intended time, or the end of the command before it in the same unit.
    pub ready_ns: u64,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// As it was asked.
    Done,
    /// Answered that there is nothing, where that is no error.
    Absent,
    /// The system refused or the connection broke, with the error number that comes nearest.
    Failed(i32),
    /// Answered, but with something else: fewer bytes, no such key, a value of another length.
    Wrong,
}

/// One command that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion<C> {
    /// As it was given.
    pub request: Request<C>,
    /// When it was handed to the kernel.
    pub submitted_ns: u64,
    /// When its end was seen.
    pub completed_ns: u64,
    /// How it ended.
    pub end: End,
}

/// Carries out commands for one thread, which made it.
pub trait Session {
    /// The commands that it carries out.
    type Command: Copy;

    /// Offset 0 of `time` is the start of the run; called again before each stage of a run, with nothing under way.
    fn start(&mut self, time: Arc<dyn TimeSource>);
    /// Returns whether latencies are made up: then an operation counts where it was intended, whatever the clock says.
    fn is_simulated(&self) -> bool {
        false
    }
    /// Returns whether it never sleeps while it waits, so that the processor time of its thread does not depend on the load.
    fn is_always_busy(&self) -> bool {
        false
    }
    /// Returns the class of slots that this command takes, 0, 1 or 2; commands of a class share its slots.
    fn slot_class(&self, _: &Self::Command) -> usize {
        0
    }
    /// Returns how many more commands of this class can begin now.
    fn free_slots_of(&self, class: usize) -> usize;
    /// Returns whether this command can begin now.
    fn has_free_slot(&self, command: &Self::Command) -> bool {
        self.free_slots_of(self.slot_class(command)) > 0
    }
    /// Takes a command; it is submitted by the next `wait` at the latest. Only called when a slot is free.
    fn begin(&mut self, request: Request<Self::Command>);
    /// Submits what was taken, waits until something completes or `until_ns` is reached, and appends what completed.
    ///
    /// # Errors
    /// When the session itself cannot go on; a failed command is a completion.
    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion<Self::Command>>) -> Result<(), WorkloadError>;
    /// Returns the number of commands that were taken and did not complete yet, without those that were given up.
    fn in_flight(&self) -> usize;
    /// Passes every command under way to `look`.
    fn under_way(&self, look: &mut dyn FnMut(&Request<Self::Command>));
    /// Gives up what was submitted before `before_ns` and appends it. Its slot becomes free when no answer can
    /// be mistaken for that of another command; its end is not reported.
    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request<Self::Command>>);
}
