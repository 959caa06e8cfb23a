//! Tests of objects and stages on a real Valkey.

use measure::clock::TimeSource as _;
use measure::series::StopFlag;
use runner::End;
use runner::conformance::carry_out;

use super::*;
use crate::command::Command;
use crate::store::{Store, StoredObjects};
use crate::trial::{Memory, job, load, run, session, settings};
use test_servers::stalling_proxy::StallingProxy;
use test_servers::valkey::Valkey;

fn address(server: &Valkey) -> ServerAddress {
    ServerAddress::parse(&format!("redis://127.0.0.1:{}", server.port), None).expect("an address")
}

fn keyvalue(objects: u64, bytes: u32) -> workloads::job::Job {
    job(&format!(
        "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = {}\nobject_bytes = {bytes}\nconnections = 3\n\
         pipeline = 2\nrate_per_s = 2000\nmeasure_s = 1",
        objects - 1
    ))
}

pub(super) fn open(server: &Valkey, job: &workloads::job::Job) -> Box<dyn Store> {
    crate::drivers::open(&address(server), &job.objects, 1).expect("connected")
}

pub(super) fn refusal(result: Result<impl Sized, WorkloadError>) -> String {
    result.err().expect("refused").0
}

fn trial_of_records() -> workloads::job::Job {
    job(
        "recordcount=20\noperationcount=20\nworkload=CoreWorkload\nreadproportion=1\nupdateproportion=0\nthreadcount=2\n",
    )
}

