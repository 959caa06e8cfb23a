//! The session of one measuring thread with a server: its connections, without an async runtime, locks or further threads.
//!
//! Answers arrive in the order of the requests, so a connection stores only the requests. Each turn reads everything that is ready,
//! with one time stamp for each read, and writes all new requests of a connection together, with one time stamp before. All
//! commands in flight on a connection share the cost of a turn: waiting, reading, writing, the clock. A broken connection is
//! connected again automatically, not more often than its back-off allows. Until then its commands fail.

mod connecting;
mod rotation;

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use measure::clock::{MonotonicTime, TimeSource};
use measure::series::WorkloadError;
use runner::{End, Session};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::command::{Command, Completion, Request};
use crate::connection::{Connection, FIRST_BACK_OFF_NS, INBOX_BYTES, InFlightCommand, Server, State};
use crate::protocol::{Broken, Decoded, Protocol};

/// Time limit for connecting and greeting, in nanoseconds.
const CONNECT_NS: u64 = 2_000_000_000;
/// Maximum number of sockets in a single poll.
const MOST_EVENTS: usize = 256;
/// Minimum length in nanoseconds of a wait that may end at a whole millisecond, for which one call of `epoll_wait` is enough.
const LONG_WAIT_NS: u64 = 20_000_000;

/// A command that begins.
#[derive(Debug, Clone, Copy)]
pub struct Submission {
    pub request: Request,
    /// Time of the first submission in nanoseconds, if the command was sent to another node before.
    pub submitted_ns: Option<u64>,
    /// Whether the slot of the command is being moved to this server.
    pub asks: bool,
}

impl Submission {
    /// Creates a command that is sent for the first time.
    pub fn of(request: Request) -> Self {
        Self { request, submitted_ns: None, asks: false }
    }
}

pub struct ServerSession<P: Protocol> {
    server: Server<P>,
    time: Arc<dyn TimeSource>,
    /// Readable when a connection is ready.
    pub poll: OwnedFd,
    events: Vec<epoll::Event>,
    connections: Vec<Connection<P>>,
    /// Connections with a free slot, in rotation. A connection without a free slot may still be included.
    with_free_slot: VecDeque<usize>,
    free: usize,
    in_flight: usize,
    pub down: usize,
    /// Connections with unwritten requests.
    fresh: Vec<usize>,
    /// Commands that failed without an answer and are not reported yet.
    failed: Vec<Completion>,
    /// Buffer for the next message of a greeting.
    greeting_bytes: Vec<u8>,
}

impl<P: Protocol> ServerSession<P> {
    /// Creates a session with `connections` connections, and waits until they are connected, at most [`CONNECT_NS`].
    pub fn new(server: &Server<P>, connections: usize) -> Result<Self, WorkloadError> {
        let explain = |error: rustix::io::Errno| WorkloadError(format!("epoll cannot be set up: {error}"));
        let mut session = Self {
            poll: epoll::create(epoll::CreateFlags::CLOEXEC).map_err(explain)?,
            time: Arc::new(MonotonicTime::start()),
            events: Vec::with_capacity(MOST_EVENTS),
            connections: (0..connections).map(|_| Connection::new(server.depth)).collect(),
            with_free_slot: (0..connections).collect(),
            free: connections * server.depth,
            in_flight: 0,
            down: connections,
            fresh: Vec::with_capacity(connections),
            failed: Vec::new(),
            greeting_bytes: Vec::new(),
            server: server.clone(),
        };
        session.reconnect(0);
        // Waits here, so that no latency includes connecting.
        let deadline_ns = session.time.now_ns() + CONNECT_NS;
        let mut nothing = Vec::new();
        while session.down > 0 && session.time.now_ns() < deadline_ns {
            session.step(session.time.now_ns() + FIRST_BACK_OFF_NS, &mut nothing)?;
        }
        Ok(session)
    }

    /// Writes new requests. All of them have the same submission time.
    fn flush(&mut self) {
        if self.fresh.is_empty() {
            return;
        }
        let now_ns = self.time.now_ns();
        let mut fresh = std::mem::take(&mut self.fresh);
        for index in fresh.drain(..) {
            self.write(index, now_ns);
        }
        self.fresh = fresh;
    }

