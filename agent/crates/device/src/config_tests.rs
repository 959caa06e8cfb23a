//! Tests of parsing ACT's configuration files.

use super::*;
use crate::rates::rates;

const STORAGE: &str = "\
# comment
device-names: /dev/nvme0n1,/dev/nvme1n1
test-duration-sec: 86400   # a day

read-reqs-per-sec: 120000
write-reqs-per-sec: 60000
service-threads: 40
";

fn error(text: &str) -> String {
    parse(text, None).expect_err("refused").to_string()
}

#[test]
fn a_configuration_and_a_load_multiple_derive_the_same_numbers() {
    let config = parse(STORAGE, None).expect("readable");
    assert_eq!(config.duration_s, 86_400);
    assert_eq!(config.plan.load_multiple, Some(30.0));
    assert!(config.notes.iter().any(|note| note.starts_with("service-threads")));
    let short = ActStoragePlan {
        further_paths: vec!["/dev/nvme1n1".into()],
        load_multiple: Some(30.0),
        ..ActStoragePlan::new("/dev/nvme0n1".into())
    };
    assert_eq!(rates(&config.plan, 2).expect("usable"), rates(&short, 2).expect("usable"));
    let same_but_rates = ActStoragePlan { read_requests_per_s: None, write_requests_per_s: None, ..config.plan };
    assert_eq!(same_but_rates, short);
}

#[test]
fn every_key_of_act_is_understood() {
    let text = format!(
        "{STORAGE}report-interval-sec: 1\nmicrosecond-histograms: yes\nrecord-bytes: 1024\nrecord-bytes-range-max: 2048\n\
         large-block-op-kbytes: 256\nreplication-factor: 2\nupdate-pct: 10\ndefrag-lwm-pct: 60\nno-defrag-reads: yes\n\
         compress-pct: 40\ncommit-to-device: yes\ntomb-raider: yes\ntomb-raider-sleep-usec: 1000\nmax-lag-sec: 0\n\
         file-size-mbytes: 64\n"
    );
    let plan = parse(&text, None).expect("readable").plan;
    assert_eq!((plan.record_bytes, plan.record_bytes_range_max, plan.large_block_bytes), (1024, 2048, 262_144));
    assert_eq!((plan.replication_factor, plan.update_pct, plan.defrag_lwm_pct, plan.compress_pct), (2, 10, 60, 40));
    assert!(plan.no_defrag_reads && plan.commit_to_device && plan.tomb_raider && plan.sync_writes);
    assert_eq!((plan.tomb_raider_sleep_us, plan.max_lag_s, plan.file_size_bytes), (1000, 0, Some(64 << 20)));
    assert!(!parse(&format!("{STORAGE}disable-odsync: yes\n"), None).expect("readable").plan.sync_writes);
}

#[test]
fn the_index_test_is_told_by_its_key_or_by_the_caller() {
    let index = parse(&format!("{STORAGE}cache-threads: 8\n"), None).expect("readable").plan;
    assert_eq!(index.model, Model::Index);
    assert_eq!(parse(STORAGE, Some(Model::Index)).expect("readable").plan.model, Model::Index);
    let mixed = parse(&format!("{STORAGE}record-bytes: 1024\n"), Some(Model::Index)).expect_err("refused");
    assert_eq!((mixed.line, mixed.sentence.contains("belongs to act_storage")), (Some(8), true), "{mixed}");
}

#[test]
fn what_is_wrong_is_named_by_line_with_what_to_do() {
    for (line, expected) in [
        ("num-queues: 8", "line 8: num-queues: ACT gave it up"),
        ("scheduler-mode: noop", "line 8: scheduler-mode: ACT gave it up"),
        ("record-byte: 3", "line 8: record-byte is no key of ACT; did you mean record-bytes?"),
        ("colour: red", "line 8: colour is no key of ACT"),
        ("test-duration-sec: 5", "line 8: test-duration-sec is set a second time (first on line 3)"),
        ("record-bytes: 1k", "line 8: record-bytes is `1k`; a whole number"),
        ("record-bytes: -1", "line 8: record-bytes is `-1`"),
        ("record-bytes: 99999999", "line 8: record-bytes: "),
        ("record-bytes-range-max: 5", "line 8: record-bytes-range-max: "),
        ("large-block-op-kbytes: 100", "line 8: large-block-op-kbytes must be a power of two"),
        ("update-pct: 300", "line 8: update-pct must lie between 0 and 100"),
        ("defrag-lwm-pct: 100", "line 8: defrag-lwm-pct: "),
        ("commit-to-device: y", "line 8: commit-to-device is `y`; write yes or no"),
        ("tomb-raider:", "line 8: tomb-raider has no value"),
        ("tomb-raider", "line 8: `tomb-raider` has no value"),
    ] {
        let found = error(&format!("{STORAGE}{line}\n"));
        assert!(found.starts_with(expected), "expected `{expected}` in `{found}`");
    }
    assert_eq!(error("test-duration-sec: 1\n"), "device-names is mandatory and not there");
    assert_eq!(error("device-names: /dev/a\n"), "test-duration-sec is mandatory and not there");
    assert!(
        error("device-names: /dev/sdc?\ntest-duration-sec: 1\n").contains("line 1: device-names still has the `?`")
    );
    assert!(error("device-names: /dev/a\ntest-duration-sec: 0\n").contains("line 2"));
    assert!(error("device-names: /dev/a\ntest-duration-sec: 9\n").contains("cannot both be 0"));
    assert!(
        error("device-names: /dev/a,/dev/a\ntest-duration-sec: 9\nread-reqs-per-sec: 9\n")
            .contains("line 1: device-names")
    );
}