#[test]
fn objects_are_loaded_measured_used_again_and_taken_away() {
    let server = Valkey::start();
    let job = keyvalue(5_000, 100);
    let store = open(&server, &job);
    assert!(store.facts().contains_key("version") && store.facts().contains_key("maxmemory_policy"));
    load(&*store, &job);
    assert_eq!(server.key_count(), 5_001);
    let (memory, outcome) = run(&*store, &job.stages[1]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
    assert_eq!(all(|one| one.count + one.unfinished + one.timeouts), 2_000);
    assert_eq!(all(|one| one.errors), 0, "every value was that of its key, also after it was written anew");
    store.check().expect("still there");
    assert_eq!(open(&server, &job).inspect().expect("ours"), StoredObjects::Complete, "another run uses them again");
    let other = keyvalue(5_000, 200);
    let other = open(&server, &other);
    assert!(
        matches!(other.inspect().expect("ours"), StoredObjects::OfOtherPlan(what) if what.contains("5000 objects of 100 B"))
    );
    assert_eq!(other.remove().expect("removed"), 5_000);
    assert_eq!(server.key_count(), 0);
}

#[test]
fn ycsb_d_inserts_reads_what_is_new_and_leaves_a_larger_data_set() {
    let server = Valkey::start();
    let job = job("recordcount=500\noperationcount=4000\nworkload=CoreWorkload\nreadproportion=0.95\n\
                   updateproportion=0\ninsertproportion=0.05\nrequestdistribution=latest\nthreadcount=4\n");
    let store = open(&server, &job);
    load(&*store, &job);
    let (memory, outcome) = run(&*store, &job.stages[1]);
    assert!(outcome.completed, "{outcome:?}");
    let (reads, inserts) = (memory.sum(0, |one| one.count), memory.sum(2, |one| one.count));
    assert_eq!(reads + inserts, 4_000, "no read met a key that is not there yet");
    assert!(inserts.abs_diff(200) < 80, "{inserts}");
    assert_eq!(server.key_count(), 501 + inserts);
    // Interrupted before the new number of objects was written to the marker.
    let again = open(&server, &job);
    assert_eq!(again.inspect().expect("ours"), StoredObjects::Complete);
    again.check().expect("all there");
    let (memory, _) = run(&*again, &job.stages[1]);
    assert_eq!(memory.sum(0, |one| one.errors), 0);
    assert_eq!(again.remove().expect("removed"), 500 + inserts + memory.sum(2, |one| one.count));
}

#[test]
fn readable_keys_are_there_while_one_connection_is_stuck_and_others_insert() {
    // More inserts than the ring of the insert frontier has marks.
    const INSERTS: usize = 70_000;
    const DEPTH: usize = 64;
    let server = Valkey::start();
    let proxy = StallingProxy::start(server.port);
    let address = ServerAddress::parse(&format!("redis://127.0.0.1:{}", proxy.port), None).expect("an address");
    let job = job("recordcount=10\noperationcount=10\nworkload=CoreWorkload\nfieldcount=1\nfieldlength=8\n");
    let store = RedisStore::open(&address, &job.objects, 1).expect("connected");
    load(&store, &job);
    let objects = Arc::new(store.job().objects());
    proxy.gate_next();
    let mut session = (store.sessions(Arc::clone(&objects), DEPTH))(2).expect("connected");
    let time = Arc::new(measure::clock::MonotonicTime::start());
    session.start(time.clone());
    proxy.hold(true);
    let (mut begun, mut ended) = (0, Vec::new());
    while ended.len() < INSERTS {
        let command = Command::Insert { number: begun };
        if session.has_free_slot(&command) {
            let request = runner::Request { command, lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 };
            session.begin(request);
            begun += 1;
        } else {
            session.wait(time.now_ns() + 10_000_000, &mut ended).expect("goes on");
        }
    }
    let mut connection = server.connection().expect("connected");
    let mut there =
        |key: u64| redis::cmd("EXISTS").arg(objects.name(key)).query::<bool>(&mut connection).expect("told");
    let readable = objects.end();
    assert!(!there(readable), "the first key that is not readable is the one that is stuck");
    assert!((10..10 + 2 * DEPTH as u64).contains(&readable), "{readable}");
    assert!((0..readable).all(&mut there), "every readable key is there");
    proxy.hold(false);
    while session.in_flight() > 0 {
        session.wait(time.now_ns() + 10_000_000, &mut ended).expect("goes on");
    }
    assert_eq!((objects.end(), ended.len() as u64), (10 + begun, begun));
    assert!(ended.iter().all(|insert| insert.end == End::Done));
    assert!(there(objects.end() - 1));
}

#[test]
fn a_suite_of_ycsb_goes_on_with_the_records_of_the_phase_before() {
    let server = Valkey::start();
    let job = job("recordcount=300\noperationcount=1000\ntailroom.workloads=A,B,C,F,E\nthreadcount=4\n");
    let store = open(&server, &job);
    load(&*store, &job);
    for stage in &job.stages[1..] {
        let (memory, outcome) = run(&*store, stage);
        assert!(outcome.completed, "{}: {outcome:?}", stage.name);
        // Workload C has one kind of operations, the others have two.
        let kinds = if stage.name == "C" { &[0][..] } else { &[0, 2] };
        let all =
            |of: fn(&measure::series::Interval) -> u64| kinds.iter().map(|kind| memory.sum(*kind, of)).sum::<u64>();
        assert_eq!((all(|one| one.count), all(|one| one.errors + one.timeouts)), (1_000, 0), "{}", stage.name);
        store.check().expect("every record is whole");
        store.finish_loading().expect("taken");
    }
}

#[test]
fn records_of_ycsb_keep_their_fields() {
    let server = Valkey::start();
    let job = job("recordcount=200\noperationcount=2000\nworkload=CoreWorkload\nreadproportion=0.25\n\
                   updateproportion=0.25\nreadmodifywriteproportion=0.5\nrequestdistribution=zipfian\nthreadcount=4\n");
    let store = open(&server, &job);
    load(&*store, &job);
    let (memory, _) = run(&*store, &job.stages[1]);
    for series_no in [0, 2, 4] {
        assert_eq!(memory.sum(series_no, |one| one.errors + one.timeouts), 0);
    }
    store.check().expect("every record has its fields and sizes");
    let mut connection = server.connection().expect("connected");
    let key = keys::name::Naming::Ycsb { ordered: false, zero_padding: 1 }.key(7);
    let keys::name::Key::Text(key) = key else { panic!("text") };
    redis::cmd("HDEL").arg(&key).arg("field3").exec(&mut connection).expect("deleted");
    let told = refusal(store.check());
    assert!(told.contains("1 of 200 objects") && told.contains(&key), "{told}");
}

#[test]
fn transactions_and_multi_gets_read_what_was_loaded() {
    let server = Valkey::start();
    for setting in ["scheduling = \"pool\"\nfan_out = 5", "batch = 20"] {
        let job = job(&format!(
            "workload = \"fraud\"\n[fraud]\nobjects = 1000\nreads_per_transaction = 50\n{setting}\nconnections = 4\n\
             ramp_s = 0\nmeasure_s = 1\n[[fraud.phases]]\nname = \"steady\"\nreads_per_s = 1000\nupdates_per_s = 100"
        ));
        let store = open(&server, &job);
        if store.inspect().expect("ours") == StoredObjects::Absent {
            load(&*store, &job);
        }
        let (memory, outcome) = run(&*store, &job.stages[1]);
        assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
        let of = |series_no, of: fn(&measure::series::Interval) -> u64| memory.sum(series_no, of);
        assert_eq!((of(0, |one| one.count), of(4, |one| one.count)), (100, 20), "{setting}");
        assert_eq!(of(8, |one| one.count), if setting.starts_with("batch") { 60 } else { 1_000 });
    }
}

#[test]
fn foreign_keys_a_full_server_and_a_wrong_password_are_named_before_anything_is_written() {
    let server = Valkey::start_with(&["--requirepass", "hush", "--maxmemory", "4mb"]);
    let address = format!("redis://127.0.0.1:{}", server.port);
    let job = keyvalue(100_000, 100);
    let with = |password: &str| {
        let address = ServerAddress::parse(&address, Some(password.to_owned())).expect("an address");
        crate::drivers::open(&address, &job.objects, 1)
    };
    let told = refusal(with("wrong-one"));
    assert!(told.contains("--password-file") && !told.contains("wrong-one"), "{told}");
    let store = with("hush").expect("let in");
    let told = refusal(store.check_capacity(&StoredObjects::Absent));
    assert!(told.contains("100000 objects of 100 B") && told.contains("maxmemory 4194304 B"), "{told}");
    let client = redis::Client::open(format!("redis://:hush@127.0.0.1:{}", server.port)).expect("an address");
    let mut connection = client.get_connection().expect("connected");
    redis::cmd("SET").arg("memtier-99999").arg("mine").exec(&mut connection).expect("set");
    let told = refusal(store.inspect());
    assert!(told.contains("memtier-99999 is there already") && told.contains("nothing was written"), "{told}");
    // One key of a hundred thousand, which is not in the sample.
    redis::cmd("RENAME").arg("memtier-99999").arg("memtier-50001").exec(&mut connection).expect("renamed");
    let told = refusal(store.inspect());
    assert!(told.contains("memtier-50001 is there already"), "{told}");
    assert_eq!(redis::cmd("DBSIZE").query::<u64>(&mut connection).expect("counted"), 1);
}

#[test]
fn there_is_room_for_what_was_taken_away_before() {
    let server = Valkey::start();
    let mut connection = server.connection().expect("connected");
    let job = keyvalue(20_000, 100);
    load(&*open(&server, &job), &job);
    let info: String = redis::cmd("INFO").arg("memory").query(&mut connection).expect("told");
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:")?.parse::<u64>().ok()).expect("a number");
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(used + 500_000).exec(&mut connection).expect("set");
    let store = open(&server, &job);
    let told = refusal(store.check_capacity(&StoredObjects::Absent));
    assert!(told.contains("are used already"), "{told}");
    store.remove().expect("removed");
    store.check_capacity(&StoredObjects::Absent).expect("room");
}

#[test]
fn what_a_load_left_behind_that_was_cut_off_needs_no_room_again() {
    let server = Valkey::start();
    let mut connection = server.connection().expect("connected");
    let job = keyvalue(20_000, 100);
    let store = open(&server, &job);
    store.begin_loading().expect("taken");
    let (memory, _) = run(&*store, &job.stages[0]);
    assert_eq!(memory.sum(0, |one| one.count), 20_000);
    let info: String = redis::cmd("INFO").arg("memory").query(&mut connection).expect("told");
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:")?.parse::<u64>().ok()).expect("a number");
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(used + 1_500_000).exec(&mut connection).expect("set");
    let store = open(&server, &job);
    let item = store.inspect().expect("ours");
    assert_eq!(item, StoredObjects::Incomplete);
    store.check_capacity(&item).expect("they are there already");
    // The second half is deleted: 10,000 objects of 164 B, which need 1.64 MB.
    for key in 10_000..20_000 {
        redis::cmd("DEL").arg(format!("memtier-{key}")).exec(&mut connection).expect("deleted");
    }
    let info: String = redis::cmd("INFO").arg("memory").query(&mut connection).expect("told");
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:")?.parse::<u64>().ok()).expect("a number");
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(used + 1_700_000).exec(&mut connection).expect("set");
    let store = open(&server, &job);
    store.check_capacity(&item).expect("half of them fits");
    let told = refusal(store.check_capacity(&StoredObjects::Absent));
    assert!(told.contains("20000 objects of 100 B need at least 3280000 B"), "{told}");
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(used + 1_000_000).exec(&mut connection).expect("set");
    let told = refusal(open(&server, &job).check_capacity(&item));
    assert!(told.contains("10000 objects of 100 B need at least 1640000 B"), "{told}");
}

#[test]
fn a_server_of_another_kind_is_named_as_such() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream: std::net::TcpStream = stream;
            drop(std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n<!DOCTYPE html>\r\n"));
        }
    });
    let address = ServerAddress::parse(&format!("redis://127.0.0.1:{port}"), None).expect("an address");
    let told = refusal(crate::drivers::open(&address, &keyvalue(10, 100).objects, 1));
    assert!(told.contains("no Redis or Valkey server; start the server or correct the address"), "{told}");
    assert!(!told.contains('\n'), "{told}");
}

