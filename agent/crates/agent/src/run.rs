//! `tailroom-agent run`: prepare, announce, measure, send, finish.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, after, never, select};
use measure::series::{Interval, IntervalSink, Outcome, Progress, SeriesKind, Slice, Workload, WorkloadError};
use serde_json::json;
use wire::messages::{Announcement, Finish, RunId, RunOutcome};
use wire::session::{End, Link};
use wire::spool::RunSpool;

use crate::cli::{OutputArgs, RunArgs, SpoolArgs};
use crate::courier::{Courier, Sent};
use crate::display::Display;
use crate::failure::Failure;
use crate::inventory;
use crate::plan::Plan;
use crate::result_file::ResultFile;
use crate::stop::{Cause, Stop, on_signals};
use crate::temperature::Thermometer;
use crate::transport::Transport;
use crate::version;

/// After a signal, what is left is sent for at most this long.
const PATIENCE_AFTER_SIGNAL: Duration = Duration::from_millis(1500);

/// Executes a plan.
///
/// # Errors
/// See [`Failure`].
pub fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let plan = Plan::read(&args.plan)?;
    let station = Station::open(&args.output)?;
    let result = station.run(plan, args.run_id, args.output.result.as_deref());
    station.display.flush();
    result.map(|_| ExitCode::SUCCESS)
}

/// What several runs one after the other share.
pub struct Station<'a> {
    output: &'a OutputArgs,
    transport: Option<Arc<Transport>>,
    spool_folder: PathBuf,
    stop: Arc<Stop>,
    signals: Receiver<Instant>,
    /// Where everything is told.
    pub display: Display,
}

/// What is known at the end of a run.
#[derive(Debug, Clone)]
pub struct Ended {
    /// How it ended.
    pub finish: Finish,
    /// The last thing that each operation showed.
    pub last: BTreeMap<String, Progress>,
    /// The generator itself was late or busy in part of it.
    pub is_doubtful: bool,
}

impl<'a> Station<'a> {
    /// Looks at what was typed.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn open(output: &'a OutputArgs) -> Result<Self, Failure> {
        let transport = Transport::from_args(&output.backend)?.map(Arc::new);
        let spool_folder = spool_folder(&output.spool)?;
        let stop = Arc::new(Stop::default());
        let signals = on_signals(&stop)?;
        let display = Display::begin(output.progress()).map_err(|error| no_thread(&error))?;
        Ok(Self { output, transport, spool_folder, stop, signals, display })
    }

    /// Measures one plan to its end and delivers it.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, plan: Plan, run_id: Option<RunId>, result: Option<&Path>) -> Result<Ended, Failure> {
        let result_file = result.map(ResultFile::create).transpose().map_err(Failure::Usage)?;
        Run { station: self, plan, result_file, seen: Mutex::default() }.execute(run_id.unwrap_or_default())
    }

    /// Whether somebody asked to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.flag().is_stopped()
    }
}

/// Folder of the spool: as given, else in the user's state folder.
///
/// # Errors
/// When neither is known.
pub fn spool_folder(args: &SpoolArgs) -> Result<PathBuf, Failure> {
    let state = || {
        let given = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        given.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/state")))
    };
    args.spool
        .clone()
        .or_else(|| state().map(|state| state.join("tailroom/spool")))
        .ok_or_else(|| Failure::Usage("no folder for the spool: give --spool".to_owned()))
}

fn no_thread(error: &std::io::Error) -> Failure {
    Failure::Workload(format!("the system has no thread left: {error}"))
}

struct Run<'a> {
    station: &'a Station<'a>,
    plan: Plan,
    result_file: Option<ResultFile>,
    /// The last thing that each operation showed, and slices that are not to be trusted.
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    last: BTreeMap<String, Progress>,
    /// Slices by the bits of the second in which they begin: all, and those that are not to be trusted for some operation.
    slices: HashSet<u64>,
    doubtful: HashSet<u64>,
    first_doubtful: Option<Slice>,
}

