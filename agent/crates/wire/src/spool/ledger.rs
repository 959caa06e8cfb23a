//! The in-memory index of a spool: which intervals each segment holds, and which are acknowledged, set aside or left out.
//!
//! It touches no files. All sequence numbers are those of the spool unless called wire numbers; see [`OmittedTicks`].

use std::collections::{BTreeMap, VecDeque};

use measure::series::Interval;
use serde::{Deserialize, Serialize};

use super::omitted::OmittedTicks;
use crate::messages::MissingRange;
use crate::ranges::{BySeries, Ranges};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Live ticks only. They may be left out to make room until they are offered to the backend.
    Ticks,
    /// Histograms, and whatever segments of older versions and set-aside batches hold. Never left out.
    Lasting,
}

/// One segment file.
#[derive(Debug, Clone)]
pub struct Segment {
    /// Number in the file name; it increases with every new segment.
    pub no: u64,
    pub kind: Kind,
    /// Length that is known to be on disk, in bytes.
    pub durable_bytes: u64,
    pub holds: BySeries,
}

/// State that outlives segments; it is written to disk before any of them is deleted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Intervals that need not be sent any more: the backend has them, or they were set aside.
    pub settled: BySeries,
    /// Those of `settled` that the backend refused and that were set aside.
    pub set_aside: BySeries,
    /// End of the latest interval ever written, in nanoseconds from offset 0.
    pub data_through_ns: u64,
}

/// Index of a spool.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Segments, oldest first; the last of each kind may still be written.
    pub segments: VecDeque<Segment>,
    /// Highest number that a segment ever had; no number is used twice.
    pub last_no: u64,
    /// Intervals that need not be sent any more.
    pub done: Settled,
    /// Ticks that will never be sent.
    pub omitted: OmittedTicks,
    /// The backend may know intervals of segments up to this number, even if it did not answer, so these keep their wire numbers.
    pub offered_through: u64,
}

impl Ledger {
    /// Adds a segment of which `durable_bytes` are on disk already.
    pub fn begin(&mut self, no: u64, kind: Kind, durable_bytes: u64) {
        self.last_no = self.last_no.max(no);
        self.segments.push_back(Segment { no, kind, durable_bytes, holds: BySeries::new() });
    }

    /// Records that an interval is on disk in segment `no`.
    pub fn written(&mut self, no: u64, interval: &Interval) {
        self.measured(interval);
        if let Some(segment) = self.segment(no) {
            segment.holds.entry(interval.series_no).or_default().insert(interval.seq, interval.seq);
        }
    }

    /// Records that an interval was measured, whether it is stored or left out.
    pub fn measured(&mut self, interval: &Interval) {
        let end_ns = interval.start_ns.saturating_add(interval.duration_ns);
        self.done.data_through_ns = self.done.data_through_ns.max(end_ns);
    }

    /// Returns the segment with this number.
    pub fn segment(&mut self, no: u64) -> Option<&mut Segment> {
        self.segments.iter_mut().rfind(|segment| segment.no == no)
    }

    /// Returns the segments that may be left out to make room, oldest first: ticks that the backend cannot know.
    pub fn never_offered_ticks(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(|segment| segment.kind == Kind::Ticks && segment.no > self.offered_through)
    }

    /// Returns whether this interval is still to be sent.
    pub fn is_wanted(&self, series_no: u16, seq: u64) -> bool {
        !self.is_settled(series_no, seq) && !self.omitted.contains(series_no, seq)
    }

    /// Records that the backend has everything of this series up to `wire_seq`, a wire number.
    pub fn acknowledged(&mut self, series_no: u16, wire_seq: u64) {
        let through = self.omitted.spool_seq(series_no, wire_seq);
        self.settle(series_no, 0, through);
        // After a restart the backend can have more than this process offered; those segments keep their wire numbers, too.
        let segments = self.never_offered_ticks().filter(|segment| {
            segment.holds.get(&series_no).is_some_and(|held| held.iter().any(|(from, _)| from <= through))
        });
        if let Some(no) = segments.map(|segment| segment.no).max() {
            self.offered_through = no;
        }
    }

    /// Records that intervals need no sending any more: the backend has them, or they were set aside.
    pub fn settle(&mut self, series_no: u16, from_seq: u64, to_seq: u64) {
        self.done.settled.entry(series_no).or_default().insert(from_seq, to_seq);
    }

    /// Records that an interval was refused for good.
    pub fn set_aside(&mut self, series_no: u16, seq: u64) {
        self.done.set_aside.entry(series_no).or_default().insert(seq, seq);
        self.settle(series_no, seq, seq);
    }

    /// Returns whether this interval need not be sent.
    pub fn is_settled(&self, series_no: u16, seq: u64) -> bool {
        self.done.settled.get(&series_no).is_some_and(|ranges| ranges.contains(seq))
    }

    /// Marks intervals that the backend lacks as unsent, if a segment holds them and they are not set aside. Returns whether any are.
    pub fn reopen(&mut self, missing: &[MissingRange]) -> bool {
        let mut is_any_unsent = false;
        for range in missing {
            let [from_seq, to_seq] =
                [range.from_seq, range.to_seq].map(|seq| self.omitted.spool_seq(range.series, seq));
            for segment in &self.segments {
                let Some(held) = segment.holds.get(&range.series) else { continue };
                for (from, to) in held.iter() {
                    let (from, to) = (from.max(from_seq), to.min(to_seq));
                    if from > to {
                        continue;
                    }
                    let settled = self.done.settled.entry(range.series).or_default();
                    settled.remove(from, to);
                    if let Some(set_aside) = self.done.set_aside.get(&range.series) {
                        set_aside.iter().for_each(|(from, to)| settled.insert(from, to));
                    }
                    is_any_unsent |= !settled.covers(from, to);
                }
            }
        }
        is_any_unsent
    }

    /// Removes closed segments that have nothing left to send from the ledger, and returns them.
    pub fn take_settled_segments(&mut self) -> Vec<Segment> {
        let mut settled = Vec::new();
        let newest = [Kind::Ticks, Kind::Lasting]
            .map(|kind| self.segments.iter().rfind(|segment| segment.kind == kind).map(|segment| segment.no));
        let done = &self.done.settled;
        self.segments.retain(|segment| {
            let keep = newest.contains(&Some(segment.no))
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

    /// Returns how many intervals in the segments are still to be sent.
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

    /// Returns how many intervals were set aside.
    pub fn set_aside_count(&self) -> u64 {
        self.done.set_aside.values().map(Ranges::len).sum()
    }

    /// Returns the size of all segments, in bytes.
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.durable_bytes).sum()
    }

    /// Returns the last wire number of each series that has any interval.
    pub fn last_seq(&self) -> BTreeMap<u16, u64> {
        let mut last = BTreeMap::<u16, u64>::new();
        let held = self.segments.iter().flat_map(|segment| &segment.holds);
        for (series_no, ranges) in held.chain(&self.done.settled) {
            if let Some(seq) = ranges.last() {
                let seq = self.omitted.wire_seq_of(*series_no, seq);
                let entry = last.entry(*series_no).or_insert(seq);
                *entry = seq.max(*entry);
            }
        }
        last
    }
}
