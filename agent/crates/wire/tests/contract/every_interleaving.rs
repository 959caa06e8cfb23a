//! The protocol between spool, session and backend, in every order that a few faults allow.
//!
//! The session is the real one. Spool, network and backend are models of the promises in `docs/contracts/wire.md`: the backend
//! stores an interval once and acknowledges what is durable; the network loses requests or answers, damages them, and delivers a
//! request a second time at any later moment; the agent is killed, and may then have lost an acknowledgement. After at most
//! [`FAULTS`] choices of the adversary there are no more faults, and then no interval may be missing, stored twice, or deleted
//! from the spool before it was durable.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use wire::messages::{AnnounceAnswer, BatchAnswer, Directive, Finish, FinishAnswer, MissingRange, RunId, RunOutcome};
use wire::session::{Effect, End, Input, Reply, Session};

use crate::session::refused;

const INTERVALS: u64 = 4;
const SERIES: u16 = 0;
/// Most choices of the adversary in one history.
const FAULTS: usize = 6;
/// Most steps of a history; a longer one does not terminate.
const LONGEST: usize = 200;

/// The adversary's next choice. The first is the course without a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    /// The request and its answer arrive.
    Deliver,
    /// The workload adds an interval to the spool first.
    Measure,
    /// The request arrives, but its answer does not.
    LoseAnswer,
    /// The request does not arrive.
    LoseRequest,
    /// The request arrives with damaged content.
    Damage,
    /// The request arrives twice, the second time when the adversary chooses; the first answer is lost.
    Duplicate,
    /// A delayed request arrives now.
    Late,
    /// The agent is killed and restarted; its acknowledgements were on disk.
    Kill,
    /// The agent is killed and restarted; the last acknowledgement was not yet on disk.
    KillForgetting,
}

#[derive(Debug, Clone)]
enum Request {
    Announce,
    Batch(Vec<u64>),
    Finish(Finish),
}

/// The model of the backend, with the number of times each interval was inserted, which must be one.
#[derive(Debug, Default)]
struct Backend {
    announced: bool,
    inserted: BTreeMap<u64, u32>,
    last_seq: Option<u64>,
}

impl Backend {
    fn take(&mut self, request: &Request) -> Reply {
        match request {
            Request::Announce => {
                self.announced = true;
                Reply::Announced(AnnounceAnswer { run_id: RunId::new(), directive: Directive::Continue })
            }
            _ if !self.announced => refused(404, "run-unknown", 1),
            Request::Batch(seqs) => {
                for seq in seqs {
                    // ON CONFLICT DO NOTHING
                    self.inserted.entry(*seq).or_insert(1);
                }
                let acknowledged = BTreeMap::from([(SERIES, self.contiguous())]);
                Reply::Accepted(BatchAnswer { acknowledged, missing: self.missing(), directive: Directive::Continue })
            }
            Request::Finish(finish) => {
                self.last_seq = finish.last_seq.get(&SERIES).copied();
                let missing = self.missing();
                Reply::Finished(FinishAnswer { complete: missing.is_empty(), missing, directive: Directive::Continue })
            }
        }
    }

    /// Returns the highest number up to which everything is stored; −1 if there is none.
    fn contiguous(&self) -> i64 {
        let first_gap = (0..=INTERVALS).take_while(|seq| self.inserted.contains_key(seq)).count();
        i64::try_from(first_gap).expect("a few intervals") - 1
    }

    /// Returns the gaps below the highest known number.
    fn missing(&self) -> Vec<MissingRange> {
        let highest = self.last_seq.max(self.inserted.keys().last().copied());
        let gaps = highest.map_or(0..0, |highest| 0..highest + 1).filter(|seq| !self.inserted.contains_key(seq));
        gaps.map(|seq| MissingRange { series: SERIES, from_seq: seq, to_seq: seq }).collect()
    }
}

/// The agent: a model of its spool, with the real session.
struct Agent {
    session: Session,
    measured: u64,
    settled: BTreeSet<u64>,
    settled_last: Vec<u64>,
    position: u64,
}

impl Agent {
    fn new() -> Self {
        Self { session: Session::new(1), measured: 1, settled: BTreeSet::new(), settled_last: Vec::new(), position: 0 }
    }

    fn batch(&self, limit: usize) -> Vec<u64> {
        (self.position..self.measured).filter(|seq| !self.settled.contains(seq)).take(limit).collect()
    }

    fn finish(&self) -> Option<Finish> {
        (self.measured == INTERVALS).then(|| Finish {
            outcome: RunOutcome::Completed,
            reason: None,
            duration_ns: INTERVALS,
            last_seq: BTreeMap::from([(SERIES, INTERVALS - 1)]),
            drive_counters: None,
            search_ended: None,
        })
    }

    /// Restarts the agent with the state on disk.
    fn restart(&mut self, forgetting: bool) {
        if forgetting {
            for seq in self.settled_last.drain(..) {
                self.settled.remove(&seq);
            }
        }
        self.session = Session::new(2);
        self.position = 0;
        if let Some(finish) = self.finish() {
            self.session.step(Duration::ZERO, Input::Ended(finish));
        }
    }

