//! `prepare` and `act` on block devices that are interrupted or fail. They are loop devices, which need root, `/dev/loop-control`
//! and mounts; without these the tests say so and check nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const MIB: u64 = 1 << 20;

/// A loop device over a file, with the list that allows it.
struct Drive {
    folder: TempDir,
    image: PathBuf,
    device: String,
    serial: String,
}

impl Drive {
    fn over(image: PathBuf, size_bytes: u64) -> Option<Self> {
        File::create(&image).expect("created").set_len(size_bytes).expect("sized");
        let output = Command::new("losetup").args(["--find", "--show"]).arg(&image).output().ok()?;
        if !output.status.success() {
            eprintln!("no loop devices here: not tried");
            return None;
        }
        let device = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let serial = format!("{}:{size_bytes}", device.trim_start_matches("/dev/"));
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("allowed"), &serial).expect("written");
        Some(Self { folder, image, device, serial })
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tailroom-agent"));
        command.args([name, "--devices", &self.device, "--confirm-serial", &self.serial]).args(arguments);
        command.env("TAILROOM_ALLOW_LIST", self.folder.path().join("allowed"));
        command.env("TAILROOM_PREPARED", self.folder.path().join("prepared"));
        command.env("TAILROOM_SPOOL", self.folder.path().join("spool")).env_remove("TAILROOM_BACKEND_URL");
        command
    }

    fn run(&self, name: &str, arguments: &[&str]) -> Output {
        self.command(name, arguments).output().expect("an agent")
    }

    fn allocated_bytes(&self) -> u64 {
        fs::metadata(&self.image).expect("there").blocks() * 512
    }

    /// Returns how many pages of the image are not empty and differ from all others.
    fn different_pages(&self) -> u64 {
        let bytes = fs::read(&self.image).expect("readable");
        let mut pages: Vec<&[u8]> = bytes.chunks(4096).filter(|page| page.iter().any(|byte| *byte != 0)).collect();
        pages.sort_unstable();
        pages.dedup();
        pages.len() as u64
    }
}

impl Drop for Drive {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.device]).status();
    }
}

/// A small file system in memory, until dropped.
struct Small(TempDir);

