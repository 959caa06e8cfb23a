//! The session of one measuring thread with a cluster: connections to all nodes, and the routing of commands.
//!
//! A command goes to the node that owns its key. If the node redirects it, it is sent again at once and keeps its times: the
//! latency spans both attempts. A request for several objects is split by node, and ends with its last part.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use measure::clock::{MonotonicTime, TimeSource};
use measure::series::WorkloadError;
use runner::{End, Session};
use rustix::event::epoll::{self, EventData, EventFlags};

use crate::command::{Command, Completion, Request};
use crate::connection::Server;
use crate::objects::Objects;
use crate::protocol::Protocol;
use crate::server_session::{ServerSession, Submission, wait_readable};
use crate::stage::share;

/// Lane of requests that are parts of another request.
const PART: u16 = u16::MAX;
/// Longest wait while a node is disconnected, so that it is connected again in time.
const CHECK_EVERY_NS: u64 = 50_000_000;

/// Routing rules of a kind of cluster. The index of a node never changes.
pub trait Cluster: Send {
    type Protocol: Protocol;

    fn count(&self) -> usize;

    /// Returns whether the cluster has more nodes than this number by now.
    fn has_grown(&self, _: usize) -> bool {
        false
    }

    /// Returns the server of a node; `None` if its address is unknown.
    fn server(&mut self, node: usize) -> Option<Server<Self::Protocol>>;

    fn objects(&self) -> &Objects;

    fn node_of(&self, key: u64) -> usize;

    /// Passes the parts of a request for `count` objects, from read `number` on, to `to`, each with its node.
    fn split(&self, number: u64, count: u32, to: &mut dyn FnMut(usize, Command));

    /// Returns where a command is redirected to that ended with `end` on `node`; `None` if it is not redirected.
    fn redirect_target(&mut self, node: usize, end: End) -> Option<Result<RedirectTarget, ()>>;
}

#[derive(Debug, Clone, Copy)]
pub struct RedirectTarget {
    pub node: usize,
    /// Whether only this command is redirected, since its slot is being moved.
    pub asks: bool,
}

struct Node<P: Protocol> {
    session: ServerSession<P>,
    /// Commands that wait for a free slot.
    queue: VecDeque<Submission>,
}

/// A request of several parts, or an insert.
struct FanOutRequest {
    request: Request,
    left: u32,
    submitted_ns: u64,
    completed_ns: u64,
    end: End,
    inserted: Option<u64>,
    given_up: bool,
}

/// The session of one measuring thread with all nodes of a cluster.
pub struct ClusterSession<C: Cluster> {
    cluster: C,
    nodes: Vec<Node<C::Protocol>>,
    /// Readable when the session with any node is ready.
    poll: OwnedFd,
    /// Buffer for the parts of a request while it is split.
    parts: Vec<(usize, Command)>,
    connections: usize,
    slots: usize,
    in_flight: usize,
    fan_outs: Vec<Option<FanOutRequest>>,
    free_fan_outs: Vec<usize>,
    ended: Vec<Completion>,
    time: Arc<dyn TimeSource>,
}

impl<C: Cluster> ClusterSession<C> {
    /// Creates a session with `connections` connections of `depth` commands each, spread over the nodes, at least one for each.
    pub fn new(cluster: C, depth: usize, connections: usize) -> Result<Self, WorkloadError> {
        let explain = |error: rustix::io::Errno| WorkloadError(format!("epoll cannot be set up: {error}"));
        let mut session = Self {
            cluster,
            nodes: Vec::new(),
            poll: epoll::create(epoll::CreateFlags::CLOEXEC).map_err(explain)?,
            parts: Vec::new(),
            connections,
            slots: connections * depth,
            in_flight: 0,
            fan_outs: Vec::new(),
            free_fan_outs: Vec::new(),
            ended: Vec::new(),
            time: Arc::new(MonotonicTime::start()),
        };
        session.connect_nodes()?;
        Ok(session)
    }