    fn measure(&mut self) {
        self.measured += 1;
        if let Some(finish) = self.finish() {
            self.session.step(Duration::ZERO, Input::Ended(finish));
        }
    }
}

/// Enumerates every sequence of choices, each first option first.
#[derive(Default)]
struct Explorer {
    chosen: Vec<usize>,
    options: Vec<usize>,
    next: usize,
}

impl Explorer {
    fn choose(&mut self, options: &[Move]) -> Move {
        if self.next == self.chosen.len() {
            self.chosen.push(0);
            self.options.push(options.len());
        }
        let found = options[self.chosen[self.next]];
        self.next += 1;
        found
    }

    /// Moves to the next sequence; returns whether there is one.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some(last) = self.chosen.pop() {
            let count = self.options.pop().unwrap_or_default();
            if last + 1 < count {
                self.chosen.push(last + 1);
                self.options.push(count);
                return true;
            }
        }
        false
    }
}

/// Plays one history; an error describes the failure.
fn play(explorer: &mut Explorer) -> Result<(), String> {
    let (mut agent, mut backend) = (Agent::new(), Backend::default());
    let mut held: Vec<Request> = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    let mut now = Duration::ZERO;
    for _ in 0..LONGEST {
        now += Duration::from_secs(600); // longer than any back-off
        let waiting = !agent.batch(1).is_empty();
        let request = agent.session.step(now, Input::Wake { waiting }).into_iter().next();
        let request = match request {
            None => {
                if agent.measured == INTERVALS {
                    return Err(format!("nothing is sent any more after {moves:?}"));
                }
                agent.measure();
                continue;
            }
            Some(Effect::Announce) => Request::Announce,
            Some(Effect::SendBatch { limit }) => Request::Batch(agent.batch(limit)),
            Some(Effect::SendFinish(finish)) => Request::Finish(finish),
            Some(other) => return Err(format!("not a request: {other:?}")),
        };
        let next = if moves.len() < FAULTS { explorer.choose(&options(&agent, &held)) } else { Move::Deliver };
        moves.push(next);
        let lost = || Reply::Unreachable("lost".into());
        let reply = match next {
            Move::Deliver => backend.take(&request),
            Move::Measure => {
                agent.measure();
                backend.take(&request)
            }
            Move::LoseAnswer => {
                backend.take(&request);
                lost()
            }
            Move::LoseRequest => lost(),
            Move::Damage => refused(400, "body-damaged", 1),
            Move::Duplicate => {
                backend.take(&request);
                held.push(request.clone());
                lost()
            }
            Move::Late => {
                let late = held.remove(0);
                backend.take(&late);
                backend.take(&request)
            }
            Move::Kill | Move::KillForgetting => {
                backend.take(&request);
                agent.restart(next == Move::KillForgetting);
                continue;
            }
        };
        let sent = if let Request::Batch(seqs) = &request { seqs.clone() } else { Vec::new() };
        for effect in agent.session.step(now, Input::Reply(reply)) {
            match effect {
                Effect::Settle(_) => {
                    if let Some(lost) = sent.iter().find(|seq| !backend.inserted.contains_key(seq)) {
                        return Err(format!("{lost} left the spool and is nowhere after {moves:?}"));
                    }
                    agent.position = sent.last().map_or(agent.position, |last| last + 1);
                    agent.settled.extend(&sent);
                    agent.settled_last.clone_from(&sent);
                }
                Effect::SetAside { reason } => return Err(format!("set aside ({reason}) after {moves:?}")),
                Effect::Resend(ranges) if ranges.iter().any(|range| !agent.settled.contains(&range.from_seq)) => {
                    agent.position = 0;
                }
                Effect::Done(End::Delivered) => {
                    for request in held.drain(..) {
                        backend.take(&request); // late requests change nothing
                    }
                    let whole: BTreeMap<u64, u32> = (0..INTERVALS).map(|seq| (seq, 1)).collect();
                    return if backend.inserted == whole {
                        Ok(())
                    } else {
                        Err(format!("{:?} is stored after {moves:?}", backend.inserted))
                    };
                }
                Effect::Done(end) => return Err(format!("ended as {end:?} after {moves:?}")),
                _ => {}
            }
        }
    }
    Err(format!("no end after {moves:?}"))
}

fn options(agent: &Agent, held: &[Request]) -> Vec<Move> {
    let mut found = vec![Move::Deliver, Move::LoseAnswer, Move::LoseRequest, Move::Damage, Move::Kill];
    if agent.measured < INTERVALS {
        found.push(Move::Measure);
    }
    if held.is_empty() {
        found.push(Move::Duplicate);
    } else {
        found.push(Move::Late);
    }
    if !agent.settled_last.is_empty() {
        found.push(Move::KillForgetting);
    }
    found
}

#[test]
fn whatever_the_network_does_each_interval_is_stored_once() {
    let mut explorer = Explorer::default();
    let mut histories = 0_u64;
    loop {
        if let Err(why) = play(&mut explorer) {
            panic!("{why}");
        }
        histories += 1;
        if !explorer.advance() {
            break;
        }
    }
    println!("{histories} histories");
    assert!(histories > 100_000, "{histories} histories are not all of them");
}
