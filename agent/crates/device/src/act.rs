//! The ACT storage workload: three schedules over one engine, and what is recorded of them.
//!
//! One thread takes each operation when it is due, hands it to the engine and records what completes. An operation for
//! which the engine has no room waits with its intended time; the run is given up when one waits longer than ACT allows.

use std::sync::Arc;
use std::time::Duration;

use measure::clock::{MonotonicTime, TimeSource};
use measure::random;
use measure::recorder::{Cut, OperationPlan, Recorder, Times};
use measure::report::{Reporter, with_reporter};
use measure::schedule::Schedule;
use measure::series::{Clock, IntervalSink, Outcome, SeriesDefinition, StopFlag, Workload, WorkloadError};

use crate::engine::{self, Completion, Engine, Kind, Request, Sizes};
use crate::plan::{ActStoragePlan, EngineChoice};
use crate::rates;
use crate::target::Target;

/// How late an operation may begin before the run is given up (`max-lag-sec` of ACT).
const LARGEST_LATENESS_NS: u64 = 10_000_000_000;
/// What operations under way at the end are waited for, and after an early stop.
const GRACE_NS: u64 = 10_000_000_000;
const GRACE_AFTER_STOP_NS: u64 = 1_500_000_000;
/// Longest wait between two looks at the stop flag.
const LONGEST_WAIT_NS: u64 = 100_000_000;
/// A simulated operation happens at its intended time however late it is taken, so few wake-ups are enough.
const SIMULATED_WAIT_NS: u64 = 10_000_000;
/// The kernel may be this late with a wake-up to save power; 50 µs by default.
const TIMER_SLACK_NS: u64 = 1;

/// A prepared run.
pub struct ActStorage {
    plan: ActStoragePlan,
    engine: EngineChoice,
    target: Option<Target>,
    operations: Vec<OperationPlan>,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

impl ActStorage {
    /// A run of a checked plan over what was prepared; the null engine needs no target.
    pub fn new(
        plan: ActStoragePlan,
        target: Option<Target>,
        duration: Duration,
        ticks_per_histogram: u64,
    ) -> Result<Self, WorkloadError> {
        let schedules = rates::schedules(&plan)?;
        let operations = Kind::ALL
            .iter()
            .map(|&kind| OperationPlan {
                operation: kind.operation().into(),
                device: Some(plan.path.display().to_string()),
                schedule: Some(match kind {
                    Kind::Read => schedules.read,
                    Kind::LargeBlockRead => schedules.large_block_read,
                    Kind::LargeBlockWrite => schedules.large_block_write,
                }),
                clocks: vec![Clock::Response, Clock::Service],
                pin_thresholds_ns: plan.limits_ns.clone(),
            })
            .collect();
        let engine = engine::resolve(plan.engine);
        let duration_ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Ok(Self { plan, engine, target, operations, ticks_per_histogram, duration_ns })
    }

    fn sizes(&self) -> Sizes {
        let at_once = |per_load: f64, least: u32, most: u32| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then is clamped")]
            let wanted = (self.plan.load_multiple * per_load) as u32;
            wanted.clamp(least, most)
        };
        Sizes {
            read_bytes: self.target.as_ref().map_or(self.plan.record_bytes, |target| target.read_bytes),
            large_block_bytes: self.plan.large_block_bytes,
            reads_at_once: at_once(128.0, 128, 4096),
            large_blocks_at_once: at_once(8.0, 16, 128),
            sync_writes: self.plan.sync_writes,
            seed: self.plan.seed,
        }
    }

