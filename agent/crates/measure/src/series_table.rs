//! The operations that a run records, and the merging of parts into series. Results of threads that share an operation are added
//! up. With several devices, the sum over them is a series of its own that names no device.
//!
//! All parts of an operation cut their intervals at the same offsets, so addition is exact for counts, sums, counters above
//! thresholds and histograms.

use std::collections::BTreeMap;

use crate::recorder::{Cut, OperationPlan};
use crate::series::SeriesDefinition;

/// An operation, on one device or on all.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Description of how the operation is recorded.
    pub operation: OperationPlan,
    pub first_series_no: u16,
    /// Number of recorders, or of devices for a sum over them, whose results are added up.
    pub parts: usize,
    /// First series of the sum over all devices, if there is one.
    pub total: Option<u16>,
}

/// All operations of a run, in order of their series.
#[derive(Debug, Clone, Default)]
pub struct SeriesTable {
    pub entries: Vec<Entry>,
}

impl SeriesTable {
    /// Adds an operation recorded by `parts` recorders, 0 for a sum over devices, and returns its first series. `total` is the
    /// first series of the sum that it is part of.
    pub fn add(&mut self, operation: OperationPlan, parts: usize, total: Option<u16>) -> u16 {
        let first_series_no =
            self.entries.last().map_or(0, |last| last.first_series_no + last.operation.series_count());
        if let Some(sum) = self.entries.iter_mut().find(|entry| Some(entry.first_series_no) == total) {
            sum.parts += 1;
        }
        self.entries.push(Entry { operation, first_series_no, parts, total });
        first_series_no
    }

    /// Returns all series, in order of their numbers.
    pub fn definitions(&self, host: &str) -> Vec<SeriesDefinition> {
        self.entries.iter().flat_map(|entry| entry.operation.definitions(entry.first_series_no, host)).collect()
    }

    /// Returns the entry that a series belongs to, or `None` if the table is empty.
    pub(crate) fn entry_of(&self, series_no: u16) -> Option<&Entry> {
        let behind = self.entries.partition_point(|entry| entry.first_series_no <= series_no);
        self.entries.get(behind.checked_sub(1)?)
    }
}

/// Merges the parts of intervals as they arrive.
#[derive(Debug)]
pub(crate) struct Merge<'a> {
    series_table: &'a SeriesTable,
    pending: BTreeMap<(u16, u64), (Cut, usize)>,
}

impl<'a> Merge<'a> {
    pub(crate) fn new(series_table: &'a SeriesTable) -> Self {
        Self { series_table, pending: BTreeMap::new() }
    }

    /// Adds a part and appends the intervals that it completes.
    pub(crate) fn add(&mut self, cut: Cut, complete: &mut Vec<Cut>) {
        let Some(entry) = self.series_table.entry_of(cut.interval.series_no) else { return };
        let Some(mut cut) = self.complete(entry.parts, cut) else { return };
        cut.settle();
        if let Some(total) = entry.total {
            let mut copy = cut.clone();
            copy.interval.series_no = total + (cut.interval.series_no - entry.first_series_no);
            complete.push(cut);
            self.add(copy, complete);
        } else {
            complete.push(cut);
        }
    }

    fn complete(&mut self, expected: usize, cut: Cut) -> Option<Cut> {
        if expected <= 1 {
            return Some(cut);
        }
        let key = (cut.interval.series_no, cut.interval.seq);
        match self.pending.remove(&key) {
            None => {
                self.pending.insert(key, (cut, 1));
                None
            }
            Some((mut sum, parts)) => {
                sum.add(&cut);
                if parts + 1 == expected {
                    return Some(sum);
                }
                self.pending.insert(key, (sum, parts + 1));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::{Recorder, Times};
    use crate::schedule::{Rate, Schedule};
    use crate::series::Clock;

    const SECOND: u64 = 1_000_000_000;

    fn operation(device: Option<&str>, per_s: u128) -> OperationPlan {
        OperationPlan {
            operation: "read".into(),
            device: device.map(str::to_owned),
            schedule: Some(Schedule::new(Rate::new(per_s, u128::from(SECOND)).expect("usable"), 0, 1).into()),
            clocks: vec![Clock::Response, Clock::Service],
            pin_thresholds_ns: vec![1_000_000],
        }
    }

    #[test]
    fn threads_are_added_up_and_devices_have_a_total() {
        let mut series_table = SeriesTable::default();
        let total = series_table.add(operation(None, 20), 0, None);
        for device in ["a", "b"] {
            series_table.add(operation(Some(device), 10), 2, Some(total));
        }
        assert_eq!(series_table.definitions("host").len(), 12);
        let mut cuts = Vec::new();
        for (first, latency_ns) in [(4, 500_000), (4, 1_500_000), (8, 2_500_000), (8, 3_500_000)] {
            let part = operation(None, 10);
            let arrivals = part.schedule.expect("given").part(u64::from(latency_ns > 1_000_000 && first == 4), 2);
            let part = OperationPlan { schedule: Some(arrivals), ..part };
            let mut recorder = Recorder::new(part, first, 2, 2 * SECOND);
            recorder.completed(Times { intended_ns: 0, submitted_ns: 0, completed_ns: latency_ns });
            recorder.dispatched(latency_ns, latency_ns / 10);
            recorder.busy(0, latency_ns * 100);
            recorder.under_way(1, latency_ns);
            recorder.finish(2 * SECOND, 0, &mut cuts);
        }
        let (mut merge, mut complete) = (Merge::new(&series_table), Vec::new());
        for cut in cuts {
            merge.add(cut, &mut complete);
        }
        assert!(merge.pending.is_empty());
        let of = |series_no: u16| complete.iter().filter(move |cut| cut.interval.series_no == series_no);
        assert_eq!((0..12).map(|series_no| of(series_no).count()).collect::<Vec<_>>(), [2, 1].repeat(6));
        let sum = &of(1).next().expect("whole").interval;
        assert_eq!((sum.count, sum.sum_ns, sum.pins[0], sum.target_count), (4, 8_000_000, 3, Some(40)));
        assert_eq!((sum.min_ns, sum.max_ns, sum.unfinished), (Some(500_000), Some(3_500_000), 36));
        assert_eq!(sum.lateness_max_ns, 3_500_000);
        assert_eq!((sum.lateness_p99_ns, sum.busy_ns), (Some(351_999), Some(350_000_000)), "of the busiest thread");
        assert_eq!((sum.in_flight, sum.oldest_in_flight_ns), (None, None), "of ticks");
        let ticks: Vec<_> = of(0).map(|cut| (cut.interval.in_flight, cut.interval.oldest_in_flight_ns)).collect();
        assert_eq!(ticks, [(None, None), (Some(4), Some(3_500_000))]);
        for (response, service) in of(0).zip(of(2)).chain(of(1).zip(of(3))) {
            let conditions = |cut: &Cut| {
                let crate::series::Interval { lateness_p99_ns, busy_ns, in_flight, oldest_in_flight_ns, .. } =
                    cut.interval;
                (lateness_p99_ns, busy_ns, in_flight, oldest_in_flight_ns)
            };
            assert_eq!(conditions(response), conditions(service), "on every clock the same");
        }
        let transactions = of(5).next().expect("whole");
        assert_eq!(transactions.interval.target_count, Some(20));
        assert_eq!(transactions.histogram.as_ref().map(crate::histogram::LatencyHistogram::count), Some(2));
    }
}
