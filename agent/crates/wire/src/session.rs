//! The decisions of sending: what to send next, and how to react to a reply. It has no sockets, files or clock.
//!
//! The caller reports each event ([`Input`]) with its time and carries out the actions that [`Session::step`] returns
//! ([`Effect`]). At most one request is under way; the order is announcement, batches, finish. Requests that fail are handled as
//! follows:
//!
//! | reply | meaning | action |
//! |---|---|---|
//! | no connection, 408, 429, 5xx, 400 `body-damaged` or without a problem document, a success with an invalid body | the backend cannot be reached | retried without end, with back-off |
//! | 401, 403, 404, a redirect; any refusal of the announcement | the run is refused, not this batch | everything stays in the spool; retried at a slow pace, until there is a new token or the run is restored |
//! | 413, 422, 409 `interval-conflict` for several intervals | one of them is refused | the batch is halved until it holds the refused interval alone |
//! | other 4xx | this batch is refused for good | it is set aside with the reason, and sending continues |
//! | none: the body could not be made on this side | waiting does not help | the batch is halved, and a single interval is set aside; for an announcement or finish, sending ends |
//! | none: the spool cannot be read | waiting does not help | sending ends with an error; the spool stays |

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::backoff::Backoff;
use crate::messages::{AnnounceAnswer, BatchAnswer, Directive, Finish, FinishAnswer, MissingRange, Problem};

/// Wait between attempts while the backend refuses the run as a whole.
const HELD_RETRY_DELAY: Duration = Duration::from_secs(15);
/// Wait before a run is announced again that the backend no longer knows.
const UNKNOWN_RUN_RETRY_DELAY: Duration = Duration::from_secs(1);
/// Most intervals in a batch while nothing is refused.
const MOST_INTERVALS: usize = 2000;

/// An event that the session reacts to.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Time has passed, or the spool has new intervals; `waiting` if intervals wait to be sent.
    Wake { waiting: bool },
    /// The request under way has ended.
    Reply(Reply),
    /// The workload has ended, and its finish is on disk.
    Ended(Finish),
    /// The data to send cannot be read on this side, and waiting will not help; holds the reason.
    Broken(String),
}

/// Result of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// 200 or 201 to the announcement.
    Announced(AnnounceAnswer),
    /// 200 to a batch.
    Accepted(BatchAnswer),
    /// 200 to the finish.
    Finished(FinishAnswer),
    /// Any other status, with `Retry-After` if it was given in seconds, the body if it was a problem document, and the number of
    /// intervals in the refused batch (0 for other messages).
    Refused { status: u16, retry_after: Option<Duration>, problem: Option<Problem>, intervals: usize },
    /// No connection, a time-out, or a success whose body breaks the contract; holds the reason.
    Unreachable(String),
    /// The body could not be made on this side (encoding, compression); the network was not involved. Holds the number of intervals
    /// in the batch; 0 for other messages.
    Unsendable { reason: String, intervals: usize },
}

/// An action for the caller; actions are carried out in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Send the announcement.
    Announce,
    /// Send a batch of at most so many intervals.
    SendBatch { limit: usize },
    /// Send the finish.
    SendFinish(Finish),
    /// Mark the batch just sent as durable at the backend, with everything up to these sequence numbers by series.
    Settle(BTreeMap<u16, i64>),
    /// Set aside the batch just sent: the backend refused it for good.
    SetAside { reason: String },
    /// Send these intervals again, if the spool still holds them.
    Resend(Vec<MissingRange>),
    /// End the workload, as the backend requests.
    StopWorkload,
    /// Report the new state of the connection to the user.
    Link(Link),
    /// Stop sending: nothing more can or need be sent.
    Done(End),
}

/// State of the connection to the backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// No request was answered yet.
    Unknown,
    /// The last request was answered.
    Up,
    /// Requests are not answered; holds why the last request failed.
    Away { reason: String },
    /// The backend answers but refuses this run.
    Held { reason: String },
}

