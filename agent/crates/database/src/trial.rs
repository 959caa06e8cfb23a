//! What tests of stores share: a job from a plan, loaded and run on a real server.

use measure::series::{Outcome, StopFlag};
use workloads::job::{Job, Stage};
use workloads::plan::Plan;

use crate::fraud::tests::Memory;
use crate::stage::Settings;
use crate::store::{Found, Store};

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
