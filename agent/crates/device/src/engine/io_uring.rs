//! One thread, one `io_uring`: the call that submits an operation also waits for the next completion or the next
//! intended time, so an operation costs two or three system calls and no second thread.
//!
//! Two further ways cost a busy processor for each thread. With `sq_poll` a thread of the kernel takes operations out of
//! the queue as soon as they are written there. With `io_poll` the drive raises no interrupts: this thread asks the
//! queue of the drive again and again, and the time-out of a wait is kept here, since the kernel does not keep it then.
//!
//! The only module with unsafe code: the kernel writes into memory that it was given by address.
#![expect(unsafe_code, reason = "an io_uring works on addresses that outlive the call")]

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::time::Duration;

use io_uring::squeue::Entry;
use io_uring::types::{Fixed, SubmitArgs, Timespec};
use io_uring::{IoUring, opcode};
use measure::clock::{MonotonicTime, TimeSource};
use measure::series::WorkloadError;

use runner::{End, Session};

use super::settings::{Durability, Polling, Sizes};
use crate::aligned::{ALIGNMENT, AlignedBytes};
use crate::command::{Command, Completion, Kind, Request};

/// Sorts of slots.
const ROOMS: usize = 3;

/// What dropping an engine waits for operations that are still under way.
const FAREWELL: Duration = Duration::from_secs(2);

/// So many operations are submitted together at most: the drive has work while the next are made ready.
const SUBMITTED_TOGETHER: usize = 4;

/// Where an operation's bytes go and what is known about it.
struct Slot {
    /// Inside the engine's memory; only the kernel accesses it.
    address: *mut u8,
    request: Option<Request>,
    submitted_ns: u64,
    /// The kernel still works on it, but its completion is no longer awaited.
    given_up: bool,
    /// Holds what is written, but for the marks.
    filled: bool,
}

/// See the module.
pub struct IoUringEngine {
    ring: IoUring,
    /// Held open; the ring knows them by their places.
    files: Vec<File>,
    memory: ManuallyDrop<AlignedBytes>,
    sizes: Sizes,
    registered: bool,
    slots: Vec<Slot>,
    /// By the sort of operation that they are for (see `sort_of`).
    free_slots: [Vec<usize>; ROOMS],
    /// Taken since the last submission.
    fresh: Vec<usize>,
    in_flight: usize,
    given_up: usize,
    time: Arc<dyn TimeSource>,
}

/// Slots are for records, for large reads, or for large writes; the last two apart, so that what was read is never
/// written.
fn sort_of(kind: Kind) -> usize {
    match (kind.is_large(), kind.writes()) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    }
}

/// How long an idle kernel thread polls for submissions.
const SQ_POLL_IDLE_MS: u32 = 100;

/// Returns whether this kernel lets this process use an `io_uring` with everything that the engine needs.
pub fn is_usable() -> bool {
    new_ring(8, Polling::default()).is_ok()
}

