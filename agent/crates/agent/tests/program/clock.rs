//! The clock of the machine is set during a run, and the measurement does not change.
//!
//! The clock is that of libfaketime, which can be set for one process; if it is not installed, the test says so and checks
//! nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const HOUR_S: i64 = 3600;
const HALF_AN_HOUR_S: i64 = 1800;
const SECOND_NS: i64 = 1_000_000_000;

/// Returns the library's path, which depends on the processor.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    let mut places = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1")).filter(|place| place.exists());
    let found = places.next();
    if found.is_none() {
        eprintln!("libfaketime is not installed: not tried");
    }
    found
}

/// A clock that is off by a number of seconds for the programs started with it.
struct Clock {
    library: PathBuf,
    file: PathBuf,
}

impl Clock {
    fn set(&self, seconds: i64) {
        // Replaced atomically, so that no program reads half of it.
        let new = self.file.with_extension("new");
        fs::write(&new, format!("{seconds:+}\n")).and_then(|()| fs::rename(&new, &self.file)).expect("written");
    }

    fn given_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("LD_PRELOAD", &self.library).env("FAKETIME_TIMESTAMP_FILE", &self.file);
        command.env("FAKETIME_NO_CACHE", "1").env("DONT_FAKE_MONOTONIC", "1")
    }

    /// Returns the time that this clock shows, in seconds since 1970.
    fn shown(&self) -> i64 {
        let output = self.given_to(Command::new("date").arg("+%s")).output().expect("runs");
        String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
    }
}

/// Runs for six seconds. With a clock, it is half an hour ahead, after two seconds a whole hour ahead, and after four an hour
/// behind.
fn run(folder: &Path, engine: &str, clock: Option<&Clock>) -> (Vec<Value>, Duration) {
    let result = folder.join(format!("{engine}-{}.ndjson", clock.is_some()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
    command.args(["act", "--load", "0.2x", "--file", "a.dat", "--size", "16M", "--duration-s", "6"]);
    command.args(["--histogram-every-s", "1", "--progress", "none", "--engine", engine, "--result"]).arg(&result);
    command.current_dir(folder).env("TAILROOM_SPOOL", folder.join("spool")).env_remove("TAILROOM_BACKEND_URL");
    let begun = Instant::now();
    if let Some(clock) = clock {
        clock.set(HALF_AN_HOUR_S);
        clock.given_to(&mut command);
    }
    let mut child = command.stdout(Stdio::null()).spawn().expect("an agent");
    if let Some(clock) = clock {
        for seconds in [HOUR_S, -HOUR_S] {
            thread::sleep(Duration::from_secs(2));
            clock.set(seconds);
        }
    }
    let status = child.wait().expect("ended");
    assert_eq!(status.code(), Some(0));
    let text = fs::read_to_string(&result).expect("a result file");
    (text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(), begun.elapsed())
}

fn intervals(lines: &[Value]) -> Vec<Value> {
    lines.iter().flat_map(|line| line["intervals"].as_array().cloned().unwrap_or_default()).collect()
}

/// Returns the facts that are the same in every run of this plan, whatever the load of the machine.
fn fixed(intervals: &[Value], keys: &[&str]) -> Vec<String> {
    let of =
        |interval: &Value| keys.iter().map(|key| format!("{key} {}", interval[key])).collect::<Vec<_>>().join(", ");
    let mut all: Vec<String> = intervals.iter().map(of).collect();
    all.sort();
    all
}

#[test]
fn setting_the_clock_changes_nothing() {
    let Some(library) = library() else { return };
    let places = ["series", "seq", "start_ns", "duration_ns", "target_count"];
    let simulated = [&places[..], &["count", "errors", "sum_ns", "min_ns", "max_ns", "pins", "histogram"]].concat();
    // The null engine computes its latencies from the plan, so that all facts are the same.
    thread::scope(|scope| {
        scope.spawn(|| is_the_same("null", &simulated, &library));
        scope.spawn(|| is_the_same("sync", &places, &library));
    });
}

fn is_the_same(engine: &str, keys: &[&str], library: &Path) {
    let folder = TempDir::new().expect("a folder");
    let clock = Clock { library: library.to_owned(), file: folder.path().join("clock") };
    // The library works: a program started with this clock sees it set.
    clock.set(HOUR_S);
    let ahead = clock.shown();
    clock.set(-HOUR_S);
    let apart = ahead - clock.shown();
    assert!((2 * HOUR_S - 60..=2 * HOUR_S).contains(&apart), "{apart} s");

    let (plain, _) = run(folder.path(), engine, None);
    let (set, took) = run(folder.path(), engine, Some(&clock));
    assert!((6..60).contains(&took.as_secs()), "{engine}: {took:?}");
    let finish = |lines: &[Value], key: &str| lines.last().expect("an end")["finish"][key].clone();
    for key in ["outcome", "duration_ns", "last_seq"] {
        assert_eq!(finish(&set, key), finish(&plain, key), "{engine}");
    }
    assert_eq!(finish(&set, "duration_ns"), 6_000_000_000_u64, "{engine}");
    // The agent saw another time than this process.
    let started = |lines: &[Value]| lines[0]["announce"]["started_at_unix_ns"].as_i64().expect("a time") / SECOND_NS;
    let ahead = started(&set) - started(&plain);
    assert!((HALF_AN_HOUR_S..HALF_AN_HOUR_S + 120).contains(&ahead), "{engine}: {ahead} s");
    let (plain, set) = (intervals(&plain), intervals(&set));
    assert_eq!(fixed(&set, keys), fixed(&plain, keys), "{engine}");
    let sum = |intervals: &[Value], key: &str| intervals.iter().filter_map(|one| one[key].as_u64()).sum::<u64>();
    assert!(sum(&set, "count") > 0);
    assert_eq!(sum(&set, "count"), sum(&plain, "count"), "{engine}: the rate is the same");
    for key in ["max_ns", "lateness_max_ns"] {
        let longest_ns = set.iter().filter_map(|one| one[key].as_u64()).max();
        assert!(longest_ns < Some(1_800_000_000_000), "{engine}: {key} {longest_ns:?}");
    }
}
