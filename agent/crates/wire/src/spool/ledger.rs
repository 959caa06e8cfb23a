//! The books of a spool: what lies in which segment, what the backend has, what was set aside. No files here.

use std::collections::{BTreeMap, VecDeque};

use measure::series::Interval;
use serde::{Deserialize, Serialize};

use crate::messages::MissingRange;
use crate::ranges::Ranges;

/// Sequence numbers by series.
pub type BySeries = BTreeMap<u16, Ranges>;

/// One segment file.
#[derive(Debug, Clone, Default)]
pub struct Segment {
    /// Number in its name; later segments have larger ones.
    pub no: u64,
    /// Length that is known to be on disk.
    pub durable_bytes: u64,
    /// What it holds.
    pub holds: BySeries,
}

/// What outlives the segments: written before any of them is deleted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Intervals that need not be sent any more: the backend has them, or they were set aside.
    pub settled: BySeries,
    /// Of these, what was refused and set aside.
    pub set_aside: BySeries,
    /// End of the latest interval ever written.
    pub data_through_ns: u64,
}

/// The books.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Oldest first; the last one is being written.
    pub segments: VecDeque<Segment>,
    /// What need not be sent.
    pub done: Settled,
}

impl Ledger {
    /// An interval is on disk in the newest segment.
    pub fn written(&mut self, interval: &Interval) {
        let end_ns = interval.start_ns.saturating_add(interval.duration_ns);
        self.done.data_through_ns = self.done.data_through_ns.max(end_ns);
        if let Some(segment) = self.segments.back_mut() {
            segment.holds.entry(interval.series_no).or_default().insert(interval.seq, interval.seq);
        }
    }

    /// The backend has this interval, or it was set aside.
    pub fn settle(&mut self, series_no: u16, from_seq: u64, to_seq: u64) {
        self.done.settled.entry(series_no).or_default().insert(from_seq, to_seq);
    }

    /// The interval was refused for good.
    pub fn set_aside(&mut self, series_no: u16, seq: u64) {
        self.done.set_aside.entry(series_no).or_default().insert(seq, seq);
        self.settle(series_no, seq, seq);
    }

    /// Whether this interval need not be sent.
    #[must_use]
    pub fn is_settled(&self, series_no: u16, seq: u64) -> bool {
        self.done.settled.get(&series_no).is_some_and(|ranges| ranges.contains(seq))
    }

    /// The backend lacks these after all: what the segments still hold of them, and was not set aside, is to be sent
    /// again. Returns whether there is any.
    pub fn reopen(&mut self, missing: &[MissingRange]) -> bool {
        let mut found = false;
        for range in missing {
            for segment in &self.segments {
                let Some(held) = segment.holds.get(&range.series) else { continue };
                for (from, to) in held.iter() {
                    let (from, to) = (from.max(range.from_seq), to.min(range.to_seq));
                    if from > to {
                        continue;
                    }
                    let settled = self.done.settled.entry(range.series).or_default();
                    settled.remove(from, to);
                    if let Some(set_aside) = self.done.set_aside.get(&range.series) {
                        set_aside.iter().for_each(|(from, to)| settled.insert(from, to));
                    }
                    found |= !settled.covers(from, to);
                }
            }
        }
        found
    }

    /// Closed segments of which nothing is left to send; they leave the books.
    pub fn take_settled_segments(&mut self) -> Vec<Segment> {
        let mut settled = Vec::new();
        let newest = self.segments.back().map(|segment| segment.no);
        let done = &self.done.settled;
        self.segments.retain(|segment| {
            let keep = Some(segment.no) == newest
                || !segment
                    .holds
                    .iter()
                    .all(|(series_no, held)| done.get(series_no).is_some_and(|done| done.covers_all(held)));
            if !keep {
                settled.push(segment.clone());
            }
            keep
        });
        settled
    }

    /// How many intervals in the segments are still to be sent.
    #[must_use]
    pub fn unsent(&self) -> u64 {
        let mut open = BySeries::new();
        for segment in &self.segments {
            for (series_no, held) in &segment.holds {
                let ranges = open.entry(*series_no).or_default();
                held.iter().for_each(|(from, to)| ranges.insert(from, to));
            }
        }
        for (series_no, ranges) in &mut open {
            if let Some(done) = self.done.settled.get(series_no) {
                done.iter().for_each(|(from, to)| ranges.remove(from, to));
            }
        }
        open.values().map(Ranges::len).sum()
    }

    /// How many intervals were set aside.
    #[must_use]
    pub fn set_aside_count(&self) -> u64 {
        self.done.set_aside.values().map(Ranges::len).sum()
    }

    /// Bytes in all segments.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.durable_bytes).sum()
    }

    /// Last sequence number of every series that has any.
    #[must_use]
    pub fn last_seq(&self) -> BTreeMap<u16, u64> {
        let mut last = BTreeMap::<u16, u64>::new();
        let held = self.segments.iter().flat_map(|segment| &segment.holds);
        for (series_no, ranges) in held.chain(&self.done.settled) {
            if let Some(seq) = ranges.last() {
                let entry = last.entry(*series_no).or_insert(seq);
                *entry = seq.max(*entry);
            }
        }
        last
    }
}
