//! What every engine must do. A new engine is added to `engines` and has to pass.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;

use measure::clock::{MonotonicTime, TimeSource};
use measure::random;

use super::*;

const BLOCK: u32 = 131_072;
const BLOCKS: u64 = 16;

fn sizes() -> Sizes {
    Sizes {
        record_bytes: 1536,
        large_block_bytes: BLOCK,
        records_at_once: 8,
        large_blocks_at_once: 4,
        sync_writes: true,
        polling: Polling::None,
        content: Content::incompressible(7),
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

/// The same file around the page cache, which polling for completions needs; none where the file system cannot do that.
fn around_the_cache(file: &File) -> Option<File> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_DIRECT).open(path).ok()
}

/// The ring in every way that this kernel offers. Whether the drive has polled queues is not asked: a kernel that then
/// completes by interrupt still goes through everything but the drive's own queue.
fn rings(files: &[&File]) -> Vec<(&'static str, Box<dyn Engine>)> {
    if resolve(EngineChoice::Auto) != EngineChoice::IoUring {
        eprintln!("no io_uring here: not tried");
        return Vec::new();
    }
    let mut rings: Vec<(&'static str, Box<dyn Engine>)> = Vec::new();
    for (name, polling) in
        [("io_uring", Polling::None), ("sq_poll", Polling::Submissions), ("io_poll", Polling::Completions)]
    {
        let direct: Vec<Option<File>> = files.iter().map(|file| around_the_cache(file)).collect();
        let direct: Vec<&File> = direct.iter().flatten().collect();
        let files = match polling {
            Polling::Completions if direct.len() < files.len() => continue,
            Polling::Completions => &direct[..],
            _ => files,
        };
        let tried = io_uring::IoUringEngine::new(files, Sizes { polling, ..sizes() }).and_then(|mut engine| {
            if polling == Polling::Completions {
                engine.try_polling()?;
            }
            Ok(engine)
        });
        match tried {
            Ok(engine) => rings.push((name, Box::new(engine))),
            Err(error) if polling != Polling::None => eprintln!("{name} not tried: {error}"),
            Err(error) => panic!("{error}"),
        }
    }
    rings
}

/// Every engine that this machine offers; `sync` and `null` work everywhere.
fn engines(file: &File) -> Vec<(&'static str, Box<dyn Engine>)> {
    let plain = [("null", EngineChoice::Null), ("sync", EngineChoice::Sync)];
    let plain = plain.map(|(name, choice)| (name, open(choice, &[file, file], sizes()).expect("usable")));
    plain.into_iter().chain(rings(&[file, file])).collect()
}

fn request(kind: Kind, number: u64, intended_ns: u64) -> Request {
    let bytes = if kind.is_large() { BLOCK } else { 1536 };
    let places = u64::from(BLOCK) * BLOCKS / u64::from(bytes);
    let offset_bytes = number % places * u64::from(bytes);
    Request {
        kind,
        device: u16::try_from(number % 2).expect("small"),
        lane: 0,
        bytes,
        number,
        intended_ns,
        offset_bytes,
    }
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
        let kinds = Kind::ALL;
        let requests: Vec<Request> =
            (0..200).map(|number| request(kinds[usize::try_from(number % 5).expect("small")], number, 0)).collect();
        let completions = carry_out(engine.as_mut(), time.as_ref(), &requests);
        let numbers: BTreeSet<u64> = completions.iter().map(|completion| completion.request.number).collect();
        assert_eq!((completions.len(), numbers.len()), (200, 200), "{name:?}");
        assert_eq!(engine.in_flight(), 0, "{name:?}");
        for completion in completions {
            assert_eq!(completion.end, End::Done, "{name:?} {completion:?}");
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
            assert!(taken <= 16, "{name:?}");
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
fn kinds_that_share_their_places_say_so() {
    let file = file();
    for (name, mut engine) in engines(&file).into_iter().filter(|(_, engine)| !engine.is_simulated()) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        for (number, kind) in (0..).zip(Kind::ALL) {
            let free = Kind::ALL.map(|other| engine.free_places(other));
            engine.begin(request(kind, number, 0));
            for (other, before) in Kind::ALL.into_iter().zip(free) {
                let shares = engine.room_of(other) == engine.room_of(kind);
                assert_eq!(
                    before - engine.free_places(other),
                    usize::from(shares),
                    "{name:?}: {other:?} after {kind:?}"
                );
                assert!(engine.room_of(other) < crate::room::ROOMS);
            }
        }
        let mut completions = Vec::new();
        while engine.in_flight() > 0 {
            engine.wait(time.now_ns() + 10_000_000, &mut completions).expect("goes on");
        }
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
        let failed: Vec<(u64, End)> = completions
            .iter()
            .filter(|completion| completion.end != End::Done)
            .map(|completion| (completion.request.number, completion.end))
            .collect();
        assert_eq!(failed, [(0, End::Short)], "{name:?}");
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
        let write = |number| Request { number, ..request(Kind::Write, 256, 0) };
        assert_eq!(write(0).offset_bytes, u64::from(BLOCK) * 3);
        carry_out(engine.as_mut(), time.as_ref(), &[write(2000)]);
        let after = page();
        carry_out(engine.as_mut(), time.as_ref(), &[write(2001)]);
        assert_ne!(after, page(), "{name:?}");
    }
}

#[test]
fn a_refusal_of_the_kernel_is_told_by_its_number() {
    let path = tempfile::NamedTempFile::new().expect("temporary file");
    let read_only = File::open(path.path()).expect("readable");
    let sync = open(EngineChoice::Sync, &[&read_only], sizes()).expect("usable");
    let buffered = rings(&[&read_only]).into_iter().filter(|(name, _)| *name != "io_poll");
    for (name, mut engine) in buffered.chain([("sync", sync)]) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let write = Request { device: 0, ..request(Kind::Write, 0, 0) };
        let completions = carry_out(engine.as_mut(), time.as_ref(), &[write]);
        assert_eq!(completions[0].end, End::Failed(libc::EBADF), "{name}");
    }
}

#[test]
fn what_is_given_up_is_named_once_and_never_completes() {
    // A pipe that nobody writes to: a read of it takes for ever.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let silent = File::from(std::os::fd::OwnedFd::from(reader));
    let writer = File::from(std::os::fd::OwnedFd::from(writer));
    for (name, mut engine) in rings(&[&silent]).into_iter().filter(|(name, _)| *name != "io_poll") {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        engine.begin(Request { device: 0, offset_bytes: u64::MAX, ..request(Kind::Read, 7, 5) });
        let mut completions = Vec::new();
        engine.wait(time.now_ns() + 2_000_000, &mut completions).expect("goes on");
        let mut seen = Vec::new();
        engine.under_way(&mut |request| seen.push((request.number, request.intended_ns)));
        assert_eq!((completions.len(), engine.in_flight(), &seen[..]), (0, 1, &[(7, 5)][..]), "{name}");
        let mut given_up = Vec::new();
        engine.give_up(0, &mut given_up);
        assert!(given_up.is_empty(), "not old enough");
        engine.give_up(time.now_ns(), &mut given_up);
        engine.give_up(time.now_ns(), &mut given_up);
        assert_eq!((given_up.len(), given_up[0].number, engine.in_flight()), (1, 7, 0), "{name}");
        // Now the kernel is done with it: the room comes back and nothing is told.
        std::io::Write::write_all(&mut &writer, &[0; 1536]).expect("room in the pipe");
        let begun = time.now_ns();
        while engine.has_room(Kind::Read) && time.now_ns() < begun + 50_000_000 {
            engine.wait(time.now_ns() + 5_000_000, &mut completions).expect("goes on");
        }
        assert!(completions.is_empty(), "{name}");
    }
}

#[test]
fn what_a_thread_of_the_kernel_takes_has_its_time_before() {
    let file = file();
    for (name, mut engine) in rings(&[&file]).into_iter().filter(|(name, _)| *name == "sq_poll") {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        // Awake from here on.
        carry_out(engine.as_mut(), time.as_ref(), &[Request { device: 0, ..request(Kind::Read, 0, 0) }]);
        engine.begin(Request { device: 0, ..request(Kind::Read, 1, 0) });
        let begun_ns = time.now_ns();
        // By then the kernel is done with it, though nobody waited.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mut completions = Vec::new();
        engine.wait(time.now_ns() + 1_000_000_000, &mut completions).expect("goes on");
        let submitted_ns: Vec<u64> = completions.iter().map(|completion| completion.submitted_ns).collect();
        assert!(submitted_ns.len() == 1 && submitted_ns[0] <= begun_ns, "{name}: {submitted_ns:?}, {begun_ns}");
    }
}

#[test]
fn a_ring_that_polls_keeps_times_and_tells_refusals_where_nothing_can_be_polled() {
    let file = file();
    let Some(direct) = around_the_cache(&file) else { return };
    let polling = Sizes { polling: Polling::Completions, ..sizes() };
    let Ok(mut engine) = io_uring::IoUringEngine::new(&[&direct], polling) else {
        eprintln!("no io_uring that polls here: not tried");
        return;
    };
    assert!(engine.is_always_busy());
    let time = Arc::new(MonotonicTime::start());
    engine.start(time.clone());
    let one = |kind, number| Request { device: 0, ..request(kind, number, 0) };
    let requests: Vec<Request> = (0..40).map(|number| one(Kind::Read, number)).collect();
    let completions = carry_out(&mut engine, time.as_ref(), &requests);
    let refused = completions.iter().filter(|completion| completion.end == End::Failed(libc::EOPNOTSUPP)).count();
    assert!(refused == 0 || refused == 40, "{completions:?}");
    assert_eq!((engine.in_flight(), engine.has_room(Kind::Read)), (0, true));
    // Where the refusal is not met by a file system, durable writes go through, in the same loop.
    let writes: Vec<Request> = (0..8).map(|number| one(Kind::LargeBlockWrite, number)).collect();
    for completion in carry_out(&mut engine, time.as_ref(), &writes) {
        assert!(matches!(completion.end, End::Done | End::Failed(libc::EOPNOTSUPP)), "{completion:?}");
        assert!(completion.submitted_ns < completion.completed_ns);
    }
    let until_ns = time.now_ns() + 3_000_000;
    engine.wait(until_ns, &mut Vec::new()).expect("goes on");
    assert!((until_ns..until_ns + 1_000_000_000).contains(&time.now_ns()));
}

#[test]
fn polling_is_refused_where_it_cannot_be_and_says_why() {
    let file = file();
    let polling = |polling| Sizes { polling, ..sizes() };
    let refused = |choice, how| open(choice, &[&file], polling(how)).err().map(|error| error.0).unwrap_or_default();
    assert!(refused(EngineChoice::Sync, Polling::Submissions).contains("sq_poll needs io_uring"));
    assert!(refused(EngineChoice::Sync, Polling::Completions).contains("io_poll needs io_uring"));
    // A file through the page cache cannot be polled for on any drive.
    let sentence = refused(EngineChoice::IoUring, Polling::Completions);
    assert!(sentence.contains("io_poll") && sentence.contains("leave out"), "{sentence}");
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
