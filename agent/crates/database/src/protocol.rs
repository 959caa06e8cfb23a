//! What drivers differ in: how a connection is greeted, which bytes a command is, and what bytes an answer are.

use std::fmt::Debug;

use runner::End;

use crate::command::Command;
use crate::objects::Objects;

/// What came is no answer of this protocol, or one after which the connection cannot be used; with the error number that
/// comes nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken(pub i32);

/// What the bytes that came say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// Nothing yet: the answer has not arrived whole.
    Incomplete,
    /// So many bytes that answer no command, such as a notice.
    Skipped(usize),
    /// How the oldest command ended, and the length of its answer.
    Ended(End, usize),
}

/// The protocol of a server; each session has one of its own. Answers come in the order of the requests.
pub trait Protocol: Clone + Send + 'static {
    /// What is under way until a connection can be used.
    type Greeting: Debug;

    /// Whom keys and values belong to.
    fn objects(&self) -> &Objects;

    /// Begin the greeting: append its first message.
    ///
    /// # Errors
    /// When that message cannot be encoded.
    fn greet(&self, into: &mut Vec<u8>) -> Result<Self::Greeting, Broken>;

    /// Continues a log-in with received bytes, appends the next message, and returns how many bytes were read; none where more
    /// must arrive first.
    ///
    /// # Errors
    /// When the server does not let us in, or is no such server.
    fn go_on(&self, greeting: &mut Self::Greeting, bytes: &[u8], into: &mut Vec<u8>) -> Result<Option<usize>, Broken>;

    /// Returns whether commands may be sent.
    fn is_greeted(&self, greeting: &Self::Greeting) -> bool;

    /// Append the request of a command; return the key that an insert took.
    fn write(&mut self, command: Command, into: &mut Vec<u8>) -> Option<u64>;

    /// Append the prefix of a command that another node redirected here once; return how many answers that has.
    fn write_asking(&self, _: &mut Vec<u8>) -> u32 {
        0
    }

    /// Returns the number of answers to a command after the first answer.
    fn further_answers(&self, _: Command) -> u32 {
        0
    }

    /// Appends the second request of a command with two rounds, and returns the number of its answers.
    fn follow(&mut self, _: Command, _: &[u8], _: &mut Vec<u8>) -> u32 {
        0
    }

    /// Read the answer to the oldest command; none where no command is under way.
    ///
    /// # Errors
    /// When the bytes are no answer.
    fn read(&mut self, command: Option<Command>, bytes: &[u8]) -> Result<Answered, Broken>;
}
