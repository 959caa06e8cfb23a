//! The folder of one run in a spool: the measuring thread writes it, the sending thread reads it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use measure::series::{Interval, SeriesDefinition, SeriesKind};
use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};

use super::files::{
    HELD_FILE, OMITTED_FILE, SpoolError, last_number, read_json, read_json_required, segment_path, segments_in,
    sync_folder_of, write_file, write_json,
};
use super::ledger::{Kind, Ledger, Settled};
use super::omitted::OmittedTicks;
use super::reader::{Batch, BatchLimit, Reader};
use super::record::{self, MAGIC};
use super::writer::Writer;
use crate::messages::{Announcement, Finish, MissingRange, RunId};

#[derive(Debug)]
pub struct RunSpool {
    pub folder: PathBuf,
    pub announcement: Announcement,
    series: Vec<SeriesDefinition>,
    pub(super) limit_bytes: u64,
    writer: Mutex<Writer>,
    ledger: Mutex<Ledger>,
    /// Lock on the folder; released when this is dropped.
    _lock: File,
}

/// Damage that was repaired when a spool was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Bytes of incomplete records, left by a process that ended while writing.
    pub torn_bytes: u64,
    /// Segments with damage, and how many bytes of each are damaged.
    pub damaged: Vec<(PathBuf, u64)>,
}

/// Counts to show to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Intervals still to be sent.
    pub unsent: u64,
    /// Intervals that were refused for good.
    pub set_aside: u64,
    /// Size of all segments, in bytes.
    pub bytes: u64,
}

