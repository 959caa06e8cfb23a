//! From prepared to done: threads that meet before offset 0, and the end of a run.
//!
//! Nothing waits for a thread that has ended: each answers every order, also by a panic, and all threads are
//! ended when an answer is an error.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use measure::clock::{ManualTime, MonotonicTime, TimeSource};
use measure::report::{Reporter, with_reporter};
use measure::series::{Armed, IntervalSink, Outcome, SeriesDefinition, StopFlag, Workload, WorkloadError};
use measure::series_table::SeriesTable;

use crate::session::Session;
use crate::shared::{Ending, Shared};
use crate::target::{Plan, Rules, Target, Warning};
use crate::worker::Worker;

/// The kernel may be this late with a wake-up to save power; 50 µs by default.
const TIMER_SLACK_NS: u64 = 1;

/// A plan and its target, ready to be measured.
pub struct Prepared<P, T> {
    /// What is done.
    pub plan: P,
    /// What it is done to.
    pub target: T,
    /// What is recorded.
    pub series_table: SeriesTable,
    /// When it is given up.
    pub rules: Rules,
    /// Measuring threads, at least one.
    pub threads: usize,
    /// From offset 0 on.
    pub duration_ns: u64,
    /// Before offset 0: the load rises, and nothing is recorded of it.
    pub ramp_ns: u64,
    /// Time is moved on by those who wait for it.
    pub without_waiting: bool,
    /// Of each measuring thread; none: as the system has it.
    pub stack_bytes: Option<usize>,
}

impl<C, P, T> Prepared<P, T>
where
    C: Copy + Send + 'static,
    P: Plan<Command = C>,
    T: Target<Command = C>,
{
    /// Measures on this thread over a session and a clock of one's own, whose offset 0 is now.
    ///
    /// # Errors
    /// As [`Armed::start`].
    pub fn measure(
        &self,
        session: &mut dyn Session<Command = C>,
        time: Arc<dyn TimeSource>,
        reporter: &Reporter,
        stop: &StopFlag,
    ) -> Result<Outcome, WorkloadError> {
        session.start(time.clone());
        let shared = Shared::new(time, stop, 1, self.duration_ns);
        self.stage(0, None, session, &shared, Some(reporter))?;
        outcome(&shared)
    }

    /// One stage of one thread.
    fn stage(
        &self,
        thread: usize,
        ramp_ns: Option<u64>,
        session: &mut dyn Session<Command = C>,
        shared: &Shared,
        reporter: Option<&Reporter>,
    ) -> Result<(), WorkloadError> {
        let lanes = self.plan.lanes(thread, ramp_ns);
        Worker::new(lanes, session, shared, reporter, (&self.target, &self.rules)).run()
    }

    /// The load rises; nothing is recorded of it.
    fn ramp(
        &self,
        thread: usize,
        session: &mut dyn Session<Command = C>,
        shared: &Shared,
    ) -> Result<(), WorkloadError> {
        if session.is_simulated() {
            return Ok(());
        }
        session.start(shared.time.clone());
        self.stage(thread, Some(self.ramp_ns), session, shared, None)?;
        // What still did not end belongs to no clock of the run.
        session.give_up(u64::MAX, &mut Vec::new());
        match shared.ending() {
            Some(Ending::Overloaded(sentence) | Ending::Broken(sentence)) => {
                Err(WorkloadError(format!("during the ramp: {sentence}")))
            }
            Some(Ending::Stopped) | None => Ok(()),
        }
    }

    fn work(&self, thread: usize, orders: &Receiver<Order>, results: Sender<Result<(), WorkloadError>>) {
        // Where it is refused, operations begin a little later, which the lateness shows.
        let _ = rustix::thread::set_current_timer_slack(TIMER_SLACK_NS.try_into().ok());
        let result = ThreadResult { thread, results };
        // A ring belongs to the thread that made it.
        let mut session = match self.target.open(thread) {
            Ok(session) => session,
            Err(error) => return result.send(Err(error)),
        };
        result.send(Ok(()));
        for order in orders {
            let session = session.as_mut();
            result.send(match order {
                Order::Ramp(shared) => self.ramp(thread, session, &shared),
                Order::Start { shared, reporter, at } => {
                    if let Some(at) = at {
                        thread::sleep(at.saturating_duration_since(Instant::now()));
                    }
                    session.start(shared.time.clone());
                    self.stage(thread, None, session, &shared, Some(&reporter))
                }
            });
        }
    }
}

/// The next step of a measuring thread.
enum Order {
    Ramp(Arc<Shared>),
    Start { shared: Arc<Shared>, reporter: Reporter, at: Option<Instant> },
}

/// Sends the results of a thread, and an error when it panics.
struct ThreadResult {
    thread: usize,
    results: Sender<Result<(), WorkloadError>>,
}

impl ThreadResult {
    fn send(&self, result: Result<(), WorkloadError>) {
        // The receiver may be gone; then the answer is not needed.
        let _ = self.results.send(result);
    }
}

impl Drop for ThreadResult {
    fn drop(&mut self) {
        if thread::panicking() {
            self.send(Err(WorkloadError(format!(
                "measuring thread {} ended early; this is a fault of the agent",
                self.thread
            ))));
        }
    }
}

/// The measuring threads of a run.
struct MeasuringThreads {
    orders: Vec<Sender<Order>>,
    results: Receiver<Result<(), WorkloadError>>,
    threads: Vec<JoinHandle<()>>,
}