    /// Runs over `engine` with `time`, whose offset 0 is now.
    fn measure(
        &self,
        engine: &mut dyn Engine,
        time: Arc<dyn TimeSource>,
        reporter: &Reporter,
        stop: &StopFlag,
    ) -> Result<Outcome, WorkloadError> {
        let sizes = self.sizes();
        let span_bytes = self.target.as_ref().map_or(self.plan.file_size_bytes, |target| target.span_bytes);
        let lanes =
            Kind::ALL.iter().zip(&self.operations).zip((0..).step_by(4)).map(|((&kind, operation), series_no)| {
                let schedule = operation.schedule?;
                Some(Lane {
                    kind,
                    recorder: Recorder::new(operation.clone(), series_no, self.ticks_per_histogram, self.duration_ns),
                    schedule,
                    next: 0,
                    next_ns: schedule.intended_ns(0),
                    places: span_bytes / u64::from(sizes.bytes(kind)),
                    bytes: u64::from(sizes.bytes(kind)),
                })
            });
        let lanes: Option<Vec<Lane>> = lanes.collect();
        let lanes = lanes.ok_or_else(|| WorkloadError("every operation of this workload has a schedule".into()))?;
        engine.start(time.clone());
        let (seed, end_ns) = (self.plan.seed, self.duration_ns);
        Run { lanes, engine, time, reporter, seed, end_ns, completions: Vec::with_capacity(64), cuts: Vec::new() }
            .run(stop)
    }
}

impl Workload for ActStorage {
    fn series(&self, host: &str) -> Vec<SeriesDefinition> {
        self.operations
            .iter()
            .zip((0..).step_by(4))
            .flat_map(|(operation, first)| operation.definitions(first, host))
            .collect()
    }

    fn run(self: Box<Self>, sink: &dyn IntervalSink, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        // Where it is refused, operations begin a little later, which the lateness shows.
        let _ = rustix::thread::set_current_timer_slack(TIMER_SLACK_NS.try_into().ok());
        let mut engine = engine::open(self.engine, self.target.as_ref().map(|target| &target.file), self.sizes())?;
        with_reporter(sink, |reporter| self.measure(engine.as_mut(), Arc::new(MonotonicTime::start()), reporter, stop))
    }
}

/// One kind of operation on its way through the run.
struct Lane {
    kind: Kind,
    recorder: Recorder,
    schedule: Schedule,
    /// Number and intended time of the operation that is due next.
    next: u64,
    next_ns: u64,
    /// Offsets are multiples of `bytes` below `places × bytes`.
    places: u64,
    bytes: u64,
}

struct Run<'a> {
    lanes: Vec<Lane>,
    engine: &'a mut dyn Engine,
    time: Arc<dyn TimeSource>,
    reporter: &'a Reporter,
    seed: u64,
    end_ns: u64,
    completions: Vec<Completion>,
    cuts: Vec<Cut>,
}

