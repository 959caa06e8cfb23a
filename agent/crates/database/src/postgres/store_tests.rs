//! Tests of the `PostgreSQL` driver on a real server, compared with the official client.

use measure::clock::{MonotonicTime, TimeSource as _};
use runner::conformance::{Boxed, carry_out, check};
use runner::{End, Request};

use super::*;
use crate::command::Command;
use crate::store::{Store, StoredObjects};
use crate::trial::{StoreSubject, job, load, run, session};
use test_servers::postgres::{PASSWORD, PostgresServer, signal};

fn keyvalue(objects: u64, bytes: u32) -> workloads::job::Job {
    job(&format!(
        "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = {}\nobject_bytes = {bytes}\nconnections = 3\n\
         pipeline = 2\nrate_per_s = 500\nmeasure_s = 1",
        objects - 1
    ))
}

const YCSB: &str = "recordcount=300\noperationcount=900\nworkload=CoreWorkload\nreadproportion=0.25\n\
                    updateproportion=0.25\ninsertproportion=0.1\nreadmodifywriteproportion=0.4\n\
                    requestdistribution=zipfian\nthreadcount=4\n";

fn open(server: &PostgresServer, job: &workloads::job::Job) -> PostgresStore {
    let address = ServerAddress::parse(&server.url(), Some(PASSWORD.into())).expect("an address");
    PostgresStore::open(&address, &job.objects, 1).expect("connected")
}

/// Carries out the commands one after another, and returns their ends.
fn ends(session: &mut Boxed<Command>, commands: &[Command]) -> Vec<End> {
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    commands.iter().map(|one| carry_out(session.as_mut(), time.as_ref(), &[*one])[0].end).collect()
}

fn read(key: u64) -> Command {
    Command::Read { key, number: key }
}

#[test]
fn the_driver_is_a_session_and_right_answers_are_told_from_wrong_ones() {
    let server = PostgresServer::start(&[]);
    let job = keyvalue(1_500, 100);
    let store = open(&server, &job);
    load(&store, &job);
    let pid = server.pid();
    let stop = || -> Box<dyn FnOnce()> {
        server.signal("-STOP");
        Box::new(move || signal(pid, "-CONT"))
    };
    check(&StoreSubject { store: &store, objects: 1_000, stop: Some(&stop) });

    // The driver reads what the official client writes.
    for statement in [
        "UPDATE memtier SET value = (SELECT value FROM memtier WHERE key = 'memtier-3') WHERE key = 'memtier-4'",
        "UPDATE memtier SET value = substr(value, 2) WHERE key = 'memtier-5'",
        "DELETE FROM memtier WHERE key = 'memtier-6'",
        "UPDATE memtier SET value = NULL WHERE key = 'memtier-7'",
    ] {
        server.psql(statement).expect("done");
    }
    let reads: Vec<Command> = (2..9).map(read).collect();
    let mut ours = session(&store, 1, 4).expect("set up");
    let (done, wrong) = (End::Done, End::Wrong);
    assert_eq!(ends(&mut ours, &reads), [done, done, wrong, wrong, wrong, wrong, done]);
    let told = store.check().expect_err("not whole").0;
    assert!(told.contains("1500 objects should be there, and the table memtier holds 1499"), "{told}");
    // A SET of memtier creates a missing row. The driver and the official client read the same content.
    assert_eq!(ends(&mut ours, &[Command::Update { key: 6, number: 9 }, read(6)]), [done, done]);
    let begin = server.psql("SELECT encode(value, 'hex') FROM memtier WHERE key = 'memtier-6'").expect("there");
    assert!(begin.starts_with("06000000000000000a00000000000000") && begin.len() == 200, "{begin}");
    // A row that cannot be written fails alone, with the message of the server.
    server.psql("ALTER TABLE memtier ADD CHECK (key <> 'memtier-8')").expect_err("8 is there");
    server.psql("ALTER TABLE memtier ADD CHECK (key <> 'memtier-8') NOT VALID").expect("done");
    let time = MonotonicTime::start();
    let commands = [read(1), Command::Update { key: 8, number: 1 }, read(2)];
    let all: Vec<End> = carry_out(ours.as_mut(), &time, &commands).iter().map(|one| one.end).collect();
    assert_eq!(all, [done, End::Failed(libc::EREMOTEIO), done]);
}

