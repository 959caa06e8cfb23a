//! A result file holds the content of the spool, in the terms of the wire contract, with and without a backend.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use measure::series::Interval;
use serde_json::Value;
use wire::messages::{Announcement, Finish, RunOutcome};

use crate::support::Backend;
use crate::support::agent::{Agent, all_text, wait_for_event};

/// Returns the path of the result file, beside the spool.
fn result_of(agent: &Agent) -> PathBuf {
    agent.spool().with_file_name("result.ndjson")
}

/// Returns the command `run` with a result file and without a backend.
fn run_alone(agent: &Agent) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.args(["run", "--progress", "json", "--spool"]).arg(agent.spool());
    command.arg("--plan").arg(agent.spool().with_file_name("plan.toml")).arg("--result").arg(result_of(agent));
    command.env_remove("TAILROOM_BACKEND_URL").stdin(Stdio::null());
    command
}

/// Returns the announcement, the intervals in order, and the finish.
fn read(path: &Path) -> (Announcement, Vec<Interval>, Finish) {
    let text = fs::read_to_string(path).expect("a result file");
    assert!(text.ends_with('\n'));
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = lines.pop().expect("an end");
    assert_eq!(lines[0]["tailroom_agent_result"], 1);
    assert!(lines[1]["series"].as_array().is_some_and(|series| series.len() > 1));
    let intervals = lines[2..].iter().flat_map(|line| {
        serde_json::from_value::<Vec<Interval>>(line["intervals"].clone()).expect("intervals of the contract")
    });
    (
        serde_json::from_value(lines[0]["announce"].clone()).expect("an announcement of the contract"),
        intervals.collect(),
        serde_json::from_value(last["finish"].clone()).expect("a finish of the contract"),
    )
}

#[test]
fn the_file_holds_what_the_backend_got() {
    let (backend, agent) = (Backend::start(), Agent::new(3));
    let output = agent.run(&backend.url()).arg("--result").arg(result_of(&agent)).output().expect("an agent");
    assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
    let (announcement, intervals, finish) = read(&result_of(&agent));
    let store = backend.store();
    assert_eq!(Some(&announcement), store.announcement.as_ref());
    assert_eq!(Some(&finish), store.finish.as_ref());
    let mut next: BTreeMap<u16, u64> = BTreeMap::new();
    for interval in &intervals {
        let expected = next.entry(interval.series_no).or_default();
        assert_eq!(interval.seq, *expected, "in order, without gaps");
        *expected += 1;
    }
    let by_key: BTreeMap<_, _> = intervals.into_iter().map(|one| ((one.series_no, one.seq), one)).collect();
    assert_eq!(by_key, store.intervals);
}

#[test]
fn without_a_backend_the_file_is_all_that_is_asked_for() {
    let agent = Agent::new(2);
    let output = run_alone(&agent).output().expect("an agent");
    assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
    assert!(all_text(&output).contains("result.ndjson"), "{}", all_text(&output));
    let (announcement, intervals, finish) = read(&result_of(&agent));
    assert_eq!((announcement.title.as_str(), finish.outcome), ("null", RunOutcome::Completed));
    assert!(intervals.iter().any(|interval| interval.histogram.is_some()));
    assert_eq!(agent.runs_left(), 0, "nothing is left that could be sent later");
}