impl RunSpool {
    /// Creates the folder of a new run, whose segments may take `limit_bytes`; see [`super::is_held`] for `is_held`. Fails if
    /// the run exists already or the folder cannot be written.
    pub fn create(
        spool: &Path,
        announcement: &Announcement,
        series: &[SeriesDefinition],
        limit_bytes: u64,
        is_held: bool,
    ) -> Result<Self, SpoolError> {
        fs::create_dir_all(spool).map_err(SpoolError::io("cannot create", spool))?;
        let folder = spool.join(announcement.run_id.to_string());
        fs::create_dir(&folder).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => SpoolError::Exists { path: folder.clone() },
            _ => SpoolError::io("cannot create", &folder)(source),
        })?;
        let lock = lock(&folder)?;
        if is_held {
            // Written before the announcement, so that the run never looks like a run to be sent.
            write_file(&folder.join(HELD_FILE), b"")?;
        }
        write_json(&folder.join("series.json"), &series)?;
        write_json(&folder.join("announcement.json"), announcement)?;
        sync_folder_of(&folder)?;
        Ok(Self {
            folder,
            announcement: announcement.clone(),
            series: series.to_vec(),
            limit_bytes,
            writer: Mutex::default(),
            ledger: Mutex::default(),
            _lock: lock,
        })
    }

    /// Opens the folder that an earlier process left, and repairs incomplete work. With `retry_set_aside`, refused batches are
    /// offered once more. Fails if another process has locked the folder, or its files cannot be read.
    pub fn open(spool: &Path, run_id: RunId, retry_set_aside: bool) -> Result<(Self, Recovery), SpoolError> {
        let folder = spool.join(run_id.to_string());
        let lock = lock(&folder)?;
        let announcement = read_json_required(&folder.join("announcement.json"))?;
        let series = read_json_required(&folder.join("series.json"))?;
        let mut done: Settled = read_json(&folder.join("settled.json"))?.unwrap_or_default();
        if retry_set_aside {
            return_set_aside(&folder, &mut done)?;
        }
        let mut recovery = Recovery::default();
        let omitted: OmittedTicks = read_json(&folder.join(OMITTED_FILE))?.unwrap_or_default();
        done.data_through_ns = done.data_through_ns.max(omitted.data_through_ns);
        // Which batches were offered is not on disk, so the backend may know any of them.
        let mut ledger = Ledger { done, omitted, offered_through: last_number(&folder)?, ..Ledger::default() };
        for (no, kind) in segments_in(&folder)? {
            recover(&folder, no, kind, &mut ledger, &mut recovery)?;
        }
        let spool = Self {
            folder,
            announcement,
            series,
            limit_bytes: u64::MAX,
            writer: Mutex::default(),
            ledger: Mutex::new(ledger),
            _lock: lock,
        };
        Ok((spool, recovery))
    }

    /// Sets the wall clock at offset 0, with its uncertainty, both in nanoseconds. It is durable when this returns. Fails if
    /// the file cannot be written; the earlier announcement then stays valid.
    pub fn starts_at(&mut self, unix_ns: u64, uncertainty_ns: u64) -> Result<(), SpoolError> {
        let announcement = Announcement {
            started_at_unix_ns: unix_ns,
            started_at_uncertainty_ns: Some(uncertainty_ns),
            ..self.announcement.clone()
        };
        write_json(&self.folder.join("announcement.json"), &announcement)?;
        self.announcement = announcement;
        Ok(())
    }

    /// Returns the definitions of the series in a batch.
    pub fn series_of(&self, batch: &Batch) -> Vec<SeriesDefinition> {
        let used = |series: &&SeriesDefinition| batch.intervals.iter().any(|i| i.series_no == series.series_no);
        self.series.iter().filter(used).cloned().collect()
    }

    /// Returns how many ticks were left out to make room.
    pub fn omitted_ticks(&self) -> u64 {
        self.ledger().omitted.count()
    }

    /// Returns a message about ticks that were left out, or `None` if there are none.
    pub fn thinned(&self) -> Option<String> {
        let count = Some(self.omitted_ticks()).filter(|count| *count > 0)?;
        Some(format!(
            "{count} live ticks, the oldest unsent first, were left out because the spool was full; no histogram was"
        ))
    }

    /// Returns the next intervals to send after the position of `reader`, with wire numbers; `None` if there are none.
    pub fn next_batch(&self, reader: &mut Reader, limit: BatchLimit) -> Result<Option<Batch>, SpoolError> {
        loop {
            // Reads with a copy of the ledger, so that appends do not wait for it.
            let copy = self.ledger().clone();
            let read = reader.next(&self.folder, &copy, limit);
            let mut ledger = self.ledger();
            if ledger.omitted.count() != copy.omitted.count() {
                // Segments may have been deleted meanwhile, and the wire numbers of later intervals have changed.
                continue;
            }
            let Some(mut batch) = read? else { return Ok(None) };
            ledger.offered_through = ledger.offered_through.max(batch.ticks_through());
            for interval in &mut batch.intervals {
                interval.seq = ledger.omitted.wire_seq_of(interval.series_no, interval.seq);
            }
            return Ok(Some(batch));
        }
    }

    /// Returns the intervals of a batch with their numbers in the spool. The wire numbers of offered intervals never change.
    fn with_spool_seqs(&self, batch: &Batch) -> Vec<Interval> {
        let ledger = self.ledger();
        let spool_seq = |i: &Interval| Interval { seq: ledger.omitted.spool_seq(i.series_no, i.seq), ..i.clone() };
        batch.intervals.iter().map(spool_seq).collect()
    }

    /// Records that the backend has this batch, and everything up to the wire numbers in `acknowledged`. Segments with nothing
    /// left to send are deleted. Fails if the ledger file cannot be written or a segment cannot be deleted; no data is lost by
    /// that.
    pub fn settle(&self, batch: &Batch, acknowledged: &BTreeMap<u16, i64>) -> Result<(), SpoolError> {
        let mut ledger = self.ledger();
        for interval in &batch.intervals {
            let seq = ledger.omitted.spool_seq(interval.series_no, interval.seq);
            ledger.settle(interval.series_no, seq, seq);
        }
        for (series_no, seq) in acknowledged {
            if let Ok(seq) = u64::try_from(*seq) {
                ledger.acknowledged(*series_no, seq);
            }
        }
        let segments = ledger.take_settled_segments();
        if segments.is_empty() {
            return Ok(());
        }
        let done = ledger.done.clone();
        drop(ledger);
        write_json(&self.folder.join("settled.json"), &done)?;
        for segment in segments {
            let path = segment_path(&self.folder, segment.no, segment.kind);
            fs::remove_file(&path).map_err(SpoolError::io("cannot delete", &path))?;
        }
        Ok(())
    }

    /// Stores a batch that the backend refused for good in `set-aside`, with the reason, and returns its path. It is not sent
    /// again. Fails if the batch cannot be written there; it then stays in its segments.
    pub fn set_aside(&self, batch: &Batch, reason: &str) -> Result<PathBuf, SpoolError> {
        let folder = self.folder.join("set-aside");
        fs::create_dir_all(&folder).map_err(SpoolError::io("cannot create", &folder))?;
        let path = segment_path(&folder, last_number(&folder)? + 1, Kind::Lasting);
        let intervals = self.with_spool_seqs(batch);
        let mut bytes = MAGIC.to_vec();
        for interval in &intervals {
            record::append(&mut bytes, interval)?;
        }
        let named: Vec<_> = batch.intervals.iter().map(|i| json!({"series": i.series_no, "seq": i.seq})).collect();
        write_json(&path.with_extension("json"), &json!({"reason": reason, "intervals": named}))?;
        write_file(&path, &bytes)?;
        let done = {
            let mut ledger = self.ledger();
            for interval in &intervals {
                ledger.set_aside(interval.series_no, interval.seq);
            }
            ledger.done.clone()
        };
        write_json(&self.folder.join("settled.json"), &done)?;
        Ok(path)
    }

    /// Marks intervals that the backend lacks as unsent; see [`Ledger::reopen`].
    pub fn reopen(&self, missing: &[MissingRange]) -> bool {
        self.ledger().reopen(missing)
    }

    /// Returns the finish of the run, or `None` if there is none yet. Fails if the file exists but cannot be read.
    pub fn finish(&self) -> Result<Option<Finish>, SpoolError> {
        read_json(&self.folder.join("finish.json"))
    }

    /// Stores the finish of the run.
    pub fn write_finish(&self, finish: &Finish) -> Result<(), SpoolError> {
        write_json(&self.folder.join("finish.json"), finish)
    }

    /// Returns the last stored counters of the drives; `None` if there are none or the file cannot be read.
    pub fn drive_counters(&self) -> Option<Value> {
        read_json(&self.folder.join("drive-counters.json")).ok().flatten()
    }

    /// Stores the counters of the drives, for the case that the agent is killed.
    pub fn write_drive_counters(&self, document: &Value) -> Result<(), SpoolError> {
        write_json(&self.folder.join("drive-counters.json"), document)
    }

    /// Returns the last wire number of each series that has any interval.
    pub fn last_seq(&self) -> BTreeMap<u16, u64> {
        self.ledger().last_seq()
    }

    /// Returns the end of the latest interval, in nanoseconds from offset 0.
    pub fn data_through_ns(&self) -> u64 {
        self.ledger().done.data_through_ns
    }

    /// Returns the counts to show to a person.
    pub fn totals(&self) -> Totals {
        let ledger = self.ledger();
        Totals { unsent: ledger.unsent(), set_aside: ledger.set_aside_count(), bytes: ledger.bytes() }
    }

    /// Deletes the folder, once the backend has everything.
    pub fn delete(&self) -> Result<(), SpoolError> {
        fs::remove_dir_all(&self.folder).map_err(SpoolError::io("cannot delete", &self.folder))
    }

    /// Returns whether this interval belongs to a series of live ticks.
    pub(super) fn is_tick(&self, interval: &Interval) -> bool {
        let series = self.series.iter().find(|series| series.series_no == interval.series_no);
        series.is_some_and(|series| series.kind == SeriesKind::Tick)
    }

    pub(super) fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds a segment of an earlier process to the ledger, and repairs incomplete work.
