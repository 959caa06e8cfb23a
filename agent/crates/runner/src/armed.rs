//! Execution of a prepared run: measuring threads that start together at offset 0, and the end of the run.
//!
//! Waiting for a thread cannot block forever: each thread answers every order, even if it panics, and all threads are ended when an
//! answer is an error.

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

/// Timer slack: by how much the kernel may delay a wake-up to save power. The kernel's default is 50 µs.
const TIMER_SLACK_NS: u64 = 1;

/// A plan and its target, ready to be measured.
pub struct Prepared<P, T> {
    pub plan: P,
    /// The system under test.
    pub target: T,
    /// Operations to record, with their series.
    pub series_table: SeriesTable,
    /// Limits at which the run or a command is given up.
    pub rules: Rules,
    /// Number of measuring threads, at least one.
    pub threads: usize,
    /// Length of the run from offset 0, in nanoseconds.
    pub duration_ns: u64,
    /// Length of the ramp before offset 0 in nanoseconds, during which the load rises and nothing is recorded.
    pub ramp_ns: u64,
    /// Whether to use a simulated clock that advances instead of waiting.
    pub without_waiting: bool,
    /// Stack size of each measuring thread in bytes, to test that a thread cannot be started.
    #[cfg(test)]
    pub stack_bytes: Option<usize>,
}

impl<C, P, T> Prepared<P, T>
where
    C: Copy + Send + 'static,
    P: Plan<Command = C>,
    T: Target<Command = C>,
{
    /// Measures on the calling thread with the given session and clock, whose offset 0 is now.
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

    /// Runs one stage, the ramp or the measurement, on one thread.
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

    /// Runs the ramp, during which the load rises and nothing is recorded.
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
        // Operations still under way have no place on the clock of the run.
        session.give_up(u64::MAX, &mut Vec::new());
        match shared.ending() {
            Some(Ending::Overloaded(sentence) | Ending::Broken(sentence)) => {
                Err(WorkloadError(format!("during the ramp: {sentence}")))
            }
            Some(Ending::Stopped) | None => Ok(()),
        }
    }

    fn work(&self, thread: usize, orders: &Receiver<Order>, results: Sender<Result<(), WorkloadError>>) {
        // If this is refused, operations begin a little later, which shows in their lateness.
        let _ = rustix::thread::set_current_timer_slack(TIMER_SLACK_NS.try_into().ok());
        let result = ThreadResult { thread, results };
        // An `io_uring` belongs to the thread that created it.
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

/// An order for a measuring thread.
enum Order {
    Ramp(Arc<Shared>),
    Start { shared: Arc<Shared>, reporter: Reporter, at: Option<Instant> },
}

/// Sends the results of a thread, and an error if the thread panics.
struct ThreadResult {
    thread: usize,
    results: Sender<Result<(), WorkloadError>>,
}

impl ThreadResult {
    fn send(&self, result: Result<(), WorkloadError>) {
        // If the receiver is gone, the result is no longer needed.
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

struct MeasuringThreads {
    orders: Vec<Sender<Order>>,
    results: Receiver<Result<(), WorkloadError>>,
    threads: Vec<JoinHandle<()>>,
}

impl MeasuringThreads {
    /// Starts the threads and waits until each has opened its session.
    fn start<C, P, T>(run: &Arc<Prepared<P, T>>) -> Result<Self, WorkloadError>
    where
        C: Copy + Send + 'static,
        P: Plan<Command = C>,
        T: Target<Command = C>,
    {
        let (sender, results) = mpsc::channel();
        let mut threads = Self { orders: Vec::new(), results, threads: Vec::new() };
        for thread in 0..run.threads {
            let (order, orders) = mpsc::channel();
            let (of_thread, sender) = (Arc::clone(run), sender.clone());
            let builder = thread::Builder::new().name(format!("measure-{thread}"));
            #[cfg(test)]
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
            threads.threads.push(started);
            threads.orders.push(order);
        }
        threads.answers()?;
        Ok(threads)
    }

    /// Sends an order to all threads and waits for their answers; returns the first error.
    fn order(&self, order: impl Fn() -> Order) -> Result<(), WorkloadError> {
        for thread in &self.orders {
            // A thread that has ended has already answered with an error.
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
            // Its result was sent before it ended.
            let _ = thread.join();
        }
    }
}

/// An armed run: threads with open sessions that wait for offset 0.
struct Waiting<P, T: Target> {
    run: Arc<Prepared<P, T>>,
    /// The threads; `None` once they were started.
    threads: Option<MeasuringThreads>,
}

impl<P, T: Target> Drop for Waiting<P, T> {
    /// Removes the preparations of a run that was not started.
    fn drop(&mut self) {
        if self.threads.take().is_some() {
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
        let armed = MeasuringThreads::start(&run).and_then(|threads| {
            if run.ramp_ns > 0 {
                let time = Arc::new(MonotonicTime::start());
                let shared = Arc::new(Shared::new(time, stop, run.threads, run.ramp_ns));
                threads.order(|| Order::Ramp(Arc::clone(&shared)))?;
            }
            Ok(threads)
        });
        match armed {
            Ok(threads) => Ok(Box::new(Waiting { run, threads: Some(threads) })),
            Err(error) => {
                // The first error is the one to report.
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
        let Some(threads) = self.threads.take() else { return Err(WorkloadError("the run was started before".into())) };
        let run = &self.run;
        let (time, at): (Arc<dyn TimeSource>, _) = if run.without_waiting {
            (Arc::new(ManualTime::default()), None)
        } else {
            (Arc::new(at), Some(at.origin()))
        };
        let shared = Arc::new(Shared::new(time, stop, run.threads, run.duration_ns));
        let measured = with_reporter(&run.series_table, sink, |reporter| {
            threads.order(|| Order::Start { shared: Arc::clone(&shared), reporter: reporter.clone(), at })
        });
        // Sessions must be closed before the files and keys that they use are removed.
        drop(threads);
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
