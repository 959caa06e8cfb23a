//! Reads a spool batch by batch in the order of writing, with ticks and other intervals side by side.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use measure::series::Interval;

use super::files::{SpoolError, segment_path};
use super::ledger::{Kind, Ledger};
use super::record::{Content, MAGIC, next};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimit {
    /// Most intervals; at least 1.
    pub intervals: usize,
    /// Most bytes as stored in the spool. The first interval of each kind is sent even if it is larger.
    pub bytes: usize,
    /// Longest time between the first and the last start, in nanoseconds, for ticks and for other intervals separately.
    pub span_ns: u64,
}

impl Default for BatchLimit {
    /// Returns limits far below the 8 MiB that a backend accepts.
    fn default() -> Self {
        Self { intervals: 2000, bytes: 512 << 10, span_ns: 60_000_000_000 }
    }
}

/// Intervals that are sent together.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Intervals with wire numbers; those of one series are in order of writing.
    pub intervals: Vec<Interval>,
    after: Positions,
}

impl Batch {
    /// Returns the number of the last segment of ticks that this batch may have read.
    pub(super) fn ticks_through(&self) -> u64 {
        self.after.ticks.segment_no
    }
}

/// Position between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Position {
    segment_no: u64,
    offset: u64,
}

/// Position of each kind; they advance independently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Positions {
    ticks: Position,
    lasting: Position,
}

/// Position of sending in a spool. Rewinding is always safe: settled intervals are skipped.
#[derive(Debug, Default)]
pub struct Reader {
    at: Positions,
    /// Whether ticks come second in the next batch. The first kind gets the first half, and so all of a batch of one interval.
    lasting_first: bool,
}

impl Reader {
    /// Moves back to the oldest record.
    pub fn rewind(&mut self) {
        self.at = Positions::default();
    }

    /// Moves past a batch that was settled.
    pub fn advance(&mut self, batch: &Batch) {
        self.at = batch.after;
        self.lasting_first = !self.lasting_first;
    }

    /// Returns the next intervals to send, with their numbers in the spool, or `None` if none are left.
    ///
    /// Ticks get half of a batch and other intervals the other half; what one kind does not use, the other gets. So after an
    /// outage both advance, and the newest tick does not wait for all histograms. The kinds alternate in the first half, so that
    /// a refused interval of either kind is soon sent alone.
    pub(super) fn next(
        &mut self,
        folder: &Path,
        ledger: &Ledger,
        limit: BatchLimit,
    ) -> Result<Option<Batch>, SpoolError> {
        let half = BatchLimit { intervals: limit.intervals.div_ceil(2), bytes: limit.bytes / 2, ..limit };
        let mut ticks = Cursor::new(folder, ledger, Kind::Ticks, self.at.ticks);
        let mut lasting = Cursor::new(folder, ledger, Kind::Lasting, self.at.lasting);
        let mut filling = FillingBatch::default();
        let (first, second) = if self.lasting_first { (&mut lasting, &mut ticks) } else { (&mut ticks, &mut lasting) };
        let results =
            [first.fill(&mut filling, half), second.fill(&mut filling, limit), first.fill(&mut filling, limit)];
        let after = Positions { ticks: ticks.at, lasting: lasting.at };
        if !filling.intervals.is_empty() {
            // A read error of one kind must not block the other; it is returned when nothing else is left.
            return Ok(Some(Batch { intervals: filling.intervals, after }));
        }
        self.at = after;
        results.into_iter().collect::<Result<Vec<()>, _>>().map(|_| None)
    }
}

#[derive(Debug, Default)]
struct FillingBatch {
    intervals: Vec<Interval>,
    bytes: usize,
}

