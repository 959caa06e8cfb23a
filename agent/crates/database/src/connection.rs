//! What is remembered of one connection to a server.

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

/// What every session of a run knows.
#[derive(Debug, Clone)]
pub struct Server<P> {
    /// Where it listens.
    pub address: Address,
    /// None: in plain text.
    pub tls: Option<Tls>,
    /// How it is spoken with.
    pub protocol: P,
    /// Commands under way at once on each connection.
    pub depth: usize,
}

/// A command that was taken.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    pub request: Request,
    /// None until it was written.
    pub submitted_ns: Option<u64>,
    /// The key that an insert took.
    pub inserted: Option<u64>,
    /// Answers that must come beside the next one.
    pub further: u32,
    /// How those ended that came.
    pub end: End,
    /// Answers that come before its own.
    pub skipped: u32,
}

#[derive(Debug)]
pub enum State<G> {
    /// Not connected, and not before this.
    Down(u64),
    /// On the way since then: connecting, securing, or greeting.
    Rising {
        since_ns: u64,
        channel: Channel,
        greeting: Option<G>,
    },
    Up(Channel),
}

#[derive(Debug)]
pub struct Connection<P: Protocol> {
    pub state: State<P::Greeting>,
    pub back_off_ns: u64,
    pub outbox: Vec<u8>,
    pub inbox: Vec<u8>,
    pub waiting: VecDeque<Taken>,
    /// Of those that wait, the last so many are not written yet.
    pub unwritten: usize,
    /// Waits for its turn to take commands, since it has room.
    pub is_in_turn: bool,
}

impl<P: Protocol> Connection<P> {
    /// Not connected yet, free to do so, for so many commands at once.
    pub fn new(depth: usize) -> Self {
        Self {
            state: State::Down(0),
            back_off_ns: FIRST_BACK_OFF_NS,
            outbox: Vec::with_capacity(4096),
            inbox: Vec::with_capacity(INBOX_BYTES),
            waiting: VecDeque::with_capacity(depth),
            unwritten: 0,
            is_in_turn: true,
        }
    }
}
