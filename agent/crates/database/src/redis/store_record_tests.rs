//! Tests of records with fields, scans and lengths that vary, on a real Valkey.

use super::tests::{open, refusal};
use crate::store::StoredObjects;
use crate::trial::{job, load, run};
use test_servers::valkey::Valkey;
use workloads::job::Stage;

const SCANS: &str = "recordcount=300\noperationcount=600\nworkload=CoreWorkload\nreadproportion=0\nupdateproportion=0\n\
                     scanproportion=0.95\ninsertproportion=0.05\nrequestdistribution=zipfian\nmaxscanlength=20\nthreadcount=3\n";

#[test]
fn scans_read_the_index_of_ycsb_and_then_the_records() {
    let server = Valkey::start();
    let job = job(SCANS);
    let store = open(&server, &job);
    load(&*store, &job);
    let mut client = server.connection().expect("connected");
    let mut index = || -> Vec<(String, f64)> {
        redis::cmd("ZRANGE").arg("_indices").arg(0).arg(-1).arg("WITHSCORES").query(&mut client).expect("an index")
    };
    let java = |text: &str| text.bytes().fold(0_i32, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(byte)));
    assert_eq!(index().len(), 300);
    assert!(index().iter().all(|(name, score)| (f64::from(java(name)) - score).abs() < 0.5));
    server.reset_commands();
    let (memory, outcome) = run(&*store, &job.stages[1]);
    assert!(outcome.completed, "{outcome:?}");
    let (inserts, scans) = (memory.sum(0, |one| one.count), memory.sum(2, |one| one.count));
    assert_eq!((inserts + scans, memory.sum(0, |one| one.errors) + memory.sum(2, |one| one.errors)), (600, 0));
    assert_eq!(index().len() as u64, 300 + inserts);
    // Each scan reads the index once, and ten records on average.
    assert_eq!(server.calls("zrangebyscore"), scans);
    let records = server.calls("hgetall") as f64 / scans as f64;
    assert!((8.5..11.5).contains(&records), "{records}");
    assert_eq!(store.remove().expect("removed"), 300 + inserts);
    assert_eq!(server.key_count(), 0, "the index too");

    // A foreign index is not changed.
    redis::cmd("ZADD").arg("_indices").arg(1).arg("theirs").exec(&mut client).expect("done");
    assert!(refusal(open(&server, &job).inspect()).contains("the index _indices is there already"));
}

#[test]
fn fields_by_name_and_with_integrity_are_compared() {
    let server = Valkey::start();
    for by_name in [false, true] {
        let job = job(&format!(
            "recordcount=50\noperationcount=400\nreadproportion=0.5\nupdateproportion=0.5\nthreadcount=2\n\
             dataintegrity=true\nreadallfieldsbyname={by_name}\n"
        ));
        let store = open(&server, &job);
        load(&*store, &job);
        let mut client = server.connection().expect("connected");
        let field = |client: &mut redis::Connection, key: &str, name: &str| -> String {
            redis::cmd("HGET").arg(key).arg(name).query(client).expect("a field")
        };
        let begin = "user6284781860667377211:field0:-56807877:2032869390:-165488160:";
        assert!(field(&mut client, "user6284781860667377211", "field0").starts_with(begin));
        let (memory, _) = run(&*store, &job.stages[1]);
        assert_eq!((memory.sum(0, |one| one.errors), memory.sum(2, |one| one.errors)), (0, 0));
        assert!(memory.sum(0, |one| one.count) > 100, "and updates wrote the same");
        // The right length, but the wrong content.
        for key in 0..50 {
            let name = store_name(key);
            let text = field(&mut client, &name, "field1").replace(':', ";");
            redis::cmd("HSET").arg(&name).arg("field1").arg(text).exec(&mut client).expect("written");
        }
        let reads = Stage { distribution: keys::chooser::Distribution::Sequential, ..job.stages[1].clone() };
        let (memory, _) = run(&*store, &reads);
        assert!(memory.sum(0, |one| one.errors) > 10, "{by_name}");
        store.remove().expect("removed");
    }
}

fn store_name(key: u64) -> String {
    format!("user{}", keys::name::fnv_hash(key))
}

#[test]
fn sizes_vary_and_what_sets_write_expires() {
    let server = Valkey::start();
    let text = |more: &str| {
        format!(
            "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = 199\nconnections = 2\nrate_per_s = 2000\n\
             measure_s = 1\n{more}\n"
        )
    };
    for more in [
        "data_size_range = \"16-900\"",
        "data_size_range = \"20-1000\"\ndata_size_pattern = \"S\"\nkey_pattern = \"S:P\"",
        "data_size_list = \"5:1,200:2\"",
    ] {
        let job = job(&text(more));
        let store = open(&server, &job);
        load(&*store, &job);
        let (memory, outcome) = run(&*store, &job.stages[1]);
        assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
        let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
        assert_eq!((all(|one| one.count + one.unfinished), all(|one| one.errors)), (2_000, 0), "{more}");
        store.check().expect("every value has the size of its key and version");
        assert_eq!(store.remove().expect("removed"), 200);
    }
    // Values that sets write expire after a second. Gets that find nothing are counted separately and are no errors.
    let job = job(&text("expiry_range = \"1-1\"\nload = false\nmeasure_s = 3").replacen("measure_s = 1\n", "", 1));
    let store = open(&server, &job);
    assert_eq!(store.inspect().expect("free"), StoredObjects::Absent);
    let (memory, outcome) = run(&*store, &job.stages[0]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    let (gets, errors, misses) =
        (memory.sum(4, |one| one.count), memory.sum(4, |one| one.errors), memory.sum(8, |one| one.count));
    assert_eq!((errors, server.calls("setex")), (0, memory.sum(0, |one| one.count)));
    assert!(misses > 100 && misses < gets, "{misses} of {gets}");
    let mut client = server.connection().expect("connected");
    let life: i64 = redis::cmd("PTTL").arg("memtier-7").query(&mut client).expect("a life");
    assert!(life <= 1_000, "{life}");
}

#[test]
fn fields_of_varying_length_are_written_and_read() {
    let server = Valkey::start();
    for distribution in ["uniform", "zipfian"] {
        let job = job(&format!(
            "recordcount=200\noperationcount=2000\nreadproportion=0.5\nupdateproportion=0.3\ninsertproportion=0.2\nthreadcount=2\n\
             fieldlengthdistribution={distribution}\nminfieldlength=3\nfieldlength=60\n"
        ));
        let store = open(&server, &job);
        load(&*store, &job);
        let (memory, outcome) = run(&*store, &job.stages[1]);
        assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
        let all = |of: fn(&measure::series::Interval) -> u64| {
            [0, 2, 4].map(|series_no| memory.sum(series_no, of)).iter().sum::<u64>()
        };
        assert_eq!([all(|one| one.count), all(|one| one.errors)], [2_000, 0], "{distribution}");
        let lengths: Vec<u64> = {
            let mut client = server.connection().expect("connected");
            let length = |field: u32| {
                let field = format!("field{field}");
                redis::cmd("HSTRLEN").arg(store_name(7)).arg(field).query(&mut client).expect("a length")
            };
            (0..10).map(length).collect()
        };
        assert!(lengths.iter().all(|length| (3..=60).contains(length)), "{lengths:?}");
        assert!(lengths.iter().any(|length| *length != lengths[0]), "{lengths:?}");
        store.remove().expect("removed");
    }
}
