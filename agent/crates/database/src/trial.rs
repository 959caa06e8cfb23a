//! Helpers for tests of stores: jobs from plans, loading and running on a real server, and recorded intervals.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use measure::series::{Interval, IntervalSink, Outcome, StopFlag, WorkloadError};
use runner::conformance::{Boxed, Silent, Subject};
use workloads::job::{Job, Stage};
use workloads::plan::Plan;

use crate::command::Command;
use crate::stage::Settings;
use crate::store::{Store, StoredObjects};
use crate::store_driver::StoreDriver;

#[derive(Default)]
pub struct Memory(Mutex<Vec<Interval>>);

impl IntervalSink for Memory {
    fn intervals(&self, intervals: Vec<Interval>) {
        self.0.lock().expect("not poisoned").extend(intervals);
    }
}

impl Memory {
    pub fn by_series(&self) -> BTreeMap<u16, Vec<Interval>> {
        let mut series: BTreeMap<u16, Vec<Interval>> = BTreeMap::new();
        for interval in self.0.lock().expect("not poisoned").iter() {
            series.entry(interval.series_no).or_default().push(interval.clone());
        }
        series
    }

    pub fn sum(&self, series_no: u16, of: fn(&Interval) -> u64) -> u64 {
        self.by_series()[&series_no].iter().map(of).sum()
    }
}

pub fn job(text: &str) -> Job {
    Plan::parse(text).expect("a plan").job().expect("runs")
}

pub fn settings() -> Settings {
    Settings { seed: 5, timeout_ns: 5_000_000_000, ticks_per_histogram: 1, address: "here".into(), limits_ns: vec![] }
}

/// Opens connections to the objects of a store.
pub fn session<D: StoreDriver>(store: &D, connections: usize, depth: usize) -> Result<Boxed<Command>, WorkloadError> {
    (store.sessions(Arc::new(store.job().objects()), depth))(connections)
}

/// Runs a stage, and returns its recorded intervals and its outcome.
pub fn run(store: &dyn Store, stage: &Stage) -> (Memory, Outcome) {
    let workload = store.stage(stage, &settings()).expect("prepared");
    let memory = Memory::default();
    let outcome = workload.run(&memory, &StopFlag::default()).expect("ends");
    (memory, outcome)
}

/// Loads the objects of a job onto a server without such objects, and checks every step.
pub fn load(store: &dyn Store, job: &Job) {
    assert_eq!(store.inspect().expect("free"), StoredObjects::Absent);
    store.check_capacity(&StoredObjects::Absent).expect("room");
    store.begin_loading().expect("taken");
    assert_eq!(store.inspect().expect("ours"), StoredObjects::Incomplete);
    let (memory, outcome) = run(store, &job.stages[0]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    assert_eq!(memory.sum(0, |interval| interval.count), job.objects.count);
    store.check().expect("all there");
    store.finish_loading().expect("taken");
    assert_eq!(store.inspect().expect("ours"), StoredObjects::Complete);
}

/// A loaded store as the subject of the runner's test suite.
pub struct StoreSubject<'a, D: StoreDriver> {
    pub store: &'a D,
    pub objects: u64,
    /// Stops the server and returns a function that resumes it; `None` if the server cannot be stopped.
    pub stop: Option<&'a dyn Fn() -> Box<dyn FnOnce()>>,
}

impl<D: StoreDriver> Subject for StoreSubject<'_, D> {
    type Command = Command;

    fn sessions(&self) -> Vec<(String, Boxed<Command>)> {
        [1, 16].map(|depth| (format!("depth {depth}"), session(self.store, 3, depth).expect("connected"))).into()
    }

    fn command(&self, number: u64) -> Command {
        let key = number % self.objects;
        if number % 3 == 2 { Command::Update { key, number } } else { Command::Read { key, number } }
    }

    fn number(&self, command: &Command) -> u64 {
        command.number()
    }

    fn wrong(&self, number: u64) -> Option<Command> {
        // No object has this key.
        Some(Command::Read { key: 1 << 40, number })
    }

    fn silent(&self) -> Vec<Silent<Command>> {
        let Some(stop) = self.stop else { return Vec::new() };
        let session = session(self.store, 3, 16).expect("connected");
        let (command, answer) = (Command::Read { key: 7, number: 7 }, stop());
        vec![Silent { name: "stopped".into(), session, command, answer }]
    }
}