impl Run<'_> {
    fn run(mut self, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        let mut reason = None;
        let mut grace_ns = GRACE_NS;
        loop {
            let now_ns = self.time.now_ns();
            self.dispatch(now_ns);
            if stop.is_stopped() && now_ns < self.end_ns {
                (self.end_ns, grace_ns) = (now_ns + 1, GRACE_AFTER_STOP_NS);
                reason = Some("stopped on request".to_owned());
                break;
            }
            if let Some(kind) = self.overloaded(now_ns) {
                (self.end_ns, grace_ns) = (now_ns + 1, GRACE_AFTER_STOP_NS);
                reason = Some(overload_sentence(kind, self.engine.in_flight()));
                break;
            }
            if now_ns >= self.end_ns && self.next_due().is_none() {
                break;
            }
            self.collect(self.wake_ns(now_ns))?;
        }
        self.drain(grace_ns)?;
        for lane in &mut self.lanes {
            lane.recorder.finish(self.end_ns, 0, &mut self.cuts);
        }
        self.reporter.cuts(self.cuts);
        for lane in &self.lanes {
            self.reporter.progress(lane.recorder.progress());
        }
        Ok(Outcome { completed: reason.is_none(), reason, duration_ns: self.end_ns })
    }

    /// The lane whose next operation is intended first, among those with operations left.
    fn next_due(&self) -> Option<usize> {
        let left = self.lanes.iter().enumerate().filter(|(_, lane)| lane.next_ns < self.end_ns);
        left.min_by_key(|(_, lane)| lane.next_ns).map(|(index, _)| index)
    }

    /// Hands everything that is due and has room to the engine, in the order of the intended times.
    fn dispatch(&mut self, now_ns: u64) {
        loop {
            let due = self.lanes.iter_mut().filter(|lane| lane.next_ns <= now_ns && lane.next_ns < self.end_ns);
            let with_room = due.filter(|lane| self.engine.has_room(lane.kind));
            let Some(lane) = with_room.min_by_key(|lane| lane.next_ns) else { return };
            let place = random::below(lane.places, random::bits(self.seed, lane.kind as u64, lane.next));
            self.engine.begin(Request {
                kind: lane.kind,
                number: lane.next,
                intended_ns: lane.next_ns,
                offset_bytes: place * lane.bytes,
            });
            if !self.engine.is_simulated() {
                lane.recorder.dispatched(now_ns - lane.next_ns);
            }
            lane.next += 1;
            lane.next_ns = lane.schedule.intended_ns(lane.next);
        }
    }

    fn overloaded(&self, now_ns: u64) -> Option<Kind> {
        let late =
            |lane: &&Lane| lane.next_ns < self.end_ns && lane.next_ns.saturating_add(LARGEST_LATENESS_NS) < now_ns;
        self.lanes.iter().find(late).map(|lane| lane.kind)
    }

    /// When to look again at the latest. A lane without room is woken by a completion.
    fn wake_ns(&self, now_ns: u64) -> u64 {
        if self.engine.is_simulated() {
            return self.end_ns.clamp(now_ns, now_ns + SIMULATED_WAIT_NS);
        }
        let due = self.lanes.iter().filter(|lane| lane.next_ns < self.end_ns && self.engine.has_room(lane.kind));
        let due_ns = due.map(|lane| lane.next_ns).min().unwrap_or(self.end_ns.max(now_ns + 1));
        due_ns.min(now_ns + LONGEST_WAIT_NS)
    }

    fn collect(&mut self, until_ns: u64) -> Result<(), WorkloadError> {
        self.engine.wait(until_ns, &mut self.completions)?;
        let simulated = self.engine.is_simulated();
        for index in 0..self.completions.len() {
            let completion = self.completions[index];
            let request = completion.request;
            self.move_on(if simulated { request.intended_ns } else { completion.completed_ns });
            let recorder = &mut self.lanes[request.kind as usize].recorder;
            if completion.succeeded {
                recorder.completed(Times {
                    intended_ns: request.intended_ns,
                    submitted_ns: completion.submitted_ns,
                    completed_ns: completion.completed_ns,
                });
            } else {
                recorder.failed();
            }
        }
        self.completions.clear();
        if !simulated {
            self.move_on(self.time.now_ns());
        }
        Ok(())
    }

    fn move_on(&mut self, now_ns: u64) {
        let mut ticked = false;
        for lane in &mut self.lanes {
            ticked |= lane.recorder.advance(now_ns, &mut self.cuts);
        }
        if ticked {
            self.reporter.cuts(std::mem::take(&mut self.cuts));
            for lane in &self.lanes {
                self.reporter.progress(lane.recorder.progress());
            }
        }
    }

    fn drain(&mut self, grace_ns: u64) -> Result<(), WorkloadError> {
        let deadline_ns = self.time.now_ns().saturating_add(grace_ns);
        while self.engine.in_flight() > 0 && self.time.now_ns() < deadline_ns {
            self.collect(deadline_ns)?;
        }
        Ok(())
    }
}

fn overload_sentence(kind: Kind, in_flight: usize) -> String {
    let seconds = LARGEST_LATENESS_NS / 1_000_000_000;
    let operation = kind.operation();
    if in_flight > 0 {
        return format!(
            "the drive cannot keep up: a {operation} waited more than {seconds} s to begin while {in_flight} operations \
             were under way"
        );
    }
    format!("this machine cannot keep up: a {operation} began more than {seconds} s late although the drive was idle")
}

#[cfg(test)]
#[path = "act_tests.rs"]
mod tests;
