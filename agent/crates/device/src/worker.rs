//! One measuring thread: it takes each operation when it is due, hands it to its engine and records what completes.
//!
//! An operation for which the engine has no room waits with its intended time; the run is given up when one waits longer
//! than the plan allows. Nothing in here waits for a disk other than the one that is measured.

use measure::recorder::{Cut, TICK_NS, Times};
use measure::report::Reporter;
use measure::series::WorkloadError;

use crate::engine::{Completion, End, Engine, Kind, Request};
use crate::lane::Lane;
use crate::room::Rooms;
use crate::shared::{Ending, Shared};

/// Longest wait between two looks at the stop flag.
const LONGEST_WAIT_NS: u64 = 100_000_000;
/// A simulated operation happens at its intended time however late it is taken, so few wake-ups are enough.
const SIMULATED_WAIT_NS: u64 = 10_000_000;

/// What a thread needs to know of the plan.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Source of places and sizes.
    pub seed: u64,
    /// How late an operation may begin before the run is given up; none: as late as it likes.
    pub largest_lateness_ns: Option<u64>,
    /// How long an operation may take before it is given up.
    pub timeout_ns: u64,
    /// Names and places in sysfs of the devices.
    pub devices: Vec<(String, Option<std::path::PathBuf>)>,
}

/// See the module.
pub struct Worker<'a> {
    pub lanes: Vec<Lane>,
    pub engine: &'a mut dyn Engine,
    pub shared: &'a Shared<'a>,
    /// None where nothing is recorded.
    pub reporter: Option<&'a Reporter>,
    pub rules: &'a Rules,
    completions: Vec<Completion>,
    given_up: Vec<Request>,
    cuts: Vec<Cut>,
    /// No tick ends before this.
    next_tick_ns: u64,
    busy_before_ns: u64,
    rooms: Rooms,
    /// The end of the run was seen: what comes now belongs to its last interval or to none.
    over: bool,
    /// Offset of the last look whether a device that fails is still there.
    looked_ns: Option<u64>,
}

impl<'a> Worker<'a> {
    pub fn new(
        lanes: Vec<Lane>,
        engine: &'a mut dyn Engine,
        shared: &'a Shared<'a>,
        reporter: Option<&'a Reporter>,
        rules: &'a Rules,
    ) -> Self {
        Self {
            lanes,
            engine,
            shared,
            reporter,
            rules,
            completions: Vec::with_capacity(64),
            given_up: Vec::new(),
            cuts: Vec::new(),
            next_tick_ns: TICK_NS,
            busy_before_ns: busy_ns(),
            rooms: Rooms::default(),
            over: false,
            looked_ns: None,
        }
    }

    /// Measures until the run ends.
    ///
    /// # Errors
    /// When the engine cannot go on; what was recorded until then is handed over.
    pub fn run(mut self) -> Result<(), WorkloadError> {
        let result = self.measure();
        if let Err(error) = &result {
            self.shared.end(self.shared.time.now_ns(), Ending::Broken(error.0.clone()));
        }
        if !self.over {
            self.tell_busy();
        }
        let end_ns = self.shared.end_ns();
        for lane in &mut self.lanes {
            lane.recorder.finish(end_ns, lane.in_flight, &mut self.cuts);
        }
        self.hand_over();
        result
    }

    fn measure(&mut self) -> Result<(), WorkloadError> {
        self.look_for_full_rooms();
        loop {
            let now_ns = self.shared.time.now_ns();
            let end_ns = self.shared.end_ns();
            if now_ns >= end_ns {
                self.see_the_end(now_ns);
            }
            self.dispatch(now_ns, end_ns);
            if self.shared.ending().is_none() {
                if self.shared.stop.is_stopped() && now_ns < end_ns {
                    self.shared.end(now_ns, Ending::Stopped);
                } else if let Some(kind) = self.overloaded(now_ns, end_ns) {
                    self.shared.end(now_ns, Ending::Overloaded(self.overload_sentence(kind)));
                }
            }
            let end_ns = self.shared.end_ns();
            let over = self.shared.ending().is_some() || !self.is_due(end_ns);
            if now_ns >= end_ns && over {
                break;
            }
            self.collect(self.wake_ns(now_ns, end_ns))?;
        }
        self.drain()
    }