    fn connect_nodes(&mut self) -> Result<(), WorkloadError> {
        let count = self.cluster.count();
        while self.nodes.len() < count {
            let number = self.nodes.len();
            let Some(server) = self.cluster.server(number) else { break };
            let mut session = ServerSession::new(&server, share(self.connections, count, number).max(1))?;
            session.start(Arc::clone(&self.time));
            epoll::add(&self.poll, &session.poll, EventData::new_u64(number as u64), EventFlags::IN)
                .map_err(|error| WorkloadError(format!("epoll cannot be set up: {error}")))?;
            self.nodes.push(Node { session, queue: VecDeque::new() });
        }
        Ok(())
    }

    fn send(&mut self, begin: Submission, key: u64) {
        let node = self.cluster.node_of(key);
        self.send_to(node, begin);
    }

    /// Queues a command for a node. An unknown node is replaced by the first node, which redirects the command.
    fn send_to(&mut self, node: usize, begin: Submission) {
        let node = if node < self.nodes.len() { node } else { 0 };
        if let Some(node) = self.nodes.get_mut(node) {
            node.queue.push_back(begin);
        }
    }

    fn add_fan_out(&mut self, request: Request, left: u32, inserted: Option<u64>) -> u32 {
        let fan_out = FanOutRequest {
            request,
            left,
            submitted_ns: u64::MAX,
            completed_ns: 0,
            end: End::Done,
            inserted,
            given_up: false,
        };
        let index = self.free_fan_outs.pop().unwrap_or_else(|| {
            self.fan_outs.push(None);
            self.fan_outs.len() - 1
        });
        self.fan_outs[index] = Some(fan_out);
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    /// Ends a part, and returns its request if it was the last part.
    fn part_ended(&mut self, index: u32) -> Option<FanOutRequest> {
        let index = index as usize;
        let fan_out = self.fan_outs.get_mut(index)?.as_mut()?;
        fan_out.left -= 1;
        if fan_out.left > 0 {
            return None;
        }
        self.free_fan_outs.push(index);
        let fan_out = self.fan_outs[index].take()?;
        if let Some(key) = fan_out.inserted {
            self.cluster.objects().inserted(key);
        }
        Some(fan_out)
    }

    fn settle(&mut self, completion: Completion, completions: &mut Vec<Completion>) {
        if completion.request.lane != PART {
            self.in_flight -= 1;
            completions.push(completion);
            return;
        }
        let index = completion.request.unit;
        if let Some(fan_out) = self.fan_outs.get_mut(index as usize).and_then(Option::as_mut) {
            fan_out.submitted_ns = fan_out.submitted_ns.min(completion.submitted_ns);
            fan_out.completed_ns = fan_out.completed_ns.max(completion.completed_ns);
            if fan_out.end == End::Done {
                fan_out.end = completion.end;
            }
        }
        if let Some(fan_out) = self.part_ended(index).filter(|fan_out| !fan_out.given_up) {
            self.in_flight -= 1;
            let FanOutRequest { request, submitted_ns, completed_ns, end, .. } = fan_out;
            completions.push(Completion { request, submitted_ns, completed_ns, end });
        }
    }

    /// Sends queued commands, reads answers and follows redirections. Returns whether more can be done without waiting.
    fn step(&mut self, completions: &mut Vec<Completion>) -> Result<bool, WorkloadError> {
        let mut again = false;
        for index in 0..self.nodes.len() {
            let node = &mut self.nodes[index];
            while node.session.free_slots_of(0) > 0
                && let Some(begin) = node.queue.pop_front()
            {
                node.session.submit(begin);
            }
            node.session.step(0, &mut self.ended)?;
            let mut ended = std::mem::take(&mut self.ended);
            for completion in ended.drain(..) {
                match self.cluster.redirect_target(index, completion.end) {
                    None => self.settle(completion, completions),
                    Some(Err(())) => {
                        self.settle(Completion { end: End::Failed(libc::EHOSTUNREACH), ..completion }, completions);
                    }
                    Some(Ok(redirect_target)) => {
                        again = true;
                        self.follow(completion, redirect_target)?;
                    }
                }
            }
            self.ended = ended;
            let node = &self.nodes[index];
            again |= !node.queue.is_empty() && node.session.free_slots_of(0) > 0;
        }
        Ok(again)
    }

    fn follow(
        &mut self,
        completion: Completion,
        RedirectTarget { node, asks }: RedirectTarget,
    ) -> Result<(), WorkloadError> {
        self.connect_nodes()?;
        self.cluster.objects().reports.redirect();
        let submitted_ns = Some(completion.submitted_ns);
        self.send_to(node, Submission { submitted_ns, asks, ..Submission::of(completion.request) });
        Ok(())
    }

    /// Waits until a node is ready, at most until `until_ns`.
    fn sleep(&self, until_ns: u64) -> Result<(), WorkloadError> {
        let mut left_ns = until_ns.saturating_sub(self.time.now_ns());
        if self.nodes.iter().any(|node| node.session.down > 0) {
            left_ns = left_ns.min(CHECK_EVERY_NS);
        }
        wait_readable(&self.poll, left_ns)
            .map_err(|error| WorkloadError(format!("waiting for the cluster failed: {error}")))
    }
}

impl<C: Cluster> Session for ClusterSession<C> {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        for node in &mut self.nodes {
            node.session.start(Arc::clone(&time));
        }
        self.time = time;
    }

