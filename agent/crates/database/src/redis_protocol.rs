//! The protocol of Redis and Valkey as a session speaks it.

use std::sync::Arc;

use runner::End;

use crate::command::Command;
use crate::objects::Objects;
use crate::protocol::{Answered, Broken, Protocol};
use crate::resp::{self, Answer};

/// See the module.
#[derive(Debug, Clone)]
pub struct Redis {
    /// Requests before the first command (password, logical database), and how many.
    greeting: Arc<[u8]>,
    greetings: usize,
    objects: Arc<Objects>,
}

impl Redis {
    /// With requests before the first command, and how many.
    pub fn new((greeting, greetings): (Vec<u8>, usize), objects: Arc<Objects>) -> Self {
        Self { greeting: greeting.into(), greetings, objects }
    }
}

impl Protocol for Redis {
    /// Answers that are still to come.
    type Greeting = usize;

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn greet(&self, into: &mut Vec<u8>) -> Result<usize, Broken> {
        into.extend_from_slice(&self.greeting);
        Ok(self.greetings)
    }

    fn go_on(&self, greeting: &mut usize, bytes: &[u8], _: &mut Vec<u8>) -> Result<Option<usize>, Broken> {
        let Some((answer, length)) = resp::read_answer(bytes).map_err(|_| Broken(libc::EPROTO))? else {
            return Ok(None);
        };
        if let Answer::Refused(text) = answer {
            self.objects.refused(text);
        }
        if answer != Answer::Fine {
            return Err(Broken(libc::EACCES));
        }
        *greeting = greeting.saturating_sub(1);
        Ok(Some(length))
    }

    fn is_greeted(&self, greeting: &usize) -> bool {
        *greeting == 0
    }

    fn write(&mut self, command: Command, into: &mut Vec<u8>) -> Option<u64> {
        self.objects.write_request(command, into)
    }

    fn read(&mut self, command: Option<Command>, bytes: &[u8]) -> Result<Answered, Broken> {
        let found = resp::read_answer(bytes).map_err(|_| Broken(libc::EPROTO))?;
        let Some((answer, length)) = found else { return Ok(Answered::Incomplete) };
        // An answer that nobody asked for.
        let command = command.ok_or(Broken(libc::EPROTO))?;
        let end = match answer {
            Answer::Refused(text) => {
                self.objects.refused(text);
                End::Failed(libc::EREMOTEIO)
            }
            answer if self.objects.is_right(command, &answer) => End::Done,
            _ => End::Wrong,
        };
        Ok(Answered::Ended(end, length))
    }
}
