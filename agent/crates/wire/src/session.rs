//! What to send next, and what an answer means: decisions only, no sockets, no files, no clock.
//!
//! The caller tells what happened ([`Input`]) and when, and carries out what is decided ([`Effect`]). At most one request
//! is under way; the order is announce, batches, finish. How a refusal is read:
//!
//! | answer | meaning | what follows |
//! |---|---|---|
//! | no connection, 408, 429, 5xx, 400 `body-damaged` or without a problem, an answer that is no answer | the backend is away | the same again, with back-off, for ever |
//! | 401, 403, 404, a redirect; any refusal of the announcement | about the run, not about this batch | everything stays in the spool; tried again at a slow pace, so that a new token or a restored run mends it |
//! | 413, 422, 409 `interval-conflict` for several intervals | one of them is refused | halves, until the refused interval stands alone |
//! | other 4xx | final for this batch | set aside with the reason, and on |
//! | none: this side could not make the body | nothing that waiting mends | halves, then the single interval is set aside; an announcement or finish ends the sending |
//! | none: the spool cannot be read | nothing that waiting mends | the sending ends with an error; the spool stays |

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::backoff::Backoff;
use crate::messages::{AnnounceAnswer, BatchAnswer, Directive, Finish, FinishAnswer, MissingRange, Problem};

/// Pace of attempts while the backend refuses the run as a whole.
const HELD_PACE: Duration = Duration::from_secs(15);
/// Wait before a run is announced again that the backend knew and does not know any more.
const FORGOTTEN_PACE: Duration = Duration::from_secs(1);
/// Intervals in a batch while nothing is refused.
const WHOLE_BATCH: usize = 2000;

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Time went on, or the spool has more. `waiting`: there are intervals that are not sent yet.
    Wake {
        /// Whether there is anything to send.
        waiting: bool,
    },
    /// The request under way was answered, or was not.
    Reply(Reply),
    /// The workload ended and its finish is on disk.
    Ended(Finish),
    /// What is to be sent cannot be read on this side; no waiting mends that.
    Broken(String),
}

/// What came back for a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// 200 or 201 to the announcement.
    Announced(AnnounceAnswer),
    /// 200 to a batch.
    Accepted(BatchAnswer),
    /// 200 to the finish.
    Finished(FinishAnswer),
    /// Any other status.
    Refused {
        /// HTTP status.
        status: u16,
        /// `Retry-After`, where it was given in seconds.
        retry_after: Option<Duration>,
        /// The body, where it was a problem.
        problem: Option<Problem>,
        /// How many intervals the refused batch held.
        intervals: usize,
    },
    /// No connection, a time-out, or a success whose body is none of the contract.
    Unreachable(String),
    /// This side could not make a body of it (encoding, compression): the network has no part in that.
    Unsendable {
        /// Why.
        reason: String,
        /// How many intervals the batch held; 0 for other messages.
        intervals: usize,
    },
}

/// What the caller is to do, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Send the announcement.
    Announce,
    /// Send the next batch of at most this many intervals.
    SendBatch {
        /// Most intervals.
        limit: usize,
    },
    /// Send the finish.
    SendFinish(Finish),
    /// The batch just sent is durable at the backend, and everything up to these numbers.
    Settle(BTreeMap<u16, i64>),
    /// The batch just sent is refused for good.
    SetAside {
        /// Why.
        reason: String,
    },
    /// These are to be sent again if they are still there.
    Resend(Vec<MissingRange>),
    /// End the workload: the backend wants it.
    StopWorkload,
    /// The connection changed; worth telling a person.
    Link(Link),
    /// Nothing more can or need be sent.
    Done(End),
}

/// State of the connection to the backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// Nothing was tried yet.
    Unknown,
    /// The last request was answered.
    Up,
    /// Requests are not answered.
    Away {
        /// Why the last call failed.
        reason: String,
    },
    /// The backend answers but does not take this run.
    Held {
        /// Why.
        reason: String,
    },
}

/// How sending ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The backend has everything.
    Delivered,
    /// The backend lacks intervals that this side no longer has to send.
    Incomplete(Vec<MissingRange>),
    /// The backend refused the finish for good.
    FinishRefused(String),
    /// This side cannot go on sending: the spool cannot be read, or a message cannot be made.
    Broken(String),
}

/// The decisions of one run.
#[derive(Debug)]
pub struct Session {
    announced: bool,
    under_way: bool,
    not_before: Option<Duration>,
    pace: Duration,
    batch_at: Option<Duration>,
    batch_limit: usize,
    backoff: Backoff,
    link: Link,
    finish: Option<Finish>,
    resent: BTreeSet<MissingRange>,
    told_to_stop: bool,
    end: Option<End>,
}

impl Session {
    /// Returns a run of which nothing is sent yet. `seed` spreads the waits of several agents.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            announced: false,
            under_way: false,
            not_before: None,
            pace: Duration::ZERO,
            batch_at: None,
            batch_limit: WHOLE_BATCH,
            backoff: Backoff::new(seed),
            link: Link::Unknown,
            finish: None,
            resent: BTreeSet::new(),
            told_to_stop: false,
            end: None,
        }
    }

    /// Batches follow each other after so long at the earliest, until the workload ends.
    #[must_use]
    pub fn every(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// State of the connection to the backend.
    #[must_use]
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// When to wake the session at the latest; none when only an answer, new intervals or the end can change anything.
    #[must_use]
    pub fn wake_at(&self) -> Option<Duration> {
        self.not_before.max(self.batch_at)
    }

    /// Returns whether a batch may be sent yet. Intervals that arrive until then become part of it.
    #[must_use]
    pub fn wants_batch(&self, now: Duration) -> bool {
        self.batch_at.is_none_or(|at| now >= at)
    }

    /// Takes what happened at `now` (since any fixed moment) and decides.
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
                self.batch_limit = (self.batch_limit * 2).min(WHOLE_BATCH);
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
            // A run that the backend does not know (any more) has to be announced before anything else.
            let forgotten = self.announced && status == 404;
            self.announced &= !forgotten;
            self.not_before = Some(now + if forgotten { FORGOTTEN_PACE } else { HELD_PACE });
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

    /// Sends each gap again at most once: intervals answered with 200 are durable, and others are no longer in the spool.
    fn resend(&mut self, missing: &[MissingRange]) -> Option<Effect> {
        let new: Vec<_> = missing.iter().filter(|range| self.resent.insert(**range)).copied().collect();
        (!new.is_empty()).then_some(Effect::Resend(new))
    }

    fn directive(&mut self, directive: Directive) -> Option<Effect> {
        let stop = directive == Directive::Stop && !self.told_to_stop && self.finish.is_none();
        self.told_to_stop |= stop;
        stop.then_some(Effect::StopWorkload)
    }

    fn done(&mut self, end: End) -> Effect {
        self.end = Some(end.clone());
        Effect::Done(end)
    }
}

/// Returns whether the request was changed in transit. A proxy reports a changed header with its own wording.
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