impl Run<'_> {
    fn execute(self, run_id: RunId) -> Result<Ended, Failure> {
        let notify = |sentence: &str| {
            self.station.display.event(json!({"event": "preparing", "run_id": run_id, "text": sentence}));
            self.station.display.note(sentence);
        };
        let paths = self.plan.paths();
        let paths: Vec<&Path> =
            paths.iter().map(PathBuf::as_path).chain([self.station.spool_folder.as_path()]).collect();
        let host = inventory::inventory(&paths);
        let workload = self
            .plan
            .prepare(&notify, self.station.stop.flag())
            .map_err(|WorkloadError(sentence)| Failure::Workload(format!("not measured: {sentence}")))?;
        let started_at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let announcement = Announcement {
            run_id,
            title: self.plan.title.clone(),
            workload: self.plan.workload,
            started_at_unix_ns: u64::try_from(started_at.as_nanos()).unwrap_or(u64::MAX),
            planned_duration_ns: self.plan.duration_s * 1_000_000_000,
            agent: version::agent_version(),
            host,
            plan: self.plan.disclosed(),
        };
        let series = workload.series(&inventory::hostname());
        let limit_bytes = self.station.output.spool_limit_mib.saturating_mul(1 << 20);
        let spool = RunSpool::create(&self.station.spool_folder, &announcement, &series, limit_bytes)
            .map_err(|error| Failure::Usage(format!("spool: {error}")))?;
        let spool = Arc::new(spool);
        self.keep(|file| file.begin(&announcement, &series));
        let courier = self.station.transport.as_ref().map(|transport| {
            Courier::begin(
                Arc::clone(&spool),
                Arc::clone(transport),
                self.station.display.clone(),
                Arc::clone(&self.station.stop),
            )
        });
        let courier = courier.transpose().map_err(|error| no_thread(&error))?;
        self.station.display.event(json!({"event": "started", "run_id": run_id}));
        self.station.display.note(format!("run {run_id} has begun: {}", self.plan.title));

        let finish = self.measure(workload, &spool, courier.as_ref());
        if let Err(error) = spool.write_finish(&finish) {
            self.station.display.problem(format!("spool: {error}; a later drain would report the run as interrupted"));
        }
        self.keep(|file| file.finish(&finish));
        let sent = courier.and_then(|courier| self.deliver(&courier, finish.clone()));
        self.conclude(&spool, &finish, sent.as_ref())?;
        let Seen { last, doubtful, .. } = self.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Ended { finish, last, is_doubtful: !doubtful.is_empty() })
    }

    /// Writes to the result file, if there is one; a failure is told and changes nothing else.
    fn keep(&self, write: impl FnOnce(&ResultFile) -> Result<(), String>) {
        if let Some(Err(sentence)) = self.result_file.as_ref().map(write) {
            self.station.display.problem(sentence);
        }
    }

    fn measure(&self, workload: Box<dyn Workload>, spool: &RunSpool, courier: Option<&Courier>) -> Finish {
        let series = workload.series("").into_iter().filter(|series| series.kind == SeriesKind::Tick);
        let sink = Sink {
            run: self,
            spool,
            courier,
            thinning_told: AtomicBool::new(false),
            thermometer: Thermometer::begin(&self.plan.measured_paths()),
            tick_devices: series.map(|series| (series.series_no, series.device)).collect(),
        };
        let result = workload.run(&sink, self.station.stop.flag());
        let mut finish = finish_of(result, self.station.stop.cause(), spool);
        for sentence in self.doubts().into_iter().chain(spool.thinned()) {
            self.station.display.problem(sentence.clone());
            finish.reason = Some(finish.reason.into_iter().chain([sentence]).collect::<Vec<_>>().join("; "));
        }
        finish
    }

    /// Which slices are not to be trusted, and why, in one sentence.
    fn doubts(&self) -> Option<String> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let first = seen.first_doubtful.as_ref()?;
        Some(format!(
            "{} of {} slices are doubtful, the first at {:.0} s: {} ({})",
            seen.doubtful.len(),
            seen.slices.len(),
            first.start_s,
            first.doubts.join(", "),
            first.operation
        ))
    }

    /// Waits until everything is sent, patience ends, or a signal cuts it short.
    fn deliver(&self, courier: &Courier, finish: Finish) -> Option<Sent> {
        courier.ended(finish, Duration::from_secs(self.station.output.deliver_wait_s));
        let signalled = matches!(self.station.stop.cause(), Some(Cause::Signal(_)));
        let deadline = if signalled { after(PATIENCE_AFTER_SIGNAL) } else { never() };
        // The signals that ended the workload are old news; the next one means: now.
        while self.station.signals.try_recv().is_ok() {}
        select! {
            recv(courier.sent) -> sent => sent.ok(),
            recv(self.station.signals) -> _ => courier.sent.recv_timeout(PATIENCE_AFTER_SIGNAL).ok(),
            recv(deadline) -> _ => None,
        }
    }

    fn conclude(&self, spool: &RunSpool, finish: &Finish, sent: Option<&Sent>) -> Result<(), Failure> {
        let delivered = sent == Some(&Sent::Done(End::Delivered));
        self.station.display.event(json!({
            "event": "finished", "outcome": finish.outcome, "reason": finish.reason, "delivered": delivered,
        }));
        if delivered && let Err(error) = spool.delete() {
            self.station
                .display
                .problem(format!("spool: {error}; the backend has everything, the folder can be deleted"));
        }
        let reason = finish.reason.clone().unwrap_or_default();
        if finish.outcome == RunOutcome::Failed {
            return Err(Failure::Workload(format!("the run failed: {reason}")));
        }
        let whole_file = self.result_file.as_ref().filter(|file| file.is_whole());
        if let Some(file) = whole_file {
            self.station.display.note(format!("everything is in {}; `tailroom judge` reads it", file.path().display()));
            if self.station.transport.is_none() {
                return Ok(());
            }
        }
        if !delivered {
            return Err(Failure::Undelivered(undelivered(spool, sent)));
        }
        let outcome = if finish.outcome == RunOutcome::Completed { "completed" } else { "stopped" };
        let page =
            self.station.transport.as_ref().map(|transport| format!(": {}", transport.base_url())).unwrap_or_default();
        self.station.display.note(format!("{outcome}; the backend has everything{page}"));
        Ok(())
    }
}