    fn is_due(&self, end_ns: u64) -> bool {
        self.lanes.iter().any(|lane| lane.next_ns < end_ns)
    }

    /// Hands everything that is due and has room to the engine, in the order of the intended times.
    fn dispatch(&mut self, now_ns: u64, end_ns: u64) {
        let simulated = self.engine.is_simulated();
        loop {
            let due = self.lanes.iter().enumerate().filter(|(_, lane)| lane.next_ns <= now_ns && lane.next_ns < end_ns);
            let with_room = due.filter(|(_, lane)| self.engine.has_room(lane.kind));
            let Some((place, _)) = with_room.min_by_key(|(_, lane)| lane.next_ns) else { return };
            let lane = &mut self.lanes[place];
            let request = lane.take(u16::try_from(place).unwrap_or(u16::MAX), self.rules.seed);
            self.engine.begin(request);
            if simulated {
                continue;
            }
            let room = self.engine.room_of(request.kind);
            let possible_ns = request.intended_ns.max(self.rooms.take(room));
            lane.recorder.dispatched(now_ns - request.intended_ns, now_ns.saturating_sub(possible_ns));
            if !self.engine.has_room(request.kind) {
                self.rooms.full(room);
            }
        }
    }

    /// Where places are taken before the first operation begins: what the ramp left behind.
    fn look_for_full_rooms(&mut self) {
        for kind in Kind::ALL.into_iter().filter(|&kind| !self.engine.has_room(kind)) {
            self.rooms.full(self.engine.room_of(kind));
        }
    }

    fn overloaded(&self, now_ns: u64, end_ns: u64) -> Option<Kind> {
        let largest_ns = self.rules.largest_lateness_ns?;
        let late = |lane: &&Lane| lane.next_ns < end_ns && lane.next_ns.saturating_add(largest_ns) < now_ns;
        self.lanes.iter().find(late).map(|lane| lane.kind)
    }

    fn overload_sentence(&self, kind: Kind) -> String {
        let seconds = self.rules.largest_lateness_ns.unwrap_or(0) / 1_000_000_000;
        let (operation, in_flight) = (kind.operation(), self.engine.in_flight());
        if in_flight > 0 {
            return format!(
                "the drive cannot keep up: a {operation} waited more than {seconds} s to begin while {in_flight} \
                 operations were under way"
            );
        }
        format!(
            "this machine cannot keep up: a {operation} began more than {seconds} s late although the drive was idle"
        )
    }

    /// When to look again at the latest. A lane without room is woken by a completion.
    fn wake_ns(&self, now_ns: u64, end_ns: u64) -> u64 {
        if self.engine.is_simulated() {
            return end_ns.clamp(now_ns, now_ns + SIMULATED_WAIT_NS);
        }
        let (mut due_ns, mut waiting) = (u64::MAX, false);
        for lane in self.lanes.iter().filter(|lane| lane.next_ns < end_ns) {
            if self.engine.has_room(lane.kind) {
                due_ns = due_ns.min(lane.next_ns);
            } else {
                waiting = true;
            }
        }
        if due_ns == u64::MAX && !waiting {
            due_ns = end_ns.max(now_ns + 1);
        }
        due_ns.min(now_ns + LONGEST_WAIT_NS)
    }

    fn collect(&mut self, until_ns: u64) -> Result<(), WorkloadError> {
        let simulated = self.engine.is_simulated();
        let mut completions = std::mem::take(&mut self.completions);
        self.engine.wait(until_ns, &mut completions)?;
        for (place, completion) in completions.iter().enumerate() {
            let request = completion.request;
            let now_ns = if simulated { request.intended_ns } else { completion.completed_ns };
            self.move_on(now_ns, &completions[place..]);
            self.rooms.freed(self.engine.room_of(request.kind), completion.completed_ns);
            let lane = &mut self.lanes[usize::from(request.lane)];
            lane.ended(completion.completed_ns);
            match completion.end {
                End::Done => lane.recorder.completed(Times {
                    intended_ns: request.intended_ns,
                    submitted_ns: completion.submitted_ns,
                    completed_ns: completion.completed_ns,
                }),
                End::Short => lane.recorder.failed(),
                End::Failed(code) => {
                    lane.recorder.failed();
                    self.look_after(request, code, completion.completed_ns);
                }
            }
        }
        completions.clear();
        self.completions = completions;
        if !simulated {
            let now_ns = self.shared.time.now_ns();
            if self.rooms.were_full() {
                for kind in Kind::ALL {
                    self.rooms.seen(self.engine.room_of(kind), self.engine.free_places(kind), now_ns);
                }
            }
            self.move_on(now_ns, &[]);
        }
        Ok(())
    }

