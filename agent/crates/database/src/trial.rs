//! What tests of stores share: a job from a plan, loaded and run on a real server, and what was recorded meanwhile.

use std::collections::BTreeMap;
use std::sync::Mutex;

use measure::series::{Interval, IntervalSink, Outcome, Progress, StopFlag};
use workloads::job::{Job, Stage};
use workloads::plan::Plan;

use crate::stage::Settings;
use crate::store::{Found, Store};

/// A sink that remembers every interval.
#[derive(Default)]
pub struct Memory(Mutex<Vec<Interval>>);

impl IntervalSink for Memory {
    fn intervals(&self, intervals: Vec<Interval>) {
        self.0.lock().expect("not poisoned").extend(intervals);
    }

    fn progress(&self, _: Progress) {}
}

impl Memory {
    /// Intervals by the number of their series.
    pub fn by_series(&self) -> BTreeMap<u16, Vec<Interval>> {
        let mut series: BTreeMap<u16, Vec<Interval>> = BTreeMap::new();
        for interval in self.0.lock().expect("not poisoned").iter() {
            series.entry(interval.series_no).or_default().push(interval.clone());
        }
        series
    }

    /// A sum over the intervals of a series.
    pub fn sum(&self, series_no: u16, of: fn(&Interval) -> u64) -> u64 {
        self.by_series()[&series_no].iter().map(of).sum()
    }
}

/// The job of a plan.
pub fn job(text: &str) -> Job {
    Plan::parse(text).expect("a plan").job().expect("runs")
}

/// Settings of every stage.
pub fn settings() -> Settings {
    Settings { seed: 5, timeout_ns: 5_000_000_000, ticks_per_histogram: 1, address: "here".into() }
}

/// Runs a stage and hands over what it recorded.
pub fn run(store: &dyn Store, stage: &Stage) -> (Memory, Outcome) {
    let workload = store.stage(stage, &settings()).expect("prepared");
    let memory = Memory::default();
    let outcome = workload.run(&memory, &StopFlag::default()).expect("ends");
    (memory, outcome)
}

/// Loads the objects of a job where there are none.
pub fn load(store: &dyn Store, job: &Job) {
    assert_eq!(store.look().expect("free"), Found::Nothing);
    store.check_room(&Found::Nothing).expect("room");
    store.begin_loading().expect("taken");
    assert_eq!(store.look().expect("ours"), Found::Unfinished);
    let (memory, outcome) = run(store, &job.stages[0]);
    assert!(outcome.completed && outcome.reason.is_none(), "{outcome:?}");
    assert_eq!(memory.sum(0, |one| one.count), job.objects.count);
    store.check().expect("all there");
    store.finish_loading().expect("taken");
    assert_eq!(store.look().expect("ours"), Found::Whole);
}
