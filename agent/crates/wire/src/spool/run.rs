//! The folder of one run: written by the thread that measures, read by the thread that sends.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use measure::series::{Interval, SeriesDefinition, SeriesKind};
use rustix::fs::{FlockOperation, flock};
use serde_json::json;

use super::SpoolError;
use super::files::{
    read_json, read_json_required, segment_numbers, segment_path, sync_folder_of, write_json, write_whole,
};
use super::ledger::{Ledger, Segment, Settled};
use super::reader::{Batch, BatchLimit, Reader};
use super::record::{self, MAGIC};
use crate::messages::{Announcement, Finish, MissingRange, RunId};

/// A segment is closed when it is this long: about two minutes of one storage run.
const SEGMENT_BYTES: u64 = 256 << 10;

/// The spool of one run.
#[derive(Debug)]
pub struct RunSpool {
    folder: PathBuf,
    announcement: Announcement,
    series: Vec<SeriesDefinition>,
    limit_bytes: u64,
    writer: Mutex<Writer>,
    ledger: Mutex<Ledger>,
    /// Held until this value is dropped.
    _lock: File,
}

/// What opening found, beyond what was expected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Bytes of a record that was being written when the process ended.
    pub torn_bytes: u64,
    /// Bytes that are no records, and segments they lay in.
    pub damaged: Vec<(PathBuf, u64)>,
}

/// Counts for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Intervals still to be sent.
    pub unsent: u64,
    /// Intervals that were refused for good.
    pub set_aside: u64,
    /// Size of all segments.
    pub bytes: u64,
}

#[derive(Debug, Default)]
struct Writer {
    file: Option<File>,
    buffer: Vec<u8>,
    closed: bool,
    /// Nearly full: ticks are left out until there is room again.
    thinning: bool,
    /// Ticks that were left out, by series. Later ones move up, so that what is sent has no gaps.
    left_out: BTreeMap<u16, u64>,
}

