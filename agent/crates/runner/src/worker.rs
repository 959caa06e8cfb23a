//! A measuring thread: takes each unit when it is due, passes its commands to the session, and records completions.
//!
//! A unit without a free slot waits and keeps its intended time. The run is given up if a unit waits longer than the plan permits.
//! The thread only ever waits for the system under test.

use std::collections::VecDeque;
use std::ops::Range;

use measure::clock::ProcessorTime;
use measure::recorder::{Cut, TICK_NS, Times};
use measure::report::Reporter;
use measure::series::WorkloadError;

use crate::free_slots::{self, FreeSlots};
use crate::lane::Lane;
use crate::session::{Completion, End, Request, Session};
use crate::shared::{Ending, Shared};
use crate::target::{Rules, Target};
use crate::units::{Failure, Unit, Units};

/// Longest interval between checks of the stop flag, in nanoseconds.
const LONGEST_WAIT_NS: u64 = 100_000_000;
/// Longest wait in a simulated session, in nanoseconds: operations count at their intended times however late they are taken.
const SIMULATED_WAIT_NS: u64 = 10_000_000;
/// Number of checks for overdue commands per time-out.
const CHECKS_PER_TIMEOUT: u64 = 8;
const SHORTEST_CHECK_NS: u64 = 1_000_000;

/// State of a measuring thread.
pub struct Worker<'a, T: Target> {
    pub(crate) lanes: Vec<Lane<T::Command>>,
    pub(crate) session: &'a mut dyn Session<Command = T::Command>,
    pub(crate) shared: &'a Shared,
    /// `None` if nothing is recorded.
    pub(crate) reporter: Option<&'a Reporter>,
    pub(crate) rules: &'a Rules,
    pub(crate) target: &'a T,
    pub(crate) completions: Vec<Completion<T::Command>>,
    pub(crate) given_up: Vec<Request<T::Command>>,
    pub(crate) cuts: Vec<Cut>,
    pub(crate) next_tick_ns: u64,
    /// Earliest next check for overdue commands.
    pub(crate) next_check_ns: u64,
    pub(crate) processor: ProcessorTime,
    pub(crate) free_slots: FreeSlots,
    /// Longest period in which the thread was not run although it was to wake up, of those with operations that have not begun.
    pub(crate) pause_ns: Range<u64>,
    pub(crate) units: Units,
    /// Units with a command that may begin; one entry per command.
    pub(crate) ready: VecDeque<u32>,
    /// Whether the end of the run was noticed: later completions count in its last interval or not at all.
    pub(crate) over: bool,
    /// Whether all units of the plan have ended.
    pub(crate) done: bool,
    /// Time of the last check whether a failing target still exists.
    pub(crate) checked_ns: Option<u64>,
}

impl<'a, T: Target> Worker<'a, T> {
    pub fn new(
        lanes: Vec<Lane<T::Command>>,
        session: &'a mut dyn Session<Command = T::Command>,
        shared: &'a Shared,
        reporter: Option<&'a Reporter>,
        (target, rules): (&'a T, &'a Rules),
    ) -> Self {
        Self {
            free_slots: FreeSlots::new(lanes.len()),
            pause_ns: 0..0,
            lanes,
            session,
            shared,
            reporter,
            rules,
            target,
            completions: Vec::with_capacity(64),
            given_up: Vec::new(),
            cuts: Vec::new(),
            next_tick_ns: TICK_NS,
            next_check_ns: 0,
            processor: ProcessorTime::begin(),
            units: Units::default(),
            ready: VecDeque::new(),
            over: false,
            done: false,
            checked_ns: None,
        }
    }

