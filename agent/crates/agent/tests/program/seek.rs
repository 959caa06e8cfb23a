//! `tailroom-agent seek`, run as a program against a real Valkey.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use test_servers::valkey::Valkey;

const PLAN: &str = "workload = \"keyvalue\"\ntitle = \"search\"\n[keyvalue]\nratio = \"1:4\"\nkey_maximum = 999\n\
                    connections = 4\nrate_per_s = 100\n";

fn command_without_file(folder: &Path, server: &Valkey, more: &[&str]) -> Command {
    let file = folder.join("plan.toml");
    fs::write(&file, PLAN).expect("writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.arg("seek").arg(&file).args(["--target", &format!("redis://127.0.0.1:{}", server.port)]);
    let seconds = if more.contains(&"--probe-s") { &[][..] } else { &["--probe-s", "2"] };
    command.args(seconds).args(["--warm-up-s", "0"]).args(more);
    command.arg("--spool").arg(folder.join("spool")).arg("--state").arg(folder.join("state.json"));
    command.env_remove("TAILROOM_BACKEND_URL").env_remove("TAILROOM_TARGET_PASSWORD");
    command
}

fn command(folder: &Path, server: &Valkey, more: &[&str]) -> Command {
    let mut command = command_without_file(folder, server, more);
    command.arg("--result").arg(folder.join("probe.ndjson"));
    command
}

fn seek(folder: &Path, server: &Valkey, more: &[&str]) -> (Output, String) {
    let output = command(folder, server, more).output().expect("an agent");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output, text)
}

#[test]
fn every_probe_is_a_run_at_its_load_and_the_table_says_what_holds() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    let (output, text) = seek(folder.path(), &server, &["--objective", "p99 get < 2s", "--top", "300"]);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("p99 get < 2s: holds at 300/s at least, the highest load that was tried"), "{text}");
    assert_eq!(text.matches("  PASS").count(), 3, "{text}");
    let read = |name: &str| -> Value {
        let text = fs::read_to_string(folder.path().join(name)).expect(name);
        serde_json::from_str(text.lines().next().expect("a line")).expect("JSON")
    };
    let (first, third) = (read("probe-01.ndjson"), read("probe-03.ndjson"));
    let (plan, last) = (&first["announce"]["plan"], &third["announce"]["plan"]);
    assert_eq!(plan["ladder"]["id"], first["announce"]["run_id"]);
    assert_eq!((&last["ladder"]["id"], &last["ladder"]["step"]), (&plan["ladder"]["id"], &3.into()));
    assert_eq!((last["ladder"]["load_per_s"].as_f64(), &last["ladder"]["kind"]), (Some(300.0), &"probe".into()));
    assert_eq!(last["ladder"]["objective"], "p99 get < 2s");
    assert_eq!(
        (last["phase"]["operations_per_s"]["get"].as_f64(), &last["phase"]["loop"]),
        (Some(240.0), &"open".into())
    );
    assert!(!folder.path().join("state.json").exists(), "the search has ended");
}

#[test]
fn a_search_without_a_backend_needs_no_result_file() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    for (objective, code) in [("p99 get < 2s", 0), ("p99 get < 1us", 1)] {
        let more = ["--objective", objective, "--start", "300", "--top", "300", "--most-s", "1"];
        let output = command_without_file(folder.path(), &server, &more).output().expect("an agent");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(!text.contains("drain") && text.contains("300/s"), "{text}");
        let spooled = fs::read_dir(folder.path().join("spool")).expect("a spool").count();
        assert_eq!(spooled, 0, "{text}");
    }
    let more = ["--objective", "p99 get < 2s", "--start", "300", "--top", "300", "--send-later"];
    let output = command_without_file(folder.path(), &server, &more).output().expect("an agent");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let spooled = fs::read_dir(folder.path().join("spool")).expect("a spool").count();
    assert!(spooled > 0, "the next `serve` sends them");
}

#[test]
fn a_killed_search_goes_on_where_it_was() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    let more = ["--objective", "p99 get < 2s", "--top", "300", "--json"];
    let mut child = command(folder.path(), &server, &more).stdout(Stdio::piped()).spawn().expect("an agent");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.map_while(Result::ok).find(|line| line.contains("\"event\":\"probe\"")).expect("a probe");
    child.kill().expect("killed");
    child.wait().expect("ended");
    let first: Value = serde_json::from_str(&first).expect("JSON");
    let (output, text) = seek(folder.path(), &server, &more);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let probes: Vec<Value> = text
        .lines()
        .filter(|line| line.contains("\"event\":\"probe\""))
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let search: Value =
        serde_json::from_str(text.lines().find(|line| line.contains("\"event\":\"search\"")).expect("an end"))
            .expect("JSON");
    assert_eq!((search["passed"].as_f64(), &search["ended_by"]), (Some(300.0), &"top".into()));
    assert_eq!((probes.len(), &search["id"]), (2, &first["run_id"]), "{text}");
}