#[test]
fn what_the_server_refuses_while_it_is_loaded_ends_the_load_in_its_words() {
    let server = Valkey::start();
    let job = keyvalue(50_000, 1_000);
    let store = open(&server, &job);
    store.begin_loading().expect("taken");
    let mut connection = server.connection().expect("connected");
    redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg("6mb").exec(&mut connection).expect("set");
    let workload = store.stage(&job.stages[0], &settings()).expect("prepared");
    let ended = workload.run(&Memory::default(), &StopFlag::default());
    let told = ended.expect_err("broken").0;
    assert!(told.contains("OOM") && told.contains("memory limit"), "{told}");
    assert_eq!(store.inspect().expect("ours"), StoredObjects::Incomplete);
}

#[test]
fn an_answer_to_another_key_or_of_another_size_is_wrong() {
    let server = Valkey::start();
    let job = keyvalue(10, 32);
    let store = RedisStore::open(&address(&server), &job.objects, 1).expect("connected");
    load(&store, &job);
    let mut connection = server.connection().expect("connected");
    let value: Vec<u8> = redis::cmd("GET").arg("memtier-3").query(&mut connection).expect("there");
    redis::cmd("SET").arg("memtier-4").arg(&value).exec(&mut connection).expect("set");
    redis::cmd("SET").arg("memtier-5").arg(&value[..31]).exec(&mut connection).expect("set");
    redis::cmd("DEL").arg("memtier-6").exec(&mut connection).expect("deleted");
    let mut session = session(&store, 1, 4).expect("connected");
    let time = Arc::new(measure::clock::MonotonicTime::start());
    session.start(time.clone());
    let reads: Vec<Command> = (2..8).map(|key| Command::Read { key, number: key }).collect();
    let ends: Vec<End> = carry_out(session.as_mut(), time.as_ref(), &reads).iter().map(|one| one.end).collect();
    assert_eq!(ends, [End::Done, End::Done, End::Wrong, End::Wrong, End::Wrong, End::Done]);
}

