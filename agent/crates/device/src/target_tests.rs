//! Tests of the target: what is refused, and what is left behind.

use std::path::PathBuf;
use std::sync::Mutex;

use super::*;

fn plan(path: PathBuf) -> ActStoragePlan {
    ActStoragePlan { file_size_bytes: 3 << 20, direct_io: false, ..ActStoragePlan::new(path) }
}

fn refusal(plan: &ActStoragePlan) -> String {
    Target::prepare(plan, &|_| {}, &StopFlag::default()).expect_err("refused").to_string()
}

#[test]
fn the_file_is_filled_with_random_data_and_has_no_name() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let notes = Mutex::new(Vec::new());
    let notify = |note: &str| notes.lock().expect("not poisoned").push(note.to_owned());
    let target =
        Target::prepare(&plan(folder.path().join("act.dat")), &notify, &StopFlag::default()).expect("prepared");
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
    let mut content = vec![0; usize::try_from(target.span_bytes).expect("small")];
    target.file.read_exact_at(&mut content, 0).expect("readable");
    let mut pages: Vec<&[u8]> = content.chunks(4096).collect();
    pages.sort_unstable();
    pages.dedup();
    assert_eq!(pages.len(), 3 * 256, "no page occurs twice");
    assert!(notes.into_inner().expect("not poisoned").len() >= 2);
}

#[test]
fn a_file_that_exists_is_not_touched() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("act.dat");
    std::fs::write(&path, "precious").expect("writable");
    assert!(refusal(&plan(path.clone())).contains("exists already"));
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), "precious");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).expect("linked");
    assert!(refusal(&plan(link)).contains("exists already"), "a link that leads nowhere is not followed");
}

#[test]
fn a_folder_that_is_missing_or_too_small_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    assert!(refusal(&plan(folder.path().join("none/act.dat"))).contains("there is no folder"));
    let huge = ActStoragePlan { file_size_bytes: 1 << 59, ..plan(folder.path().join("act.dat")) };
    assert!(refusal(&huge).contains("MiB are needed"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn memory_is_not_taken_for_a_drive() {
    let direct = ActStoragePlan { direct_io: true, ..plan("/dev/shm/tailroom-act.dat".into()) };
    let sentence = refusal(&direct);
    assert!(sentence.contains("tmpfs") && sentence.contains("direct_io = false"), "{sentence}");
    assert!(!direct.path.exists());
}

#[test]
fn a_stop_while_filling_leaves_nothing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let stop = StopFlag::default();
    stop.stop();
    let error = Target::prepare(&plan(folder.path().join("act.dat")), &|_| {}, &stop).expect_err("stopped");
    assert!(error.to_string().contains("stopped while"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn a_block_device_needs_the_same_path_as_consent() {
    let mut plan = plan("/dev/never-there".into());
    let sentence = open_device(&plan).expect_err("refused").to_string();
    assert!(sentence.contains("allow_destroy"), "{sentence}");
    plan.allow_destroy = Some("/dev/other".into());
    assert!(open_device(&plan).expect_err("refused").to_string().contains("allow_destroy"));
    plan.allow_destroy = Some(plan.path.clone());
    assert!(open_device(&plan).expect_err("not there").to_string().contains("cannot be opened"));
}

#[test]
fn direct_reads_are_whole_sectors_and_buffered_ones_are_not_rounded() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let plan = ActStoragePlan { record_bytes: 1500, ..plan(folder.path().join("act.dat")) };
    let target = Target::prepare(&plan, &|_| {}, &StopFlag::default()).expect("prepared");
    assert_eq!(target.read_bytes, 1500);
    // A file that is not opened directly takes every unit, so the smallest is found.
    let direct = ActStoragePlan { direct_io: true, ..plan };
    assert_eq!(read_bytes(&target.file, &direct).expect("readable"), 1536);
}
