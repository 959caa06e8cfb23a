//! The interface to the protocols of servers: greeting, encoding of commands and decoding of answers.

use runner::End;

use crate::command::Command;
use crate::objects::Objects;

/// Error for bytes that are no message of a protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMessage;

/// Error for an answer that this protocol does not have, or after which the connection cannot be used. Holds the closest `errno`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken(pub i32);

impl From<NoMessage> for Broken {
    fn from(_: NoMessage) -> Self {
        Self(libc::EPROTO)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoded {
    Incomplete,
    /// Length of a message that answers no command, such as a notice.
    Skipped(usize),
    /// End of the oldest command, and the length of its answer in bytes.
    Ended(End, usize),
}

/// The protocol of a server; each session has its own instance. Answers arrive in the order of the requests.
pub trait Protocol: Clone + Send + 'static {
    /// State of the messages that precede the first command.
    type Greeting;

    /// Returns the objects that keys and values belong to.
    fn objects(&self) -> &Objects;

    /// Begins the greeting and appends its first message, if the server expects any.
    fn greet(&self, into: &mut Vec<u8>) -> Result<Self::Greeting, Broken>;

    /// Continues the greeting with received bytes, appends the next message, and returns how many bytes were read; `None` if too few.
    fn go_on(&self, greeting: &mut Self::Greeting, bytes: &[u8], into: &mut Vec<u8>) -> Result<Option<usize>, Broken>;

    fn is_greeted(&self, greeting: &Self::Greeting) -> bool;

    /// Appends the request of a command, and returns the key that an insert has reserved. A command without a request would never
    /// end, so stores refuse plans with commands that the protocol lacks.
    fn write(&mut self, command: Command, into: &mut Vec<u8>) -> Option<u64>;

    // The next three are for clusters, indexed records and scans.

    /// Appends the prefix of a command that another node redirected here once, and returns the number of answers to the prefix.
    fn write_asking(&self, _: &mut Vec<u8>) -> u32 {
        0
    }

    /// Returns the number of answers to a command after its first answer.
    fn further_answers(&self, _: Command) -> u32 {
        0
    }

    /// Appends the second request of a command with two rounds, given the first answer, and returns the number of its answers.
    fn follow(&mut self, _: Command, _: &[u8], _: &mut Vec<u8>) -> u32 {
        0
    }

    /// Reads the answer to the oldest command; `command` is `None` if no command is in flight.
    fn read(&mut self, command: Option<Command>, bytes: &[u8]) -> Result<Decoded, Broken>;
}
