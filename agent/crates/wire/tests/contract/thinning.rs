//! A spool with little room leaves out the oldest ticks that were never offered: no tick that the backend may know, and no
//! histogram. Wire numbers have no gaps, even if the process ends between two steps.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use serde_json::json;
use wire::messages::MissingRange;
use wire::spool::record::{self, MAGIC};
use wire::spool::{Reader, RunSpool, SpoolError};

use crate::thinned_spool::*;

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
    while spool.omitted_ticks() < 500 {
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
    let (run_id, omitted) = (spool.announcement.run_id, spool.omitted_ticks());
    drop(spool);
    let (spool, _) = RunSpool::open(folder.path(), run_id, false).expect("an old spool");
    assert_eq!(spool.omitted_ticks(), omitted);
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
    assert!(measured.0[0] * 2 - spool.omitted_ticks() < 20, "hardly a tick has room beside them");
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
    assert_eq!(spool.omitted_ticks(), 0);
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
    while spool.omitted_ticks() < 500 {
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
    let run_id = spool.announcement.run_id;
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
    let run_id = spool.announcement.run_id;
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
        let (before, omitted, measured_before) = (files_of(&spool), spool.omitted_ticks(), measured.clone());
        // Appends many at once, so that several segments are removed in one step.
        spool.append(&measured.more(if thinned % 2 == 0 { 7 } else { 100 }, 2)).expect("room");
        if spool.omitted_ticks() == omitted {
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
        let ranges = &after["left-out.json"];
        now.insert("left-out.new".to_owned(), ranges[..ranges.len() / 2].to_vec());
        check(&now, false);
        now.remove("left-out.new");
        now.insert("left-out.json".to_owned(), ranges.clone());
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
    fs::create_dir(spool.folder.join("left-out.new")).expect("in the way");
    let error = loop {
        let mut after = measured.clone();
        match spool.append(&after.more(5, 1)) {
            Ok(()) => measured = after,
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("left-out.new"), "{error}");
    assert!(matches!(spool.append(&[interval(0, 9999)]), Err(SpoolError::Closed { .. })));
    assert_eq!(spool.omitted_ticks(), 0);
    assert_whole(&spool, &mut backend, &measured);
    let run_id = spool.announcement.run_id;
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
    let run_id = spool.announcement.run_id;
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
    assert!(spool.omitted_ticks() > 0);
    assert_whole(&spool, &mut backend, &measured);
}
