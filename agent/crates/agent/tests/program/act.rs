//! `act`, `selftest` and `bench`, run as programs.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::agent::events;

fn agent(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("an agent")
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.args(arguments).current_dir(folder).env("TAILROOM_SPOOL", folder.join("spool"));
    command.env("XDG_STATE_HOME", folder.join("state"));
    command.env_remove("TAILROOM_BACKEND_URL").env_remove("TAILROOM_ALLOW_LIST");
    command
}

fn act(folder: &Path, arguments: &[&str]) -> Output {
    agent(folder, &[&["act", "--engine", "null", "--json", "--histogram-every-s", "1"], arguments].concat())
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a result file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

const CONFIG: &str =
    "device-names: a.dat,b.dat\ntest-duration-sec: 2\nread-reqs-per-sec: 24000\nwrite-reqs-per-sec: 12000\n";

#[test]
fn a_configuration_runs_as_it_is_and_a_load_derives_the_same() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("act.conf"), CONFIG).expect("written");
    let output = act(folder.path(), &["--config", "act.conf", "--result", "one.ndjson"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("latencies are computed, not measured"), "{}", text(&output));
    let output = act(
        folder.path(),
        &["--load", "6x", "--devices", "a.dat,b.dat", "--duration-s", "2", "--result", "two.ndjson"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let [mut one, mut two] = ["one.ndjson", "two.ndjson"].map(|name| lines(&folder.path().join(name)));
    // Only the load of this machine differs from run to run.
    let measured = one.iter_mut().chain(&mut two).filter_map(|line| line.get_mut("intervals")?.as_array_mut());
    for interval in measured.flatten().filter_map(Value::as_object_mut) {
        assert!(interval.remove("busy_ns").is_some() && !interval.contains_key("temperature_millicelsius"));
    }
    assert_eq!(one[0]["announce"]["plan"]["act_storage"]["load_multiple"], 6.0);
    assert_eq!(one[1], two[1], "series with their target rates");
    assert_eq!(one[2..one.len() - 1], two[2..two.len() - 1], "and everything that was measured");
    let devices: Vec<&Value> = one[1]["series"].as_array().expect("series").iter().map(|one| &one["device"]).collect();
    assert!(devices.contains(&&Value::Null) && devices.contains(&&Value::from("b.dat")));
    let progress: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|event| event["event"] == "progress" && event["operation"] == "read")
        .collect();
    assert_eq!(progress.len(), 2);
    assert!((progress[1]["rate_per_s"].as_f64().expect("a rate") - 24_000.0).abs() < 1e-9);
    assert_eq!(progress[1]["clocks"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_ladder_raises_holds_and_stresses_with_a_run_for_each_load() {
    let folder = TempDir::new().expect("a folder");
    let output = act(
        folder.path(),
        &[
            "--load",
            "1x",
            "--step",
            "2x",
            "--top",
            "3x",
            "--ladder",
            "--file",
            "a.dat",
            "--size",
            "16M",
            "--duration-s",
            "1",
            "--result",
            "run.ndjson",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let rungs: Vec<(f64, String, String)> = (1..=4)
        .map(|step| {
            let plan = lines(&folder.path().join(format!("run-{step:02}.ndjson")))[0]["announce"]["plan"].clone();
            let load = plan["act_storage"]["load_multiple"].as_f64().expect("a load");
            let text = |name: &str| plan["ladder"][name].as_str().expect("text").to_owned();
            (load, text("kind"), text("id"))
        })
        .collect();
    let steps: Vec<(f64, &str)> = rungs.iter().map(|(load, kind, _)| (*load, kind.as_str())).collect();
    assert_eq!(steps, [(1.0, "raise"), (3.0, "raise"), (3.0, "hold"), (6.0, "stress")]);
    assert!(rungs.iter().all(|(_, _, id)| *id == rungs[0].2));
    let end: Value = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .find(|event| event["event"] == "ladder")
        .expect("told");
    assert_eq!((&end["kept_load"], &end["broken_load"]), (&Value::from(3.0), &Value::Null));
}

#[test]
fn a_ladder_of_which_nothing_is_delivered_climbs_to_its_end() {
    let folder = TempDir::new().expect("a folder");
    let more = ["--load", "1x", "--top", "2x", "--ladder", "--file", "a.dat", "--size", "16M", "--duration-s", "1"];
    let output = act(folder.path(), &more);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    let told = events(&output);
    let of = |kind: &str| told.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    assert_eq!(of("rung").len(), 4, "{}", text(&output));
    assert_eq!(of("ladder")[0]["kept_load"], 2.0);
}

#[test]
fn what_is_wrong_is_told_by_file_and_line() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("act.conf"), format!("{CONFIG}num-queues: 8\n")).expect("written");
    let refused = |arguments: &[&str], expected: &str| {
        let output = act(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains(expected), "{}", text(&output));
    };
    refused(&["--config", "act.conf"], "act.conf:5: num-queues: ACT gave it up");
    refused(&["--config", "none.conf"], "cannot read the configuration none.conf");
    refused(&["--load", "1x"], "name --devices");
    refused(&["--devices", "a.dat"], "give --load");
    refused(&["--load", "ax", "--devices", "a.dat"], "30x");
    assert!(!folder.path().join("spool").exists());
}

#[test]
fn a_file_is_measured_and_gone() {
    for engine in [&["--engine", "sync"][..], &["--sq-poll"]] {
        let folder = TempDir::new().expect("a folder");
        let load = ["act", "--load", "0.5x", "--file", "a.dat", "--size", "16M", "--duration-s", "1"];
        let output = agent(
            folder.path(),
            &[&load[..], engine, &["--histogram-every-s", "1", "--result", "run.ndjson"]].concat(),
        );
        // Direct I/O is refused if the folder is in memory, and polling if there is no `io_uring`.
        if text(&output).contains("O_DIRECT") || text(&output).contains("sq_poll needs io_uring") {
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{engine:?}: {}", text(&output));
        assert!(!folder.path().join("a.dat").exists());
        let lines = lines(&folder.path().join("run.ndjson"));
        assert_eq!(lines.last().expect("an end")["finish"]["outcome"], "completed");
        let errors = |line: &Value| {
            let intervals = line["intervals"].as_array().cloned().unwrap_or_default();
            intervals.iter().filter_map(|interval| interval["errors"].as_u64()).sum::<u64>()
        };
        assert_eq!(lines.iter().map(errors).sum::<u64>(), 0, "{engine:?}");
    }
}

#[test]
fn a_drive_that_cannot_be_polled_is_refused_before_anything_is_written() {
    let folder = TempDir::new().expect("a folder");
    let run = ["act", "--load", "0.5x", "--file", "a.dat", "--size", "16M", "--duration-s", "1", "--io-poll"];
    let output = agent(folder.path(), &run);
    if output.status.success() || text(&output).contains("O_DIRECT") {
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("leave out io_poll") && !text(&output).contains("filling"), "{}", text(&output));
    assert!(!folder.path().join("a.dat").exists());
}

#[test]
fn a_closed_queue_reads_a_file_and_changes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("data");
    fs::write(&path, vec![7; 1 << 20]).expect("written");
    let output = agent(folder.path(), &["bench", "--file", "data", "--seconds", "1", "--depth", "4", "--buffered"]);
    let figures: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(figures["iops"].as_f64() > Some(100.0) && figures["errors"] == 0, "{figures}");
    assert!(fs::read(&path).expect("there").iter().all(|byte| *byte == 7));
}

#[test]
fn a_closed_queue_polls_for_submissions_and_says_where_completions_cannot_be_polled_for() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("data"), vec![7; 1 << 20]).expect("written");
    let bench = |arguments: &[&str]| {
        agent(folder.path(), &[&["bench", "--file", "data", "--seconds", "1"], arguments].concat())
    };
    let output = bench(&["--sq-poll", "--buffered"]);
    // Without `io_uring` the command fails with that reason instead of reading without polling.
    if output.status.success() {
        let figures: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(figures["iops"].as_f64() > Some(100.0) && figures["errors"] == 0, "{figures}");
    } else {
        assert!(text(&output).contains("sq_poll needs io_uring"), "{}", text(&output));
    }
    let output = bench(&["--io-poll"]);
    assert!(output.status.success() || text(&output).contains("leave out io_poll"), "{}", text(&output));
    let output = bench(&["--io-poll", "--sq-poll"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

#[test]
fn a_killed_ladder_goes_on_where_it_was() {
    let folder = TempDir::new().expect("a folder");
    let arguments = ["act", "--engine", "null", "--json", "--histogram-every-s", "1", "--load", "1x", "--top", "3x"];
    let more = ["--ladder", "--devices", "a.dat", "--duration-s", "2", "--result", "rung.ndjson"];
    let arguments = [&arguments[..], &more[..]].concat();
    let events = |text: &str, kind: &str| -> Vec<Value> {
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        lines.filter(|event: &Value| event["event"] == kind).collect()
    };
    let mut child = command(folder.path(), &arguments).stdout(Stdio::piped()).spawn().expect("an agent");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut before = String::new();
    // Killed while its second load is measured.
    for line in lines {
        before.push_str(&line);
        before.push('\n');
        if events(&before, "started").len() == 2 {
            break;
        }
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(events(&before, "rung").len(), 1, "{before}");
    let output = agent(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let after = text(&output);
    let steps: Vec<(u64, String)> = events(&after, "rung")
        .iter()
        .map(|rung| (rung["step"].as_u64().expect("a step"), rung["kind"].as_str().expect("a kind").to_owned()))
        .collect();
    let expected = [(2, "raise"), (3, "raise"), (4, "hold"), (5, "stress")].map(|(step, kind)| (step, kind.to_owned()));
    assert_eq!(steps, expected, "{after}");
    assert_eq!(events(&after, "ladder")[0]["id"], events(&before, "started")[0]["run_id"], "it is the same ladder");
    let plan = |step: u32| lines_of_rung(folder.path(), step)[0]["announce"]["plan"]["ladder"].clone();
    assert_eq!((plan(1)["id"].clone(), plan(2)["step"].as_u64()), (plan(2)["id"].clone(), Some(2)));
    assert!(fs::read_dir(folder.path().join("state/tailroom/ladder")).expect("a folder").next().is_none(), "it ended");

    let again = agent(folder.path(), &[&arguments[..arguments.len() - 1], &["again.ndjson", "--restart"]].concat());
    assert_eq!(events(&text(&again), "rung").len(), 5, "another ladder: {}", text(&again));
}

fn lines_of_rung(folder: &Path, step: u32) -> Vec<Value> {
    lines(&folder.join(format!("rung-{step:02}.ndjson")))
}
