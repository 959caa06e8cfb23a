//! What carries out commands: a drive engine, or the connections of one thread to a server.
//!
//! A session starts what it is given at once or says that it has no room; it never reorders the schedule and never
//! decides when a command is intended.

use std::sync::Arc;

use measure::clock::TimeSource;
use measure::series::WorkloadError;

/// One command to carry out, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<C> {
    /// What; in the words of the driver.
    pub command: C,
    /// Place of its lane in the thread that asked.
    pub lane: u16,
    /// Place of its unit among those under way, where a unit has several commands; else its kind in the lane.
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
    /// True when latencies are made up: then an operation counts where it was intended, whatever the clock says.
    fn is_simulated(&self) -> bool {
        false
    }
    /// True when it never sleeps while it waits, so that the processor time of its thread says nothing about the load.
    fn is_always_busy(&self) -> bool {
        false
    }
    /// Which sort of places this command takes: the same number, 0, 1 or 2, for commands that share their places.
    fn room_of(&self, _: &Self::Command) -> usize {
        0
    }
    /// How many more commands of this sort of places can begin now.
    fn free_places(&self, room: usize) -> usize;
    /// Whether this command can begin now.
    fn has_room(&self, command: &Self::Command) -> bool {
        self.free_places(self.room_of(command)) > 0
    }
    /// Takes a command; it is submitted by the next `wait` at the latest. Only called when there is room.
    fn begin(&mut self, request: Request<Self::Command>);
    /// Submits what was taken, waits until something completes or `until_ns` is reached, and appends what completed.
    ///
    /// # Errors
    /// When the session itself cannot go on; a failed command is a completion.
    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion<Self::Command>>) -> Result<(), WorkloadError>;
    /// Commands that were taken and did not complete yet, without those that were given up.
    fn in_flight(&self) -> usize;
    /// Shows every command under way.
    fn under_way(&self, look: &mut dyn FnMut(&Request<Self::Command>));
    /// Gives up what was submitted before `before_ns` and appends it. Its place comes back when nothing can answer any
    /// more for another; how it ends is not told.
    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request<Self::Command>>);
}
