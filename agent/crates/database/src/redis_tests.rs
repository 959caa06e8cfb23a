//! Tests against a real Valkey of their own.

use std::net::TcpListener;
use std::process::Command;
use std::sync::mpsc;

use measure::clock::{MonotonicTime, TimeSource as _};
use measure::series::{Interval, IntervalSink, Progress};
use runner::conformance::{Boxed, Silent, Subject, carry_out, check};
use runner::{End, Request};

use super::*;
use crate::fraud::tests::Memory;
use crate::valkey::Valkey;

fn plan_of(server: &Valkey) -> FraudPlan {
    FraudPlan {
        keys: 1_500,
        value_bytes: 100,
        reads_per_transaction: 10,
        transactions_per_s: 50.0,
        connections: 2,
        ..FraudPlan::new(format!("127.0.0.1:{}", server.port))
    }
}

fn prepare(plan: &FraudPlan) -> RedisTarget {
    RedisTarget::prepare(plan, 1, Duration::from_secs(60), &|_| {}, &StopFlag::default()).expect("prepared")
}

fn read(key: u64) -> crate::command::Command {
    crate::command::Command::Read { key, number: key }
}

/// How these reads end, each after the other.
fn ends(session: &mut Boxed<crate::command::Command>, keys: &[u64]) -> Vec<End> {
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    let one = |key: &u64| carry_out(session.as_mut(), time.as_ref(), &[read(*key)])[0].end;
    keys.iter().map(one).collect()
}

/// The runner's suite over a real server.
struct Redis<'a>(&'a Valkey, RedisTarget);

impl Subject for Redis<'_> {
    type Command = crate::command::Command;

    fn sessions(&self) -> Vec<(String, Boxed<Self::Command>)> {
        let of = |depth| {
            let server = Server { depth, ..self.1.server.clone() };
            let session = ServerSession::new(&server, 3).expect("connected");
            (format!("depth {depth}"), Box::new(session) as Boxed<Self::Command>)
        };
        vec![of(1), of(16)]
    }

    fn command(&self, number: u64) -> Self::Command {
        read(number)
    }

    fn number(&self, command: &Self::Command) -> u64 {
        command.number()
    }

    fn wrong(&self, number: u64) -> Option<Self::Command> {
        // There is no such key.
        Some(crate::command::Command::Read { key: 1 << 40, number })
    }

    fn silent(&self) -> Vec<Silent<Self::Command>> {
        let (name, session) = self.sessions().pop().expect("two");
        self.0.signal("-STOP");
        let pid = self.0.pid().to_string();
        let answer = move || {
            assert!(Command::new("kill").args(["-CONT", &pid]).status().expect("runs").success());
        };
        vec![Silent { name, session, command: read(7), answer: Box::new(answer) }]
    }
}

#[test]
fn the_driver_is_a_session() {
    let server = Valkey::start();
    check(&Redis(&server, prepare(&plan_of(&server))));
}

#[test]
fn a_run_reads_its_keys_and_takes_them_away() {
    let server = Valkey::start();
    let plan = plan_of(&server);
    let (stop, second) = (StopFlag::default(), Duration::from_secs(1));
    let workload = crate::prepare(&plan, second * 2, second, &|_| {}, &stop).expect("prepared");
    assert_eq!(server.key_count(), 1_500);
    let memory = Memory::default();
    let outcome = workload.run(&memory, &stop).expect("ends");
    assert_eq!(outcome.reason, None);
    assert_eq!(server.key_count(), 0);
    for series_no in 0..4 {
        assert_eq!(memory.sum(series_no, |interval| interval.count), 100, "series {series_no}");
    }
    for series_no in 4..6 {
        assert_eq!(memory.sum(series_no, |interval| interval.count), 1_000, "series {series_no}");
    }
    for series_no in 0..6 {
        assert_eq!(memory.sum(series_no, |interval| interval.errors + interval.timeouts + interval.unfinished), 0);
    }
    let told = |one: &Interval| {
        one.lateness_p99_ns.is_some() && one.busy_ns.is_some_and(|busy_ns| busy_ns > 0) && one.in_flight.is_some()
    };
    assert!(memory.by_series()[&0].iter().any(told), "{:?}", memory.by_series()[&0]);
    let response_ns = memory.sum(0, |interval| interval.sum_ns);
    assert!(response_ns >= memory.sum(2, |interval| interval.sum_ns), "response time contains service time");
}

#[test]
fn a_wrong_value_is_an_error_and_does_not_break_the_connection() {
    let server = Valkey::start();
    let target = prepare(&plan_of(&server));
    let mut session = target.open(0).expect("connected");
    let mut connection = server.connection().expect("connected");
    redis::cmd("DEL").arg(target.keys().name(3)).exec(&mut connection).expect("deleted");
    redis::cmd("SET").arg(target.keys().name(4)).arg("short").exec(&mut connection).expect("set");
    let before = clients(&mut connection);
    assert_eq!(ends(&mut session, &[2, 3, 4, 5]), [End::Done, End::Wrong, End::Wrong, End::Done]);
    assert_eq!(clients(&mut connection), before, "nobody connected anew");
    assert!(target.clear().is_some_and(|sentence| sentence.contains("1 of 1500 keys")), "what was gone is told");
}

/// Connections that the server ever took.
fn clients(connection: &mut Connection) -> String {
    let info: String = redis::cmd("INFO").arg("stats").query(connection).expect("told");
    info.lines().find(|line| line.starts_with("total_connections_received")).expect("told").to_owned()
}