impl MeasuringThreads {
    /// Starts every thread; each opens its session.
    fn start<C, P, T>(run: &Arc<Prepared<P, T>>) -> Result<Self, WorkloadError>
    where
        C: Copy + Send + 'static,
        P: Plan<Command = C>,
        T: Target<Command = C>,
    {
        let (sender, results) = mpsc::channel();
        let mut crew = Self { orders: Vec::new(), results, threads: Vec::new() };
        for thread in 0..run.threads {
            let (order, orders) = mpsc::channel();
            let (of_thread, sender) = (Arc::clone(run), sender.clone());
            let builder = thread::Builder::new().name(format!("measure-{thread}"));
            let builder = match run.stack_bytes {
                Some(bytes) => builder.stack_size(bytes),
                None => builder,
            };
            let started = builder.spawn(move || of_thread.work(thread, &orders, sender)).map_err(|error| {
                WorkloadError(format!(
                    "measuring thread {} of {} cannot be started: {error}; choose fewer threads, or raise the limit of \
                     processes (ulimit -u)",
                    thread + 1,
                    run.threads
                ))
            })?;
            crew.threads.push(started);
            crew.orders.push(order);
        }
        crew.answers()?;
        Ok(crew)
    }

    /// Gives the same order to all and waits for their answers; the first error counts.
    fn order(&self, order: impl Fn() -> Order) -> Result<(), WorkloadError> {
        for thread in &self.orders {
            // A thread that is gone has answered with an error before.
            let _ = thread.send(order());
        }
        self.answers()
    }

    fn answers(&self) -> Result<(), WorkloadError> {
        let gone = || WorkloadError("a measuring thread ended early".into());
        let answers: Vec<_> =
            self.threads.iter().map(|_| self.results.recv().unwrap_or_else(|_| Err(gone()))).collect();
        answers.into_iter().collect()
    }
}

impl Drop for MeasuringThreads {
    fn drop(&mut self) {
        self.orders.clear();
        for thread in self.threads.drain(..) {
            // Its result was sent before.
            let _ = thread.join();
        }
    }
}

/// Threads with open sessions that wait for offset 0.
struct Waiting<P, T: Target> {
    run: Arc<Prepared<P, T>>,
    /// None once they were started.
    crew: Option<MeasuringThreads>,
}

impl<P, T: Target> Drop for Waiting<P, T> {
    /// Removes the preparations of a run that never started.
    fn drop(&mut self) {
        if self.crew.take().is_some() {
            let _ = self.run.target.finish();
        }
    }
}

impl<C, P, T> Workload for Prepared<P, T>
where
    C: Copy + Send + 'static,
    P: Plan<Command = C>,
    T: Target<Command = C>,
{
    fn series(&self, host: &str) -> Vec<SeriesDefinition> {
        self.series_table.definitions(host)
    }

    fn arm(self: Box<Self>, stop: &StopFlag) -> Result<Box<dyn Armed>, WorkloadError> {
        let run = Arc::new(*self);
        let armed = MeasuringThreads::start(&run).and_then(|crew| {
            if run.ramp_ns > 0 {
                let time = Arc::new(MonotonicTime::start());
                let shared = Arc::new(Shared::new(time, stop, run.threads, run.ramp_ns));
                crew.order(|| Order::Ramp(Arc::clone(&shared)))?;
            }
            Ok(crew)
        });
        match armed {
            Ok(crew) => Ok(Box::new(Waiting { run, crew: Some(crew) })),
            Err(error) => {
                // The first error is reported.
                let _ = run.target.finish();
                Err(error)
            }
        }
    }
}

impl<C, P, T> Armed for Waiting<P, T>
where
    C: Copy + Send + 'static,
    P: Plan<Command = C>,
    T: Target<Command = C>,
{
    fn start(
        mut self: Box<Self>,
        at: MonotonicTime,
        sink: &dyn IntervalSink,
        stop: &StopFlag,
    ) -> Result<Outcome, WorkloadError> {
        let Some(crew) = self.crew.take() else { return Err(WorkloadError("the run was started before".into())) };
        let run = &self.run;
        let (time, at): (Arc<dyn TimeSource>, _) = if run.without_waiting {
            (Arc::new(ManualTime::default()), None)
        } else {
            (Arc::new(at), Some(at.origin()))
        };
        let shared = Arc::new(Shared::new(time, stop, run.threads, run.duration_ns));
        let measured = with_reporter(&run.series_table, sink, |reporter| {
            crew.order(|| Order::Start { shared: Arc::clone(&shared), reporter: reporter.clone(), at })
        });
        // Sessions are closed before what they used is taken away.
        drop(crew);
        let finished = run.target.finish();
        measured.and_then(|result| result)?;
        let mut outcome = outcome(&shared)?;
        if let Err(Warning(warning)) = finished {
            let reasons = outcome.reason.take().into_iter().chain([warning]);
            outcome.reason = Some(reasons.collect::<Vec<_>>().join("; "));
        }
        Ok(outcome)
    }
}

fn outcome(shared: &Shared) -> Result<Outcome, WorkloadError> {
    let duration_ns = shared.end_ns();
    let reason = match shared.ending() {
        None => None,
        Some(Ending::Stopped) => Some("stopped on request".to_owned()),
        Some(Ending::Overloaded(sentence)) => Some(sentence),
        Some(Ending::Broken(sentence)) => return Err(WorkloadError(sentence)),
    };
    Ok(Outcome { completed: reason.is_none(), reason, duration_ns })
}

#[cfg(test)]
#[path = "armed_tests.rs"]
mod tests;
