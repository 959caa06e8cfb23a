//! Times since which the free slots of a session have been free. While no slot is free, an operation waits for the drive or the
//! server; only the time after that is lateness of the generator, and the time in which its thread was not run (`Worker::pause_of`).
//!
//! A session reports only the number of free slots. From the first moment without a free slot on, the time at which each slot
//! becomes free is stored, and each operation takes the slot that has been free for longest. So the stored times are those of the
//! free slots, and the lateness of an operation is never understated.

use std::collections::VecDeque;

/// Largest number of slot classes of a session. Limits on the units of a lane are further classes.
pub const SESSION_CLASSES: usize = 3;

/// Times since which slots are free, for each slot class.
#[derive(Debug)]
pub struct FreeSlots(Vec<SlotClass>);

/// Times since which each free slot of a class is free, in ascending order; `None` if a slot was always free.
#[derive(Debug, Default, Clone)]
struct SlotClass(Option<VecDeque<u64>>);

impl FreeSlots {
    /// Returns the slot classes of a session and of `lanes` lanes.
    pub fn new(lanes: usize) -> Self {
        Self(vec![SlotClass::default(); SESSION_CLASSES + lanes])
    }

    pub fn full(&mut self, class: usize) {
        self.0[class].0.get_or_insert_default().clear();
    }

    /// Returns whether any slot class of the session was ever full.
    pub fn were_full(&self) -> bool {
        self.0[..SESSION_CLASSES].iter().any(|class| class.0.is_some())
    }

    /// Frees the slot of an operation that ended.
    pub fn freed(&mut self, class: usize, at_ns: u64) {
        if let Some(free_since_ns) = &mut self.0[class].0 {
            free_since_ns.push_back(at_ns);
        }
    }

    /// Adds slots that became free without a completion, such as those of operations that were given up, up to `free` slots.
    pub fn seen(&mut self, class: usize, free: usize, now_ns: u64) {
        if let Some(free_since_ns) = &mut self.0[class].0
            && free_since_ns.len() < free
        {
            free_since_ns.resize(free, now_ns);
        }
    }

    /// Takes a slot and returns the time since which it was free, 0 if a slot was always free.
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
