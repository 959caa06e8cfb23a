//! The state of a connection to a server.

use std::collections::VecDeque;

use runner::End;

use crate::channel::Channel;
use crate::command::Request;
use crate::protocol::Protocol;
use crate::socket::Address;
use crate::tls::Tls;

/// The first pause before connecting again.
pub const FIRST_BACK_OFF_NS: u64 = 50_000_000;
/// Room for answers at first; it grows with the values.
pub const INBOX_BYTES: usize = 16 << 10;

/// A server, for all sessions of a run.
#[derive(Debug, Clone)]
pub struct Server<P> {
    /// Where it listens.
    pub address: Address,
    /// None: in plain text.
    pub tls: Option<Tls>,
    /// Protocol of the server.
    pub protocol: P,
    /// Commands under way at once on each connection.
    pub depth: usize,
}

/// A command that was taken.
#[derive(Debug, Clone, Copy)]
pub struct InFlightCommand {
    pub request: Request,
    /// None until it was written.
    pub submitted_ns: Option<u64>,
    /// The key that an insert took.
    pub inserted: Option<u64>,
    /// Answers that must arrive after the next answer.
    pub further: u32,
    /// The end so far.
    pub end: End,
    /// Answers that come before its own.
    pub skipped: u32,
}

#[derive(Debug)]
pub enum State<G> {
    /// Not connected. The next attempt is not before this time.
    Disconnected(u64),
    /// Connecting, securing or logging in since then.
    Connecting {
        since_ns: u64,
        channel: Channel,
        greeting: Option<G>,
    },
    Connected(Channel),
}

#[derive(Debug)]
pub struct Connection<P: Protocol> {
    pub state: State<P::Greeting>,
    pub back_off_ns: u64,
    pub outbox: Vec<u8>,
    pub inbox: Vec<u8>,
    pub waiting: VecDeque<InFlightCommand>,
    /// Number of waiting commands that are not written yet; they are the last.
    pub unwritten: usize,
    /// Queued for commands, since it has a free slot.
    pub is_queued: bool,
}

impl<P: Protocol> Connection<P> {
    /// Not connected yet, free to do so, for so many commands at once.
    pub fn new(depth: usize) -> Self {
        Self {
            state: State::Disconnected(0),
            back_off_ns: FIRST_BACK_OFF_NS,
            outbox: Vec::with_capacity(4096),
            inbox: Vec::with_capacity(INBOX_BYTES),
            waiting: VecDeque::with_capacity(depth),
            unwritten: 0,
            is_queued: true,
        }
    }
}
