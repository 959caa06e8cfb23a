//! The writing side of a spool: appends intervals durably, and removes the oldest ticks when room is short.

use std::fs::{self, OpenOptions};
use std::io::Write as _;

use measure::series::Interval;

use super::files::{OMITTED_FILE, SpoolError, replace_json, segment_path, sync_folder_of};
use super::ledger::{Kind, Segment};
use super::record::{self, MAGIC};
use super::run::RunSpool;
use super::writer::{Tail, Writer};

/// Length at which a segment is closed, in bytes: about two minutes of one storage run.
const SEGMENT_BYTES: u64 = 256 << 10;
/// Shortest length at which a segment of ticks is closed, in bytes.
const SHORTEST_SEGMENT_BYTES: u64 = 16 << 10;

impl RunSpool {
    /// Writes intervals to disk; they are durable when this returns. After the first failure all further calls fail, so that the
    /// stored intervals have no gaps.
    ///
    /// From three quarters of the limit on, this removes the oldest ticks that were never offered to the backend, by whole
    /// segments. So histograms, on which all verdicts rest, get the room, and the live view has the most recent ticks when the
    /// backend can be reached again. If even the limit is reached, the segment of ticks being written is removed too, and then
    /// the new ticks. Fails if the limit is reached, if the disk cannot be written, or if an earlier call failed.
    pub fn append(&self, intervals: &[Interval]) -> Result<(), SpoolError> {
        let mut writer = self.writer();
        if writer.closed {
            return Err(SpoolError::Closed { path: self.folder.clone() });
        }
        let result = self.append_to(&mut writer, intervals);
        writer.closed = result.is_err();
        result
    }

    fn append_to(&self, writer: &mut Writer, intervals: &[Interval]) -> Result<(), SpoolError> {
        let (mut ticks, lasting): (Vec<_>, Vec<_>) = intervals.iter().partition(|interval| self.is_tick(interval));
        for (tail, intervals) in [(&mut writer.ticks, &ticks), (&mut writer.lasting, &lasting)] {
            tail.buffer.clear();
            for interval in intervals {
                record::append(&mut tail.buffer, interval)?;
            }
        }
        if !self.make_room(writer, &ticks)? {
            writer.ticks.buffer.clear();
            ticks.clear();
        }
        let written = self.write(&mut writer.lasting).and_then(|()| self.write(&mut writer.ticks));
        if written.is_err() {
            writer.lasting.cut_back();
            writer.ticks.cut_back();
            return written;
        }
        let mut ledger = self.ledger();
        for (tail, intervals) in [(&mut writer.lasting, lasting), (&mut writer.ticks, ticks)] {
            tail.length += tail.added();
            for interval in intervals {
                ledger.written(tail.no, interval);
            }
            if let Some(segment) = ledger.segment(tail.no) {
                segment.durable_bytes = tail.length;
            }
        }
        Ok(())
    }

    /// Writes the buffer to the segment and syncs it. The intervals count as stored only when both kinds are written.
    fn write(&self, tail: &mut Tail) -> Result<(), SpoolError> {
        if tail.buffer.is_empty() {
            return Ok(());
        }
        if tail.file.is_none() || tail.length + tail.added() > self.segment_bytes(tail.kind) {
            self.begin_segment(tail)?;
        }
        let path = segment_path(&self.folder, tail.no, tail.kind);
        let Some(file) = tail.file.as_mut() else {
            return Err(SpoolError::Closed { path });
        };
        file.write_all(&tail.buffer).and_then(|()| file.sync_data()).map_err(SpoolError::io("cannot write", &path))
    }

    fn begin_segment(&self, tail: &mut Tail) -> Result<(), SpoolError> {
        let no = self.ledger().last_no + 1;
        let path = segment_path(&self.folder, no, tail.kind);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(SpoolError::io("cannot create", &path))?;
        file.write_all(MAGIC).map_err(SpoolError::io("cannot write", &path))?;
        sync_folder_of(&path)?;
        (tail.no, tail.length, tail.file) = (no, MAGIC.len() as u64, Some(file));
        self.ledger().begin(no, tail.kind, tail.length);
        Ok(())
    }

    /// Returns the length at which a segment of this kind is closed. Ticks are removed by whole segments, so each of these must
    /// be a small part of the limit.
    fn segment_bytes(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Ticks => (self.limit_bytes / 64).clamp(SHORTEST_SEGMENT_BYTES, SEGMENT_BYTES),
            Kind::Lasting => SEGMENT_BYTES,
        }
    }

    /// Removes as many ticks as needed to write both buffers. Returns whether there is room for the new `ticks`; if not, they are
    /// recorded as left out.
    ///
    /// The ledger stays locked throughout, and the record of what is left out is durable before any wire number depends on it:
    /// otherwise an interval offered meanwhile would have another number after a crash.
    fn make_room(&self, writer: &mut Writer, ticks: &[&Interval]) -> Result<bool, SpoolError> {
        let mut ledger = self.ledger();
        let (limit, nearly_full) = (self.limit_bytes, self.limit_bytes / 4 * 3);
        let (lasting, both) = (writer.lasting.added(), writer.lasting.added() + writer.ticks.added());
        let mut left = ledger.bytes();
        let mut removed: Vec<Segment> = Vec::new();
        for segment in ledger.never_offered_ticks() {
            let is_open = segment.no == writer.ticks.no;
            if left.saturating_add(both) > limit || (left >= nearly_full && !is_open) {
                left -= segment.durable_bytes;
                removed.push(segment.clone());
            }
        }
        if left.saturating_add(lasting) > limit {
            // Checked before anything is removed, so that no tick is lost without making room.
            return Err(SpoolError::Full { path: self.folder.clone(), limit_bytes: limit });
        }
        let has_room = left.saturating_add(both) <= limit;
        if removed.is_empty() && has_room {
            return Ok(true);
        }
        let mut omitted = ledger.omitted.clone();
        for (series_no, held) in removed.iter().flat_map(|segment| &segment.holds) {
            let ranges = omitted.ticks.entry(*series_no).or_default();
            held.iter().for_each(|(from, to)| ranges.insert(from, to));
        }
        if !has_room {
            for tick in ticks {
                ledger.measured(tick);
                omitted.ticks.entry(tick.series_no).or_default().insert(tick.seq, tick.seq);
            }
        }
        omitted.data_through_ns = ledger.done.data_through_ns;
        let path = self.folder.join(OMITTED_FILE);
        replace_json(&path, &omitted)?;
        ledger.omitted = omitted;
        ledger.segments.retain(|segment| !removed.iter().any(|gone| gone.no == segment.no));
        if removed.iter().any(|gone| gone.no == writer.ticks.no) {
            writer.ticks.file = None;
        }
        sync_folder_of(&path)?;
        for segment in removed {
            let path = segment_path(&self.folder, segment.no, segment.kind);
            fs::remove_file(&path).map_err(SpoolError::io("cannot delete", &path))?;
        }
        Ok(has_room)
    }
}
