//! The end of a run: its finish message, its results, and a sentence about what is not delivered.

use std::collections::BTreeMap;
use std::path::Path;

use measure::series::{Outcome, Progress, WorkloadError};
use wire::messages::{Finish, RunOutcome};
use wire::session::{End, Link};
use wire::spool::RunSpool;

use crate::delivery::Sent;
use crate::objective::ObjectiveAnswer;
use crate::stop::Cause;
use crate::summary::OperationSummary;

/// A run that has ended.
#[derive(Debug, Clone)]
pub struct Ended {
    pub finish: Finish,
    pub last: BTreeMap<String, Progress>,
    pub operations: Vec<OperationSummary>,
    /// Whether the load generator itself was late or busy in part of the run.
    pub is_unreliable: bool,
    pub objective: Option<ObjectiveAnswer>,
    pub is_delivered: bool,
}

/// Returns a sentence that says why the run is not delivered completely, and what to do.
pub fn undelivered(spool: &RunSpool, sent: Option<&Sent>, is_offline: bool) -> String {
    let totals = spool.totals();
    let why = match sent {
        None if is_offline => "no backend was given (--backend), and no --result file has all of it".to_owned(),
        None => "sending was cut short".to_owned(),
        Some(
            Sent::GaveUp(Link::Away { reason } | Link::Held { reason })
            | Sent::Done(End::FinishRefused(reason) | End::Broken(reason)),
        ) => reason.clone(),
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
        spool.folder.display(),
        spool.folder.parent().unwrap_or(Path::new(".")).display(),
    )
}

pub fn finish_of(result: Result<Outcome, WorkloadError>, cause: Option<Cause>, spool: &RunSpool) -> Finish {
    let last_seq = spool.last_seq();
    let (outcome, reason, duration_ns) = match (result, cause) {
        (Err(WorkloadError(sentence)), _) => (RunOutcome::Failed, Some(sentence), spool.data_through_ns()),
        (Ok(_), Some(Cause::Spool(error))) => {
            let reason = format!("measuring ended because its results could not be stored: {error}");
            (RunOutcome::Failed, Some(reason), spool.data_through_ns())
        }
        (Ok(outcome), _) if outcome.completed => (RunOutcome::Completed, outcome.reason, outcome.duration_ns),
        (Ok(outcome), cause) => {
            let cause_in_words = match cause {
                Some(Cause::Signal(name)) => Some(format!("stopped by {name}")),
                Some(Cause::Backend) => Some("the backend asked to stop".to_owned()),
                Some(Cause::Campaign) => Some("the campaign ended here".to_owned()),
                _ => None,
            };
            (RunOutcome::Stopped, cause_in_words.or(outcome.reason), outcome.duration_ns)
        }
    };
    Finish { outcome, reason, duration_ns, last_seq, drive_counters: None, search_ended: None }
}
