//! A Redis cluster for one measuring thread: the connections of each node, and which command goes where.
//!
//! A command goes to the node that has the slot of its key. A redirection is followed at once, and its command keeps its times:
//! latency spans both. A request for several objects becomes one for each, as they lie in different slots, and ends with
//! the last of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use keys::placement::redis_slot;
use measure::clock::{MonotonicTime, TimeSource};
use measure::series::WorkloadError;
use runner::{End, Session};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::command::{Command, Completion, Request};
use crate::connection::Server;
use crate::objects::Objects;
use crate::redis_protocol::{MOVED, Redirections, Redis};
use crate::redis_target::share;
use crate::server_session::{Begin, ServerSession};
use crate::slots::{Redirection, Slots};

/// Longest name of a key: prefix, zeros and digits.
const LONGEST_NAME: usize = 128;
/// Requests with this lane are parts of others.
const PART: u16 = u16::MAX;
/// Between two looks at nodes that are not reached.
const LOOK_EVERY_NS: u64 = 50_000_000;

struct Node {
    session: ServerSession<Redis>,
    redirections: Redirections,
    /// For which there is no room yet.
    queue: VecDeque<Begin>,
}

/// A command of several parts, or one that inserts.
struct Whole {
    request: Request,
    left: u32,
    submitted_ns: u64,
    completed_ns: u64,
    end: End,
    inserted: Option<u64>,
    given_up: bool,
}

/// See the module.
pub struct ClusterSession {
    server: Server<Redis>,
    slots: Arc<Slots>,
    nodes: Vec<Node>,
    connections: usize,
    places: usize,
    in_flight: usize,
    wholes: Vec<Option<Whole>>,
    free_wholes: Vec<usize>,
    ended: Vec<Completion>,
    time: Arc<dyn TimeSource>,
}

impl ClusterSession {
    /// So many connections, dealt out to the nodes, each of which gets one at least.
    pub fn new(server: &Server<Redis>, slots: &Arc<Slots>, connections: usize) -> Result<Self, WorkloadError> {
        let mut session = Self {
            server: server.clone(),
            slots: Arc::clone(slots),
            nodes: Vec::new(),
            connections,
            places: connections * server.depth,
            in_flight: 0,
            wholes: Vec::new(),
            free_wholes: Vec::new(),
            ended: Vec::new(),
            time: Arc::new(MonotonicTime::start()),
        };
        session.meet()?;
        Ok(session)
    }

    /// Connects to nodes that were not known before.
    fn meet(&mut self) -> Result<(), WorkloadError> {
        let known = self.slots.count();
        while self.nodes.len() < known {
            let number = self.nodes.len();
            let Some(address) = self.slots.address(number) else { break };
            let mut server = Server { address, ..self.server.clone() };
            let redirections = Redirections::default();
            server.protocol = server.protocol.of_cluster(&redirections);
            let mut session = ServerSession::new(&server, share(self.connections, known, number).max(1))?;
            session.start(Arc::clone(&self.time));
            self.nodes.push(Node { session, redirections, queue: VecDeque::new() });
        }
        Ok(())
    }

    fn objects(&self) -> &Objects {
        self.server.protocol.objects_of()
    }

    fn slot_of(&self, key: u64) -> u16 {
        let (mut name, mut length) = ([0; LONGEST_NAME], 0);
        self.objects().with_name(key, |parts| {
            for part in parts {
                name[length..length + part.len()].copy_from_slice(part);
                length += part.len();
            }
        });
        redis_slot(&name[..length])
    }

    fn send(&mut self, begin: Begin, key: u64) {
        let node = self.slots.node_of(self.slot_of(key));
        if let Some(node) = self.nodes.get_mut(node) {
            node.queue.push_back(begin);
        }
    }