    /// A failed operation may mean that the device is gone; then there is nothing left to measure.
    fn look_after(&mut self, request: Request, code: i32, now_ns: u64) {
        let Some((name, presence)) = self.rules.devices.get(usize::from(request.device)) else { return };
        let says_so = matches!(code, libc::ENODEV | libc::ENXIO | libc::ENOMEDIUM | libc::ESHUTDOWN);
        let look = self.looked_ns.is_none_or(|looked_ns| looked_ns + TICK_NS <= now_ns);
        if look {
            self.looked_ns = Some(now_ns);
        }
        if says_so || (look && presence.as_ref().is_some_and(|place| !place.exists())) {
            let error = std::io::Error::from_raw_os_error(code);
            let sentence = format!("{name} is gone: a {} failed ({error})", request.kind.operation());
            self.shared.end(now_ns, Ending::Broken(sentence));
        }
    }

    /// Those that `ended` still count as under way: they are recorded after this.
    fn move_on(&mut self, now_ns: u64, ended: &[Completion]) {
        if now_ns < self.next_tick_ns {
            return;
        }
        self.next_tick_ns = (now_ns / TICK_NS + 1) * TICK_NS;
        self.give_up_late(now_ns);
        if self.over {
            return;
        }
        self.tell_busy();
        self.tell_under_way(now_ns, ended);
        for lane in &mut self.lanes {
            lane.recorder.advance(now_ns, &mut self.cuts);
        }
        self.hand_over();
    }

    fn tell_busy(&mut self) {
        if self.engine.is_always_busy() {
            return;
        }
        let busy = busy_ns();
        let busy_ns = busy.saturating_sub(std::mem::replace(&mut self.busy_before_ns, busy));
        for lane in &mut self.lanes {
            lane.recorder.busy(0, busy_ns);
        }
    }

    fn tell_under_way(&mut self, now_ns: u64, ended: &[Completion]) {
        if self.engine.is_simulated() {
            // Taken is not under way here: operations are made up in advance of the clock, or behind it.
            return;
        }
        let mut oldest_ns = vec![u64::MAX; self.lanes.len()];
        let mut look = |request: &Request| {
            let oldest = &mut oldest_ns[usize::from(request.lane)];
            *oldest = request.intended_ns.min(*oldest);
        };
        self.engine.under_way(&mut look);
        for completion in ended {
            look(&completion.request);
        }
        for (lane, intended_ns) in self.lanes.iter_mut().zip(oldest_ns) {
            lane.recorder.under_way(lane.in_flight, now_ns.saturating_sub(intended_ns));
        }
    }

    /// At the end of the run: what is under way now counts, and what this thread does from here on belongs to no interval.
    fn see_the_end(&mut self, now_ns: u64) {
        // Where latencies are made up, intervals follow the schedule instead of the clock.
        if !self.over && !self.engine.is_simulated() {
            self.tell_busy();
            self.tell_under_way(now_ns, &[]);
            self.over = true;
        }
    }

    fn give_up_late(&mut self, now_ns: u64) {
        let Some(before_ns) = now_ns.checked_sub(self.rules.timeout_ns) else { return };
        self.engine.give_up(before_ns, &mut self.given_up);
        for request in self.given_up.drain(..) {
            let lane = &mut self.lanes[usize::from(request.lane)];
            lane.recorder.timed_out();
            lane.ended(now_ns);
        }
    }

    fn hand_over(&mut self) {
        let cuts = std::mem::take(&mut self.cuts);
        if let Some(reporter) = self.reporter {
            reporter.cuts(cuts);
        }
    }

    fn drain(&mut self) -> Result<(), WorkloadError> {
        let deadline_ns = self.shared.time.now_ns().saturating_add(self.shared.grace_ns());
        while self.engine.in_flight() > 0 && self.shared.time.now_ns() < deadline_ns {
            self.collect(deadline_ns)?;
        }
        Ok(())
    }
}

/// Processor time of this thread so far.
fn busy_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}