    /// Measures until the run ends, then waits for operations under way. Fails if the session cannot continue. Intervals
    /// recorded until then are reported.
    pub fn run(mut self) -> Result<(), WorkloadError> {
        let result = self.measure();
        if let Err(error) = &result {
            self.shared.end(self.shared.time.now_ns(), Ending::Broken(error.0.clone()));
        }
        if !self.over {
            self.report_busy();
        }
        let end_ns = self.shared.end_ns();
        for kind in self.lanes.iter_mut().flat_map(Lane::recorders) {
            kind.recorder.finish(end_ns, kind.in_flight, &mut self.cuts);
        }
        self.hand_over();
        result
    }

    fn measure(&mut self) -> Result<(), WorkloadError> {
        self.note_full_classes();
        let mut wake_ns = u64::MAX;
        loop {
            let now_ns = self.shared.time.now_ns();
            self.note_pause(wake_ns..now_ns);
            let end_ns = self.shared.end_ns();
            if now_ns >= end_ns {
                self.report_end(now_ns);
            }
            self.begin_ready();
            self.dispatch(now_ns, end_ns);
            if !self.shared.is_ending() {
                if self.shared.stop.is_stopped() && now_ns < end_ns {
                    self.shared.end(now_ns, Ending::Stopped);
                } else if let Some(sentence) = self.overloaded(now_ns, end_ns) {
                    self.shared.end(now_ns, Ending::Overloaded(sentence));
                }
            }
            if !self.done && self.lanes.iter().all(Lane::is_exhausted) {
                self.done = true;
                self.shared.done(now_ns);
            }
            let end_ns = self.shared.end_ns();
            let over = self.shared.is_ending() || !self.is_due(end_ns);
            if now_ns >= end_ns && over {
                break;
            }
            wake_ns = self.wake_ns(now_ns, end_ns);
            self.collect(wake_ns)?;
        }
        self.drain()
    }

    /// Stores the time from the latest wake-up to now, unless an operation of a longer pause has not begun.
    fn note_pause(&mut self, pause_ns: Range<u64>) {
        let is_longer = || pause_ns.end - pause_ns.start > self.pause_ns.end - self.pause_ns.start;
        if !pause_ns.is_empty() && (is_longer() || !self.is_due(self.pause_ns.end)) {
            self.pause_ns = pause_ns;
        }
    }

    /// Returns by how much the last pause of the thread delayed an operation. Without the pause its slot may have become free
    /// at any time, so the slot that it waited for afterwards is no excuse.
    fn pause_of(&self, intended_ns: u64) -> u64 {
        self.pause_ns.end.saturating_sub(intended_ns.max(self.pause_ns.start))
    }

    /// Returns whether a unit intended before the end has not begun.
    fn is_due(&self, end_ns: u64) -> bool {
        self.lanes.iter().any(|lane| lane.next_ns() < end_ns)
    }

    fn has_free_slot(&self, lane: &Lane<T::Command>) -> bool {
        if lane.has_units() { lane.has_free_unit() } else { self.session.has_free_slot(lane.first()) }
    }

    /// Returns the slot class of the units of a lane.
    fn slot_class(&self, index: usize) -> usize {
        let lane = &self.lanes[index];
        if lane.has_units() { free_slots::SESSION_CLASSES + index } else { self.session.slot_class(lane.first()) }
    }

