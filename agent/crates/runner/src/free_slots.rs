//! Since when each free slot of a session has been free. While no slot is free an operation waits for the drive or the
//! server; only the time after that is lateness of the generator itself.
//!
//! A session reports how many slots are free, not since when. From the first moment without a free slot on, each slot is
//! stored with the time at which it became free, and each operation takes the slot that has been free for longest. So
//! exactly the free slots are stored, and no operation counts as started on time when it was late.

use std::collections::VecDeque;

/// Classes of slots in a session, at most. The units that each lane may have under way follow as further classes.
pub const SESSION_CLASSES: usize = 3;

/// See the module.
#[derive(Debug)]
pub struct FreeSlots(Vec<SlotClass>);

/// Times since when each free slot is free, the earliest first; none as long as there always was a free slot.
#[derive(Debug, Default, Clone)]
struct SlotClass(Option<VecDeque<u64>>);

impl FreeSlots {
    /// Returns the classes of a session and of its lanes.
    pub fn new(lanes: usize) -> Self {
        Self(vec![SlotClass::default(); SESSION_CLASSES + lanes])
    }

    /// Notes that no slot of this class is free.
    pub fn full(&mut self, class: usize) {
        self.0[class].0.get_or_insert_default().clear();
    }

    /// Returns whether any class of the session was ever full.
    pub fn were_full(&self) -> bool {
        self.0[..SESSION_CLASSES].iter().any(|class| class.0.is_some())
    }

    /// Frees the slot of an operation that ended.
    pub fn freed(&mut self, class: usize, at_ns: u64) {
        if let Some(free_since_ns) = &mut self.0[class].0 {
            free_since_ns.push_back(at_ns);
        }
    }

    /// Sets the number of free slots. Slots of operations that were given up become free without a completion.
    pub fn seen(&mut self, class: usize, free: usize, now_ns: u64) {
        if let Some(free_since_ns) = &mut self.0[class].0
            && free_since_ns.len() < free
        {
            free_since_ns.resize(free, now_ns);
        }
    }

    /// Takes a slot. Returns since when it was free, 0 where there always was a free slot.
    pub fn take(&mut self, class: usize) -> u64 {
        self.0[class].0.as_mut().and_then(VecDeque::pop_front).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_a_slot_always_free_all_lateness_is_the_generators() {
        let mut free_slots = FreeSlots::new(0);
        free_slots.freed(0, 50);
        free_slots.seen(0, 7, 60);
        assert_eq!(free_slots.take(0), 0);
        assert!(!free_slots.were_full());
    }

    #[test]
    fn each_operation_that_waited_takes_the_slot_that_was_free_first() {
        let mut free_slots = FreeSlots::new(1);
        free_slots.full(1);
        free_slots.freed(1, 10);
        free_slots.freed(1, 20);
        free_slots.seen(1, 2, 99);
        assert_eq!((free_slots.take(1), free_slots.take(1)), (10, 20));
        free_slots.full(1);
        free_slots.seen(1, 2, 40);
        free_slots.freed(0, 30);
        assert_eq!((free_slots.take(1), free_slots.take(1)), (40, 40), "given up: free when that was seen");
        assert_eq!(free_slots.take(0), 0, "another class");
        assert_eq!(free_slots.take(SESSION_CLASSES), 0, "a lane's own");
    }
}