/// Why not everything is delivered, and what to do.
pub fn undelivered(spool: &RunSpool, sent: Option<&Sent>) -> String {
    let totals = spool.totals();
    let why = match sent {
        None => "sending was cut short, or no backend was given (--backend)".to_owned(),
        Some(Sent::GaveUp(Link::Away { reason } | Link::Held { reason }) | Sent::Done(End::FinishRefused(reason))) => {
            reason.clone()
        }
        Some(Sent::GaveUp(_)) => "the backend did not answer in time".to_owned(),
        Some(Sent::Done(End::Incomplete(missing))) => {
            let first = missing.first();
            let first =
                first.map(|gap| format!(", first series {} from {} to {}", gap.series, gap.from_seq, gap.to_seq));
            format!("the backend lacks {} stretch(es){}", missing.len(), first.unwrap_or_default())
        }
        Some(Sent::Done(End::Delivered)) => "the backend has everything".to_owned(),
    };
    let aside = if totals.set_aside > 0 {
        format!(", {} refused and set aside (see `reason` beside them)", totals.set_aside)
    } else {
        String::new()
    };
    format!(
        "not everything is delivered: {why}; {} interval(s) unsent{aside}, kept in {}; send them with \
         `tailroom-agent drain --spool {}`",
        totals.unsent,
        spool.folder().display(),
        spool.folder().parent().unwrap_or(Path::new(".")).display(),
    )
}

fn finish_of(result: Result<Outcome, WorkloadError>, cause: Option<Cause>, spool: &RunSpool) -> Finish {
    let last_seq = spool.last_seq();
    let (outcome, reason, duration_ns) = match (result, cause) {
        (Err(WorkloadError(sentence)), _) => (RunOutcome::Failed, Some(sentence), spool.data_through_ns()),
        (Ok(_), Some(Cause::Spool(error))) => {
            let reason = format!("measuring ended because its results could not be kept: {error}");
            (RunOutcome::Failed, Some(reason), spool.data_through_ns())
        }
        (Ok(outcome), _) if outcome.completed => (RunOutcome::Completed, outcome.reason, outcome.duration_ns),
        (Ok(outcome), cause) => {
            let said = match cause {
                Some(Cause::Signal(name)) => Some(format!("stopped by {name}")),
                Some(Cause::Backend) => Some("the backend asked to stop".to_owned()),
                _ => None,
            };
            (RunOutcome::Stopped, said.or(outcome.reason), outcome.duration_ns)
        }
    };
    Finish { outcome, reason, duration_ns, last_seq }
}

/// Puts what was measured on disk, then tells the courier.
struct Sink<'a> {
    run: &'a Run<'a>,
    spool: &'a RunSpool,
    courier: Option<&'a Courier>,
    thinning_told: AtomicBool,
    thermometer: Thermometer,
    /// What each series of ticks measures, by its number.
    tick_devices: BTreeMap<u16, Option<String>>,
}

impl IntervalSink for Sink<'_> {
    fn intervals(&self, mut intervals: Vec<Interval>) {
        for interval in &mut intervals {
            if let Some(device) = self.tick_devices.get(&interval.series_no) {
                interval.temperature_millicelsius = self.thermometer.millicelsius(device.as_deref());
            }
        }
        let Station { stop, display, .. } = self.run.station;
        match self.spool.append(&intervals) {
            // Only what the spool has, so that both tell the same and end alike.
            Ok(()) => self.run.keep(|file| file.append(intervals)),
            Err(error) => {
                if !stop.flag().is_stopped() {
                    display.problem(format!("spool: {error}; the run ends here"));
                }
                stop.because(Cause::Spool(error.to_string()));
            }
        }
        if self.spool.ticks_left_out() > 0 && !self.thinning_told.swap(true, Ordering::Relaxed) {
            display.problem("the spool is nearly full: the oldest unsent live ticks are left out, histograms are kept");
            display.event(json!({"event": "spool-nearly-full"}));
        }
        if let Some(courier) = self.courier {
            courier.more();
        }
    }

    fn slice(&self, slice: Slice) {
        if !slice.doubts.is_empty() {
            let mut event = json!(slice);
            event["event"] = "doubtful-slice".into();
            self.run.station.display.event(event);
        }
        let mut seen = self.run.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = slice.start_s.to_bits();
        seen.slices.insert(begin);
        if !slice.doubts.is_empty() {
            seen.doubtful.insert(begin);
            seen.first_doubtful.get_or_insert(slice);
        }
    }

    fn progress(&self, progress: Progress) {
        let mut seen = self.run.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.last.insert(progress.operation.clone(), progress.clone());
        drop(seen);
        let temperature_c = self.thermometer.millicelsius(None).map(|milli| milli as f64 / 1_000.0);
        self.run.station.display.progress(progress, self.spool.totals().unsent, temperature_c);
    }
}
