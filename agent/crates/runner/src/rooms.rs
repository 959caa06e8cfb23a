//! Since when there is room for an operation that had to wait for it. What waits while every place is taken waits for the
//! drive or the server; only what comes after that is the generator's own lateness.
//!
//! A session tells how many places are free, not since when. From the first moment without a free place on, every place
//! that comes back is noted with its time, and every operation takes the one that has been free for longest. So the
//! notes are exactly the free places, and no operation is said to have had room later than it had.

use std::collections::VecDeque;

/// A session has at most so many sorts of places; behind them come the units that each lane may have under way.
pub const OF_SESSION: usize = 3;

/// See the module.
#[derive(Debug)]
pub struct Rooms(Vec<Room>);

/// Since when each free place is free, the longest first; none as long as there always was a free one.
#[derive(Debug, Default, Clone)]
struct Room(Option<VecDeque<u64>>);

impl Rooms {
    /// The sorts of places of a session and of so many lanes.
    pub fn new(lanes: usize) -> Self {
        Self(vec![Room::default(); OF_SESSION + lanes])
    }

    /// No place of this sort is free.
    pub fn full(&mut self, room: usize) {
        self.0[room].0.get_or_insert_default().clear();
    }

    /// Whether there ever was too little room in the session.
    pub fn were_full(&self) -> bool {
        self.0[..OF_SESSION].iter().any(|room| room.0.is_some())
    }

    /// An operation ended, so that its place is free.
    pub fn freed(&mut self, room: usize, at_ns: u64) {
        if let Some(free_since_ns) = &mut self.0[room].0 {
            free_since_ns.push_back(at_ns);
        }
    }

    /// So many places are free now. Those of operations that were given up come back without a word.
    pub fn seen(&mut self, room: usize, free: usize, now_ns: u64) {
        if let Some(free_since_ns) = &mut self.0[room].0
            && free_since_ns.len() < free
        {
            free_since_ns.resize(free, now_ns);
        }
    }

    /// An operation takes a place; since when it was free, 0 where there always was one.
    pub fn take(&mut self, room: usize) -> u64 {
        self.0[room].0.as_mut().and_then(VecDeque::pop_front).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_always_was_room_nothing_is_the_drives_fault() {
        let mut rooms = Rooms::new(0);
        rooms.freed(0, 50);
        rooms.seen(0, 7, 60);
        assert_eq!(rooms.take(0), 0);
        assert!(!rooms.were_full());
    }

    #[test]
    fn each_operation_that_waited_takes_the_place_that_came_back_first() {
        let mut rooms = Rooms::new(1);
        rooms.full(1);
        rooms.freed(1, 10);
        rooms.freed(1, 20);
        rooms.seen(1, 2, 99);
        assert_eq!((rooms.take(1), rooms.take(1)), (10, 20));
        rooms.full(1);
        rooms.seen(1, 2, 40);
        rooms.freed(0, 30);
        assert_eq!((rooms.take(1), rooms.take(1)), (40, 40), "given up: free when that was seen");
        assert_eq!(rooms.take(0), 0, "another sort of places");
        assert_eq!(rooms.take(OF_SESSION), 0, "a lane's own");
    }
}
