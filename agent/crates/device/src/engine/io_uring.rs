//! An engine with one `io_uring` per thread. The system call that submits operations also waits for the next completion or the next
//! intended time, so an operation costs two or three system calls and no second thread.
//!
//! Two polling modes occupy a processor per thread. With `sq_poll`, a kernel thread takes operations from the submission queue as
//! soon as they are written there. With `io_poll`, the drive raises no interrupts: the measuring thread polls the drive's queue and
//! checks the time-out of a wait itself, because the kernel does not in this mode.
//!
//! The only module with unsafe code, because the kernel writes into memory by address.
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
use measure::clock::{MonotonicTime, TimeSource, whole_ns};
use measure::series::WorkloadError;

use runner::{End, Session};

use super::settings::{Polling, Sizes};
use crate::aligned::{ALIGNMENT, AlignedBytes};
use crate::command::{Command, Completion, Kind, Request};

const SLOT_CLASSES: usize = 3;

/// Longest wait for operations under way when an engine is dropped.
const DROP_TIMEOUT: Duration = Duration::from_secs(2);

/// Largest number of operations submitted together; small, so that the drive is busy while the next ones are prepared.
const SUBMITTED_TOGETHER: usize = 4;

/// Buffer and state of an operation.
struct Slot {
    /// Address of the buffer within the engine's memory; only the kernel accesses it during an operation.
    address: *mut u8,
    request: Option<Request>,
    submitted_ns: u64,
    /// Whether the completion is no longer awaited although the kernel still uses the buffer.
    given_up: bool,
    /// Whether the buffer contains content for writes, which only needs new marks.
    filled: bool,
}

/// An engine with one `io_uring`; belongs to one thread.
pub struct IoUringEngine {
    ring: IoUring,
    /// Opened files; requests refer to them by index.
    files: Vec<File>,
    memory: ManuallyDrop<AlignedBytes>,
    sizes: Sizes,
    registered: bool,
    slots: Vec<Slot>,
    /// Indices of free slots by slot class (see [`slot_class_of`]).
    free_slots: [Vec<usize>; SLOT_CLASSES],
    /// Slots filled since the last submission.
    fresh: Vec<usize>,
    in_flight: usize,
    given_up: usize,
    time: Arc<dyn TimeSource>,
}

/// Returns the slot class: records, large reads, or large writes. Large reads and writes have separate slots, so that data that was
/// read is never written.
fn slot_class_of(kind: Kind) -> usize {
    match (kind.is_large(), kind.writes()) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    }
}

/// Time after which an idle kernel thread stops polling for submissions, in milliseconds.
const SQ_POLL_IDLE_MS: u32 = 100;

/// Returns whether this process may use an `io_uring` and the kernel supports all features that the engine needs.
pub fn is_usable() -> bool {
    new_ring(8, Polling::default()).is_ok()
}