    /// Begins every unit that is due and has a free slot, in the order of the intended times.
    fn dispatch(&mut self, now_ns: u64, end_ns: u64) {
        let simulated = self.session.is_simulated();
        loop {
            let due =
                self.lanes.iter().enumerate().filter(|(_, lane)| lane.next_ns() <= now_ns && lane.next_ns() < end_ns);
            let with_free_slot = due.filter(|(_, lane)| self.has_free_slot(lane));
            let Some((index, _)) = with_free_slot.min_by_key(|(_, lane)| lane.next_ns()) else { return };
            let class = self.slot_class(index);
            let lane_no = u16::try_from(index).unwrap_or(u16::MAX);
            let lane = &mut self.lanes[index];
            let (number, intended_ns, command) = lane.take();
            let kind = lane.program.kind(number);
            let is_full = if lane.has_units() {
                let steps = lane.program.steps(number).max(1);
                let unit = Unit {
                    number,
                    lane: lane_no,
                    kind,
                    intended_ns,
                    steps,
                    begun: 0,
                    ended: 0,
                    waiting: 0,
                    submitted_ns: u64::MAX,
                    ended_ns: intended_ns,
                    failure: None,
                };
                let unit = self.units.add(unit);
                self.queue_commands(unit);
                self.begin_ready();
                !self.lanes[index].has_free_unit()
            } else {
                let unit = u32::try_from(kind).unwrap_or(u32::MAX);
                let request = Request { command, lane: lane_no, unit, intended_ns, ready_ns: intended_ns };
                self.session.begin(request);
                self.session.free_slots_of(class) == 0
            };
            if simulated {
                continue;
            }
            let possible_ns = intended_ns.max(self.free_slots.take(class));
            let own_lateness_ns = now_ns.saturating_sub(possible_ns).max(self.pause_of(intended_ns));
            let recorder = &mut self.lanes[index].kinds[kind].recorder;
            recorder.dispatched(now_ns.saturating_sub(intended_ns), own_lateness_ns);
            if is_full {
                self.free_slots.full(class);
            }
        }
    }

    /// Records which slot classes are full before the first operation, because of operations left by the ramp.
    fn note_full_classes(&mut self) {
        for class in (0..free_slots::SESSION_CLASSES).filter(|&class| self.session.free_slots_of(class) == 0) {
            self.free_slots.full(class);
        }
    }

    fn overloaded(&self, now_ns: u64, end_ns: u64) -> Option<String> {
        let largest_ns = self.rules.largest_lateness_ns?;
        let is_late = |lane: &&Lane<_>| lane.next_ns() < end_ns && lane.next_ns().saturating_add(largest_ns) < now_ns;
        let lane = self.lanes.iter().find(is_late)?;
        let (seconds, measured) = (largest_ns / 1_000_000_000, self.rules.measured);
        let (operation, in_flight) = (lane.kinds[0].recorder.operation(), self.session.in_flight());
        Some(if in_flight > 0 {
            format!(
                "the {measured} cannot keep up: a {operation} waited more than {seconds} s to begin while {in_flight} \
                 operations were under way"
            )
        } else {
            format!(
                "this machine cannot keep up: a {operation} began more than {seconds} s late although the {measured} \
                 was idle"
            )
        })
    }

    /// Returns the time at which to wake up at the latest. Lanes without a free slot wait for a completion.
    fn wake_ns(&self, now_ns: u64, end_ns: u64) -> u64 {
        if self.session.is_simulated() {
            return end_ns.clamp(now_ns, now_ns + SIMULATED_WAIT_NS);
        }
        let (mut due_ns, mut waiting) = (u64::MAX, !self.ready.is_empty());
        for lane in self.lanes.iter().filter(|lane| lane.next_ns() < end_ns) {
            if self.has_free_slot(lane) {
                due_ns = due_ns.min(lane.next_ns());
            } else {
                waiting = true;
            }
        }
        if due_ns == u64::MAX && !waiting {
            due_ns = end_ns.max(now_ns + 1);
        }
        due_ns.min(now_ns + self.longest_wait_ns())
    }

    fn longest_wait_ns(&self) -> u64 {
        LONGEST_WAIT_NS.min(self.check_every_ns())
    }

    fn check_every_ns(&self) -> u64 {
        (self.rules.timeout_ns / CHECKS_PER_TIMEOUT).clamp(SHORTEST_CHECK_NS, TICK_NS)
    }

