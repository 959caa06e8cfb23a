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
        let (mut sources, mut unknown): (Vec<Box<dyn Source>>, Vec<UnknownGroup>) = (Vec::new(), Vec::new());
        let mut add = |source: Result<Box<dyn Source>, UnknownGroup>| match source {
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
        unknown.extend(missing.into_iter().filter(|group| !unknown.contains(group)).collect::<Vec<_>>());
        let list = sources.iter().flat_map(|source| source.gauges()).collect();
        let mut gauges = Self { sources, list, unknown };
        // The first read only gives counters the values from which the second counts.
        gauges.read(1.0);
        gauges
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

fn boxed<S: Source + 'static>(source: Result<S, UnknownGroup>) -> Result<Box<dyn Source>, UnknownGroup> {
    source.map(|source| Box::new(source) as Box<dyn Source>)
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
