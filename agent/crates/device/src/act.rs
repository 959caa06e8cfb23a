//! The ACT workloads: which operations there are, which thread carries out which, and how a run begins and ends.
//!
//! Each device gets its share of every rate, evenly, and each lane begins at its own part of a period, so that operations
//! do not meet. A device belongs to one thread; with more threads than devices, records are dealt out to all.

use std::sync::{Arc, Barrier, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use measure::arrivals::Arrivals;
use measure::book::Book;
use measure::clock::{ManualTime, MonotonicTime, TimeSource};
use measure::recorder::{OperationPlan, Recorder};
use measure::report::{Reporter, with_reporter};
use measure::schedule::Schedule;
use measure::series::{Clock, IntervalSink, Outcome, SeriesDefinition, StopFlag, Workload, WorkloadError};

use crate::content::Content;
use crate::engine::{self, Engine, Kind, Sizes};
use crate::lane::{Lane, Places, Sweep};
use crate::plan::{ActStoragePlan, ArrivalProcess};
use crate::rates;
use crate::shared::{Ending, Shared};
use crate::target::Target;
use crate::worker::{Rules, Worker};

/// The kernel may be this late with a wake-up to save power; 50 µs by default.
const TIMER_SLACK_NS: u64 = 1;
/// One thread is given this many operations per second before there is a second one.
const OPERATIONS_PER_S_AND_THREAD: f64 = 150_000.0;
/// Smallest unit where there is no device to ask.
const USUAL_UNIT_BYTES: u32 = 512;

/// One kind of operation on one device, before there are threads.
#[derive(Debug, Clone)]
struct Stream {
    kind: Kind,
    device: u16,
    operation: OperationPlan,
    /// Place in the book.
    place: usize,
    parts: u64,
}

/// A prepared run.
pub struct ActWorkload {
    plan: ActStoragePlan,
    targets: Vec<Target>,
    streams: Vec<Stream>,
    book: Book,
    threads: usize,
    ticks_per_histogram: u64,
    duration_ns: u64,
    /// Time is moved on by those who wait for it.
    without_waiting: bool,
}

impl ActWorkload {
    /// A run of a resolved plan over what was prepared; the null engine needs no targets.
    pub fn new(
        plan: ActStoragePlan,
        targets: Vec<Target>,
        duration: Duration,
        ticks_per_histogram: u64,
    ) -> Result<Self, WorkloadError> {
        let devices = plan.device_count();
        let rates = rates::rates(&plan, devices)?;
        let all_per_s: f64 = [rates.read, rates.large_block_read, rates.large_block_write, rates.write]
            .iter()
            .flatten()
            .map(|rate| rate.as_per_second() * devices as f64)
            .sum();
        let threads = plan.threads.map_or_else(|| threads_for(all_per_s, plan.sq_poll), usize::from);
        let (mut streams, mut book) = (Vec::new(), Book::default());
        for kind in Kind::ALL {
            let rate = match kind {
                Kind::Read => rates.read,
                Kind::LargeBlockRead => rates.large_block_read,
                Kind::LargeBlockWrite => rates.large_block_write,
                Kind::Write => rates.write,
                Kind::Sweep => None,
            };
            if rate.is_none() && !(kind == Kind::Sweep && plan.tomb_raider) {
                continue;
            }
            let operation = |device: Option<usize>| {
                // Lanes of one kind begin evenly spread over a period; kinds are shifted against each other.
                let phase = |place: usize| u8::try_from(place % 255).unwrap_or(0);
                let of = phase(3 * devices).max(1);
                let schedule = rate.map(|rate| match (plan.arrivals, device) {
                    (ArrivalProcess::Constant, Some(device)) => {
                        Schedule::new(rate, phase((3 * device + kind as usize % 3) % usize::from(of)), of).into()
                    }
                    (ArrivalProcess::Poisson, Some(device)) => Arrivals::Poisson {
                        rate_per_s: rate.as_per_second(),
                        seed: plan.seed,
                        stream: (device as u64 * 8 + kind as u64) << 10,
                    },
                    // Of all devices: only its rate is asked for.
                    (_, None) => Arrivals::Poisson {
                        rate_per_s: rate.as_per_second() * devices as f64,
                        seed: plan.seed,
                        stream: 0,
                    },
                });
                OperationPlan {
                    operation: kind.operation().into(),
                    device: device.map(|device| plan.paths()[device].display().to_string()),
                    schedule,
                    clocks: if kind == Kind::Sweep {
                        vec![Clock::Service]
                    } else {
                        vec![Clock::Response, Clock::Service]
                    },
                    pin_thresholds_ns: plan.limits_ns.clone(),
                }
            };
            let total = (devices > 1).then(|| book.add(operation(None), 1, None));
            for device in 0..devices {
                let operation = operation(Some(device));
                let split = threads > devices && matches!(kind, Kind::Read | Kind::Write);
                let parts = if split { threads } else { 1 };
                let place = book.add(operation.clone(), parts, total);
                let device = u16::try_from(device).unwrap_or(u16::MAX);
                streams.push(Stream { kind, device, operation, place, parts: parts as u64 });
            }
        }
        let duration_ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        Ok(Self { plan, targets, streams, book, threads, ticks_per_histogram, duration_ns, without_waiting: false })
    }

    /// The same run over a clock that does not wait.
    pub fn without_waiting(mut self) -> Self {
        self.without_waiting = true;
        self
    }

    fn places(&self, kind: Kind, device: u16) -> Places {
        let target = self.targets.get(usize::from(device));
        let span_bytes = target.map_or(self.plan.size_bytes(), |target| target.span_bytes);
        Places::of(kind, &self.plan, span_bytes, target.map_or(USUAL_UNIT_BYTES, |target| target.unit_bytes))
    }

    fn sizes(&self) -> Sizes {
        let per_s = |kind: Kind| {
            let rates = self.streams.iter().filter(|stream| stream.kind == kind);
            rates.filter_map(|stream| stream.operation.schedule).map(|schedule| schedule.rate_per_s()).sum::<f64>()
                / self.threads as f64
        };
        // What is due in 32 ms. More than that waits for room, with its intended time: the kernel pins the memory of
        // everything that may be under way, so plenty of room would be paid for by every run.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then is clamped")]
        let at_once = |per_s: f64, least: u32, most: u32| ((per_s * 0.032) as u32).clamp(least, most);
        let records = per_s(Kind::Read) + per_s(Kind::Write);
        let large = per_s(Kind::LargeBlockRead).max(per_s(Kind::LargeBlockWrite));
        let devices = self.plan.device_count();
        let largest = (0..devices)
            .map(|device| self.places(Kind::Read, u16::try_from(device).unwrap_or(u16::MAX)).largest_bytes());
        Sizes {
            record_bytes: largest.max().unwrap_or(self.plan.record_bytes),
            large_block_bytes: self.plan.large_block_bytes,
            records_at_once: at_once(records, 128, 8192),
            large_blocks_at_once: at_once(large, 8, 256),
            sync_writes: self.plan.sync_writes,
            polling: self.plan.polling().unwrap_or_default(),
            content: Content { seed: self.plan.seed, random_pct: self.plan.compress_pct },
            seed: self.plan.seed,
        }
    }

    fn rules(&self) -> Rules {
        let paths = self.plan.paths().into_iter().enumerate();
        Rules {
            seed: self.plan.seed,
            largest_lateness_ns: (self.plan.max_lag_s > 0).then(|| u64::from(self.plan.max_lag_s) * 1_000_000_000),
            timeout_ns: u64::from(self.plan.io_timeout_s) * 1_000_000_000,
            devices: paths
                .map(|(at, path)| {
                    (path.display().to_string(), self.targets.get(at).and_then(|target| target.presence.clone()))
                })
                .collect(),
        }
    }

    /// The lanes of one thread; in a ramp their arrivals rise for so long.
    fn lanes(&self, worker: usize, ramp_ns: Option<u64>) -> Vec<Lane> {
        let mut lanes = Vec::new();
        for stream in &self.streams {
            let own = usize::from(stream.device) % self.threads == worker;
            let part = match (stream.parts, own) {
                (1, true) => 0,
                (1, false) => continue,
                _ => worker as u64,
            };
            let arrivals = stream.operation.schedule.map(|arrivals| arrivals.part(part, stream.parts));
            let arrivals = arrivals.map(|arrivals| ramp_ns.map_or(arrivals, |ramp_ns| arrivals.ramp(ramp_ns)));
            let operation = OperationPlan { schedule: arrivals, ..stream.operation.clone() };
            let cursor = arrivals.map(Arrivals::cursor);
            let first_series_no = self.book.entries()[stream.place].first_series_no;
            lanes.push(Lane {
                kind: stream.kind,
                device: stream.device,
                recorder: Recorder::new(operation, first_series_no, self.ticks_per_histogram, self.duration_ns),
                next_ns: cursor.as_ref().map_or(0, measure::arrivals::Cursor::next_ns),
                cursor,
                sweep: (stream.kind == Kind::Sweep)
                    .then(|| Sweep { sleep_ns: u64::from(self.plan.tomb_raider_sleep_us) * 1_000 }),
                places: self.places(stream.kind, stream.device),
                part,
                parts: stream.parts,
                next: 0,
                in_flight: 0,
            });
        }
        lanes
    }

    fn open(&self) -> Result<Box<dyn Engine>, WorkloadError> {
        let files: Vec<&std::fs::File> = self.targets.iter().map(|target| &target.file).collect();
        engine::open(self.plan.engine, &files, self.sizes())
    }

    /// Runs over `engine` with `time`, whose offset 0 is now.
    #[cfg(test)]
    pub(crate) fn measure(
        &self,
        engine: &mut dyn Engine,
        time: Arc<dyn TimeSource>,
        reporter: &Reporter,
        stop: &StopFlag,
    ) -> Result<Outcome, WorkloadError> {
        engine.start(time.clone());
        let shared = Shared::new(time, stop, 1, self.duration_ns);
        Worker::new(self.lanes(0, None), engine, &shared, Some(reporter), &self.rules()).run()?;
        outcome(&shared)
    }

    /// One thread for each engine; all begin at the same moment.
    fn run_threads(&self, reporter: &Reporter, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        let failure: Mutex<Option<WorkloadError>> = Mutex::new(None);
        let (barrier, rules) = (Barrier::new(self.threads), self.rules());
        let started = OnceLock::new();
        let all = Meeting { workload: self, barrier: &barrier, started: &started, failure: &failure, rules: &rules };
        thread::scope(|scope| {
            for worker in 1..self.threads {
                let all = &all;
                thread::Builder::new()
                    .name(format!("measure-{worker}"))
                    .spawn_scoped(scope, move || all.work(worker, reporter, stop))
                    .expect("a thread can be started");
            }
            all.work(0, reporter, stop);
        });
        if let Some(error) = failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        started.get().map_or_else(|| Err(WorkloadError("the run did not begin".into())), outcome)
    }
}

/// What the threads of a run meet over before it begins.
struct Meeting<'a> {
    workload: &'a ActWorkload,
    barrier: &'a Barrier,
    started: &'a OnceLock<Shared<'a>>,
    failure: &'a Mutex<Option<WorkloadError>>,
    rules: &'a Rules,
}

