//! The spool preserves its intervals through restarts, torn writes and damage, and deletes only settled ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use measure::series::{Clock, Interval, SeriesDefinition, SeriesKind};
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;
use wire::messages::{AgentVersion, Announcement, MissingRange, RunId, WorkloadKind};
use wire::spool::{BatchLimit, Reader, RunSpool, SpoolError, runs};

const SECOND_NS: u64 = 1_000_000_000;
const NO_LIMIT: u64 = u64::MAX;

fn announcement() -> Announcement {
    Announcement {
        run_id: RunId::new(),
        title: "a run".into(),
        workload: WorkloadKind::ActStorage,
        started_at_unix_ns: 1,
        started_at_uncertainty_ns: None,
        planned_duration_ns: SECOND_NS,
        agent: AgentVersion { version: "0".into(), commit: None },
        host: json!({}),
        plan: json!({}),
    }
}

fn series() -> Vec<SeriesDefinition> {
    (0..2)
        .map(|series_no| SeriesDefinition {
            series_no,
            operation: "read".into(),
            clock: Clock::Response,
            kind: SeriesKind::Tick,
            phase: "main".into(),
            host: "host".into(),
            device: None,
            layout: None,
            pin_thresholds_ns: vec![],
            target_rate_per_s: None,
        })
        .collect()
}

fn interval(series_no: u16, seq: u64) -> Interval {
    Interval {
        series_no,
        seq,
        start_ns: seq * SECOND_NS,
        duration_ns: SECOND_NS,
        count: 1,
        errors: 0,
        timeouts: 0,
        unfinished: 0,
        sum_ns: 5,
        min_ns: Some(5),
        max_ns: Some(5),
        pins: vec![],
        target_count: Some(1),
        lateness_max_ns: 0,
        lateness_p99_ns: None,
        busy_ns: None,
        in_flight: None,
        oldest_in_flight_ns: None,
        temperature_millicelsius: None,
        histogram: None,
    }
}

/// Returns an interval of some size.
fn large(seq: u64) -> Interval {
    Interval { histogram: Some(vec![7; 20_000]), ..interval(0, seq) }
}

fn create(folder: &TempDir, limit_bytes: u64) -> RunSpool {
    RunSpool::create(folder.path(), &announcement(), &series(), limit_bytes, false).expect("a new spool")
}

fn reopen(folder: &TempDir, spool: RunSpool) -> RunSpool {
    let run_id = spool.announcement.run_id;
    drop(spool);
    RunSpool::open(folder.path(), run_id, false).expect("an old spool").0
}

/// Returns every interval that is still to be sent, in order.
fn unsent(spool: &RunSpool) -> Vec<(u16, u64)> {
    let mut reader = Reader::default();
    let mut found = Vec::new();
    while let Some(batch) = spool.next_batch(&mut reader, BatchLimit::default()).expect("readable") {
        found.extend(batch.intervals.iter().map(|interval| (interval.series_no, interval.seq)));
        reader.advance(&batch);
    }
    found
}

fn segments(spool: &RunSpool) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(&spool.folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "segment"))
        .collect();
    paths.sort();
    paths
}

fn append_bytes(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).expect("a segment");
    file.write_all(bytes).expect("writable");
}

#[test]
fn gives_back_in_order_what_it_was_given_also_after_a_restart() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    for seq in 0..5 {
        spool.append(&[interval(0, seq), interval(1, seq)]).expect("room");
    }
    let expected: Vec<_> = (0..5).flat_map(|seq| [(0, seq), (1, seq)]).collect();
    assert_eq!(unsent(&spool), expected);
    let spool = reopen(&folder, spool);
    assert_eq!(unsent(&spool), expected);
    assert_eq!(spool.last_seq(), BTreeMap::from([(0, 4), (1, 4)]));
    assert_eq!(spool.data_through_ns(), 5 * SECOND_NS);
    assert_eq!(runs(folder.path()).expect("readable"), [spool.announcement.run_id]);
}

