//! Conformance tests of every engine: the runner's suite and drive-specific tests. New engines are added to `engines`.

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;

use measure::clock::{MonotonicTime, TimeSource};
use measure::random;
use runner::conformance::{Silent, Subject, carry_out};
use runner::{End, Session};

use super::*;
use crate::command::{Command, Kind, Request};
use crate::content::Content;

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

/// Returns the same file opened for direct I/O, as completion polling needs it; `None` if the file system does not support that.
fn around_the_cache(file: &File) -> Option<File> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_DIRECT).open(path).ok()
}

/// Returns every kind of ring that this kernel supports. The drive need not have polled queues: a kernel that completes by
/// interrupt instead still exercises everything but the drive's own queue.
fn rings(files: &[&File]) -> Vec<(&'static str, Box<Engine>)> {
    if resolve(EngineChoice::Auto) != EngineChoice::IoUring {
        eprintln!("no io_uring here: not tried");
        return Vec::new();
    }
    let mut rings: Vec<(&'static str, Box<Engine>)> = Vec::new();
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

/// Returns every engine that this machine supports; `sync` and `null` work everywhere.
fn engines(file: &File) -> Vec<(&'static str, Box<Engine>)> {
    let plain = [("null", EngineChoice::Null), ("sync", EngineChoice::Sync)];
    let plain = plain.map(|(name, choice)| (name, open(choice, &[file, file], sizes()).expect("usable")));
    plain.into_iter().chain(rings(&[file, file])).collect()
}

fn command(kind: Kind, number: u64) -> Command {
    let bytes = if kind.is_large() { BLOCK } else { 1536 };
    let places = u64::from(BLOCK) * BLOCKS / u64::from(bytes);
    let offset_bytes = number % places * u64::from(bytes);
    Command { kind, device: u16::try_from(number % 2).expect("small"), bytes, number, offset_bytes }
}

fn request(command: Command) -> Request {
    Request { command, lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 }
}

/// The engines as a subject of the runner's suite.
struct Engines(File);

impl Subject for Engines {
    type Command = Command;

    fn sessions(&self) -> Vec<(String, Box<Engine>)> {
        engines(&self.0).into_iter().map(|(name, engine)| (name.to_owned(), engine)).collect()
    }

    fn command(&self, number: u64) -> Command {
        command(Kind::ALL[usize::try_from(number % 5).expect("small")], number)
    }

    fn number(&self, command: &Command) -> u64 {
        command.number
    }

    fn wrong(&self, number: u64) -> Option<Command> {
        // Extends beyond the end of the file.
        let offset_bytes = u64::from(BLOCK) * BLOCKS - 512;
        Some(Command { number, offset_bytes, ..command(Kind::Read, 0) })
    }

    fn silent(&self) -> Vec<Silent<Command>> {
        let of = |name: &'static str| {
            // A pipe without data: a read from it does not end.
            let (reader, mut writer) = std::io::pipe().expect("a pipe");
            let silent = File::from(std::os::fd::OwnedFd::from(reader));
            let (_, session) = rings(&[&silent]).into_iter().find(|(one, _)| *one == name)?;
            Some(Silent {
                name: name.to_owned(),
                session,
                command: Command { device: 0, offset_bytes: u64::MAX, ..command(Kind::Read, 7) },
                answer: Box::new(move || {
                    std::io::Write::write_all(&mut writer, &[0; 1536]).expect("room in the pipe");
                }),
            })
        };
        ["io_uring", "sq_poll"].into_iter().filter_map(of).collect()
    }
}

#[test]
fn every_engine_is_a_session() {
    runner::conformance::check(&Engines(file()));
}

#[test]
fn a_read_beyond_the_end_fails_alone() {
    let file = file();
    for (name, mut engine) in engines(&file).into_iter().filter(|(_, engine)| !engine.is_simulated()) {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let beyond = Command { offset_bytes: u64::from(BLOCK) * BLOCKS - 512, ..command(Kind::Read, 0) };
        let completions = carry_out(engine.as_mut(), time.as_ref(), &[beyond, command(Kind::Read, 1)]);
        let failed: Vec<(u64, End)> = completions
            .iter()
            .filter(|completion| completion.end != End::Done)
            .map(|completion| (completion.request.command.number, completion.end))
            .collect();
        assert_eq!(failed, [(0, End::Wrong)], "{name:?}");
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
        let write = |number| Command { number, ..command(Kind::LargeBlockWrite, 3) };
        carry_out(engine.as_mut(), time.as_ref(), &[write(1000)]);
        let between = page();
        carry_out(engine.as_mut(), time.as_ref(), &[write(1001)]);
        assert_ne!(before, between, "{name:?}");
        assert_ne!(between, page(), "{name:?}");
        let write = |number| Command { number, ..command(Kind::Write, 256) };
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
        let write = Command { device: 0, ..command(Kind::Write, 0) };
        let completions = carry_out(engine.as_mut(), time.as_ref(), &[write]);
        assert_eq!(completions[0].end, End::Failed(libc::EBADF), "{name}");
    }
}

#[test]
fn what_a_thread_of_the_kernel_takes_has_its_time_before() {
    let file = file();
    for (name, mut engine) in rings(&[&file]).into_iter().filter(|(name, _)| *name == "sq_poll") {
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        // From here on the polling thread of the kernel is awake.
        carry_out(engine.as_mut(), time.as_ref(), &[Command { device: 0, ..command(Kind::Read, 0) }]);
        engine.begin(request(Command { device: 0, ..command(Kind::Read, 1) }));
        let begun_ns = time.now_ns();
        // The kernel thread has processed the request by then, without a call to `wait`.
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
    let one = |kind, number| Command { device: 0, ..command(kind, number) };
    let commands: Vec<Command> = (0..40).map(|number| one(Kind::Read, number)).collect();
    let completions = carry_out(&mut engine, time.as_ref(), &commands);
    let refused = completions.iter().filter(|completion| completion.end == End::Failed(libc::EOPNOTSUPP)).count();
    assert!(refused == 0 || refused == 40, "{completions:?}");
    assert_eq!((engine.in_flight(), engine.has_free_slot(&one(Kind::Read, 0))), (0, true));
    // On a file system that does not refuse polling, durable writes succeed in the same loop.
    let writes: Vec<Command> = (0..8).map(|number| one(Kind::LargeBlockWrite, number)).collect();
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
    // Completions of buffered I/O cannot be polled on any drive.
    let sentence = refused(EngineChoice::IoUring, Polling::Completions);
    assert!(sentence.contains("io_poll") && sentence.contains("leave out"), "{sentence}");
}

#[test]
fn what_engines_write_has_no_512_bytes_twice() {
    for (name, _) in engines(&file()).iter().filter(|(name, _)| *name != "null") {
        // Each block is written several times from the same slots; the final contents are compared.
        let file = file();
        let Some((_, mut engine)) = engines(&file).into_iter().find(|(one, _)| one == name) else { continue };
        let time = Arc::new(MonotonicTime::start());
        engine.start(time.clone());
        let mut seen = std::collections::HashSet::new();
        let mut written = 0;
        for round in 0..4 {
            let commands: Vec<Command> = (0..BLOCKS)
                .map(|place| Command { number: round * BLOCKS + place, ..command(Kind::LargeBlockWrite, place) })
                .collect();
            carry_out(engine.as_mut(), time.as_ref(), &commands);
            let mut bytes = vec![0; usize::try_from(u64::from(BLOCK) * BLOCKS).expect("small")];
            std::os::unix::fs::FileExt::read_exact_at(&file, &mut bytes, 0).expect("readable");
            for stretch in bytes.chunks(512) {
                seen.insert(stretch.to_vec());
                written += 1;
            }
        }
        assert_eq!(seen.len(), written, "{name}");
    }
}
