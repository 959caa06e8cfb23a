//! Storage of samples on disk until the backend has acknowledged them: one folder for each observation.
//!
//! Each line holds one sample. The number of acknowledged samples is stored beside them, so that a restart continues there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::spool::write_json;

use super::gauges::{Gauge, UnknownGroup};
use crate::inventory::probe::names;

/// The first message of an observation to the backend.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Announcement {
    pub host_name: String,
    /// Addresses of the servers on this machine, as runs name them.
    pub servers: Vec<String>,
    /// Start of the first second by the backend's clock, in nanoseconds since the Unix epoch.
    pub started_at_unix_ns: u64,
    /// Largest error of that start, in nanoseconds; `None` if it is by the machine's own clock.
    pub clock_error_ns: Option<u64>,
    pub gauges: Vec<Gauge>,
    /// Groups of gauges that are missing, with reasons.
    pub unknown: Vec<UnknownGroup>,
    pub agent: Value,
}

/// Numbers of one second, in the order of the gauges.
pub type Sample = Vec<Option<f64>>;

/// The writing side of one observation on disk.
#[derive(Debug)]
pub struct ObservationWriter {
    pub folder: PathBuf,
    samples: File,
    pub written: u64,
}

impl ObservationWriter {
    pub fn begin(root: &Path, id: &str, announcement: &Announcement) -> io::Result<Self> {
        let folder = root.join(id);
        fs::create_dir_all(&folder)?;
        write_json(&folder.join("announcement.json"), announcement).map_err(io::Error::other)?;
        let samples = OpenOptions::new().append(true).create(true).open(folder.join("samples"))?;
        Ok(Self { folder, samples, written: 0 })
    }

    pub fn append(&mut self, sample: &Sample) -> io::Result<()> {
        let mut line = serde_json::to_vec(sample)?;
        line.push(b'\n');
        self.samples.write_all(&line)?;
        self.written += 1;
        Ok(())
    }

    pub fn end(&self) -> io::Result<()> {
        self.samples.sync_all()?;
        write_json(&self.folder.join("ended"), &self.written).map_err(io::Error::other)
    }
}

/// The sending side of one observation on disk; used by the sender alone.
#[derive(Debug)]
pub struct ObservationReader {
    folder: PathBuf,
    /// Whether the backend has the announcement.
    pub is_announced: bool,
    pub position: Position,
}

/// Position of the sender in the file, as stored on disk.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Position {
    pub next: u64,
    at_byte: u64,
}

impl ObservationReader {
    /// Opens an observation at the stored position of its sender.
    pub fn of(folder: &Path) -> Self {
        let position = fs::read(folder.join("acknowledged")).ok();
        let position = position.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        Self { folder: folder.to_owned(), is_announced: false, position }
    }

    /// Returns the folders of all observations, oldest first: their ids begin with the time.
    pub fn all(root: &Path) -> Vec<PathBuf> {
        let folders = names(root).into_iter().map(|name| root.join(name));
        folders.filter(|folder| folder.join("announcement.json").exists()).collect()
    }

    pub fn id(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn announcement(&self) -> io::Result<Value> {
        Ok(serde_json::from_slice(&fs::read(self.folder.join("announcement.json"))?)?)
    }

    /// Returns the next unacknowledged samples, at most `most` and `most_bytes`, with the first number and the end in the file.
    pub fn next(&self, most: usize, most_bytes: usize) -> io::Result<(u64, Vec<Value>, u64)> {
        let mut file = File::open(self.folder.join("samples"))?;
        file.seek(SeekFrom::Start(self.position.at_byte))?;
        let (mut reader, mut line, mut end, mut bytes) = (BufReader::new(file), Vec::new(), self.position.at_byte, 0);
        let mut samples = Vec::new();
        while samples.len() < most {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)?;
            // A line without an end is being written now, or was cut off by a power failure.
            if length == 0 || line.last() != Some(&b'\n') || (bytes > 0 && bytes + length > most_bytes) {
                break;
            }
            bytes += length;
            end += length as u64;
            samples.push(serde_json::from_slice(&line)?);
        }
        Ok((self.position.next, samples, end))
    }

    /// Records that the backend has all samples before number `next`, which end at `at_byte`.
    pub fn acknowledged(&mut self, next: u64, at_byte: u64) -> io::Result<()> {
        self.position = Position { next, at_byte };
        write_json(&self.folder.join("acknowledged"), &self.position).map_err(io::Error::other)
    }

    /// Returns the final number of samples, or `None` until the observation has ended.
    pub fn ended(&self) -> Option<u64> {
        fs::read_to_string(self.folder.join("ended")).ok()?.parse().ok()
    }

    /// Deletes the observation, once the backend has all of it.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.folder)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_acknowledged_is_not_read_again_and_half_a_line_waits() {
        let root = tempfile::tempdir().expect("a folder");
        let announcement = Announcement {
            host_name: "db".into(),
            servers: vec![],
            started_at_unix_ns: 1,
            clock_error_ns: None,
            gauges: vec![Gauge::new("cpu", "busy", "", "percent")],
            unknown: vec![],
            agent: json!({"version": "1"}),
        };
        let mut writer = ObservationWriter::begin(root.path(), "01", &announcement).expect("begun");
        for value in [1.5, 2.5, 3.5] {
            writer.append(&vec![Some(value), None]).expect("kept");
        }
        writer.samples.write_all(b"[4.5").expect("written");
        let folders = ObservationReader::all(root.path());
        let mut reader = ObservationReader::of(&folders[0]);
        let (first, samples, end) = reader.next(2, 1_000).expect("read");
        assert_eq!((first, samples), (0, vec![json!([1.5, null]), json!([2.5, null])]));
        reader.acknowledged(2, end).expect("kept");
        let (first, samples, _) = ObservationReader::of(&folders[0]).next(60, 1_000).expect("read");
        assert_eq!((first, samples), (2, vec![json!([3.5, null])]));
        assert_eq!(reader.ended(), None);
        writer.end().expect("ended");
        assert_eq!(reader.ended(), Some(3));
    }

    #[test]
    fn a_mark_that_cannot_be_written_whole_leaves_the_old_one() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("01");
        fs::create_dir(&folder).expect("created");
        let mut reader = ObservationReader::of(&folder);
        reader.acknowledged(2, 30).expect("kept");
        // A folder with the name of the temporary file makes the write fail.
        fs::create_dir(folder.join("acknowledged.new")).expect("created");
        reader.acknowledged(4, 60).expect_err("in the way");
        let reader = ObservationReader::of(&folder);
        assert_eq!((reader.position.next, reader.position.at_byte), (2, 30));
    }
}
