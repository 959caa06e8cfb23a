//! One thread, one `io_uring`: the call that submits an operation also waits for the next completion or the next
//! intended time, so an operation costs two or three system calls and no second thread.
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
use measure::random;
use measure::series::WorkloadError;

use super::{Completion, Engine, Kind, Request, Sizes};
use crate::aligned::{ALIGNMENT, AlignedBytes};

/// What dropping an engine waits for operations that are still under way.
const FAREWELL: Duration = Duration::from_secs(2);

/// Places in the queue beside the operations'.
const ALARMS: u32 = 8;
/// Marks the completion of an alarm.
const ALARM: u64 = u64::MAX;

/// Where an operation's bytes go and what is known about it.
struct Slot {
    /// Inside the engine's memory; nobody but the kernel looks at what it read.
    address: *mut u8,
    request: Option<Request>,
    submitted_ns: u64,
}

/// See the module.
pub struct IoUringEngine {
    ring: IoUring,
    /// Holds the file open and in place as number 0 of the ring.
    _file: File,
    memory: ManuallyDrop<AlignedBytes>,
    sizes: Sizes,
    registered: bool,
    slots: Vec<Slot>,
    free_reads: Vec<usize>,
    free_large_blocks: Vec<usize>,
    /// Taken since the last submission.
    fresh: Vec<usize>,
    in_flight: usize,
    time: Arc<dyn TimeSource>,
    /// Earliest alarm that the kernel holds, and the room that it was read from.
    alarm_ns: Option<u64>,
    alarm: Timespec,
}

/// Whether this kernel lets this process use an `io_uring` with everything that the engine needs.
pub fn is_usable() -> bool {
    new_ring(8).is_ok()
}