/// Returns a ring for one thread, with the cheapest completion mode that the kernel supports.
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
    /// Returns an engine over `files` with memory for all operations under way. It belongs to the calling thread.
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
        // SAFETY: the range is a live allocation that is freed only after the ring is gone (see `drop`). If the limit of locked
        // memory forbids registration, operations pass addresses instead.
        let registered = unsafe { ring.submitter().register_buffers(&[range]) }.is_ok();

        let offset = |index: usize| {
            if index < records {
                index * record_stride
            } else {
                records * record_stride + (index - records) * large_stride
            }
        };
        let slots = (0..count as usize)
            .map(|index| {
                // SAFETY: `offset` stays inside the `length` bytes that begin at `base`.
                let address = unsafe { base.add(offset(index)) };
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

    /// Reads a page of every file, because the kernel only refuses polling when an operation is submitted.
    pub fn try_polling(&mut self) -> Result<(), WorkloadError> {
        let mut completions = Vec::new();
        for device in 0..u16::try_from(self.files.len()).unwrap_or(u16::MAX) {
            let bytes = u32::try_from(ALIGNMENT).unwrap_or(4096);
            let command = Command { kind: Kind::Read, device, bytes, number: 0, offset_bytes: 0 };
            self.begin(Request { command, lane: 0, unit: 0, intended_ns: 0, ready_ns: 0 });
            self.wait(self.time.now_ns().saturating_add(whole_ns(DROP_TIMEOUT)), &mut completions)?;
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
        let flags = if self.sizes.sync_writes { libc::RWF_DSYNC } else { 0 };
        let entry = match (command.kind.writes(), self.registered) {
            (true, true) => opcode::WriteFixed::new(file, address, length, 0).offset(offset).rw_flags(flags).build(),
            (true, false) => opcode::Write::new(file, address, length).offset(offset).rw_flags(flags).build(),
            (false, true) => opcode::ReadFixed::new(file, address, length, 0).offset(offset).build(),
            (false, false) => opcode::Read::new(file, address, length).offset(offset).build(),
        };
        entry.user_data(index as u64)
    }

    /// Fills or marks the buffer so that every 512 bytes differ from everything written before, which defeats deduplication.
    fn stamp(&mut self, index: usize, command: &Command) {
        let (content, kind) = (self.sizes.content, command.kind as u64);
        let slot = &mut self.slots[index];
        // SAFETY: the slot is free, so the kernel does not use it, and it holds the largest request.
        let bytes = unsafe { std::slice::from_raw_parts_mut(slot.address, command.bytes as usize) };
        if command.kind.is_large() && std::mem::replace(&mut slot.filled, true) {
            // The content of the previous write from this slot, under new marks.
            content.mark(bytes, command.device, kind, command.number);
        } else {
            // The slot of a record may contain data that was read; that of a large block is used for the first time, since memory
            // is only allocated when needed.
            content.fill_marked(bytes, command.device, kind, command.number);
        }
    }

    /// Sets the submission time of the fresh slots to `now_ns`.
    fn stamp_fresh(&mut self, now_ns: u64) {
        for index in self.fresh.drain(..) {
            self.slots[index].submitted_ns = now_ns;
        }
    }

    /// Submits new requests and polls the drive until a request completes or `until_ns` is reached. The kernel ignores time-outs on
    /// such a ring.
    fn poll(&mut self, until_ns: u64) -> io::Result<()> {
        loop {
            if self.in_flight + self.given_up == 0 {
                // Nothing is under way, so there is nothing to poll.
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
        // Read after checking the completion queue: a delay of this thread in between makes latencies longer, never shorter.
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
            self.free_slots[slot_class_of(request.command.kind)].push(index);
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
        slot_class_of(command.kind)
    }

    fn free_slots_of(&self, class: usize) -> usize {
        self.free_slots[class].len()
    }

    fn begin(&mut self, request: Request) {
        let Some(index) = self.free_slots[slot_class_of(request.command.kind)].pop() else { return };
        if request.command.kind.writes() {
            self.stamp(index, &request.command);
        }
        self.slots[index].request = Some(request);
        let entry = self.entry(index, &request.command);
        if self.sizes.polling == Polling::Submissions {
            // The kernel thread may start as soon as the entry is in the queue, so the submission time is read before.
            self.slots[index].submitted_ns = self.time.now_ns();
        }
        // SAFETY: the entry refers to the slot's bytes, which stay valid and unused by others until its completion is reaped. The
        // queue has room for every slot.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        debug_assert!(pushed.is_ok(), "the queue is as long as there are slots");
        self.in_flight += 1;
        if self.sizes.polling == Polling::Submissions {
            // Only wakes the kernel thread if it sleeps.
            let _ = self.ring.submit();
            return;
        }
        self.fresh.push(index);
        if self.fresh.len() >= SUBMITTED_TOGETHER {
            let now_ns = self.time.now_ns();
            self.stamp_fresh(now_ns);
            // Errors are reported by the next `wait`, which submits what is left.
            let _ = self.ring.submit();
        }
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let now_ns = self.time.now_ns();
        self.stamp_fresh(now_ns);
        let entered = if self.sizes.polling == Polling::Completions {
            self.poll(until_ns)
        } else {
            // The cheapest timer in this place: the kernel may combine it with another interrupt (timer slack).
            let left = Timespec::from(Duration::from_nanos(until_ns.saturating_sub(now_ns)));
            self.ring.submitter().submit_with_args(1, &SubmitArgs::new().timespec(&left)).map(|_| ())
        };
        match entered.map_err(|error| error.raw_os_error()) {
            // Time-out, signal or temporary lack of kernel memory: entries left in the queue are submitted next time.
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

    fn under_way(&self, visit: &mut dyn FnMut(&Request)) {
        let under_way = self.slots.iter().filter(|slot| !slot.given_up);
        under_way.filter_map(|slot| slot.request.as_ref()).for_each(visit);
    }

    fn give_up(&mut self, before_ns: u64, given_up: &mut Vec<Request>) {
        if !self.fresh.is_empty() {
            // Not submitted yet, so their ages are unknown.
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
    /// Leaks memory that the kernel may still write to.
    fn drop(&mut self) {
        let deadline_ns = self.time.now_ns().saturating_add(whole_ns(DROP_TIMEOUT));
        let mut ignored = Vec::new();
        while self.in_flight + self.given_up > 0 && self.time.now_ns() < deadline_ns {
            if self.wait(deadline_ns, &mut ignored).is_err() {
                return;
            }
        }
        if self.in_flight + self.given_up == 0 {
            // The kernel destroys a ring later, at its own pace; files and memory are released now.
            let _ = self.ring.submitter().unregister_files();
            let _ = self.ring.submitter().unregister_buffers();
            // SAFETY: nothing is under way, so the kernel writes no more; dropped once, here.
            unsafe { ManuallyDrop::drop(&mut self.memory) };
        }
    }
}