#[test]
fn without_a_backend_a_run_is_sent_later_only_on_request() {
    let (backend, other) = (Backend::start(), Backend::start());
    // Drains as `serve` does between its jobs.
    let drained_by_serve = |agent: &Agent, backend: &Backend| {
        let output = agent.drain(&backend.url()).arg("--leave-held").output().expect("an agent");
        assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
        agent.runs_left()
    };
    // Killed in the middle, so that its result file is not complete.
    let agent = Agent::new(30);
    let mut child = run_alone(&agent).stdout(Stdio::piped()).spawn().expect("an agent");
    wait_for_event(&mut child, "progress");
    child.kill().expect("alive");
    child.wait().expect("an end");
    assert_eq!(drained_by_serve(&agent, &backend), 1, "nobody asked for it to be sent");
    assert!(backend.store().announcement.is_none());
    let output = agent.drain(&backend.url()).output().expect("an agent");
    assert_eq!((output.status.code(), agent.runs_left()), (Some(0), 0), "{}", all_text(&output));
    backend.store().assert_complete();
    // Measured without a backend, to be sent later.
    let asked = Agent::new(1);
    let output = run_alone(&asked).arg("--send-later").output().expect("an agent");
    assert_eq!((output.status.code(), asked.runs_left()), (Some(0), 1), "{}", all_text(&output));
    assert_eq!(drained_by_serve(&asked, &other), 0);
    other.store().assert_complete();
}

#[test]
fn a_run_ends_with_its_answer_in_the_terminal() {
    let agent = Agent::new(2);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.args(["run", "--quiet", "--spool"]).arg(agent.spool()).arg("--result").arg(result_of(&agent));
    command.arg(agent.spool().with_file_name("plan.toml")).env_remove("TAILROOM_BACKEND_URL").stdin(Stdio::null());
    let output = command.output().expect("an agent");
    assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
    let answer = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines[0], "null: completed after 2.0 s");
    let (_, intervals, _) = read(&result_of(&agent));
    let reads: u64 = intervals.iter().filter(|one| one.series_no == 1).map(|one| one.count).sum();
    let expected =
        format!("  read: asked 2000/s, reached {:.0}/s ({reads} done, 0 errors, 0 time-outs)", reads as f64 / 2.0);
    assert_eq!(lines[1], expected, "{answer}");
    for (line, clock) in [(lines[2], "response"), (lines[3], "service")] {
        assert!(line.trim_start().starts_with(clock), "{answer}");
        assert!(["p50 ", "p99 ", "p99.9 ", "max "].iter().all(|part| line.contains(part)), "{answer}");
    }
    assert!(answer.contains("  load generator: ") && answer.contains("result.ndjson; `tailroom judge`"), "{answer}");
    assert!(!answer.contains("run: "), "nobody has it but this machine: {answer}");
}

#[test]
fn an_existing_file_is_refused_before_anything_happens() {
    let agent = Agent::new(30);
    fs::write(result_of(&agent), "mine").expect("writable");
    let output = run_alone(&agent).output().expect("an agent");
    assert_eq!(output.status.code(), Some(2), "{}", all_text(&output));
    assert!(all_text(&output).contains("exists already and is not written over"), "{}", all_text(&output));
    assert_eq!(fs::read_to_string(result_of(&agent)).expect("a file"), "mine");
    assert_eq!(agent.runs_left(), 0);
}

#[test]
fn a_run_that_cannot_begin_leaves_no_file() {
    let agent = Agent::new(30);
    fs::write(agent.spool(), "in the way").expect("writable");
    let output = run_alone(&agent).output().expect("an agent");
    assert_eq!(output.status.code(), Some(2), "{}", all_text(&output));
    assert!(!result_of(&agent).exists());
}

#[test]
fn the_announced_start_is_the_moment_from_which_it_measures() {
    let now_ns = || {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
        u64::try_from(since.as_nanos()).expect("small")
    };
    let agent = Agent::new(2);
    let before_ns = now_ns();
    let output = run_alone(&agent).output().expect("an agent");
    let after_ns = now_ns();
    assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
    let (announcement, _, finish) = read(&result_of(&agent));
    let uncertainty_ns = announcement.started_at_uncertainty_ns.expect("told");
    assert!(uncertainty_ns < 1_000_000_000, "{uncertainty_ns}");
    // The start lies after all preparation, and the whole measurement before the agent ended.
    assert!(announcement.started_at_unix_ns > before_ns);
    assert!(announcement.started_at_unix_ns + finish.duration_ns <= after_ns + uncertainty_ns);
}
