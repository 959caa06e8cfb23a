//! The golden files of the wire contract decode, are equal in both encodings, and are what this code writes.
//!
//! `TAILROOM_WRITE_GOLDEN=1 cargo test -p wire golden` writes them again.

use std::fs;
use std::path::PathBuf;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use measure::series::{Interval, SeriesKind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::messages::{
    AnnounceAnswer, Announcement, BatchAnswer, Finish, FinishAnswer, IntervalBatch, Problem, from_msgpack, to_msgpack,
};

use crate::golden_content as content;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/contracts/golden").join(name)
}

fn writing() -> bool {
    std::env::var_os("TAILROOM_WRITE_GOLDEN").is_some_and(|value| value == "1")
}

fn json<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(name: &str, expected: &T) -> T {
    let file = path(name);
    if writing() {
        let text = serde_json::to_string_pretty(expected).expect("a message has a JSON form");
        fs::write(&file, text + "\n").expect("the golden folder can be written");
    }
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let decoded: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written: Value = serde_json::to_value(&decoded).expect("a message has a JSON form");
    let read: Value = serde_json::from_str(&text).expect("read just before");
    assert_eq!(written, read, "{name} is not what this code writes");
    decoded
}

fn msgpack<T: Serialize + DeserializeOwned>(name: &str, expected: &T) -> T {
    let file = path(name);
    if writing() {
        fs::write(&file, to_msgpack(expected).expect("a message has a MessagePack form")).expect("writable");
    }
    let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let decoded: T = from_msgpack(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(
        to_msgpack(&decoded).expect("a message has a MessagePack form"),
        bytes,
        "{name} is not byte for byte what this code writes"
    );
    decoded
}

#[test]
fn announcement_is_the_same_in_both_encodings() {
    let expected = content::announcement();
    let text = json::<Announcement>("announce.json", &expected);
    let binary = msgpack::<Announcement>("announce.msgpack", &expected);
    assert_eq!(text, binary);
    assert_eq!(text, expected);
}

#[test]
fn intervals_are_the_same_in_both_encodings() {
    let expected = content::batch();
    let text = json::<IntervalBatch>("intervals.json", &expected);
    let binary = msgpack::<IntervalBatch>("intervals.msgpack", &expected);
    assert_eq!(text, binary);
    assert_eq!(text.series, expected.series);
    assert_eq!(text.intervals.len(), expected.intervals.len());
}

#[test]
fn intervals_with_conditions_are_the_same_in_both_encodings() {
    let expected = content::batch_with_conditions();
    let text = json::<IntervalBatch>("intervals-with-conditions.json", &expected);
    let binary = msgpack::<IntervalBatch>("intervals-with-conditions.msgpack", &expected);
    assert_eq!(text, binary);
    assert_eq!(text, expected);
    let told = |of: fn(&Interval) -> bool| text.intervals.iter().filter(|one| of(one)).count();
    assert_eq!(told(|one| one.lateness_p99_ns.is_some() && one.busy_ns.is_some()), 14);
    assert_eq!(told(|one| one.in_flight.is_some() && one.oldest_in_flight_ns.is_some()), 12);
    assert_eq!(told(|one| one.temperature_millicelsius.is_some()), 8);
}

#[test]
fn what_is_unknown_may_be_missing_or_null_and_is_left_out() {
    let batch = content::batch();
    let mut text = serde_json::to_value(&batch.intervals[0]).expect("JSON");
    let names = ["lateness_p99_ns", "busy_ns", "in_flight", "oldest_in_flight_ns", "temperature_millicelsius"];
    for name in names {
        assert!(text.get(name).is_none(), "{name}");
        text[name] = Value::Null;
    }
    let read: Interval = serde_json::from_value(text).expect("null is unknown");
    assert_eq!(read, batch.intervals[0]);
}

#[test]
fn every_interval_keeps_the_rules_of_the_contract() {
    keeps_the_rules(&json::<IntervalBatch>("intervals.json", &content::batch()));
    keeps_the_rules(&json::<IntervalBatch>("intervals-with-conditions.json", &content::batch_with_conditions()));
}

fn keeps_the_rules(batch: &IntervalBatch) {
    for interval in &batch.intervals {
        let at = format!("series {} seq {}", interval.series_no, interval.seq);
        let series = batch
            .series
            .iter()
            .find(|series| series.series_no == interval.series_no)
            .unwrap_or_else(|| panic!("{at}: not defined"));
        let lateness_p99_ns = interval.lateness_p99_ns.unwrap_or(0);
        assert!(lateness_p99_ns <= interval.lateness_max_ns, "{at}");
        let looked = [interval.in_flight, interval.oldest_in_flight_ns];
        assert!(looked.iter().all(Option::is_none) || series.kind == SeriesKind::Tick, "{at}");
        assert!(interval.temperature_millicelsius.is_none() || series.kind == SeriesKind::Tick, "{at}");
        assert_eq!(interval.pins.len(), series.pin_thresholds_ns.len(), "{at}");
        assert!(interval.pins.is_sorted_by(|left, right| left >= right), "{at}");
        assert!(interval.pins.iter().all(|pin| *pin <= interval.count), "{at}");
        assert_eq!(interval.min_ns.is_none(), interval.count == 0, "{at}");
        assert_eq!(interval.histogram.is_some(), interval.count > 0 && series.kind == SeriesKind::Histogram, "{at}");
        if let (Some(min_ns), Some(max_ns)) = (interval.min_ns, interval.max_ns) {
            let mean_ns = interval.sum_ns / interval.count;
            assert!(min_ns <= mean_ns && mean_ns <= max_ns, "{at}");
        }
        if let Some(bytes) = &interval.histogram {
            let histogram: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).expect("HDR V2");
            assert_eq!(histogram.len(), interval.count, "{at}");
            assert_eq!(bytes[..4], [0x1c, 0x84, 0x93, 0x14], "{at}");
        }
    }
}

#[test]
fn histograms_of_one_stretch_count_what_its_ticks_count() {
    let batch = content::batch();
    let total =
        |series_no: u16| -> u64 { batch.intervals.iter().filter(|i| i.series_no == series_no).map(|i| i.count).sum() };
    for (tick, histogram) in [(0, 1), (0, 2), (3, 4), (5, 6)] {
        assert_eq!(total(tick), total(histogram));
    }
}

#[test]
fn the_other_messages_decode() {
    let finish = content::finish();
    assert_eq!(json::<Finish>("finish.json", &finish), finish);
    assert_eq!(msgpack::<Finish>("finish.msgpack", &finish), finish);
    let finish = content::finish_with_counters();
    assert_eq!(json::<Finish>("finish-with-counters.json", &finish), finish);
    assert_eq!(msgpack::<Finish>("finish-with-counters.msgpack", &finish), finish);
    let finish = content::finish_of_search();
    assert_eq!(json::<Finish>("finish-of-search.json", &finish), finish);
    assert_eq!(msgpack::<Finish>("finish-of-search.msgpack", &finish), finish);
    assert_eq!(json::<BatchAnswer>("ack.json", &content::ack()), content::ack());
    assert_eq!(json::<AnnounceAnswer>("announce-answer.json", &content::announce_answer()), content::announce_answer());
    assert_eq!(json::<FinishAnswer>("finish-answer.json", &content::finish_answer()), content::finish_answer());
    assert_eq!(json::<Problem>("problem.json", &content::problem()), content::problem());
}

#[test]
fn the_live_event_carries_the_ticks_of_the_batch() {
    let event = json::<Value>("ticks-event.json", &content::ticks_event());
    assert_eq!(event, content::ticks_event());
}
