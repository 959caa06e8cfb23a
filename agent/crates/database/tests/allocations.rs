//! Measuring allocates nothing for an operation: ten times as many operations cause no more allocations, with every driver.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use database::stage::Settings;
use database::store::{ServerAddress, Store};
use measure::series::{Interval, IntervalSink, StopFlag};
use test_servers::aerospike::AerospikeServer;
use test_servers::postgres::{PASSWORD, PostgresServer};
use test_servers::valkey::Valkey;
use workloads::plan::Plan;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

struct Counting;

#[expect(unsafe_code, reason = "an allocator cannot be written otherwise; it hands everything on")]
// SAFETY: every call is passed unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the arguments are passed unchanged.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        // SAFETY: the arguments are passed unchanged.
        unsafe { System.dealloc(address, layout) }
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the arguments are passed unchanged.
        unsafe { System.realloc(address, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Nowhere;

impl IntervalSink for Nowhere {
    fn intervals(&self, _: Vec<Interval>) {}
}

fn stage_of(operations: u64, more: &str) -> workloads::job::Job {
    let text = format!(
        "recordcount=200\noperationcount={operations}\nworkload=CoreWorkload\nreadproportion=0.5\n\
         updateproportion=0.5\nrequestdistribution=zipfian\nthreadcount=4\n{more}"
    );
    Plan::parse(&text).expect("a plan").job().expect("runs")
}

/// Runs a stage of `operations` operations. Returns the allocations of the whole process meanwhile, and the duration in seconds.
fn allocations(store: &dyn Store, operations: u64, more: &str) -> (u64, f64) {
    let settings = Settings {
        seed: 1,
        timeout_ns: 60_000_000_000,
        ticks_per_histogram: 1,
        address: "here".into(),
        limits_ns: vec![],
    };
    let workload = store.stage(&stage_of(operations, more).stages[1], &settings).expect("prepared");
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let outcome = workload.run(&Nowhere, &StopFlag::default()).expect("ends");
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    (ALLOCATIONS.load(Ordering::Relaxed) - before, outcome.duration_ns as f64 / 1e9)
}

fn check(target: &str, password: Option<&str>, plans: &[&str]) {
    let address = ServerAddress::parse(target, password.map(str::to_owned)).expect("an address");
    for more in plans {
        let job = stage_of(1, more);
        let store = database::drivers::open(&address, &job.objects, 1).expect("connected");
        store.begin_loading().expect("taken");
        let settings = Settings {
            seed: 1,
            timeout_ns: 60_000_000_000,
            ticks_per_histogram: 1,
            address: "here".into(),
            limits_ns: vec![],
        };
        store.stage(&job.stages[0], &settings).expect("prepared").run(&Nowhere, &StopFlag::default()).expect("loaded");
        let (few, _) = allocations(&*store, 1_000, more);
        let (many, seconds) = allocations(&*store, 11_000, more);
        store.remove().expect("removed");
        // The intervals of each second are allocated.
        let of_seconds = 300.0 * (seconds + 2.0);
        let told = format!("{target} {more}: {many} allocations, {few} of an eleventh, {seconds} s");
        assert!((many as f64) < few as f64 + of_seconds, "{told}");
    }
}

/// The stand-in for Aerospike in a process of its own, because it allocates: this test program, started again.
struct Aside(Child);

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const NODES: &str = "TAILROOM_NODES_OF_A_TEST";

#[test]
fn a_server_for_the_other_test() {
    let Some(nodes) = std::env::var(NODES).ok().and_then(|nodes| nodes.parse().ok()) else { return };
    println!("\nlistens {}", AerospikeServer::cluster(nodes).url());
    loop {
        std::thread::park();
    }
}

fn aerospike(nodes: u16) -> (Aside, String) {
    let mut process = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "a_server_for_the_other_test", "--nocapture"])
        .env(NODES, nodes.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let lines = BufReader::new(process.stdout.take().expect("piped")).lines();
    let url = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("listens ").map(str::to_owned));
    (Aside(process), url.expect("an address"))
}

#[test]
fn operations_allocate_nothing() {
    let server = Valkey::start();
    let (plain, intact, varied) = ("", "dataintegrity=true\n", "fieldlengthdistribution=zipfian\n");
    check(&format!("redis://127.0.0.1:{}", server.port), None, &[plain, intact, varied]);
    let server = PostgresServer::start(&[]);
    check(&server.url(), Some(PASSWORD), &[intact]);
    for nodes in [1, 3] {
        let (_process, url) = aerospike(nodes);
        check(&url, None, &[plain]);
    }
}