impl<'a> Meeting<'a> {
    fn fail(&self, error: WorkloadError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn work(&self, worker: usize, reporter: &Reporter, stop: &'a StopFlag) {
        // Where it is refused, operations begin a little later, which the lateness shows.
        let _ = rustix::thread::set_current_timer_slack(TIMER_SLACK_NS.try_into().ok());
        // A ring belongs to the thread that made it.
        let mut engine = match self.workload.open() {
            Ok(engine) => Some(engine),
            Err(error) => {
                self.fail(error);
                None
            }
        };
        self.barrier.wait();
        if let Some(engine) = engine.as_mut() {
            self.ramp(worker, engine.as_mut(), stop);
        }
        self.barrier.wait();
        let failed = self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let Some(engine) = engine.as_mut().filter(|_| !failed) else { return };
        let workload = self.workload;
        let shared = self.started.get_or_init(|| {
            let time: Arc<dyn TimeSource> = if workload.without_waiting {
                Arc::new(ManualTime::default())
            } else {
                Arc::new(MonotonicTime::start())
            };
            Shared::new(time, stop, workload.threads, workload.duration_ns)
        });
        engine.start(shared.time.clone());
        let lanes = workload.lanes(worker, None);
        if let Err(error) = Worker::new(lanes, engine.as_mut(), shared, Some(reporter), self.rules).run() {
            self.fail(error);
        }
    }

    /// The load rises; nothing is recorded of it.
    fn ramp(&self, worker: usize, engine: &mut dyn Engine, stop: &StopFlag) {
        let ramp_ns = u64::from(self.workload.plan.ramp_s) * 1_000_000_000;
        if ramp_ns == 0 || engine.is_simulated() {
            return;
        }
        let time: Arc<dyn TimeSource> = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let shared = Shared::new(time, stop, self.workload.threads, ramp_ns);
        let lanes = self.workload.lanes(worker, Some(ramp_ns));
        if let Err(error) = Worker::new(lanes, engine, &shared, None, self.rules).run() {
            self.fail(error);
        }
        // What still did not end belongs to no clock of the run.
        engine.give_up(u64::MAX, &mut Vec::new());
        if let Some(Ending::Overloaded(sentence) | Ending::Broken(sentence)) = shared.ending() {
            self.fail(WorkloadError(format!("during the ramp: {sentence}")));
        }
    }
}

/// As few threads as the load needs, and one processor left to everything else; a thread of the kernel that looks for
/// submissions takes a processor too.
fn threads_for(operations_per_s: f64, sq_poll: bool) -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from) / if sq_poll { 2 } else { 1 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then is clamped")]
    let wanted = (operations_per_s / OPERATIONS_PER_S_AND_THREAD).ceil() as usize;
    wanted.clamp(1, processors.saturating_sub(1).max(1))
}

fn outcome(shared: &Shared<'_>) -> Result<Outcome, WorkloadError> {
    let duration_ns = shared.end_ns();
    let reason = match shared.ending() {
        None => None,
        Some(Ending::Stopped) => Some("stopped on request".to_owned()),
        Some(Ending::Overloaded(sentence)) => Some(sentence),
        Some(Ending::Broken(sentence)) => return Err(WorkloadError(sentence)),
    };
    Ok(Outcome { completed: reason.is_none(), reason, duration_ns })
}

impl Workload for ActWorkload {
    fn series(&self, host: &str) -> Vec<SeriesDefinition> {
        self.book.definitions(host)
    }

    fn run(self: Box<Self>, sink: &dyn IntervalSink, stop: &StopFlag) -> Result<Outcome, WorkloadError> {
        with_reporter(&self.book, sink, |reporter| self.run_threads(reporter, stop))
    }
}

#[cfg(test)]
#[path = "act_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "agreement_tests.rs"]
mod agreement_tests;
