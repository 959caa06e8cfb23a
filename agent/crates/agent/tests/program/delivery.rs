//! Every interval arrives once, whatever the backend does, and undelivered intervals are stored.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use wire::messages::RunOutcome;

use crate::support::agent::{Agent, TOKEN, all_text, events, wait_for_event};
use crate::support::{Backend, Behaviour, Behaviours};

/// Long before the end of a run of half a minute, even on a busy machine.
const SOON: Duration = Duration::from_secs(15);

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("alive");
}

#[test]
fn an_undisturbed_run_is_delivered_and_leaves_nothing_behind() {
    let (backend, agent) = (Backend::start(), Agent::new(3));
    let output = agent.run(&backend.url()).output().expect("an agent");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    backend.store().assert_complete();
    assert_eq!(agent.runs_left(), 0);
    let events = events(&output);
    assert_eq!(events[0]["event"], "started");
    assert!(events.iter().any(|event| event["event"] == "progress" && event["rate_per_s"].as_f64() > Some(0.0)));
    let summary = events.iter().find(|event| event["event"] == "summary").expect("an answer");
    let page = format!("{}/runs/{}", backend.url(), summary["run_id"].as_str().expect("an id"));
    assert_eq!(summary["page"].as_str(), Some(&*page));
    let reads = &summary["operations"][0];
    assert_eq!((&reads["operation"], &reads["rate_asked_per_s"]), (&"read".into(), &2_000.0.into()));
    let p99 = &reads["latencies"][0]["quantiles"][1];
    assert!(p99["lower_ns"].as_u64() <= p99["upper_ns"].as_u64() && p99["upper_ns"].as_u64() > Some(0), "{summary}");
    let last = events.last().expect("an end");
    assert_eq!(
        (&last["event"], &last["outcome"], &last["delivered"]),
        (&"finished".into(), &"completed".into(), &true.into())
    );
    assert!(!all_text(&output).contains(TOKEN), "the token is never shown");
    let store = backend.store();
    assert_eq!(store.finish.as_ref().expect("a finish").outcome, RunOutcome::Completed);
    assert_eq!(store.announcement.as_ref().expect("announced").plan["act_storage"]["record_bytes"], 1536);
}

#[test]
fn failures_delays_and_a_restart_lose_nothing_and_double_nothing() {
    let (mut backend, agent) = (Backend::start(), Agent::new(5));
    let (calm, other) = (Backend::start(), Agent::new(5));
    let undisturbed = other.run(&calm.url()).spawn().expect("an agent");
    backend.store().behave = Behaviours(|request| match request {
        0 => Behaviour::Refuse,
        2 | 9 => Behaviour::Drop,
        1 | 4 | 8 => Behaviour::StoreAndDrop,
        5 => Behaviour::Delay(Duration::from_millis(700)),
        6 => Behaviour::Babble,
        _ => Behaviour::Keep,
    });
    let child = agent.run(&backend.url()).spawn().expect("an agent");
    backend.wait_until("some intervals", |store| store.intervals.len() > 8);
    backend.stop();
    std::thread::park_timeout(Duration::from_millis(1200));
    backend.start_again();
    let output = child.wait_with_output().expect("an end");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    assert_eq!(agent.runs_left(), 0);
    let output = undisturbed.wait_with_output().expect("an end");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    backend.store().assert_complete();
    calm.store().assert_complete();
    assert_eq!(backend.store().counts(), calm.store().counts(), "the same operations as undisturbed");
}

#[test]
fn a_backend_that_is_away_does_not_stop_measuring_and_drain_sends_the_rest() {
    let (mut backend, agent) = (Backend::away(), Agent::new(2));
    let output = agent.run(&backend.url()).args(["--deliver-wait-s", "0"]).output().expect("an agent");
    assert_eq!(code(&output), Some(3), "{}", all_text(&output));
    assert!(all_text(&output).contains("tailroom-agent drain --spool"), "says what to do");
    assert_eq!(agent.runs_left(), 1);
    let output = agent.drain(&backend.url()).args(["--deliver-wait-s", "0"]).output().expect("an agent");
    assert_eq!(code(&output), Some(3), "still away: {}", all_text(&output));
    backend.start_again();
    let output = agent.drain(&backend.url()).output().expect("an agent");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    backend.store().assert_complete();
    assert_eq!(backend.store().finish.as_ref().expect("a finish").outcome, RunOutcome::Completed);
    assert_eq!(agent.runs_left(), 0);
}

