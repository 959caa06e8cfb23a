//! Walking over the spool in the order of writing, batch by batch, ticks beside the rest.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use measure::series::Interval;

use super::error::SpoolError;
use super::files::segment_path;
use super::ledger::{Kind, Ledger};
use super::record::{Found, MAGIC, next};

/// How much one batch may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimit {
    /// Intervals, at least 1.
    pub intervals: usize,
    /// Bytes as they lie in the spool; a single larger interval, or one of each kind, is still sent.
    pub bytes: usize,
    /// Time between the first start and the last start, for ticks and the rest each.
    pub span_ns: u64,
}

impl Default for BatchLimit {
    /// Far below the 8 MiB that a backend accepts.
    fn default() -> Self {
        Self { intervals: 2000, bytes: 512 << 10, span_ns: 60_000_000_000 }
    }
}

/// Intervals that are sent together.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Numbered as on the wire; of each series in order of writing.
    pub intervals: Vec<Interval>,
    after: Places,
}

impl Batch {
    /// Number of the last segment of ticks that this batch may have taken from.
    pub(super) fn ticks_through(&self) -> u64 {
        self.after.ticks.segment_no
    }
}

/// A place between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Place {
    segment_no: u64,
    offset: u64,
}

/// How far each kind has got: neither waits for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Places {
    ticks: Place,
    lasting: Place,
}

/// Remembers how far sending has got. Rewinding is always safe: what is settled is skipped.
#[derive(Debug, Default)]
pub struct Reader {
    at: Places,
    /// Which kind has the first half of the next batch, and so all of a batch of one.
    lasting_first: bool,
}

impl Reader {
    /// Goes back to the oldest record.
    pub fn rewind(&mut self) {
        self.at = Places::default();
    }

    /// Advance behind a batch that was settled.
    pub fn advance(&mut self, batch: &Batch) {
        self.at = batch.after;
        self.lasting_first = !self.lasting_first;
    }

    /// The next intervals that are to be sent, numbered as in the spool; none when there are none behind this place.
    ///
    /// Half of a batch is for ticks, half for the rest; what one does not need is for the other. So after an outage both
    /// get on, and the newest tick does not wait until every histogram has gone. They take turns at the first half, so
    /// that a refused interval soon stands alone, of whichever kind it is.
    pub(super) fn next(
        &mut self,
        folder: &Path,
        ledger: &Ledger,
        limit: BatchLimit,
    ) -> Result<Option<Batch>, SpoolError> {
        let half = BatchLimit { intervals: limit.intervals.div_ceil(2), bytes: limit.bytes / 2, ..limit };
        let mut ticks = Cursor::new(folder, ledger, Kind::Ticks, self.at.ticks);
        let mut lasting = Cursor::new(folder, ledger, Kind::Lasting, self.at.lasting);
        let mut taken = Taken::default();
        let (one, other) = if self.lasting_first { (&mut lasting, &mut ticks) } else { (&mut ticks, &mut lasting) };
        let results = [one.fill(&mut taken, half), other.fill(&mut taken, limit), one.fill(&mut taken, limit)];
        let after = Places { ticks: ticks.at, lasting: lasting.at };
        if !taken.intervals.is_empty() {
            // What cannot be read of one kind does not hold up the other; it is told when nothing else is left.
            return Ok(Some(Batch { intervals: taken.intervals, after }));
        }
        self.at = after;
        results.into_iter().collect::<Result<Vec<()>, _>>().map(|_| None)
    }
}

/// What a batch holds so far.
#[derive(Debug, Default)]
struct Taken {
    intervals: Vec<Interval>,
    bytes: usize,
}

/// Walks over the segments of one kind.
struct Cursor<'a> {
    folder: &'a Path,
    ledger: &'a Ledger,
    kind: Kind,
    /// Behind the last record that was taken or skipped.
    at: Place,
    /// What is read of one segment, how much of it is passed, and where that is.
    bytes: Vec<u8>,
    used: usize,
    here: Place,
    /// Read, but not taken yet, and its size.
    head: Option<(Interval, usize)>,
    first_start_ns: Option<u64>,
}

impl<'a> Cursor<'a> {
    fn new(folder: &'a Path, ledger: &'a Ledger, kind: Kind, at: Place) -> Self {
        Self { folder, ledger, kind, at, bytes: Vec::new(), used: 0, here: at, head: None, first_start_ns: None }
    }

    /// Takes what there is until the batch is full. The first of a kind is taken however large it is, so that it does not
    /// wait for ever.
    fn fill(&mut self, taken: &mut Taken, limit: BatchLimit) -> Result<(), SpoolError> {
        loop {
            if self.head.is_none() {
                self.head = self.next_wanted()?;
            }
            let Some((interval, size)) = &self.head else { return Ok(()) };
            let full = taken.intervals.len() >= limit.intervals
                || self.first_start_ns.is_some_and(|first_ns| {
                    taken.bytes + size > limit.bytes || interval.start_ns.abs_diff(first_ns) >= limit.span_ns
                });
            if full {
                return Ok(());
            }
            if let Some((interval, size)) = self.head.take() {
                self.first_start_ns.get_or_insert(interval.start_ns);
                self.pass(size);
                taken.bytes += size;
                taken.intervals.push(interval);
            }
        }
    }

    fn pass(&mut self, size: usize) {
        self.used += size;
        self.here.offset += size as u64;
        self.at = self.here;
    }

    /// The next record that is to be sent, and its size.
    fn next_wanted(&mut self) -> Result<Option<(Interval, usize)>, SpoolError> {
        loop {
            match next(&self.bytes[self.used..]) {
                Found::Record(interval, size) => {
                    if self.ledger.is_wanted(interval.series_no, interval.seq) {
                        return Ok(Some((interval, size)));
                    }
                    self.pass(size);
                }
                Found::End => {
                    if !self.load()? {
                        return Ok(None);
                    }
                }
                // Opening repairs segments, so this is damage that happened since.
                Found::Torn | Found::Damaged(_) => {
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

    /// Reads what comes next of this segment or the one behind it; whether there is anything.
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
        self.here = Place { segment_no: segment.no, offset };
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
