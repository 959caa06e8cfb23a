//! Choice of the connection for the next command: in rotation, without a search among connections that have no free slot.

use super::ServerSession;
use crate::connection::State;
use crate::protocol::Protocol;

impl<P: Protocol> ServerSession<P> {
    /// Queues a connection with a free slot for commands, unless it is queued already.
    pub(super) fn queue_for_commands(&mut self, index: usize) {
        let connection = &mut self.connections[index];
        if !connection.is_queued {
            connection.is_queued = true;
            self.with_free_slot.push_back(index);
        }
    }

    /// Returns the connection for the next command; `None` if no connection has a free slot.
    pub(super) fn next_connection(&mut self) -> Option<usize> {
        loop {
            let index =
                if self.down == 0 { self.with_free_slot.pop_front()? } else { self.next_preferring_connected()? };
            let connection = &mut self.connections[index];
            let room = self.server.depth.saturating_sub(connection.waiting.len());
            if room > 1 {
                self.with_free_slot.push_back(index);
            } else {
                connection.is_queued = false;
            }
            if room > 0 {
                return Some(index);
            }
        }
    }

    /// Removes a connection with a free slot from the queue: connected if possible, otherwise connecting, otherwise any.
    fn next_preferring_connected(&mut self) -> Option<usize> {
        let first = |is_preferred: &dyn Fn(&State<P::Greeting>) -> bool| {
            let is_it = |index: &usize| {
                let connection = &self.connections[*index];
                connection.waiting.len() < self.server.depth && is_preferred(&connection.state)
            };
            self.with_free_slot.iter().position(is_it)
        };
        let index = first(&|state| matches!(state, State::Connected(_)))
            .or_else(|| first(&|state| matches!(state, State::Connecting { .. })))
            .or_else(|| first(&|_| true));
        self.with_free_slot.remove(index?)
    }
}