#[test]
fn the_third_version_of_the_protocol_is_spoken_and_the_second_with_a_server_that_has_no_other() {
    let job = trial_of_records();
    for (settings, version) in [(["--requirepass", "hush"].as_slice(), "3"), (&["--rename-command", "HELLO", ""], "2")]
    {
        let server = Valkey::start_with(settings);
        let password = settings.contains(&"hush").then(|| "hush".to_owned());
        let address = ServerAddress::parse(&format!("redis://127.0.0.1:{}/2", server.port), password.clone())
            .expect("an address");
        let store = RedisStore::open(&address, &job.objects, 1).expect("connected");
        load(&store, &job);
        let mut session = session(&store, 2, 4).expect("connected");
        let time = Arc::new(measure::clock::MonotonicTime::start());
        session.start(time.clone());
        let reads: Vec<Command> = (0..20).map(|key| Command::Read { key, number: key }).collect();
        let ends = carry_out(session.as_mut(), time.as_ref(), &reads);
        assert!(ends.iter().all(|one| one.end == End::Done), "{ends:?}");
        let auth = password.map(|password| format!(":{password}@")).unwrap_or_default();
        let client = redis::Client::open(format!("redis://{auth}127.0.0.1:{}", server.port)).expect("an address");
        let list: String =
            redis::cmd("CLIENT").arg("LIST").query(&mut client.get_connection().expect("connected")).expect("told");
        let spoken = list.lines().filter(|line| line.contains(" db=2 ") && line.contains(&format!(" resp={version}")));
        assert_eq!(spoken.count(), 2, "{list}");
    }
}

