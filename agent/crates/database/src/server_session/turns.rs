//! Which connection takes the next command: each that is up in its turn, found without looking at those that have no room.

use super::ServerSession;
use crate::connection::State;
use crate::protocol::Protocol;

impl<P: Protocol> ServerSession<P> {
    /// A connection has room: it waits for its turn, once.
    pub(super) fn takes_turns(&mut self, place: usize) {
        let connection = &mut self.connections[place];
        if !connection.is_in_turn {
            connection.is_in_turn = true;
            self.with_room.push_back(place);
        }
    }

    /// The connection that takes the next command.
    pub(super) fn next_place(&mut self) -> Option<usize> {
        loop {
            let place = if self.down == 0 { self.with_room.pop_front()? } else { self.next_where_some_are_down()? };
            let connection = &mut self.connections[place];
            let room = self.depth.saturating_sub(connection.waiting.len());
            if room > 1 {
                self.with_room.push_back(place);
            } else {
                connection.is_in_turn = false;
            }
            if room > 0 {
                return Some(place);
            }
        }
    }

    /// One that is up, else one that is on its way, else any.
    fn next_where_some_are_down(&mut self) -> Option<usize> {
        let first = |wanted: &dyn Fn(&State<P::Greeting>) -> bool| {
            let is_it = |place: &usize| {
                let connection = &self.connections[*place];
                connection.waiting.len() < self.depth && wanted(&connection.state)
            };
            self.with_room.iter().position(is_it)
        };
        let place = first(&|state| matches!(state, State::Up(_)))
            .or_else(|| first(&|state| matches!(state, State::Rising { .. })))
            .or_else(|| first(&|_| true));
        self.with_room.remove(place?)
    }
}
