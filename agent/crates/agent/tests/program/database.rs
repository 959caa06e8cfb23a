//! `tailroom-agent run` with plans of databases, run as a program against a real Valkey.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use test_servers::valkey::Valkey;

const LADDER: &str = "workload = \"fraud\"\ntitle = \"ladder\"\n[fraud]\nobjects = 2000\nreads_per_transaction = 10\n\
                      connections = 4\nramp_s = 0\nmeasure_s = 1\n[[fraud.phases]]\nname = \"P1\"\nreads_per_s = 200\n\
                      [[fraud.phases]]\nname = \"P2\"\nreads_per_s = 200\nupdates_per_s = 50\n";

fn run(folder: &Path, plan: &str, target: &str, more: &[&str]) -> Output {
    let file = folder.join("plan.toml");
    fs::write(&file, plan).expect("writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.arg("run").arg(&file).args(["--target", target, "--progress", "none", "--histogram-every-s", "1"]);
    command.arg("--spool").arg(folder.join("spool")).args(more).env_remove("TAILROOM_BACKEND_URL");
    command.env_remove("TAILROOM_TARGET_PASSWORD").output().expect("an agent")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the announcement, and the number of operations in the histograms by operation and clock.
fn read(path: &Path) -> (Value, impl Fn(&str, &str) -> u64 + use<>) {
    let text = fs::read_to_string(path).expect("a result file");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[lines.len() - 1]["finish"]["outcome"], "completed");
    let announcement = lines[0]["announce"].clone();
    let count = move |operation: &str, clock: &str| {
        let series = lines[1]["series"].as_array().expect("series");
        let is_it = |one: &&Value| one["operation"] == operation && one["clock"] == clock && one["kind"] == "histogram";
        let number = &series.iter().find(is_it).expect("such a series")["series_no"];
        let intervals = lines.iter().filter_map(|line| line["intervals"].as_array()).flatten();
        intervals.filter(|one| &one["series"] == number).map(|one| one["count"].as_u64().expect("a count")).sum()
    };
    (announcement, count)
}

#[test]
fn every_phase_is_a_run_and_the_objects_are_used_again_and_taken_away() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    let (target, file) = (format!("redis://127.0.0.1:{}", server.port), folder.path().join("ladder.ndjson"));
    let output = run(folder.path(), LADDER, &target, &["--result", file.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let (load, count) = read(&folder.path().join("ladder-load.ndjson"));
    assert_eq!((load["workload"].as_str(), count("insert", "service")), (Some("fraud"), 2_000));
    assert_eq!(load["plan"]["phase"]["loop"], "closed");
    let (first, _) = read(&folder.path().join("ladder-P1.ndjson"));
    let (second, count) = read(&folder.path().join("ladder-P2.ndjson"));
    assert_eq!(first["plan"]["job"]["id"], second["plan"]["job"]["id"]);
    assert_ne!(first["run_id"], second["run_id"]);
    assert_eq!((second["title"].as_str(), &second["plan"]["phase"]["loop"]), (Some("ladder · P2"), &"open".into()));
    assert_eq!(second["plan"]["fraud"]["reads_per_transaction"], 10);
    assert!(second["plan"]["server"]["version"].as_str().is_some_and(|version| !version.is_empty()));
    assert_eq!(
        (count("transaction", "response"), count("read", "service"), count("update", "response")),
        (20, 200, 50)
    );
    assert_eq!(server.key_count(), 2_001, "objects stay, with a word whose they are");

    let output = run(folder.path(), LADDER, &target, &["--phases", "P2", "--remove", "--result", "/dev/null/no"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let output = run(folder.path(), LADDER, &target, &["--phases", "P2", "--remove"]);
    assert_eq!(output.status.code(), Some(3), "measured, and only in the spool: {}", told(&output));
    assert_eq!(server.key_count(), 0, "taken away all the same");
}

#[test]
fn a_property_file_of_ycsb_runs_as_it_is() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    let file = folder.path().join("a.ndjson");
    let workload = "recordcount=300\noperationcount=2000\nworkload=site.ycsb.workloads.CoreWorkload\nreadallfields=true\n\
                    readproportion=0.5\nupdateproportion=0.5\nscanproportion=0\ninsertproportion=0\n\
                    requestdistribution=zipfian\nthreadcount=4\n";
    let target = format!("redis://127.0.0.1:{}/2", server.port);
    let output = run(folder.path(), workload, &target, &["--result", file.to_str().expect("text"), "--remove"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let (run, count) = read(&file);
    assert_eq!(count("read", "service") + count("update", "service"), 2_000);
    assert_eq!((run["workload"].as_str(), &run["plan"]["phase"]["loop"]), (Some("ycsb"), &"closed".into()));
    assert!(run["plan"]["differs_from_original"].to_string().contains("Closed loop"));
    assert_eq!(server.key_count(), 0, "taken away, and nothing was ever in database 0");
}

#[test]
fn what_is_in_the_way_is_named_and_nothing_is_written() {
    let (server, folder) = (Valkey::start_with(&["--requirepass", "hush"]), TempDir::new().expect("a folder"));
    let (address, password) = (format!("127.0.0.1:{}", server.port), folder.path().join("password"));
    fs::write(&password, "other\n").expect("writable");
    let password = password.to_str().expect("text");
    for (target, more, code, expected) in [
        ("", &[][..], 2, "no address of a server"),
        ("postgresql://db/speed?sslmode=require", &[], 2, "would trust any server"),
        (&format!("redis://me:secret@{address}"), &[], 2, "--password-file"),
        (&format!("redis://{address}"), &["--password-file", password], 1, "give the password with --password-file"),
        (&format!("redis://{address}"), &["--phases", "P7"], 2, "no phase P7; it has P1, P2"),
        ("redis://127.0.0.1:1", &[], 1, "start the server or correct the address"),
    ] {
        let output = run(folder.path(), LADDER, target, more);
        assert_eq!(output.status.code(), Some(code), "{target}: {}", told(&output));
        let told = told(&output);
        assert!(told.contains(expected) && !told.contains("secret") && !told.contains("other"), "{told}");
    }
    assert!(!folder.path().join("spool").exists(), "nothing was begun");
}

#[test]
fn refused_operations_of_a_complete_run_are_shown_on_the_screen() {
    let (server, folder) = (Valkey::start(), TempDir::new().expect("a folder"));
    let plan = "workload = \"keyvalue\"\n[keyvalue]\nratio = \"1:1\"\nobject_bytes = 100\nkey_maximum = 99\n\
                connections = 2\nrate_per_s = 500\nramp_s = 0\nmeasure_s = 3\n";
    let port = server.port;
    let refusing = thread::spawn(move || {
        let mut connection = server.connection().expect("connected");
        // The measurement has begun when there were more sets than the load needs.
        let deadline = Instant::now() + Duration::from_secs(20);
        while server.calls("set") < 150 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
        for replicas in ["1", "0"] {
            redis::cmd("CONFIG").arg(&["SET", "min-replicas-to-write", replicas]).exec(&mut connection).expect("set");
            thread::sleep(Duration::from_millis(300));
        }
        server
    });
    let file = folder.path().join("refused.ndjson");
    let target = format!("redis://127.0.0.1:{port}");
    let output = run(folder.path(), plan, &target, &["--result", file.to_str().expect("text")]);
    refusing.join().expect("refused for a while");
    let told = told(&output);
    assert!(told.contains(&format!("127.0.0.1:{port} refused operations, the first with: NOREPLICAS")), "{told}");
}

#[test]
fn whoever_stops_it_while_the_server_is_asked_reads_so() {
    let folder = TempDir::new().expect("a folder");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    for scheme in ["redis", "postgresql", "aerospike"] {
        let file = folder.path().join("plan.toml");
        fs::write(&file, LADDER).expect("writable");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
        command.arg("run").arg(&file).args(["--target", &format!("{scheme}://127.0.0.1:{port}"), "--progress", "none"]);
        command.arg("--spool").arg(folder.path().join("spool")).env_remove("TAILROOM_BACKEND_URL");
        let child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("an agent");
        let (mut connection, _) = listener.accept().expect("connected");
        connection.read_exact(&mut [0; 8]).expect("a greeting, which nobody answers");
        let pid = Pid::from_child(&child);
        kill_process(pid, Signal::INT).expect("signalled");
        let output = child.wait_with_output().expect("ends");
        let told = told(&output);
        assert!(
            told.contains(&format!("stopped by SIGINT while the objects on database server 127.0.0.1:{port}")),
            "{told}"
        );
        assert!(!told.contains("Interrupted"), "{told}");
    }
}
