//! The measured drives' own counters during a run: read when it is armed, at its start, each minute, at its end and after the
//! drain. A thread of its own reads them, because a drive can take arbitrarily long to answer. What it has not answered a few
//! seconds after the drain is left out, so that the finish of the run does not wait for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use device::counters::{Counters, Reader};
use device::smart;
use measure::clock::whole_ns;
use serde::Serialize;
use serde_json::{Value, json};
use wire::spool::RunSpool;

use crate::inventory::health;
use crate::lock::locked;

/// How long arming and finishing wait for a drive's answer.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Most bytes of the document as JSON. A backend accepts a finish of up to 1 MiB.
const MOST_BYTES: usize = 768 << 10;
/// Prefix of the drive's counters of slow commands: many, and needed only in the first and last readings.
const LATENCY_MONITOR: &str = "latency_monitor.";
const VERSION: u32 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Moment {
    /// Everything is prepared, and there is no load yet.
    Armed,
    /// Offset 0.
    Start,
    /// Between start and end, at the interval of the reader.
    Minute,
    End,
    /// No operation is under way any more.
    Drained,
}

#[derive(Debug, Clone, Serialize)]
struct Reading {
    moment: Moment,
    /// Begin of the reading, in nanoseconds from offset 0; negative before it.
    at_ns: i64,
    /// How long the drive took to answer, in nanoseconds.
    took_ns: u64,
    #[serde(flatten)]
    counters: Counters,
}

#[derive(Debug, Clone, Serialize)]
struct Drive {
    /// Measured files or devices on this drive, as named in the series.
    devices: Vec<String>,
    disk: String,
    readings: Vec<Reading>,
    absent: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
struct Document {
    version: u32,
    drives: Vec<Drive>,
    /// Measured paths without a disk of their own.
    without_disk: Vec<String>,
}

/// Reader of the drives of one run; dropping it ends its thread.
pub struct DriveCounters {
    document: Arc<Mutex<Document>>,
    start: Sender<(Instant, Duration, Arc<RunSpool>)>,
    end: Sender<()>,
    done: Receiver<()>,
}

impl DriveCounters {
    /// Reads the drives of `paths`, and returns a reader that repeats this every `every`; `None` without paths, or if that is zero.
    pub fn arm(paths: &[PathBuf], every: Duration) -> Option<Self> {
        Self::over(paths, Path::new("/sys"), every)
    }

    fn over(paths: &[PathBuf], sys: &Path, every: Duration) -> Option<Self> {
        if paths.is_empty() || every.is_zero() {
            return None;
        }
        let mut drives: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut without_disk = Vec::new();
        for path in paths {
            let name = path.display().to_string();
            match smart::disk_of(sys, path) {
                Some(disk) => drives.entry(disk).or_default().push(name),
                None => without_disk.push(name),
            }
        }
        let readers: Vec<Reader> = drives.keys().map(|disk| Reader::new(sys, disk)).collect();
        let drives = drives
            .into_iter()
            .map(|(disk, devices)| Drive { devices, disk, readings: Vec::new(), absent: BTreeMap::new() })
            .collect();
        let document = Arc::new(Mutex::new(Document { version: VERSION, drives, without_disk }));
        let (start, started) = bounded(1);
        let (end, ended) = bounded(1);
        let (armed, is_armed) = bounded(1);
        let (finished, done) = bounded(1);
        let watch = Watch { document: Arc::clone(&document), readers, every };
        thread::Builder::new()
            .name("drive-counters".into())
            .spawn(move || {
                watch.through(&armed, &started, &ended);
                let _ = finished.send(());
            })
            .ok()?;
        let _ = is_armed.recv_timeout(TIMEOUT);
        Some(Self { document, start, end, done })
    }

    /// Sets the start and the length of the run. From now on each reading is also stored in the spool, in case the agent is killed.
    pub fn started(&self, origin: Instant, planned: Duration, spool: &Arc<RunSpool>) {
        let _ = self.start.try_send((origin, planned, Arc::clone(spool)));
    }

