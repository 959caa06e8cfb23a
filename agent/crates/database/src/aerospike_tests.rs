//! Tests of the driver of Aerospike: against a server of the tests' own, and against a real one where
//! `TAILROOM_TEST_AEROSPIKE=host:port` names one with an empty namespace `test`.

use measure::clock::{MonotonicTime, TimeSource as _};
use runner::conformance::{Boxed, Silent, Subject, carry_out, check};
use runner::{End, Request};

use super::*;
use crate::aerospike_server::AerospikeServer;
use crate::trial::{job, load, run};

/// Real servers are shared by tests, which take turns.
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn keyvalue(objects: u64, bytes: u32) -> workloads::job::Job {
    job(&format!(
        "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = {}\nobject_bytes = {bytes}\nconnections = 3\n\
         rate_per_s = 500\nmeasure_s = 1",
        objects - 1
    ))
}

const YCSB: &str = "recordcount=300\noperationcount=900\nworkload=CoreWorkload\nreadproportion=0.25\n\
                    updateproportion=0.25\ninsertproportion=0.1\nreadmodifywriteproportion=0.4\n\
                    requestdistribution=zipfian\nthreadcount=4\n";

fn open(url: &str, job: &workloads::job::Job) -> AerospikeStore {
    AerospikeStore::open(&Place::parse(url, None).expect("an address"), &job.objects, 1).expect("connected")
}

/// The runner's suite.
struct Subjected<'a>(&'a AerospikeStore, Option<&'a AerospikeServer>);

impl Subject for Subjected<'_> {
    type Command = Command;

    fn sessions(&self) -> Vec<(String, Boxed<Command>)> {
        [1, 16].map(|depth| (format!("depth {depth}"), self.0.session(3, depth).expect("connected"))).into()
    }

    fn command(&self, number: u64) -> Command {
        let key = number;
        if number % 3 == 2 { Command::Update { key, number } } else { Command::Read { key, number } }
    }

    fn number(&self, command: &Command) -> u64 {
        command.number()
    }

    fn wrong(&self, number: u64) -> Option<Command> {
        // There is no such record.
        Some(Command::Read { key: 1 << 40, number })
    }

    fn silent(&self) -> Vec<Silent<Command>> {
        let Some(server) = self.1 else { return Vec::new() };
        let session = self.0.session(3, 16).expect("connected");
        server.stop(true);
        let server = server.clone();
        let answer = Box::new(move || server.stop(false));
        vec![Silent { name: "stopped".into(), session, command: Command::Read { key: 7, number: 7 }, answer }]
    }
}