/// Returns a ring for one thread, with the cheapest way of completing that the kernel knows.
fn new_ring(entries: u32, polling: Polling) -> io::Result<IoUring> {
    let ring = match polling {
        Polling::None => IoUring::builder()
            .setup_clamp()
            .setup_coop_taskrun()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .build(entries)
            .or_else(|_| IoUring::builder().setup_clamp().build(entries))?,
        Polling::Submissions => {
            IoUring::builder().setup_clamp().setup_single_issuer().setup_sqpoll(SQ_POLL_IDLE_MS).build(entries)?
        }
        Polling::Completions => IoUring::builder().setup_clamp().setup_single_issuer().setup_iopoll().build(entries)?,
    };
    if ring.params().is_feature_ext_arg() && ring.params().is_feature_nodrop() {
        Ok(ring)
    } else {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

impl IoUringEngine {
    /// A ring over `files` with memory for everything that may be under way at once. Belongs to the thread that makes it.
    pub fn new(files: &[&File], sizes: Sizes) -> Result<Self, WorkloadError> {
        let explain = |error: io::Error| {
            WorkloadError(format!(
                "io_uring cannot be set up: {error}; allow it (sysctl kernel.io_uring_disabled, container profile), or set engine = \"sync\""
            ))
        };
        let files: io::Result<Vec<File>> = files.iter().map(|file| file.try_clone()).collect();
        let files = files.map_err(explain)?;
        let count = sizes.records_at_once + 2 * sizes.large_blocks_at_once;
        let ring = new_ring(count.next_power_of_two(), sizes.polling).map_err(explain)?;
        let descriptors: Vec<i32> = files.iter().map(AsRawFd::as_raw_fd).collect();
        ring.submitter().register_files(&descriptors).map_err(explain)?;

        let record_stride = (sizes.record_bytes as usize).next_multiple_of(ALIGNMENT);
        let large_stride = (sizes.large_block_bytes as usize).next_multiple_of(ALIGNMENT);
        let records = sizes.records_at_once as usize;
        let large = sizes.large_blocks_at_once as usize;
        let length = records * record_stride + 2 * large * large_stride;
        let mut memory = AlignedBytes::new(length);
        let bytes = memory.as_mut_slice();
        let base = bytes.as_mut_ptr();
        let range = libc::iovec { iov_base: base.cast(), iov_len: length };
        // SAFETY: the range is a live allocation that is freed only after the ring is gone (see `drop`). If the
        // limit of locked memory forbids this, operations name their addresses instead.
        let registered = unsafe { ring.submitter().register_buffers(&[range]) }.is_ok();

        let place = |index: usize| {
            if index < records {
                index * record_stride
            } else {
                records * record_stride + (index - records) * large_stride
            }
        };
        let slots = (0..count as usize)
            .map(|index| {
                // SAFETY: `place` stays inside the `length` bytes that begin at `base`.
                let address = unsafe { base.add(place(index)) };
                Slot { address, request: None, submitted_ns: 0, given_up: false, filled: false }
            })
            .collect();
        Ok(Self {
            ring,
            files,
            memory: ManuallyDrop::new(memory),
            sizes,
            registered,
            slots,
            free_slots: [0..records, records..records + large, records + large..count as usize]
                .map(|slots| slots.rev().collect()),
            fresh: Vec::with_capacity(count as usize),
            in_flight: 0,
            given_up: 0,
            time: Arc::new(MonotonicTime::start()),
        })
    }

    /// Reads a page of every file: the kernel refuses each operation that cannot be polled for, which is found out here.
    pub fn try_polling(&mut self) -> Result<(), WorkloadError> {
        let mut completions = Vec::new();
        for device in 0..u16::try_from(self.files.len()).unwrap_or(u16::MAX) {
            let bytes = u32::try_from(ALIGNMENT).unwrap_or(4096);
            let command = Command { kind: Kind::Read, device, bytes, number: 0, offset_bytes: 0 };
            self.begin(Request { command, lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 });
            let patience = u64::try_from(FAREWELL.as_nanos()).unwrap_or(u64::MAX);
            self.wait(self.time.now_ns().saturating_add(patience), &mut completions)?;
            let why = match completions.pop().map(|completion| completion.end) {
                Some(End::Done | End::Absent | End::Wrong) => continue,
                Some(End::Failed(code)) => io::Error::from_raw_os_error(code).to_string(),
                None => "a read did not end within two seconds".to_owned(),
            };
            return Err(WorkloadError(format!(
                "io_poll does not work on device {} of this run ({why}); leave out io_poll",
                device + 1
            )));
        }
        Ok(())
    }

    fn entry(&self, index: usize, command: &Command) -> Entry {
        let (address, length, offset) = (self.slots[index].address, command.bytes, command.offset_bytes);
        let file = Fixed(u32::from(command.device));
        let flags = if self.sizes.durability == Durability::Taken { 0 } else { libc::RWF_DSYNC };
        let entry = match (command.kind.writes(), self.registered) {
            (true, true) => opcode::WriteFixed::new(file, address, length, 0).offset(offset).rw_flags(flags).build(),
            (true, false) => opcode::Write::new(file, address, length).offset(offset).rw_flags(flags).build(),
            (false, true) => opcode::ReadFixed::new(file, address, length, 0).offset(offset).build(),
            (false, false) => opcode::Read::new(file, address, length).offset(offset).build(),
        };
        entry.user_data(index as u64)
    }

    /// Makes each 512 bytes differ from all that was written before, so that no drive can leave them out.
    fn stamp(&mut self, index: usize, command: &Command) {
        let (content, kind) = (self.sizes.content, command.kind as u64);
        let slot = &mut self.slots[index];
        // SAFETY: the slot is free, so the kernel does not use it, and it holds the largest request.
        let bytes = unsafe { std::slice::from_raw_parts_mut(slot.address, command.bytes as usize) };
        if command.kind.is_large() && std::mem::replace(&mut slot.filled, true) {
            // What was written from here before, under new marks.
            content.mark(bytes, command.device, kind, command.number);
        } else {
            // A record's slot may hold what was read into it last; a large block's is used for the first time, so that
            // memory is taken only where it is needed.
            content.fill_marked(bytes, command.device, kind, command.number);
        }
    }

    /// What was taken counts as handed to the kernel from now on.
    fn stamp_fresh(&mut self, now_ns: u64) {
        for index in self.fresh.drain(..) {
            self.slots[index].submitted_ns = now_ns;
        }
    }

    /// Submits new requests and polls the drive until a request completes or the time has come: the kernel ignores the
    /// time-out of a wait on such a ring.
    fn poll(&mut self, until_ns: u64) -> io::Result<()> {
        loop {
            if self.in_flight + self.given_up == 0 {
                // Nothing to ask for.
                self.time.wait_until(until_ns);
                return Ok(());
            }
            let entered = self.ring.submitter().submit();
            if !self.ring.completion().is_empty() || self.time.now_ns() >= until_ns {
                return entered.map(|_| ());
            }
            match entered.map_err(|error| error.raw_os_error()) {
                Ok(_) | Err(Some(libc::EINTR | libc::EAGAIN | libc::EBUSY)) => std::hint::spin_loop(),
                Err(code) => return Err(io::Error::from_raw_os_error(code.unwrap_or_default())),
            }
        }
    }

    fn reap(&mut self, completions: &mut Vec<Completion>) {
        let events = self.ring.completion();
        // After the look at what has completed: whatever holds up this thread in between makes latencies longer, never
        // shorter.
        let completed_ns = self.time.now_ns();
        for event in events {
            let Ok(index) = usize::try_from(event.user_data()) else { continue };
            let Some(slot) = self.slots.get_mut(index) else { continue };
            let Some(request) = slot.request.take() else { continue };
            let end = match u32::try_from(event.result()) {
                Ok(moved) if moved == request.command.bytes => End::Done,
                Ok(_) => End::Wrong,
                Err(_) => End::Failed(-event.result()),
            };
            if std::mem::take(&mut slot.given_up) {
                self.given_up -= 1;
            } else {
                completions.push(Completion { request, submitted_ns: slot.submitted_ns, completed_ns, end });
                self.in_flight -= 1;
            }
            self.free_slots[sort_of(request.command.kind)].push(index);
        }
    }
}

impl Session for IoUringEngine {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        self.time = time;
    }

    fn is_always_busy(&self) -> bool {
        self.sizes.polling == Polling::Completions
    }

    fn slot_class(&self, command: &Command) -> usize {
        sort_of(command.kind)
    }

    fn free_slots_of(&self, room: usize) -> usize {
        self.free_slots[room].len()
    }

    fn begin(&mut self, request: Request) {
        let Some(index) = self.free_slots[sort_of(request.command.kind)].pop() else { return };
        if request.command.kind.writes() {
            self.stamp(index, &request.command);
        }
        self.slots[index].request = Some(request);
        let entry = self.entry(index, &request.command);
        if self.sizes.polling == Polling::Submissions {
            // A thread of the kernel may begin with it as soon as it is in the queue, so its time comes before that.
            self.slots[index].submitted_ns = self.time.now_ns();
        }
        // SAFETY: the entry names the slot's bytes, which stay valid and unused by others until its completion is
        // reaped. The queue has a place for every slot.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        debug_assert!(pushed.is_ok(), "the queue is as long as there are slots");
        self.in_flight += 1;
        if self.sizes.polling == Polling::Submissions {
            // Only wakes the thread of the kernel, where it sleeps.
            let _ = self.ring.submit();
            return;
        }
        self.fresh.push(index);
        if self.fresh.len() >= SUBMITTED_TOGETHER {
            let now_ns = self.time.now_ns();
            self.stamp_fresh(now_ns);
            // Whatever is wrong is seen by the next `wait`, which submits what this left.
            let _ = self.ring.submit();
        }
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let now_ns = self.time.now_ns();
        self.stamp_fresh(now_ns);
        let entered = if self.sizes.polling == Polling::Completions {
            self.poll(until_ns)
        } else {
            // Of the ways to be woken in time the cheapest here: the kernel may combine it with another interrupt (timer
            // slack).
            let left = Timespec::from(Duration::from_nanos(until_ns.saturating_sub(now_ns)));
            self.ring.submitter().submit_with_args(1, &SubmitArgs::new().timespec(&left)).map(|_| ())
        };
        match entered.map_err(|error| error.raw_os_error()) {
            // Time is up, a signal, or the kernel is short of memory for a moment: what stays in the queue goes next time.
            Ok(()) | Err(Some(libc::ETIME | libc::EINTR | libc::EAGAIN | libc::EBUSY)) => {}
            Err(code) => {
                let error = io::Error::from_raw_os_error(code.unwrap_or_default());
                return Err(WorkloadError(format!("io_uring failed: {error}; set engine = \"sync\"")));
            }
        }
        self.reap(completions);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }

    fn under_way(&self, look: &mut dyn FnMut(&Request)) {
        let under_way = self.slots.iter().filter(|slot| !slot.given_up);
        under_way.filter_map(|slot| slot.request.as_ref()).for_each(look);
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>) {
        if !self.fresh.is_empty() {
            // Not submitted yet, so nothing is known of their age.
            return;
        }
        for slot in self.slots.iter_mut().filter(|slot| !slot.given_up && slot.submitted_ns < before_ns) {
            if let Some(request) = slot.request {
                slot.given_up = true;
                given_up.push(request);
                self.in_flight -= 1;
                self.given_up += 1;
            }
        }
    }
}

impl Drop for IoUringEngine {
    /// Memory that the kernel may still write into is given up, not given back.
    fn drop(&mut self) {
        let deadline_ns = self.time.now_ns().saturating_add(u64::try_from(FAREWELL.as_nanos()).unwrap_or(u64::MAX));
        let mut ignored = Vec::new();
        while self.in_flight + self.given_up > 0 && self.time.now_ns() < deadline_ns {
            if self.wait(deadline_ns, &mut ignored).is_err() {
                return;
            }
        }
        if self.in_flight + self.given_up == 0 {
            // The kernel takes a ring apart later, in its own time; the file and the memory are let go of now.
            let _ = self.ring.submitter().unregister_files();
            let _ = self.ring.submitter().unregister_buffers();
            // SAFETY: nothing is under way, so the kernel writes no more; dropped once, here.
            unsafe { ManuallyDrop::drop(&mut self.memory) };
        }
    }
}
