//! Tests of the Redis driver on a real Valkey: the suite for sessions, and a server that is slow, silent or gone.

use std::process::Command as Process;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use measure::clock::{MonotonicTime, TimeSource as _};
use measure::series::{Interval, IntervalSink, Progress, StopFlag};
use redis::Connection;
use runner::conformance::{Boxed, carry_out, check};
use runner::{End, Request};
use workloads::job::Job;

use crate::command::Command;
use crate::redis::store::RedisStore;
use crate::server_address::ServerAddress;
use crate::stage::Settings;
use crate::store::Store as _;
use crate::trial::{Memory, StoreSubject, job, load, session, settings};
use test_servers::valkey::Valkey;

/// Returns a job with transactions of ten reads among 1,500 objects, over two connections.
fn plan(transactions_per_s: u32, measure_s: u32) -> Job {
    let reads_per_s = 10 * transactions_per_s;
    job(&format!(
        "workload = \"fraud\"\n[fraud]\nobjects = 1500\nobject_bytes = 100\nreads_per_transaction = 10\nconnections = 2\n\
         ramp_s = 0\nmeasure_s = {measure_s}\n[[fraud.phases]]\nname = \"steady\"\nreads_per_s = {reads_per_s}"
    ))
}

fn loaded(server: &Valkey, job: &Job) -> RedisStore {
    let address = ServerAddress::parse(&format!("redis://127.0.0.1:{}", server.port), None).expect("an address");
    let store = RedisStore::open(&address, &job.objects, 1).expect("connected");
    load(&store, job);
    store
}

fn read(key: u64) -> Command {
    Command::Read { key, number: key }
}

/// Reads the keys one after another, and returns the end of each read.
fn ends(session: &mut Boxed<Command>, keys: &[u64]) -> Vec<End> {
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    let mut end = |key: &u64| carry_out(session.as_mut(), time.as_ref(), &[read(*key)])[0].end;
    keys.iter().map(&mut end).collect()
}

#[test]
fn the_driver_is_a_session() {
    let server = Valkey::start();
    let store = loaded(&server, &plan(50, 1));
    let pid = server.pid().to_string();
    let stop = || -> Box<dyn FnOnce()> {
        server.signal("-STOP");
        let pid = pid.clone();
        Box::new(move || assert!(Process::new("kill").args(["-CONT", &pid]).status().expect("runs").success()))
    };
    check(&StoreSubject { store: &store, objects: 1_000, stop: Some(&stop) });
}

/// Returns the line of `INFO` with the number of connections that the server has ever accepted.
fn clients(connection: &mut Connection) -> String {
    let info: String = redis::cmd("INFO").arg("stats").query(connection).expect("told");
    info.lines().find(|line| line.starts_with("total_connections_received")).expect("told").to_owned()
}

#[test]
fn a_wrong_value_is_an_error_and_does_not_break_the_connection() {
    let server = Valkey::start();
    let store = loaded(&server, &plan(50, 1));
    let mut session = session(&store, 2, 1).expect("connected");
    let mut connection = server.connection().expect("connected");
    redis::cmd("DEL").arg("obj3").exec(&mut connection).expect("deleted");
    redis::cmd("SET").arg("obj4").arg("short").exec(&mut connection).expect("set");
    let before = clients(&mut connection);
    assert_eq!(ends(&mut session, &[2, 3, 4, 5]), [End::Done, End::Wrong, End::Wrong, End::Done]);
    assert_eq!(clients(&mut connection), before, "nobody connected anew");
}

#[test]
fn a_server_that_does_not_answer_is_a_time_out_and_the_next_answer_is_the_right_one() {
    let server = Valkey::start();
    let store = loaded(&server, &plan(50, 1));
    let mut session = session(&store, 1, 1).expect("connected");
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    let mut connection = server.connection().expect("connected");
    redis::cmd("SET").arg("obj1").arg("short").exec(&mut connection).expect("set");
    redis::cmd("CLIENT").arg("PAUSE").arg(300).exec(&mut connection).expect("paused");
    session.begin(Request { command: read(1), lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 });
    let mut completions = Vec::new();
    session.wait(time.now_ns() + 50_000_000, &mut completions).expect("goes on");
    assert!(completions.is_empty());
    let mut given_up = Vec::new();
    session.give_up(time.now_ns(), &mut given_up);
    assert_eq!(given_up.len(), 1);
    // The late answer to the first read would have another length.
    assert_eq!(ends(&mut session, &[2]), [End::Done]);
}

