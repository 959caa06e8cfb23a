//! How connections of a session come up, and what becomes of them when they break.

use std::io;

use runner::End;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::{CONNECT_NS, ServerSession};
use crate::channel::Channel;
use crate::command::Completion;
use crate::connection::{FIRST_BACK_OFF_NS, State, Taken};
use crate::protocol::Protocol;

/// Between two attempts to connect again, at most; the pause is doubled until then.
const LAST_BACK_OFF_NS: u64 = 1_000_000_000;

impl<P: Protocol> ServerSession<P> {
    /// Lets connections begin to connect whose time has come, and gives those up that take too long.
    pub(super) fn rise(&mut self, now_ns: u64) {
        if self.down == 0 {
            return;
        }
        for place in 0..self.connections.len() {
            match &self.connections[place].state {
                State::Down(not_before_ns) if *not_before_ns <= now_ns => {
                    let begun = Channel::connect(&self.address, self.tls.as_ref());
                    let watched = begun.and_then(|channel| {
                        let flags = EventFlags::IN | EventFlags::OUT;
                        epoll::add(&self.poll, &channel, EventData::new_u64(place as u64), flags)?;
                        Ok(channel)
                    });
                    match watched {
                        Ok(channel) => {
                            let connection = &mut self.connections[place];
                            connection.state = State::Rising { since_ns: now_ns, channel, greeting: None };
                        }
                        Err(error) => self.fall(place, now_ns, &error),
                    }
                }
                State::Rising { since_ns, .. } if since_ns + CONNECT_NS < now_ns => {
                    self.fall(place, now_ns, &io::Error::from_raw_os_error(libc::ETIMEDOUT));
                }
                _ => {}
            }
        }
    }

    /// A connection is broken: what waits on it fails, and it is tried again later.
    pub(super) fn fall(&mut self, place: usize, now_ns: u64, error: &io::Error) {
        let connection = &mut self.connections[place];
        if matches!(connection.state, State::Up(_)) {
            self.down += 1;
        }
        // Closing it also takes it out of what is watched.
        connection.state = State::Down(now_ns + connection.back_off_ns);
        connection.back_off_ns = (connection.back_off_ns * 2).min(LAST_BACK_OFF_NS);
        connection.outbox.clear();
        connection.inbox.clear();
        connection.unwritten = 0;
        let end = End::Failed(error.raw_os_error().unwrap_or(libc::ECONNRESET));
        for Taken { request, submitted_ns, inserted, .. } in connection.waiting.drain(..) {
            if let Some(key) = inserted {
                self.protocol.objects().inserted(key);
            }
            let submitted_ns = submitted_ns.unwrap_or(now_ns);
            self.failed.push(Completion { request, submitted_ns, completed_ns: now_ns, end });
        }
        self.takes_turns(place);
    }

    /// Goes on greeting; once that is answered, what waited is written.
    pub(super) fn say(&mut self, place: usize, now_ns: u64) {
        let connection = &mut self.connections[place];
        let State::Rising { channel, .. } = &mut connection.state else { return };
        // A few bytes into an empty buffer of the kernel.
        match channel.write(&mut self.said) {
            Ok(true) => {}
            Ok(false) => return self.fall(place, now_ns, &io::Error::from_raw_os_error(libc::EAGAIN)),
            Err(error) => return self.fall(place, now_ns, &error),
        }
        let state = std::mem::replace(&mut connection.state, State::Down(0));
        connection.state = match state {
            State::Rising { channel, greeting: Some(greeting), .. } if self.protocol.is_greeted(&greeting) => {
                self.down -= 1;
                connection.back_off_ns = FIRST_BACK_OFF_NS;
                self.fresh.push(place);
                State::Up(channel)
            }
            other => other,
        };
    }
}
