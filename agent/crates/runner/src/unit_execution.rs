//! Execution of units with several commands: their next commands, and the effect of a command's end on its unit.

use measure::recorder::Times;

use crate::free_slots;
use crate::session::{Completion, End, Request};
use crate::target::Target;
use crate::units::Failure;
use crate::worker::Worker;

impl<T: Target> Worker<'_, T> {
    /// Queues the commands of a unit that may begin now.
    pub(crate) fn queue_commands(&mut self, index: u32) {
        let Some(unit) = self.units.get(index) else { return };
        if unit.failure.is_some() {
            return;
        }
        let program = &self.lanes[usize::from(unit.lane)].program;
        let begun = unit.begun + unit.waiting;
        let ready = program.ready(unit.steps, begun, unit.ended).min(unit.steps - begun);
        unit.waiting += ready;
        self.ready.extend(std::iter::repeat_n(index, ready as usize));
    }

    /// Begins queued commands as long as slots are free.
    pub(crate) fn begin_ready(&mut self) {
        while let Some(&index) = self.ready.front() {
            let Some(unit) = self.units.get(index).filter(|unit| unit.waiting > 0) else {
                self.ready.pop_front();
                continue;
            };
            // The operation that is due for longest goes first, so that neither units nor single operations take all slots.
            let intended_ns = unit.intended_ns;
            if self.lanes.iter().any(|lane| !lane.has_units() && lane.next_ns() < intended_ns) {
                return;
            }
            let lane = &mut self.lanes[usize::from(unit.lane)];
            let command = lane.program.command(unit.number, unit.begun);
            if !self.session.has_free_slot(&command) {
                return;
            }
            self.ready.pop_front();
            unit.waiting -= 1;
            unit.begun += 1;
            if let Some(kind) = lane.kind_of_command(&command) {
                kind.in_flight += 1;
            }
            let (lane, intended_ns, ready_ns) = (unit.lane, unit.intended_ns, unit.ended_ns);
            self.session.begin(Request { command, lane, unit: index, intended_ns, ready_ns });
        }
    }

    /// Handles the end of a command of a unit with several commands.
    pub(crate) fn part_ended(&mut self, completion: &Completion<T::Command>) {
        let Some(unit) = self.units.get(completion.request.unit) else { return };
        let lane = &mut self.lanes[usize::from(unit.lane)];
        unit.ended += 1;
        unit.ended_ns = completion.completed_ns;
        unit.submitted_ns = unit.submitted_ns.min(completion.submitted_ns);
        if completion.end != End::Done {
            // The unit has failed, so its remaining commands are not begun.
            unit.failure.get_or_insert(Failure::Failed);
        }
        if let Some(kind) = lane.kind_of_command(&completion.request.command) {
            kind.in_flight = kind.in_flight.saturating_sub(1);
            if completion.end == End::Done {
                // Commands of a unit have no schedule, so the intended time is that of the submission.
                let (submitted_ns, completed_ns) = (completion.submitted_ns, completion.completed_ns);
                kind.recorder.completed(Times { intended_ns: submitted_ns, submitted_ns, completed_ns });
            } else {
                kind.recorder.failed();
            }
        }
        self.settle(completion.request.unit, completion.completed_ns);
    }

    /// Ends the unit if it is over, else queues its next commands.
    pub(crate) fn settle(&mut self, index: u32, now_ns: u64) {
        let Some(unit) = self.units.get(index) else { return };
        if unit.failure.is_some() {
            unit.waiting = 0;
        }
        if !unit.is_over() {
            self.queue_commands(index);
            return;
        }
        let Some(unit) = self.units.remove(index) else { return };
        let lane = &mut self.lanes[usize::from(unit.lane)];
        lane.ended(unit.kind, now_ns);
        self.free_slots.freed(free_slots::SESSION_CLASSES + usize::from(unit.lane), now_ns);
        let recorder = &mut lane.kinds[unit.kind].recorder;
        match unit.failure {
            None => recorder.completed(Times {
                intended_ns: unit.intended_ns,
                submitted_ns: unit.submitted_ns,
                completed_ns: now_ns,
            }),
            Some(Failure::Failed) => recorder.failed(),
            Some(Failure::TimedOut) => recorder.timed_out(),
        }
    }
}