#[test]
fn a_server_that_is_gone_and_back_costs_errors_and_the_run_goes_on() {
    let mut server = PostgresServer::start(&[]);
    let job = keyvalue(500, 100);
    let store = open(&server, &job);
    load(&store, &job);
    let mut ours = session(&store, 2, 4).expect("set up");
    assert_eq!(ends(&mut ours, &[read(1), read(2)]), [End::Done, End::Done]);
    // The server reports that its administrator ended the connection, and then closes it.
    server
        .psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tailroom-agent'")
        .expect("done");
    let time = Arc::new(MonotonicTime::start());
    ours.start(time.clone());
    let mut all = Vec::new();
    while !all.ends_with(&[End::Done; 4]) {
        assert!(time.now_ns() < 20_000_000_000, "{all:?}");
        all.push(carry_out(ours.as_mut(), time.as_ref(), &[read(3)])[0].end);
    }
    server.kill();
    assert!(matches!(ends(&mut ours, &[read(1)])[..], [End::Failed(_)]));
    server.restart();
    let mut last = End::Wrong;
    for _ in 0..400 {
        last = ends(&mut ours, &[read(1)])[0];
        if last == End::Done {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    assert_eq!(last, End::Done, "connected again");
    // A late answer is discarded.
    server.signal("-STOP");
    let time = Arc::new(MonotonicTime::start());
    ours.start(time.clone());
    ours.begin(Request { command: read(1), lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 });
    let (mut completions, mut given_up) = (Vec::new(), Vec::new());
    ours.wait(time.now_ns() + 50_000_000, &mut completions).expect("goes on");
    ours.give_up(time.now_ns(), &mut given_up);
    assert_eq!((completions.len(), given_up.len()), (0, 1), "a time-out");
    server.signal("-CONT");
    let all = ends(&mut ours, &[read(2), read(3), read(4)]);
    assert!(all.iter().all(|end| *end != End::Wrong), "{all:?}");
}

#[test]
fn objects_are_loaded_measured_used_again_and_taken_away() {
    let server = PostgresServer::start(&[]);
    let (values, records) = (keyvalue(2_000, 100), job(YCSB));
    let store = open(&server, &values);
    for (fact, value) in [("software", "PostgreSQL"), ("fsync", "off"), ("shared_buffers", "16MB")] {
        assert_eq!(store.facts()[fact], value);
    }
    assert!(
        ["version", "synchronous_commit", "connected_standbys"].iter().all(|fact| store.facts().contains_key(*fact))
    );
    load(&store, &values);
    let (memory, outcome) = run(&store, &values.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
    assert_eq!(all(|one| one.count + one.unfinished + one.timeouts), 500);
    assert_eq!(all(|one| one.errors), 0, "every value was that of its key, also after it was written anew");
    store.check().expect("still there");
    assert_eq!(open(&server, &values).inspect().expect("ours"), StoredObjects::Complete, "another run uses them again");
    let other = open(&server, &keyvalue(2_000, 200));
    assert_eq!(other.inspect().expect("ours"), StoredObjects::OfOtherPlan("2000 objects of 100 B".into()));

    let ycsb = open(&server, &records);
    load(&ycsb, &records);
    let (memory, outcome) = run(&ycsb, &records.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    for series_no in [0, 2, 4, 6] {
        assert_eq!(memory.sum(series_no, |one| one.errors + one.timeouts), 0);
    }
    let inserted = memory.sum(4, |one| one.count);
    assert_eq!(server.psql("SELECT count(*) FROM usertable"), Ok((300 + inserted).to_string()));
    ycsb.check().expect("every record has its fields and sizes");
    // Interrupted before the new number of objects was written to the marker.
    let again = open(&server, &records);
    assert_eq!(again.inspect().expect("ours"), StoredObjects::Complete);
    again.check().expect("all there");
    assert_eq!(again.remove().expect("removed"), 300 + inserted);
    assert_eq!(store.remove().expect("removed"), 2_000);
    assert_eq!(
        server.psql("SELECT count(*) FROM pg_class WHERE relname IN ('memtier', 'usertable', 'tailroom_objects')"),
        Ok("0".into())
    );

    // Transactions: single reads through a pool, and several keys in one request.
    for setting in ["scheduling = \"pool\"\nfan_out = 5", "batch = 20"] {
        let job = job(&format!(
            "workload = \"fraud\"\n[fraud]\nobjects = 60\nreads_per_transaction = 50\n{setting}\nconnections = 4\n\
             ramp_s = 0\nmeasure_s = 1\n[[fraud.phases]]\nname = \"steady\"\nreads_per_s = 500\nupdates_per_s = 100"
        ));
        let store = open(&server, &job);
        if store.inspect().expect("ours") == StoredObjects::Absent {
            load(&store, &job);
        }
        let (memory, outcome) = run(&store, &job.stages[1]);
        assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
        let of = |series_no, of: fn(&measure::series::Interval) -> u64| memory.sum(series_no, of);
        assert_eq!((of(0, |one| one.count), of(4, |one| one.count)), (100, 10), "{setting}");
        // Keys are drawn with replacement: of 60 objects some occur twice in one request.
        assert_eq!(of(8, |one| one.count), if setting.starts_with("batch") { 30 } else { 500 });
    }
}

#[test]
fn what_is_in_the_way_is_named_before_anything_is_written() {
    let server = PostgresServer::start(&["max_connections=12"]);
    let job = keyvalue(100, 100);
    let refused = |url: &str, password: &str| {
        let address = ServerAddress::parse(url, Some(password.into())).expect("an address");
        PostgresStore::open(&address, &job.objects, 1).err().expect("refused").0
    };
    let told = refused(&server.url(), "wrong-one");
    assert!(told.contains("28P01") && told.contains("--password-file") && !told.contains("wrong-one"), "{told}");
    let told = refused(&server.url().replace("/postgres", "/nowhere"), PASSWORD);
    assert!(told.contains("\"nowhere\" does not exist"), "{told}");
    assert!(refused("postgresql://bench@127.0.0.1:1/x", PASSWORD).contains("start the server or correct the address"));
    assert!(refused("postgresql:///x?host=/nowhere", PASSWORD).contains("/nowhere/.s.PGSQL.5432"));
    let store = open(&server, &job);
    let told = store.check_connections(400).expect_err("too many").0;
    assert!(told.contains("400 connections are wanted") && told.contains("max_connections 12"), "{told}");
    server.psql("CREATE TABLE memtier (mine int)").expect("done");
    let told = store.inspect().expect_err("somebody else's").0;
    assert!(told.contains("the table memtier is there already") && told.contains("nothing was written"), "{told}");
    assert_eq!(server.psql("SELECT count(*) FROM pg_class WHERE relname = 'tailroom_objects'"), Ok("0".into()));
    // A server of another kind, and a user without the right to write.
    let valkey = test_servers::valkey::Valkey::start();
    let told = refused(&format!("postgresql://bench@127.0.0.1:{}/x", valkey.port), PASSWORD);
    assert!(told.contains("cannot be connected to"), "{told}");
    server.psql("DROP TABLE memtier; CREATE ROLE guest LOGIN PASSWORD 'guest'").expect("done");
    let address =
        ServerAddress::parse(&server.url().replace("bench@", "guest@"), Some("guest".into())).expect("an address");
    let told = PostgresStore::open(&address, &job.objects, 1).expect("let in").begin_loading().expect_err("no right").0;
    assert!(told.contains("42501") && told.contains("rights"), "{told}");
}

#[test]
fn scans_are_ranges_of_the_table() {
    let server = PostgresServer::start(&[]);
    for by_name in [false, true] {
        let job = job(&format!(
            "recordcount=300\noperationcount=300\nworkload=CoreWorkload\nreadproportion=0\nupdateproportion=0\n\
             scanproportion=0.95\ninsertproportion=0.05\nmaxscanlength=20\nthreadcount=3\nreadallfieldsbyname={by_name}\n"
        ));
        let store = open(&server, &job);
        load(&store, &job);
        let (memory, outcome) = run(&store, &job.stages[1]);
        assert!(outcome.completed, "{outcome:?}");
        let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(2, of);
        assert_eq!((all(|one| one.count), all(|one| one.errors)), (300, 0));
        // A scan from the last key returns one record. A record without one of its fields is wrong.
        let last = (0..300).max_by_key(|key| store.job().objects().name(*key)).expect("some");
        let scan = |key| Command::Scan { key, number: 1, count: 5 };
        let mut ours = session(&store, 1, 4).expect("set up");
        assert_eq!(ends(&mut ours, &[scan(last), scan(7)]), [End::Done, End::Done]);
        let spoilt =
            format!("UPDATE usertable SET field3 = NULL WHERE ycsb_key = '{}'", store.job().objects().name(last));
        server.psql(&spoilt).expect("done");
        assert_eq!(ends(&mut ours, &[scan(last)]), [End::Wrong]);
        store.remove().expect("removed");
    }
}

#[test]
fn fields_with_integrity_and_values_of_other_sizes_are_compared() {
    let server = PostgresServer::start(&[]);
    for more in ["", "readallfieldsbyname=true\n", "readallfields=false\n"] {
        let job = job(&format!(
            "recordcount=50\noperationcount=400\nreadproportion=0.5\nupdateproportion=0.5\nthreadcount=2\ndataintegrity=true\n{more}"
        ));
        let store = open(&server, &job);
        load(&store, &job);
        let (memory, outcome) = run(&store, &job.stages[1]);
        assert!(outcome.completed, "{outcome:?}");
        assert_eq!((memory.sum(0, |one| one.errors), memory.sum(2, |one| one.errors)), (0, 0), "{more}");
        assert!(memory.sum(0, |one| one.count) > 100, "and updates wrote the same");
        store.check().expect("every field is what it should be");
        // The right length, but the wrong content: that of another field, or with one byte changed.
        server.psql("UPDATE usertable SET field1 = overlay(field1 placing 'x' from 40)").expect("done");
        let told = store.check().expect_err("spoilt").0;
        assert!(told.contains("50 of 50 objects"), "{told}");
        let mut ours = session(&store, 1, 1).expect("set up");
        let wrong_of = |field: usize| {
            let number = (0..10_000).find(|number| store.job().objects().field_of(*number) == field).expect("some");
            Command::Read { key: 3, number }
        };
        let is_database_plan = more.starts_with("readallfields=");
        assert_eq!(ends(&mut ours, &[wrong_of(1)]), [End::Wrong], "{more}");
        assert_eq!(ends(&mut ours, &[wrong_of(2)]), [if is_database_plan { End::Done } else { End::Wrong }], "{more}");
        server.psql("UPDATE usertable SET field1 = field2, field2 = field1").expect("done");
        assert_eq!(ends(&mut ours, &[wrong_of(2)]), [End::Wrong], "{more}");
        store.remove().expect("removed");
    }
    let sized = job(
        "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:1\"\nkey_maximum = 99\nconnections = 2\nrate_per_s = 500\nmeasure_s = 1\n\
         data_size_range = \"16-900\"",
    );
    let store = open(&server, &sized);
    load(&store, &sized);
    let (memory, outcome) = run(&store, &sized.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    assert_eq!(memory.sum(0, |one| one.errors) + memory.sum(4, |one| one.errors), 0);
    store.check().expect("every value has the size of its key and version");
    let expiring = workloads::job::ObjectSpec { expiry_s: Some((1, 2)), ..sized.objects };
    let address = ServerAddress::parse(&server.url(), Some(PASSWORD.into())).expect("an address");
    let told = PostgresStore::open(&address, &expiring, 1).err().expect("refused").0;
    assert!(told.contains("rows do not expire"), "{told}");
}