#[test]
fn a_batch_keeps_its_bounds() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    spool.append(&(0..200).map(|seq| interval(0, seq)).collect::<Vec<_>>()).expect("room");
    let take = |limit: BatchLimit| {
        let batch = spool.next_batch(&mut Reader::default(), limit).expect("readable").expect("something");
        batch.intervals.len()
    };
    assert_eq!(take(BatchLimit::default()), 60, "sixty seconds");
    assert_eq!(take(BatchLimit { intervals: 7, ..BatchLimit::default() }), 7);
    assert_eq!(take(BatchLimit { bytes: 1, ..BatchLimit::default() }), 1, "a large interval still goes");
}

#[test]
fn what_is_settled_is_deleted_segment_by_segment_and_not_sent_again() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    for seq in 0..40 {
        spool.append(&[large(seq)]).expect("room");
    }
    let before = segments(&spool).len();
    assert!(before > 2);
    let mut reader = Reader::default();
    let batch = spool.next_batch(&mut reader, BatchLimit::default()).expect("readable").expect("something");
    spool.settle(&batch, &BTreeMap::from([(0, 29)])).expect("deletable");
    assert!(segments(&spool).len() < before);
    assert_eq!(unsent(&spool), (30..40).map(|seq| (0, seq)).collect::<Vec<_>>());
    let spool = reopen(&folder, spool);
    assert_eq!(unsent(&spool).last(), Some(&(0, 39)));
    assert_eq!(spool.last_seq(), BTreeMap::from([(0, 39)]));
    assert_eq!(spool.totals().unsent, 10);
}

#[test]
fn everything_settled_still_knows_the_last_sequence_numbers() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    for seq in 0..30 {
        spool.append(&[large(seq)]).expect("room");
    }
    let batch = spool.next_batch(&mut Reader::default(), BatchLimit::default()).expect("readable").expect("some");
    spool.settle(&batch, &BTreeMap::from([(0, 29)])).expect("deletable");
    let newest = segments(&spool).pop().expect("the newest stays");
    let spool = reopen(&folder, spool);
    fs::remove_file(newest).expect("deletable");
    let spool = reopen(&folder, spool);
    assert_eq!(spool.last_seq(), BTreeMap::from([(0, 29)]));
    assert_eq!(spool.data_through_ns(), 30 * SECOND_NS);
}

#[test]
fn a_full_spool_says_so_and_takes_nothing_more() {
    let folder = TempDir::new().expect("a folder");
    let mut definitions = series();
    definitions[0].kind = SeriesKind::Histogram;
    let spool = RunSpool::create(folder.path(), &announcement(), &definitions, 50_000, false).expect("created");
    spool.append(&[large(0), large(1)]).expect("room");
    assert!(matches!(spool.append(&[large(2)]), Err(SpoolError::Full { limit_bytes: 50_000, .. })));
    assert!(matches!(spool.append(&[interval(0, 3)]), Err(SpoolError::Closed { .. })), "no gap");
    assert_eq!(unsent(&spool), [(0, 0), (0, 1)]);
}

#[test]
fn one_process_works_on_a_run() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    let run_id = spool.announcement.run_id;
    assert!(matches!(RunSpool::open(folder.path(), run_id, false), Err(SpoolError::InUse { .. })));
    let again = RunSpool::create(folder.path(), &spool.announcement, &series(), NO_LIMIT, false);
    assert!(matches!(again, Err(SpoolError::Exists { .. })));
}