/// Everything that a server of either sort must do.
fn whole_life(url: &str, stub: Option<&AerospikeServer>) {
    let (values, records) = (keyvalue(1_500, 100), job(YCSB));
    let store = open(url, &values);
    store.remove().expect("of an earlier trial");
    load(&store, &values);
    check(&Subjected(&store, stub));
    let (memory, outcome) = run(&store, &values.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
    assert_eq!((all(|one| one.count + one.unfinished), all(|one| one.errors + one.timeouts)), (500, 0));
    store.check().expect("still there");
    assert_eq!(open(url, &keyvalue(1_500, 200)).look().expect("ours"), Found::Other("1500 objects of 100 B".into()));

    let ycsb = open(url, &records);
    ycsb.remove().expect("of an earlier trial");
    load(&ycsb, &records);
    let (memory, outcome) = run(&ycsb, &records.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    for series_no in [0, 2, 4, 6] {
        assert_eq!(memory.sum(series_no, |one| one.errors + one.timeouts), 0, "series {series_no}");
    }
    let inserted = memory.sum(4, |one| one.count);
    ycsb.check().expect("every record has its fields and sizes: updates leave the others alone");
    let again = open(url, &records);
    assert_eq!(again.look().expect("ours"), Found::Whole);
    assert_eq!(again.remove().expect("removed"), 300 + inserted);
    assert_eq!(store.remove().expect("removed"), 1_500);
    assert_eq!(store.look().expect("free"), Found::Nothing);

    for setting in ["scheduling = \"pool\"\nfan_out = 5", "batch = 20"] {
        let job = job(&format!(
            "workload = \"fraud\"\n[fraud]\nobjects = 60\nreads_per_transaction = 50\n{setting}\nconnections = 4\n\
             ramp_s = 0\nmeasure_s = 1\n[[fraud.phases]]\nname = \"steady\"\nreads_per_s = 500\nupdates_per_s = 100"
        ));
        let store = open(url, &job);
        store.remove().expect("of an earlier trial");
        load(&store, &job);
        let (memory, outcome) = run(&store, &job.stages[1]);
        assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
        let of = |series_no, of: fn(&measure::series::Interval) -> u64| memory.sum(series_no, of);
        assert_eq!((of(0, |one| one.count), of(4, |one| one.count)), (100, 10), "{setting}");
        // Keys are drawn with replacement: among 60 objects some come twice in one request.
        assert_eq!(of(8, |one| one.count), if setting.starts_with("batch") { 30 } else { 500 });
        assert_eq!(of(8, |one| one.errors) + of(0, |one| one.errors), 0, "{setting}");
        assert_eq!(store.remove().expect("removed"), 60);
    }
}

#[test]
fn objects_are_loaded_measured_used_again_and_taken_away() {
    let server = AerospikeServer::start();
    whole_life(&server.url(), Some(&server));
    assert_eq!(server.count("tailroom") + server.count("memtier") + server.count("usertable"), 0);
}

#[test]
fn a_real_server_does_the_same_where_one_is_named() {
    let Ok(address) = std::env::var("TAILROOM_TEST_AEROSPIKE") else { return };
    let _turn = TURN.lock();
    whole_life(&format!("aerospike://{address}/test"), None);
}

#[test]
fn what_is_in_the_way_is_named_before_anything_is_written() {
    let server = AerospikeServer::start();
    let job = keyvalue(1_000, 100);
    let refused = |url: &str, password: Option<&str>| {
        let place = Place::parse(url, password.map(str::to_owned)).expect("an address");
        AerospikeStore::open(&place, &job.objects, 1).err().expect("refused").0
    };
    let told = refused(&server.url().replace("/test", "/elsewhere"), None);
    assert!(told.contains("no namespace elsewhere (it has test)"), "{told}");
    let told = refused(&server.url(), Some("hush"));
    assert!(told.contains("Enterprise Edition") && !told.contains("hush"), "{told}");
    assert!(refused("aerospike://127.0.0.1:1", None).contains("start the server or correct the address"));
    let valkey = crate::valkey::Valkey::start();
    let told = refused(&format!("aerospike://127.0.0.1:{}", valkey.port), None);
    assert!(told.contains("correct the address"), "{told}");
    let large = keyvalue(1_000, 10_000);
    let told = open(&server.url(), &large).check_room().expect_err("too much").0;
    assert!(told.contains("1000 objects of 10000 B") && told.contains("1000000 B of the namespace test"), "{told}");
    let store = open(&server.url(), &job);
    let foreign = store.protocol(Arc::new(store.objects())).digest(999);
    server.put("memtier", &foreign, b"theirs", b"theirs");
    let told = store.look().expect_err("somebody else's").0;
    assert!(told.contains("memtier-999 of the set memtier is there already") && told.contains("nothing was"), "{told}");
    assert_eq!(server.count("memtier") + server.count("tailroom"), 1);
    server.claim(3);
    assert!(refused(&server.url(), None).contains("a cluster of 3 nodes"));
}

#[test]
fn refusals_and_wrong_records_are_told_apart() {
    let server = AerospikeServer::start();
    let job = keyvalue(10, 32);
    let store = open(&server.url(), &job);
    load(&store, &job);
    let objects = Arc::new(store.objects());
    let digest = |key| store.protocol(Arc::clone(&objects)).digest(key);
    server.put("memtier", &digest(4), b"value", &[0xff; 32]);
    server.put("memtier", &digest(5), b"value", b"short");
    server.put("memtier", &digest(6), b"other", &[0; 32]);
    let ends = |commands: &[Command]| -> Vec<End> {
        let mut session = store.session(1, 4).expect("connected");
        let time = Arc::new(MonotonicTime::start());
        session.start(time.clone());
        carry_out(session.as_mut(), time.as_ref(), commands).iter().map(|one| one.end).collect()
    };
    let reads: Vec<Command> = (2..8).map(|key| Command::Read { key, number: key }).collect();
    let wrong = End::Wrong;
    assert_eq!(ends(&reads), [End::Done, End::Done, wrong, wrong, wrong, End::Done]);
    let write = [Command::Update { key: 1, number: 1 }];
    for (result, code) in [(9, libc::ETIMEDOUT), (18, libc::EBUSY), (8, libc::EREMOTEIO)] {
        server.refuse(Some(result));
        assert_eq!(ends(&write), [End::Failed(code)], "{result}");
    }
    let workload = store.stage(&job.stages[1], &crate::trial::settings()).expect("prepared");
    let ended = workload.run(&crate::fraud::tests::Memory::default(), &measure::series::StopFlag::default());
    let told = ended.expect_err("nothing can be written").0;
    assert!(told.contains("8: there is no room"), "{told}");
    server.refuse(None);
    // A late answer belongs to nobody.
    let mut session = store.session(1, 4).expect("connected");
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    server.stop(true);
    session.begin(Request { command: reads[2], lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 });
    let (mut completions, mut given_up) = (Vec::new(), Vec::new());
    session.wait(time.now_ns() + 50_000_000, &mut completions).expect("goes on");
    session.give_up(time.now_ns(), &mut given_up);
    assert_eq!((completions.len(), given_up.len()), (0, 1), "a time-out");
    server.stop(false);
    assert_eq!(carry_out(session.as_mut(), time.as_ref(), &reads[..1])[0].end, End::Done);
}
