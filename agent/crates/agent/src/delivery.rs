//! The sending thread: carries out the decisions of a [`Session`] with the spool and the transport.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select};
use measure::clock::unix_time;
use wire::messages::{Finish, IntervalBatch};
use wire::session::{Effect, End, Input, Link, Reply, Session};
use wire::spool::{Batch, BatchLimit, Reader, RunSpool, SpoolError};

use crate::display::Display;
use crate::events::Event;
use crate::stop::{Cause, Stop};
use crate::transport::Transport;

/// Longest wait after the end of a run that the backend refuses: such a refusal lasts longer than a person waits at a terminal.
const HELD_TIMEOUT: Duration = Duration::from_secs(5);
/// Wait before checking again when there is nothing to do.
const IDLE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// Nothing more can or need be sent.
    Done(End),
    /// The backend did not accept everything in time; the rest stays in the spool.
    GaveUp(Link),
}

/// Handle of the sending thread.
#[derive(Debug)]
pub struct Delivery {
    more: Sender<()>,
    ended: Sender<(Finish, Duration)>,
    /// Receives the result when sending ends.
    pub sent: Receiver<Sent>,
}

impl Delivery {
    /// Starts a thread that sends what the spool holds and will hold, with at least `pace` between batches.
    pub fn begin(
        spool: Arc<RunSpool>,
        transport: Arc<Transport>,
        display: Display,
        stop: Arc<Stop>,
        pace: Duration,
    ) -> io::Result<Self> {
        let (more, more_words) = bounded(1);
        let (ended, ended_words) = bounded(1);
        let (done, sent) = bounded(1);
        let round = Round {
            spool,
            transport,
            display,
            stop,
            session: Session::new(seed()).every(pace),
            began: Instant::now(),
            reader: Reader::default(),
            batch: None,
            last_success: Duration::ZERO,
            end: None,
            more: more_words,
            ended: ended_words,
        };
        thread::Builder::new().name("courier".into()).spawn(move || {
            let _ = done.send(round.work());
        })?;
        Ok(Self { more, ended, sent })
    }

    /// Notifies the thread that the spool has new intervals. Never blocks.
    pub fn more(&self) {
        let _ = self.more.try_send(());
    }

    /// Notifies the thread that the workload ended. `timeout` is how long the backend may be away before sending is given up.
    pub fn ended(&self, finish: Finish, timeout: Duration) {
        let _ = self.ended.try_send((finish, timeout));
    }
}

/// Returns a seed that differs between agents, so that those that lose their backend at the same moment retry at different times.
fn seed() -> u64 {
    u64::from(unix_time().subsec_nanos()) ^ (u64::from(std::process::id()) << 32)
}

struct Round {
    spool: Arc<RunSpool>,
    transport: Arc<Transport>,
    display: Display,
    stop: Arc<Stop>,
    session: Session,
    began: Instant,
    reader: Reader,
    /// A batch that was read but not yet settled or set aside.
    batch: Option<Batch>,
    last_success: Duration,
    /// When the workload ended, and the timeout from then on.
    end: Option<(Duration, Duration)>,
    more: Receiver<()>,
    ended: Receiver<(Finish, Duration)>,
}

