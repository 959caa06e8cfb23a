//! A spool with little room leaves out the oldest ticks that were never offered: no tick that the backend may know, and no
//! histogram. Wire numbers have no gaps, even if the process ends between two steps.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use measure::series::{Interval, SeriesDefinition};
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;
use wire::interval::WireInterval;
use wire::messages::{Announcement, MissingRange, RunId};
use wire::spool::record::{self, MAGIC};
use wire::spool::{Batch, BatchLimit, Reader, RunSpool, SpoolError};

const SECOND_NS: u64 = 1_000_000_000;
/// Two series of ticks and one of histograms.
const SERIES: RangeInclusive<u16> = 0..=2;
const HISTOGRAMS: u16 = 2;
/// At this limit, segments of ticks have their shortest length.
const LIMIT: u64 = 160 << 10;
const NO_LIMIT: u64 = u64::MAX;

fn announcement() -> Announcement {
    let golden = include_str!("../../../../../docs/contracts/golden/announce.json");
    let golden: Announcement = serde_json::from_str(golden).expect("golden");
    Announcement { run_id: RunId::new(), ..golden }
}

fn series() -> Vec<SeriesDefinition> {
    let series = SERIES.map(|series_no| {
        json!({"series_no": series_no, "operation": "read", "clock": "response", "phase": "main", "host": "host",
               "kind": if series_no == HISTOGRAMS { "histogram" } else { "tick" }, "device": null, "layout": null,
               "pin_thresholds_ns": [], "target_rate_per_s": null})
    });
    serde_json::from_value(series.collect()).expect("definitions")
}

/// Returns the interval of one second; a histogram takes some room.
fn interval(series_no: u16, seq: u64) -> Interval {
    static TICK: OnceLock<Interval> = OnceLock::new();
    let tick = TICK.get_or_init(|| {
        let text = json!({"series": 0, "seq": 0, "start_ns": 0, "duration_ns": SECOND_NS, "count": 1, "errors": 0,
                          "timeouts": 0, "unfinished": 0, "sum_ns": 5, "min_ns": 5, "max_ns": 5, "pins": [],
                          "target_count": 1, "lateness_max_ns": 0, "histogram": null});
        serde_json::from_value::<WireInterval>(text).expect("an interval").0
    });
    let histogram = (series_no == HISTOGRAMS).then(|| vec![7; 500]);
    Interval { series_no, seq, start_ns: seq * SECOND_NS, histogram, ..tick.clone() }
}

/// The measurements so far: the number of the next interval of each series.
#[derive(Debug, Clone, Default)]
struct Measured([u64; 3]);

