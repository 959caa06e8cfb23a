//! Connecting the connections of a session, and connecting them again after an error.

use std::io;

use runner::End;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::{CONNECT_NS, ServerSession};
use crate::channel::Channel;
use crate::command::Completion;
use crate::connection::{FIRST_BACK_OFF_NS, InFlightCommand, State};
use crate::protocol::Protocol;

/// Longest pause between two attempts to connect, in nanoseconds. The pause doubles up to this value.
const LAST_BACK_OFF_NS: u64 = 1_000_000_000;

impl<P: Protocol> ServerSession<P> {
    /// Begins to connect if the pause is over, and ends attempts that take too long.
    pub(super) fn reconnect(&mut self, now_ns: u64) {
        if self.down == 0 {
            return;
        }
        for index in 0..self.connections.len() {
            match &self.connections[index].state {
                State::Disconnected(not_before_ns) if *not_before_ns <= now_ns => {
                    let begun = Channel::connect(&self.server.address, self.server.tls.as_ref());
                    let watched = begun.and_then(|channel| {
                        let flags = EventFlags::IN | EventFlags::OUT;
                        epoll::add(&self.poll, &channel, EventData::new_u64(index as u64), flags)?;
                        Ok(channel)
                    });
                    match watched {
                        Ok(channel) => {
                            let connection = &mut self.connections[index];
                            connection.state = State::Connecting { since_ns: now_ns, channel, greeting: None };
                        }
                        Err(error) => self.disconnect(index, now_ns, &error),
                    }
                }
                State::Connecting { since_ns, .. } if since_ns + CONNECT_NS < now_ns => {
                    self.disconnect(index, now_ns, &io::Error::from_raw_os_error(libc::ETIMEDOUT));
                }
                _ => {}
            }
        }
    }

    /// Closes a broken connection: its commands fail, and it is connected again later.
    pub(super) fn disconnect(&mut self, index: usize, now_ns: u64, error: &io::Error) {
        let connection = &mut self.connections[index];
        if matches!(connection.state, State::Connected(_)) {
            self.down += 1;
        }
        // Closing it also removes it from epoll.
        connection.state = State::Disconnected(now_ns + connection.back_off_ns);
        connection.back_off_ns = (connection.back_off_ns * 2).min(LAST_BACK_OFF_NS);
        connection.outbox.clear();
        connection.inbox.clear();
        connection.unwritten = 0;
        let end = End::Failed(error.raw_os_error().unwrap_or(libc::ECONNRESET));
        for InFlightCommand { request, submitted_ns, inserted, .. } in connection.waiting.drain(..) {
            if let Some(key) = inserted {
                self.server.protocol.objects().inserted(key);
            }
            let submitted_ns = submitted_ns.unwrap_or(now_ns);
            self.failed.push(Completion { request, submitted_ns, completed_ns: now_ns, end });
        }
        self.queue_for_commands(index);
    }

    /// Sends the next message of the greeting. After its end, waiting requests are written.
    pub(super) fn send_greeting(&mut self, index: usize, now_ns: u64) {
        let connection = &mut self.connections[index];
        let State::Connecting { channel, .. } = &mut connection.state else { return };
        // The buffer of the kernel is empty, so a few bytes always fit.
        match channel.write(&mut self.greeting_bytes) {
            Ok(true) => {}
            Ok(false) => return self.disconnect(index, now_ns, &io::Error::from_raw_os_error(libc::EAGAIN)),
            Err(error) => return self.disconnect(index, now_ns, &error),
        }
        let state = std::mem::replace(&mut connection.state, State::Disconnected(0));
        connection.state = match state {
            State::Connecting { channel, greeting: Some(greeting), .. }
                if self.server.protocol.is_greeted(&greeting) =>
            {
                self.down -= 1;
                connection.back_off_ns = FIRST_BACK_OFF_NS;
                self.fresh.push(index);
                State::Connected(channel)
            }
            other => other,
        };
    }
}
