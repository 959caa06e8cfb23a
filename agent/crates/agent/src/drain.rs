//! `tailroom-agent drain`: sends what earlier runs left in the spool.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, select};
use wire::messages::{Finish, RunId, RunOutcome};
use wire::session::End;
use wire::spool::{RunSpool, SpoolError, is_held, runs};

use crate::cli::{DrainArgs, ProgressKind};
use crate::conclusion::undelivered;
use crate::delivery::{Delivery, Sent};
use crate::display::Display;
use crate::failure::Failure;
use crate::state_folder::spool_folder;
use crate::stop::{Cause, Stop, on_signals};
use crate::transport::Transport;

/// Sends every run of the spool, oldest first.
pub fn drain(args: &DrainArgs) -> Result<(), Failure> {
    let transport = Transport::from_args(&args.backend)?
        .ok_or_else(|| Failure::Usage("drain needs --backend, or TAILROOM_BACKEND_URL".to_owned()))?;
    let transport = Arc::new(transport);
    let folder = spool_folder(&args.spool)?;
    let (stop, signals) = on_signals()?;
    let display = Display::begin(ProgressKind::Human).map_err(|error| Failure::no_thread(&error))?;
    let mut run_ids = match args.run_id {
        Some(run_id) => vec![run_id],
        None => runs(&folder).map_err(|error| Failure::Usage(format!("spool: {error}")))?,
    };
    run_ids.retain(|run_id| !args.leave_held || !is_held(&folder, *run_id));
    if run_ids.is_empty() {
        display.note(format!("nothing to send in {}", folder.display()));
    }
    let mut left = Vec::new();
    // The backend may still request a stop of a run that ended long ago; that must not stop draining.
    let interrupted = || matches!(stop.cause(), Some(Cause::Signal(_)));
    for run_id in run_ids {
        let drain =
            Drain { args, folder: &folder, transport: &transport, stop: &stop, signals: &signals, display: &display };
        if let Err(sentence) = drain.run(run_id) {
            display.problem(format!("run {run_id}: {sentence}"));
            left.push(run_id.to_string());
        }
        if interrupted() {
            break;
        }
    }
    display.flush();
    if left.is_empty() && !interrupted() {
        return Ok(());
    }
    Err(Failure::Undelivered(format!("not everything is delivered; {} run(s) are left in the spool", left.len())))
}

struct Drain<'a> {
    args: &'a DrainArgs,
    folder: &'a Path,
    transport: &'a Arc<Transport>,
    stop: &'a Arc<Stop>,
    signals: &'a Receiver<Instant>,
    display: &'a Display,
}

impl Drain<'_> {
    fn run(&self, run_id: RunId) -> Result<(), String> {
        let spool = self.open(run_id).map_err(|error| error.to_string())?;
        let totals = spool.totals();
        self.display.note(format!("run {run_id}: {} interval(s) to send: {}", totals.unsent, spool.announcement.title));
        let finish = finish_of(&spool).map_err(|error| error.to_string())?;
        let delivery = Delivery::begin(
            Arc::clone(&spool),
            Arc::clone(self.transport),
            self.display.clone(),
            Arc::clone(self.stop),
            Duration::ZERO,
        )
        .map_err(|error| Failure::no_thread(&error).to_string())?;
        delivery.ended(finish, Duration::from_secs(self.args.deliver_wait_s));
        let sent = select! {
            recv(delivery.sent) -> sent => sent.ok(),
            recv(self.signals) -> _ => None,
        };
        if sent != Some(Sent::Done(End::Delivered)) {
            return Err(undelivered(&spool, sent.as_ref(), false));
        }
        spool.delete().map_err(|error| error.to_string())?;
        self.display.note(format!("run {run_id}: the backend has everything"));
        Ok(())
    }

    fn open(&self, run_id: RunId) -> Result<Arc<RunSpool>, SpoolError> {
        let (spool, recovery) = RunSpool::open(self.folder, run_id, self.args.retry_set_aside)?;
        if recovery.torn_bytes > 0 {
            self.display.note(format!("run {run_id}: cut off {} bytes of an unfinished record", recovery.torn_bytes));
        }
        for (path, bytes) in &recovery.damaged {
            self.display.note(format!(
                "run {run_id}: {} has {bytes} damaged bytes; the intervals in them are lost, the others are sent",
                path.display()
            ));
        }
        Ok(Arc::new(spool))
    }
}

/// Returns the finish of a run and stores it, so that a second drain reports the same. A run without a finish was interrupted.
fn finish_of(spool: &RunSpool) -> Result<Finish, SpoolError> {
    if let Some(finish) = spool.finish()? {
        return Ok(finish);
    }
    let ended = "the agent ended without saying how; this is what it had measured until then".to_owned();
    let finish = Finish {
        outcome: RunOutcome::Interrupted,
        reason: Some([ended].into_iter().chain(spool.thinned()).collect::<Vec<_>>().join("; ")),
        duration_ns: spool.data_through_ns(),
        last_seq: spool.last_seq(),
        drive_counters: spool.drive_counters(),
        search_ended: None,
    };
    spool.write_finish(&finish)?;
    Ok(finish)
}