#[test]
fn a_probe_that_fails_for_certain_ends_before_its_time() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    let more = ["--objective", "p99 get < 2s", "--probe-s", "20", "--timeout-ms", "200", "--json"];
    let mut child = command(folder.path(), &server, &more).stdout(Stdio::piped()).spawn().expect("an agent");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut ticks =
        lines.by_ref().skip_while(|line| !line.contains("\"event\":\"progress\"") || !line.contains("\"get\""));
    assert!(ticks.next().is_some(), "gets are measured");
    server.signal("-STOP");
    let probe = lines.find(|line| line.contains("\"event\":\"probe\""));
    child.kill().expect("killed");
    child.wait().expect("ended");
    server.signal("-CONT");
    assert!(probe.is_some_and(|line| line.contains("\"word\":\"FAIL\"")));
    let text = fs::read_to_string(folder.path().join("probe-01.ndjson")).expect("a result file");
    let last: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    let finish = &last["finish"];
    assert_eq!(finish["outcome"], "completed", "{finish}");
    assert!(finish["reason"].as_str().is_some_and(|reason| reason.starts_with("ended early")), "{finish}");
    assert!(finish["duration_ns"].as_u64() < Some(20_000_000_000), "{finish}");
}

#[test]
fn what_cannot_be_sought_is_refused_before_anything_is_connected() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    for (objective, expected) in [
        ("p99 get", "needs < and a time"),
        ("p99 < 5ms", "the phase run has the operations set, get; name one of them"),
        ("p99 scan < 5ms", "name one of them"),
    ] {
        let (output, text) = seek(folder.path(), &server, &["--objective", objective]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    let (output, text) = seek(folder.path(), &server, &["--objective", "p99 get < 1us", "--most-s", "1"]);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("no load holds"), "{text}");
}

/// Runs the command with a plan of a drive, without `--target`.
fn drive(folder: &Path, engine: &str, more: &[&str]) -> (Output, String) {
    let file = folder.join("drive.toml");
    let path = folder.join("drive.dat");
    let plan = format!(
        "title = \"drive\"\nworkload = \"act-storage\"\nduration_s = 60\n[act_storage]\npath = \"{}\"\n\
         engine = \"{engine}\"\nfile_size_bytes = 16777216\nread_only = true\nload_multiple = 0.05\n",
        path.display()
    );
    fs::write(&file, plan).expect("writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.arg("seek").arg(&file).args(["--probe-s", "2", "--warm-up-s", "0"]).args(more);
    command.arg("--spool").arg(folder.join("spool")).arg("--state").arg(folder.join("state.json"));
    command.arg("--result").arg(folder.join("probe.ndjson"));
    command.env_remove("TAILROOM_BACKEND_URL");
    let output = command.output().expect("an agent");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output, text)
}

#[test]
fn a_drive_is_searched_by_its_reads() {
    for engine in ["null", "sync"] {
        let folder = TempDir::new().expect("a folder");
        let more = ["--objective", "p99 read < 30s", "--top", "400"];
        let (output, text) = drive(folder.path(), engine, &more);
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains("p99 read < 30s: holds at 400/s at least, the highest load that was tried"), "{text}");
        let last = fs::read_to_string(folder.path().join("probe-03.ndjson")).expect("a third probe");
        let first: Value = serde_json::from_str(last.lines().next().expect("a line")).expect("JSON");
        let plan = &first["announce"]["plan"];
        assert_eq!((&plan["ladder"]["step"], plan["ladder"]["load_per_s"].as_f64()), (&3.into(), Some(400.0)));
        assert_eq!(
            (&plan["ladder"]["kind"], &plan["ladder"]["objective"]),
            (&"probe".into(), &"p99 read < 30s".into())
        );
        assert_eq!(plan["act_storage"]["load_multiple"].as_f64(), Some(0.2));
        assert_eq!(first["announce"]["title"], "drive · probe 3: 400/s");
        assert!(
            plan["act_storage"]["limits_ns"]
                .as_array()
                .is_some_and(|limits| limits.contains(&30_000_000_000_u64.into()))
        );
    }
}

#[test]
fn a_drive_that_cannot_be_searched_is_refused() {
    let folder = TempDir::new().expect("a folder");
    for (more, expected) in [
        (&["--objective", "p99 get < 1ms"][..], "the load of a drive is its reads"),
        (&["--objective", "p99 read < 1ms", "--target", "redis://127.0.0.1:1"], "names its own target"),
    ] {
        let (output, text) = drive(folder.path(), "null", more);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    assert!(!folder.path().join("drive.dat").exists(), "nothing was written");
}