    fn write(&mut self, index: usize, now_ns: u64) {
        let connection = &mut self.connections[index];
        let State::Connected(channel) = &mut connection.state else { return };
        let first = connection.waiting.len() - connection.unwritten;
        for entry in connection.waiting.range_mut(first..) {
            // The second round of a scan keeps the submission time of the first.
            entry.submitted_ns.get_or_insert(now_ns);
        }
        connection.unwritten = 0;
        match channel.write(&mut connection.outbox) {
            Ok(true) => {}
            Ok(false) => {
                let data = EventData::new_u64(index as u64);
                let _ = epoll::modify(&self.poll, &*channel, data, EventFlags::IN | EventFlags::OUT);
            }
            Err(error) => self.disconnect(index, now_ns, &error),
        }
    }

    /// Writes, waits until a socket is ready or `until_ns` is reached, and reads.
    pub fn step(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        if self.down > 0 {
            self.reconnect(self.time.now_ns());
        }
        self.flush();
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let left_ns = until_ns.saturating_sub(self.time.now_ns());
        if left_ns >= LONG_WAIT_NS && self.down == 0 && self.failed.is_empty() {
            self.poll_sockets(&mut events, left_ns)?;
        } else if (self.in_flight == 0 || !self.poll_sockets(&mut events, 0)?) && self.failed.is_empty() {
            self.sleep(left_ns)?;
            self.poll_sockets(&mut events, 0)?;
        }
        for event in &events {
            let index = usize::try_from(event.data.u64()).unwrap_or(usize::MAX);
            self.handle_event(index, event.flags, completions);
        }
        self.events = events;
        let failed = self.failed.len();
        self.free += failed;
        self.in_flight -= failed;
        completions.append(&mut self.failed);
        Ok(())
    }

    /// Returns whether any socket is ready within `within_ns`, rounded down to milliseconds.
    fn poll_sockets(&self, events: &mut Vec<epoll::Event>, within_ns: u64) -> Result<bool, WorkloadError> {
        let within = Duration::from_millis(within_ns / 1_000_000);
        let within =
            Timespec::try_from(within).map_err(|error| WorkloadError(format!("a wait is too long: {error}")))?;
        match epoll::wait(&self.poll, rustix::buffer::spare_capacity(events), Some(&within)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(WorkloadError(format!("epoll failed: {error}"))),
        }
    }

    /// Waits with the precision of a nanosecond, which `epoll_wait` does not have on older kernels.
    fn sleep(&self, mut left_ns: u64) -> Result<(), WorkloadError> {
        if self.down > 0 {
            left_ns = left_ns.min(FIRST_BACK_OFF_NS);
        }
        wait_readable(&self.poll, left_ns)
            .map_err(|error| WorkloadError(format!("waiting for the server failed: {error}")))
    }

    fn handle_event(&mut self, index: usize, flags: EventFlags, completions: &mut Vec<Completion>) {
        let Some(connection) = self.connections.get_mut(index) else { return };
        if matches!(connection.state, State::Connected(_)) && !flags.contains(EventFlags::OUT) {
            return self.read(index, completions);
        }
        let now_ns = self.time.now_ns();
        match &mut connection.state {
            State::Disconnected(_) => return,
            State::Connecting { channel, greeting: greeting @ None, .. } => {
                if !channel.has_begun() {
                    if !flags.intersects(EventFlags::OUT | EventFlags::ERR | EventFlags::HUP) {
                        return;
                    }
                    if let Err(error) = channel.begin() {
                        return self.disconnect(index, now_ns, &error);
                    }
                    let data = EventData::new_u64(index as u64);
                    let _ = epoll::modify(&self.poll, &*channel, data, EventFlags::IN);
                } else if let Err(error) = channel.read(&mut connection.inbox).and_then(check_open) {
                    return self.disconnect(index, now_ns, &error);
                }
                if !channel.is_open() {
                    return;
                }
                self.greeting_bytes.clear();
                match self.server.protocol.greet(&mut self.greeting_bytes) {
                    Ok(begun) => *greeting = Some(begun),
                    Err(Broken(code)) => return self.disconnect(index, now_ns, &io::Error::from_raw_os_error(code)),
                }
                return self.send_greeting(index, now_ns);
            }
            State::Connecting { .. } => {}
            State::Connected(channel) => {
                let data = EventData::new_u64(index as u64);
                let _ = epoll::modify(&self.poll, &*channel, data, EventFlags::IN);
                self.write(index, now_ns);
            }
        }
        self.read(index, completions);
    }

