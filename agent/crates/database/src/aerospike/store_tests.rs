//! Tests of the Aerospike driver on a stand-in, and on a real server if `TAILROOM_TEST_AEROSPIKE=host:port` names one with an empty
//! namespace `test`.

use measure::clock::{MonotonicTime, TimeSource as _};
use runner::conformance::{Boxed, carry_out, check};
use runner::{End, Request};

use super::*;
use crate::command::Command;
use crate::protocol::Protocol as _;
use crate::store::{Store, StoredObjects};
use crate::trial::{StoreSubject, job, load, run, session};
use test_servers::aerospike::AerospikeServer;

/// Serializes the tests that share a real server.
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
    AerospikeStore::open(&ServerAddress::parse(url, None).expect("an address"), &job.objects, 1).expect("connected")
}

/// Returns a function that pauses `server` and returns a function that resumes it.
fn stop_of(server: &AerospikeServer) -> Box<dyn Fn() -> Box<dyn FnOnce()>> {
    let server = server.clone();
    Box::new(move || {
        server.stop(true);
        let server = server.clone();
        Box::new(move || server.stop(false))
    })
}

fn subject<'a>(
    store: &'a AerospikeStore,
    stop: Option<&'a dyn Fn() -> Box<dyn FnOnce()>>,
) -> StoreSubject<'a, AerospikeStore> {
    StoreSubject { store, objects: 1_000, stop }
}

/// Tests everything that a store does, on a stand-in (`stub`) or a real server.
fn whole_life(url: &str, stub: Option<&AerospikeServer>) {
    let (values, records) = (keyvalue(1_500, 100), job(YCSB));
    let store = open(url, &values);
    store.remove().expect("of an earlier trial");
    load(&store, &values);
    check(&subject(&store, stub.map(stop_of).as_deref()));
    let (memory, outcome) = run(&store, &values.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
    assert_eq!((all(|one| one.count + one.unfinished), all(|one| one.errors + one.timeouts)), (500, 0));
    store.check().expect("still there");
    assert_eq!(
        open(url, &keyvalue(1_500, 200)).inspect().expect("ours"),
        StoredObjects::OfOtherPlan("1500 objects of 100 B".into())
    );

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
    assert_eq!(again.inspect().expect("ours"), StoredObjects::Complete);
    assert_eq!(again.remove().expect("removed"), 300 + inserted);
    assert_eq!(store.remove().expect("removed"), 1_500);
    assert_eq!(store.inspect().expect("free"), StoredObjects::Absent);

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
        // Keys are drawn with replacement: of 60 objects some occur twice in one request.
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
        let address = ServerAddress::parse(url, password.map(str::to_owned)).expect("an address");
        AerospikeStore::open(&address, &job.objects, 1).err().expect("refused").0
    };
    let told = refused(&server.url().replace("/test", "/elsewhere"), None);
    assert!(told.contains("no namespace elsewhere (it has test)"), "{told}");
    let told = refused(&server.url(), Some("hush"));
    assert!(told.contains("a password is given without a user") && !told.contains("hush"), "{told}");
    assert!(refused("aerospike://127.0.0.1:1", None).contains("start the server or correct the address"));
    let valkey = test_servers::valkey::Valkey::start();
    let told = refused(&format!("aerospike://127.0.0.1:{}", valkey.port), None);
    assert!(told.contains("correct the address"), "{told}");
    let large = keyvalue(1_000, 10_000);
    let told = open(&server.url(), &large).check_capacity(&StoredObjects::Absent).expect_err("too much").0;
    assert!(told.contains("1000 objects of 10000 B") && told.contains("1000000 B of the namespace test"), "{told}");
    let store = open(&server.url(), &job);
    let foreign = store.protocol(Arc::new(store.job().objects())).digest(999);
    server.put("memtier", &foreign, b"theirs", b"theirs");
    let told = store.inspect().expect_err("somebody else's").0;
    assert!(told.contains("memtier-999 of the set memtier is there already") && told.contains("nothing was"), "{told}");
    assert_eq!(server.count("memtier") + server.count("tailroom"), 1);
    server.claim(3);
    assert!(refused(&server.url(), None).contains("a cluster of 3 nodes and names 1"));
}

