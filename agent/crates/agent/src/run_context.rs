//! The life of a run: prepare, announce, measure, send, finish.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, never, select};
use measure::clock::{Start, unix_time, whole_ns};
use measure::series::{
    Armed, Interval, IntervalSink, Progress, SeriesDefinition, SeriesKind, Slice, StopFlag, WorkloadError,
};
use wire::messages::{Announcement, Finish, RunId, RunOutcome};
use wire::session::End;
use wire::spool::RunSpool;

use crate::barrier::Barrier;
use crate::cli::{OutputArgs, ProgressKind, RunArgs};
use crate::conclusion::{Ended, finish_of, undelivered};
use crate::delivery::{Delivery, Sent};
use crate::display::Display;
use crate::drive_counters::DriveCounters;
use crate::events::Event;
use crate::failure::Failure;
use crate::inventory;
use crate::lock::locked;
use crate::offset_zero;
use crate::plan::{Measurable, RunFacts};
use crate::result_file::ResultFile;
use crate::state_folder::spool_folder;
use crate::stop::{Cause, Stop, on_signals};
use crate::summary::{Summary, Totals};
use crate::temperature::Thermometer;
use crate::transport::Transport;
use crate::verdicts;

/// Reason of a probe that ended early because its verdict was certain.
const CERTAIN: &str = "ended early: more operations are late than may be of the whole probe";
const TIMEOUT_AFTER_SIGNAL: Duration = Duration::from_millis(1500);

/// Shared state of runs that are measured one after another.
pub struct RunContext<'a> {
    output: &'a OutputArgs,
    transport: Option<Arc<Transport>>,
    spool_folder: PathBuf,
    stop: Arc<Stop>,
    signals: Receiver<Instant>,
    delivered: Mutex<Vec<(RunId, String)>>,
    /// Why not everything is delivered, if so.
    undelivered: Mutex<Option<String>>,
    /// Whether the runs are probes of a search, whose result is a table.
    is_search: bool,
    /// Barrier at which runs of a campaign wait for the other agents.
    pub barrier: Option<Barrier<'a>>,
    /// Output for events, notes and answers.
    pub display: Display,
}

impl<'a> RunContext<'a> {
    /// Opens a run context with the transport, spool and display that the arguments name.
    pub fn open(output: &'a OutputArgs) -> Result<Self, Failure> {
        let transport = Transport::from_args(&output.backend)?.map(Arc::new);
        let spool_folder = spool_folder(&output.spool)?;
        let (stop, signals) = on_signals()?;
        let display = Display::begin(output.progress()).map_err(|error| Failure::no_thread(&error))?;
        Ok(Self {
            output,
            transport,
            spool_folder,
            stop,
            signals,
            delivered: Mutex::default(),
            undelivered: Mutex::default(),
            is_search: false,
            barrier: None,
            display,
        })
    }

    /// Opens a run context for a plan, which may be that of a campaign.
    pub fn of_plan(args: &'a RunArgs) -> Result<Self, Failure> {
        let mut context = Self::open(&args.output)?;
        if args.campaign.campaign.is_some() {
            let (stop, display) = (context.stop(), context.display.clone());
            context.barrier = Some(Barrier::on_standard_input(&args.campaign, stop, display)?);
        }
        Ok(context)
    }

    pub fn of_search(args: &'a RunArgs) -> Result<Self, Failure> {
        Ok(Self { is_search: true, ..Self::of_plan(args)? })
    }

    /// Measures a plan to its end and delivers it. `result` is the path of the result file. An incomplete delivery is no error here:
    /// the run is in the spool, and [`Self::end`] fails.
    pub fn measure(
        &self,
        plan: &dyn Measurable,
        run_id: Option<RunId>,
        result: Option<&Path>,
    ) -> Result<Ended, Failure> {
        let result_file = result.map(ResultFile::create).transpose().map_err(Failure::Usage)?;
        let (last, totals) = (Mutex::default(), Mutex::default());
        let stop = self.stop.flag.of_part();
        Run { context: self, plan, facts: plan.facts(), stop, result_file, last, totals }
            .execute(run_id.unwrap_or_default())
    }

    /// Returns whether the next phase of a plan follows a run. It does not after a stop, but an incomplete delivery delays nothing.
    pub fn continues_after(&self, phase: &str, ended: Ended) -> Result<bool, Failure> {
        match ended.finish.outcome {
            _ if !ended.is_delivered => Ok(!self.is_stopped()),
            RunOutcome::Completed => Ok(true),
            _ if self.is_stopped() => Ok(false),
            _ => {
                let reason = ended.finish.reason.unwrap_or_default();
                Err(Failure::Workload(format!("phase {phase} ended early: {reason}")))
            }
        }
    }