    fn free_slots_of(&self, _: usize) -> usize {
        self.slots - self.in_flight.min(self.slots)
    }

    fn begin(&mut self, request: Request) {
        self.in_flight += 1;
        match request.command {
            Command::Read { key, .. } | Command::Update { key, .. } | Command::Load { key } => {
                self.send(Submission::of(request), key);
            }
            Command::Insert { .. } => {
                let key = self.cluster.objects().take_key();
                let unit = self.add_fan_out(request, 1, Some(key));
                let part = Request { command: Command::Load { key }, lane: PART, unit, ..request };
                self.send(Submission::of(part), key);
            }
            Command::ReadMany { number, count } => {
                let mut parts = std::mem::take(&mut self.parts);
                self.cluster.split(number, count, &mut |node, command| parts.push((node, command)));
                let unit = self.add_fan_out(request, u32::try_from(parts.len()).unwrap_or(u32::MAX), None);
                for (node, command) in parts.drain(..) {
                    self.send_to(node, Submission::of(Request { command, lane: PART, unit, ..request }));
                }
                self.parts = parts;
            }
            // Stores refuse scans on a cluster when they are opened, and only this session creates parts of requests.
            Command::Scan { .. } | Command::ScanRest { .. } | Command::ReadOf { .. } => {}
        }
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let before = completions.len();
        if self.cluster.has_grown(self.nodes.len()) {
            self.connect_nodes()?;
        }
        loop {
            let again = self.step(completions)?;
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

    fn under_way(&self, visit: &mut dyn FnMut(&Request)) {
        let mut alone = |request: &Request| {
            if request.lane != PART {
                visit(request);
            }
        };
        for node in &self.nodes {
            node.session.under_way(&mut alone);
            node.queue.iter().for_each(|begin| alone(&begin.request));
        }
        self.fan_outs.iter().flatten().filter(|fan_out| !fan_out.given_up).for_each(|fan_out| visit(&fan_out.request));
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
            if let Some(fan_out) = self.fan_outs.get_mut(request.unit as usize).and_then(Option::as_mut)
                && !std::mem::replace(&mut fan_out.given_up, true)
            {
                self.in_flight -= 1;
                given_up.push(fan_out.request);
            }
            self.part_ended(request.unit);
        }
    }
}
