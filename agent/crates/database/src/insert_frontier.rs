//! The insert frontier: which keys are reserved for inserts, and the key below which all inserts have ended.
//!
//! A stuck insert stops the frontier, however many later inserts end. Inserts that end close to the frontier are marked in a ring,
//! without a lock. Inserts that end further ahead are merged into ranges. Between two ranges at least one insert is in flight, so
//! there are never more ranges than connections times commands in flight.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Length of the ring. Inserts that end at most this many keys ahead of the frontier take no lock.
pub const RING_KEYS: usize = 1 << 16;

/// Hands out keys for inserts, and tracks the key below which all inserts have ended.
#[derive(Debug)]
pub struct InsertFrontier {
    /// The next key to hand out.
    next: AtomicU64,
    /// The frontier: all inserts of smaller keys have ended.
    readable: AtomicU64,
    /// Whether the insert of a key in `readable..readable + RING_KEYS` has ended, indexed by the key modulo `RING_KEYS`.
    ring: Box<[AtomicBool]>,
    /// Inserts that ended further ahead, as sorted ranges that do not touch.
    ahead: Mutex<Vec<Range<u64>>>,
    has_ahead: AtomicBool,
}

impl InsertFrontier {
    /// Returns a frontier whose first insert gets the key `first`.
    pub fn new(first: u64) -> Self {
        Self {
            next: AtomicU64::new(first),
            readable: AtomicU64::new(first),
            ring: (0..RING_KEYS).map(|_| AtomicBool::new(false)).collect(),
            ahead: Mutex::default(),
            has_ahead: AtomicBool::new(false),
        }
    }

    /// Reserves the key of the next insert, and returns it.
    pub fn take(&self) -> u64 {
        self.next.fetch_add(1, Ordering::AcqRel)
    }

    /// Returns the first key that is not reserved.
    pub fn next(&self) -> u64 {
        self.next.load(Ordering::Acquire)
    }

    /// Returns the first key whose insert has not ended.
    pub fn readable(&self) -> u64 {
        self.readable.load(Ordering::Acquire)
    }

    /// Records that the insert of `key` has ended, successfully or not, and advances the frontier as far as possible.
    pub fn ended(&self, key: u64) {
        // The frontier only rises, so a key inside the ring stays inside until its own mark is removed.
        if key < self.readable.load(Ordering::SeqCst) + RING_KEYS as u64 {
            self.mark(key).store(true, Ordering::SeqCst);
        } else {
            let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
            insert(&mut ahead, key);
            self.has_ahead.store(true, Ordering::SeqCst);
        }
        // Also after the slow path: another thread may have moved the frontier up to `key` in between.
        self.advance();
    }

    fn mark(&self, key: u64) -> &AtomicBool {
        #[expect(clippy::cast_possible_truncation, reason = "the ring needs the low bits only")]
        let index = key as usize % RING_KEYS;
        &self.ring[index]
    }

    fn advance(&self) {
        loop {
            let first = self.readable.load(Ordering::SeqCst);
            if self.mark(first).swap(false, Ordering::SeqCst) {
                // Only the thread that removed the mark moves the frontier.
                self.readable.store(first + 1, Ordering::SeqCst);
            } else if !self.has_ahead.load(Ordering::SeqCst) || !self.advance_over_range() {
                return;
            }
        }
    }

    /// Moves the frontier to the end of the range that begins at it. Returns whether there was such a range.
    #[cold]
    fn advance_over_range(&self) -> bool {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let first = self.readable.load(Ordering::SeqCst);
        if ahead.first().is_none_or(|range| range.start != first) {
            return false;
        }
        let range = ahead.remove(0);
        self.has_ahead.store(!ahead.is_empty(), Ordering::SeqCst);
        self.readable.store(range.end, Ordering::SeqCst);
        true
    }
}

/// Adds `key` to the sorted ranges, and merges the ranges that it touches.
fn insert(ranges: &mut Vec<Range<u64>>, key: u64) {
    let index = ranges.partition_point(|range| range.end < key);
    match ranges.get_mut(index) {
        Some(range) if range.end == key => {
            range.end += 1;
            if ranges.get(index + 1).is_some_and(|next| next.start == key + 1) {
                ranges[index].end = ranges.remove(index + 1).end;
            }
        }
        Some(range) if range.start == key + 1 => range.start = key,
        _ => ranges.insert(index, key..key + 1),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use measure::random;

    use super::*;

    #[test]
    fn a_stuck_insert_holds_the_frontier_however_many_later_ones_end() {
        let frontier = InsertFrontier::new(7);
        let stuck = frontier.take();
        let keys = 3 * RING_KEYS as u64;
        for _ in 0..keys {
            frontier.ended(frontier.take());
            assert_eq!(frontier.readable(), stuck);
        }
        assert_eq!(frontier.ahead.lock().expect("whole").len(), 1, "what ended in a row is one range");
        frontier.ended(stuck);
        assert_eq!((frontier.readable(), frontier.next()), (7 + keys + 1, 7 + keys + 1));
    }

    #[test]
    fn there_are_no_more_ranges_than_inserts_under_way() {
        let (frontier, most, mut under_way) = (InsertFrontier::new(0), 50, Vec::new());
        for number in 0..10 * RING_KEYS as u64 {
            under_way.push(frontier.take());
            if under_way.len() == most {
                // The insert at index 0 is stuck.
                let bits = random::bits(1, 2, number);
                let index = 1 + usize::try_from(random::below(most as u64 - 1, bits)).expect("few");
                frontier.ended(under_way.swap_remove(index));
                under_way[1..].sort_unstable();
            }
            assert!(frontier.ahead.lock().expect("whole").len() <= most);
        }
        for key in under_way.into_iter().rev() {
            frontier.ended(key);
        }
        assert_eq!(frontier.readable(), 10 * RING_KEYS as u64);
        assert_eq!(frontier.ahead.lock().expect("whole").capacity().next_power_of_two(), 64);
    }

    #[test]
    fn threads_move_one_frontier_and_none_steps_past_what_is_under_way() {
        const KEYS: u64 = 20_000;
        let frontier = Arc::new(InsertFrontier::new(0));
        let stuck = frontier.take();
        let work = |thread: u64| {
            let frontier = Arc::clone(&frontier);
            move || {
                let mut under_way = Vec::new();
                for number in 0..KEYS * 8 {
                    under_way.push(frontier.take());
                    if under_way.len() > 8 {
                        let index = random::below(8, random::bits(3, thread, number));
                        frontier.ended(under_way.swap_remove(usize::try_from(index).expect("few")));
                    }
                    assert_eq!(frontier.readable(), stuck);
                }
                for key in under_way {
                    frontier.ended(key);
                }
            }
        };
        let threads: Vec<_> = (0..3).map(|thread| thread::spawn(work(thread))).collect();
        for thread in threads {
            thread.join().expect("no assertion failed");
        }
        assert_eq!(frontier.readable(), stuck);
        frontier.ended(stuck);
        assert_eq!(frontier.readable(), frontier.next());
    }
}
