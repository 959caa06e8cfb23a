//! Measuring allocates nothing for an operation: ten times as many operations cost no more allocations, with every driver.

#[expect(dead_code, reason = "most of it is for the tests of the driver")]
#[path = "../src/postgres_server.rs"]
mod postgres_server;
#[expect(dead_code, reason = "most of it is for the tests of the driver")]
#[path = "../src/valkey.rs"]
mod valkey;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use database::stage::Settings;
use database::store::{Place, Store};
use measure::series::{Interval, IntervalSink, Progress, StopFlag};
use workloads::plan::Plan;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

struct Counting;

#[expect(unsafe_code, reason = "an allocator cannot be written otherwise; it hands everything on")]
// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as it came.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as it came.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as it came.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Nowhere;

impl IntervalSink for Nowhere {
    fn intervals(&self, _: Vec<Interval>) {}
    fn progress(&self, _: Progress) {}
}

fn stage_of(operations: u64) -> workloads::job::Job {
    let text = format!(
        "recordcount=200\noperationcount={operations}\nworkload=CoreWorkload\nreadproportion=0.5\n\
         updateproportion=0.5\nrequestdistribution=zipfian\nthreadcount=4\n"
    );
    Plan::parse(&text).expect("a plan").job().expect("runs")
}

/// Allocations of the whole process while a stage of so many operations runs, and the seconds that it took.
fn allocations(store: &dyn Store, operations: u64) -> (u64, f64) {
    let settings = Settings { seed: 1, timeout_ns: 60_000_000_000, ticks_per_histogram: 1, address: "here".into() };
    let workload = store.stage(&stage_of(operations).stages[1], &settings).expect("prepared");
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let outcome = workload.run(&Nowhere, &StopFlag::default()).expect("ends");
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    (ALLOCATIONS.load(Ordering::Relaxed) - before, outcome.duration_ns as f64 / 1e9)
}

fn check(target: &str, password: Option<&str>) {
    let (place, job) = (Place::parse(target, password.map(str::to_owned)).expect("an address"), stage_of(1));
    let store = database::drivers::open(&place, &job.objects, 1).expect("connected");
    store.begin_loading().expect("taken");
    let settings = Settings { seed: 1, timeout_ns: 60_000_000_000, ticks_per_histogram: 1, address: "here".into() };
    store.stage(&job.stages[0], &settings).expect("prepared").run(&Nowhere, &StopFlag::default()).expect("loaded");
    let (few, _) = allocations(&*store, 1_000);
    let (many, seconds) = allocations(&*store, 21_000);
    // Each second is cut into intervals, which are handed over.
    let of_seconds = 300.0 * (seconds + 2.0);
    assert!((many as f64) < few as f64 + of_seconds, "{target}: {many} allocations, {few} of a twentieth, {seconds} s");
}

#[test]
fn operations_allocate_nothing() {
    let server = valkey::Valkey::start();
    check(&format!("redis://127.0.0.1:{}", server.port), None);
    let server = postgres_server::PostgresServer::start(&[]);
    check(&server.url(), Some(postgres_server::PASSWORD));
}