fn recover(folder: &Path, no: u64, kind: Kind, ledger: &mut Ledger, recovery: &mut Recovery) -> Result<(), SpoolError> {
    ledger.begin(no, kind, 0);
    let path = segment_path(folder, no, kind);
    let bytes = fs::read(&path).map_err(SpoolError::io("cannot read", &path))?;
    let mut omitted = false;
    let scan = record::scan(&bytes, |interval| {
        if ledger.omitted.contains(interval.series_no, interval.seq) {
            omitted = true;
        } else {
            ledger.written(no, &interval);
        }
    });
    if omitted && ledger.segments.back().is_some_and(|segment| segment.holds.is_empty()) {
        // The process ended after it recorded the removal of this segment and before it deleted the file.
        ledger.segments.pop_back();
        return fs::remove_file(&path).map_err(SpoolError::io("cannot delete", &path));
    }
    if scan.clean != bytes {
        if scan.damaged_bytes > 0 {
            recovery.damaged.push((path.clone(), scan.damaged_bytes));
            write_file(&path.with_extension("damaged"), &bytes)?;
        }
        recovery.torn_bytes += scan.torn_bytes;
        write_file(&path, &scan.clean)?;
    }
    if let Some(segment) = ledger.segments.back_mut() {
        segment.durable_bytes = scan.clean.len() as u64;
    }
    Ok(())
}

/// Locks the folder for this process; the operating system releases the lock however the process ends.
fn lock(folder: &Path) -> Result<File, SpoolError> {
    let path = folder.join("lock");
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(SpoolError::io("cannot open", &path))?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| SpoolError::InUse { path: folder.to_owned() })?;
    Ok(file)
}

/// Turns refused batches into ordinary segments again.
fn return_set_aside(folder: &Path, done: &mut Settled) -> Result<(), SpoolError> {
    let aside = folder.join("set-aside");
    let mut no = last_number(folder)?;
    for (aside_no, kind) in segments_in(&aside)? {
        no += 1;
        let (from, to) = (segment_path(&aside, aside_no, kind), segment_path(folder, no, Kind::Lasting));
        let bytes = fs::read(&from).map_err(SpoolError::io("cannot read", &from))?;
        record::scan(&bytes, |interval| {
            for ranges in [&mut done.settled, &mut done.set_aside] {
                ranges.entry(interval.series_no).or_default().remove(interval.seq, interval.seq);
            }
        });
        write_json(&folder.join("settled.json"), done)?;
        fs::rename(&from, &to).map_err(SpoolError::io("cannot move", &from))?;
        let reason = from.with_extension("json");
        fs::remove_file(&reason).map_err(SpoolError::io("cannot delete", &reason))?;
    }
    Ok(())
}
