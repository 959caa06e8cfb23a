//! The gauges of an observer: a list that is fixed for the whole observation, and a number for each every second.
//!
//! A counter of the kernel gives its mean rate over the second between two reads; a state is read at the end of the second.

use std::path::Path;

use super::blocks::Blocks;
use super::cost::Cost;
use super::gauge::{Gauge, Source, UnknownGroup};
use super::interfaces::Interfaces;
use super::memory::Memory;
use super::power::Power;
use super::pressure::Pressure;
use super::processors::Processors;
use super::sensors::Sensors;

pub struct Gauges {
    sources: Vec<Box<dyn Source>>,
    /// The gauges, in the order of the numbers that [`Self::read`] returns.
    pub list: Vec<Gauge>,
    /// Groups of gauges that this machine does not have.
    pub unknown: Vec<UnknownGroup>,
}

impl Gauges {
    /// Opens all gauges below `proc` and `sys`.
    pub fn find(proc: &Path, sys: &Path) -> Self {
        let mut gauges = Self { sources: Vec::new(), list: Vec::new(), unknown: Vec::new() };
        gauges.add(Processors::open(proc));
        gauges.add(Blocks::open(proc, sys));
        gauges.add(Interfaces::open(proc));
        gauges.add(Pressure::open(proc));
        gauges.add(Memory::open(proc));
        gauges.add(Sensors::open(sys));
        let (power, missing) = Power::open(sys);
        gauges.add(power.ok_or_else(|| missing[0].clone()));
        gauges.add(Ok(Cost::default()));
        let missing: Vec<_> = missing.into_iter().filter(|group| !gauges.unknown.contains(group)).collect();
        gauges.unknown.extend(missing);
        // The first read only gives counters the values from which the second counts.
        gauges.read(1.0);
        gauges
    }

    fn add<S: Source + 'static>(&mut self, source: Result<S, UnknownGroup>) {
        match source {
            Ok(source) => {
                self.list.extend(source.gauges());
                self.sources.push(Box::new(source));
            }
            Err(reason) => self.unknown.push(reason),
        }
    }

    /// Returns one number for each gauge; `elapsed_s` is the time since the last read.
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
        let groups: Vec<&str> = gauges.unknown.iter().map(|unknown| &*unknown.group).collect();
        assert_eq!(groups, ["cpu", "disk", "network", "pressure", "memory", "temperature", "power"]);
        assert!(gauges.list.iter().all(|gauge| gauge.group == "observer"), "{:?}", gauges.list);
    }
}