/// Stores intervals, and signals each delivery.
struct Ticks(Memory, mpsc::Sender<()>);

impl IntervalSink for Ticks {
    fn intervals(&self, intervals: Vec<Interval>) {
        self.0.intervals(intervals);
        let _ = self.1.send(());
    }

    fn progress(&self, progress: Progress) {
        self.0.progress(progress);
    }
}

#[test]
fn reads_that_take_too_long_are_time_outs_of_their_transactions() {
    let server = Valkey::start();
    let job = plan(20, 2);
    let store = loaded(&server, &job);
    let settings = Settings { timeout_ns: 40_000_000, ..settings() };
    let workload = store.stage(&job.stages[1], &settings).expect("prepared");
    let (sender, ticks) = mpsc::channel();
    let sink = Ticks(Memory::default(), sender);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| workload.run(&sink, &StopFlag::default()));
        ticks.recv().expect("first second");
        server.signal("-STOP");
        std::thread::sleep(Duration::from_millis(400));
        server.signal("-CONT");
        run.join().expect("no panic").expect("ends");
    });
    let count = |series_no, of: fn(&Interval) -> u64| sink.0.sum(series_no, of);
    assert!(count(0, |interval| interval.timeouts) >= 2, "{:?}", sink.0.by_series()[&0]);
    assert_eq!(count(0, |interval| interval.timeouts), count(4, |interval| interval.timeouts));
    let results = count(0, |interval| interval.count + interval.errors + interval.timeouts + interval.unfinished);
    assert_eq!(results, 40);
}

#[test]
fn a_server_that_goes_away_costs_errors_and_the_run_goes_on() {
    let mut server = Valkey::start();
    let job = plan(50, 4);
    let store = loaded(&server, &job);
    let workload = store.stage(&job.stages[1], &settings()).expect("prepared");
    let (sender, ticks) = mpsc::channel();
    let sink = Ticks(Memory::default(), sender);
    let outcome = std::thread::scope(|scope| {
        let run = scope.spawn(|| workload.run(&sink, &StopFlag::default()));
        let done = |all: &Vec<Interval>| all.iter().map(|interval| interval.count).sum::<u64>();
        while sink.0.by_series().get(&0).map_or(0, done) < 45 {
            ticks.recv().expect("a second");
        }
        server.kill();
        ticks.recv().expect("another second");
        server.restart();
        run.join().expect("no panic")
    });
    let outcome = outcome.expect("ends");
    assert!(outcome.completed, "{outcome:?}");
    let count = |of: fn(&Interval) -> u64| sink.0.sum(0, of);
    assert!(count(|interval| interval.count) >= 45 && count(|interval| interval.errors) >= 45);
    let results = count(|interval| interval.count + interval.errors + interval.timeouts + interval.unfinished);
    assert_eq!(results, 200);
    assert!(sink.0.sum(4, |interval| interval.errors) >= 45);
}

#[test]
fn a_connection_that_failed_a_command_while_it_was_down_takes_the_next() {
    let mut server = Valkey::start();
    let store = loaded(&server, &plan(50, 1));
    let mut session = session(&store, 1, 1).expect("connected");
    assert_eq!(ends(&mut session, &[1]), [End::Done]);
    server.kill();
    let meanwhile = ends(&mut session, &[1, 2, 3, 4, 5, 6]);
    assert!(meanwhile.iter().all(|end| matches!(end, End::Failed(_))), "{meanwhile:?}");
    server.restart();
    let is_back = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        !matches!(ends(&mut session, &[1])[0], End::Failed(code) if code != 0)
    });
    assert!(is_back, "the server is back, and its connection is not");
}
