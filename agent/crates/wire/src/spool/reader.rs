//! Walking over the spool in the order of writing, batch by batch. A batch is taken from one segment.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use measure::series::Interval;

use super::SpoolError;
use super::files::segment_path;
use super::ledger::Ledger;
use super::record::{Found, MAGIC, next};

/// How much one batch may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimit {
    /// Intervals, at least 1.
    pub intervals: usize,
    /// Bytes as they lie in the spool; a single larger interval is still sent.
    pub bytes: usize,
    /// Time between the first start and the last start.
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
    /// In order of writing.
    pub intervals: Vec<Interval>,
    after: Place,
}

/// A place between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Place {
    segment_no: u64,
    offset: u64,
}

/// Remembers how far sending has got. Rewinding is always safe: what is settled is skipped.
#[derive(Debug, Default)]
pub struct Reader {
    at: Place,
}

impl Reader {
    /// Goes back to the oldest record.
    pub fn rewind(&mut self) {
        self.at = Place::default();
    }

    /// Goes on behind a batch that was dealt with.
    pub fn advance(&mut self, batch: &Batch) {
        self.at = batch.after;
    }

    /// The next intervals that are not settled; none when everything behind this place is.
    pub(super) fn next(
        &mut self,
        folder: &Path,
        ledger: &Ledger,
        limit: BatchLimit,
    ) -> Result<Option<Batch>, SpoolError> {
        for segment in &ledger.segments {
            let first = MAGIC.len() as u64;
            let offset = match segment.no.cmp(&self.at.segment_no) {
                Ordering::Less => continue,
                Ordering::Equal => self.at.offset.max(first),
                Ordering::Greater => first,
            };
            if offset >= segment.durable_bytes {
                continue;
            }
            let path = segment_path(folder, segment.no);
            let bytes = read_between(&path, offset, segment.durable_bytes)?;
            let (intervals, used) = take(&bytes, ledger, limit, &path)?;
            let after = Place { segment_no: segment.no, offset: offset + used };
            if !intervals.is_empty() {
                return Ok(Some(Batch { intervals, after }));
            }
            self.at = after;
        }
        Ok(None)
    }
}

fn take(bytes: &[u8], ledger: &Ledger, limit: BatchLimit, path: &Path) -> Result<(Vec<Interval>, u64), SpoolError> {
    let mut intervals: Vec<Interval> = Vec::new();
    let mut used = 0;
    let mut taken_bytes = 0;
    loop {
        match next(&bytes[used..]) {
            Found::Record(interval, size) => {
                if !ledger.is_settled(interval.series_no, interval.seq) {
                    let full = intervals.first().is_some_and(|first| {
                        intervals.len() >= limit.intervals
                            || taken_bytes + size > limit.bytes
                            || interval.start_ns.abs_diff(first.start_ns) >= limit.span_ns
                    });
                    if full {
                        break;
                    }
                    taken_bytes += size;
                    intervals.push(interval);
                }
                used += size;
            }
            // Opening repairs segments, so this is damage that happened since.
            Found::Torn | Found::Damaged(_) if intervals.is_empty() => {
                return Err(SpoolError::Unreadable {
                    path: path.to_owned(),
                    reason: "a record changed on disk after it was written; `tailroom-agent drain` sends the others"
                        .to_owned(),
                });
            }
            Found::End | Found::Torn | Found::Damaged(_) => break,
        }
    }
    Ok((intervals, used as u64))
}

fn read_between(path: &Path, from: u64, to: u64) -> Result<Vec<u8>, SpoolError> {
    let mut file = File::open(path).map_err(SpoolError::io("cannot open", path))?;
    file.seek(SeekFrom::Start(from)).map_err(SpoolError::io("cannot read", path))?;
    let mut bytes = vec![0; usize::try_from(to - from).unwrap_or(usize::MAX)];
    file.read_exact(&mut bytes).map_err(SpoolError::io("cannot read", path))?;
    Ok(bytes)
}