    fn add_whole(&mut self, request: Request, left: u32, inserted: Option<u64>) -> u32 {
        let whole =
            Whole { request, left, submitted_ns: u64::MAX, completed_ns: 0, end: End::Done, inserted, given_up: false };
        let place = self.free_wholes.pop().unwrap_or_else(|| {
            self.wholes.push(None);
            self.wholes.len() - 1
        });
        self.wholes[place] = Some(whole);
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// A part of a whole ended; the whole where it was the last one.
    fn part_ended(&mut self, place: u32) -> Option<Whole> {
        let place = place as usize;
        let whole = self.wholes.get_mut(place)?.as_mut()?;
        whole.left -= 1;
        if whole.left > 0 {
            return None;
        }
        self.free_wholes.push(place);
        let whole = self.wholes[place].take()?;
        if let Some(key) = whole.inserted {
            self.objects().inserted(key);
        }
        Some(whole)
    }

    fn settle(&mut self, completion: Completion, completions: &mut Vec<Completion>) {
        if completion.request.lane != PART {
            self.in_flight -= 1;
            completions.push(completion);
            return;
        }
        let place = completion.request.unit;
        if let Some(whole) = self.wholes.get_mut(place as usize).and_then(Option::as_mut) {
            whole.submitted_ns = whole.submitted_ns.min(completion.submitted_ns);
            whole.completed_ns = whole.completed_ns.max(completion.completed_ns);
            if whole.end == End::Done {
                whole.end = completion.end;
            }
        }
        if let Some(whole) = self.part_ended(place).filter(|whole| !whole.given_up) {
            self.in_flight -= 1;
            let Whole { request, submitted_ns, completed_ns, end, .. } = whole;
            completions.push(Completion { request, submitted_ns, completed_ns, end });
        }
    }

    /// Hands over what waits, reads what came, and follows redirections; whether there is more to do at once.
    fn turn(&mut self, completions: &mut Vec<Completion>) -> Result<bool, WorkloadError> {
        let mut again = false;
        for place in 0..self.nodes.len() {
            let node = &mut self.nodes[place];
            while node.session.free_places(0) > 0
                && let Some(begin) = node.queue.pop_front()
            {
                node.session.begin_as(begin);
            }
            node.session.turn_now(&mut self.ended)?;
            let mut ended = std::mem::take(&mut self.ended);
            for completion in ended.drain(..) {
                if completion.end != End::Failed(MOVED) {
                    self.settle(completion, completions);
                } else if let Some(redirection) = self.nodes[place].redirections.take() {
                    again = true;
                    self.follow(completion, &redirection, completions)?;
                }
            }
            self.ended = ended;
            let node = &self.nodes[place];
            again |= !node.queue.is_empty() && node.session.free_places(0) > 0;
        }
        Ok(again)
    }

    fn follow(
        &mut self,
        completion: Completion,
        redirection: &Redirection,
        completions: &mut Vec<Completion>,
    ) -> Result<(), WorkloadError> {
        let Ok(node) = self.slots.follow(redirection) else {
            self.settle(Completion { end: End::Failed(libc::EHOSTUNREACH), ..completion }, completions);
            return Ok(());
        };
        self.meet()?;
        self.objects().redirected();
        let begin = Begin {
            asks: redirection.asks,
            submitted_ns: Some(completion.submitted_ns),
            ..Begin::of(completion.request)
        };
        self.nodes[node].queue.push_back(begin);
        Ok(())
    }

    /// Waits until a node is ready or the time has come.
    fn sleep(&self, until_ns: u64) -> Result<(), WorkloadError> {
        let mut left_ns = until_ns.saturating_sub(self.time.now_ns());
        if self.nodes.iter().any(|node| node.session.is_down()) {
            left_ns = left_ns.min(LOOK_EVERY_NS);
        }
        if left_ns == 0 {
            return Ok(());
        }
        let failed = |error: &dyn std::fmt::Display| WorkloadError(format!("waiting for the cluster failed: {error}"));
        let left = Timespec::try_from(Duration::from_nanos(left_ns)).map_err(|error| failed(&error))?;
        let mut fds: Vec<PollFd<'_>> =
            self.nodes.iter().map(|node| PollFd::new(node.session.watched(), PollFlags::IN)).collect();
        match poll(&mut fds, Some(&left)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }
}

impl Session for ClusterSession {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        for node in &mut self.nodes {
            node.session.start(Arc::clone(&time));
        }
        self.time = time;
    }

    fn free_places(&self, _: usize) -> usize {
        self.places - self.in_flight.min(self.places)
    }

    fn begin(&mut self, request: Request) {
        self.in_flight += 1;
        match request.command {
            Command::Read { key, .. } | Command::Update { key, .. } | Command::Load { key } => {
                self.send(Begin::of(request), key);
            }
            Command::Insert { .. } => {
                let key = self.objects().take_key();
                let unit = self.add_whole(request, 1, Some(key));
                let part = Request { command: Command::Load { key }, lane: PART, unit, ..request };
                self.send(Begin::of(part), key);
            }
            Command::ReadMany { number, count } => {
                let unit = self.add_whole(request, count, None);
                for number in number..number + u64::from(count) {
                    let key = self.objects().drawn(number);
                    let part = Request { command: Command::Read { key, number }, lane: PART, unit, ..request };
                    self.send(Begin::of(part), key);
                }
            }
            // Refused before anything is prepared.
            Command::Scan { .. } | Command::ScanRest { .. } => {}
        }
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let before = completions.len();
        loop {
            let again = self.turn(completions)?;
            if completions.len() > before || self.time.now_ns() >= until_ns {
                return Ok(());
            }
            if !again {
                self.sleep(until_ns)?;
            }
        }
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }

    fn under_way(&self, look: &mut dyn FnMut(&Request)) {
        let mut alone = |request: &Request| {
            if request.lane != PART {
                look(request);
            }
        };
        for node in &self.nodes {
            node.session.under_way(&mut alone);
            node.queue.iter().for_each(|begin| alone(&begin.request));
        }
        self.wholes.iter().flatten().filter(|whole| !whole.given_up).for_each(|whole| look(&whole.request));
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>) {
        let mut late = Vec::new();
        for node in &mut self.nodes {
            node.session.give_up(before_ns, &mut late);
            node.queue.retain(|begin| {
                let is_late = begin.submitted_ns.unwrap_or(begin.request.ready_ns) < before_ns;
                if is_late {
                    late.push(begin.request);
                }
                !is_late
            });
        }
        for request in late {
            if request.lane != PART {
                self.in_flight -= 1;
                given_up.push(request);
                continue;
            }
            if let Some(whole) = self.wholes.get_mut(request.unit as usize).and_then(Option::as_mut)
                && !std::mem::replace(&mut whole.given_up, true)
            {
                self.in_flight -= 1;
                given_up.push(whole.request);
            }
            self.part_ended(request.unit);
        }
    }
}
