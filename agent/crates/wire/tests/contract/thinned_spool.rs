//! A spool with little room, the measurements written to it, and a backend that receives them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use measure::series::{Interval, SeriesDefinition};
use serde_json::json;
use tempfile::TempDir;
use wire::messages::{Announcement, MissingRange, RunId};
use wire::spool::{Batch, BatchLimit, Reader, RunSpool};

pub const SECOND_NS: u64 = 1_000_000_000;
/// Two series of ticks and one of histograms.
pub const SERIES: RangeInclusive<u16> = 0..=2;
pub const HISTOGRAMS: u16 = 2;
/// At this limit, segments of ticks have their shortest length.
pub const LIMIT: u64 = 160 << 10;
pub const NO_LIMIT: u64 = u64::MAX;

pub fn announcement() -> Announcement {
    let golden = include_str!("../../../../../docs/contracts/golden/announce.json");
    let golden: Announcement = serde_json::from_str(golden).expect("golden");
    Announcement { run_id: RunId::new(), ..golden }
}

pub fn series() -> Vec<SeriesDefinition> {
    let series = SERIES.map(|series_no| {
        json!({"series_no": series_no, "operation": "read", "clock": "response", "phase": "main", "host": "host",
               "kind": if series_no == HISTOGRAMS { "histogram" } else { "tick" }, "device": null, "layout": null,
               "pin_thresholds_ns": [], "target_rate_per_s": null})
    });
    serde_json::from_value(series.collect()).expect("definitions")
}

/// Returns the interval of one second; a histogram takes some room.
pub fn interval(series_no: u16, seq: u64) -> Interval {
    static TICK: OnceLock<Interval> = OnceLock::new();
    let tick = TICK.get_or_init(|| {
        let text = json!({"series": 0, "seq": 0, "start_ns": 0, "duration_ns": SECOND_NS, "count": 1, "errors": 0,
                          "timeouts": 0, "unfinished": 0, "sum_ns": 5, "min_ns": 5, "max_ns": 5, "pins": [],
                          "target_count": 1, "lateness_max_ns": 0, "histogram": null});
        serde_json::from_value::<Interval>(text).expect("an interval")
    });
    let histogram = (series_no == HISTOGRAMS).then(|| vec![7; 500]);
    Interval { series_no, seq, start_ns: seq * SECOND_NS, histogram, ..tick.clone() }
}

/// The measurements so far: the number of the next interval of each series.
#[derive(Debug, Clone, Default)]
pub struct Measured(pub [u64; 3]);

impl Measured {
    /// Returns the next `seconds` seconds of ticks and the next `histograms` histograms.
    pub fn more(&mut self, seconds: u64, histograms: u64) -> Vec<Interval> {
        let mut intervals = vec![];
        for (series_no, more) in [(0, seconds), (1, seconds), (HISTOGRAMS, histograms)] {
            let next = &mut self.0[usize::from(series_no)];
            intervals.extend((*next..*next + more).map(|seq| interval(series_no, seq)));
            *next += more;
        }
        intervals
    }
}

/// A backend that keeps the contract: it never changes a stored interval, and reports its gaps.
#[derive(Debug, Clone, Default)]
pub struct Backend {
    /// The measured second by series and wire number.
    pub has: BTreeMap<(u16, u64), u64>,
}

impl Backend {
    pub fn take(&mut self, batch: &Batch) {
        for interval in &batch.intervals {
            let key = (interval.series_no, interval.seq);
            let before = self.has.insert(key, interval.start_ns / SECOND_NS);
            assert!(before.is_none_or(|second| second * SECOND_NS == interval.start_ns), "{key:?} came otherwise");
        }
    }

    pub fn contiguous(&self, series_no: u16) -> i64 {
        let count = (0..self.has.len() as u64).take_while(|seq| self.has.contains_key(&(series_no, *seq))).count();
        i64::try_from(count).expect("few") - 1
    }

    pub fn acknowledged(&self, batch: &Batch) -> BTreeMap<u16, i64> {
        let series: BTreeSet<u16> = batch.intervals.iter().map(|interval| interval.series_no).collect();
        series.into_iter().map(|series_no| (series_no, self.contiguous(series_no))).collect()
    }

    pub fn missing(&self, last_seq: &BTreeMap<u16, u64>) -> Vec<MissingRange> {
        let one = |(series, seq)| MissingRange { series, from_seq: seq, to_seq: seq };
        let due = last_seq.iter().flat_map(|(series_no, last)| (0..=*last).map(|seq| (*series_no, seq)));
        due.filter(|key| !self.has.contains_key(key)).map(one).collect()
    }

    /// Returns the seconds of one series, in order of wire numbers.
    pub fn seconds(&self, series_no: u16) -> Vec<u64> {
        self.has.range((series_no, 0)..=(series_no, u64::MAX)).map(|(_, second)| *second).collect()
    }
}

/// Creates a folder in memory if possible, since thousands of appends each wait for the disk.
pub fn folder() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder")
}

pub fn create(folder: &TempDir, limit_bytes: u64) -> RunSpool {
    RunSpool::create(folder.path(), &announcement(), &series(), limit_bytes, false).expect("a new spool")
}

pub fn next(spool: &RunSpool, reader: &mut Reader, intervals: usize) -> Option<Batch> {
    spool.next_batch(reader, BatchLimit { intervals, ..BatchLimit::default() }).expect("readable")
}

pub fn deliver(spool: &RunSpool, backend: &mut Backend) {
    let mut reader = Reader::default();
    while let Some(batch) = next(spool, &mut reader, 2000) {
        backend.take(&batch);
        spool.settle(&batch, &backend.acknowledged(&batch)).expect("settled");
        reader.advance(&batch);
    }
}

/// Delivers the rest and compares the backend's intervals with those measured.
pub fn assert_whole(spool: &RunSpool, backend: &mut Backend, measured: &Measured) {
    deliver(spool, backend);
    let last_seq = spool.last_seq();
    assert_eq!(backend.missing(&last_seq), [], "without gaps");
    assert_eq!(backend.has.keys().copied().collect::<BTreeMap<u16, u64>>(), last_seq, "and nothing beyond");
    assert_eq!(backend.seconds(HISTOGRAMS), (0..measured.0[2]).collect::<Vec<_>>(), "every histogram");
    let ticks: u64 = (0..HISTOGRAMS).map(|series_no| backend.seconds(series_no).len() as u64).sum();
    assert_eq!(ticks + spool.omitted_ticks(), measured.0[0] + measured.0[1], "every tick is there or counted");
    for series_no in SERIES {
        assert!(backend.seconds(series_no).is_sorted_by(|left, right| left < right), "in the order of time");
    }
    assert_eq!(spool.data_through_ns(), measured.0.iter().max().expect("three") * SECOND_NS);
    assert_eq!(spool.totals().unsent, 0);
}

/// Content of a run's files by name.
pub type Files = BTreeMap<String, Vec<u8>>;

pub fn files_of(spool: &RunSpool) -> Files {
    let entries = fs::read_dir(&spool.folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files
        .map(|entry| (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a file")))
        .collect()
}

/// Opens the spool that a later process would find, if this one ended with these files.
pub fn found(files: &Files, run_id: RunId) -> (TempDir, RunSpool) {
    let folder = folder();
    let path = folder.path().join(run_id.to_string());
    fs::create_dir(&path).expect("a folder");
    for (name, bytes) in files {
        fs::write(path.join(name), bytes).expect("writable");
    }
    let (spool, recovery) = RunSpool::open(folder.path(), run_id, false).expect("an old spool");
    assert_eq!(recovery.damaged, []);
    (folder, spool)
}
