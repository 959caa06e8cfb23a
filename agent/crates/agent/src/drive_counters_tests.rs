use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};

use serde_json::json;
use wire::messages::{AgentVersion, Announcement, RunId, WorkloadKind};

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

/// Creates a `/sys` in which the disk that holds `folder` has counters of the kernel.
fn sys_of(folder: &Path) -> PathBuf {
    let sys = folder.join("sys");
    let device = fs::metadata(folder).expect("a folder").dev();
    let numbers = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
    let disk = sys.join("devices/vdz");
    for place in [disk.clone(), sys.join("dev/block"), sys.join("block")] {
        fs::create_dir_all(place).expect("created");
    }
    write_stat(&sys, 0);
    for (place, name) in [("dev/block", &*numbers), ("block", "vdz")] {
        symlink(&disk, sys.join(place).join(name)).expect("linked");
    }
    sys
}

fn write_stat(sys: &Path, sectors: u64) {
    fs::write(sys.join("devices/vdz/stat"), format!("0 0 0 0 1 0 {sectors} 0 0 0 0\n")).expect("written");
}

fn spool_of(folder: &Path) -> Arc<RunSpool> {
    let announcement = Announcement {
        run_id: RunId::new(),
        title: "t".into(),
        workload: WorkloadKind::ActStorage,
        started_at_unix_ns: 1,
        started_at_uncertainty_ns: None,
        planned_duration_ns: 1,
        agent: AgentVersion { version: "0".into(), commit: None },
        host: json!({}),
        plan: json!({}),
    };
    Arc::new(RunSpool::create(&folder.join("spool"), &announcement, &[], 1 << 20, false).expect("a spool"))
}

fn moments(document: &Value) -> Vec<&str> {
    let readings = document["drives"][0]["readings"].as_array().expect("readings");
    readings.iter().map(|reading| reading["moment"].as_str().expect("a word")).collect()
}

#[test]
fn a_drive_is_read_from_arming_to_after_the_drain() {
    let folder = tempfile::tempdir().expect("a folder");
    let sys = sys_of(folder.path());
    let paths = [folder.path().join("act.dat"), PathBuf::from("/proc/nowhere")];
    let counters = DriveCounters::over(&paths, &sys, Duration::from_millis(150)).expect("a thread");
    let spool = spool_of(folder.path());
    let origin = Instant::now() + Duration::from_millis(50);
    counters.started(origin, Duration::from_millis(400), &spool);
    let begun = Instant::now();
    let stored = loop {
        let stored = spool.drive_counters().unwrap_or_default();
        if stored["drives"][0]["readings"].as_array().is_some_and(|readings| readings.len() == 5) {
            break stored;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{stored}");
        thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(moments(&stored), ["armed", "start", "minute", "minute", "end"], "an agent that is cut off leaves this");
    write_stat(&sys, 7);
    let document = counters.drained();
    let drive = &document["drives"][0];
    assert_eq!(moments(&document).last(), Some(&"drained"));
    let readings = drive["readings"].as_array().expect("readings");
    assert!(readings[0]["at_ns"].as_i64().expect("a number") < 0, "armed before the start");
    let at = |place: usize| readings[place]["at_ns"].as_i64().expect("a number");
    assert!((1..readings.len()).all(|place| at(place) > at(place - 1)) && at(4) >= 400_000_000);
    assert_eq!(readings[0]["values"]["kernel.written_bytes"], 0);
    assert_eq!(readings.last().expect("some")["values"]["kernel.written_bytes"], 3_584);
    assert_eq!((&drive["disk"], &drive["devices"]), (&json!("vdz"), &json!([paths[0]])));
    assert_eq!(drive["absent"]["smart"], "not an NVMe drive");
    assert_eq!(document["without_disk"], json!(["/proc/nowhere"]));
}

#[test]
fn a_run_that_never_starts_ends_its_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let sys = sys_of(folder.path());
    let counters = DriveCounters::over(&[folder.path().to_owned()], &sys, MINUTE).expect("a thread");
    let done = counters.done.clone();
    drop(counters);
    assert_eq!(done.recv_timeout(Duration::from_secs(20)), Ok(()));
    assert!(DriveCounters::arm(&[], MINUTE).is_none(), "nothing is measured");
    assert!(DriveCounters::arm(&[folder.path().to_owned()], Duration::ZERO).is_none(), "they are not to be read");
}

#[test]
fn a_long_run_keeps_its_ends_and_fewer_minutes() {
    let reading = |moment| {
        let values = (0..40).map(|number| (format!("smart.value_{number}"), u64::MAX / 3)).collect();
        Reading { moment, at_ns: 0, took_ns: 0, counters: Counters { values, ..Counters::default() } }
    };
    let ends = || [Moment::Armed, Moment::Start].map(reading).to_vec();
    let drive = |number: usize| Drive {
        devices: vec!["/dev/nvme0n1".into()],
        disk: format!("nvme{number}n1"),
        readings: ends(),
        absent: BTreeMap::new(),
    };
    let mut document = Document { version: VERSION, drives: vec![drive(0)], without_disk: Vec::new() };
    let size = |document: &Document| serde_json::to_vec(document).expect("JSON").len();
    for _ in 0..5 {
        document.drives[0].readings.extend((0..300).map(|_| reading(Moment::Minute)));
        fit(&mut document, MOST_BYTES);
        assert!(size(&document) <= MOST_BYTES);
    }
    assert_eq!(document.drives[0].readings[1].moment, Moment::Start);
    assert!(document.drives[0].readings.len() > 200, "half an hour of minutes at least stays");
    document.drives = (0..40).map(drive).collect();
    fit(&mut document, 100_000);
    assert!(size(&document) <= 100_000);
    assert_eq!(document.drives.len(), 40);
    let omitted = document.drives.iter().filter(|drive| drive.readings.is_empty());
    assert!(omitted.clone().count() > 0 && omitted.clone().all(|drive| drive.absent.contains_key("kernel")));
}