    fn read(&mut self, index: usize, completions: &mut Vec<Completion>) {
        let connection = &mut self.connections[index];
        let (State::Connected(channel) | State::Connecting { channel, .. }) = &mut connection.state else { return };
        if connection.inbox.spare_capacity_mut().len() < INBOX_BYTES / 2 {
            connection.inbox.reserve(connection.inbox.capacity().max(INBOX_BYTES));
        }
        let read = channel.read(&mut connection.inbox);
        // Taken after the read: a delay of this thread in between makes latencies longer, never shorter.
        let now_ns = self.time.now_ns();
        match read {
            Ok(None) => return,
            Ok(Some(0)) => return self.disconnect(index, now_ns, &io::Error::from_raw_os_error(libc::ECONNRESET)),
            Ok(Some(_)) => {}
            Err(error) => return self.disconnect(index, now_ns, &error),
        }
        let mut consumed = 0;
        loop {
            let connection = &mut self.connections[index];
            let bytes = &connection.inbox[consumed..];
            if let State::Connecting { greeting: Some(greeting), .. } = &mut connection.state {
                self.greeting_bytes.clear();
                match self.server.protocol.go_on(greeting, bytes, &mut self.greeting_bytes) {
                    Ok(Some(length)) => consumed += length,
                    Ok(None) => break,
                    Err(Broken(code)) => return self.disconnect(index, now_ns, &io::Error::from_raw_os_error(code)),
                }
                self.send_greeting(index, now_ns);
                continue;
            }
            let written = connection.waiting.len() - connection.unwritten;
            let oldest = connection.waiting.front().filter(|_| written > 0).map(|entry| entry.request.command);
            let (end, length) = match self.server.protocol.read(oldest, bytes) {
                Ok(Decoded::Ended(end, length)) => (end, length),
                Ok(Decoded::Skipped(length)) => {
                    consumed += length;
                    continue;
                }
                Ok(Decoded::Incomplete) => break,
                Err(Broken(code)) => return self.disconnect(index, now_ns, &io::Error::from_raw_os_error(code)),
            };
            let Connection { inbox, outbox, waiting, unwritten, .. } = connection;
            let answer = &inbox[consumed..consumed + length];
            consumed += length;
            let Some(mut entry) = waiting.pop_front() else { break };
            if entry.skipped > 0 {
                entry.skipped -= 1;
                waiting.push_front(entry);
                continue;
            }
            if entry.end == End::Done {
                entry.end = end;
            }
            if entry.further > 0 {
                entry.further -= 1;
                waiting.push_front(entry);
                continue;
            }
            let command = entry.request.command;
            if let (Command::Scan { number, .. }, End::Done) = (command, end) {
                let answers = self.server.protocol.follow(command, answer, outbox);
                if answers > 0 {
                    entry.request.command = Command::ScanRest { number };
                    entry.further = answers - 1;
                    waiting.push_back(entry);
                    if *unwritten == 0 {
                        self.fresh.push(index);
                    }
                    *unwritten += 1;
                    continue;
                }
            }
            let InFlightCommand { request, submitted_ns, inserted, end, .. } = entry;
            if let Some(key) = inserted {
                self.server.protocol.objects().inserted(key);
            }
            let submitted_ns = submitted_ns.unwrap_or(now_ns);
            completions.push(Completion { request, submitted_ns, completed_ns: now_ns, end });
            self.free += 1;
            self.in_flight -= 1;
            self.queue_for_commands(index);
        }
        self.connections[index].inbox.drain(..consumed);
    }

