//! The Redis and Valkey protocol of a measured session.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use runner::End;

use crate::command::Command;
use crate::objects::Objects;
use crate::protocol::{Broken, Decoded, Protocol};
use crate::redis::resp::{self, Answer};
use crate::redis::slots::Redirection;

/// User, password and database of a connection.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Login {
    /// Name of the user; `None` for `default`.
    pub username: Option<String>,
    pub password: Option<String>,
    /// Number of the logical database; `None` for the first.
    pub database: Option<String>,
}

impl Login {
    /// Returns the login requests of version 2 of the protocol, and their number.
    pub fn requests(&self) -> (Vec<u8>, usize) {
        let (mut requests, mut count) = (Vec::new(), 0);
        let mut say = |words: &[&[u8]]| {
            resp::write_request(words, &mut requests);
            count += 1;
        };
        match (&self.username, &self.password) {
            (Some(username), Some(password)) => say(&[b"AUTH", username.as_bytes(), password.as_bytes()]),
            (None, Some(password)) => say(&[b"AUTH", password.as_bytes()]),
            (_, None) => {}
        }
        if let Some(database) = &self.database {
            say(&[b"SELECT", database.as_bytes()]);
        }
        (requests, count)
    }

    /// Returns the request for version 3 of the protocol, which includes the login if there is a password.
    fn hello(&self) -> Vec<u8> {
        let (mut request, username) = (Vec::new(), self.username.as_deref().unwrap_or("default"));
        match &self.password {
            Some(password) => {
                let words: [&[u8]; 5] = [b"HELLO", b"3", b"AUTH", username.as_bytes(), password.as_bytes()];
                resp::write_request(&words, &mut request);
            }
            None => resp::write_request(&[b"HELLO", b"3"], &mut request),
        }
        request
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Greeting {
    /// Version 3 of the protocol was requested.
    Hello,
    /// This many answers are outstanding.
    Answers(usize),
}

/// Error number of a command whose slot belongs to another node.
pub const MOVED: i32 = -1;

/// Redirections by a node, in the order of the answers. Only the thread of the session uses them.
#[derive(Debug, Clone, Default)]
pub struct Redirections(Arc<Mutex<VecDeque<Redirection>>>);

impl Redirections {
    #[cold]
    fn add(&self, redirection: Redirection) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(redirection);
    }

    /// Removes the oldest redirection and returns it.
    pub fn take(&self) -> Option<Redirection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Encodes commands on objects, and decodes the answers.
#[derive(Clone)]
pub struct Redis {
    login: Arc<Login>,
    objects: Arc<Objects>,
    /// Redirections by the node of a cluster; `None` for a single server.
    redirections: Option<Redirections>,
}

impl Redis {
    pub fn new(login: Arc<Login>, objects: Arc<Objects>) -> Self {
        Self { login, objects, redirections: None }
    }

    pub fn of_cluster(&self, redirections: &Redirections) -> Self {
        Self { redirections: Some(redirections.clone()), ..self.clone() }
    }
}

impl Protocol for Redis {
    type Greeting = Greeting;

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn greet(&self, into: &mut Vec<u8>) -> Result<Greeting, Broken> {
        into.extend_from_slice(&self.login.hello());
        Ok(Greeting::Hello)
    }

    fn go_on(&self, greeting: &mut Greeting, bytes: &[u8], into: &mut Vec<u8>) -> Result<Option<usize>, Broken> {
        let Some((answer, length)) = resp::read_answer(bytes)? else {
            return Ok(None);
        };
        *greeting = match (*greeting, answer) {
            (same, Answer::OutOfBand) => same,
            (Greeting::Hello, Answer::List { .. }) => {
                // The first request has already sent the password.
                let rest = Login { username: None, password: None, database: self.login.database.clone() };
                let (requests, count) = rest.requests();
                into.extend_from_slice(&requests);
                Greeting::Answers(count)
            }
            (Greeting::Hello, Answer::Refused(text)) if is_old(text) => {
                let (requests, count) = self.login.requests();
                into.extend_from_slice(&requests);
                Greeting::Answers(count)
            }
            (Greeting::Answers(left), Answer::Status) => Greeting::Answers(left.saturating_sub(1)),
            (_, Answer::Refused(text)) => {
                self.objects.reports.refuse(text, is_fatal(text));
                return Err(Broken(libc::EACCES));
            }
            _ => return Err(Broken(libc::EACCES)),
        };
        Ok(Some(length))
    }

    fn is_greeted(&self, greeting: &Greeting) -> bool {
        *greeting == Greeting::Answers(0)
    }

    fn write(&mut self, command: Command, into: &mut Vec<u8>) -> Option<u64> {
        self.objects.write_request(command, into)
    }

    fn write_asking(&self, into: &mut Vec<u8>) -> u32 {
        into.extend_from_slice(ASKING);
        1
    }

    fn further_answers(&self, command: Command) -> u32 {
        u32::from(matches!(command, Command::Load { .. } | Command::Insert { .. }) && self.objects.is_indexed())
    }

    fn follow(&mut self, command: Command, answer: &[u8], into: &mut Vec<u8>) -> u32 {
        let mut answers = 0;
        resp::each_value(answer, |name| {
            self.objects.write_record_read(&[name], command.number(), into);
            answers += 1;
        });
        answers
    }

    fn read(&mut self, command: Option<Command>, bytes: &[u8]) -> Result<Decoded, Broken> {
        let parsed = resp::read_answer(bytes)?;
        let Some((answer, length)) = parsed else { return Ok(Decoded::Incomplete) };
        if answer == Answer::OutOfBand {
            return Ok(Decoded::Skipped(length));
        }
        // The server answered without a request.
        let command = command.ok_or(Broken(libc::EPROTO))?;
        let end = match answer {
            Answer::Refused(text) => {
                if let (Some(redirections), Some(redirection)) = (&self.redirections, Redirection::of(text)) {
                    redirections.add(redirection);
                    End::Failed(MOVED)
                } else {
                    self.objects.reports.refuse(text, is_fatal(text));
                    End::Failed(libc::EREMOTEIO)
                }
            }
            Answer::Missing if self.objects.may_be_absent && matches!(command, Command::Read { .. }) => End::Absent,
            answer if self.objects.is_right(command, &answer) && self.objects.is_intact(command, &bytes[..length]) => {
                End::Done
            }
            _ => End::Wrong,
        };
        Ok(Decoded::Ended(end, length))
    }
}

/// Prefix of a command for a slot that is being moved to the server.
pub const ASKING: &[u8] = b"*1\r\n$6\r\nASKING\r\n";

/// Codes of refusals after which no later write can succeed.
const FATAL: [&[u8]; 7] = [b"OOM", b"READONLY", b"MISCONF", b"NOAUTH", b"WRONGPASS", b"NOPERM", b"WRONGTYPE"];

fn is_fatal(refusal: &[u8]) -> bool {
    refusal.split(|byte| *byte == b' ').next().is_some_and(|code| FATAL.contains(&code))
}

/// Returns whether a server refuses version 3 of the protocol because it is too old.
fn is_old(refusal: &[u8]) -> bool {
    refusal.starts_with(b"NOPROTO") || refusal.to_ascii_lowercase().starts_with(b"err unknown command")
}

#[cfg(test)]
mod tests {
    use keys::name::Naming;
    use workloads::job::Shape;
    use workloads::size::Size;

    use super::*;

    #[test]
    fn what_is_said_unasked_is_no_answer() {
        let objects = Objects::new(Naming::Fraud, (0, 1), Shape::Value { bytes: Size::Constant(3) }, 1);
        let mut redis = Redis::new(Arc::new(Login::default()), Arc::new(objects));
        let read = Some(Command::Read { key: 0, number: 0 });
        let push = b">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n";
        let bytes = [push.as_slice(), b"$3\r\nabc\r\n"].concat();
        for command in [read, None] {
            assert_eq!(redis.read(command, &bytes), Ok(Decoded::Skipped(push.len())));
        }
        assert_eq!(redis.read(read, &bytes[push.len()..]), Ok(Decoded::Ended(End::Done, 9)));
        assert_eq!(redis.read(None, &bytes[push.len()..]), Err(Broken(libc::EPROTO)));
    }

    #[test]
    fn a_greeting_asks_for_the_third_version_and_falls_back_to_the_second() {
        let login = Login { username: None, password: Some("hush".into()), database: Some("3".into()) };
        let objects = Objects::new(Naming::Fraud, (0, 1), Shape::Value { bytes: Size::Constant(3) }, 1);
        let redis = Redis::new(Arc::new(login), Arc::new(objects));
        let answer = |bytes: &[u8]| {
            let mut request = Vec::new();
            let mut greeting = redis.greet(&mut request).expect("said");
            assert_eq!(request, b"*5\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$7\r\ndefault\r\n$4\r\nhush\r\n");
            request.clear();
            redis
                .go_on(&mut greeting, bytes, &mut request)
                .map(|_| (greeting, request.starts_with(b"*2\r\n$4\r\nAUTH")))
        };
        assert_eq!(answer(b"%1\r\n+proto\r\n:3\r\n"), Ok((Greeting::Answers(1), false)));
        assert_eq!(answer(b"-ERR unknown command `HELLO`\r\n"), Ok((Greeting::Answers(2), true)));
        assert_eq!(answer(b"-NOPROTO unsupported protocol version\r\n"), Ok((Greeting::Answers(2), true)));
        assert_eq!(answer(b"-WRONGPASS invalid username-password pair\r\n"), Err(Broken(libc::EACCES)));
    }
}