/// A ring for one thread, with the cheapest way of completing that the kernel knows.
fn new_ring(entries: u32) -> io::Result<IoUring> {
    let ring = IoUring::builder()
        .setup_clamp()
        .setup_coop_taskrun()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .build(entries)
        .or_else(|_| IoUring::builder().setup_clamp().build(entries))?;
    if ring.params().is_feature_ext_arg() && ring.params().is_feature_nodrop() {
        Ok(ring)
    } else {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

impl IoUringEngine {
    /// A ring over `file` with memory for everything that may be under way at once.
    pub fn new(file: &File, sizes: Sizes) -> Result<Self, WorkloadError> {
        let explain = |error: io::Error| {
            WorkloadError(format!(
                "io_uring cannot be set up: {error}; allow it (sysctl kernel.io_uring_disabled, container profile), or set engine = \"sync\""
            ))
        };
        let file = file.try_clone().map_err(explain)?;
        let count = sizes.reads_at_once + sizes.large_blocks_at_once;
        let ring = new_ring((count + ALARMS).next_power_of_two()).map_err(explain)?;
        ring.submitter().register_files(&[file.as_raw_fd()]).map_err(explain)?;

        let read_stride = (sizes.read_bytes as usize).next_multiple_of(ALIGNMENT);
        let large_stride = (sizes.large_block_bytes as usize).next_multiple_of(ALIGNMENT);
        let reads = sizes.reads_at_once as usize;
        let length = reads * read_stride + sizes.large_blocks_at_once as usize * large_stride;
        let mut memory = AlignedBytes::new(length);
        let bytes = memory.as_mut_slice();
        random::fill(&mut bytes[reads * read_stride..], sizes.seed, 11, 0);
        let base = bytes.as_mut_ptr();
        let whole = libc::iovec { iov_base: base.cast(), iov_len: length };
        // SAFETY: the range is one live allocation that is freed only after the ring is gone (see `drop`). Where the
        // limit of locked memory forbids this, operations name their addresses instead.
        let registered = unsafe { ring.submitter().register_buffers(&[whole]) }.is_ok();

        let place = |index: usize| {
            if index < reads { index * read_stride } else { reads * read_stride + (index - reads) * large_stride }
        };
        let slots = (0..count as usize)
            .map(|index| {
                // SAFETY: `place` stays inside the `length` bytes that begin at `base`.
                let address = unsafe { base.add(place(index)) };
                Slot { address, request: None, submitted_ns: 0 }
            })
            .collect();
        Ok(Self {
            ring,
            _file: file,
            memory: ManuallyDrop::new(memory),
            sizes,
            registered,
            slots,
            free_reads: (0..reads).rev().collect(),
            free_large_blocks: (reads..count as usize).rev().collect(),
            fresh: Vec::with_capacity(count as usize),
            in_flight: 0,
            time: Arc::new(MonotonicTime::start()),
            alarm_ns: None,
            alarm: Timespec::new(),
        })
    }

    fn free_slots(&mut self, kind: Kind) -> &mut Vec<usize> {
        match kind {
            Kind::Read => &mut self.free_reads,
            Kind::LargeBlockRead | Kind::LargeBlockWrite => &mut self.free_large_blocks,
        }
    }

    fn entry(&self, index: usize, request: Request) -> Entry {
        let (address, length, offset) =
            (self.slots[index].address, self.sizes.bytes(request.kind), request.offset_bytes);
        let file = Fixed(0);
        let entry = match (request.kind, self.registered) {
            (Kind::LargeBlockWrite, registered) => {
                let flags = if self.sizes.sync_writes { libc::RWF_DSYNC } else { 0 };
                if registered {
                    opcode::WriteFixed::new(file, address, length, 0).offset(offset).rw_flags(flags).build()
                } else {
                    opcode::Write::new(file, address, length).offset(offset).rw_flags(flags).build()
                }
            }
            (_, true) => opcode::ReadFixed::new(file, address, length, 0).offset(offset).build(),
            (_, false) => opcode::Read::new(file, address, length).offset(offset).build(),
        };
        entry.user_data(index as u64)
    }

    /// Makes each page of a block differ from every other that was written, so that no drive can leave it out.
    fn stamp(&mut self, index: usize, number: u64) {
        let pages = self.sizes.large_block_bytes as usize / ALIGNMENT;
        for page in 0..pages {
            let mark = random::bits(self.sizes.seed, 12, number.wrapping_mul(pages as u64) + page as u64).to_ne_bytes();
            // SAFETY: the slot is free, so the kernel does not use it; a large block's slot holds all of its pages.
            unsafe { self.slots[index].address.add(page * ALIGNMENT).cast::<[u8; 8]>().write(mark) };
        }
    }

    /// Has the kernel complete something at `until_ns`, unless it will do so before anyway. An alarm outlives the calls,
    /// so that a completion before it costs no new timer.
    fn set_alarm(&mut self, now_ns: u64, until_ns: u64) {
        if self.alarm_ns.is_some_and(|alarm_ns| alarm_ns <= until_ns) {
            return;
        }
        self.alarm = Timespec::from(Duration::from_nanos(until_ns - now_ns));
        let entry = opcode::Timeout::new(&raw const self.alarm).build().user_data(ALARM);
        // SAFETY: the kernel reads the time while the entry is submitted, which is before `wait` returns.
        if unsafe { self.ring.submission().push(&entry) }.is_ok() {
            self.alarm_ns = Some(until_ns);
        }
    }

    fn reap(&mut self, completed_ns: u64, completions: &mut Vec<Completion>) {
        for event in self.ring.completion() {
            if event.user_data() == ALARM {
                self.alarm_ns = None;
            }
            let Ok(index) = usize::try_from(event.user_data()) else { continue };
            let Some(slot) = self.slots.get_mut(index) else { continue };
            let Some(request) = slot.request.take() else { continue };
            let succeeded = u32::try_from(event.result()).is_ok_and(|moved| moved == self.sizes.bytes(request.kind));
            completions.push(Completion { request, submitted_ns: slot.submitted_ns, completed_ns, succeeded });
            self.in_flight -= 1;
            match request.kind {
                Kind::Read => self.free_reads.push(index),
                Kind::LargeBlockRead | Kind::LargeBlockWrite => self.free_large_blocks.push(index),
            }
        }
    }
}

impl Engine for IoUringEngine {
    fn start(&mut self, time: Arc<dyn TimeSource>) {
        self.time = time;
    }

    fn has_room(&self, kind: Kind) -> bool {
        match kind {
            Kind::Read => !self.free_reads.is_empty(),
            Kind::LargeBlockRead | Kind::LargeBlockWrite => !self.free_large_blocks.is_empty(),
        }
    }

    fn begin(&mut self, request: Request) {
        let Some(index) = self.free_slots(request.kind).pop() else { return };
        if request.kind == Kind::LargeBlockWrite {
            self.stamp(index, request.number);
        }
        self.slots[index].request = Some(request);
        let entry = self.entry(index, request);
        // SAFETY: the entry names the slot's bytes, which stay valid and unused by others until its completion is
        // reaped. The queue has a place for every slot.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        debug_assert!(pushed.is_ok(), "the queue is as long as there are slots");
        self.fresh.push(index);
        self.in_flight += 1;
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        let now_ns = self.time.now_ns();
        for index in self.fresh.drain(..) {
            self.slots[index].submitted_ns = now_ns;
        }
        let entered = if until_ns <= now_ns {
            self.ring.submitter().submit_with_args(1, &SubmitArgs::new().timespec(&Timespec::new()))
        } else {
            self.set_alarm(now_ns, until_ns);
            self.ring.submit_and_wait(1)
        };
        match entered.map_err(|error| error.raw_os_error()) {
            // Time is up, a signal, or the kernel is short of memory for a moment: what stays in the queue goes next time.
            Ok(_) | Err(Some(libc::ETIME | libc::EINTR | libc::EAGAIN | libc::EBUSY)) => {}
            Err(code) => {
                let error = io::Error::from_raw_os_error(code.unwrap_or_default());
                return Err(WorkloadError(format!("io_uring failed: {error}; set engine = \"sync\"")));
            }
        }
        let completed_ns = self.time.now_ns();
        self.reap(completed_ns, completions);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.in_flight
    }
}

impl Drop for IoUringEngine {
    /// Memory that the kernel may still write into is given up, not given back.
    fn drop(&mut self) {
        let deadline_ns = self.time.now_ns().saturating_add(u64::try_from(FAREWELL.as_nanos()).unwrap_or(u64::MAX));
        let mut ignored = Vec::new();
        while self.in_flight > 0 && self.time.now_ns() < deadline_ns {
            if self.wait(deadline_ns, &mut ignored).is_err() {
                return;
            }
        }
        if self.in_flight == 0 {
            // The kernel takes a ring apart later, in its own time; the file and the memory are let go of now.
            let _ = self.ring.submitter().unregister_files();
            let _ = self.ring.submitter().unregister_buffers();
            // SAFETY: nothing is under way, so the kernel writes no more; dropped once, here.
            unsafe { ManuallyDrop::drop(&mut self.memory) };
        }
    }
}