/// Result of sending a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The backend has everything.
    Delivered,
    /// The backend lacks these intervals, which this side can no longer send.
    Incomplete(Vec<MissingRange>),
    /// The backend refused the finish for good; holds the reason.
    FinishRefused(String),
    /// This side cannot continue: the spool cannot be read, or a message cannot be encoded. Holds the reason.
    Broken(String),
}

/// State machine that delivers one run.
#[derive(Debug)]
pub struct Session {
    announced: bool,
    under_way: bool,
    not_before: Option<Duration>,
    pace: Duration,
    batch_at: Option<Duration>,
    batch_limit: usize,
    backoff: Backoff,
    /// State of the connection to the backend.
    pub link: Link,
    finish: Option<Finish>,
    resent: BTreeSet<MissingRange>,
    stop_requested: bool,
    end: Option<End>,
}

impl Session {
    /// Returns a session of which nothing is sent yet. `seed` seeds the jitter of its waits.
    pub fn new(seed: u64) -> Self {
        Self {
            announced: false,
            under_way: false,
            not_before: None,
            pace: Duration::ZERO,
            batch_at: None,
            batch_limit: MOST_INTERVALS,
            backoff: Backoff::new(seed),
            link: Link::Unknown,
            finish: None,
            resent: BTreeSet::new(),
            stop_requested: false,
            end: None,
        }
    }