#[test]
fn refused_batches_are_set_aside_with_the_reason_and_can_be_tried_again() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    spool.append(&[interval(0, 0), interval(0, 1), interval(0, 2)]).expect("room");
    let one = BatchLimit { intervals: 1, ..BatchLimit::default() };
    let mut reader = Reader::default();
    let batch = spool.next_batch(&mut reader, one).expect("readable").expect("something");
    let path = spool.set_aside(&batch, "HTTP 422 batch-invalid: pins rise").expect("writable");
    assert!(fs::read_to_string(path.with_extension("json")).expect("a reason").contains("pins rise"));
    let gap = [MissingRange { series: 0, from_seq: 0, to_seq: 0 }];
    assert!(!spool.reopen(&gap), "what was refused is not sent again by itself");
    let spool = reopen(&folder, spool);
    assert_eq!(unsent(&spool), [(0, 1), (0, 2)]);
    assert_eq!(spool.totals().set_aside, 1);
    let run_id = spool.announcement.run_id;
    drop(spool);
    let (spool, _) = RunSpool::open(folder.path(), run_id, true).expect("an old spool");
    assert_eq!(unsent(&spool).into_iter().collect::<BTreeSet<_>>(), BTreeSet::from([(0, 0), (0, 1), (0, 2)]));
    assert_eq!(spool.totals().set_aside, 0);
}

#[test]
fn what_the_backend_lacks_after_all_is_sent_again() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    spool.append(&(0..6).map(|seq| interval(0, seq)).collect::<Vec<_>>()).expect("room");
    let batch = spool.next_batch(&mut Reader::default(), BatchLimit::default()).expect("readable").expect("some");
    spool.settle(&batch, &BTreeMap::new()).expect("deletable");
    assert_eq!(unsent(&spool), []);
    assert!(spool.reopen(&[MissingRange { series: 0, from_seq: 2, to_seq: 3 }]));
    assert!(!spool.reopen(&[MissingRange { series: 1, from_seq: 0, to_seq: 9 }]), "never written");
    assert_eq!(unsent(&spool), [(0, 2), (0, 3)]);
}

#[test]
fn damage_in_the_middle_costs_one_record_and_is_reported() {
    let folder = TempDir::new().expect("a folder");
    let spool = create(&folder, NO_LIMIT);
    spool.append(&[large(0), large(1), large(2)]).expect("room");
    let path = segments(&spool).pop().expect("a segment");
    let run_id = spool.announcement.run_id;
    drop(spool);
    let mut bytes = fs::read(&path).expect("readable");
    bytes[30_000] ^= 1;
    fs::write(&path, bytes).expect("writable");
    let (spool, recovery) = RunSpool::open(folder.path(), run_id, false).expect("an old spool");
    assert_eq!(unsent(&spool), [(0, 0), (0, 2)]);
    assert_eq!(recovery.damaged.len(), 1);
    assert!(path.with_extension("damaged").exists(), "the damaged file is kept");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// A file cut at any byte, or with garbage at the end, yields every complete record and can be appended to.
    #[test]
    fn a_torn_tail_costs_only_the_torn_record(cut in 0..3000_usize, garbage in prop::collection::vec(any::<u8>(), 0..40)) {
        let folder = TempDir::new().expect("a folder");
        let spool = create(&folder, NO_LIMIT);
        let mut ends = vec![];
        for seq in 0..10 {
            spool.append(&[interval(0, seq)]).expect("room");
            ends.push(fs::metadata(segments(&spool).pop().expect("a segment")).expect("a file").len());
        }
        let path = segments(&spool).pop().expect("a segment");
        let run_id = spool.announcement.run_id;
        drop(spool);
        let length = ends[9].saturating_sub(cut as u64);
        OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(length)).expect("cut");
        let whole = ends.iter().filter(|end| **end <= length).count() as u64;
        if whole > 0 {
            append_bytes(&path, &garbage);
        }
        let (spool, _) = RunSpool::open(folder.path(), run_id, false).expect("an old spool");
        let kept: Vec<_> = (0..whole).map(|seq| (0, seq)).collect();
        prop_assert_eq!(unsent(&spool), kept.clone());
        spool.append(&[interval(1, 0)]).expect("room");
        let spool = reopen(&folder, spool);
        prop_assert_eq!(unsent(&spool), [kept, vec![(1, 0)]].concat());
    }
}
