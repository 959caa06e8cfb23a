//! `qualify` from its first step to its report, on a simulated drive: every answer, write amplification, and a suite that is
//! killed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::agent::all_text;

const UNIT_BYTES: u64 = 512_000;

/// Returns the command for a simulated drive with these settings, with the state in `state.json` of the folder.
fn qualify(folder: &Path, settings: &str, arguments: &[&str]) -> Command {
    fs::write(folder.join("drive.toml"), settings).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.args(["qualify", "--simulated-drive", "drive.toml", "--state", "state.json", "--report", "report.json"]);
    command.args(["--quiet", "--result", "load.ndjson"]).args(arguments).current_dir(folder);
    command.env("TAILROOM_SPOOL", folder.join("spool")).env_remove("TAILROOM_BACKEND_URL");
    command
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

/// Qualifies a simulated drive; returns the report and the output.
fn qualified(settings: &str, arguments: &[&str]) -> (Value, String, TempDir) {
    let folder = TempDir::new().expect("a folder");
    let output = qualify(folder.path(), settings, arguments).output().expect("an agent");
    assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
    (json(&folder.path().join("report.json")), all_text(&output), folder)
}

fn measured(report: &Value, step: &str) -> usize {
    report["suite"]["measured"].as_array().expect("loads").iter().filter(|load| load["step"] == step).count()
}

#[test]
fn a_drive_is_steady_after_some_rounds_and_then_tested() {
    let (report, printed, _folder) = qualified(
        "page_s = 0.002\n",
        &["--step", "prepare,settle,throughput", "--fill", "sequential", "--round-s", "10"],
    );
    let (answer, first_round) = (&report["steady_state"]["answer"], &report["steady_state"]["first_round"]);
    assert_eq!(answer, "steady");
    let first_round = first_round.as_u64().expect("a round");
    assert!(first_round >= 2, "{first_round}");
    assert!(printed.contains(&format!("steady from round {first_round} on")), "{printed}");
    assert_eq!(measured(&report, "settle") as u64, first_round + 4);
    assert_eq!((measured(&report, "throughput"), &report["is_complete"]), (4, &true.into()));
}

#[test]
fn a_drive_that_works_for_itself_does_not_settle_and_is_not_tested_further() {
    let (report, printed, _folder) = qualified(
        "page_s = 0.002\nhousekeeping_s = [40.0, 10.0]\n",
        &["--step", "prepare,settle,throughput", "--round-s", "10"],
    );
    assert_eq!(report["steady_state"]["answer"], "not_steady");
    assert!(printed.contains("not steady after 25 rounds: mean"), "{printed}");
    assert_eq!((measured(&report, "settle"), measured(&report, "throughput")), (25, 0));
}

#[test]
fn a_hot_drive_is_throttled_by_its_own_counters() {
    let (report, printed, _folder) =
        qualified("page_s = 0.002\nhot_c = 60.0\n", &["--step", "prepare,settle,throughput", "--round-s", "60"]);
    assert_eq!(report["steady_state"]["answer"], "throttled");
    assert!(printed.contains("the drive slowed itself down by heat for"), "{printed}");
    assert_eq!((measured(&report, "settle"), measured(&report, "throughput")), (25, 0));
    let loads = report["suite"]["measured"].as_array().expect("loads").iter();
    let stated_s: f64 = loads.map(|load| load["throttled_s"].as_f64().expect("seconds")).sum();
    let true_s = report["simulated_drive"]["throttled_s"].as_f64().expect("seconds");
    // Each round counts whole seconds, and filling reports none.
    assert!(stated_s > 60.0 && stated_s <= true_s + 25.0, "{stated_s} of {true_s}");
}

#[test]
fn write_saturation_shows_where_a_cache_ends_or_that_it_does_not() {
    let arguments = ["--step", "purge,saturation,sync-writes", "--round-s", "1"];
    let settings =
        |cache_pages: u32| format!("page_s = 0.002\npages = 8192\nspare_ratio = 0.5\ncache_pages = {cache_pages}\n");
    let (report, printed, folder) = qualified(&settings(9_000), &arguments);
    let end = &report["cache_end"];
    let bytes = |name: &str| end[name].as_u64().expect("bytes");
    assert!(bytes("lower_bytes") <= 9_000 * 4096 && 9_000 * 4096 <= bytes("upper_bytes"), "{end}");
    assert!(printed.contains("the rate fell for good after 0.0"), "{printed}");
    // Later runs of the suite disclose the end of the cache.
    let mut runs = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let later = runs.find(|path| path.to_string_lossy().contains("load-sync-writes-01")).expect("a run");
    let text = fs::read_to_string(later).expect("a result");
    let first: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    assert_eq!(&first["announce"]["plan"]["qualify"]["preparation"]["cache_end"], end);
    let written = report["simulated_drive"]["host_written_bytes"].as_u64().expect("bytes");
    assert!(written >= 4 * 8_192 * 4096, "{written} are four times what the drive offers");
    let (report, printed, _folder) = qualified(&settings(1_000_000), &arguments);
    assert_eq!(report["cache_end"], Value::Null);
    assert!(printed.contains("the rate did not fall for good"), "{printed}");
}

#[test]
fn another_load_is_recovered_from_or_not() {
    let recovery = |settings: &str| {
        let steps = ["--step", "prepare,cross-stimulus", "--fill", "sequential", "--round-s", "10"];
        let (report, printed, _folder) = qualified(&format!("page_s = 0.002\npages = 8192\n{settings}"), &steps);
        (report["recovery"]["back_from_round"].as_u64(), printed)
    };
    let (back, printed) = recovery("spare_ratio = 0.5\n");
    assert!(back.is_some_and(|round| round > 1), "{printed}");
    let (back, printed) = recovery("");
    assert_eq!(back, None);
    assert!(printed.contains("not back within the rounds"), "{printed}");
}

#[test]
fn idle_time_helps_a_drive_with_a_cache() {
    let (report, printed, _folder) =
        qualified("page_s = 0.002\ncache_pages = 9000\n", &["--step", "prepare,host-idle", "--round-s", "12"]);
    assert!(report["idle_gains"][0]["ratio"].as_f64().expect("a ratio") > 2.0, "{report}");
    assert!(printed.contains("from 1 s of idle time on the drive is faster"), "{printed}");
}

#[test]
fn synchronous_writes_and_act_have_an_answer_of_their_own() {
    let steps = ["--step", "prepare,sync-writes,act", "--round-s", "1"];
    let answers = |settings: &str| {
        let (report, _, folder) = qualified(settings, &steps);
        let loads = report["suite"]["measured"].as_array().expect("loads");
        let answers: Vec<String> =
            loads.iter().map(|load| load["answer"].as_str().expect("an answer").to_owned()).collect();
        (answers, folder)
    };
    let (fast, folder) = answers("page_s = 0.00002\n");
    assert!(fast[0].starts_with("4 KiB, p99 sync-write < 10ms: yes, in this run; p99 "), "{fast:?}");
    assert!(fast[1].starts_with("8 KiB, p99 sync-write < 10ms: yes, in this run; p99 "), "{fast:?}");
    assert_eq!(fast[2], "ACT 1x: keeps the limits of ACT in this run");
    let mut runs = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let act = runs.find(|path| path.to_string_lossy().contains("load-act-01")).expect("a run");
    let text = fs::read_to_string(act).expect("a result");
    let first: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    let plan = &first["announce"]["plan"];
    assert_eq!(
        (&first["announce"]["workload"], &plan["act_storage"]["engine"]),
        (&"act-storage".into(), &"null".into())
    );
    assert_eq!(
        plan["act_storage"]["preconditioning"],
        "not purged; filled in one pass of 4 KiB, 1.15 full writes, for a spare of 0.15"
    );
    let (slow, _) = answers("page_s = 0.0005\n");
    assert!(slow[0].starts_with("4 KiB, p99 sync-write < 10ms: no, in this run; p99 "), "{slow:?}");
    assert_eq!(slow[2], "ACT 1x: breaks a limit of ACT, or cannot keep up");
}

#[test]
fn each_run_states_the_counters_of_the_model_and_that_it_is_one() {
    let (report, _, folder) = qualified("page_s = 0.002\n", &["--step", "settle", "--round-s", "10"]);
    let (mut host_bytes, mut media_bytes) = (0, 0);
    let runs = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let runs: Vec<_> = runs.filter(|path| path.to_string_lossy().contains("load-settle-")).collect();
    assert_eq!(runs.len(), measured(&report, "settle"));
    for run in &runs {
        let text = fs::read_to_string(run).expect("a result");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let plan = &lines[0]["announce"]["plan"]["qualify"];
        assert_eq!((&plan["device"], &plan["engine"]), (&"simulated drive".into(), &"null".into()));
        assert_eq!(plan["simulated_drive"]["page_s"], 0.002);
        let drive = &lines[lines.len() - 1]["finish"]["drive_counters"]["drives"][0];
        let readings = drive["readings"].as_array().expect("readings");
        let (first, last) = (&readings[0]["values"], &readings[readings.len() - 1]["values"]);
        let rise = |name: &str| last[name].as_u64().expect("a value") - first[name].as_u64().expect("a value");
        host_bytes += rise("smart.host_written_bytes");
        media_bytes += rise("extended.media_written_bytes");
    }
    let exactly = |name: &str| report["simulated_drive"][name].as_u64().expect("bytes");
    assert!(host_bytes.abs_diff(exactly("host_written_bytes")) <= UNIT_BYTES, "{host_bytes}");
    assert_eq!(media_bytes, exactly("media_written_bytes"));
}

/// Returns a state without the fields that differ from call to call.
fn comparable(mut state: Value) -> Value {
    state["id"] = Value::Null;
    for load in state["measured"].as_array_mut().expect("loads") {
        load["run_id"] = Value::Null;
    }
    state
}

#[test]
fn a_suite_that_is_killed_ends_with_the_same_figures() {
    let settings = "page_s = 0.0005\ncache_pages = 2000\n";
    let steps = ["--step", "purge,prepare,settle,throughput,latency,host-idle", "--round-s", "2"];
    let (_, _, whole) = qualified(settings, &steps);
    let whole = json(&whole.path().join("state.json"));
    let loads = whole["measured"].as_array().expect("loads").len();
    let folder = TempDir::new().expect("a folder");
    let state = folder.path().join("state.json");
    let done = || {
        let text = fs::read(&state).unwrap_or_default();
        let state: Value = serde_json::from_slice(&text).unwrap_or_default();
        state["measured"].as_array().map_or(0, Vec::len)
    };
    for loads_before_the_kill in [1, 4, 9, 15] {
        let mut child = qualify(folder.path(), settings, &steps);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("an agent");
        while done() < loads_before_the_kill && child.try_wait().expect("a child").is_none() {
            thread::sleep(Duration::from_millis(5));
        }
        // On a fast machine the suite may have ended already; the rest then has nothing left to do.
        let _ = child.kill();
        child.wait().expect("ended");
    }
    let output = qualify(folder.path(), settings, &steps).output().expect("an agent");
    assert_eq!(output.status.code(), Some(0), "{}", all_text(&output));
    assert_eq!(done(), loads);
    assert_eq!(comparable(json(&state)), comparable(whole));
}

#[test]
fn what_is_no_model_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let refused = |settings: &str, arguments: &[&str], expected: &str| {
        let output = qualify(folder.path(), settings, arguments).output().expect("an agent");
        assert_eq!(output.status.code(), Some(2), "{}", all_text(&output));
        assert!(all_text(&output).contains(expected), "{}", all_text(&output));
        assert!(!folder.path().join("state.json").exists());
    };
    let steps = ["--step", "settle"];
    refused("pages = 7\n", &steps, "pages must lie between");
    refused("spare_ratio = 0.001\n", &steps, "less than five blocks");
    refused("rooms = 7\n", &steps, "unknown field `rooms`");
    refused("", &["--device", "/dev/null", "--step", "settle"], "cannot be used with");
}