impl Small {
    fn new(size: &str) -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        let options = format!("size={size}");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder.path()).status();
        if !mount.is_ok_and(|status| status.success()) {
            eprintln!("nothing can be mounted here: not tried");
            return None;
        }
        Some(Self(folder))
    }

    fn resize(&self, size: &str) {
        let options = format!("remount,size={size}");
        let status = Command::new("mount").args(["-o", &options]).arg(self.0.path()).status();
        assert!(status.expect("runs").success());
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Starts to prepare, and kills the agent at the first line with these words.
fn kill_at(drive: &Drive, arguments: &[&str], words: &str) {
    let mut child = drive.command("prepare", arguments).stdout(Stdio::piped()).spawn().expect("an agent");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let mut seen = Vec::new();
    for line in lines {
        let found = line.contains(words);
        seen.push(line);
        if found {
            break;
        }
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(seen.last().is_some_and(|line| line.contains(words)), "{seen:?}");
}

fn preconditioning(drive: &Drive) -> Value {
    let result = drive.folder.path().join("run.ndjson");
    let _ = fs::remove_file(&result);
    let path = result.display().to_string();
    let output = drive.run("act", &["--load", "0.1x", "--duration-s", "1", "--result", &path, "--progress", "none"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    announcement(&result)["plan"]["act_storage"]["preconditioning"].clone()
}

fn announcement(result: &Path) -> Value {
    let text = fs::read_to_string(result).expect("a result file");
    let first: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
    first["announce"].clone()
}

#[test]
fn a_killed_preparation_goes_on_and_trims_only_once() {
    let place = TempDir::new().expect("a folder");
    let size_bytes = 256 * MIB;
    let Some(drive) = Drive::over(place.path().join("image"), size_bytes) else { return };
    fs::write(&drive.image, vec![9; 256 << 20]).expect("written");
    assert!(drive.allocated_bytes() >= size_bytes);
    kill_at(&drive, &["--trim"], "zeros on 3 %");
    // The old content is gone; allocated pages were written since.
    assert!(drive.allocated_bytes() < size_bytes, "{} bytes", drive.allocated_bytes());
    assert!(fs::read(&drive.image).expect("readable").iter().all(|byte| *byte == 0));
    kill_at(&drive, &[], "random data on 11 %");
    let pages = drive.different_pages();
    assert!((size_bytes / 4096 / 20..size_bytes / 4096).contains(&pages), "{pages} pages");
    let output = drive.run("prepare", &["--trim"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let first = text(&output).lines().next().unwrap_or_default().to_owned();
    assert!(first.contains("goes on: zeros on all of it, random data on"), "{first}");
    assert_eq!(drive.different_pages(), size_bytes / 4096, "no page is zeros, none occurs twice");
    assert_eq!(preconditioning(&drive), "TRIM, zeros, then random data, each once over the whole device");
}

#[test]
fn what_was_not_trimmed_does_not_claim_it() {
    let place = TempDir::new().expect("a folder");
    let Some(drive) = Drive::over(place.path().join("image"), 128 * MIB) else { return };
    kill_at(&drive, &[], "zeros on 3 %");
    let output = drive.run("prepare", &["--trim"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("began without --trim; add --restart"), "{}", text(&output));
    assert_eq!(drive.run("prepare", &[]).status.code(), Some(0));
    assert_eq!(preconditioning(&drive), "zeros, then random data, each once over the whole device");
}

#[test]
fn a_drive_that_cannot_be_written_to_says_so_and_goes_on_when_it_can() {
    let Some(small) = Small::new("24m") else { return };
    let Some(drive) = Drive::over(small.0.path().join("image"), 64 * MIB) else { return };
    let output = drive.run("prepare", &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(
        text(&output).contains("cannot be written to: ") && text(&output).contains(&drive.device),
        "{}",
        text(&output)
    );
    let last_kept = text(&output).lines().rfind(|line| line.contains(" %")).map(str::to_owned);
    assert!(last_kept.is_some_and(|line| !line.contains("random data")), "{}", text(&output));
    small.resize("128m");
    let output = drive.run("prepare", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("goes on: zeros on "), "{}", text(&output));
    assert_eq!(drive.different_pages(), 64 * 256);
}

#[test]
fn reads_that_a_drive_refuses_are_counted_and_shown() {
    let place = TempDir::new().expect("a folder");
    let Some(drive) = Drive::over(place.path().join("image"), 64 * MIB) else { return };
    fs::write(&drive.image, vec![9; 64 << 20]).expect("written");
    // The device still reports 64 MiB, but its second half is gone.
    OpenOptions::new().write(true).open(&drive.image).expect("writable").set_len(32 * MIB).expect("cut");
    for engine in ["sync", "auto"] {
        let result = drive.folder.path().join(format!("{engine}.ndjson"));
        let path = result.display().to_string();
        let more = ["--load", "0.2x", "--duration-s", "2", "--read-only", "--json", "--histogram-every-s", "1"];
        let output = drive.run("act", &[&more[..], &["--engine", engine, "--result", &path]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let intervals: Vec<Value> = fs::read_to_string(&result)
            .expect("a result file")
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
            .flat_map(|line| line["intervals"].as_array().cloned().unwrap_or_default())
            .collect();
        let sum = |key: &str| intervals.iter().filter_map(|interval| interval[key].as_u64()).sum::<u64>();
        let (count, errors) = (sum("count"), sum("errors"));
        let share = errors as f64 / (count + errors) as f64;
        assert!((0.4..0.6).contains(&share), "{engine}: {errors} of {}", count + errors);
        let shown = String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
            .filter(|event| event["event"] == "progress")
            .any(|event| event["errors"].as_u64() > Some(0));
        assert!(shown, "{}", text(&output));
    }
}

#[test]
fn writes_that_a_drive_refuses_are_counted_apart_from_reads() {
    let Some(small) = Small::new("4m") else { return };
    let Some(drive) = Drive::over(small.0.path().join("image"), 64 * MIB) else { return };
    let result = drive.folder.path().join("run.ndjson");
    let path = result.display().to_string();
    let more = ["--load", "5x", "--duration-s", "2", "--progress", "none", "--histogram-every-s", "1"];
    let output = drive.run("act", &[&more[..], &["--result", &path]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let lines: Vec<Value> = fs::read_to_string(&result)
        .expect("a result file")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let errors = |operation: &str| {
        let series = lines.iter().flat_map(|line| line["series"].as_array().cloned().unwrap_or_default());
        let numbers: Vec<Value> =
            series.filter(|one| one["operation"] == operation).map(|one| one["series_no"].clone()).collect();
        assert!(!numbers.is_empty(), "{operation}");
        let intervals = lines.iter().flat_map(|line| line["intervals"].as_array().cloned().unwrap_or_default());
        intervals.filter(|one| numbers.contains(&one["series"])).filter_map(|one| one["errors"].as_u64()).sum::<u64>()
    };
    assert!(errors("large-block-write") > 0);
    assert_eq!((errors("read"), errors("large-block-read")), (0, 0));
}
