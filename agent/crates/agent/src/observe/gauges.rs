//! Gauges and their sources: kernel files that stay open, and counters as differences between reads.
//!
//! A counter of the kernel gives its mean rate over the second between two reads; a state is read at the end of the second.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A number that is read every second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    /// Group of the gauge, such as `cpu` or `disk`.
    pub group: String,
    /// Name in the group, such as `busy`.
    pub name: String,
    /// Device concerned, such as `nvme0n1`; empty if there is only one.
    pub of: String,
    /// Unit: `percent`, `bytes`, `bytes/s`, `1/s`, `count`, `celsius` or `watts`.
    pub unit: String,
}

impl Gauge {
    pub fn new(group: &str, name: &str, of: &str, unit: &str) -> Self {
        Self { group: group.into(), name: name.into(), of: of.into(), unit: unit.into() }
    }
}

/// A group of gauges that cannot be read on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownGroup {
    pub group: String,
    /// Why it cannot be read, for people.
    pub reason: String,
}

impl UnknownGroup {
    pub fn new(group: &str, reason: impl Into<String>) -> Self {
        Self { group: group.into(), reason: reason.into() }
    }
}

/// A source of gauges that is read every second.
pub struct Source {
    pub gauges: Vec<Gauge>,
    /// Reads the gauges, in their order. Differences of counters are divided by the given seconds since the last read. `None`
    /// marks a value that is unknown this time.
    pub read: Box<dyn FnMut(f64) -> Vec<Option<f64>>>,
}

/// A kernel file that stays open and is read from its beginning each time.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    bytes: Vec<u8>,
}

impl OpenFile {
    /// Opens the file and reads it once.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut source = Self { file: File::open(path)?, bytes: vec![0; 1 << 14] };
        source.text()?;
        Ok(source)
    }

    pub fn text(&mut self) -> io::Result<&str> {
        let mut length = 0;
        loop {
            if length == self.bytes.len() {
                self.bytes.resize(self.bytes.len() * 2, 0);
            }
            match self.file.read_at(&mut self.bytes[length..], length as u64)? {
                0 => break,
                more => length += more,
            }
        }
        std::str::from_utf8(&self.bytes[..length]).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Returns the whole content as one number.
    pub fn number(&mut self) -> Option<f64> {
        self.text().ok()?.trim().parse().ok()
    }
}

/// Differences of counters between two reads.
#[derive(Debug, Default)]
pub struct CounterRates(Vec<Option<f64>>);

impl CounterRates {
    /// Returns by how much each counter rose since the last read; `None` if either read has no number, or the counter was reset.
    pub fn since(&mut self, now: Vec<Option<f64>>) -> Vec<Option<f64>> {
        self.0.resize(now.len(), None);
        let risen = now.iter().zip(&self.0).map(|(now, last)| Some((*now)? - (*last)?).filter(|risen| *risen >= 0.0));
        let risen = risen.collect();
        self.0 = now;
        risen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_was_set_back_tells_nothing_once() {
        let mut counters = CounterRates::default();
        assert_eq!(counters.since(vec![Some(5.0), None]), [None, None]);
        assert_eq!(counters.since(vec![Some(7.0), Some(1.0)]), [Some(2.0), None]);
        assert_eq!(counters.since(vec![Some(1.0), Some(1.5)]), [None, Some(0.5)]);
        assert_eq!(counters.since(vec![Some(4.0), None]), [Some(3.0), None]);
    }
}
