//! Records that an earlier version of the agent left in its spool can be read, and newer fields are read back as written.

use measure::series::Interval;
use wire::spool::record::{self, Content, MAGIC};

/// A record from before intervals had the generator's lateness and load, operations under way, and temperature: length, checksum,
/// `MessagePack`.
const OLD_RECORD_HEX: &str = "af000000fb2cfc808fa673657269657303a373657107a873746172745f6e73cf00000001a13b8600ab6475\
    726174696f6e5f6e73ce3b9aca00a5636f756e7418a66572726f727301a874696d656f75747300aa756e66696e697368656400a673756d5f\
    6e73ce00a6b0d3a66d696e5f6e73ce000456a3a66d61785f6e73ce00095ec8a470696e7393000000ac7461726765745f636f756e7419af6c\
    6174656e6573735f6d61785f6e73cdcb20a9686973746f6772616dc0";

fn old_record() -> Vec<u8> {
    let digits: Vec<u8> = OLD_RECORD_HEX.bytes().collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("text"), 16).expect("hexadecimal");
    digits.chunks(2).map(byte).collect()
}

fn expected() -> Interval {
    Interval {
        series_no: 3,
        seq: 7,
        start_ns: 7_000_000_000,
        duration_ns: 1_000_000_000,
        count: 24,
        errors: 1,
        timeouts: 0,
        unfinished: 0,
        sum_ns: 10_924_243,
        min_ns: Some(284_323),
        max_ns: Some(614_088),
        pins: vec![0; 3],
        target_count: Some(25),
        lateness_max_ns: 52_000,
        lateness_p99_ns: None,
        busy_ns: None,
        in_flight: None,
        oldest_in_flight_ns: None,
        temperature_millicelsius: None,
        histogram: None,
    }
}

#[test]
fn an_old_record_is_an_interval_whose_new_facts_are_unknown() {
    let record = old_record();
    assert_eq!(record::next(&record), Content::Record(expected(), record.len()));
    let mut written = Vec::new();
    record::append(&mut written, &expected()).expect("encodable");
    assert_eq!(written, record, "what is unknown takes no room");
}

#[test]
fn old_and_new_records_share_a_segment() {
    let told = Interval {
        seq: 8,
        lateness_p99_ns: Some(12_999),
        busy_ns: Some(41_000_000),
        in_flight: Some(3),
        oldest_in_flight_ns: Some(700),
        temperature_millicelsius: Some(-1_500),
        ..expected()
    };
    let mut segment = [MAGIC.to_vec(), old_record()].concat();
    record::append(&mut segment, &told).expect("encodable");
    let mut found = Vec::new();
    let scan = record::scan(&segment, |interval| found.push(interval));
    assert_eq!(found, [expected(), told]);
    assert_eq!((scan.clean, scan.torn_bytes, scan.damaged_bytes), (segment, 0, 0));
}
