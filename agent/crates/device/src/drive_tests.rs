//! Tests of opening a target: refusals, and removal of what was created.

use std::path::PathBuf;
use std::sync::Mutex;

use super::*;

fn plan(path: PathBuf) -> ActStoragePlan {
    ActStoragePlan { file_size_bytes: Some(3 << 20), direct_io: false, ..ActStoragePlan::new(path) }
}

fn refusal(plan: &ActStoragePlan) -> String {
    Drive::prepare(plan, &plan.path, &|_| {}, &StopFlag::default()).expect_err("refused").to_string()
}

#[test]
fn the_file_is_filled_with_random_data_and_has_no_name() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let notes = Mutex::new(Vec::new());
    let notify = |note: &str| notes.lock().expect("not poisoned").push(note.to_owned());
    let plan = plan(folder.path().join("act.dat"));
    let target = Drive::prepare(&plan, &plan.path, &notify, &StopFlag::default()).expect("prepared");
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
fn nobody_is_told_to_delete_a_folder_or_a_device_node() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for path in [folder.path().to_owned(), "/dev/null".into()] {
        let sentence = refusal(&plan(path));
        assert!(sentence.contains("is neither a block device nor a file"), "{sentence}");
        assert!(!sentence.contains("delete"), "{sentence}");
    }
}

#[test]
fn a_folder_that_is_missing_or_too_small_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    assert!(refusal(&plan(folder.path().join("none/act.dat"))).contains("there is no folder"));
    let huge = ActStoragePlan { file_size_bytes: Some(1 << 59), ..plan(folder.path().join("act.dat")) };
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
    let plan = plan(folder.path().join("act.dat"));
    let error = Drive::prepare(&plan, &plan.path, &|_| {}, &stop).expect_err("stopped");
    assert!(error.to_string().contains("stopped while"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn a_misspelt_device_does_not_become_a_file_in_memory() {
    let sentence = refusal(&plan("/dev/never-there".into()));
    assert!(sentence.contains("there is no such device"), "{sentence}");
}

#[test]
fn the_smallest_unit_is_found_out() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let plan = ActStoragePlan { direct_io: true, ..plan(folder.path().join("act.dat")) };
    let file = tempfile::tempfile_in(folder.path()).expect("temporary file");
    file.set_len(8192).expect("writable");
    // Without direct I/O every unit works, so the smallest is returned.
    assert_eq!(unit_bytes(&file, &plan, &plan.path).expect("readable"), 512);
}
