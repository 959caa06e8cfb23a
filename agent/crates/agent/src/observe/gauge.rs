//! One gauge, what reads it, and how: files of the kernel that stay open, counters by what they rose.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// One number that is read every second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    /// Such as `cpu`, `disk`.
    pub group: String,
    /// Such as `busy`.
    pub name: String,
    /// Which of several, such as `nvme0n1`; empty where there is one.
    pub of: String,
    /// `percent`, `bytes`, `bytes/s`, `1/s`, `count`, `celsius` or `watts`.
    pub unit: String,
}

impl Gauge {
    /// Returns a gauge.
    pub fn new(group: &str, name: &str, of: &str, unit: &str) -> Self {
        Self { group: group.into(), name: name.into(), of: of.into(), unit: unit.into() }
    }
}

/// What cannot be read here, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownGroup {
    /// The group.
    pub group: String,
    /// For a person.
    pub reason: String,
}

impl UnknownGroup {
    /// Names a reason.
    pub fn new(group: &str, reason: impl Into<String>) -> Self {
        Self { group: group.into(), reason: reason.into() }
    }
}

/// Something that is read every second.
pub trait Source {
    /// What it reads, always in this order.
    fn gauges(&self) -> Vec<Gauge>;
    /// Reads; what counts up is divided by the seconds since the last read. None: not known this time.
    fn read(&mut self, elapsed_s: f64, into: &mut Vec<Option<f64>>);
}

/// A file of the kernel that stays open and is read anew from its beginning.
#[derive(Debug)]
pub struct OpenFile {
    file: File,
    bytes: Vec<u8>,
}

impl OpenFile {
    /// Opens it.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut source = Self { file: File::open(path)?, bytes: vec![0; 1 << 14] };
        source.text()?;
        Ok(source)
    }

    /// What it says now.
    ///
    /// # Errors
    /// What the system says.
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

    /// Returns the whole file as one number.
    pub fn number(&mut self) -> Option<f64> {
        self.text().ok()?.trim().parse().ok()
    }
}

/// Counters, by what they rose since the last read. One that fell was set back: not known this time.
#[derive(Debug, Default)]
pub struct CounterRates(Vec<Option<f64>>);

impl CounterRates {
    /// How much each rose; none where this or the last read has no number.
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
        let mut rises = CounterRates::default();
        assert_eq!(rises.since(vec![Some(5.0), None]), [None, None]);
        assert_eq!(rises.since(vec![Some(7.0), Some(1.0)]), [Some(2.0), None]);
        assert_eq!(rises.since(vec![Some(1.0), Some(1.5)]), [None, Some(0.5)]);
        assert_eq!(rises.since(vec![Some(4.0), None]), [Some(3.0), None]);
    }
}