impl RunSpool {
    /// Begins the folder of a new run. `limit_bytes` bounds its segments.
    ///
    /// # Errors
    /// When the run is there already or the folder cannot be written.
    pub fn create(
        spool: &Path,
        announcement: &Announcement,
        series: &[SeriesDefinition],
        limit_bytes: u64,
    ) -> Result<Self, SpoolError> {
        fs::create_dir_all(spool).map_err(SpoolError::io("cannot create", spool))?;
        let folder = spool.join(announcement.run_id.to_string());
        fs::create_dir(&folder).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => SpoolError::Exists { path: folder.clone() },
            _ => SpoolError::io("cannot create", &folder)(source),
        })?;
        let lock = lock(&folder)?;
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

    /// Opens the folder that an earlier process left, and repairs what it left half done. With `retry_set_aside`, refused
    /// batches are offered once more.
    ///
    /// # Errors
    /// When another process holds it or its files cannot be read.
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
        let mut ledger = Ledger { done, ..Ledger::default() };
        for no in segment_numbers(&folder)? {
            ledger.segments.push_back(Segment { no, ..Segment::default() });
            let path = segment_path(&folder, no);
            let bytes = fs::read(&path).map_err(SpoolError::io("cannot read", &path))?;
            let scan = record::scan(&bytes, |interval| ledger.written(&interval));
            if scan.clean != bytes {
                if scan.damaged_bytes > 0 {
                    recovery.damaged.push((path.clone(), scan.damaged_bytes));
                    write_whole(&path.with_extension("damaged"), &bytes)?;
                }
                recovery.torn_bytes += scan.torn_bytes;
                write_whole(&path, &scan.clean)?;
            }
            if let Some(segment) = ledger.segments.back_mut() {
                segment.durable_bytes = scan.clean.len() as u64;
            }
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

    /// What the run is.
    #[must_use]
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// The folder of the run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Definitions of the series that a batch uses.
    #[must_use]
    pub fn series_of(&self, batch: &Batch) -> Vec<SeriesDefinition> {
        let used = |series: &&SeriesDefinition| batch.intervals.iter().any(|i| i.series_no == series.series_no);
        self.series.iter().filter(used).cloned().collect()
    }

    /// Puts intervals on disk; they are durable when this returns. Takes nothing more after the first failure, so that
    /// what is there has no gaps. From three quarters of the limit on, ticks (which nobody can see while the backend is
    /// away) are left out and counted, until half of it is free again: histograms, from which everything is judged, get
    /// the room.
    ///
    /// # Errors
    /// When the limit is reached or the disk refuses.
    pub fn append(&self, intervals: &[Interval]) -> Result<(), SpoolError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.closed {
            return Err(SpoolError::Closed { path: self.folder.clone() });
        }
        let result = self.append_to(&mut writer, intervals);
        writer.closed = result.is_err();
        result
    }

    fn append_to(&self, writer: &mut Writer, intervals: &[Interval]) -> Result<(), SpoolError> {
        let kept = self.thin_out(writer, intervals);
        let intervals = &kept[..];
        if intervals.is_empty() {
            return Ok(());
        }
        writer.buffer.clear();
        for interval in intervals {
            record::append(&mut writer.buffer, interval)?;
        }
        let (no, length, total) = {
            let ledger = self.ledger();
            let newest = ledger.segments.back();
            (newest.map_or(0, |s| s.no), newest.map_or(0, |s| s.durable_bytes), ledger.bytes())
        };
        let added = writer.buffer.len() as u64;
        if total.saturating_add(added) > self.limit_bytes {
            return Err(SpoolError::Full { path: self.folder.clone(), limit_bytes: self.limit_bytes });
        }
        let (no, length) = if writer.file.is_none() || length + added > SEGMENT_BYTES {
            writer.file = Some(self.begin_segment(no + 1)?);
            (no + 1, MAGIC.len() as u64)
        } else {
            (no, length)
        };
        let path = segment_path(&self.folder, no);
        let Some(file) = writer.file.as_mut() else {
            return Err(SpoolError::Closed { path: self.folder.clone() });
        };
        if let Err(error) = file.write_all(&writer.buffer).and_then(|()| file.sync_data()) {
            // What was half written must not come before anything that is written later.
            let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)));
            drop(cut);
            return Err(SpoolError::io("cannot write", &path)(error));
        }
        let mut ledger = self.ledger();
        for interval in intervals {
            ledger.written(interval);
        }
        if let Some(segment) = ledger.segments.back_mut() {
            segment.durable_bytes = length + added;
        }
        Ok(())
    }

    /// Without ticks where there is little room; what comes after a tick that was left out gets its number.
    fn thin_out(&self, writer: &mut Writer, intervals: &[Interval]) -> Vec<Interval> {
        let used = self.ledger().bytes();
        if used >= self.limit_bytes / 4 * 3 {
            writer.thinning = true;
        } else if used <= self.limit_bytes / 2 {
            writer.thinning = false;
        }
        let is_tick = |interval: &Interval| {
            let series = self.series.iter().find(|series| series.series_no == interval.series_no);
            series.is_some_and(|series| series.kind == SeriesKind::Tick)
        };
        let mut kept = Vec::with_capacity(intervals.len());
        for interval in intervals {
            if writer.thinning && is_tick(interval) {
                *writer.left_out.entry(interval.series_no).or_default() += 1;
                continue;
            }
            let moved = writer.left_out.get(&interval.series_no).copied().unwrap_or(0);
            kept.push(Interval { seq: interval.seq - moved, ..interval.clone() });
        }
        kept
    }

    /// How many ticks were left out for want of room.
    #[must_use]
    pub fn ticks_left_out(&self) -> u64 {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).left_out.values().sum()
    }

    fn begin_segment(&self, no: u64) -> Result<File, SpoolError> {
        let path = segment_path(&self.folder, no);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(SpoolError::io("cannot create", &path))?;
        file.write_all(MAGIC).map_err(SpoolError::io("cannot write", &path))?;
        sync_folder_of(&path)?;
        let durable_bytes = MAGIC.len() as u64;
        self.ledger().segments.push_back(Segment { no, durable_bytes, ..Segment::default() });
        Ok(file)
    }

    /// The next intervals to send from where `reader` stands; none when there is nothing.
    ///
    /// # Errors
    /// When a segment cannot be read.
    pub fn next_batch(&self, reader: &mut Reader, limit: BatchLimit) -> Result<Option<Batch>, SpoolError> {
        // Reading happens on a copy of the books' head, so that an append does not wait for it.
        let ledger = self.ledger().clone();
        reader.next(&self.folder, &ledger, limit)
    }

    /// The backend has this batch, and everything up to `acknowledged`. Segments of which nothing is left are deleted.
    ///
    /// # Errors
    /// When the books or the segments cannot be changed; nothing is lost by that.
    pub fn settle(&self, batch: &Batch, acknowledged: &BTreeMap<u16, i64>) -> Result<(), SpoolError> {
        let mut ledger = self.ledger();
        for interval in &batch.intervals {
            ledger.settle(interval.series_no, interval.seq, interval.seq);
        }
        for (series_no, seq) in acknowledged {
            if let Ok(seq) = u64::try_from(*seq) {
                ledger.settle(*series_no, 0, seq);
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
            let path = segment_path(&self.folder, segment.no);
            fs::remove_file(&path).map_err(SpoolError::io("cannot delete", &path))?;
        }
        Ok(())
    }

    /// The backend refused this batch for good: it is kept in `set-aside` with the reason and not sent again.
    ///
    /// # Errors
    /// When it cannot be written there; then it stays where it is.
    pub fn set_aside(&self, batch: &Batch, reason: &str) -> Result<PathBuf, SpoolError> {
        let folder = self.folder.join("set-aside");
        fs::create_dir_all(&folder).map_err(SpoolError::io("cannot create", &folder))?;
        let no = segment_numbers(&folder)?.last().map_or(1, |last| last + 1);
        let path = segment_path(&folder, no);
        let mut bytes = MAGIC.to_vec();
        for interval in &batch.intervals {
            record::append(&mut bytes, interval)?;
        }
        let named: Vec<_> = batch.intervals.iter().map(|i| json!({"series": i.series_no, "seq": i.seq})).collect();
        write_json(&path.with_extension("json"), &json!({"reason": reason, "intervals": named}))?;
        write_whole(&path, &bytes)?;
        let done = {
            let mut ledger = self.ledger();
            for interval in &batch.intervals {
                ledger.set_aside(interval.series_no, interval.seq);
            }
            ledger.done.clone()
        };
        write_json(&self.folder.join("settled.json"), &done)?;
        Ok(path)
    }

    /// The backend lacks these after all; see [`Ledger::reopen`].
    #[must_use]
    pub fn reopen(&self, missing: &[MissingRange]) -> bool {
        self.ledger().reopen(missing)
    }

    /// How the run ended, if that is known.
    ///
    /// # Errors
    /// When the file is there but cannot be read.
    pub fn finish(&self) -> Result<Option<Finish>, SpoolError> {
        read_json(&self.folder.join("finish.json"))
    }

    /// Keeps how the run ended.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_finish(&self, finish: &Finish) -> Result<(), SpoolError> {
        write_json(&self.folder.join("finish.json"), finish)
    }

    /// Last sequence number of every series that has any.
    #[must_use]
    pub fn last_seq(&self) -> BTreeMap<u16, u64> {
        self.ledger().last_seq()
    }

    /// End of the latest interval.
    #[must_use]
    pub fn data_through_ns(&self) -> u64 {
        self.ledger().done.data_through_ns
    }

    /// Counts for a person.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let ledger = self.ledger();
        Totals { unsent: ledger.unsent(), set_aside: ledger.set_aside_count(), bytes: ledger.bytes() }
    }

    /// Deletes the folder: the backend has everything.
    ///
    /// # Errors
    /// When it cannot be deleted.
    pub fn delete(&self) -> Result<(), SpoolError> {
        fs::remove_dir_all(&self.folder).map_err(SpoolError::io("cannot delete", &self.folder))
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One process works on a run; the lock goes with the process, however it ends.
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

/// Makes refused batches ordinary segments again.
fn return_set_aside(folder: &Path, done: &mut Settled) -> Result<(), SpoolError> {
    let aside = folder.join("set-aside");
    let mut no = segment_numbers(folder)?.last().copied().unwrap_or(0);
    for aside_no in segment_numbers(&aside)? {
        no += 1;
        let (from, to) = (segment_path(&aside, aside_no), segment_path(folder, no));
        let bytes = fs::read(&from).map_err(SpoolError::io("cannot read", &from))?;
        record::scan(&bytes, |interval| {
            for books in [&mut done.settled, &mut done.set_aside] {
                books.entry(interval.series_no).or_default().remove(interval.seq, interval.seq);
            }
        });
        write_json(&folder.join("settled.json"), done)?;
        fs::rename(&from, &to).map_err(SpoolError::io("cannot move", &from))?;
        let reason = from.with_extension("json");
        fs::remove_file(&reason).map_err(SpoolError::io("cannot delete", &reason))?;
    }
    Ok(())
}