    /// Reads once more, after the drain, and returns the document of the run.
    pub fn drained(self) -> Value {
        let _ = self.end.try_send(());
        let _ = self.done.recv_timeout(TIMEOUT);
        value_of(&self.document)
    }
}

fn value_of(document: &Mutex<Document>) -> Value {
    json!(*locked(document))
}

/// The state of the reading thread.
struct Watch {
    document: Arc<Mutex<Document>>,
    readers: Vec<Reader>,
    every: Duration,
}

impl Watch {
    fn through(
        mut self,
        armed: &Sender<()>,
        started: &Receiver<(Instant, Duration, Arc<RunSpool>)>,
        ended: &Receiver<()>,
    ) {
        let armed_at = Instant::now();
        self.read(Moment::Armed, armed_at);
        let _ = armed.send(());
        let Ok((origin, planned, spool)) = started.recv() else { return };
        self.move_origin(armed_at, origin);
        let mut due: Vec<(Instant, Moment)> = vec![(origin + planned, Moment::End), (origin, Moment::Start)];
        let mut minute = origin + self.every;
        loop {
            let (at, moment) = match due.last() {
                Some((at, moment)) if *at <= minute => (*at, *moment),
                _ => (minute, Moment::Minute),
            };
            match ended.recv_timeout(at.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) => break,
                // The run was abandoned.
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.read(moment, origin);
            if moment == Moment::Minute {
                minute += self.every;
            } else {
                due.pop();
            }
            // If this fails, the finish still sends the counters.
            let _ = spool.write_drive_counters(&value_of(&self.document));
        }
        self.read(Moment::Drained, origin);
    }

    fn read(&mut self, moment: Moment, origin: Instant) {
        for (index, reader) in self.readers.iter_mut().enumerate() {
            let begun = Instant::now();
            let mut counters = reader.read();
            health::add_ata_counters(reader, &mut counters);
            let took_ns = whole_ns(begun.elapsed());
            if moment == Moment::Minute {
                counters.histograms.clear();
                counters.values.retain(|name, _| !name.starts_with(LATENCY_MONITOR));
            }
            let mut document = locked(&self.document);
            let drive = &mut document.drives[index];
            drive.readings.push(Reading { moment, at_ns: offset_ns(begun, origin), took_ns, counters });
            drive.absent.clone_from(&reader.absent);
        }
        fit(&mut locked(&self.document), MOST_BYTES);
    }

    /// Offsets were relative to the first reading until the start was known.
    fn move_origin(&self, from: Instant, to: Instant) {
        let shift = offset_ns(from, to);
        for drive in &mut locked(&self.document).drives {
            for reading in &mut drive.readings {
                reading.at_ns += shift;
            }
        }
    }
}

/// Removes the least important parts until the document is small enough: first every second reading between start and end, then
/// histograms and counters of slow commands, then all readings of a drive, with the reason in its entry.
fn fit(document: &mut Document, most_bytes: usize) {
    let is_small = |document: &Document| serde_json::to_vec(document).is_ok_and(|text| text.len() <= most_bytes);
    let is_minute = |reading: &Reading| reading.moment == Moment::Minute;
    while !is_small(document) && document.drives.iter().any(|drive| drive.readings.iter().any(is_minute)) {
        for drive in &mut document.drives {
            let mut number = 0;
            drive.readings.retain(|reading| {
                number += usize::from(is_minute(reading));
                !is_minute(reading) || number % 2 == 0
            });
        }
    }
    if is_small(document) {
        return;
    }
    for reading in document.drives.iter_mut().flat_map(|drive| &mut drive.readings) {
        reading.counters.histograms.clear();
        reading.counters.values.retain(|name, _| !name.starts_with(LATENCY_MONITOR));
    }
    for index in (0..document.drives.len()).rev() {
        if is_small(document) {
            return;
        }
        let drive = &mut document.drives[index];
        drive.readings.clear();
        let reason = "left out: the counters of so many drives are too large to send".to_owned();
        drive.absent = BTreeMap::from([("kernel".to_owned(), reason)]);
    }
}

fn offset_ns(at: Instant, origin: Instant) -> i64 {
    let signed_ns = |duration| i64::try_from(whole_ns(duration)).unwrap_or(i64::MAX);
    match at.checked_duration_since(origin) {
        Some(after) => signed_ns(after),
        None => -signed_ns(origin.duration_since(at)),
    }
}

#[cfg(test)]
#[path = "drive_counters_tests.rs"]
mod tests;
