//! The state of a connection to a server.

use std::collections::VecDeque;

use runner::End;

use crate::channel::Channel;
use crate::command::Request;
use crate::protocol::Protocol;
use crate::socket::Address;
use crate::tls::Tls;

/// First pause before connecting again, in nanoseconds.
pub const FIRST_BACK_OFF_NS: u64 = 50_000_000;
/// Initial capacity for answers in bytes; it grows with the values. One read takes all answers of a full pipeline, so the requests that
/// replace them leave together: with 16 KiB, sixteen answers of 1,024 bytes took two reads, and a third more processor time.
pub const INBOX_BYTES: usize = 64 << 10;

/// A server, shared by all sessions of a run.
#[derive(Debug, Clone)]
pub struct Server<P> {
    pub address: Address,
    /// TLS settings; `None` for plain text.
    pub tls: Option<Tls>,
    pub protocol: P,
    /// Maximum number of commands in flight on each connection.
    pub depth: usize,
}

#[derive(Debug, Clone, Copy)]
pub struct InFlightCommand {
    pub request: Request,
    /// Time of writing in nanoseconds; `None` if not yet written.
    pub submitted_ns: Option<u64>,
    /// Key that an insert has reserved.
    pub inserted: Option<u64>,
    /// Number of answers that follow the next answer.
    pub further: u32,
    /// Result of the answers so far.
    pub end: End,
    /// Number of answers that precede the answers to the command itself.
    pub skipped: u32,
}

#[derive(Debug)]
pub enum State<G> {
    /// Not connected. The next attempt is not earlier than this time, in nanoseconds.
    Disconnected(u64),
    /// Connecting, in the TLS handshake, or logging in since `since_ns`.
    Connecting { since_ns: u64, channel: Channel, greeting: Option<G> },
    /// Logged in.
    Connected(Channel),
}

#[derive(Debug)]
pub struct Connection<P: Protocol> {
    pub state: State<P::Greeting>,
    pub back_off_ns: u64,
    pub outbox: Vec<u8>,
    pub inbox: Vec<u8>,
    pub waiting: VecDeque<InFlightCommand>,
    /// Number of commands at the end of `waiting` that are not written yet.
    pub unwritten: usize,
    /// Whether the connection is queued for commands because it has a free slot.
    pub is_queued: bool,
}

impl<P: Protocol> Connection<P> {
    /// Creates an unconnected connection for `depth` commands at once; it may connect immediately.
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
