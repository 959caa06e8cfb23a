//! What every engine must do. A new engine is added to `engines` and has to pass.

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;

use measure::clock::{MonotonicTime, TimeSource};
use measure::random;

use super::*;

const BLOCK: u32 = 131_072;
const BLOCKS: u64 = 16;

fn sizes() -> Sizes {
    Sizes {
        read_bytes: 1536,
        large_block_bytes: BLOCK,
        reads_at_once: 8,
        large_blocks_at_once: 4,
        sync_writes: true,
        seed: 7,
    }
}

fn file() -> File {
    let file = tempfile::tempfile().expect("temporary file");
    let mut content = vec![0; usize::try_from(u64::from(BLOCK) * BLOCKS).expect("small")];
    random::fill(&mut content, 1, 1, 0);
    std::os::unix::fs::FileExt::write_all_at(&file, &content, 0).expect("writable");
    file
}

/// Every engine that this machine offers; `sync` and `null` work everywhere.
fn engines(file: &File) -> Vec<(EngineChoice, Box<dyn Engine>)> {
    let mut choices = vec![EngineChoice::Null, EngineChoice::Sync];
    if resolve(EngineChoice::Auto) == EngineChoice::IoUring {
        choices.push(EngineChoice::IoUring);
    }
    choices.into_iter().map(|choice| (choice, open(choice, Some(file), sizes()).expect("usable"))).collect()
}

fn request(kind: Kind, number: u64, intended_ns: u64) -> Request {
    let bytes = u64::from(sizes().bytes(kind));
    let places = u64::from(BLOCK) * BLOCKS / bytes;
    Request { kind, number, intended_ns, offset_bytes: number % places * bytes }
}

/// Carries out all requests, as far as there is room at a time, and returns the completions.
fn carry_out(engine: &mut dyn Engine, time: &dyn TimeSource, requests: &[Request]) -> Vec<Completion> {
    let mut completions = Vec::new();
    let mut left = requests.iter().copied().peekable();
    while completions.len() < requests.len() {
        while let Some(request) = left.next_if(|request| engine.has_room(request.kind)) {
            engine.begin(request);
        }
        assert!(time.now_ns() < 20_000_000_000, "{} of {} completed", completions.len(), requests.len());
        engine.wait(time.now_ns() + 10_000_000, &mut completions).expect("goes on");
    }
    completions
}

#[test]
fn every_operation_completes_once_with_its_times_in_order() {
    let file = file();
    for (name, mut engine) in engines(&file) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let kinds = [Kind::Read, Kind::LargeBlockWrite, Kind::Read, Kind::LargeBlockRead];
        let requests: Vec<Request> =
            (0..200).map(|number| request(kinds[usize::try_from(number % 4).expect("small")], number, 0)).collect();
        let completions = carry_out(engine.as_mut(), time.as_ref(), &requests);
        let numbers: BTreeSet<u64> = completions.iter().map(|completion| completion.request.number).collect();
        assert_eq!((completions.len(), numbers.len()), (200, 200), "{name:?}");
        assert_eq!(engine.in_flight(), 0, "{name:?}");
        for completion in completions {
            assert!(completion.succeeded, "{name:?} {completion:?}");
            assert!(completion.submitted_ns < completion.completed_ns, "{name:?} {completion:?}");
        }
    }
}

#[test]
fn waiting_ends_at_its_time_when_nothing_completes() {
    let file = file();
    for (name, mut engine) in engines(&file) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let mut completions = Vec::new();
        for _ in 0..3 {
            let until_ns = time.now_ns() + 3_000_000;
            while time.now_ns() < until_ns {
                engine.wait(until_ns, &mut completions).expect("goes on");
            }
            assert!(time.now_ns() < until_ns + 2_000_000_000, "{name:?}");
        }
        engine.wait(0, &mut completions).expect("a time that is past ends the wait at once");
        assert!(completions.is_empty(), "{name:?}");
    }
}

#[test]
fn a_completion_ends_the_wait_early() {
    let file = file();
    for (name, mut engine) in engines(&file) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        engine.begin(request(Kind::Read, 0, 0));
        let mut completions = Vec::new();
        engine.wait(60_000_000_000, &mut completions).expect("goes on");
        assert_eq!(completions.len(), 1, "{name:?}");
        assert!(time.now_ns() < 30_000_000_000, "{name:?}");
    }
}

#[test]
fn room_is_bounded_and_comes_back() {
    let file = file();
    for (name, mut engine) in engines(&file).into_iter().filter(|(_, engine)| !engine.is_simulated()) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let mut taken = 0;
        while engine.has_room(Kind::Read) {
            engine.begin(request(Kind::Read, taken, 0));
            taken += 1;
            assert!(taken <= 12, "{name:?}");
        }
        let mut completions = Vec::new();
        while engine.in_flight() > 0 {
            engine.wait(time.now_ns() + 10_000_000, &mut completions).expect("goes on");
        }
        assert_eq!(completions.len() as u64, taken, "{name:?}");
        assert!(engine.has_room(Kind::Read), "{name:?}");
    }
}

#[test]
fn a_read_beyond_the_end_fails_alone() {
    let file = file();
    for (name, mut engine) in engines(&file).into_iter().filter(|(_, engine)| !engine.is_simulated()) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let beyond = Request { offset_bytes: u64::from(BLOCK) * BLOCKS - 512, ..request(Kind::Read, 0, 0) };
        let completions = carry_out(engine.as_mut(), time.as_ref(), &[beyond, request(Kind::Read, 1, 0)]);
        let failed: Vec<u64> = completions
            .iter()
            .filter(|completion| !completion.succeeded)
            .map(|completion| completion.request.number)
            .collect();
        assert_eq!(failed, [0], "{name:?}");
    }
}

#[test]
fn a_write_changes_what_is_read() {
    let file = file();
    for (name, mut engine) in engines(&file).into_iter().filter(|(_, engine)| !engine.is_simulated()) {
        let page = || {
            let mut page = [0; 4096];
            std::os::unix::fs::FileExt::read_exact_at(&file, &mut page, u64::from(BLOCK) * 3).expect("readable");
            page
        };
        let before = page();
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let write = |number| Request { number, ..request(Kind::LargeBlockWrite, 3, 0) };
        carry_out(engine.as_mut(), time.as_ref(), &[write(1000)]);
        let between = page();
        carry_out(engine.as_mut(), time.as_ref(), &[write(1001)]);
        assert_ne!(before, between, "{name:?}");
        assert_ne!(between, page(), "{name:?}");
    }
}

#[test]
fn dropping_with_operations_under_way_does_no_harm() {
    let file = file();
    for (_, mut engine) in engines(&file) {
        engine.start(Arc::new(MonotonicTime::start()));
        engine.begin(request(Kind::Read, 0, 0));
        engine.begin(request(Kind::LargeBlockWrite, 1, 0));
        drop(engine);
    }
}