/// Cursor over the segments of one kind.
struct Cursor<'a> {
    folder: &'a Path,
    ledger: &'a Ledger,
    kind: Kind,
    /// Position after the last record that was taken or skipped.
    at: Position,
    /// The loaded part of a segment, how many of its bytes are consumed, and the position of that point.
    bytes: Vec<u8>,
    used: usize,
    here: Position,
    /// The next interval to send, already read but not taken, and its size in bytes.
    head: Option<(Interval, usize)>,
    first_start_ns: Option<u64>,
}

impl<'a> Cursor<'a> {
    fn new(folder: &'a Path, ledger: &'a Ledger, kind: Kind, at: Position) -> Self {
        Self { folder, ledger, kind, at, bytes: Vec::new(), used: 0, here: at, head: None, first_start_ns: None }
    }

    /// Adds intervals until the batch is full or none are left. The first of a kind is added whatever its size.
    fn fill(&mut self, filling: &mut FillingBatch, limit: BatchLimit) -> Result<(), SpoolError> {
        loop {
            if self.head.is_none() {
                self.head = self.next_wanted()?;
            }
            let Some((interval, size)) = &self.head else { return Ok(()) };
            let full = filling.intervals.len() >= limit.intervals
                || self.first_start_ns.is_some_and(|first_ns| {
                    filling.bytes + size > limit.bytes || interval.start_ns.abs_diff(first_ns) >= limit.span_ns
                });
            if full {
                return Ok(());
            }
            if let Some((interval, size)) = self.head.take() {
                self.first_start_ns.get_or_insert(interval.start_ns);
                self.pass(size);
                filling.bytes += size;
                filling.intervals.push(interval);
            }
        }
    }

    fn pass(&mut self, size: usize) {
        self.used += size;
        self.here.offset += size as u64;
        self.at = self.here;
    }

    /// Returns the next interval that is to be sent, and its size in bytes.
    fn next_wanted(&mut self) -> Result<Option<(Interval, usize)>, SpoolError> {
        loop {
            match next(&self.bytes[self.used..]) {
                Content::Record(interval, size) => {
                    if self.ledger.is_wanted(interval.series_no, interval.seq) {
                        return Ok(Some((interval, size)));
                    }
                    self.pass(size);
                }
                Content::End => {
                    if !self.load()? {
                        return Ok(None);
                    }
                }
                // Opening a spool repairs its segments, so this damage happened since.
                Content::Torn | Content::Damaged(_) => {
                    return Err(SpoolError::Unreadable {
                        path: segment_path(self.folder, self.here.segment_no, self.kind),
                        reason:
                            "a record changed on disk after it was written; `tailroom-agent drain` sends the others"
                                .to_owned(),
                    });
                }
            }
        }
    }

    /// Loads the next part of this segment or the next segment. Returns whether there was anything to load.
    fn load(&mut self) -> Result<bool, SpoolError> {
        let first = MAGIC.len() as u64;
        let mut of_kind = self.ledger.segments.iter().filter(|segment| segment.kind == self.kind);
        let next_segment = of_kind.find_map(|segment| {
            let offset = match segment.no.cmp(&self.here.segment_no) {
                Ordering::Less => return None,
                Ordering::Equal => self.here.offset.max(first),
                Ordering::Greater => first,
            };
            (offset < segment.durable_bytes).then_some((segment, offset))
        });
        let Some((segment, offset)) = next_segment else { return Ok(false) };
        let path = segment_path(self.folder, segment.no, self.kind);
        self.bytes = read_between(&path, offset, segment.durable_bytes)?;
        self.used = 0;
        self.here = Position { segment_no: segment.no, offset };
        Ok(true)
    }
}

fn read_between(path: &Path, from: u64, to: u64) -> Result<Vec<u8>, SpoolError> {
    let mut file = File::open(path).map_err(SpoolError::io("cannot open", path))?;
    file.seek(SeekFrom::Start(from)).map_err(SpoolError::io("cannot read", path))?;
    let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(usize::MAX)];
    file.read_exact(&mut bytes).map_err(SpoolError::io("cannot read", path))?;
    Ok(bytes)
}