#[test]
fn refusals_and_wrong_records_are_told_apart() {
    let server = AerospikeServer::start();
    let job = keyvalue(10, 32);
    let store = open(&server.url(), &job);
    load(&store, &job);
    let objects = Arc::new(store.job().objects());
    let digest = |key| store.protocol(Arc::clone(&objects)).digest(key);
    server.put("memtier", &digest(4), b"value", &[0xff; 32]);
    server.put("memtier", &digest(5), b"value", b"short");
    server.put("memtier", &digest(6), b"other", &[0; 32]);
    let ends = |commands: &[Command]| -> Vec<End> {
        let mut session = session(&store, 1, 4).expect("connected");
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
    let ended = workload.run(&crate::trial::Memory::default(), &measure::series::StopFlag::default());
    let told = ended.expect_err("nothing can be written").0;
    assert!(told.contains("8: there is no room"), "{told}");
    server.refuse(None);
    // A late answer is discarded.
    let mut session = session(&store, 1, 4).expect("connected");
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

/// Hash of the password `hush`, computed by the C library's `crypt()`.
const CREDENTIAL: &str = "$2a$10$7EqJtq98hPqEX7fNZaFWoOKC25iKEdBBk8yR2reH3gMLB5x0i3zRq";

#[test]
fn users_are_let_in_by_what_is_made_of_their_password() {
    let server = AerospikeServer::start();
    server.let_in("bench", CREDENTIAL);
    let job = keyvalue(200, 100);
    let address = |user: &str, password: Option<&str>| {
        let url = server.url().replace("//", &format!("//{user}"));
        ServerAddress::parse(&url, password.map(str::to_owned)).expect("an address")
    };
    let refused = |user: &str, password: Option<&str>| {
        AerospikeStore::open(&address(user, password), &job.objects, 1).err().expect("refused").0
    };
    for (user, password, told) in [
        ("bench@", Some("hash"), "65: the password is wrong"),
        ("bank@", Some("hush"), "60: there is no such user"),
        ("bench@", None, "a user is named without a password"),
        ("", None, "asks for a user and a password"),
    ] {
        let sentence = refused(user, password);
        assert!(sentence.contains(told) && !sentence.contains("hush"), "{sentence}");
    }
    let store = AerospikeStore::open(&address("bench@", Some("hush")), &job.objects, 1).expect("let in");
    load(&store, &job);
    let (memory, outcome) = run(&store, &job.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    assert_eq!(memory.sum(0, |one| one.errors) + memory.sum(4, |one| one.errors), 0);
    assert_eq!(store.remove().expect("removed"), 200);
}

#[test]
fn every_command_goes_to_the_node_that_has_its_key() {
    let server = AerospikeServer::cluster(3);
    let values = keyvalue(1_500, 100);
    let store = open(&server.url(), &values);
    assert_eq!(store.facts()["cluster_nodes"], 3);
    load(&store, &values);
    check(&subject(&store, Some(&*stop_of(&server))));
    server.take_requested();
    let (memory, outcome) = run(&store, &values.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
    assert_eq!((all(|one| one.count), all(|one| one.errors + one.timeouts)), (500, 0));
    let (requested, passed_on) = server.take_requested();
    assert_eq!((requested.iter().sum::<u64>(), passed_on), (500, 0));
    assert!(requested.iter().all(|count| (100..240).contains(count)), "{requested:?}");
    store.check().expect("all there, on all nodes");

    // After partitions have moved, their new node gets the requests, and no read fails in between.
    let mut session = session(&store, 3, 4).expect("connected");
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    let reads: Vec<Command> = (0..60).map(|key| Command::Read { key, number: key }).collect();
    let passed_on = |session: &mut Boxed<Command>| {
        server.take_requested();
        let ends = carry_out(session.as_mut(), time.as_ref(), &reads);
        assert!(ends.iter().all(|one| one.end == End::Done));
        server.take_requested().1
    };
    assert_eq!(passed_on(&mut session), 0);
    server.rebalance();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let mut seen = 0;
    while std::time::Instant::now() < deadline && (seen == 0 || passed_on(&mut session) > 0) {
        seen = seen.max(passed_on(&mut session));
    }
    assert_eq!(passed_on(&mut session), 0);

    let fraud =
        job("workload = \"fraud\"\n[fraud]\nobjects = 300\nreads_per_transaction = 20\nbatch = 10\nconnections = 3\n\
                     ramp_s = 0\nmeasure_s = 1\n[[fraud.phases]]\nname = \"P1\"\nreads_per_s = 1000\n");
    let store = open(&server.url(), &fraud);
    load(&store, &fraud);
    server.take_requested();
    let (memory, outcome) = run(&store, &fraud.stages[1]);
    assert!(outcome.completed, "{outcome:?}");
    assert_eq!((memory.sum(0, |one| one.count), memory.sum(0, |one| one.errors)), (50, 0));
    let (requested, passed_on) = server.take_requested();
    assert_eq!((requested.iter().sum::<u64>(), passed_on), (1_000, 0), "each key once, at its own node");
    assert!(requested.iter().all(|count| *count > 0), "{requested:?}");
}

#[test]
fn records_of_integrity_and_lives_are_those_of_the_plan() {
    let server = AerospikeServer::start();
    for more in ["", "readallfieldsbyname=true\n", "readallfields=false\n"] {
        let job = job(&format!(
            "recordcount=50\noperationcount=300\nreadproportion=0.5\nupdateproportion=0.5\nthreadcount=2\ndataintegrity=true\n{more}"
        ));
        let store = open(&server.url(), &job);
        load(&store, &job);
        let (memory, outcome) = run(&store, &job.stages[1]);
        assert!(outcome.completed, "{outcome:?}");
        assert_eq!((memory.sum(0, |one| one.errors), memory.sum(2, |one| one.errors)), (0, 0), "{more}");
        let digest = store.protocol(Arc::new(store.job().objects())).digest(7);
        server.put("usertable", &digest, b"field0", &[b'x'; 100]);
        assert!(store.check().expect_err("spoilt").0.contains("1 of 50 objects"));
        store.remove().expect("removed");
    }
    let sized = job(
        "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:1\"\nkey_maximum = 99\nconnections = 2\nrate_per_s = 500\n\
                     measure_s = 1\ndata_size_range = \"16-300\"\nexpiry_range = \"60-90\"\nload = false",
    );
    let store = open(&server.url(), &sized);
    let (memory, outcome) = run(&store, &sized.stages[0]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    assert_eq!(memory.sum(0, |one| one.errors) + memory.sum(4, |one| one.errors), 0);
    assert!(memory.sum(8, |one| one.count) > 0, "gets that found nothing");
    let mut request = Vec::new();
    store.protocol(Arc::new(store.job().objects())).write(Command::Update { key: 1, number: 1 }, &mut request);
    let life = u32::from_be_bytes(*request[18..].first_chunk().expect("a header"));
    assert!((60..=90).contains(&life), "{life}");
}