#[test]
fn a_server_that_does_not_answer_is_a_time_out_and_the_next_answer_is_the_right_one() {
    let server = Valkey::start();
    let target = prepare(&FraudPlan { connections: 1, value_bytes: 100, ..plan_of(&server) });
    let mut session = target.open(0).expect("connected");
    let time = Arc::new(MonotonicTime::start());
    session.start(time.clone());
    let mut connection = server.connection().expect("connected");
    redis::cmd("SET").arg(target.keys().name(1)).arg("short").exec(&mut connection).expect("set");
    redis::cmd("CLIENT").arg("PAUSE").arg(300).exec(&mut connection).expect("paused");
    session.begin(Request { command: read(1), lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 });
    let mut completions = Vec::new();
    session.wait(time.now_ns() + 50_000_000, &mut completions).expect("goes on");
    assert!(completions.is_empty());
    let mut given_up = Vec::new();
    session.give_up(time.now_ns(), &mut given_up);
    assert_eq!(given_up.len(), 1);
    // The answer of the first would have another length.
    assert_eq!(ends(&mut session, &[2]), [End::Done]);
}

#[test]
fn reads_that_take_too_long_are_time_outs_of_their_transactions() {
    let server = Valkey::start();
    let plan = FraudPlan { read_timeout_ns: 40_000_000, transactions_per_s: 20.0, ..plan_of(&server) };
    let (stop, second) = (StopFlag::default(), Duration::from_secs(1));
    let workload = crate::prepare(&plan, second * 2, second, &|_| {}, &stop).expect("prepared");
    let (sender, ticks) = mpsc::channel();
    let sink = Ticks(Memory::default(), sender);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| workload.run(&sink, &stop));
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
fn keys_that_the_server_evicts_while_they_are_loaded_are_named() {
    let server = Valkey::start_with(&["--maxmemory", "3mb", "--maxmemory-policy", "allkeys-random"]);
    let plan = FraudPlan { keys: 20_000, value_bytes: 1_000, ..plan_of(&server) };
    let refused = RedisTarget::prepare(&plan, 1, Duration::from_secs(60), &|_| {}, &StopFlag::default());
    let sentence = refused.err().expect("refused").to_string();
    for part in [
        "of 20000 keys were gone right after they were loaded, such as tailroom:",
        "maxmemory 3145728",
        "allkeys-random",
    ] {
        assert!(sentence.contains(part), "{sentence}");
    }
    assert_eq!(server.key_count(), 0, "the rest is taken away");
}

#[test]
fn keys_live_longer_than_the_run_from_the_end_of_the_loading_on() {
    let server = Valkey::start();
    let target = prepare(&plan_of(&server));
    let mut connection = server.connection().expect("connected");
    for key in [0, 700, 1_499] {
        let left_s: i64 = redis::cmd("TTL").arg(target.keys().name(key)).query(&mut connection).expect("told");
        assert!((3_600..=3_660).contains(&left_s), "{left_s}");
    }
}

#[test]
fn a_password_and_another_database_are_greeted_with() {
    let server = Valkey::start_with(&["--requirepass", "hush"]);
    let plan = FraudPlan { password: Some("hush".into()), logical_database: 3, ..plan_of(&server) };
    let target = prepare(&plan);
    assert_eq!(ends(&mut target.open(0).expect("connected"), &[1]), [End::Done]);
    let wrong = FraudPlan { password: Some("other".into()), ..plan };
    let refused = RedisTarget::prepare(&wrong, 1, Duration::from_secs(1), &|_| {}, &StopFlag::default());
    let sentence = refused.err().expect("refused").to_string();
    assert!(sentence.contains("look at password") && !sentence.contains("other;"), "{sentence}");
}

/// Passes on that a tick has come.
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
fn a_server_that_goes_away_costs_errors_and_the_run_goes_on() {
    let mut server = Valkey::start();
    let plan = plan_of(&server);
    let (stop, second) = (StopFlag::default(), Duration::from_secs(1));
    let workload = crate::prepare(&plan, second * 4, second, &|_| {}, &stop).expect("prepared");
    let (sender, ticks) = mpsc::channel();
    let sink = Ticks(Memory::default(), sender);
    let outcome = std::thread::scope(|scope| {
        let run = scope.spawn(|| workload.run(&sink, &stop));
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
    let target = prepare(&FraudPlan { connections: 1, ..plan_of(&server) });
    let mut session = target.open(0).expect("connected");
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

#[test]
fn what_cannot_be_reached_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    drop(listener);
    let refusal = |address: String| {
        let plan = FraudPlan::new(address);
        let prepared = RedisTarget::prepare(&plan, 1, Duration::from_secs(1), &|_| {}, &StopFlag::default());
        prepared.err().expect("refused").to_string()
    };
    let sentence = refusal(format!("127.0.0.1:{port}"));
    assert!(sentence.contains(&port.to_string()) && sentence.contains("start the server"), "{sentence}");
    assert!(refusal("localhost:many".into()).contains("host:port"));
    assert!(refusal("unix:/nowhere/socket".into()).contains("/nowhere/socket"));
}

#[test]
fn a_stop_while_loading_leaves_no_keys() {
    let server = Valkey::start();
    let stop = StopFlag::default();
    stop.stop();
    let prepared = RedisTarget::prepare(&plan_of(&server), 1, Duration::from_secs(1), &|_| {}, &stop);
    assert!(prepared.err().expect("stopped").to_string().contains("stopped while"));
    assert_eq!(server.key_count(), 0);
}
