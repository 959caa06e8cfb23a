//! What an observer reads: one list of gauges, fixed for the whole observation, and one number of each every second.
//!
//! What counts up in the kernel becomes a mean over the second between two reads; what is a state is read at its end.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::blocks::Blocks;
use super::cost::Cost;
use super::interfaces::Interfaces;
use super::memory::Memory;
use super::power::Power;
use super::pressure::Pressure;
use super::processors::Processors;
use super::sensors::Sensors;

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
    /// A gauge.
    pub fn new(group: &str, name: &str, of: &str, unit: &str) -> Self {
        Self { group: group.into(), name: name.into(), of: of.into(), unit: unit.into() }
    }
}

/// What cannot be read here, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untold {
    /// The group.
    pub group: String,
    /// For a person.
    pub reason: String,
}

impl Untold {
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

/// Everything that this machine tells.
pub struct Gauges {
    sources: Vec<Box<dyn Source>>,
    /// In the order of the numbers.
    pub list: Vec<Gauge>,
    /// What is missing.
    pub unknown: Vec<Untold>,
}

impl Gauges {
    /// Finds what there is below `proc` and `sys`.
    pub fn find(proc: &Path, sys: &Path) -> Self {
        let (mut sources, mut unknown): (Vec<Box<dyn Source>>, Vec<Untold>) = (Vec::new(), Vec::new());
        let mut add = |found: Result<Box<dyn Source>, Untold>| match found {
            Ok(source) => sources.push(source),
            Err(reason) => unknown.push(reason),
        };
        add(boxed(Processors::open(proc)));
        add(boxed(Blocks::open(proc, sys)));
        add(boxed(Interfaces::open(proc)));
        add(boxed(Pressure::open(proc)));
        add(boxed(Memory::open(proc)));
        add(boxed(Sensors::open(sys)));
        let (power, missing) = Power::open(sys);
        add(power.map_or_else(|| Err(missing[0].clone()), |power| Ok(Box::new(power) as Box<dyn Source>)));
        add(Ok(Box::new(Cost::default())));
        unknown.extend(missing.into_iter().filter(|one| !unknown.contains(one)).collect::<Vec<_>>());
        let list = sources.iter().flat_map(|source| source.gauges()).collect();
        let mut found = Self { sources, list, unknown };
        // The first read is only what the second one is counted from.
        found.read(1.0);
        found
    }

    /// One number for each gauge.
    pub fn read(&mut self, elapsed_s: f64) -> Vec<Option<f64>> {
        let mut numbers = Vec::with_capacity(self.list.len());
        for source in &mut self.sources {
            source.read(elapsed_s, &mut numbers);
        }
        for number in &mut numbers {
            *number = number.filter(|number| number.is_finite()).map(|number| (number * 1e3).round() / 1e3);
        }
        numbers
    }
}

fn boxed<S: Source + 'static>(found: Result<S, Untold>) -> Result<Box<dyn Source>, Untold> {
    found.map(|source| Box::new(source) as Box<dyn Source>)
}

/// A file of the kernel that stays open and is read anew from its beginning.
#[derive(Debug)]
pub struct Again {
    file: File,
    bytes: Vec<u8>,
}

impl Again {
    /// Opens it.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut found = Self { file: File::open(path)?, bytes: vec![0; 1 << 14] };
        found.text()?;
        Ok(found)
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

    /// The whole file as one number.
    pub fn number(&mut self) -> Option<f64> {
        self.text().ok()?.trim().parse().ok()
    }
}

/// Counters, by what they rose since the last read. One that fell was set back: not known this time.
#[derive(Debug, Default)]
pub struct Rises(Vec<Option<f64>>);

impl Rises {
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
    fn what_this_machine_tells_has_a_number_for_each_gauge() {
        let mut gauges = Gauges::find(Path::new("/proc"), Path::new("/sys"));
        let numbers = gauges.read(1.0);
        assert_eq!(numbers.len(), gauges.list.len());
        let busy = gauges.list.iter().position(|gauge| gauge.group == "cpu" && gauge.name == "busy").expect("cpu");
        assert!(numbers[busy].is_none_or(|busy| (0.0..=100.5).contains(&busy)), "{:?}", numbers[busy]);
        assert!(gauges.list.iter().any(|gauge| gauge.group == "memory"));
    }

    #[test]
    fn a_machine_that_tells_nothing_gets_reasons() {
        let folder = tempfile::tempdir().expect("a folder");
        let gauges = Gauges::find(folder.path(), folder.path());
        let groups: Vec<&str> = gauges.unknown.iter().map(|one| &*one.group).collect();
        assert_eq!(groups, ["cpu", "disk", "network", "pressure", "memory", "temperature", "power"]);
        assert!(gauges.list.iter().all(|gauge| gauge.group == "observer"), "{:?}", gauges.list);
    }

    #[test]
    fn a_counter_that_was_set_back_tells_nothing_once() {
        let mut rises = Rises::default();
        assert_eq!(rises.since(vec![Some(5.0), None]), [None, None]);
        assert_eq!(rises.since(vec![Some(7.0), Some(1.0)]), [Some(2.0), None]);
        assert_eq!(rises.since(vec![Some(1.0), Some(1.5)]), [None, Some(0.5)]);
        assert_eq!(rises.since(vec![Some(4.0), None]), [Some(3.0), None]);
    }
}