#[test]
fn a_server_that_stands_still_appears_in_the_response_time_of_all_that_it_delayed() {
    const PER_S: u64 = 2_000;
    const STOPPED_MS: u64 = 500;
    const LIMIT_MS: u64 = 64;
    let server = Valkey::start();
    // Few slots, so that most operations that are due wait in the agent and not in the network.
    let job = job(&format!(
        "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = 99\nconnections = 2\nrate_per_s = {PER_S}\nmeasure_s = 3"
    ));
    let store = open(&server, &job);
    load(&*store, &job);
    server.reset_commands();
    let (memory, outcome) = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&*store, &job.stages[1]));
        while server.calls("get") < 500 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        server.signal("-STOP");
        std::thread::sleep(std::time::Duration::from_millis(STOPPED_MS));
        server.signal("-CONT");
        running.join().expect("ends")
    });
    assert!(outcome.completed, "{outcome:?}");
    let delayed = |series_no| memory.sum(series_no, |one| one.pins[2]);
    let (response, service) = (delayed(0) + delayed(4), delayed(2) + delayed(6));
    // Operations that were due at least `LIMIT_MS` before the server continued are late, on any machine; less one at either edge.
    let least = PER_S * (STOPPED_MS - LIMIT_MS) / 1_000 - 2;
    assert!(response >= least, "{response} of {least} answered {LIMIT_MS} ms late or more");
    assert!(service < response / 4, "{service}: a closed loop would see one of each connection");
    let all = |of: fn(&measure::series::Interval) -> u64| memory.sum(0, of) + memory.sum(4, of);
    assert_eq!(all(|one| one.count + one.timeouts + one.errors + one.unfinished), PER_S * 3);
}