    /// Shows the backend's verdicts on the delivered runs. With `--json` none are shown: programs ask the backend themselves.
    fn show_verdicts(&self) {
        let runs = std::mem::take(&mut *locked(&self.delivered));
        if let Some(transport) = &self.transport
            && self.output.progress() != ProgressKind::Json
        {
            self.display.answer(verdicts::lines_of(transport, &runs, || self.is_stopped()));
        }
    }

    /// Ends a command as [`Self::end`] does, after it showed the verdicts.
    pub fn conclude(&self, result: Result<(), Failure>) -> Result<(), Failure> {
        self.show_verdicts();
        self.end(result)
    }

    /// Ends a command: prints what is not printed yet. Fails if `result` is a failure, or if not everything is delivered.
    pub fn end(&self, result: Result<(), Failure>) -> Result<(), Failure> {
        self.display.flush();
        result?;
        let undelivered = locked(&self.undelivered).take();
        undelivered.map_or(Ok(()), |sentence| Err(Failure::Undelivered(sentence)))
    }

    pub fn stop(&self) -> Arc<Stop> {
        Arc::clone(&self.stop)
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.flag.is_stopped()
    }
}

struct Run<'a> {
    context: &'a RunContext<'a>,
    plan: &'a dyn Measurable,
    facts: RunFacts,
    /// Stops this run; also set when the run context is stopped.
    stop: StopFlag,
    result_file: Option<ResultFile>,
    last: Mutex<BTreeMap<String, Progress>>,
    totals: Mutex<Totals>,
}