impl Measured {
    /// Returns the next `seconds` seconds of ticks and the next `histograms` histograms.
    fn more(&mut self, seconds: u64, histograms: u64) -> Vec<Interval> {
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
struct Backend {
    /// The measured second by series and wire number.
    has: BTreeMap<(u16, u64), u64>,
}

impl Backend {
    fn take(&mut self, batch: &Batch) {
        for interval in &batch.intervals {
            let key = (interval.series_no, interval.seq);
            let before = self.has.insert(key, interval.start_ns / SECOND_NS);
            assert!(before.is_none_or(|second| second * SECOND_NS == interval.start_ns), "{key:?} came otherwise");
        }
    }

    fn contiguous(&self, series_no: u16) -> i64 {
        let count = (0..self.has.len() as u64).take_while(|seq| self.has.contains_key(&(series_no, *seq))).count();
        i64::try_from(count).expect("few") - 1
    }

    fn acknowledged(&self, batch: &Batch) -> BTreeMap<u16, i64> {
        let series: BTreeSet<u16> = batch.intervals.iter().map(|interval| interval.series_no).collect();
        series.into_iter().map(|series_no| (series_no, self.contiguous(series_no))).collect()
    }

    fn missing(&self, last_seq: &BTreeMap<u16, u64>) -> Vec<MissingRange> {
        let one = |(series, seq)| MissingRange { series, from_seq: seq, to_seq: seq };
        let due = last_seq.iter().flat_map(|(series_no, last)| (0..=*last).map(|seq| (*series_no, seq)));
        due.filter(|key| !self.has.contains_key(key)).map(one).collect()
    }

    /// Returns the seconds of one series, in order of wire numbers.
    fn seconds(&self, series_no: u16) -> Vec<u64> {
        self.has.range((series_no, 0)..=(series_no, u64::MAX)).map(|(_, second)| *second).collect()
    }
}

/// Creates a folder in memory if possible, since thousands of appends each wait for the disk.
fn folder() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder")
}

fn create(folder: &TempDir, limit_bytes: u64) -> RunSpool {
    RunSpool::create(folder.path(), &announcement(), &series(), limit_bytes).expect("a new spool")
}

fn next(spool: &RunSpool, reader: &mut Reader, intervals: usize) -> Option<Batch> {
    spool.next_batch(reader, BatchLimit { intervals, ..BatchLimit::default() }).expect("readable")
}

fn deliver(spool: &RunSpool, backend: &mut Backend) {
    let mut reader = Reader::default();
    while let Some(batch) = next(spool, &mut reader, 2000) {
        backend.take(&batch);
        spool.settle(&batch, &backend.acknowledged(&batch)).expect("settled");
        reader.advance(&batch);
    }
}

/// Delivers the rest and compares the backend's intervals with those measured.
fn assert_whole(spool: &RunSpool, backend: &mut Backend, measured: &Measured) {
    deliver(spool, backend);
    let last_seq = spool.last_seq();
    assert_eq!(backend.missing(&last_seq), [], "without gaps");
    assert_eq!(backend.has.keys().copied().collect::<BTreeMap<u16, u64>>(), last_seq, "and nothing beyond");
    assert_eq!(backend.seconds(HISTOGRAMS), (0..measured.0[2]).collect::<Vec<_>>(), "every histogram");
    let ticks: u64 = (0..HISTOGRAMS).map(|series_no| backend.seconds(series_no).len() as u64).sum();
    assert_eq!(ticks + spool.ticks_left_out(), measured.0[0] + measured.0[1], "every tick is there or counted");
    for series_no in SERIES {
        assert!(backend.seconds(series_no).is_sorted_by(|left, right| left < right), "in the order of time");
    }
    assert_eq!(spool.data_through_ns(), measured.0.iter().max().expect("three") * SECOND_NS);
    assert_eq!(spool.totals().unsent, 0);
}

/// Content of a run's files by name.
type Files = BTreeMap<String, Vec<u8>>;

fn files_of(spool: &RunSpool) -> Files {
    let entries = fs::read_dir(spool.folder()).expect("a folder").map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files
        .map(|entry| (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a file")))
        .collect()
}

/// Opens the spool that a later process would find, if this one ended with these files.
fn found(files: &Files, run_id: RunId) -> (TempDir, RunSpool) {
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

#[test]
fn the_oldest_that_were_never_offered_go_first_and_the_recent_past_stays() {
    let (folder, mut measured, mut backend) = (folder(), Measured::default(), Backend::default());
    let spool = create(&folder, LIMIT);
    spool.append(&measured.more(5, 1)).expect("room");
    let mut reader = Reader::default();
    let offered = next(&spool, &mut reader, 2000).expect("something");
    assert_eq!(offered.intervals.len(), 11);
    // The backend has the batch, but its answer is lost and the backend is away for long.
    backend.take(&offered);
    while spool.ticks_left_out() < 500 {
        spool.append(&measured.more(5, 1)).expect("room");
        assert!(spool.totals().bytes < LIMIT / 100 * 80, "about three quarters");
    }
    // When the backend is back, the same batch is offered as before.
    let again = next(&spool, &mut reader, 2000).expect("something");
    let same = again.intervals.iter().filter(|interval| backend.has.contains_key(&(interval.series_no, interval.seq)));
    assert_eq!(same.count(), 11);
    let now = measured.0[0];
    assert_whole(&spool, &mut backend, &measured);
    let seconds = backend.seconds(0);
    assert_eq!(seconds[..5], [0, 1, 2, 3, 4], "what was offered");
    let gaps: Vec<_> = seconds.windows(2).filter(|pair| pair[1] != pair[0] + 1).collect();
    assert_eq!(gaps.len(), 1, "one stretch is left out: {gaps:?}");
    assert_eq!(seconds.last(), Some(&(now - 1)));
    assert!(now - gaps[0][1] > 100, "the recent past is whole");
    // A restart gives the same numbers.
    let (run_id, left_out) = (spool.announcement().run_id, spool.ticks_left_out());
    drop(spool);
    let (spool, _) = RunSpool::open(folder.path(), run_id, false).expect("an old spool");
    assert_eq!(spool.ticks_left_out(), left_out);
    assert_whole(&spool, &mut backend, &measured);
}

#[test]
fn at_the_limit_the_newest_ticks_go_too_and_the_run_ends_only_for_histograms() {
    let (folder, mut measured) = (folder(), Measured::default());
    let spool = create(&folder, LIMIT);
    loop {
        let mut after = measured.clone();
        match spool.append(&after.more(1, 4)) {
            Ok(()) => measured = after,
            Err(error) => {
                assert!(matches!(error, SpoolError::Full { limit_bytes: LIMIT, .. }), "{error}");
                break;
            }
        }
    }
    assert!(LIMIT - spool.totals().bytes < 4000, "full of histograms");
    assert!(measured.0[0] * 2 - spool.ticks_left_out() < 20, "hardly a tick has room beside them");
    assert_whole(&spool, &mut Backend::default(), &measured);
}

#[test]
fn ticks_that_were_offered_are_never_left_out_even_at_the_limit() {
    let (folder, mut measured) = (folder(), Measured::default());
    let spool = create(&folder, LIMIT);
    spool.append(&measured.more(200, 1)).expect("room");
    let mut reader = Reader::default();
    while let Some(batch) = next(&spool, &mut reader, 2000) {
        reader.advance(&batch);
    }
    while spool.append(&measured.clone().more(0, 1)).is_ok() {
        measured.more(0, 1);
    }
    assert_eq!(spool.ticks_left_out(), 0);
    assert_whole(&spool, &mut Backend::default(), &measured);
}

#[test]
fn neither_ticks_nor_histograms_wait_for_the_other() {
    let (folder, mut measured) = (folder(), Measured::default());
    let spool = create(&folder, NO_LIMIT);
    spool.append(&measured.more(5000, 0)).expect("room");
    spool.append(&measured.more(0, 5000)).expect("room");
    let batch = next(&spool, &mut Reader::default(), 2000).expect("something");
    let of = |series_no: u16| batch.intervals.iter().filter(|interval| interval.series_no == series_no).count();
    assert_eq!([of(0), of(1), of(HISTOGRAMS)], [60, 0, 60], "a minute each, in the order of writing");
    let batch = next(&spool, &mut Reader::default(), 2).expect("something");
    assert_eq!(batch.intervals.iter().map(|interval| interval.series_no).collect::<Vec<_>>(), [0, HISTOGRAMS]);
    assert_eq!(next(&spool, &mut Reader::default(), 1).expect("something").intervals.len(), 1);
    assert_whole(&spool, &mut Backend::default(), &measured);
}

#[test]
fn a_refused_interval_soon_stands_alone_of_whichever_kind_it_is() {
    let (folder, mut measured, mut backend) = (folder(), Measured::default(), Backend::default());
    let spool = create(&folder, NO_LIMIT);
    spool.append(&measured.more(2000, 2000)).expect("room");
    let refused = [(0, 777), (HISTOGRAMS, 300), (HISTOGRAMS, 301)];
    let (mut reader, mut limit, mut requests, mut alone) = (Reader::default(), 2000, 0, vec![]);
    // Advances and settles as the session does.
    while let Some(batch) = next(&spool, &mut reader, limit) {
        requests += 1;
        let keys: Vec<_> = batch.intervals.iter().map(|interval| (interval.series_no, interval.seq)).collect();
        if !keys.iter().any(|key| refused.contains(key)) {
            backend.take(&batch);
            spool.settle(&batch, &backend.acknowledged(&batch)).expect("settled");
            limit = (limit * 2).min(2000);
        } else if keys.len() > 1 {
            limit = keys.len() / 2;
            continue;
        } else {
            spool.set_aside(&batch, "refused").expect("writable");
            alone.push(keys[0]);
        }
        reader.advance(&batch);
    }
    alone.sort_unstable();
    assert_eq!(alone, refused);
    assert!(requests < 200, "{requests}");
}

#[test]
fn what_moved_up_is_settled_set_aside_and_asked_for_again_by_its_number_on_the_wire() {
    let (folder, mut measured, mut backend) = (folder(), Measured::default(), Backend::default());
    let spool = create(&folder, LIMIT);
    while spool.ticks_left_out() < 500 {
        spool.append(&measured.more(5, 1)).expect("room");
    }
    let mut reader = Reader::default();
    let refused = next(&spool, &mut reader, 1).expect("something");
    let tick = &refused.intervals[0];
    assert_eq!((tick.series_no, tick.seq), (0, 0));
    let second = tick.start_ns / SECOND_NS;
    assert!(second > 100, "the oldest are gone");
    let reason = spool.set_aside(&refused, "refused").expect("writable").with_extension("json");
    let reason: serde_json::Value = serde_json::from_slice(&fs::read(reason).expect("a file")).expect("JSON");
    assert_eq!(reason["intervals"], json!([{"series": 0, "seq": 0}]));
    // The backend reports intervals that an earlier process sent.
    reader.advance(&refused);
    let one = next(&spool, &mut reader, 1).expect("something");
    assert_eq!(one.intervals[0].series_no, HISTOGRAMS);
    backend.take(&one);
    let known = second..second + 20;
    backend.has.extend((0..).zip(known.clone()).map(|(seq, second)| ((1, seq), second)));
    let unsent = spool.totals().unsent;
    spool.settle(&one, &BTreeMap::from([(1, 19)])).expect("settled");
    assert_eq!(unsent - spool.totals().unsent, known.count() as u64 + 1);
    deliver(&spool, &mut backend);
    assert_eq!((spool.totals().unsent, spool.totals().set_aside), (0, 1));
    assert!(!backend.has.contains_key(&(0, 0)), "it was not sent again");
    // The backend lacks an interval after all, and the one that was refused.
    let last = spool.last_seq()[&0];
    let gaps = [0, last].map(|seq| MissingRange { series: 0, from_seq: seq, to_seq: seq });
    assert!(!spool.reopen(&gaps[..1]) && spool.reopen(&gaps));
    let batch = next(&spool, &mut Reader::default(), 2000).expect("something");
    let [again] = &batch.intervals[..] else { panic!("one: {batch:?}") };
    assert_eq!((again.seq, again.start_ns), (last, (measured.0[0] - 1) * SECOND_NS));
    spool.settle(&batch, &BTreeMap::new()).expect("settled");
    // A later process offers it again.
    let run_id = spool.announcement().run_id;
    drop(spool);
    let (spool, _) = RunSpool::open(folder.path(), run_id, true).expect("an old spool");
    assert_eq!(spool.totals().set_aside, 0);
    assert_whole(&spool, &mut backend, &measured);
    assert_eq!(backend.seconds(0)[0], second);
}

#[test]
fn a_process_that_ends_at_any_step_leaves_a_whole_spool() {
    let (folder, mut measured, mut backend) = (folder(), Measured::default(), Backend::default());
    let spool = create(&folder, LIMIT);
    let run_id = spool.announcement().run_id;
    spool.append(&measured.more(3, 1)).expect("room");
    let mut reader = Reader::default();
    let (mut thinned, mut states) = (0, 0);
    while thinned < 6 {
        if thinned == 3 && backend.has.is_empty() {
            // These intervals have new wire numbers already, and the answer is lost.
            for _ in 0..2 {
                let batch = next(&spool, &mut reader, 100).expect("something");
                backend.take(&batch);
                reader.advance(&batch);
            }
        }
        let (before, left_out, measured_before) = (files_of(&spool), spool.ticks_left_out(), measured.clone());
        // Appends many at once, so that several segments are removed in one step.
        spool.append(&measured.more(if thinned % 2 == 0 { 7 } else { 100 }, 2)).expect("room");
        if spool.ticks_left_out() == left_out {
            continue;
        }
        thinned += 1;
        let after = files_of(&spool);
        let gone: Vec<String> = before.keys().filter(|name| !after.contains_key(*name)).cloned().collect();
        assert!(!gone.is_empty());
        let mut now = before;
        let mut check = |files: &Files, may_be_new: bool| {
            let (_folder, spool) = found(files, run_id);
            let books_are_new = files.get("left-out.json") == after.get("left-out.json");
            let left: Vec<_> = files_of(&spool).into_keys().filter(|name| gone.contains(name)).collect();
            assert!(!books_are_new || left.is_empty(), "deleted by now: {left:?}");
            let mut backend = backend.clone();
            let of_before = spool.last_seq().get(&HISTOGRAMS) == Some(&(measured_before.0[2] - 1));
            deliver(&spool, &mut backend);
            assert_eq!(backend.missing(&spool.last_seq()), []);
            assert_eq!(backend.has.keys().copied().collect::<BTreeMap<u16, u64>>(), spool.last_seq());
            assert!(of_before || may_be_new);
            if of_before
                && (0..HISTOGRAMS).all(|no| backend.seconds(no).last() < Some(&measured_before.0[usize::from(no)]))
            {
                assert_whole(&spool, &mut backend, &measured_before);
            }
            states += 1;
        };
        let books = &after["left-out.json"];
        now.insert("left-out.new".to_owned(), books[..books.len() / 2].to_vec());
        check(&now, false);
        now.remove("left-out.new");
        now.insert("left-out.json".to_owned(), books.clone());
        check(&now, false);
        for name in &gone {
            assert!(name.ends_with("-ticks.segment"), "{name}");
            now.remove(name);
            check(&now, false);
        }
        let mut changed: Vec<_> = after.iter().filter(|(name, bytes)| now.get(*name) != Some(bytes)).collect();
        changed.sort_by_key(|(name, _)| name.contains("ticks"));
        for (name, bytes) in changed {
            let had = now.get(name).map_or(0, Vec::len);
            for length in [had + 3, had.midpoint(bytes.len()), bytes.len()] {
                now.insert(name.clone(), bytes[..length].to_vec());
                check(&now, true);
            }
        }
        assert_eq!(now, after);
    }
    assert!(states > 40);
    assert_whole(&spool, &mut backend, &measured);
}

#[test]
fn books_that_cannot_be_written_cost_no_tick_and_end_the_run() {
    let (folder, mut measured, mut backend) = (folder(), Measured::default(), Backend::default());
    let spool = create(&folder, LIMIT);
    fs::create_dir(spool.folder().join("left-out.new")).expect("in the way");
    let error = loop {
        let mut after = measured.clone();
        match spool.append(&after.more(5, 1)) {
            Ok(()) => measured = after,
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("left-out.new"), "{error}");
    assert!(matches!(spool.append(&[interval(0, 9999)]), Err(SpoolError::Closed { .. })));
    assert_eq!(spool.ticks_left_out(), 0);
    assert_whole(&spool, &mut backend, &measured);
    let run_id = spool.announcement().run_id;
    drop(spool);
    let (spool, _) = RunSpool::open(folder.path(), run_id, false).expect("an old spool");
    assert_whole(&spool, &mut backend, &measured);
}

#[test]
fn folders_of_older_agents_are_read_as_they_are() {
    let announcement = announcement();
    let run_id = announcement.run_id;
    let mut files = Files::from([
        ("announcement.json".to_owned(), serde_json::to_vec(&announcement).expect("JSON")),
        ("series.json".to_owned(), serde_json::to_vec(&series()).expect("JSON")),
        (
            "settled.json".to_owned(),
            br#"{"settled": {"0": [[0, 4]], "1": [[0, 4]], "2": [[0, 4]]}, "set_aside": {}, "data_through_ns": 5000000000}"#.to_vec(),
        ),
    ]);
    // Both kinds in one segment, second by second; the first of three segments is deleted already.
    let mut expected = vec![];
    for (no, seconds) in [(2, 5..30), (3, 30..42)] {
        let mut bytes = MAGIC.to_vec();
        for (series_no, seq) in seconds.flat_map(|seq| SERIES.map(move |series_no| (series_no, seq))) {
            record::append(&mut bytes, &interval(series_no, seq)).expect("encodable");
            expected.push((series_no, seq));
        }
        files.insert(format!("{no:06}.segment"), bytes);
    }
    let (_folder, spool) = found(&files, run_id);
    let batch = next(&spool, &mut Reader::default(), 2000).expect("something");
    let sent: Vec<_> = batch.intervals.iter().map(|interval| (interval.series_no, interval.seq)).collect();
    assert_eq!(sent, expected);
    assert_eq!(spool.last_seq(), BTreeMap::from([(0, 41), (1, 41), (2, 41)]));
    // New intervals are written to segments beside it.
    let mut measured = Measured([42; 3]);
    spool.append(&measured.more(3, 1)).expect("room");
    let run_id = spool.announcement().run_id;
    let (_folder, spool) = found(&files_of(&spool), run_id);
    let mut backend = Backend::default();
    backend.has.extend(SERIES.flat_map(|series_no| (0..5).map(move |seq| ((series_no, seq), seq))));
    assert_whole(&spool, &mut backend, &measured);
}

#[test]
fn writing_thinning_and_sending_at_once_agree() {
    let (folder, mut measured) = (folder(), Measured::default());
    let (spool, appended, ended) = (create(&folder, LIMIT), AtomicU64::new(0), AtomicBool::new(false));
    let mut backend = thread::scope(|scope| {
        let sender = scope.spawn(|| {
            let (mut backend, mut reader, mut round) = (Backend::default(), Reader::default(), 0_u64);
            while !ended.load(Ordering::Acquire) {
                // The sender falls behind: one batch for each append, and some do not advance.
                let batch = (round < appended.load(Ordering::Acquire)).then(|| next(&spool, &mut reader, 40)).flatten();
                let Some(batch) = batch else {
                    thread::yield_now();
                    continue;
                };
                backend.take(&batch);
                round += 1;
                // Sometimes an answer is lost, and all unsettled intervals are read again.
                match round % 5 {
                    0 => reader.rewind(),
                    1 => reader.advance(&batch),
                    _ => {
                        spool.settle(&batch, &backend.acknowledged(&batch)).expect("settled");
                        reader.advance(&batch);
                    }
                }
            }
            backend
        });
        // No more histograms than the spool has room for, however slow the sender is.
        let append = |round| {
            let result = spool.append(&measured.more(20, u64::from(round % 4 == 0)));
            appended.fetch_add(1, Ordering::Release);
            result
        };
        let results: Vec<_> = (0..400).map(append).collect();
        ended.store(true, Ordering::Release);
        assert!(results.iter().all(Result::is_ok), "{:?}", results.iter().find(|result| result.is_err()));
        sender.join().expect("an end")
    });
    assert!(spool.ticks_left_out() > 0);
    assert_whole(&spool, &mut backend, &measured);
}

#[derive(Debug, Clone)]
enum Step {
    Append {
        seconds: u64,
        histograms: u64,
    },
    /// A batch is sent and stored by the backend; its answer may be lost.
    Send {
        intervals: usize,
        answered: bool,
    },
    /// A batch is read, and never reaches the backend.
    Offer {
        intervals: usize,
    },
    SetAside {
        intervals: usize,
    },
    Rewind,
    /// The process is killed; the intervals that a new process would deliver are compared with the model.
    Kill,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..60_u64, 0..4_u64).prop_map(|(seconds, histograms)| Step::Append { seconds, histograms }),
        1 => (1..200_usize, any::<bool>()).prop_map(|(intervals, answered)| Step::Send { intervals, answered }),
        1 => (1..200_usize).prop_map(|intervals| Step::Offer { intervals }),
        1 => (1..4_usize).prop_map(|intervals| Step::SetAside { intervals }),
        1 => Just(Step::Rewind),
        1 => Just(Step::Kill),
    ];
    prop::collection::vec(step, 1..70)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

/// Returns what a drain with `--retry-set-aside` delivers from here.
fn assert_drained(spool: &RunSpool, mut backend: Backend, measured: &Measured) {
    let folder = folder();
    let run_id = spool.announcement().run_id;
    copy(spool.folder(), &folder.path().join(run_id.to_string()));
    let left_out = spool.ticks_left_out();
    let (spool, _) = RunSpool::open(folder.path(), run_id, true).expect("an old spool");
    assert_eq!(spool.ticks_left_out(), left_out);
    if measured.0 != [0; 3] {
        assert_whole(&spool, &mut backend, measured);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_wire_has_no_gaps_and_nothing_changes_its_number(steps in steps()) {
        let (folder, mut measured, mut backend) = (folder(), Measured::default(), Backend::default());
        let (spool, mut reader) = (create(&folder, LIMIT), Reader::default());
        for step in steps {
            match step {
                Step::Append { seconds, histograms } => {
                    let mut after = measured.clone();
                    match spool.append(&after.more(seconds, histograms)) {
                        Ok(()) => measured = after,
                        Err(error) => prop_assert!(matches!(error, SpoolError::Full { .. } | SpoolError::Closed { .. }), "{}", error),
                    }
                }
                Step::Send { intervals, answered } => if let Some(batch) = next(&spool, &mut reader, intervals) {
                    backend.take(&batch);
                    if answered {
                        spool.settle(&batch, &backend.acknowledged(&batch)).expect("settled");
                        reader.advance(&batch);
                    }
                },
                Step::Offer { intervals } => {
                    next(&spool, &mut reader, intervals);
                }
                Step::SetAside { intervals } => if let Some(batch) = next(&spool, &mut reader, intervals) {
                    spool.set_aside(&batch, "refused").expect("writable");
                    reader.advance(&batch);
                },
                Step::Rewind => reader.rewind(),
                Step::Kill => assert_drained(&spool, backend.clone(), &measured),
            }
            prop_assert!(spool.totals().bytes <= LIMIT + 16);
        }
        assert_drained(&spool, backend, &measured);
    }
}