    /// Sets the shortest time between batches, which applies until the workload ends.
    pub fn every(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// Returns the latest moment for the next [`Input::Wake`]; `None` if only a reply, intervals or the end can change anything.
    pub fn wake_at(&self) -> Option<Duration> {
        self.not_before.max(self.batch_at)
    }

    /// Returns whether a batch may be sent at `now`. Intervals that arrive earlier become part of that batch.
    pub fn wants_batch(&self, now: Duration) -> bool {
        self.batch_at.is_none_or(|at| now >= at)
    }

    /// Handles `input` at `now` (time since any fixed moment) and returns the actions that follow.
    pub fn step(&mut self, now: Duration, input: Input) -> Vec<Effect> {
        if self.end.is_some() {
            return Vec::new();
        }
        match input {
            Input::Ended(finish) => {
                self.finish = Some(finish);
                self.batch_at = None;
                Vec::new()
            }
            Input::Broken(reason) => vec![self.done(End::Broken(reason))],
            Input::Wake { waiting } => self.request(now, waiting).into_iter().collect(),
            Input::Reply(reply) => {
                self.under_way = false;
                self.answered(now, reply)
            }
        }
    }

    fn request(&mut self, now: Duration, waiting: bool) -> Option<Effect> {
        if self.under_way || self.not_before.is_some_and(|at| now < at) {
            return None;
        }
        self.not_before = None;
        if self.wants_batch(now) {
            self.batch_at = None;
        }
        let effect = if !self.announced {
            Effect::Announce
        } else if waiting && self.batch_at.is_none() {
            Effect::SendBatch { limit: self.batch_limit }
        } else {
            Effect::SendFinish(self.finish.clone()?)
        };
        self.under_way = true;
        Some(effect)
    }

    fn answered(&mut self, now: Duration, reply: Reply) -> Vec<Effect> {
        match reply {
            Reply::Announced(answer) => {
                self.announced = true;
                let mut effects = self.reached();
                effects.extend(self.directive(answer.directive));
                effects
            }
            Reply::Accepted(answer) => {
                let mut effects = self.reached();
                self.batch_limit = (self.batch_limit * 2).min(MOST_INTERVALS);
                self.batch_at = (self.finish.is_none() && !self.pace.is_zero()).then(|| now + self.pace);
                effects.push(Effect::Settle(answer.acknowledged));
                effects.extend(self.resend(&answer.missing));
                effects.extend(self.directive(answer.directive));
                effects
            }
            Reply::Finished(answer) => {
                let mut effects = self.reached();
                if answer.complete {
                    effects.push(self.done(End::Delivered));
                } else {
                    let resend = self.resend(&answer.missing);
                    let end = resend.is_none().then(|| self.done(End::Incomplete(answer.missing)));
                    effects.extend(resend.or(end));
                }
                effects
            }
            Reply::Unreachable(reason) => self.away(now, reason, None),
            Reply::Unsendable { reason, intervals: 0 } => vec![self.done(End::Broken(reason))],
            Reply::Unsendable { reason, intervals: 1 } => vec![Effect::SetAside { reason }],
            Reply::Unsendable { intervals, .. } => {
                self.batch_limit = intervals / 2;
                Vec::new()
            }
            Reply::Refused { status, retry_after, problem, .. }
                if matches!(status, 408 | 429)
                    || !(300..500).contains(&status)
                    || status == 400 && damaged(problem.as_ref()) =>
            {
                self.away(now, reason_of(status, problem.as_ref()), retry_after)
            }
            Reply::Refused { status, problem, intervals, .. } => self.refused(now, status, problem.as_ref(), intervals),
        }
    }

    fn refused(&mut self, now: Duration, status: u16, problem: Option<&Problem>, intervals: usize) -> Vec<Effect> {
        let reason = reason_of(status, problem);
        if !self.announced || status < 400 || matches!(status, 401 | 403 | 404) {
            // A backend that does not know the run, perhaps no longer, needs a new announcement first.
            let forgotten = self.announced && status == 404;
            self.announced &= !forgotten;
            self.not_before = Some(now + if forgotten { UNKNOWN_RUN_RETRY_DELAY } else { HELD_RETRY_DELAY });
            return self.link_is(Link::Held { reason });
        }
        let mut effects = self.reached();
        if intervals == 0 {
            effects.push(self.done(End::FinishRefused(reason)));
            return effects;
        }
        let about_one = match status {
            413 | 422 => true,
            409 => problem.is_some_and(|problem| problem.code == "interval-conflict"),
            _ => false,
        };
        if about_one && intervals > 1 {
            self.batch_limit = intervals / 2;
        } else {
            effects.push(Effect::SetAside { reason });
        }
        effects
    }

    fn away(&mut self, now: Duration, reason: String, retry_after: Option<Duration>) -> Vec<Effect> {
        self.not_before = Some(now + self.backoff.next(retry_after));
        self.link_is(Link::Away { reason })
    }

    fn reached(&mut self) -> Vec<Effect> {
        self.backoff.reset();
        self.link_is(Link::Up)
    }

    fn link_is(&mut self, link: Link) -> Vec<Effect> {
        if self.link == link {
            return Vec::new();
        }
        self.link = link.clone();
        vec![Effect::Link(link)]
    }

    /// Requests each gap again at most once: intervals answered with 200 are durable, and others have left the spool.
    fn resend(&mut self, missing: &[MissingRange]) -> Option<Effect> {
        let new: Vec<_> = missing.iter().filter(|range| self.resent.insert(**range)).copied().collect();
        (!new.is_empty()).then_some(Effect::Resend(new))
    }

    fn directive(&mut self, directive: Directive) -> Option<Effect> {
        let stop = directive == Directive::Stop && !self.stop_requested && self.finish.is_none();
        self.stop_requested |= stop;
        stop.then_some(Effect::StopWorkload)
    }

    fn done(&mut self, end: End) -> Effect {
        self.end = Some(end.clone());
        Effect::Done(end)
    }
}

/// Returns whether the request was changed in transit. A proxy that reports this sends a body without our problem document.
fn damaged(problem: Option<&Problem>) -> bool {
    problem.is_none_or(|problem| problem.code == "body-damaged")
}

fn reason_of(status: u16, problem: Option<&Problem>) -> String {
    match problem {
        None => format!("HTTP {status}"),
        Some(problem) => {
            let what = if problem.detail.is_empty() { &problem.title } else { &problem.detail };
            let first = problem.problems.first().map(|item| format!(" ({})", item.reason)).unwrap_or_default();
            format!("HTTP {status} {}: {what}{first}", problem.code)
        }
    }
}