impl Run<'_> {
    fn execute(self, run_id: RunId) -> Result<Ended, Failure> {
        let notify = |sentence: &str| {
            self.context.display.event(Event::Preparing { run_id, text: sentence.to_owned() });
            self.context.display.note(sentence);
        };
        let paths: Vec<&Path> =
            self.facts.paths.iter().map(PathBuf::as_path).chain([self.context.spool_folder.as_path()]).collect();
        let host = inventory::inventory(&paths);
        let workload = self.plan.prepare(&notify, &self.stop)?;
        let prepared_at = unix_time();
        // The start is unknown before the measurement, so the time of the preparation is announced first.
        let announcement = Announcement {
            run_id,
            title: self.facts.title.clone(),
            workload: self.facts.workload,
            started_at_unix_ns: whole_ns(prepared_at),
            started_at_uncertainty_ns: None,
            planned_duration_ns: self.facts.duration_ns,
            agent: inventory::agent_version(),
            host,
            plan: self.facts.disclosed.clone(),
        };
        let series = workload.series(&inventory::hostname());
        let limit_bytes = self.context.output.spool_limit_mib.saturating_mul(1 << 20);
        let is_offline = self.context.transport.is_none() && !self.context.output.send_later;
        let mut spool = RunSpool::create(&self.context.spool_folder, &announcement, &series, limit_bytes, is_offline)
            .map_err(|error| Failure::Usage(format!("spool: {error}")))?;
        let every = Duration::from_secs(self.context.output.drive_counters_every_s);
        let counters = DriveCounters::arm(self.facts.measured_paths(), every);
        let ready: Result<_, WorkloadError> = self.plan.agreed_start(run_id).and_then(|agreed| {
            let armed = workload.arm(&self.stop)?;
            let start = match agreed {
                Some(start) => offset_zero::store_agreed(&mut spool, start)?,
                None => offset_zero::choose(&mut spool)?,
            };
            Ok((armed, start))
        });
        let (armed, start) = match ready {
            Ok(armed) => armed,
            Err(error) => {
                // Nothing was measured or sent; a drain must not report a run that never started.
                if let Err(problem) = spool.delete() {
                    self.context.display.problem(format!("spool: {problem}"));
                }
                return Err(error.into());
            }
        };
        let spool = Arc::new(spool);
        *locked(&self.totals) = Totals::new(&series, self.plan.objective());
        self.keep(|file| file.begin(&spool.announcement, &series));
        let delivery = self.context.transport.as_ref().map(|transport| {
            Delivery::begin(
                Arc::clone(&spool),
                Arc::clone(transport),
                self.context.display.clone(),
                Arc::clone(&self.context.stop),
                Duration::from_secs(self.context.output.send_every_s),
            )
        });
        let delivery = delivery.transpose().map_err(|error| Failure::no_thread(&error))?;
        self.context.display.event(Event::Started { run_id });
        let simulated = if self.facts.is_simulated { " (latencies are computed, not measured)" } else { "" };
        self.context.display.note(format!("run {run_id} has begun: {}{simulated}", self.facts.title));

        if let Some(counters) = &counters {
            counters.started(start.time.origin(), Duration::from_nanos(self.facts.duration_ns), &spool);
        }
        let mut finish = self.measure(armed, start, &series, &spool, delivery.as_ref());
        finish.drive_counters = counters.map(DriveCounters::drained).or_else(|| self.plan.counters_of_model());
        let answer = locked(&self.totals).objective();
        finish.search_ended = self.plan.probe().and_then(|probe| probe.search_end(&finish, answer.as_ref()));
        if let Err(error) = spool.write_finish(&finish) {
            self.context.display.problem(format!("spool: {error}; a later drain would report the run as interrupted"));
        }
        self.keep(|file| file.finish(&finish));
        let sent = delivery.and_then(|delivery| self.deliver(&delivery, finish.clone()));
        let is_delivered = self.conclude(&spool, &finish, sent.as_ref())?;
        let totals = locked(&self.totals);
        let (is_unreliable, operations) = (totals.is_unreliable(), totals.operations(finish.duration_ns));
        let last = std::mem::take(&mut *locked(&self.last));
        Ok(Ended { finish, last, operations, is_unreliable, objective: answer, is_delivered })
    }

    /// Returns whether this is a probe that fails whatever the rest of it shows.
    fn is_certain(&self) -> bool {
        self.plan.probe().is_some_and(|probe| !probe.is_part)
            && locked(&self.totals).fails_for_certain(self.facts.duration_ns)
    }

    /// Writes to the result file, if there is one. A failure is printed and has no other effect.
    fn keep(&self, write: impl FnOnce(&ResultFile) -> Result<(), String>) {
        if let Some(Err(sentence)) = self.result_file.as_ref().map(write) {
            self.context.display.problem(sentence);
        }
    }

    fn measure(
        &self,
        armed: Box<dyn Armed>,
        start: Start,
        series: &[SeriesDefinition],
        spool: &RunSpool,
        delivery: Option<&Delivery>,
    ) -> Finish {
        let ticks = series.iter().filter(|series| series.kind == SeriesKind::Tick);
        let sink = Sink {
            run: self,
            spool,
            delivery,
            has_reported_thinning: AtomicBool::new(false),
            thermometer: Thermometer::begin(self.facts.measured_paths()),
            tick_devices: ticks.map(|series| (series.series_no, series.device.clone())).collect(),
        };
        let result = armed.start(start.time, &sink, &self.stop);
        let mut finish = finish_of(result, self.context.stop.cause(), spool);
        if finish.outcome == RunOutcome::Stopped && !self.context.is_stopped() && self.is_certain() {
            (finish.outcome, finish.reason) = (RunOutcome::Completed, Some(CERTAIN.to_owned()));
        }
        // Which slices are unreliable depends on the question, so the backend judges that from the facts in the intervals.
        if let Some(sentence) = locked(&self.totals).unreliable_slices() {
            self.context.display.problem(sentence);
        }
        if let Some(sentence) = spool.thinned() {
            self.context.display.problem(sentence.clone());
            finish.reason = Some(finish.reason.into_iter().chain([sentence]).collect::<Vec<_>>().join("; "));
        }
        finish
    }

    /// Waits until everything is sent, the timeout for the backend ends, or a signal shortens the wait.
    fn deliver(&self, delivery: &Delivery, finish: Finish) -> Option<Sent> {
        delivery.ended(finish, Duration::from_secs(self.context.output.deliver_wait_s));
        let signalled = matches!(self.context.stop.cause(), Some(Cause::Signal(_)));
        let deadline = if signalled { after(TIMEOUT_AFTER_SIGNAL) } else { never() };
        // Discards the signals that ended the workload; the next signal ends the delivery.
        while self.context.signals.try_recv().is_ok() {}
        select! {
            recv(delivery.sent) -> sent => sent.ok(),
            recv(self.context.signals) -> _ => delivery.sent.recv_timeout(TIMEOUT_AFTER_SIGNAL).ok(),
            recv(deadline) -> _ => None,
        }
    }

    /// Shows the summary and returns whether everything is delivered, or where it was asked to be.
    fn conclude(&self, spool: &RunSpool, finish: &Finish, sent: Option<&Sent>) -> Result<bool, Failure> {
        let delivered = sent == Some(&Sent::Done(End::Delivered));
        let whole_file = self.result_file.as_ref().filter(|file| file.is_whole());
        let run_id = spool.announcement.run_id;
        let transport = self.context.transport.as_ref();
        let page = transport.map(|transport| format!("{}/runs/{run_id}", transport.base_url));
        let summary = Summary {
            page: page.filter(|_| delivered),
            result: whole_file.map(|file| file.path.display().to_string()),
            ..locked(&self.totals).summary((run_id, &self.facts.title), finish)
        };
        if let (RunOutcome::Completed, Some(warning)) = (finish.outcome, &finish.reason) {
            self.context.display.problem(warning);
        }
        match self.plan.objective() {
            // The search shows the run as a row of its table.
            Some(_) => self.context.display.event(Event::Summary(summary)),
            None => self.context.display.summary(summary),
        }
        if delivered {
            let mut runs = locked(&self.context.delivered);
            runs.push((run_id, self.facts.title.clone()));
        }
        let (outcome, reason) = (finish.outcome, finish.reason.clone());
        self.context.display.event(Event::Finished { outcome, reason, delivered });
        let is_offline = self.context.transport.is_none();
        let is_sent_later = is_offline && self.context.output.send_later;
        // Without a backend, the result file is enough; for a search without a result file, its table is.
        let is_shown = self.context.is_search && self.result_file.is_none() && !is_sent_later;
        let is_saved = delivered || is_offline && (whole_file.is_some() || is_shown);
        if is_saved
            && !is_sent_later
            && let Err(error) = spool.delete()
        {
            let reason = if delivered { "the backend has everything" } else { "nothing of it is needed any more" };
            self.context.display.problem(format!("spool: {error}; {reason}, the folder can be deleted"));
        }
        if finish.outcome == RunOutcome::Failed {
            return Err(Failure::Workload(format!("the run failed: {}", finish.reason.clone().unwrap_or_default())));
        }
        if !is_saved {
            let mut reason = locked(&self.context.undelivered);
            *reason = Some(undelivered(spool, sent, is_offline));
        }
        Ok(is_saved)
    }
}