impl Round {
    fn work(mut self) -> Sent {
        loop {
            if self.batch.is_none() && self.session.wants_batch(self.now()) {
                match self.read(BatchLimit::default()) {
                    Ok(batch) => self.batch = batch,
                    Err(end) => return Sent::Done(end),
                }
            }
            let wake = Input::Wake { waiting: self.batch.is_some() };
            if let Some(request) = self.session.step(self.now(), wake).into_iter().next() {
                let reply = match self.request(request) {
                    Ok(reply) => reply,
                    Err(end) => return Sent::Done(end),
                };
                if !matches!(reply, Reply::Refused { .. } | Reply::Unreachable(_) | Reply::Unsendable { .. }) {
                    self.last_success = self.now();
                }
                for effect in self.session.step(self.now(), Input::Reply(reply)) {
                    if let Some(end) = self.carry_out(effect) {
                        return Sent::Done(end);
                    }
                }
                continue;
            }
            let give_up_at = self.give_up_at();
            if give_up_at.is_some_and(|at| self.now() >= at) {
                return Sent::GaveUp(self.session.link.clone());
            }
            self.wait([self.session.wake_at(), give_up_at].into_iter().flatten().min());
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn give_up_at(&self) -> Option<Duration> {
        let (ended_at, timeout) = self.end?;
        let timeout = match self.session.link {
            Link::Unknown | Link::Up => return None,
            Link::Away { .. } => timeout,
            Link::Held { .. } => timeout.min(HELD_TIMEOUT),
        };
        Some(self.last_success.max(ended_at) + timeout)
    }

    fn wait(&mut self, until: Option<Duration>) {
        let timeout = until.map_or(IDLE, |at| at.saturating_sub(self.now()).min(IDLE));
        // A disconnected channel is always ready, so it is replaced by one that never is.
        select! {
            recv(self.ended) -> message => match message {
                Ok((finish, timeout)) => {
                    self.end = Some((self.now(), timeout));
                    self.session.step(self.now(), Input::Ended(finish));
                }
                Err(_) => self.ended = crossbeam_channel::never(),
            },
            recv(self.more) -> message => if message.is_err() {
                self.more = crossbeam_channel::never();
            },
            default(timeout) => {}
        }
    }

    /// Returns the next batch. A disk error ends sending, as later attempts would fail too.
    fn read(&mut self, limit: BatchLimit) -> Result<Option<Batch>, End> {
        self.spool.next_batch(&mut self.reader, limit).map_err(|error| {
            self.trouble(&error);
            let reason = format!("the spool cannot be read: {error}");
            self.session.step(self.now(), Input::Broken(reason.clone()));
            End::Broken(reason)
        })
    }

    fn trouble(&self, error: &SpoolError) {
        self.display.problem(format!("spool: {error}"));
    }

    fn request(&mut self, effect: Effect) -> Result<Reply, End> {
        let run_id = self.spool.announcement.run_id;
        Ok(match effect {
            Effect::Announce => self.transport.announce(&self.spool.announcement),
            Effect::SendFinish(finish) => self.transport.finish(run_id, &finish),
            Effect::SendBatch { limit } => {
                if self.batch.as_ref().is_some_and(|batch| batch.intervals.len() > limit) {
                    self.batch = self.read(BatchLimit { intervals: limit, ..BatchLimit::default() })?;
                }
                let Some(batch) = &self.batch else {
                    return Err(End::Broken("the spool no longer holds what it held before".to_owned()));
                };
                let message = IntervalBatch { series: self.spool.series_of(batch), intervals: batch.intervals.clone() };
                self.transport.intervals(run_id, &message)
            }
            other => return Err(End::Broken(format!("not a request: {other:?}"))),
        })
    }

    fn carry_out(&mut self, effect: Effect) -> Option<End> {
        match effect {
            Effect::Announce | Effect::SendBatch { .. } | Effect::SendFinish(_) => {}
            Effect::Settle(acknowledged) => {
                if let Some(batch) = self.batch.take() {
                    self.reader.advance(&batch);
                    if let Err(error) = self.spool.settle(&batch, &acknowledged) {
                        self.trouble(&error);
                    }
                }
            }
            Effect::SetAside { reason } => {
                if let Some(batch) = self.batch.take() {
                    self.reader.advance(&batch);
                    self.set_aside(&batch, &reason);
                }
            }
            Effect::Resend(missing) => {
                if self.spool.reopen(&missing) {
                    self.reader.rewind();
                    self.batch = None;
                }
            }
            Effect::StopWorkload => {
                self.display.note("the backend asked to stop this run");
                self.stop.because(Cause::Backend);
            }
            Effect::Link(link) => self.display.link(&link, self.spool.totals().unsent),
            Effect::Done(end) => return Some(end),
        }
        None
    }

    fn set_aside(&self, batch: &Batch, reason: &str) {
        match self.spool.set_aside(batch, reason) {
            Ok(path) => {
                let count = batch.intervals.len();
                self.display.event(Event::SetAside { intervals: count, reason: reason.to_owned() });
                self.display.problem(format!(
                    "the backend refused {count} interval(s): {reason}; they are set aside in {}",
                    path.display()
                ));
            }
            Err(error) => self.trouble(&error),
        }
    }
}