    fn collect(&mut self, until_ns: u64) -> Result<(), WorkloadError> {
        let simulated = self.session.is_simulated();
        let mut completions = std::mem::take(&mut self.completions);
        self.session.wait(until_ns, &mut completions)?;
        for (index, completion) in completions.iter().enumerate() {
            let request = &completion.request;
            let now_ns = if simulated { request.intended_ns } else { completion.completed_ns };
            self.move_on(now_ns, &completions[index..]);
            let class = self.session.slot_class(&request.command);
            self.free_slots.freed(class, completion.completed_ns);
            if self.lanes[usize::from(request.lane)].has_units() {
                self.part_ended(completion);
            } else {
                self.ended(completion);
            }
            if let End::Failed(code) = completion.end {
                self.check_target(request, code, completion.completed_ns);
            }
        }
        completions.clear();
        self.completions = completions;
        if !simulated {
            let now_ns = self.shared.time.now_ns();
            if self.free_slots.were_full() {
                for class in 0..free_slots::SESSION_CLASSES {
                    self.free_slots.seen(class, self.session.free_slots_of(class), now_ns);
                }
            }
            if now_ns >= self.next_check_ns {
                self.next_check_ns = now_ns + self.check_every_ns();
                self.give_up_late(now_ns);
            }
            self.move_on(now_ns, &[]);
        }
        Ok(())
    }

    /// Handles the end of a unit of one command.
    fn ended(&mut self, completion: &Completion<T::Command>) {
        let request = &completion.request;
        let lane = &mut self.lanes[usize::from(request.lane)];
        let kind = request.unit as usize;
        lane.ended(kind, completion.completed_ns);
        let (submitted_ns, completed_ns) = (completion.submitted_ns, completion.completed_ns);
        if let (End::Absent, Some(absent)) = (completion.end, &mut lane.absent) {
            // Also recorded separately, so that hits can be distinguished.
            absent.recorder.completed(Times { intended_ns: submitted_ns, submitted_ns, completed_ns });
        }
        let recorder = &mut lane.kinds[kind].recorder;
        match completion.end {
            End::Done | End::Absent => {
                recorder.completed(Times { intended_ns: request.intended_ns, submitted_ns, completed_ns });
            }
            End::Wrong | End::Failed(_) => recorder.failed(),
        }
    }

    /// Ends the run if a failed command means that the target is gone.
    fn check_target(&mut self, request: &Request<T::Command>, code: i32, now_ns: u64) {
        let is_check_due = self.checked_ns.is_none_or(|checked_ns| checked_ns + TICK_NS <= now_ns);
        if is_check_due {
            self.checked_ns = Some(now_ns);
        }
        if let Some(sentence) = self.target.lost(&request.command, code, is_check_due) {
            self.shared.end(now_ns, Ending::Broken(sentence));
        }
    }

    fn give_up_late(&mut self, now_ns: u64) {
        let Some(before_ns) = now_ns.checked_sub(self.rules.timeout_ns) else { return };
        let mut given_up = std::mem::take(&mut self.given_up);
        self.session.give_up(before_ns, &mut given_up);
        for request in given_up.drain(..) {
            let lane = &mut self.lanes[usize::from(request.lane)];
            if lane.has_units() {
                if let Some(kind) = lane.kind_of_command(&request.command) {
                    kind.recorder.timed_out();
                    kind.in_flight = kind.in_flight.saturating_sub(1);
                }
                if let Some(unit) = self.units.get(request.unit) {
                    unit.ended += 1;
                    unit.failure.get_or_insert(Failure::TimedOut);
                }
                self.settle(request.unit, now_ns);
            } else {
                let kind = request.unit as usize;
                lane.kinds[kind].recorder.timed_out();
                lane.ended(kind, now_ns);
            }
        }
        self.given_up = given_up;
    }

    /// Waits for operations under way; units that have begun are executed to their end.
    fn drain(&mut self) -> Result<(), WorkloadError> {
        let deadline_ns = self.shared.time.now_ns().saturating_add(self.shared.grace_ns());
        loop {
            let now_ns = self.shared.time.now_ns();
            self.begin_ready();
            let under_way = self.session.in_flight() > 0 || self.units.iter().next().is_some();
            if !under_way || now_ns >= deadline_ns {
                return Ok(());
            }
            self.collect(deadline_ns.min(now_ns + self.longest_wait_ns()))?;
        }
    }
}