#[test]
fn a_killed_agent_leaves_a_spool_that_drain_sends_as_interrupted() {
    let (backend, agent) = (Backend::start(), Agent::new(30));
    let mut child = agent.run(&backend.url()).spawn().expect("an agent");
    backend.wait_until("some intervals", |store| store.intervals.len() > 10);
    child.kill().expect("alive");
    assert_eq!(child.wait().expect("an end").signal(), Some(9));
    let before = backend.store().intervals.clone();
    let output = agent.drain(&backend.url()).output().expect("an agent");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    let store = backend.store();
    store.assert_complete();
    assert!(before.iter().all(|(key, interval)| store.intervals.get(key) == Some(interval)));
    assert_eq!(store.finish.as_ref().expect("a finish").outcome, RunOutcome::Interrupted);
    assert_eq!(agent.runs_left(), 0);
}

#[test]
fn a_signal_ends_the_run_soon_as_stopped() {
    let (backend, agent) = (Backend::start(), Agent::new(30));
    let child = agent.run(&backend.url()).spawn().expect("an agent");
    backend.wait_until("some intervals", |store| store.intervals.len() > 4);
    let asked = Instant::now();
    signal(&child, Signal::INT);
    let output = child.wait_with_output().expect("an end");
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    let store = backend.store();
    store.assert_complete();
    let finish = store.finish.as_ref().expect("a finish");
    assert_eq!((finish.outcome, finish.reason.as_deref()), (RunOutcome::Stopped, Some("stopped by SIGINT")));
}

#[test]
fn a_signal_ends_the_run_soon_also_when_the_backend_is_away() {
    let (mut backend, agent) = (Backend::away(), Agent::new(30));
    let mut child = agent.run(&backend.url()).spawn().expect("an agent");
    wait_for_event(&mut child, "progress");
    let asked = Instant::now();
    signal(&child, Signal::TERM);
    let output = child.wait_with_output().expect("an end");
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(code(&output), Some(3), "{}", all_text(&output));
    backend.start_again();
    let output = agent.drain(&backend.url()).output().expect("an agent");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    backend.store().assert_complete();
    assert_eq!(backend.store().finish.as_ref().expect("a finish").outcome, RunOutcome::Stopped);
}

#[test]
fn the_backend_can_stop_a_run() {
    let (backend, agent) = (Backend::start(), Agent::new(30));
    backend.store().stop = true;
    let output = agent.run(&backend.url()).output().expect("an agent");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    let store = backend.store();
    store.assert_complete();
    let finish = store.finish.as_ref().expect("a finish");
    assert_eq!((finish.outcome, finish.reason.as_deref()), (RunOutcome::Stopped, Some("the backend asked to stop")));
}

#[test]
fn a_refused_interval_is_set_aside_alone_and_can_be_offered_again() {
    let (backend, agent) = (Backend::start(), Agent::new(3));
    backend.store().refused = Some((1, 1));
    let output = agent.run(&backend.url()).output().expect("an agent");
    assert_eq!(code(&output), Some(3), "{}", all_text(&output));
    assert!(all_text(&output).contains("set aside"));
    {
        let mut store = backend.store();
        let last_seq = store.finish.as_ref().expect("a finish").last_seq.clone();
        let expected: u64 = last_seq.values().map(|last| last + 1).sum();
        assert_eq!(store.intervals.len() as u64, expected - 1, "all but the refused one");
        store.refused = None;
    }
    let output = agent.drain(&backend.url()).arg("--retry-set-aside").output().expect("an agent");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    backend.store().assert_complete();
    assert_eq!(agent.runs_left(), 0);
}

#[test]
fn a_full_spool_ends_the_run_as_failed_and_keeps_what_it_has() {
    let (mut backend, agent) = (Backend::away(), Agent::new(30));
    let output =
        agent.run(&backend.url()).args(["--spool-limit-mib", "0", "--deliver-wait-s", "0"]).output().expect("an agent");
    assert_eq!(code(&output), Some(1), "{}", all_text(&output));
    assert!(all_text(&output).contains("has reached its limit of 0 bytes"), "{}", all_text(&output));
    backend.start_again();
    let output = agent.drain(&backend.url()).output().expect("an agent");
    assert_eq!(code(&output), Some(0), "{}", all_text(&output));
    assert_eq!(backend.store().finish.as_ref().expect("a finish").outcome, RunOutcome::Failed);
}

#[test]
fn what_cannot_work_is_refused_before_anything_happens() {
    let agent = Agent::new(3);
    let refused = |mut command: Command, expected: &str| {
        let output = command.output().expect("an agent");
        assert_eq!(code(&output), Some(2), "{}", all_text(&output));
        assert!(all_text(&output).contains(expected), "{}", all_text(&output));
    };
    let mut without_token = agent.run("http://127.0.0.1:1");
    without_token.env_remove("TAILROOM_AGENT_TOKEN");
    refused(without_token, "no agent token");
    refused(agent.run("http://192.0.2.1"), "unencrypted");
    let mut with_bad_id = agent.run("http://127.0.0.1:1");
    with_bad_id.args(["--run-id", "7"]);
    refused(with_bad_id, "UUID of version 7");
    assert_eq!(agent.runs_left(), 0);
}
