//! `sync-write`, run as a program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn agent(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.arg("sync-write").args(arguments).current_dir(folder).env("TAILROOM_SPOOL", folder.join("spool"));
    command.env_remove("TAILROOM_BACKEND_URL").env_remove("TAILROOM_ALLOW_LIST").output().expect("an agent")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Creates a folder on the drive of this checkout, since the system's temporary folder may be in memory.
fn folder_on_a_drive() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

#[test]
fn each_size_is_a_run_with_an_answer_of_its_own() {
    let folder = folder_on_a_drive();
    let arguments = ["--folder", ".", "--duration-s", "2", "--result", "log.ndjson"];
    let output = agent(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    for (size, bytes) in [("4 KiB", 4096), ("8 KiB", 8192)] {
        let answer = format!("{size}, p99 sync-write < 10ms: ");
        let printed = text(&output);
        let line = printed.lines().find(|line| line.starts_with(&answer)).expect("an answer");
        // No write begins late, however busy this machine is, so the answer is about the drive.
        let is_decided =
            ["yes, in this run; p99", "no, in this run; p99"].iter().any(|word| line[answer.len()..].starts_with(word));
        assert!(is_decided, "{line}");

        let file = fs::read_to_string(folder.path().join(format!("log-{bytes}b.ndjson"))).expect("a result file");
        let lines: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let plan = &lines[0]["announce"]["plan"];
        assert_eq!(lines[0]["announce"]["workload"], "sync-write");
        assert_eq!((&plan["sync_write"]["block_bytes"], &plan["phase"]["loop"]), (&bytes.into(), &"closed".into()));
        let series = lines[1]["series"].as_array().expect("series");
        assert!(series.iter().all(|series| series["operation"] == "sync-write" && series["clock"] == "service"));
        let histograms = series.iter().filter(|series| series["kind"] == "histogram");
        let numbers: Vec<&Value> = histograms.map(|series| &series["series_no"]).collect();
        let intervals = lines.iter().filter_map(|line| line["intervals"].as_array()).flatten();
        let counts = intervals.filter(|interval| numbers.contains(&&interval["series"]));
        let writes: u64 = counts.filter_map(|interval| interval["count"].as_u64()).sum();
        assert!(line.contains(&format!("of {writes} writes")), "{line}: {writes} in the file");
    }
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("one").file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".dat")), "{left:?}");
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let folder = folder_on_a_drive();
    let refused = |arguments: &[&str], code: i32, expected: &str| {
        let output = agent(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        assert!(text(&output).contains(expected), "{}", text(&output));
    };
    refused(&[], 2, "--folder");
    refused(&["--folder", ".", "--block", "1000"], 2, "multiple of 512");
    refused(&["--folder", "none"], 1, "there is no folder");
    refused(&["--device", "/dev/no-such-drive"], 2, "is no block device");
}

#[test]
fn the_plan_of_a_campaign_names_no_place() {
    let folder = folder_on_a_drive();
    let plan = "workload = \"sync-write\"\n[sync_write]\nblock_bytes = [512, 4096]\nmeasure_s = 1\n";
    fs::write(folder.path().join("plan.toml"), plan).expect("written");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
        command.args(["run", "plan.toml"]).args(arguments).current_dir(folder.path());
        command.env("TAILROOM_SPOOL", folder.path().join("spool")).env_remove("TAILROOM_BACKEND_URL");
        command.output().expect("an agent")
    };
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("on this machine alone: tailroom-agent sync-write"), "{}", text(&refused));
    let measured = run(&["--folder", ".", "--result", "log.ndjson"]);
    assert_eq!(measured.status.code(), Some(0), "{}", text(&measured));
    for (size, bytes) in [("512-B", 512), ("4-KiB", 4096)] {
        let file = fs::read_to_string(folder.path().join(format!("log-{size}.ndjson"))).expect("a result file");
        let first: Value = serde_json::from_str(file.lines().next().expect("a line")).expect("JSON");
        assert_eq!(first["announce"]["plan"]["sync_write"]["block_bytes"], bytes);
    }
}
