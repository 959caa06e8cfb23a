//! Ticks that were left out to make room, and the wire numbers of the others.
//!
//! In the spool an interval has the sequence number with which it was measured. Wire numbers have no gaps: each is smaller by the
//! count of earlier intervals of the series that were left out.

use serde::{Deserialize, Serialize};

use crate::ranges::{BySeries, Ranges};

/// Record of what was left out; it is written to disk before the segment that held it is deleted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OmittedTicks {
    /// Ticks that were left out, by their numbers in the spool.
    pub ticks: BySeries,
    /// End of the latest interval measured before this was written, in nanoseconds from offset 0.
    pub data_through_ns: u64,
}

impl OmittedTicks {
    /// Returns whether this interval was left out; `seq` is its number in the spool.
    pub fn contains(&self, series_no: u16, seq: u64) -> bool {
        self.ticks.get(&series_no).is_some_and(|ranges| ranges.contains(seq))
    }

    /// Returns how many ticks were left out.
    pub fn count(&self) -> u64 {
        self.ticks.values().map(Ranges::len).sum()
    }

    /// Returns the wire number of an interval that was not left out; `seq` is its number in the spool.
    pub fn wire_seq_of(&self, series_no: u16, seq: u64) -> u64 {
        let before = self.ticks.get(&series_no).into_iter().flat_map(Ranges::iter).take_while(|(from, _)| *from < seq);
        seq - before.map(|(from, to)| to.min(seq - 1) - from + 1).sum::<u64>()
    }

    /// Returns the number in the spool of the interval with this wire number.
    pub fn spool_seq(&self, series_no: u16, wire_seq: u64) -> u64 {
        let mut seq = wire_seq;
        for (from, to) in self.ticks.get(&series_no).into_iter().flat_map(Ranges::iter) {
            if seq < from {
                break;
            }
            seq = seq.saturating_add(to - from + 1);
        }
        seq
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_the_wire_are_those_of_the_spool_without_what_was_left_out() {
        let mut omitted = OmittedTicks::default();
        let ranges = omitted.ticks.entry(3).or_default();
        for (from, to) in [(0, 1), (4, 4), (8, 10)] {
            ranges.insert(from, to);
        }
        let left: Vec<u64> = (0..20).filter(|seq| !omitted.contains(3, *seq)).collect();
        assert_eq!(left[..6], [2, 3, 5, 6, 7, 11]);
        for (wire_seq, seq) in (0..).zip(left) {
            assert_eq!(omitted.wire_seq_of(3, seq), wire_seq);
            assert_eq!(omitted.spool_seq(3, wire_seq), seq);
        }
        assert_eq!((omitted.wire_seq_of(4, 9), omitted.spool_seq(4, 9)), (9, 9), "another series");
        assert_eq!(omitted.spool_seq(3, u64::MAX), u64::MAX);
        assert_eq!(omitted.count(), 6);
    }
}