/// Receiver of intervals: writes them to the spool, then notifies the delivery.
struct Sink<'a> {
    run: &'a Run<'a>,
    spool: &'a RunSpool,
    delivery: Option<&'a Delivery>,
    has_reported_thinning: AtomicBool,
    thermometer: Thermometer,
    tick_devices: BTreeMap<u16, Option<String>>,
}

impl IntervalSink for Sink<'_> {
    fn intervals(&self, mut intervals: Vec<Interval>) {
        for interval in &mut intervals {
            if let Some(device) = self.tick_devices.get(&interval.series_no) {
                interval.temperature_millicelsius = self.thermometer.millicelsius(device.as_deref());
            }
        }
        locked(&self.run.totals).add(&intervals);
        if self.run.is_certain() {
            self.run.stop.stop();
        }
        let RunContext { stop, display, .. } = self.run.context;
        match self.spool.append(&intervals) {
            // Only intervals that the spool accepted, so that file and spool hold the same.
            Ok(()) => self.run.keep(|file| file.append(intervals)),
            Err(error) => {
                if !stop.flag.is_stopped() {
                    display.problem(format!("spool: {error}; the run ends here"));
                }
                stop.because(Cause::Spool(error.to_string()));
            }
        }
        if self.spool.omitted_ticks() > 0 && !self.has_reported_thinning.swap(true, Ordering::Relaxed) {
            display.problem("the spool is nearly full: the oldest unsent live ticks are left out, histograms are kept");
            display.event(Event::SpoolNearlyFull);
        }
        if let Some(delivery) = self.delivery {
            delivery.more();
        }
    }

    fn slice(&self, slice: Slice) {
        if !slice.doubts.is_empty() {
            self.run.context.display.event(Event::DoubtfulSlice(slice.clone()));
        }
        locked(&self.run.totals).add_slice(slice);
    }

    fn progress(&self, progress: Progress) {
        let mut last = locked(&self.run.last);
        last.insert(progress.operation.clone(), progress.clone());
        drop(last);
        let temperature_c = self.thermometer.millicelsius(None).map(|milli| milli as f64 / 1_000.0);
        self.run.context.display.progress(progress, self.spool.totals().unsent, temperature_c);
    }
}