    /// Begins a command that may have been sent to another node before.
    pub fn submit(&mut self, Submission { request, submitted_ns, asks }: Submission) {
        let Some(index) = self.next_connection() else {
            debug_assert_eq!(self.free, 0, "a connection with room is in turn");
            return;
        };
        self.free -= 1;
        self.in_flight += 1;
        if matches!(self.connections[index].state, State::Disconnected(_)) {
            self.reconnect(self.time.now_ns());
        }
        let connection = &mut self.connections[index];
        if matches!(connection.state, State::Disconnected(_)) {
            let now_ns = self.time.now_ns();
            let end = End::Failed(libc::ENOTCONN);
            self.failed.push(Completion { request, submitted_ns: now_ns, completed_ns: now_ns, end });
            // The command occupies no slot, so the connection stays available.
            self.queue_for_commands(index);
            return;
        }
        let skipped = if asks { self.server.protocol.write_asking(&mut connection.outbox) } else { 0 };
        let inserted = self.server.protocol.write(request.command, &mut connection.outbox);
        let further = self.server.protocol.further_answers(request.command);
        connection.waiting.push_back(InFlightCommand {
            request,
            submitted_ns,
            inserted,
            further,
            end: End::Done,
            skipped,
        });
        if connection.unwritten == 0 {
            self.fresh.push(index);
        }
        connection.unwritten += 1;
    }
}

/// Waits until a descriptor is readable, at most `left_ns` nanoseconds.
pub fn wait_readable(descriptor: &OwnedFd, left_ns: u64) -> io::Result<()> {
    if left_ns == 0 {
        return Ok(());
    }
    let left = Timespec::try_from(Duration::from_nanos(left_ns)).map_err(io::Error::other)?;
    match poll(&mut [PollFd::new(descriptor, PollFlags::IN)], Some(&left)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns an error if the server has closed a connection that is not open yet.
fn check_open(read: Option<usize>) -> io::Result<()> {
    if read == Some(0) { Err(io::Error::from_raw_os_error(libc::ECONNRESET)) } else { Ok(()) }
}

impl<P: Protocol> Session for ServerSession<P> {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        let now_ns = time.now_ns();
        for connection in &mut self.connections {
            match &mut connection.state {
                State::Disconnected(not_before_ns) => *not_before_ns = now_ns,
                State::Connecting { since_ns, .. } => *since_ns = now_ns,
                State::Connected(_) => {}
            }
        }
        self.time = time;
    }

    fn free_slots_of(&self, _: usize) -> usize {
        self.free
    }

    fn begin(&mut self, request: Request) {
        self.submit(Submission::of(request));
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let before = completions.len();
        loop {
            self.step(until_ns, completions)?;
            if completions.len() > before || self.time.now_ns() >= until_ns {
                return Ok(());
            }
        }
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }

    fn under_way(&self, visit: &mut dyn FnMut(&Request)) {
        let waiting = self.connections.iter().flat_map(|connection| &connection.waiting);
        waiting.map(|entry| &entry.request).chain(self.failed.iter().map(|failed| &failed.request)).for_each(visit);
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>) {
        for index in 0..self.connections.len() {
            let late = |command: &InFlightCommand| command.submitted_ns.unwrap_or(command.request.ready_ns) < before_ns;
            let connection = &mut self.connections[index];
            let first = given_up.len();
            connection.waiting.retain(|entry| {
                if late(entry) {
                    given_up.push(entry.request);
                    if let Some(key) = entry.inserted {
                        self.server.protocol.objects().inserted(key);
                    }
                }
                !late(entry)
            });
            let count = given_up.len() - first;
            if count > 0 {
                self.free += count;
                self.in_flight -= count;
                // A late answer on this connection would count as the answer to the next command.
                let now_ns = self.time.now_ns();
                self.disconnect(index, now_ns, &io::Error::from_raw_os_error(libc::ECANCELED));
                self.connections[index].state = State::Disconnected(now_ns);
            }
        }
    }
}
